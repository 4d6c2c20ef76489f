"""What running the examples of documentation shows of two releases."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class ExampleOutcome(StrEnum):
    """How an example goes in the newer of two releases, against the older one."""

    DIFFERS = "differs"  # it runs in both, and prints something else
    FAILS = "fails"  # it ran
    RUNS = "runs"  # it failed
    WARNS = "warns"  # it runs in both, and only now announces a change
    REPLACED = "replaced"  # written as the history says to, it gives in the newer one what it gave
    REFUSED = "refused"  # so written, it fails there
    SPELLED = "spelled"  # values are the same, and are printed otherwise: `1.0`, `np.float64(1.0)`


@dataclass(frozen=True, slots=True)
class ExampleFinding:
    """One example that shows a change. Paths are as users write them."""

    outcome: ExampleOutcome
    path: str  # what the change is told of
    code: str  # the example up to the statement that shows it, as one would type it
    before: str  # what is printed; of what fails, the error
    after: str
    statement: str = ""  # the one that shows it
    source: str = ""  # the symbol whose documentation has the example
    uses: tuple[str, ...] = ()  # paths that the statement uses
    keywords: tuple[str, ...] = ()  # arguments by name: `numpy.sum(axis)`
    message: str = ""  # of a warning; of a replacement that was tried, its path
    is_documented: bool = False  # the newer documentation shows the new output
    also: tuple[str, ...] = ()  # other paths whose examples show the same
    count: int = 1  # examples that show it


@dataclass(frozen=True, slots=True)
class Reliability:
    """Changes of one kind that the history told with some confidence, and how many are so."""

    kind: str
    low: float  # confidence, from … to
    high: float
    tried: int
    confirmed: int

    @property
    def share(self) -> float:
        return self.confirmed / self.tried if self.tried else 0.0


@dataclass(frozen=True, slots=True)
class ExampleTrial:
    """The examples of two releases, each run in both."""

    package: str
    old: str
    new: str
    python: str
    examples: int  # distinct ones, of both releases
    ran: int  # in both, from their beginning to their end
    statements: int  # that were compared
    unsteady: int  # statements that print something else each time
    seconds: float  # that runs took
    runs: int  # that it were: of each in both releases, and again where they differ
    skipped: dict[str, int] = field(default_factory=dict)  # examples that fail in both, by reason
    found: dict[str, int] = field(default_factory=dict)  # findings, by outcome
    dependencies: tuple[str, ...] = ()  # that differ between both environments
    reliability: tuple[Reliability, ...] = ()
    confirmed: dict[str, int] = field(default_factory=dict)  # changes of the history, by kind
