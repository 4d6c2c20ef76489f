"""Names that files of a project take from each other."""

from __future__ import annotations

import pytest

from libdrift.advisor.migrating import CodeMigrator
from libdrift.advisor.taken import TakenNames
from tests.advisor.small import pair
from tests.advisor.test_migrating import NAMED, RENAMED


@pytest.mark.parametrize(
    ("other", "taken"),
    [
        ("from code import f\n", True),
        ("from .sub.code import f as other\n", True),
        ("import code\ncode.f(1)\n", True),
        ("import sub.code as c\nc.f(1)\n", True),
        ("import sub.code\nsub.code.f(1)\n", True),
        ("from elsewhere import f\n", False),
        ("import code\ncode.h(1)\n", False),
        ("not Python\n", False),
    ],
)
def test_a_name_that_another_file_takes_stays(other: str, taken: bool) -> None:  # noqa: FBT001
    names = TakenNames()
    names.read(other)
    migrator = CodeMigrator([pair(NAMED, RENAMED)], shown=names.of_file)
    done = migrator.migrated("from pkg import f\nf(1)\n", "sub/code.py")
    kept = "from pkg import g as f\nf(1)\n"
    assert done.after == (kept if taken else "from pkg import g\ng(1)\n")
