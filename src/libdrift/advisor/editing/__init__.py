"""Edits of Python code by findings: the code's own formatting is kept."""

from libdrift.advisor.editing.engine import SURE, edit
from libdrift.advisor.editing.outcomes import (
    CallSignatures,
    EditResult,
    LeftFinding,
    NothingKnown,
    ReleaseKnowledge,
)

__all__ = [
    "SURE",
    "CallSignatures",
    "EditResult",
    "LeftFinding",
    "NothingKnown",
    "ReleaseKnowledge",
    "edit",
]
