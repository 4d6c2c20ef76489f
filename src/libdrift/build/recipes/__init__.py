"""The papers' pipelines as recipes: pure steps that ask, run, read and make tasks.

A recipe never talks to a model or starts a program itself: it is a generator that yields what it
wants done (``steps``), and is sent what came of it. So every recipe runs with any model, can be
taken up again after an interruption, and is tested without one.
"""
