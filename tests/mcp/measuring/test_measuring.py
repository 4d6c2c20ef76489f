"""Documentation servers measured: ours, one that serves the newest release, one that invents."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift.cli.app import app
from libdrift.errors import InfrastructureError, UserError
from libdrift.history.store import Store
from libdrift.mcp.measuring import adapter_names, grade, load_adapter, measure, sample_cases
from libdrift.mcp.measuring.grading import stated_versions
from libdrift.mcp.measuring.sampling import SymbolCase
from tests.history.small import signature


def case(version: str = "1.0", *, exists: bool = True) -> SymbolCase:
    shape = signature("x", "y=1") if exists else None
    return SymbolCase("pkg", version, "pkg.h", exists, shape, is_changed=True, newest="2.0")


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("pkg 1.0 (named)", {"1.0"}),
        ("pkg==1.0\nsince version 0.9", {"1.0"}),  # later lines may tell of others
        ("Version: 2.1.0rc1", {"2.1.0rc1"}),
        ("/pkg/v2.0", {"2.0"}),
        ("pkg 1.0 and pkg 2.0", {"1.0", "2.0"}),
        ("h(x) folds 3.5 items", set()),
        ("otherpkg 1.0", set()),
    ],
)
def test_versions_that_a_text_states(text: str, stated: set[str]) -> None:
    assert stated_versions(text, "pkg") == stated


@pytest.mark.parametrize(
    ("text", "exists", "expected"),
    [
        ("pkg 1.0\npkg.h(x, y=1)\nFolds.", True, (True, True, None)),
        ("pkg 1.0\ndef h(self, x: int, y: int = 1) -> int:", True, (True, True, None)),
        ("pkg 2.0\npkg.h(x, y=1)", True, (False, True, None)),
        ("pkg.h(x, y=1)", True, (False, True, None)),
        ("pkg 1.0\npkg.h(x)", True, (True, False, None)),
        ("pkg 1.0\npkg.h(x, y=2)", True, (True, False, None)),
        ("pkg 1.0\nother.path.h2(x, y=1)", True, (True, False, None)),
        ("pkg 1.0\npkg.h is NOT in pkg 1.0.", False, (True, None, True)),
        ("pkg 1.0\npkg.h(x)", False, (True, None, False)),
    ],
)
def test_answers_are_graded_by_their_text(
    text: str, *, exists: bool, expected: tuple[bool, bool | None, bool | None]
) -> None:
    found = grade(case(exists=exists), text)
    assert (found.version_right, found.signature_right, found.absence_told) == expected
    assert found.is_right == (False not in expected)


def test_most_questions_are_of_symbols_that_changed(store: Path) -> None:
    with Store.open(store, readonly=True) as history:
        cases = sample_cases(history, 6, packages=["pkg"])
        again = sample_cases(history, 6, packages=["pkg"])
        with pytest.raises(UserError, match="nothing: no two mined releases"):
            sample_cases(history, 6, packages=["nothing"])
    assert cases == again
    assert sum(item.is_changed for item in cases) >= 3
    assert len({(item.version, item.symbol) for item in cases}) == len(cases)


def command(*words: str) -> str:
    return " ".join([sys.executable, "-m", *words])


def test_ours_is_right_and_the_stand_ins_are_caught(store: Path, tmp_path: Path) -> None:
    with Store.open(store, readonly=True) as history:
        cases = [item for item in sample_cases(history, 12) if item.is_changed]
    adapter = load_adapter("libdrift")
    ours = f"libdrift mcp --no-mine --store {store} --root {tmp_path}"
    servers = [
        ours,
        f"tests.mcp.stand_ins newest {store}",
        f"tests.mcp.stand_ins inventing {store}",
    ]
    found = [asyncio.run(measure(command(server), adapter, cases)).to_json() for server in servers]
    assert [item["right"] for item in found] == [1.0, 0.0, 0.0]
    assert [item["version_right"] for item in found] == [1.0, 0.0, 1.0]
    assert [item["wrong_on_changed"] for item in found] == [0.0, 1.0, 1.0]


def test_the_command_prints_a_table_or_json(store: Path, tmp_path: Path) -> None:
    server = command(f"libdrift mcp --no-mine --store {store} --root {tmp_path}")
    asked = ["mcp-bench", server, "--samples", "3", "--store", str(store), "--json"]
    done = CliRunner().invoke(app, asked, catch_exceptions=False)
    (row,) = json.loads(done.stdout)["servers"]
    assert row["questions"] == 3
    assert row["right"] == 1.0


def test_a_server_that_is_none_is_named(store: Path) -> None:
    with Store.open(store, readonly=True) as history:
        cases = sample_cases(history, 1)
    adapter = load_adapter("libdrift")
    with pytest.raises(InfrastructureError, match="does not answer as a server"):
        asyncio.run(measure("no-such-command-anywhere", adapter, cases))
    with pytest.raises(UserError, match="is empty"):
        asyncio.run(measure(" ", adapter, cases))


def test_adapters_by_name_and_by_file(tmp_path: Path) -> None:
    assert adapter_names() == ["context7", "docs-mcp-server", "libdrift"]
    own = tmp_path / "own.yaml"
    own.write_text("steps:\n- {tool: a, arguments: {q: ['{symbol}']}, take: {id: 'id=(\\w+)'}}\n")
    (step,) = load_adapter(str(own)).steps
    assert step.filled({"symbol": "pkg.h"}) == {"q": ["pkg.h"]}
    assert step.taken("id=x7") == {"id": "x7"}


@pytest.mark.parametrize(
    "text", ["", "steps: 3", "steps: [{}]", "a: [", "steps:\n- {tool: a, take: {x: y}}"]
)
def test_a_file_that_is_no_adapter_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(UserError, match="is not an adapter"):
        load_adapter(str(path))
    with pytest.raises(UserError, match="there is no adapter"):
        load_adapter("nothing")
