"""Which edits are kept, by what a command does with them."""

from __future__ import annotations

import pytest

from libdrift.advisor.trials import TrialOutcome
from libdrift.advisor.verifying import FileEdit, verified

EDITS: list[FileEdit] = [(f"{name}.py", (name, "gone", "")) for name in "abcdefgh"]


def outcome(*passed: str) -> TrialOutcome:
    return TrialOutcome(0, frozenset(passed))


class Mended:
    """Each edit mends the test of its name; a bad one breaks a test that worked."""

    def __init__(self, bad: str = "") -> None:
        self.bad, self.runs = bad, 0

    def __call__(self, without: frozenset[FileEdit]) -> TrialOutcome:
        self.runs += 1
        made = {edit[1][0] for edit in EDITS if edit not in without}
        works = {f"works {name}" for name in self.bad if name not in made}
        return outcome(*works, *(f"test {name}" for name in made - set(self.bad)))


@pytest.mark.parametrize(
    ("bad", "most"), [("", 2), ("a", 8), ("h", 8), ("ch", 14), ("abcdefgh", 18)]
)
def test_edits_that_break_a_test_are_not_kept(bad: str, most: int) -> None:
    tests = Mended(bad)
    before = outcome(*(f"test {name}" for name in "abcdefgh"))
    found = verified(EDITS, before, tests)
    assert {edit[1][0] for edit in found.rejected} == set(bad)
    assert found.after.passed is not None
    assert found.bare.passed is not None
    assert found.after.passed >= found.bare.passed
    assert tests.runs <= most
    assert found.is_restored == (not bad)


def test_what_no_edit_mends_is_no_reason_against_one() -> None:
    found = verified(EDITS[:1], outcome("test a", "test z"), Mended())
    assert not found.rejected
    assert not found.is_restored


@pytest.mark.parametrize(
    ("bare", "after", "is_kept"),
    [(0, 0, True), (0, 1, False), (1, 0, True), (1, 1, True), (0, None, False)],
)
def test_commands_that_are_no_tests_tell_by_their_status(
    bare: int,
    after: int | None,
    is_kept: bool,  # noqa: FBT001
) -> None:
    def tried(without: frozenset[FileEdit]) -> TrialOutcome:
        return TrialOutcome(bare if without else after)

    found = verified(EDITS[:1], TrialOutcome(0), tried)
    assert bool(found.rejected) != is_kept


def test_without_edits_nothing_is_searched() -> None:
    tests = Mended()
    assert verified([], outcome(), tests).runs == 2
    assert tests.runs == 1
