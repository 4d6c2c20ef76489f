from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from libdrift.environments import Interpreter, Ready, discover
from libdrift.languages.python import runtime
from libdrift.records import Binding, Environment, Name, Release, Surface, Symbol, SymbolKind
from libdrift.sandbox import Backend, Unprotected, probes
from libdrift.sandbox.probes import ProbeQuestion, probe


def installed(folder: Path, interpreter: Interpreter, files: Mapping[str, str]) -> Ready:
    """An environment that has these files installed, and nothing else."""
    folder.chmod(0o755)  # guests of root are another user
    site = folder / "venv" / "lib" / f"python{interpreter.minor}" / "site-packages"
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(dedent(text))
    (folder / "venv" / "bin").mkdir()
    (folder / "venv" / "bin" / "python").symlink_to(interpreter.path)
    home = interpreter.path.parent
    (folder / "venv" / "pyvenv.cfg").write_text(f"home = {home}\nversion = {interpreter.version}\n")
    environment = Environment("python", interpreter.minor, ())
    return Ready(environment, folder, interpreter.version, interpreter.prefix, (), fresh=True)


def told(
    question: ProbeQuestion, place: Ready, backend: Backend, *, quiet: float = 30.0
) -> Surface:
    frames = probe(question, place, backend, quiet=quiet)
    assert not isinstance(frames, str), frames
    return runtime.read(Release("pypi", "pkg", "1.0"), frames)


PACKAGE = {
    "pkg/__init__.py": '''
        """The package."""
        import json
        import os.path as ospath
        from collections import OrderedDict
        from typing import TYPE_CHECKING, Optional
        from maker import Made, make
        from ._hidden import Thing, helper
        from .plain import shout as cry

        __version__ = "1.0"
        LIMIT = 3
        print("a library that talks")

        def __getattr__(name):
            if name == "late":
                return 5
            if name == "broken":
                raise ImportError("needs something else")
            raise AttributeError(name)
    ''',
    "pkg/_hidden.py": '''
        import enum

        class Base:
            def inherited(self, a): "From the base."

        class Thing(Base, dict):
            """A thing."""
            size: int
            kind = "plain"
            def __init__(self, first, *rest, key=None, **more): ...
            @classmethod
            def build(cls, path: str = "x") -> "Thing": ...
            @staticmethod
            def check(value): ...
            @property
            def area(self) -> float:
                "How large."
            def plain(self, a, b=(1, 2)): ...
            again = plain
            async def wait(self): ...
            def _private(self): ...

        class Colour(enum.Enum):
            RED = 1

        def helper(a, *, b=print): "Helps."
        helper.__deprecated__ = "use assist() instead"
    ''',
    "pkg/plain.py": """
        import sys
        from functools import partial
        from ._hidden import Thing, Colour

        def shout(x): ...
        def outer():
            def inner(y): ...
            return inner
        made = outer()
        mapping = {"a": 1}
        home = sys.prefix
    """,
    "pkg/listed.py": """
        from os import getcwd
        import re
        __all__ = ["getcwd", "first", "re"]
        def first(): ...
        def second(): ...
    """,
    "pkg/failing.py": "raise ValueError('not today')",
    "pkg/leaving.py": "raise SystemExit(3)",
    "pkg/wants.py": "import channel",
    "pkg/tests/__init__.py": "raise RuntimeError('tests are not imported')",
    "maker.py": "class Made: ...\ndef make(): ...\n",
}
CLAIMS = {
    "pkg": ("LIMIT", "late", "broken", "gone"),
    "pkg.plain": ("partial",),
    "pkg._hidden:Thing": ("inherited", "gone"),
}


@pytest.fixture(scope="module")
def surface(tmp_path_factory: pytest.TempPathFactory, bubblewrap: Backend) -> Surface:
    interpreter = next(i for i in discover() if i.minor == "3.11")
    place = installed(tmp_path_factory.mktemp("env"), interpreter, PACKAGE)
    return told(ProbeQuestion(("pkg",), claims=CLAIMS), place, bubblewrap)


def test_modules_and_what_failed(surface: Surface) -> None:
    assert surface.roots == ("pkg",)
    modules = {k for k, s in surface.symbols.items() if s.kind is SymbolKind.MODULE}
    assert modules == {"pkg", "pkg.plain", "pkg.listed", "re:"}
    assert set(surface.origin.unread) == {
        "pkg.failing: ValueError: not today",
        "pkg.leaving: SystemExit: 3",
        "pkg.wants: ModuleNotFoundError: No module named 'channel'",
    }
    assert surface.symbols["pkg"].doc == "The package."


