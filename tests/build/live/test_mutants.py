from __future__ import annotations

import ast

import pytest

from libdrift.build.live.mutants import Mutant, mutants_of, scored


def wrong(code: str, most: int = 100) -> list[str]:
    return [one.code for one in mutants_of(code, most)]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1", ["x = 2"]),
        ("x = True", ["x = False"]),
        ("x = 1.5", ["x = 4.0"]),
        ("x = 'a'", ["x = 'ax'"]),
        ("x = b'a'", ["x = b'ax'"]),
        ("x = None", []),
        ("x = a + b", ["x = a - b"]),
        ("x = a < b", ["x = a >= b"]),
        ("x = a and b", ["x = a or b"]),
        ("x = not a", ["x = a"]),
        ("x = f(a, b)", ["x = f(b, a)", "x = a"]),
        ("x = f(a, k=b)", ["x = f(a)", "x = a"]),
        ("x = f(**a)", []),
        ("x = f(*a)", []),
        ("x = a.sort()", ["x = a"]),
        ("x = f()", []),
        ("a.sort()", ["pass", "a"]),
        ("x = f'{a:>5}'", []),
        ("x: int = a", []),
    ],
)
def test_one_thing_is_wrong(code: str, expected: list[str]) -> None:
    assert sorted(wrong(code)) == sorted(expected)


def test_docstrings_and_annotations_are_left_alone() -> None:
    code = 'def f(a: "int" = 1) -> "int":\n    """Say 1."""\n    return a'
    assert wrong(code) == ['def f(a: \'int\'=2) -> \'int\':\n    """Say 1."""\n    return a']


def test_a_limit_leaves_every_kind_in() -> None:
    code = "def f(a):\n    return g(1, 2, 3, k=4) + a"
    kinds = {one.what.split(" ")[0] for one in mutants_of(code, 5)}
    assert len(mutants_of(code, 5)) == 5
    assert len(kinds) > 3, "constants come first in the code, and are not all"
    assert mutants_of(code, 5) == mutants_of(code, 5)
    assert mutants_of(code, 5)[:3] == mutants_of(code, 3)


def test_mutants_are_programs_and_differ() -> None:
    code = "import pkg\n\ndef f(a, b):\n    x = pkg.g(a, b, k='v')\n    x.h()\n    return x[0] == b"
    found = mutants_of(code)
    assert len({one.code for one in found} | {ast.unparse(ast.parse(code))}) == len(found) + 1
    for one in found:
        ast.parse(one.code)


def test_scores() -> None:
    found = [Mutant("a", "one"), Mutant("b", "two"), Mutant("c", "three")]
    score = scored(found, [False, True, False])
    assert (score.mutants, score.told_apart, score.survivors) == (3, 2, ("two",))
    assert score.share == pytest.approx(2 / 3)
    assert scored([], []).share is None
