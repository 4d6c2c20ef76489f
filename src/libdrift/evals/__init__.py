"""Asking models: strategies, the run that asks, and what Inspect AI needs to do the same.

Only this room imports Inspect AI.
"""
