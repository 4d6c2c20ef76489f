from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.environments import Interpreter, discover
from libdrift.languages.python.archives import ArchiveMember
from libdrift.mining.sources.python import PythonVersions, newest, standard_library
from libdrift.records import Provenance, Release, Surface, SymbolKind
from libdrift.sandbox import Backend


def test_one_python_of_each_minor() -> None:
    versions = ("3.13.0", "3.11.7", "3.11.2", "3.8.18")
    found = [Interpreter(Path(v), v, Path(v)) for v in versions]
    assert [i.version for i in newest(found)] == ["3.8.18", "3.11.7", "3.13.0"]


def test_files_of_a_standard_library(tmp_path: Path) -> None:
    for name in (
        "json/__init__.py",
        "json/tool.py",
        "json/tests/test_it.py",
        "site-packages/numpy.py",
        "lib-dynload/_json.cpython-311.so",
        "idlelib/run.py",
        "this.py",
        "README.txt",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1")
    library = PythonVersions(tmp_path)
    expected = {"json/__init__.py", "json/tool.py", "_json.cpython-311.so"}
    assert set(library.members()) == expected
    assert library.tops() == {"json", "_json"}
    assert library.read(["json/tool.py"]) == {"json/tool.py": b"x = 1"}


def test_a_standard_library(
    settings: Settings, bubblewrap: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = PythonVersions.members

    def few(library: PythonVersions) -> dict[str, ArchiveMember]:
        kept = ("json/", "struct.py", "_struct.", "_json.", "random.py")
        return {k: v for k, v in members(library).items() if k.startswith(kept)}

    monkeypatch.setattr(PythonVersions, "members", few)  # all of it takes half a minute
    version = newest(discover())[-1].version
    found = list(standard_library(settings, bubblewrap, [version]))
    assert [release for release, _ in found] == [Release("python", "python", version)]
    surface = found[0][1]
    assert isinstance(surface, Surface), surface
    loads = surface.resolve("json.loads")
    assert loads is not None
    assert loads.provenance == (Provenance.STATIC, Provenance.RUNTIME)
    assert loads.signature is not None
    assert "object_hook" in {p.name for p in loads.signature.parameters}
    for path, kind in (
        ("struct.pack", SymbolKind.FUNCTION),
        ("builtins.dict.setdefault", SymbolKind.METHOD),
        ("sys.maxsize", SymbolKind.CONSTANT),
        ("random.random", SymbolKind.FUNCTION),
    ):
        symbol = surface.resolve(path)
        assert symbol is not None, path
        assert symbol.kind is kind
    assert list(standard_library(settings, bubblewrap, ["2.7"])) == []