@pytest.mark.parametrize(
    ("path", "target", "binding"),
    [
        ("pkg.Thing", "pkg._hidden:Thing", Binding.REEXPORTED),
        ("pkg.cry", "pkg.plain:shout", Binding.REEXPORTED),
        ("pkg.LIMIT", "pkg:LIMIT", Binding.DEFINED),
        ("pkg.plain", "pkg.plain", Binding.SUBMODULE),
        ("pkg.late", "pkg:late", Binding.LAZY),
        ("pkg.broken", "pkg:broken", Binding.LAZY),  # there, though it cannot be had here
        ("pkg.Made", "maker:Made", Binding.REEXPORTED),  # others', offered by the package
        ("pkg.gone", None, None),
        ("pkg.json", None, None),  # a module of others'
        ("pkg.OrderedDict", None, None),  # Python's own
        ("pkg.Optional", None, None),
        ("pkg.TYPE_CHECKING", None, None),
        ("pkg.plain.shout", "pkg.plain:shout", Binding.DEFINED),
        ("pkg.plain.Thing", "pkg._hidden:Thing", Binding.IMPORTED),
        ("pkg.plain.made", "pkg.plain:made", Binding.DEFINED),
        ("pkg.plain.partial", "functools:partial", Binding.IMPORTED),  # only as it was claimed
        ("pkg.listed.first", "pkg.listed:first", Binding.LISTED),
        ("pkg.listed.getcwd", "posix:getcwd", Binding.LISTED),
        ("pkg.listed.re", "re:", Binding.LISTED),
        ("pkg.listed.second", None, None),
    ],
)
def test_names(surface: Surface, path: str, target: str | None, binding: Binding | None) -> None:
    module, _, label = path.rpartition(".")
    name = surface.scopes[module].get(label)
    assert (name.target, name.binding) == (target, binding) if name else target is None


@pytest.mark.parametrize(
    ("key", "kind", "signature", "traits"),
    [
        ("pkg._hidden:Thing", "class", "(first, *rest, key=None, **more)", ()),
        ("pkg._hidden:Thing.build", "method", "(path: str = 'x') -> Thing", ("classmethod",)),
        ("pkg._hidden:Thing.check", "method", "(value)", ("staticmethod",)),
        ("pkg._hidden:Thing.plain", "method", "(a, b=(1, 2))", ()),
        ("pkg._hidden:Thing.wait", "method", "()", ("async",)),
        ("pkg._hidden:Thing.area", "property", "None", ()),
        ("pkg._hidden:Thing.kind", "attribute", "None", ()),
        ("pkg._hidden:Thing.size", "attribute", "None", ("instance",)),
        ("pkg._hidden:Base.inherited", "method", "(a)", ()),
        ("pkg._hidden:Colour.RED", "attribute", "None", ()),
        ("pkg._hidden:helper", "function", "(a, *, b=print)", ()),
        ("pkg.plain:made", "function", "(y)", ()),
        ("maker:Made", "class", "()", ("external",)),
        ("pkg:broken", "unknown", "None", ()),
    ],
)
def test_symbols(
    surface: Surface, key: str, kind: str, signature: str, traits: tuple[str, ...]
) -> None:
    symbol = surface.symbols[key]
    assert (symbol.kind, str(symbol.signature), symbol.traits) == (kind, signature, traits)


def test_classes_have_their_own_names_and_know_their_bases(surface: Surface) -> None:
    thing = surface.symbols["pkg._hidden:Thing"]
    assert thing.bases == ("pkg._hidden:Base", "builtins.dict")
    assert "setdefault" in surface.outside["builtins.dict"]
    names = surface.scopes["pkg._hidden:Thing"]
    assert names["again"].target == "pkg._hidden:Thing.plain"
    assert names["inherited"].target == "pkg._hidden:Base.inherited"  # as it was claimed
    assert not {"gone", "_private", "keys"} & names.keys()


def test_details(surface: Surface) -> None:
    symbols: Mapping[str, Symbol] = surface.symbols
    assert symbols["pkg._hidden:helper"].deprecations[0].replacement == "assist"
    assert symbols["pkg._hidden:Thing.area"].doc == "How large."
    assert symbols["pkg._hidden:Thing.area"].annotation == "float"
    assert symbols["pkg:LIMIT"].value == "3"
    assert symbols["pkg.plain:mapping"].value == "{'a': 1}"
    assert symbols["pkg.plain:home"].value == ""  # a folder of this machine is no constant
    assert symbols["pkg._hidden:Colour.RED"].value == "1"


