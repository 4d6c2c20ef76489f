"""An agent with a documentation server: it solves by an exact one what it fails without.

The agent knows two programs for each task, for two versions of a library, and not which of them the
task's version takes. It asks the server it was given, and believes it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from libdrift import suites
from libdrift.config import Settings
from libdrift.history.store import Store
from libdrift.languages.python.static import of_sources
from tests.evals.small import evaluated, rate, script

ROOT = Path(__file__).parent.parent.parent.parent
# What libraries offered, before and after: as much of them as the agent asks for.
RELEASES = {
    "flask": {
        "2.3.3": "class Flask:\n    def open_resource(self, resource, mode='rb'): ...",
        "3.1.2": "class Flask:\n    def open_resource(self, resource, mode='rb', encoding=None): ...",
    },
    "numpy": {
        "1.26.4": "def trapz(y, x=None): ...",
        "2.2.6": "def trapz(y, x=None): ...\ndef trapezoid(y, x=None): ...",
    },
    "sympy": {
        "1.12.1": "def jacobi_symbol(m, n): ...",
        "1.13.3": "def kronecker_symbol(a, n): ...",
    },
}
# Of each task: what to ask for, and the word by which its answer shows the newer form.
QUESTIONS = {
    "flask-latin1-resource": ("flask", "2.3.3", "flask.Flask.open_resource", "encoding"),
    "numpy-area-under-curve": ("numpy", "1.26.4", "numpy.trapezoid", "trapezoid(y"),
}
POLICY = """
import json, pathlib
KNOWN = json.loads(pathlib.Path("known.json").read_text())
def reply(messages, task_id, sample):
    known = KNOWN[task_id]
    turn = sum(role == "assistant" for role, _ in messages)
    if turn == 0:
        return "1. Ask. 2. Hand in."
    if turn == 1 and known["asks"]:
        return {"tool": "symbol_at", "arguments": known["question"]}
    told = messages[-1][1] if known["asks"] else known["word"]  # without a server: the newer form
    new = known["word"] in told and "NOT in" not in told
    return {"tool": "submit", "arguments": {"code": known["newer" if new else "older"]}}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(tmp_path / "history.sqlite"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=":")
    with Store.open(tmp_path / "history.sqlite") as store:
        for package, releases in RELEASES.items():
            for version, code in releases.items():
                store.add(of_sources({f"{package}/__init__.py": code}, version, package))
    return tmp_path


def solved(here: Path, settings: Settings, name: str, server: str) -> float | None:
    """The share of tasks that the agent solves with a server, or without one."""
    tasks = suites.load("starter", settings).tasks
    known = {}
    for task_id, (package, version, symbol, word) in QUESTIONS.items():
        task = tasks[task_id]
        assert task.wrong is not None
        known[task_id] = {
            "question": {"symbol": symbol, "package": package, "version": version},
            "asks": bool(server),
            "word": word,
            "newer": task.wrong.code,
            "older": task.reference,
        }
    (here / "known.json").write_text(json.dumps(known))
    chosen = [part for task_id in QUESTIONS for part in ("--task", task_id)]
    given = ("--mcp", server) if server else ()
    asked = ("--model", script(here, POLICY), "--strategy", "agent", "--out", name)
    return rate(evaluated("starter", *chosen, *asked, *given))


def test_an_exact_server_helps_and_one_that_serves_the_newest_does_not(
    here: Path, settings: Settings
) -> None:
    exact = f"{sys.executable} -m libdrift mcp --no-mine --root {here}"
    newest = f"{sys.executable} -m tests.mcp.stand_ins newest {here / 'history.sqlite'}"
    assert solved(here, settings, "without", "") == 0.0
    assert solved(here, settings, "exact", exact) == 1.0
    assert solved(here, settings, "newest", newest) == 0.0
