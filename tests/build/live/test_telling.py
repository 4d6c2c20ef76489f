from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.build.live.before import place_elsewhere
from libdrift.build.live.drafting import Opening, PreparedProgram
from libdrift.build.live.measuring import CallOutcome
from libdrift.build.live.programs import ExampleProgram, program_of
from libdrift.build.live.records import Draft, PairEvidence, Side
from libdrift.build.live.telling import draft_of_telling
from tests.build.live.small import evidence

CALLS = ("solution([1, 2])", "solution([4])", "solution([])")
VALUES = ("[1, 1, 2, 2]", "[4.5, 4.5]", "[]")


@pytest.fixture(scope="module")
def seen() -> PairEvidence:
    return evidence()


@pytest.fixture(scope="module")
def prepared(seen: PairEvidence) -> PreparedProgram:
    example = next(one for one in seen.examples.values() if one.path == "pkg.doubled")
    at = len(example.statements) - 1
    program = program_of(example, at)
    assert isinstance(program, ExampleProgram)
    opening = Opening(example, at, Side.NEW, at, "pkg.doubled")
    return PreparedProgram(opening, program, CALLS, VALUES)


def told(seen: PairEvidence, prepared: PreparedProgram, *elsewhere: str) -> Draft | None:
    return draft_of_telling(seen, prepared, [CallOutcome("value", one) for one in elsewhere])


def passes(draft: Draft, answer: str) -> bool:
    names: dict[str, object] = {}
    try:
        exec(answer + "\n" + draft.task.tests[0].code, names)
    except (AssertionError, ImportError, IndexError):
        return False
    return True


def test_values_are_told_and_not_computed(seen: PairEvidence, prepared: PreparedProgram) -> None:
    draft = told(seen, prepared, "[1, 2]", "[4.5, 4.5]", "[]")
    assert draft is not None
    task = draft.task
    assert passes(draft, task.reference)
    assert passes(draft, task.reference.replace("4.5", "4.50000001"))
    assert not passes(draft, task.reference.replace("[1, 1, 2, 2]", "[1, 2]"))
    assert not passes(draft, task.reference.replace("        [],\n", ""))
    assert not passes(draft, task.reference.replace("        [],\n", "        [], [],\n"))
    assert not passes(draft, task.starter)
    assert task.wrong is not None
    assert not passes(draft, task.wrong.code)  # the package is not here
    assert task.environment.requirements == ()
    assert task.wrong.environment.requirements == ("pkg==2.0",)
    elsewhere = place_elsewhere(task)
    assert elsewhere is not None
    assert elsewhere.requirements == ("pkg==1.0",)
    assert "pkg 2.0" in task.problem
    assert "#     return pkg.doubled" in task.starter.replace("#         ", "#     ")


@pytest.mark.parametrize(
    ("values", "elsewhere"),
    [
        (VALUES, VALUES),  # the other release gives the same
        (("<pkg.Thing>", "x + 1", "[]"), ("[1]", "[2]", "[]")),  # no literals
        ((str([1] * 50), str([2] * 50), "[]"), ("[1]", "[2]", "[]")),  # long
        (("[]", "[]", "[]"), ("[1]", "[2]", "[]")),  # one value says it all
        (("'MPQ(1,2)'", "'MPQ(1,3)'", "'2'"), ("'a'", "'b'", "'c'")),  # another library's
        (("'a\\n'", "' b'", "'c\\n'"), ("'x'", "'y'", "'z'")),  # blanks that nobody sees
    ],
)
def test_what_cannot_be_told(
    seen: PairEvidence,
    prepared: PreparedProgram,
    values: tuple[str, ...],
    elsewhere: tuple[str, ...],
) -> None:
    assert told(seen, replace(prepared, values=values), *elsewhere) is None


@pytest.mark.parametrize(
    "line", ["r = Random(3)", "n = pkg.f().memory_usage(deep=True)", "pkg.f(seed=3)"]
)
def test_what_another_machine_gives_otherwise_is_not_asked_for(
    seen: PairEvidence, prepared: PreparedProgram, line: str
) -> None:
    program = replace(prepared.program, imports=(*prepared.program.imports, line))
    found = told(seen, replace(prepared, program=program), "[1, 2]", "[4.5, 4.5]", "[]")
    assert found is None


def test_one_value_is_not_all_that_is_asked_for(
    seen: PairEvidence, prepared: PreparedProgram
) -> None:
    calls = tuple(f"solution([{number}])" for number in range(6))
    values = ("True", "True", "True", "True", "True", "False")
    draft = told(seen, replace(prepared, calls=calls, values=values), *["None"] * 6)
    assert draft is not None
    assert draft.task.reference.count("True") == 3
    assert draft.task.starter.endswith("        ...,  # solution([5])\n    ]\n")
