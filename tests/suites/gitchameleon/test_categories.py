from __future__ import annotations

import pytest

from libdrift.records import ChangeKind
from libdrift.suites.gitchameleon.categories import Category, category_of, kind_of


@pytest.mark.parametrize(
    ("spelling", "category"),
    [
        ("argument change", Category.ARGUMENT),
        ("Argument or Attribute change", Category.ARGUMENT),
        ("name change (attribute)", Category.NAME),
        ("deprecation", Category.NAME),
        ("breaking change", Category.NAME),
        ("output behavior", Category.BEHAVIOUR),
        ("gh\noutput behaviour", Category.BEHAVIOUR),
        ("ouput behavior", Category.BEHAVIOUR),
        (" New  func/method/class", Category.FEATURE),
        ("other library", Category.FEATURE),
        ("", None),
        ("something else", None),
    ],
)
def test_spellings(spelling: str, category: Category | None) -> None:
    assert category_of(spelling) is category


def test_every_category_has_a_kind_of_change() -> None:
    kinds = {kind_of(category) for category in Category}
    assert kinds == {
        ChangeKind.SIGNATURE,
        ChangeKind.RENAMED,
        ChangeKind.BEHAVIOUR,
        ChangeKind.INTRODUCED,
    }
    assert kind_of(None) is None
