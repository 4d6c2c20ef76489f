from __future__ import annotations

import pytest

from libdrift.execution.explaining import StatedChange, name_in, of_one, told_by, told_in_words

ONE = StatedChange("removed", "2.0", "a.c")
FIELDS = {"kind": "removed", "version": "2.0", "replacement": "a.c"}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (["a.b", "c"], {"a.b": StatedChange(), "c": StatedChange()}),
        ({"a.b": FIELDS}, {"a.b": ONE}),
        ({"a.b": {key.upper(): one for key, one in FIELDS.items()}}, {"a.b": ONE}),
        ({"a.b": {"Change Type": "removed", "since": "2.0", "replaced_by": "a.c"}}, {"a.b": ONE}),
        ({"a.b": {**FIELDS, "replacement": {"name": "a.c"}}}, {"a.b": ONE}),
        (
            {"a.b": {**FIELDS, "replacement": ["a.c", "a.d"]}},
            {"a.b": StatedChange("removed", "2.0", "a.c or a.d")},
        ),
        (
            {"a.b": {**FIELDS, "description": "Gone."}},
            {"a.b": StatedChange("removed", "2.0", "a.c", "Gone.")},
        ),
        ({"a.b": {**FIELDS, "replacement": None}}, {"a.b": StatedChange("removed", "2.0")}),
        ({"api": "a.b", **FIELDS}, {"a.b": ONE}),
        ([{"api": "a.b", **FIELDS}], {"a.b": ONE}),
        ([{"Name": "a.b", **FIELDS}, {"name": "d"}], {"a.b": ONE, "d": StatedChange()}),
        ([{"a.b": FIELDS}, {"d": FIELDS}], {"a.b": ONE, "d": ONE}),
        ({"changes": {"a.b": FIELDS}}, {"a.b": ONE}),
        ({"result": {"apis": ["a.b"]}}, {"a.b": StatedChange()}),
        ({"note": "see", "apis": ["a.b"]}, {"a.b": StatedChange()}),
        ({"apis": ["range"]}, {"range": StatedChange()}),
        ({"a.b": "removed in 2.0"}, {"a.b": StatedChange(prose="removed in 2.0")}),
        ({"a.b": ["removed", "2.0"]}, {"a.b": StatedChange(prose="removed, 2.0")}),
        ({"a.b": None, "c.d": True, "e.f": False}, {"a.b": StatedChange(), "c.d": StatedChange()}),
        ({"a.b": {}}, {"a.b": StatedChange()}),
        ({}, {}),
        ([], {}),
        ({"kind": "removed"}, None),  # of what?
        ({"a.b": 3}, None),
        ([1], None),
        ([["a"], ["b"]], None),
        ("a.b", None),
    ],
)
def test_lists_and_objects_are_read(value: object, told: dict[str, StatedChange] | None) -> None:
    assert told_by(value) == told


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a.b", "a.b"),
        ("`a.b`", "`a.b`"),
        ("a.b(x, y)", "a.b(x, y)"),
        ("a.b - removed in 2.0, use a.c", "a.b"),
        ("the function a.b", "a.b"),
        ("import a.b;", "a.b;"),
        ("class Doc", "Doc"),
        ("frame[key].pad()", "frame[key].pad()"),
    ],
)
def test_a_name_may_have_a_remark(text: str, name: str) -> None:
    assert name_in(text) == name


def test_sentences_belong_to_what_they_name() -> None:
    text = "- `a.b` was removed in 2.0. Use `a.c`.\n- `d.e` was added in 3.1.\n\n`f.g` works."
    told = told_in_words(text)
    assert list(told) == ["a.b", "d.e"]
    assert "2.0" in told["a.b"].prose
    assert "a.c" in told["a.b"].prose
    assert "3.1" not in told["a.b"].prose


def test_an_object_may_not_say_what_it_is_of() -> None:
    assert of_one(FIELDS) == ONE
    assert of_one({"api": "a.b", **FIELDS}) is None
    assert of_one({"a.b": FIELDS}) is None
    assert of_one([]) is None
