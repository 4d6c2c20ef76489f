"""Exact-version environments: from (runtime, requirements) to a ready interpreter."""

from libdrift.environments.builder import Failed, Ready, build, build_all
from libdrift.environments.interpreters import Interpreter, discover
from libdrift.environments.recipes import Recipe, recipe_for
from libdrift.environments.store import StoredEnvironment, drop_named, entries, named, prune

__all__ = [
    "Failed",
    "Interpreter",
    "Ready",
    "Recipe",
    "StoredEnvironment",
    "build",
    "build_all",
    "discover",
    "drop_named",
    "entries",
    "named",
    "prune",
    "recipe_for",
]
