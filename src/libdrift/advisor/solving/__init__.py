"""Answers to tasks about moved code, without a model: locate, explain, migrate.

Everything is reasoned from two releases of a library: what each offers, what the newer one warns of
and what it advises instead.
"""

from libdrift.advisor.solving.answers import explained, located
from libdrift.advisor.solving.backports import definitions
from libdrift.advisor.solving.javas import java_suspects
from libdrift.advisor.solving.libraries import JDK, PYTHON, SolverLibraries
from libdrift.advisor.solving.migration import MovedCode, moved, moved_python
from libdrift.advisor.solving.moves import MovedLibrary
from libdrift.advisor.solving.pythons import StandardLibrary
from libdrift.advisor.solving.suspects import Strength, Suspect, suspects

__all__ = [
    "JDK",
    "PYTHON",
    "MovedCode",
    "MovedLibrary",
    "SolverLibraries",
    "StandardLibrary",
    "Strength",
    "Suspect",
    "definitions",
    "explained",
    "java_suspects",
    "located",
    "moved",
    "moved_python",
    "suspects",
]
