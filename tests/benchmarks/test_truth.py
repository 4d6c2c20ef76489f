"""The rules of benchmarks/truth.py, on a package written for them; and libdrift read by them."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from libdrift.languages.python import static

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"

pytestmark = pytest.mark.skipif(not BENCHMARKS.exists(), reason="the benchmarks are not shipped")

SOURCES = {
    "tiny/__init__.py": (
        "import os\nfrom json import dumps\nfrom tiny import plain\nfrom tiny.listed import named\n"
        "from typing import TYPE_CHECKING\nVERSION = '1'\n"
        "def __getattr__(name):\n    if name == 'late':\n        return 1\n    raise AttributeError(name)\n"
    ),
    "tiny/plain.py": (
        "from __future__ import annotations\nimport tiny.listed as listed\nfrom os import path, sep\n"
        "from tiny.listed import other\n_hidden = 1\nLIMIT = 2.5\n"
        "class Base(dict):\n    def run(self): ...\n    def _inner(self): ...\n"
        "class Child(Base):\n    size = 1\n    def __init__(self): self.only_here = 1\n"
    ),
    "tiny/listed.py": "__all__ = ['named']\ndef named(): ...\ndef other(): ...\n",
    "tiny/sub/__init__.py": "",
    "tiny/sub/deep.py": "class Deep: ...\n",
    "tiny/broken.py": "import there_is_no_such_module\n",
    "tiny/tests/__init__.py": "",
}
NAMES = {
    "tiny",
    "tiny.VERSION",
    "tiny.plain",
    "tiny.listed",
    "tiny.named",
    "tiny.sub",
    "tiny.sub.deep",
    "tiny.plain.LIMIT",
    "tiny.plain.Base",
    "tiny.plain.Child",
    "tiny.plain.other",
    "tiny.listed.named",
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for path, text in SOURCES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def truth(package: Path, asked: tuple[list[str], list[str]]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-B", str(BENCHMARKS / "truth.py"), "tiny"],
        input=json.dumps(asked),
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_rules(package: Path) -> None:
    asked = ["tiny.late", "tiny.dumps", "tiny.gone", "tiny.listed.other"]
    found = truth(package, (asked, ["tiny.dumps", "tiny.never"]))
    assert set(found["paths"]) == NAMES
    assert found["unknown"] == ["tiny.broken"]
    # An import counts only for who says that it is made here.
    assert found["there"] == ["tiny.late", "tiny.listed.other", "tiny.dumps"]
    child = found["members"]["tiny.plain.Child"]
    assert {name for name, home in child.items() if home} == {"run", "size"}
    assert child["run"] == "tiny.plain.Base"
    assert child["popitem"] == ""


def test_libdrift_is_read_by_the_same_rules(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    surface = load("surface", monkeypatch)
    found = surface.listing(
        static.of_sources(SOURCES), "tiny", surface.packages_in(SOURCES)
    ).without(["tiny.broken"])
    assert found.names - {"tiny.late"} == NAMES  # libdrift knows what __getattr__ answers to
    assert "tiny.plain.Child.run" in found.members
    assert "tiny.plain.Child.popitem" in found.outside
    assert "tiny.plain.Child.only_here" in found.instance


def load(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        f"{name}_of_benchmarks", BENCHMARKS / f"{name}.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
