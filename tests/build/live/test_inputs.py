from __future__ import annotations

import ast

import pytest

from libdrift.build.live.inputs import variations


@pytest.mark.parametrize(
    ("source", "first"),
    [
        ("3", ["4", "5", "2"]),
        ("0", ["1", "2", "5"]),
        ("-1", ["0", "1", "-2"]),
        ("1.5", ["2.5", "3.0", "0.75"]),
        ("'abc'", ["'cba'", "'bca'", "'ABC'"]),
        ("'a'", ["'b'", "'c'", "'d'"]),
        ("'ab cd'", ["'dc ba'", "'b cda'", "'AB CD'"]),
        ("'[ab]/[cde]'", ["'[ba]/[edc]'", "'[ba]/[dec]'", "'[AB]/[CDE]'"]),
        ("'<a href=\"x\">'", ["'<a ferh=\"x\">'", "'<a refh=\"x\">'", "'<A HREF=\"X\">'"]),
        ("'->'", []),
        ("'2020-01-02'", ["'2021-02-03'", "'2022-03-04'", "'2023-04-05'"]),
        ("[1, 2]", ["[2, 1]", "[2, 3]", "[1, 2, 1]"]),
        ("(1, 2)", ["(2, 1)", "(2, 3)", "(1, 2, 1)"]),
        ("{'a': 1}", ["{'a': 2}"]),
        ("True", []),
        ("''", []),
        ("[]", []),
    ],
)
def test_others_of_the_same_kind(source: str, first: list[str]) -> None:
    found = variations(source)
    assert found[: len(first)] == first
    assert source not in found
    assert len(set(found)) == len(found)
    own = type(ast.literal_eval(source))
    assert {type(ast.literal_eval(one)) for one in found} <= {own}


def test_so_many_at_most() -> None:
    assert len(variations("[1, 2, 3]", 2)) == 2


def test_a_number_that_cannot_be_written_has_no_others() -> None:
    assert variations(f"0x{'f' * 6000}") == []
