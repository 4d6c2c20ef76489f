from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from libdrift.analysis import linting
from libdrift.analysis.linting import Repaired, repair
from libdrift.errors import InfrastructureError, UserError
from tests.published import published

UNTIDY = """import numpy as np
import os
import math, json
def f( a,b ):
    x = a is 1
    if not a in b : return f"plain"
    return math.floor(math.nothing(a)) + np.no_such_name(b)
y = "\\d";
"""
TIDY = """import json
import math
import os

import numpy as np


def f(a, b):
    x = a is 1
    if a not in b:
        return "plain"
    return math.floor(math.nothing(a)) + np.no_such_name(b)


y = r"\\d"
"""
DOCUMENTED = '"""A program."""\n\nNUMBER = 1\n'
# What comes in, what comes out, the start of the note, and whether there are scores.
PROGRAMS = {
    # Nothing is dropped that a test may use, and no comparison is rewritten.
    "untidy": (UNTIDY, TIDY, "", True),
    "unused": ("import os, sys\n", "import os\nimport sys\n", "", True),
    # A name that is bound twice is the last one's: these keep their order.
    "rebound": ("from b import x\nfrom a import x\n",) * 2 + ("", True),
    "renamed": ("import b as x\nimport a.b as x\n",) * 2 + ("", True),
    "shadowed": ("from b import a\nimport a.c\n",) * 2 + ("", True),
    "stars": ("from b import *\nfrom a import *\n",) * 2 + ("", True),
    "star": ("import b\nfrom a import *\n",) * 2 + ("", True),
    "submodules": ("import a.c\nimport a.b\n", "import a.b\nimport a.c\n", "", True),
    # The task's Python decides what may be written.
    "newer": ("match x:\n    case 1: pass\n",) * 2 + ("does not parse: Cannot use", False),
    "windows": ("x=1\r\n", "x = 1\r\n", "", True),
    "pragma": (f"# pylint: disable=all\n{UNTIDY}", f"# pylint: disable=all\n{TIDY}", "pylint finds no statement", False),
    "quiet": ("# pylint: disable=missing-module-docstring\nNUMBER = 1\n",) * 2 + ("", True),
    "documented": (DOCUMENTED, DOCUMENTED, "", True),
    "library": (f"{DOCUMENTED.partition('NUM')[0]}from packaging.version import parse\n\nVERSION = parse()\n",) * 2 + ("", True),
    "standard": (f"{DOCUMENTED.partition('NUM')[0]}from textwrap import dedent\n\nTEXT = dedent()\n",) * 2 + ("", True),
    "undocumented": ("NUMBER = 1\n", "NUMBER = 1\n", "", True),
    "comment": ("# nothing\n", "# nothing\n", "pylint finds no statement", False),
    "broken": ("x = = 1", "x = = 1", "does not parse: Expected an expression", False),
    "prose": ("Sure! Here it is:", "Sure! Here it is:", "does not parse", False),
    "empty": (" ", " ", "the answer is empty", False),
    "binary": ("x\0", "x\0", "the answer is binary", False),
    "surrogate": ("x = '\ud800'", "x = '\ud800'", "the answer is binary", False),
    # Each ends a linter itself; the others do not suffer.
    "negations": ("-" * 300_000 + "1", "-" * 300_000 + "1", "ruff cannot read it", False),
    "signs": ("x = " + "-" * 3000 + "1\n",) * 2 + ("pylint cannot read it", False),
}  # fmt: skip


