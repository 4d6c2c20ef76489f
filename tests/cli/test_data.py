"""Data sets by name, from the command line."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift import fetching, suites
from libdrift.cli import app as commands
from libdrift.cli import offering
from libdrift.config import Settings
from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.fetching import read_sources
from libdrift.records import Suite
from libdrift.suites import finding
from libdrift.suites.benchmarks import Benchmark
from tests.fetching.server import FaultyServer, serving
from tests.fetching.test_keeping import line

CONTENT = b'{"task_id": "1"}\n'


def find(settings: Settings) -> Path:
    return finding.find(settings, "small", "Small", lambda folder: (folder / "d/x.jsonl").is_file())


def load(settings: Settings) -> Suite:
    return Suite("small", "Small", f"data at {find(settings)}")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyServer]:
    """A benchmark whose authors publish on a server here; and one that nobody knows."""
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LIBDRIFT_DATA", raising=False)
    with serving() as one:
        one.files["/c1/x.jsonl"] = CONTENT
        text = (
            "[small]\ntitle = 'Small'\nlicence = 'MIT'\ncitation = 'Us (2026)'\n"
            f"repository = '{one.url}'\ncommit = 'c1'\n"
            f"[[small.downloads]]\nurl = '{one.url}/{{commit}}/x.jsonl'\n"
            f"[small.downloads.files]\n{line('d/x.jsonl', CONTENT)}"
            "[hidden]\ntitle = 'Hidden'\nlicence = '?'\ncitation = '?'\nwanted = 'a.zip'\n"
        )
        table = read_sources(text)
        monkeypatch.setattr(fetching, "known_sources", lambda: table)
        known = {
            "small": Benchmark("small", load, find_data=find),
            "hidden": Benchmark("hidden", load, find_data=find),
        }
        monkeypatch.setattr(suites, "_BENCHMARKS", known)
        yield one


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(commands.app, ["data", *arguments], catch_exceptions=True)
    if isinstance(done.exception, LibdriftError):
        raise done.exception
    return done.exit_code, done.stdout


def test_get_list_check_and_remove(server: FaultyServer, tmp_path: Path) -> None:
    folder = tmp_path / "cache/data/small"
    assert json.loads(run("list", "--json")[1])["data"][1]["state"] == "missing"
    code, text = run("get", "small")
    assert code == 0
    assert text.splitlines() == [
        f"small: 1 file, 0.0 MB, downloaded: {folder}",
        "  licence: MIT",
        "  cite: Us (2026)",
    ]
    assert "there already" in run("get", "--all")[1]
    (listed,) = json.loads(run("list", "small", "--json")[1])["data"]
    assert (listed["state"], listed["folder"], listed["size"]) == ("got", str(folder), len(CONTENT))
    assert run("check") == (0, f"small: 1 of 1 file as published ({folder})\n")
    (folder / "d/x.jsonl").write_bytes(b"other")
    code, text = run("check", "small", "--json")
    assert (code, json.loads(text)["checks"][0]["flaws"]) == (
        1,
        {"d/x.jsonl": f"5 bytes, not {len(CONTENT)}"},
    )
    with pytest.raises(UserError, match=r"no terminal to confirm .* Add --yes"):
        run("rm", "small")
    assert folder.exists()
    assert run("rm", "small", "--yes") == (0, "small: 0.0 MB removed\n")
    assert not folder.exists()
    assert run("rm", "small") == (0, ""), "where nothing is, nobody is asked"


def test_a_download_that_was_not_ended_is_removed(server: FaultyServer, tmp_path: Path) -> None:
    part = tmp_path / "cache/data/.downloads/small/c1/x.jsonl.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(bytes(200_000))
    assert run("rm", "small", "--yes") == (0, "small: 0.2 MB removed\n")
    assert not part.exists()


def test_addresses_are_whole_on_a_narrow_terminal(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    code, text = run("list")
    assert code == 0
    assert "…" not in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["get"], "no suite is named. Like: libdrift data get"),
        (["rm"], "no suite is named. Like: libdrift data rm"),
        (["get", "small", "--all"], "no suite is named"),
        (["get", "nope"], "unknown suite 'nope'. `libdrift data list` lists them"),
        (["list", "nope"], "unknown suite 'nope'"),
        (["rm", "nope", "--yes"], "unknown suite 'nope'"),
        (["check", "small"], "no Small data on this machine. Run: libdrift data get small"),
        (
            ["get", "hidden"],
            "the address of Hidden is unknown. Put a.zip into",
        ),
    ],
)
def test_mistakes_are_one_line(server: FaultyServer, arguments: list[str], words: str) -> None:
    with pytest.raises(UserError) as caught:
        run(*arguments)
    assert words in str(caught.value)
    assert not server.asked


def test_what_cannot_be_got_says_where_to_put_it(server: FaultyServer, tmp_path: Path) -> None:
    server.files.clear()
    with pytest.raises(InfrastructureError) as caught:
        run("get", "small")
    place = tmp_path / "cache/data/.downloads/small/c1/d/x.jsonl"
    assert str(caught.value).endswith(f"put it at {place} and run the same command")
    # By hand, as it says.
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(CONTENT)
    assert run("get", "small")[0] == 0


def test_a_folder_of_ones_own_wins(
    server: FaultyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("get", "small")
    for name in ("by option", "by variable"):
        own = tmp_path / name / "small/d/x.jsonl"
        own.parent.mkdir(parents=True)
        own.write_bytes(CONTENT)
    monkeypatch.setenv("LIBDRIFT_DATA", str(tmp_path / "by variable"))
    for option, place in (
        ([], "by variable"),
        (["--data", str(tmp_path / "by option")], "by option"),
    ):
        (listed,) = json.loads(run("list", "small", "--json", *option)[1])["data"]
        assert (listed["state"], listed["folder"]) == ("own", str(tmp_path / place / "small"))
    run("rm", "small", "--yes")
    assert (tmp_path / "by variable/small/d/x.jsonl").exists()


class Person(io.StringIO):
    """Somebody at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 2), ("\n", 2), ("", 2)])
def test_a_command_that_lacks_data_asks_for_it(
    server: FaultyServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
    code: int,
) -> None:
    monkeypatch.setattr(sys, "argv", ["libdrift", "suites", "show", "small", "--json"])
    monkeypatch.setattr(sys, "stdin", Person(answer))
    told = Person()
    monkeypatch.setattr(sys, "stderr", told)
    monkeypatch.setattr(commands, "filter_streams", lambda: None)
    with pytest.raises(SystemExit) as ended:
        commands.main()
    assert ended.value.code == code
    assert "no Small data on this machine. Download it from http" in told.getvalue()
    assert bool(server.asked) == (code == 0)
    assert ('"suite": "small"' in capsys.readouterr().out) == (code == 0)


def test_nobody_is_asked_where_nobody_is(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    monkeypatch.setattr(commands, "filter_streams", lambda: None)
    assert offering.agreed("really?") is None
    monkeypatch.setattr(sys, "argv", ["libdrift", "suites", "show", "small"])
    with pytest.raises(SystemExit) as ended:
        commands.main()
    assert ended.value.code == 2
    assert not server.asked
