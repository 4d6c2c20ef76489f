from __future__ import annotations

from collections import Counter

import pytest

from libdrift.build.live import completing, generating
from libdrift.build.live.before import place_before
from libdrift.build.live.holes import Introduction
from libdrift.build.live.measuring import ProgramTrial
from libdrift.build.live.missing import not_to_be_asked
from libdrift.build.live.records import Draft, PairEvidence, Side
from libdrift.history.views import View
from libdrift.languages.python.static import of_sources
from libdrift.records import ChangeKind, TaskKind
from tests.build.live.small import evidence


@pytest.fixture(scope="module")
def seen() -> PairEvidence:
    return evidence()


@pytest.fixture(scope="module")
def generated(seen: PairEvidence) -> dict[str, Draft]:
    return {draft.evidence["symbol"]: draft for draft in generating.drafts(seen)}


def test_what_is_asked_for(generated: dict[str, Draft]) -> None:
    assert list(generated) == ["pkg.pairwise_sums", "pkg.parts(keep)"], "`summed` had a name before"
    kinds = [draft.task.facts.change for draft in generated.values()]
    assert kinds == [ChangeKind.INTRODUCED, ChangeKind.SIGNATURE]
    assert {draft.task.kind for draft in generated.values()} == {TaskKind.GENERATE}


def test_a_task_in_words(generated: dict[str, Draft]) -> None:
    task = generated["pkg.pairwise_sums"].task
    assert task.problem == (
        """\
Complete the function `solution` for pkg 2.0. What is missing at `...` is a call of something that \
pkg 1.0 did not have yet.

The documentation says of it: "Add every number to the one that follows it."

It is called with `numbers` and `offset=offset`. Return its result as a `list`.

Examples (other arguments of the same kind are tried as well):
- `solution([1, 2, 3, 4], 10)` returns `[13, 15, 17]`
- `solution([4, 3, 2, 1], 10)` returns `[17, 15, 13]`

Add the imports that you need."""
    )
    assert task.starter == "def solution(numbers, offset):\n    ...\n", "no import tells it"
    assert "from pkg import pairwise_sums" in task.reference


def test_a_parameter_is_asked_for_by_what_it_does(generated: dict[str, Draft]) -> None:
    task = generated["pkg.parts(keep)"].task
    assert "a call of `pkg.parts` with an argument that pkg 1.0 did not have yet" in task.problem
    assert '"How many separators are looked at, from the left; by default all."' in task.problem
    assert "The call is made with `text`, and besides with `item_2` for it." in task.problem
    assert "keep" not in task.problem + task.starter


def test_more_is_tested_than_is_shown(generated: dict[str, Draft]) -> None:
    for draft in generated.values():
        visible, hidden = (tests.code.count("assert ") for tests in draft.task.tests)
        assert visible == 2 < hidden


def test_the_reference_fails_in_the_release_before(
    seen: PairEvidence, generated: dict[str, Draft]
) -> None:
    for draft in generated.values():
        call = draft.task.problem.partition("\n- `")[2].partition("` returns")[0]
        trial = ProgramTrial(draft.task.reference, (call,))
        assert seen.bench.measure(Side.OLD, [trial])[0][0].error
        assert seen.bench.measure(Side.NEW, [trial])[0][0].is_plain
        place = place_before(draft.task)
        assert place is not None
        assert place.requirements == ("pkg==1.0",)


def test_what_is_vague_is_left_out_with_its_reason(seen: PairEvidence) -> None:
    reasons: Counter[str] = Counter()
    drafts = [*generating.drafts(seen, reasons), *completing.drafts(seen)]
    assert "pkg.vague" not in {draft.evidence["symbol"] for draft in drafts}
    assert reasons["its description leans on other texts"] == 1


def test_the_same_tasks_each_time(seen: PairEvidence) -> None:
    first, second = (
        [draft.task for draft in (*generating.drafts(it), *completing.drafts(it))]
        for it in (seen, evidence())
    )
    assert first == second
    assert len({task.id for task in first}) == len(first)


def test_completions_show_what_is_around(seen: PairEvidence) -> None:
    task = next(iter(completing.drafts(seen))).task
    assert task.kind is TaskKind.COMPLETE
    assert task.facts.granularity == "line"
    assert task.starter == (
        "def solution(numbers):\n    <missing>\n    return max(best) - min(best)\n"
    )
    assert task.problem.startswith("In this program for pkg 2.0, one line is missing.")
    assert "best = pairwise_sums(numbers)" in task.reference


def test_completions_of_what_did_not_change_are_a_control(seen: PairEvidence) -> None:
    _, *kept = (draft.task for draft in completing.drafts(seen))
    symbols = {task.facts.symbol for task in kept}
    assert symbols == {"pkg.doubled", "pkg.negated"}, "the words for `longest` name it"
    for task in kept:
        assert (task.facts.change, task.facts.lifecycle) == (None, "unchanged")
        assert "that pkg 1.0 had already" in task.problem
        assert place_before(task) is None, "it passes there, too"


DEPRECATED = '''
def old_way(items):
    """Turn a list around.

    .. deprecated:: 1.5
    """


def new_way(items):
    """Turn a list around."""


def _hidden(items): ...
'''


@pytest.mark.parametrize(
    ("path", "parameter", "objection"),
    [
        ("pkg.old_way", "", "it is deprecated"),
        ("pkg.new_way", "", ""),
        ("pkg._inner.new_way", "", "it is for the package's own use"),
        ("pkg.internals.new_way", "", "it is for the package's own use"),
    ],
)
def test_who_may_be_asked_for(path: str, parameter: str, objection: str) -> None:
    sources = {"pkg/__init__.py": DEPRECATED, "pkg/internals.py": DEPRECATED}
    view = View(of_sources(sources, "1.0", "pkg"))
    assert not_to_be_asked(view, Introduction(path, parameter)) == objection
