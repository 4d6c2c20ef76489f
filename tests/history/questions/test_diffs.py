"""Differences as a caller without a terminal gets them; ``tests/cli/test_diff`` has the rest."""

from __future__ import annotations

import pytest

from libdrift.errors import UserError
from libdrift.history.questions import DiffFilter, diff
from libdrift.records import ChangeKind
from tests.history.small import function, stored, surface

OLD = (function("pkg:f", "a"), function("pkg:g"), function("pkg.sub:h"))
NEW = (function("pkg:f", "a", "b"), function("pkg:new"))


def test_what_changed_and_what_of_it_is_wanted() -> None:
    with stored(surface("1", *OLD), surface("2", *NEW)) as store:
        found = diff(store, "pkg", "1.0", "2")
        assert (found.package, found.old, found.new) == ("pkg", "1", "2")
        assert {change.path for change in found.changes} >= {"pkg.f", "pkg.g", "pkg.new"}
        assert (found.partial, found.unimported) == ((), ())
        kinds = DiffFilter(frozenset({ChangeKind.SIGNATURE}))
        assert [change.path for change in diff(store, "pkg", "1", "2", kinds).changes] == ["pkg.f"]
        under = diff(store, "pkg", "1", "2", DiffFilter(path="pkg.n*"))
        assert [change.path for change in under.changes] == ["pkg.new"]
        for path, message in (("pkg.no", "neither pkg 1 nor 2 has pkg.no"), (" ", "is empty")):
            with pytest.raises(UserError, match=message):
                diff(store, "pkg", "1", "2", DiffFilter(path=path))