DEADLY = {
    "pkg/__init__.py": "x = 1",
    "pkg/a_exit.py": "import os\nos._exit(0)",
    "pkg/b_crash.py": "import ctypes\nctypes.string_at(0)",
    "pkg/c_hang.py": "while True: pass",
    "pkg/d_fork.py": "import os\nif os.fork() == 0: child = True",
    "pkg/e_lazy.py": "import os\ndef __dir__(): return ['bad']\ndef __getattr__(n): os._exit(1)",
    "pkg/f_good.py": "def f(a): ...",
}


def test_a_module_that_hangs_or_kills_is_left_out(tmp_path: Path, bubblewrap: Backend) -> None:
    place = installed(tmp_path, next(i for i in discover() if i.minor == "3.11"), DEADLY)
    seen = told(ProbeQuestion(("pkg",)), place, bubblewrap, quiet=1.5)
    assert str(seen.symbols["pkg.f_good:f"].signature) == "(a)"
    failed = dict(line.split(": ", 1) for line in seen.origin.unread)
    assert failed.keys() == {"pkg.a_exit", "pkg.b_crash", "pkg.c_hang", "pkg.e_lazy"}
    assert "SIGSEGV" in failed["pkg.b_crash"]
    assert "took more than" in failed["pkg.c_hang"]
    assert seen.scopes["pkg"]["x"] == Name("pkg:x", Binding.DEFINED, runtime.SEEN)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "import nothing",
            "pkg could not be imported: ModuleNotFoundError: No module named 'nothing'",
        ),
        ("import os\nos.abort()", "pkg could not be imported: it ended the process (SIGABRT)"),
    ],
)
def test_a_package_that_cannot_be_imported_is_a_line(
    tmp_path: Path, bubblewrap: Backend, text: str, reason: str
) -> None:
    interpreter = next(i for i in discover() if i.minor == "3.11")
    place = installed(tmp_path, interpreter, {"pkg/__init__.py": text})
    assert probe(ProbeQuestion(("pkg",)), place, bubblewrap) == reason


@pytest.mark.parametrize("end", [0, -1])
def test_the_newest_and_the_oldest_python(tmp_path: Path, bubblewrap: Backend, end: int) -> None:
    files = {"pkg.py": "import enum\nclass A:\n    x = 1\n    def f(self, a=None): ...\n"}
    place = installed(tmp_path, discover()[end], files)
    seen = told(ProbeQuestion(("pkg",)), place, bubblewrap)
    assert seen.origin.python == discover()[end].version
    assert str(seen.symbols["pkg:A.f"].signature) == "(a=None)"
    assert set(seen.scopes["pkg"]) == {"A"}


def test_without_isolation(tmp_path: Path) -> None:
    interpreter = next(i for i in discover() if i.minor == "3.11")
    place = installed(tmp_path, interpreter, {"pkg.py": "def f(): ..."})
    assert "pkg:f" in told(ProbeQuestion(("pkg",)), place, Unprotected()).symbols


@pytest.mark.parametrize(("kills", "left_out"), [(1, False), (2, True)])
def test_a_module_is_suspected_of_a_kill_once(
    monkeypatch: pytest.MonkeyPatch, bubblewrap: Backend, kills: int, *, left_out: bool
) -> None:
    """Somebody else may have killed the guest: what kills itself does so again."""
    seen: list[dict[str, str]] = []

    def run(_: object, without: dict[str, str], *__: object) -> probes._Run:
        seen.append(dict(without))
        if len(seen) <= kills:
            return probes._Run(at="pkg.a", trouble="it ended the process (SIGKILL)")
        return probes._Run(frames=[b"{}"], described=True, ended=True)

    monkeypatch.setattr(probes, "_run", run)
    place = Ready(Environment("python", "3.11", ()), Path(), "3.11", Path(), (), fresh=True)
    frames = probe(ProbeQuestion(("pkg",)), place, bubblewrap)
    assert [bool(one) for one in seen] == [False] * (kills if left_out else 2) + [True] * left_out
    assert any(b"SIGKILL" in frame for frame in frames if isinstance(frame, bytes)) is left_out
