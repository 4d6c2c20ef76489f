"""The use cases: what a command does, without a terminal. Typed options in, results out.

`import libdrift` offers them all by name. Heavy imports live inside the functions.
"""
