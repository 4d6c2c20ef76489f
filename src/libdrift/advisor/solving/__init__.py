"""Answers to tasks about moved code, without a model: locate, explain, migrate.

Everything is reasoned from two releases of a library: what each offers, what the newer one warns of
and what it advises instead.
"""

from libdrift.advisor.solving.answers import explained, located
from libdrift.advisor.solving.moves import MovedLibrary
from libdrift.advisor.solving.suspects import Strength, Suspect, suspects

__all__ = ["MovedLibrary", "Strength", "Suspect", "explained", "located", "suspects"]
