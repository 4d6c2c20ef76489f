"""The whole way: two wheels are mined, their examples run in both, and all answers show it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import libdrift
from libdrift.history.questions import DiffFilter
from libdrift.history.store import Store
from libdrift.history.store import trials as kept
from libdrift.mining import Event, MiningOptions, MiningResult, RunningExamples
from libdrift.records import ChangeKind, ExampleFinding
from tests.languages.python.registry import only_source
from tests.mining.examples.small import sources, write_wheel


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("world")
    folder.chmod(0o755)
    (folder / "wheels").mkdir()
    for version in ("1.0", "2.0"):
        write_wheel(folder / "wheels", version, sources(version))
    write_wheel(folder / "wheels", "3.0", "def f(): ...\n")
    return folder


@pytest.fixture(autouse=True)
def _only_here(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_source(world / "wheels", monkeypatch)
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(world / "wheels"))
    monkeypatch.setenv("LIBDRIFT_CACHE", str(world / "cache"))
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(world / "history.sqlite"))


def mined(*versions: str, told: list[Event] | None = None) -> MiningResult:
    options = MiningOptions(versions=versions, examples=True, workers=1)
    return libdrift.mine("pkg", options, progress=None if told is None else told.append)


@pytest.fixture
def found(world: Path) -> dict[str, ExampleFinding]:
    (trial,) = mined("1.0", "2.0").trials
    with Store.open(world / "history.sqlite") as store:
        return {item.path: item for item in kept.findings(store, trial)}


def test_every_outcome(found: dict[str, ExampleFinding]) -> None:
    assert {path: item.outcome.value for path, item in found.items()} == {
        "pkg.other": "differs",
        "pkg.gone": "fails",
        "pkg.named": "runs",  # and fails: of two examples, one each way
        "pkg.refused": "fails",
        "pkg.warned": "warns",
        "pkg.Number": "spelled",
        "pkg.fresh": "runs",
    }
    other = found["pkg.other"]
    assert other.code == "import pkg\nvalue = pkg.other(2)\nvalue"
    assert (other.before, other.after) == ("[1, 2]", "(1, 2)")
    assert other.is_documented
    assert found["pkg.Number"].count == 2


def test_the_summary(world: Path) -> None:
    (trial,) = mined("1.0", "2.0").trials
    assert (trial.old, trial.new) == ("1.0", "2.0")
    assert trial.skipped == {"needs a file": 1, "plotting": 1}
    assert trial.unsteady == 1
    assert trial.found["differs"] == 1
    assert trial.confirmed == {"introduced": 1, "removed": 1, "deprecated": 1, "signature": 1}
    assert all(row.share == 1 for row in trial.reliability)


def test_what_was_run_is_not_run_again(world: Path) -> None:
    mined("1.0", "2.0")
    told: list[Event] = []
    again = mined("1.0", "2.0", told=told)
    assert len(again.trials) == 1
    assert not any(isinstance(event, RunningExamples) for event in told)
    with Store.open(world / "history.sqlite") as store, store.changing():
        kept.forget(store, store.number("pkg") or 0, "1.0", "2.0")
    (trial,) = mined("1.0", "2.0", told=told).trials  # the pair is tried anew, from kept runs
    assert any(isinstance(event, RunningExamples) for event in told)
    assert trial.found == again.trials[0].found
    assert trial.seconds < 1


def test_diff_shows_it(found: dict[str, ExampleFinding]) -> None:
    whole = libdrift.diff("pkg", "1.0", "2.0")
    assert whole.behaviour_seen
    changes = {(item.kind.value, item.path, item.aspect): item for item in whole.changes}
    output = changes["behaviour", "pkg.other", "output"]
    assert output.evidence == (
        "example: import pkg\nvalue = pkg.other(2)\nvalue",
        "before: [1, 2]",
        "after: (1, 2)",
    )
    assert (output.before, output.after, output.symbol) == ("[1, 2]", "(1, 2)", "function")
    raises = changes["behaviour", "pkg.refused", "raises"]
    assert raises.breaking
    assert "ValueError: negative" in raises.detail
    # What reading tells is proven by running, and not told again.
    assert any("by running" in text for text in changes["removed", "pkg.gone", ""].evidence)
    assert ("behaviour", "pkg.gone", "raises") not in changes
    assert ("behaviour", "pkg.fresh", "accepts") not in changes
    alone = libdrift.diff("pkg", "1.0", "2.0", DiffFilter(frozenset({ChangeKind.BEHAVIOUR})))
    assert {item.path for item in alone.changes} >= {"pkg.other", "pkg.refused", "pkg.Number"}


def test_history_and_docs_show_it(found: dict[str, ExampleFinding]) -> None:
    (seen,) = libdrift.history_of("pkg.other").behaviour
    assert (seen.old, seen.new) == ("1.0", "2.0")
    assert seen.text == "`value` gives (1, 2), gave [1, 2]"
    assert libdrift.docs("pkg.other", "1.0").behaviour == (seen,)
    assert not libdrift.docs("pkg.same").behaviour


def test_pairs_that_cannot_be_tried_are_told(world: Path) -> None:
    one = mined("1.0")
    assert "1.0 alone has no neighbour" in one.untried[0].reason
    assert one.exit_code == 0
    write_wheel(world / "wheels", "4.0", "def f(): ...\n")
    none = mined("3.0", "4.0")
    assert "no examples (`>>>`)" in none.untried[0].reason
    assert not libdrift.diff("pkg", "3.0", "4.0").behaviour_seen


def test_a_package_that_cannot_be_imported_is_told(world: Path) -> None:
    for version in ("5.0", "5.1"):
        write_wheel(
            world / "wheels", version, 'raise OSError("no device")\ndef f():\n    ">>> f()"\n'
        )
    result = mined("5.0", "5.1")
    assert "pkg cannot be imported: OSError: no device" in result.untried[0].reason
    assert result.exit_code == 3


def test_the_command_prints_it(world: Path) -> None:
    import typer
    from typer.testing import CliRunner

    from libdrift.cli.mine import mine

    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(mine)
    arguments = ["pkg", "--versions", "1.0,2.0", "--examples", "-j", "1"]
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert "pkg 1.0 → 2.0: " in done.stdout
    assert "run completely in neither: 1 needs a file, 1 plotting" in done.stdout
    assert "changes in the history" in done.stdout
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert told["examples"][0]["found"]["differs"] == 1
    assert {row["kind"] for row in told["examples"][0]["reliability"]} >= {"removed", "deprecated"}
