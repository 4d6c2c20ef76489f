from __future__ import annotations

from types import MappingProxyType

import pytest

from libdrift.analysis.lint_study import FORMATTED, GIVEN, REPAIRED, study
from libdrift.records import Attempt, Suite
from tests.conftest import make_task

pytest.importorskip("pylint")
UGLY = "import sys\nimport os\nx = [ 1,2 ]\nif x == None:\n    print( os, sys )\n"


def test_each_stage_goes_further() -> None:
    tasks = {name: make_task(name, 1) for name in ("a", "b")}
    suite = Suite("small", "Small", "", MappingProxyType(tasks))
    tidy = '"""It says so."""\n\nprint("x")\n'
    found = study(suite, [Attempt("a", 0, UGLY, UGLY), Attempt("b", 0, tidy, tidy)])
    given, formatted, repaired = found.stages
    assert [stage.name for stage in found.stages] == [GIVEN, FORMATTED, REPAIRED]
    assert (given.answers, given.changed, formatted.changed) == (2, 0, 1)
    assert given.pylint is not None
    assert formatted.pylint is not None
    assert repaired.pylint is not None
    assert given.pylint <= formatted.pylint <= repaired.pylint
    first = found.attempts[FORMATTED][0].code
    assert first.startswith("import os\nimport sys\n")
    assert "x = [1, 2]" in first
    assert "== None" in first, "what it says is left alone"
    assert found.attempts[FORMATTED][1].code == tidy
    judged = found.with_success({GIVEN: {"hidden": 0.5}})
    assert [stage.success for stage in judged.stages] == [{"hidden": 0.5}, None, None]
    assert judged.to_json()["stages"][0]["success"] == {"hidden": 0.5}
