from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.retrieval import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("to_csv", ["to_csv", "to", "csv"]),
        ("DataFrame.map", ["dataframe", "data", "frame", "map"]),
        ("HTMLParser2", ["htmlparser2", "html", "parser", "2"]),
        ("größe __init__", ["größe", "__init__"]),
        ("", []),
    ],
)
def test_names_are_words_too(text: str, expected: list[str]) -> None:
    assert words.split(text) == expected


def test_names_as_libraries_shorten_them() -> None:
    found = words.shortened(["the", "greatest", "common", "divisor"])
    assert {"gcd", "gcdivisor", "gcommon", "cdivisor"} == found
    assert words.shortened(["join"]) == set()


def test_pairs_keep_to_one_clause_and_leave_out_little_words() -> None:
    assert words.pairs("A depth first search. Search the node-link data") == [
        "depth first",
        "first search",
        "node link",
        "link data",
    ]


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("f(x, y)\n\nSum of\nboth.\n\nMore.", "Sum of both."),
        (".. deprecated:: 1\n   Gone.\n\nSum.", "Sum."),
        (">>> f()", ""),
        ("", ""),
    ],
)
def test_the_lead_is_the_first_prose(doc: str, expected: str) -> None:
    assert words.lead(doc) == expected


@given(st.text())
def test_any_text_is_a_query(text: str) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5 (words)")
    for made in (words.match(words.known(words.split(text))), words.match(words.pairs(text))):
        if made:
            assert db.execute("SELECT * FROM t WHERE t MATCH ?", (made,)).fetchall() == []
    db.close()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("textlength", "textlength text length"),
        ("isprime", "isprime is prime"),
        ("prime", "prime"),
        ("text", "text"),
        ("to_isprime", "to_isprime is prime"),
    ],
)
def test_compounds_are_told_in_their_parts(name: str, expected: str) -> None:
    assert words.Compounds(["text", "length", "prime", "me", "t"]).added(name) == expected


def test_names_as_they_are_said() -> None:
    assert words.spoken("custom_isPrime of DataFrame") == ["is", "prime", "of", "data", "frame"]
    assert words.joined(["is", "prime"]) == {"is", "prime", "isprime"}
