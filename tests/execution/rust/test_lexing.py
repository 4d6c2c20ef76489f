"""Words, strings and comments of Rust, told apart."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.lexing import closing, is_clear, tokens


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a // b\nc", ["a", "c"]),
        ("a /* b /* c */ d */ e", ["a", "e"]),
        ('x("//", r#"a"b"#, b"\\"")', ["x", "(", '"//"', ",", 'r#"a"b"#', ",", 'b"\\""', ")"]),
        ("'a' 'b x", ["'a'", "'b", "x"]),
        (r"'\'' '\u{1F600}'", [r"'\''", r"'\u{1F600}'"]),
        ("r#type 1_000u64 1.5 0..3", ["type", "1_000u64", "1.5", "0", ".", ".", "3"]),
        ("a::b->c != d", ["a", "::", "b", "->", "c", "!=", "d"]),
        ("a\u200eb\u0085c", ["a", "b", "c"]),
        ("a\u00a0b", ["a", "\u00a0", "b"]),
        ('"never closed', ['"never closed']),
        ("/* never closed", []),
        ("", []),
    ],
)
def test_tokens(source: str, expected: list[str]) -> None:
    assert [token.text for token in tokens(source)] == expected


def test_tokens_know_their_place() -> None:
    source = "fn r#try() { /* { */ 'a' }"
    assert all(source[t.start : t.end] == t.text for t in tokens(source))


@pytest.mark.parametrize(("source", "end"), [("(a[b]{c})d", 8), ("(a", 2)])
def test_closing(source: str, end: int) -> None:
    assert closing(tokens(source), 0) == end


@pytest.mark.parametrize(
    ("source", "clear"),
    [
        ('f("\u00fc", \'\u00fc\', r#"a"#, b"x", b\'x\') // \u00fc', True),
        ("fn f<'a>(r#type: &'a u8) { 'b: loop {} }", True),
        ("let \u00fc = 3;", False),
        ('c"a"', False),
        ('cr#"a"#', False),
        ('k"a"', False),
        ("k#a", False),
        ("k'a'", False),
    ],
)
def test_what_all_compilers_read_alike(source: str, *, clear: bool) -> None:
    assert is_clear(source) is clear
