from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift.cli.app import app
from libdrift.errors import UserError
from libdrift.execution.engines import EngineChoice
from libdrift.jobs import building_compiled, building_live
from libdrift.jobs.building_compiled import CompiledOptions
from libdrift.jobs.building_live import LiveOptions

RUNNER = CliRunner()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["live"], "--after is missing"),
        (["live", "--after", "2024"], "--after 2024: not a date"),
        (["live", "--manifest", "nope"], "there is no manifest nope"),
        (["--manifest", "nope"], "there is no manifest nope"),
        (["--manifest", "nope", "live"], "are given before the command"),
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


@pytest.mark.parametrize("language", ["python", "rust"])
def test_the_engine_is_passed_on(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    seen: list[LiveOptions | CompiledOptions] = []

    def stop(options: LiveOptions | CompiledOptions, *_: object) -> None:
        seen.append(options)
        raise UserError("enough")

    monkeypatch.setattr(building_live, "build_live", stop)
    monkeypatch.setattr(building_compiled, "build_compiled", stop)
    command = ["build", "live", "--after", "2024-01-01", "--language", language]
    RUNNER.invoke(app, command)
    RUNNER.invoke(app, [*command, "--engine", "ray", "--address", "a:1", "-j", "3"])
    here, there = (options.running for options in seen)
    assert (here.engine, here.workers) == (EngineChoice(), 2)
    assert (there.engine, there.workers) == (EngineChoice("ray", "a:1", 3), 3)