@pytest.fixture(scope="module")
def repaired(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Repaired]:
    """All programs in one call, made where configuration and code lie in wait."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "pylintrc").write_text("[MAIN]\ndisable=all\n")
    (folder / "ruff.toml").write_text('line-length = 20\n[lint]\nselect = ["F"]\n')
    for name in ("pylint", "ruff", "sitecustomize"):
        (folder / f"{name}.py").write_text("raise SystemExit(9)\n")
    codes = [code for code, *_ in PROGRAMS.values()]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("PYLINTRC", str(folder / "pylintrc"))
        patch.setenv("RUFF_CONFIG", str(folder / "ruff.toml"))
        patch.setenv("PYTHONPATH", str(folder))
        found = repair([*codes, codes[0]], python="3.9")
    assert found[-1] == found[0], "a program that comes twice"
    return dict(zip(PROGRAMS, found, strict=False))


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_tidied_and_scored(name: str, repaired: dict[str, Repaired]) -> None:
    before, after, note, scored = PROGRAMS[name]
    found = repaired[name]
    assert found.code == after
    assert found.changed == (before != after)
    assert found.note.startswith(note)
    assert bool(found.note) == bool(note)
    scores = (found.pylint_before, found.pylint_after)
    assert all(isinstance(score, float) and 0 <= score <= 10 for score in scores) == scored
    assert scored or scores == (None, None)


def test_scores_are_of_each_file_alone(repaired: dict[str, Repaired]) -> None:
    # One statement, and no message or one: a file's comments do not reach into the next.
    names = ("quiet", "documented", "undocumented")
    assert [repaired[name].pylint_after for name in names] == [10.0, 10.0, 0.0]
    # Both calls lack an argument. What libdrift's own environment has is not the answer's library.
    names = ("library", "standard")
    assert [repaired[name].pylint_after for name in names] == [10.0, 0.0]
    untidy = repaired["untidy"]
    assert untidy.pylint_before is not None
    assert untidy.pylint_after is not None
    assert untidy.pylint_before < untidy.pylint_after


def test_scores_are_pylints_own(tmp_path: Path, repaired: dict[str, Repaired]) -> None:
    (tmp_path / "answer_00000.py").write_text(TIDY)
    options = ["--output-format=json2", "--py-version=3.9", *linting._OPTIONS]
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "pylint", *options, "answer_00000.py"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert json.loads(ran.stdout)["statistics"]["score"] == repaired["untidy"].pylint_after


def test_a_file_that_ends_or_holds_pylint_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linting, "_FILE_SECONDS", 1.0)
    monkeypatch.setattr(
        linting,
        "_LINTER",
        "import sys, time\nprint('ready', flush=True)\n"
        "for path in sys.argv[3:]:\n"
        "    text = open(path).read()\n"
        "    if text == 'die': sys.exit(1)\n"
        "    if text == 'hang': time.sleep(600)\n"
        "    print('[5.0, \"\"]', flush=True)\n",
    )
    codes = ["a", "die", "b", "hang", "c"]
    found = linting._scores(codes, None)
    assert [found[code].score for code in codes] == [5.0, None, 5.0, None, 5.0]
    assert found["hang"].trouble == "pylint gave up, or needed over 1 s"
    monkeypatch.setattr(linting, "_LINTER", "raise SystemExit(1)")
    with pytest.raises(InfrastructureError, match="python -m pylint --version"):
        linting._scores(codes, None)


@pytest.mark.parametrize("missing", ["ruff", "pylint"])
def test_missing_tools_are_said_with_the_fix(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linting.importlib.util, "find_spec", lambda name: name != missing)
    with pytest.raises(UserError, match=r"needs ruff and pylint.*pip install 'libdrift\[repair\]'"):
        repair(["x = 1\n"])


@pytest.mark.parametrize(
    ("python", "minor"), [("3.10", 10), ("3.7.17", 7), ("3.6", 7), ("3.99", 13), ("", None), ("2.7", None)]
)  # fmt: skip
def test_the_python_is_one_that_the_linters_know(python: str, minor: int | None) -> None:
    assert linting._minor(python) == minor
    assert repair([], python=python) == []


class Bare(ast.NodeTransformer):
    """Takes out imports, to be compared in any order, and docstrings, whose lines are moved."""

    def __init__(self) -> None:
        self.imports: list[str] = []

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.imports += [f"{getattr(node, 'module', None)} {ast.dump(n)}" for n in node.names]

    visit_ImportFrom = visit_Import  # noqa: N815

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        return None if isinstance(node.value, ast.Constant) else node


def meaning(code: str) -> tuple[str, list[str]]:
    bare = Bare()
    rest = ast.dump(bare.visit(ast.parse(code)))
    return rest, sorted(set(bare.imports))


@pytest.mark.published
def test_published_solutions_mean_the_same_after() -> None:
    path = published("gitchameleon") / "solutions.jsonl"
    codes = [json.loads(line)["answer"] for line in path.read_text().splitlines()]
    found = linting._tidy([c for c in codes if linting._sortable(c)], "E,W,F541,I", 10)
    assert len(found) > 300
    assert sum(tidied.code != code for code, tidied in found.items()) > 300
    for code, tidied in found.items():
        assert not tidied.trouble
        assert meaning(tidied.code) == meaning(code)
