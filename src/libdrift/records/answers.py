from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"  # a test failed, or the pass could not be proven
    ERROR = "error"  # the answer did not load, crashed, or hit a limit
    TIMEOUT = "timeout"
    REFUSED = "refused"  # never run: empty, binary or oversized
    INFRASTRUCTURE = "infrastructure"  # the machine's trouble: retried, never counted as a failure

    @property
    def graded(self) -> bool:
        """Whether the outcome says something about the answer."""
        return self is not Outcome.INFRASTRUCTURE


class Split(StrEnum):
    HIDDEN = "hidden"
    VISIBLE = "visible"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer to one task. ``raw`` is the text as given, ``code`` the program in it."""

    task_id: str
    sample: int
    raw: str
    code: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An answer that was not used: where it stands, and what to do about it."""

    where: str  # as the reader finds it: ``answers.jsonl:3`` or ``work/sample_3.py``
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One test case of a verdict."""

    name: str
    outcome: str


# How a pass is proven: by tests that the answer never met (``remote``), by so many runs on tests
# with another expectation, which it rightly failed (``decoys(3)``), by its text, which has no means
# to reach its tests (``plain``: Rust only), or by its tests alone (``none``).
Proof = str
REMOTE: Proof = "remote"
PLAIN: Proof = "plain"
UNPROVEN: Proof = "none"


def by_decoys(count: int) -> Proof:
    return f"decoys({count})" if count else UNPROVEN


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one attempt on one split. ``reason`` is one line, ``log`` everything."""

    task_id: str
    sample: int
    split: Split
    outcome: Outcome
    reason: str = ""
    seconds: float = 0.0
    cases: tuple[Case, ...] = ()
    log: str = ""
    proof: Proof | None = None  # how its tests prove a pass, if they were run
    # Whether the answer really uses the API at stake, where that can be resolved.
    uses: bool | None = None
