"""Answers repaired by linters before they are graded, with pylint's score before and after.

Only what leaves a program's meaning alone is done: ruff's safe fixes of style (``E``, ``W``, and
f-strings without a placeholder), sorted imports where no name is bound twice, and its formatter.
Unused imports stay: tests go on in an answer's own namespace, and use names that it does not.
``UP`` (newer syntax) and comparisons by ``is`` are left alone too: they are what the answer says.

pylint scores each file alone, as ``pylint FILE`` would. Code is read, never run.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import os
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from libdrift import temporary
from libdrift.errors import InfrastructureError, UserError
from libdrift.languages.python.usage import imported, is_import, parsed
from libdrift.scoring.answers import refusal

_RULES = "E,W,F541"
_SORTING = "I"
_NO_FIX = "E902"  # that a file cannot be read: there is nothing to fix in it
_MINORS = range(7, 14)  # the Pythons that every ruff of our range knows
_RUFF_SECONDS = 120.0
_START_SECONDS = 120.0  # for pylint to be ready, on a machine that has not compiled it yet
_FILE_SECONDS = 30.0  # for one file
_BATCH = 200  # files a pylint process: it keeps every module that it has seen
_OPTIONS = (
    "--persistent=n",
    # What a library or another Python's standard library has is not known here: the task's own
    # environment is elsewhere. Without these an answer would be scored by what this machine has.
    "--disable=import-error,no-name-in-module,no-member",
)
# One process for many files, since its start takes longer than any of them. After the first, which
# is ours and makes pylint load all that it needs, only the standard library is to be seen: the
# packages of libdrift's own environment are not the task's.
_LINTER = """\
import json, os, resource, sys, sysconfig
from pylint.lint import Run
from pylint.reporters import CollectingReporter

options, first, *paths = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (900, 900))
results = os.fdopen(os.dup(1), "w")
sys.stdout = sys.stderr = open(os.devnull, "w")
linter = Run([*options.split(), first], CollectingReporter(), exit=False).linter
print("ready", file=results, flush=True)

def score(path):
    try:
        linter.check([path])
        value = linter.generate_reports()
    except Exception as error:
        return [None, f"pylint failed: {type(error).__name__}"]
    if linter.stats.fatal or (value is None and linter.stats.error):
        return [None, "pylint cannot read it"]
    if value is None:
        return [None, "pylint finds no statement in it"]
    return [float(value), ""]

stdlib = sysconfig.get_path("stdlib")
sys.path[:] = [stdlib, os.path.join(stdlib, "lib-dynload")]
for path in paths:
    print(json.dumps(score(path)), file=results, flush=True)
