"""Literals in the style of others."""

from __future__ import annotations

import re

import pytest

from libdrift.execution.rust.altering import altered
from libdrift.execution.rust.lexing import tokens


@pytest.mark.parametrize(
    ("literal", "style"),
    [
        ("true", "false"),
        ("7", r"[0-689]"),
        ("42", r"[1-9]\d"),
        ("1_000", r"[1-9]_\d{3}"),
        ("3.14", r"\d\.\d\d"),
        ("0.5f64", r"\d\.\df64"),
        ("10u8", r"[1-9]\du8"),
        ("5_usize", r"\d_usize"),
        ("1e9", r"\de9"),
        ("0xFF", r"0x[0-9A-F]{2}"),
        ("0b01", r"0b[01]{2}"),
        ('"abc"', r'"[a-z]{3}"'),
        ('"A1 b"', r'"[A-Z]\d [a-z]"'),
        ('b"xy"', r'b"[a-z]{2}"'),
        ('r#"q"#', r'r#"[a-z]"#'),
        ("'a'", r"'[b-z]'"),
        ("b'7'", r"b'[0-689]'"),
    ],
)
def test_style_is_kept(literal: str, style: str) -> None:
    for _ in range(30):
        other = altered(tokens(literal)[0])
        assert other is not None
        assert other != literal
        assert re.fullmatch(style, other)


@pytest.mark.parametrize("text", ["name", '""', '"\\n"', "'\\n'", "'static", "+", '"--"'])
def test_what_has_no_like(text: str) -> None:
    assert altered(tokens(text)[0]) is None


@pytest.mark.parametrize(
    ("literal", "others", "chosen"),
    [
        ("3", "4 5_0 6u8 12 4", "4"),
        ('"red"', '"blue" "a much longer one" b"tin"', '"blue"'),
        ('""', '"" "a"', None),
    ],
)
def test_another_of_the_same_tests_is_taken_first(
    literal: str, others: str, chosen: str | None
) -> None:
    assert altered(tokens(literal)[0], tokens(others)) == chosen
