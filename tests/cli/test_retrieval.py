"""`libdrift retrieval`: what it prints, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift.cli.app import app
from libdrift.errors import LibdriftError, UserError
from libdrift.history.store import Store
from libdrift.languages.python.static import of_sources

TASK = {
    "id": "t1",
    "kind": "generate",
    "language": "python",
    "environment": {"language": "python", "runtime": "3.11", "requirements": ["pkg==1.0"]},
    "problem": "Fold the items into one value.",
    "starter": "def solve(items):\n",
    "reference": "import pkg\ndef solve(items):\n    return pkg.fold(items)\n",
    "tests": [{"split": "hidden", "style": "pytest", "code": "def test(): ..."}],
    "facts": {"library": "pkg", "version": "1.0", "symbol": "pkg.fold"},
}


def test_documents_are_found_by_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path / "cache"))
    store = tmp_path / "history.sqlite"
    with Store.open(store) as opened:
        code = "def fold(items):\n    '''Fold all items.'''\ndef other(): '''Open a door.'''\n"
        opened.add(of_sources({"pkg/__init__.py": code}, "1.0", "pkg"))
    tasks = tmp_path / "tasks.jsonl"
    head = {"schema_version": 1, "suite": "small"}
    tasks.write_text(f"{json.dumps(head)}\n{json.dumps(TASK)}\n")
    asked = ["retrieval", str(tasks), "--store", str(store)]
    done = CliRunner().invoke(app, [*asked, "--json"], catch_exceptions=False)
    found = json.loads(done.stdout)
    assert (found["hit@3"], found["mrr"], found["of_another_version"]) == (1.0, 1.0, 0)
    assert found["by_version"]["pkg 1.0"]["searches"] == 1
    shown = CliRunner().invoke(app, asked, catch_exceptions=False).stdout
    assert "1 of 1 task searched" in shown
    for wrong, words in (
        (["--retriever", "magic"], "unknown retriever"),
        (["--retriever", "dense"], "needs an embedding model"),
    ):
        with pytest.raises(UserError, match=words):
            CliRunner().invoke(app, [*asked, *wrong], catch_exceptions=False)


def test_an_embedder_that_is_not_asked_is_refused() -> None:
    asked = ["retrieval", "starter", "--embedder", "smollm2"]
    with pytest.raises(UserError, match="--embedder needs dense or hybrid"):
        CliRunner().invoke(app, asked, catch_exceptions=False)


def test_an_embedder_is_tried_before_anything_is_mined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("libdrift.evals.local.embedding._PAUSES", ())
    monkeypatch.setattr("libdrift.jobs.retrieving.mine_missing", lambda *_: pytest.fail("mined"))
    asked = ["retrieval", "starter", "--retriever", "dense", "--store", str(tmp_path / "h.sqlite")]
    done = CliRunner().invoke(app, [*asked, "--embedder", "http://127.0.0.1:9/v1#m"])
    assert isinstance(done.exception, LibdriftError), done.exception
