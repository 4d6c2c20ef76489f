"""The judge of benchmarks/differences.py, on two releases of a package written for it."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from libdrift.history.differences import compare
from libdrift.languages.python.static import of_sources
from libdrift.records import Change, ChangeKind

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"

pytestmark = pytest.mark.skipif(not BENCHMARKS.exists(), reason="the benchmarks are not shipped")

OLD = (
    "def order(a, b): ...\ndef later(): ...\ndef kept(a, b=1): return a\ndef gone(): return 1\ndef stub(a): return a\n"
    "class A:\n    def __init__(self): self.x = 1\n    def m(self, p): return p\n    def n(self): return 2\n"
)
NEW = (
    "def order(b, a): ...\nasync def later(): ...\ndef kept(a): return a\ndef stub(a): raise RuntimeError('stub was removed')\n"
    "class A:\n    def load(self): self.x = 1\n    def m(self): return 1\n"
)


def introspect(folder: Path, text: str, differences: Any) -> Any:
    (folder / "tiny").mkdir(parents=True)
    (folder / "tiny" / "__init__.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-B", str(BENCHMARKS / "introspection.py"), "tiny"],
        input=json.dumps({"paths": ["tiny.gone", "tiny.A.n", "tiny.A.x"], "stdlib": []}),
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return differences.Introspected(**json.loads(done.stdout))


def test_what_is_said_beside_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    differences = importlib.import_module("differences")
    sides = [introspect(tmp_path / n, text, differences) for n, text in (("1", OLD), ("2", NEW))]
    changes = compare(*(of_sources({"tiny/__init__.py": text}) for text in (OLD, NEW)))
    judge = differences.Judge(changes, *sides)
    found = {name: str(getattr(judge, name)()) for name in differences.COLUMNS}
    assert found == {
        "breaking": "7/7 100.0 %",
        "names": "2/2 100.0 %",
        "parameters": "2/2 100.0 %",
        "raising": "1/1 100.0 %",
    }
    silent = differences.Judge([], *sides)
    assert silent.names().wrong == ["tiny.gone", "tiny.A.n"]
    assert silent.parameters().wrong == ["tiny.kept(b)", "tiny.A.m(p)"]
    assert silent.raising().wrong == ["tiny.stub"]
    false = Change("tiny", "1", "2", ChangeKind.REMOVED, "tiny.A.x", "attribute", breaking=True)
    assert differences.Judge([false], *sides).breaking().rate == 0.0
