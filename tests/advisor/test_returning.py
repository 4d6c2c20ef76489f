"""Functions that may return None since a release."""

from __future__ import annotations

import pytest

from tests.advisor.small import findings, told

CODE = "import pkg\npkg.f(1).upper()\n"
NONE = ["2 warning return-changed pkg.f"]


def function(returns: str, doc: str) -> str:
    said = f" -> {returns}" if returns else ""
    return f"import typing\ndef f(a){said}:\n    '''{doc}'''\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (("str", "The word."), ("typing.Optional[str]", "The word, or None."), NONE),
        (("str", "The word."), ("str | None", "The word, or None."), NONE),
        (("str", "The word."), ("typing.Union[None, str]", "The word, or None."), NONE),
        (("str", "The word."), ("'str | None'", "The word, or None."), NONE),
        (("str", "The word."), ("str | None", "The word."), []),
        (("str", "The word, or None."), ("str | None", "The word, or None."), []),
        (("", "Returns: The word."), ("str | None", "The word, or None."), NONE),
        (("", "The word."), ("str | None", "The word, or None."), []),
        (("str", ""), ("str | None", "The word, or None."), []),
        (("typing.Optional[str]", "The word."), ("str | None", "The word, or None."), []),
        (("typing.Any", "The word."), ("str | None", "The word, or None."), []),
        (("str", "The word."), ("str", "The word, never None."), []),
    ],
)
def test_annotation_and_documentation_must_both_tell(
    old: tuple[str, str], new: tuple[str, str], expected: list[str]
) -> None:
    found = findings(function(*old), function(*new), CODE)
    assert [told(item) for item in found] == expected


def test_a_constructor_that_is_annotated_now_returns_no_none() -> None:
    old = (
        "class f:\n    '''Return a thing.'''\n    def __init__(self, a):\n        self.upper = a\n"
    )
    new = "class f:\n    '''A thing, or None.'''\n    def __init__(self, a) -> None:\n        self.upper = a\n"
    assert not findings(old, new, CODE)
