"""Edits of Python code by findings: the code's own formatting is kept."""

from libdrift.advisor.editing.engine import edit
from libdrift.advisor.editing.outcomes import (
    SURE,
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
