from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift.cli.app import app
from libdrift.errors import UserError

RUNNER = CliRunner()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["live"], "--after is missing"),
        (["live", "--after", "2024"], "--after 2024: not a date"),
        (["live", "--manifest", "nope"], "there is no manifest nope"),
        (["--manifest", "nope"], "there is no manifest nope"),
        (["--manifest", "nope", "live"], "stand before a command"),
        (["live", "--after", "2024-01-01", "--out", "a.txt"], "does not end in .jsonl"),
    ],
)
def test_mistakes_are_told_in_a_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = RUNNER.invoke(app, ["build", *arguments])
    assert isinstance(result.exception, UserError)
    assert message in str(result.exception)
