"""Untrusted code, held: backends, limits, the judge, and the conformance suite."""

from libdrift.sandbox.backends import Backend, Bubblewrap, Unprotected, choose
from libdrift.sandbox.forks import Names
from libdrift.sandbox.guests import Program, Rehearsal
from libdrift.sandbox.judge import (
    Apart,
    Judgement,
    judge,
    judge_apart,
    judge_warm,
    judge_warm_apart,
    rehearse,
    rehearse_warm,
)
from libdrift.sandbox.limits import Limits
from libdrift.sandbox.servers import Warm

__all__ = [
    "Apart",
    "Backend",
    "Bubblewrap",
    "Judgement",
    "Limits",
    "Names",
    "Program",
    "Rehearsal",
    "Unprotected",
    "Warm",
    "choose",
    "judge",
    "judge_apart",
    "judge_warm",
    "judge_warm_apart",
    "rehearse",
    "rehearse_warm",
]
