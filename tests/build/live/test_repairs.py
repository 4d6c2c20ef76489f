from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.build.live.measuring import CallOutcome
from libdrift.build.live.records import PairEvidence, Side
from libdrift.build.live.repairs import WantedRepair, _ProgramEdits, repaired
from libdrift.history.views import View
from libdrift.languages.python.static import of_sources
from tests.build.live.small import evidence

OLD = """
def total(items, start=0, wide=False): ...
def summed_up(items): ...
"""
NEW = """
def total(items, *, begin=0, wide=True): ...
def summed(items): ...
def other(items): ...
"""


def edits(body: str) -> _ProgramEdits:
    code = f"import pkg\n\n\ndef solution(a):\n    return {body}\n"
    old, new = (of_sources({"pkg/__init__.py": text}, "1", "pkg") for text in (OLD, NEW))
    return _ProgramEdits(code, View(old), View(new))


def returned(codes: list[str]) -> list[str]:
    return [code.rpartition("return ")[2].strip() for code in codes]


@pytest.mark.parametrize(
    ("body", "message", "found"),
    [
        ("pkg.summed_up(a)", "module 'pkg' has no attribute 'summed_up'", ["pkg.summed(a)"]),
        (
            "pkg.total(a, start=1)",
            "total() got an unexpected keyword argument 'start'",
            ["pkg.total(a, begin=1)", "pkg.total(a)"],
        ),
        (
            "pkg.total(a, 1)",
            "total() takes 1 positional argument but 2 were given",
            ["pkg.total(a, start=1)"],
        ),
        ("pkg.total(a)", "something else", ["pkg.total(a, wide=False)"]),
    ],
)
def test_what_an_error_leads_to(body: str, message: str, found: list[str]) -> None:
    now = CallOutcome(error="Error", message=message)
    assert returned(list(edits(body).for_failure(now)))[: len(found)] == found


def test_values_are_wrapped() -> None:
    made = returned(list(edits("pkg.total(a)").wrapped()))
    assert made[:2] == ["list(pkg.total(a))", "tuple(pkg.total(a))"]


@pytest.fixture(scope="module")
def seen() -> PairEvidence:
    return evidence()


CODE = "import pkg\n\n\ndef solution(numbers):\n    return pkg.summed_up(numbers)\n"
WANTED = WantedRepair(
    CODE,
    ("solution([1, 2])", "solution([3])"),
    ("3", "3"),
    Side.NEW,
    CallOutcome(error="AttributeError", message="module 'pkg' has no attribute 'summed_up'"),
)


def test_the_first_edit_that_gives_the_same_is_taken(seen: PairEvidence) -> None:
    other = replace(WANTED, values=("3", "4"))
    first, second = repaired(seen, [WANTED, other])
    assert first == CODE.replace("summed_up", "summed")
    assert second == ""


@pytest.mark.parametrize(
    ("keep", "text", "expected"),
    [
        ("9", "a b c", ""),  # without it the newer release gives the same: nothing shows it
        ("-1", "a b c", "    return pkg.parts(text)\n"),  # its default
        ("keep", "a b c", ""),
    ],
)
def test_an_argument_is_left_out_where_that_shows(
    seen: PairEvidence, keep: str, text: str, expected: str
) -> None:
    code = f"import pkg\n\n\ndef solution(text, keep=9):\n    return pkg.parts(text, keep={keep})\n"
    error = "parts() got an unexpected keyword argument 'keep'"
    values = (repr(text.split()), "['d']")
    wanted = WantedRepair(
        code,
        (f"solution({text!r})", "solution('d')"),
        values,
        Side.OLD,
        CallOutcome(error="TypeError", message=error),
    )
    (found,) = repaired(seen, [wanted])
    assert found.endswith(expected)
    assert bool(found) is bool(expected)
