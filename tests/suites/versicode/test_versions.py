from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.suites.versicode.versions import parse, step
from tests.published import published


@pytest.mark.parametrize(
    ("text", "kept", "exact"),
    [
        ("==1.1.0", "1.1.0", "1.1.0"),
        (" ==1.1.0  ", "1.1.0", "1.1.0"),
        ("== 1.1.0", "1.1.0", "1.1.0"),
        ("===1.1.0", "1.1.0", "1.1.0"),
        ("=1.1.0", "1.1.0", "1.1.0"),
        ("1.1.0", "1.1.0", "1.1.0"),
        ("v1.2", "1.2", "1.2"),
        ("==v1.2", "1.2", "1.2"),
        ("==4.5.2.52", "4.5.2.52", "4.5.2.52"),
        ("==2.0.0rc1", "2.0.0rc1", "2.0.0rc1"),
        ("==2.0.0-beta.1", "2.0.0-beta.1", "2.0.0-beta.1"),
        ("==5.3.0.RELEASE", "5.3.0.RELEASE", "5.3.0.RELEASE"),
        ("==1.0+cu117", "1.0+cu117", "1.0+cu117"),
        ("==2.x", "2.x", None),
        ("==0.18.X", "0.18.X", None),
        ("==2.*", "2.*", None),
        (">2.0.x", ">2.0.x", None),
        (">=1.7", ">=1.7", None),
        ("<=1.7", "<=1.7", None),
        ("< 0.23", "<0.23", None),
        ("~=1.4", "~=1.4", None),
        ("!=1.4", "!=1.4", None),
        ("^1.4.0", "^1.4.0", None),
        (">=1.0,<2.0", ">=1.0,<2.0", None),
        (">= 1.0 , < 2.0", ">=1.0,<2.0", None),
        (">=1.0 <2.0", ">=1.0,<2.0", None),
        ("1.0,<2.0", "==1.0,<2.0", None),
    ],
)
def test_every_spelling(text: str, kept: str, exact: str | None) -> None:
    wanted = parse(text)
    assert wanted is not None
    assert (wanted.text, wanted.exact) == (kept, exact)
    assert parse(wanted.text) is not None, "what is kept can be read again"


@pytest.mark.parametrize(
    "text", ["", "  ", "latest", "==", "1.0 or later", "1.0 2.0", "==latest", ">=1.0;<2", "二"]
)
def test_what_is_no_version(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("==1.0.0", "==2.0.0", "major-to-major"),
        ("==1.0.0", "==2.0.1", "major-to-minor"),
        ("==2.4.0", "==2.4.1", "major-to-minor"),
        ("==0.59.1", "==1.0", "minor-to-major"),
        ("==0.59.0", "==10.1.0", "major-to-major"),
        ("==0.59.2", "==10.1.0.dev1", "minor-to-minor"),
        ("==2", "==2.x", "major-to-minor"),
        ("==2", "soon", None),
        ("", "==2", None),
    ],
)
def test_steps(source: str, target: str, expected: str | None) -> None:
    assert step(parse(source), parse(target)) == expected


@settings(max_examples=100)
@given(st.text(max_size=30))
def test_any_text_is_read_or_not(text: str) -> None:
    wanted = parse(text)
    assert wanted is None or wanted.clauses


@pytest.mark.published
def test_every_published_spelling_is_understood() -> None:
    spellings = {
        item[key]
        for path in published("versicode").glob("*.json")
        for item in json.loads(path.read_text("utf-8"))["data"]
        for key in ("version", "old_version", "new_version")
        if key in item
    }
    assert len(spellings) > 400
    for spelling in spellings:
        wanted = parse(spelling)
        assert wanted is not None, spelling
        plain = spelling.strip()
        assert wanted.text == plain.removeprefix("==")
        assert (wanted.exact is not None) == (plain.startswith("==") and "x" not in plain)
