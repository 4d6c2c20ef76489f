"""The controlled scenario at its real size: two releases of matplotlib, from the package index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift.build.completion import complete
from libdrift.cli.app import app
from libdrift.history.store import Store

VERSIONS = ("3.5.2", "3.8.3")
IMPORT = re.compile(r"^\s*(?:import|from)\s.*$", re.MULTILINE)


def test_a_thousand_examples_a_version_and_none_names_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "history.sqlite"
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(file))
    mine = ["mine", "matplotlib", "--versions", ",".join(VERSIONS), "--runtime", "never"]
    mined = CliRunner().invoke(app, mine, catch_exceptions=False)
    assert mined.exit_code == 0, mined.stderr
    with Store.open(file, readonly=True) as store:
        built = complete(store, "matplotlib", VERSIONS)
    assert min(built.counts[version] for version in VERSIONS) >= 1000
    for task in built.tasks:
        assert task.gap is not None
        last = task.facts.symbol.rpartition(".")[2] if task.facts.symbol else ""
        assert task.gap.token == last
        assert f".{last}(" in task.reference
        shown = IMPORT.sub("", task.starter)
        assert last.lower() not in shown.lower(), task.id
    labels = {task.facts.lifecycle for task in built.tasks}
    assert {"introduced", "deprecated", "modified", "unchanged"} <= labels
