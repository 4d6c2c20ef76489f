from __future__ import annotations

import json

import pytest

from libdrift.build.live import locating
from libdrift.build.live.bystanders import bystanders_of, joined
from libdrift.build.live.records import Draft, PairEvidence
from libdrift.execution import labels
from libdrift.records import TaskKind
from tests.build.live.small import evidence


@pytest.fixture(scope="module")
def seen() -> PairEvidence:
    return evidence()


@pytest.fixture(scope="module")
def located(seen: PairEvidence) -> dict[str, Draft]:
    return {draft.evidence["symbol"]: draft for draft in locating.drafts_of_locate(seen)}


@pytest.fixture(scope="module")
def explained(seen: PairEvidence) -> dict[str, Draft]:
    return {draft.evidence["symbol"]: draft for draft in locating.drafts_of_explain(seen)}


def right(draft: Draft, answer: str) -> bool:
    question = labels.of_task(draft.task)
    assert question is not None
    return labels.compare(answer, question).right


def test_both_directions_of_a_proven_migration(located: dict[str, Draft]) -> None:
    versions = {name: draft.task.facts.version for name, draft in located.items()}
    assert versions == {"pkg.summed_up": "2.0", "pkg.summed": "1.0"}
    assert {draft.task.kind for draft in located.values()} == {TaskKind.LOCATE}


def test_naming_everything_is_no_answer(located: dict[str, Draft]) -> None:
    draft = located["pkg.summed_up"]
    assert right(draft, draft.task.reference)
    assert right(draft, '["pkg.summed_up"]')
    used = sorted({f"pkg.{name}" for name in ("doubled", "longest", "negated", "summed_up")})
    assert sum(name in draft.task.starter for name in used) == 3
    assert not right(draft, json.dumps(used))
    assert not right(draft, draft.task.starter)
    assert not right(draft, "")
    assert not right(draft, '["pkg.doubled"]')


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"kind": "deprecation", "version": "2.0", "replacement": "pkg.summed"}, True),
        ({"kind": "replacement", "version": "2.0", "replacement": "pkg.summed"}, True),
        ({"kind": "removed", "version": "2.0", "replacement": "pkg.doubled"}, False),
        ({"kind": "addition", "version": "2.0", "replacement": "pkg.summed"}, False),
        ({"kind": "deprecation", "version": "7.0", "replacement": "pkg.summed"}, False),
    ],
)
def test_explanations(
    explained: dict[str, Draft], answer: dict[str, str], *, expected: bool
) -> None:
    draft = explained["pkg.summed_up"]
    assert right(draft, draft.task.reference)
    assert right(draft, json.dumps({"pkg.summed_up": answer})) is expected


def test_an_api_that_came_later(explained: dict[str, Draft]) -> None:
    draft = explained["pkg.summed"]
    answer = {"kind": "addition", "version": "2.0", "replacement": "pkg.summed_up"}
    assert right(draft, json.dumps({"pkg.summed": answer}))
    assert json.loads(draft.task.reference)["pkg.summed"]["kind"] == "addition"


def test_the_same_thing_by_another_name_is_no_addition_alone(explained: dict[str, Draft]) -> None:
    answer = {"kind": "replacement", "version": "2.0", "replacement": "pkg.summed_up"}
    assert right(explained["pkg.summed"], json.dumps({"pkg.summed": answer}))


def test_bystanders_use_nothing_that_changed(seen: PairEvidence) -> None:
    used = {path for one in bystanders_of(seen) for path in one.paths if "." in path}
    assert used == {"pkg.doubled", "pkg.longest", "pkg.negated"}


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        (
            ["import a\n\n\ndef solution(x):\n    return a.f(x)\n"] * 2,
            "import a\n\n\ndef first(x):\n    return a.f(x)\n\n\n"
            "def second(x):\n    return a.f(x)\n",
        ),
        (
            [
                "import a as x\n\n\ndef solution():\n    return x\n",
                "import b as x\n\n\ndef solution():\n    return x\n",
            ],
            "",
        ),
    ],
)
def test_functions_as_one_program(codes: list[str], expected: str) -> None:
    assert joined(codes) == expected
