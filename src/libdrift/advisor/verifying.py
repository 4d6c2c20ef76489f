"""Which edits are kept: those under which nothing that passed fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from libdrift.advisor.migrating import EditGroup
from libdrift.advisor.trials import TrialOutcome

FileEdit = tuple[str, EditGroup]  # a file, and a group of its edits
TryWithout = Callable[[frozenset[FileEdit]], TrialOutcome]


@dataclass(frozen=True, slots=True)
class Verification:
    """``before``: at the old versions; ``bare``: at the new ones, unedited; ``after``: edited."""

    before: TrialOutcome
    bare: TrialOutcome
    after: TrialOutcome
    rejected: frozenset[FileEdit] = frozenset()
    runs: int = 3

    @property
    def is_restored(self) -> bool:
        """All that passed at the old release passes at the new one."""
        if self.before.passed is None or self.after.passed is None:
            return self.after.is_fine
        return bool(self.before.passed) and self.before.passed <= self.after.passed


def verified(edits: Sequence[FileEdit], before: TrialOutcome, tried: TryWithout) -> Verification:
    """Try all edits; where something that the new release passes unedited fails, seek the culprit.

    What failed at the old release already, or fails at the new one with and without edits, tells
    nothing against an edit.
    """
    everything = frozenset(edits)
    bare = tried(everything)
    if not edits:
        return Verification(before, bare, bare, runs=2)
    after = tried(frozenset())
    runs = 3
    if after.keeps(bare):
        return Verification(before, bare, after, runs=runs)
    search = _Search(bare, tried, everything)
    search.keep(list(edits))
    rejected = everything - search.kept
    return Verification(before, bare, search.last, rejected, runs + search.runs)


class _Search:
    """Halves that can stay do; halves that cannot are halved again."""

    def __init__(
        self, bare: TrialOutcome, tried: TryWithout, everything: frozenset[FileEdit]
    ) -> None:
        self._bare, self._tried, self._everything = bare, tried, everything
        self.kept: frozenset[FileEdit] = frozenset()
        self.last = bare  # with what is kept so far
        self.runs = 0

    def keep(self, edits: Sequence[FileEdit], *, is_tried: bool = True) -> None:
        """``is_tried``: all of these together are known not to do."""
        if not is_tried:
            self.runs += 1
            wanted = self.kept | frozenset(edits)
            outcome = self._tried(self._everything - wanted)
            if outcome.keeps(self._bare):
                self.kept, self.last = wanted, outcome
                return
        if len(edits) == 1:
            return
        middle = len(edits) // 2
        self.keep(edits[:middle], is_tried=False)
        self.keep(edits[middle:], is_tried=False)
