"""Exact-version environments: from (runtime, requirements) to a ready interpreter."""

from libdrift.environments.builder import Failed, Ready, build, build_all
from libdrift.environments.interpreters import Interpreter, discover
from libdrift.environments.recipes import Recipe, recipe_for
from libdrift.environments.store import Entry, entries, prune

__all__ = [
    "Entry",
    "Failed",
    "Interpreter",
    "Ready",
    "Recipe",
    "build",
    "build_all",
    "discover",
    "entries",
    "prune",
    "recipe_for",
]
