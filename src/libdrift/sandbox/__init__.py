"""Untrusted code, held: backends, limits, the judge, and the conformance suite."""

from libdrift.sandbox.backends import Backend, Bubblewrap, Unprotected, choose
from libdrift.sandbox.guests import Program
from libdrift.sandbox.judge import Judgement, judge
from libdrift.sandbox.limits import Limits

__all__ = [
    "Backend",
    "Bubblewrap",
    "Judgement",
    "Limits",
    "Program",
    "Unprotected",
    "choose",
    "judge",
]