"""


@dataclass(frozen=True, slots=True)
class Repaired:
    """An answer after the linters. A score is 0 to 10, or None where pylint has none."""

    code: str
    changed: bool
    pylint_before: float | None
    pylint_after: float | None
    note: str = ""  # why it was not repaired or scored


@dataclass(frozen=True, slots=True)
class _Tidied:
    code: str
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class _Scored:
    score: float | None
    trouble: str = ""


class _ToolError(Exception):
    """A linter ended as it should not, on one of the files that it was given."""


def repair(codes: Sequence[str], *, python: str = "") -> list[Repaired]:
    """Repair programs for one Python (``3.10``), in their order; many at once cost little more."""
    return _changed(codes, python, _RULES)[0]


def stages(codes: Sequence[str], *, python: str = "") -> tuple[list[Repaired], list[Repaired]]:
    """Programs formatted, and repaired.

    Formatted are those with no fix but sorted imports, and the formatter: what Black and isort do.
    """
    formatted, repaired = _changed(codes, python, "", _RULES)
    return formatted, repaired


def _changed(codes: Sequence[str], python: str, *ways: str) -> list[list[Repaired]]:
    """Programs as each of some sets of rules leaves them; all are scored at once."""
    if not (importlib.util.find_spec("ruff") and importlib.util.find_spec("pylint")):
        raise UserError(
            "repairing answers needs ruff and pylint",
            "Install them with: pip install 'libdrift[repair]'",
        )
    distinct = list(dict.fromkeys(codes))
    found = [_tidied(distinct, rules, _minor(python)) for rules in ways]
    read = [
        {code: result.code for code, result in tidied.items() if not result.trouble}
        for tidied in found
    ]
    texts = dict.fromkeys(text for one in read for text in [*one, *one.values()])
    scores = _scores([*texts], _minor(python))
    return [[_repaired(code, tidied[code], scores) for code in codes] for tidied in found]


def _tidied(codes: Sequence[str], rules: str, minor: int | None) -> dict[str, _Tidied]:
    refused = {code: refusal(code) for code in codes}
    tidied = {code: _Tidied(code, refused[code]) for code in codes}
    usable = [code for code in codes if not refused[code]]
    for sort in (True, False):
        group = [code for code in usable if _sortable(code) is sort]
        chosen = ",".join(filter(None, (rules, _SORTING if sort else "")))
        tidied |= _tidy(group, chosen or _NO_FIX, minor)
    return tidied


def _repaired(code: str, tidied: _Tidied, scores: dict[str, _Scored]) -> Repaired:
    none = _Scored(None)
    before, after = scores.get(code, none), scores.get(tidied.code, none)
    note = tidied.trouble or before.trouble or after.trouble
    return Repaired(tidied.code, tidied.code != code, before.score, after.score, note)


def _minor(python: str) -> int | None:
    found = re.match(r"3\.(\d+)", python)
    return min(max(int(found[1]), _MINORS[0]), _MINORS[-1]) if found else None


def _sortable(code: str) -> bool:
    """Whether its imports mean the same in any order: no name is bound by two of them."""
    tree = parsed(code)
    if tree is None:
        return False
    named, roots = [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(map(is_import, node.body)):
            return False  # what stands before an import that fails is bound, what follows is not
        for item in imported(node):
            if item.item or item.renamed:
                named.append(item.name)
            else:  # `import a.b` and `import a.c` both bind `a`, to the same module
                roots.add(item.name)
    # What a star brings is not known: no other import may be moved across it.
    alone = "*" not in named or len(named) + len(roots) == 1
    return alone and len(set(named)) == len(named) and roots.isdisjoint(named)


def _tidy(codes: Sequence[str], rules: str, minor: int | None) -> dict[str, _Tidied]:
    """Fix and format; a file that ends ruff itself is found by halving, and left as it is."""
    if not codes:
        return {}
    with _files(codes) as (folder, paths):
        try:
            troubles = _ruff(folder, rules, minor)
        except _ToolError:
            half = len(codes) // 2
            if not half:
                return {codes[0]: _Tidied(codes[0], "ruff cannot read it")}
            return _tidy(codes[:half], rules, minor) | _tidy(codes[half:], rules, minor)
        return {
            code: _Tidied(code, troubles[path.name])
            if path.name in troubles
            else _Tidied(path.read_bytes().decode("utf-8"))
            for code, path in zip(codes, paths, strict=True)
        }


def _ruff(folder: Path, rules: str, minor: int | None) -> dict[str, str]:
    """Change the files in place; return those that do not parse, each with the reason."""
    options = ["--isolated", "--no-cache", "--no-respect-gitignore", "--quiet"]
    options += ["--target-version", f"py3{minor}"] if minor else []
    asked = ["--fix", "--no-unsafe-fixes", "--exit-zero", "--output-format", "json"]
    found = _run(["check", *options, "--select", rules, *asked, "."], folder)
    try:
        messages = json.loads(found)
    except ValueError as error:
        raise _ToolError from error
    troubles: dict[str, str] = {}
    for message in messages:
        if message["code"] in (None, "invalid-syntax", "E902"):
            path = Path(message["filename"])
            troubles.setdefault(path.name, f"does not parse: {message['message']}")
            path.unlink(missing_ok=True)  # the formatter would stumble over it
    _run(["format", *options, "."], folder)
    return troubles


def _run(arguments: list[str], folder: Path) -> bytes:
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "ruff", *arguments],
            cwd=folder,
            env=_environ(folder),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=_RUFF_SECONDS,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise _ToolError from error
    return done.stdout


def _scores(codes: Sequence[str], minor: int | None) -> dict[str, _Scored]:
    scores: list[_Scored] = []
    while len(scores) < len(codes):
        batch = codes[len(scores) :][:_BATCH]
        found = list(_pylint(batch, minor))
        if len(found) < len(batch):  # the next one ended pylint, or kept it too long
            found.append(_Scored(None, f"pylint gave up, or needed over {_FILE_SECONDS:g} s"))
        scores += found
    return dict(zip(codes, scores, strict=True))


def _pylint(codes: Sequence[str], minor: int | None) -> Iterator[_Scored]:
    """The scores of files in turn, as far as pylint comes."""
    options = [*_OPTIONS, *([f"--py-version=3.{minor}"] if minor else [])]
    with _files(codes) as (folder, paths), temporary.folder() as home:
        (home / "rc").touch()
        (home / "ready.py").write_text("import os\n")
        argv = [" ".join([f"--rcfile={home}/rc", *options]), f"{home}/ready.py", *map(str, paths)]
        with subprocess.Popen(
            [sys.executable, "-P", "-c", _LINTER, *argv],
            cwd=folder,
            env=_environ(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                lines = _lines(process)
                if next(lines, None) is None:
                    raise InfrastructureError(
                        "pylint does not start", "Try: python -m pylint --version"
                    )
                for line in lines:
                    yield _Scored(*json.loads(line))
            finally:
                process.kill()


def _lines(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """A process's lines, until it ends or takes too long for one."""
    assert process.stdout is not None  # noqa: S101  (PIPE was asked for)
    buffer = b""
    deadline = time.monotonic() + _START_SECONDS
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(deadline - time.monotonic()):
            data = os.read(process.stdout.fileno(), 65536)
            if not data:
                return
            *lines, buffer = (buffer + data).split(b"\n")
            yield from lines
            deadline = time.monotonic() + _FILE_SECONDS


@contextlib.contextmanager
def _files(codes: Sequence[str]) -> Iterator[tuple[Path, list[Path]]]:
    """The programs as files, alone in a folder: no project's configuration is near."""
    with temporary.folder() as folder:
        paths = [folder / f"answer_{number:05}.py" for number in range(len(codes))]
        for path, code in zip(paths, codes, strict=True):
            path.write_bytes(code.encode())
        yield folder, paths


def _environ(home: Path) -> dict[str, str]:
    """The caller's variables, without those that would bring in code or settings."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RUFF"))
    }
    return {**kept, "PYLINTHOME": str(home)}
