"""What is told of a task's libraries: of the installed versions, or that it is not known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.evals.lookups import Lookups
from libdrift.history.store import Store
from libdrift.records import Environment, Facts, Release, Surface, Symbol, Task
from tests.conftest import make_task
from tests.history.small import function, klass, surface


def click(version: str, name: str, *more: str, gone: str = "") -> Surface:
    """A release of click with little in it."""
    found = surface(
        version,
        klass("click.core:Group", doc=f"A group of commands, as {version} has it."),
        function(f"click.core:Group.{name}", "replace=False", doc="For a chain's values."),
        *(function(f"click.core:{one}", gone=gone) for one in more),
        names={"click.Group": "click.core:Group"},
    )
    return replace(found, release=Release("pypi", "click", version), roots=("click",))


def mined(path: Path, *surfaces: Surface) -> None:
    with Store.open(path) as store:
        for item in surfaces:
            store.add(item)


def task(*pins: str, version: str = "8.2.1") -> Task:
    found = make_task("t4", 4, Environment("python", "3.11", pins))
    return replace(found, facts=Facts("Click", version))


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history") / "history.sqlite"
    mined(
        path,
        click("8.1.0", "resultcallback", "old", gone="Use `click.core.new`."),
        click("8.2.1", "result_callback", "new"),
        click("8.3.0", "result_callback", "new", "from_the_future"),
        surface("1.0", function("pkg:f", "a")),
        surface("2.0", function("pkg:f", "b")),
    )
    return path


ASKED = [
    ("documentation", "click.Group",
     ["click 8.2.1: click.Group (class)\nA group of commands, as 8.2.1 has it."]),
    ("documentation", " `click.Group.result_callback()` ",
     ["click 8.2.1: click.Group.result_callback(replace=False)"]),
    ("documentation", "click.Group.resultcallback",
     ["is not in click 8.2.1", "In click 8.2.1 there are: click.Group.result_callback"]),
    ("documentation", "click.core.from_the_future",
     ["is not in click 8.2.1", "it is in 8.3.0"]),
    ("documentation", "click.zyzzyva", ["no mined release of click"]),
    ("documentation", "cli.Group",
     ["cli.Group is of no package that is known here; names of Click 8.2.1 are written in full"]),
    ("documentation", "", ["of no package that is known here"]),
    ("documentation", "\ud800", ["? is of no package that is known here"]),
    # Of another package that the task has installed, and of one that it has not.
    ("documentation", "pkg.f", ["pkg 1.0: pkg.f(a)"]),
    ("search", "group of commands", ["Of Click 8.2.1:\n- click.Group (class): A group of"]),
    ("search", "chain's values", ["- click.Group.result_callback(replace=False): For a chain"]),
    ("search", "zyzzyva", ["Nothing in Click 8.2.1 is about that."]),
    ("search", '" OR * AND (', ["Nothing in Click 8.2.1 is about that."]),
    ("history", "click.Group.resultcallback",
     ["there since: 8.1.0 or before", "removed: 8.2.1", "signature in 8.1.0: (replace=False)",
      "installed: click.Group.resultcallback is not in click 8.2.1"]),
    ("history", "click.core.old", ["deprecated: 8.1.0 Use `click.core.new`.", "use instead: click.core.new"]),
    ("history", "click.core.new",
     ["there since: 8.2.1", "removed: no", "installed: click 8.2.1, which has it."]),
    ("history", "", ["the symbol's name is empty."]),
    ("changes", "callback", ["Click 8.1.0 → 8.2.1", "(can break code)", "click.Group.result_callback"]),
    ("changes", "", ["click.core.old", "click.Group.result_callback"]),
    ("changes", "zyzzyva", ["0 on zyzzyva"]),
    ("changes", "pkg.f", ["No release of pkg before 1.0 is at hand"]),
]  # fmt: skip


@pytest.mark.parametrize(("what", "asked", "expected"), ASKED)
def test_answers_are_of_the_installed_versions(
    history: Path, what: str, asked: str, expected: list[str]
) -> None:
    look = Lookups(task("click==8.2.1", "pkg==1.0", "pytest==8.3.5"), history, history.parent)
    found = getattr(look, what)(asked)
    for text in expected:
        assert text in found
    assert "libdrift" not in found
    if "future" not in asked:
        assert "future" not in found
    assert "8.1.0 has it" not in found
    assert "8.3.0 has it" not in found


NOT_KNOWN = [
    ("documentation", "click.Group", "the documentation of click 8.2.0 is not at hand."),
    ("search", "group", "the documentation of Click 8.2.0 is not at hand."),
    ("changes", "group", "the documentation of Click 8.2.0 is not at hand."),
    ("documentation", "pkg.f", "pkg is not among what is installed: its version is not known."),
]


@pytest.mark.parametrize(("what", "asked", "expected"), NOT_KNOWN)
def test_no_other_release_stands_in_for_one_that_is_not_mined(
    history: Path, what: str, asked: str, expected: str
) -> None:
    assert (
        getattr(Lookups(task("click==8.2.0", version="8.2.0"), history, history.parent), what)(
            asked
        )
        == expected
    )


RUST = [
    ("documentation", "std::mem::swap", ["rust 1.70.0: std::mem::swap", "Swap two values."]),
    ("documentation", "core::mem::swap", ["rust 1.70.0: core::mem::swap", "Swap two values."]),
    ("documentation", "str::trim", ["rust 1.70.0: str::trim", "Without the blanks."]),
    ("documentation", "std::mem::swop", ["In rust 1.70.0 there are: std::mem::swap"]),
    ("search", "swap values", ["Of rust 1.70.0:\n- std::mem::swap"]),
    ("history", "std::mem::swap", ["of rust; releases 1.69.0 to 1.70.0", "installed: rust 1.70.0, which has it"]),
    ("changes", "std::mem", ["rust 1.69.0 → 1.70.0: 1 change", "introduced std::mem::swap"]),
]  # fmt: skip


@pytest.mark.parametrize("library", ["std", "some-crate"])
@pytest.mark.parametrize(("what", "asked", "expected"), RUST)
def test_tasks_say_std_where_the_history_says_rust(
    tmp_path: Path, library: str, what: str, asked: str, expected: list[str]
) -> None:
    def std(version: str, *more: Symbol) -> Surface:
        trim = function("std.primitive:str.trim", doc="Without the blanks.")
        found = surface(version, klass("std.primitive:str"), trim, *more)
        return replace(found, release=Release("rust", "rust", version), roots=("std",))

    swap = function("std.mem:swap", "a", "b", doc="Swap two values.")
    mined(
        tmp_path / "h.sqlite",
        std("1.69.0", klass("std.mem:Other")),
        std("1.70.0", klass("std.mem:Other"), swap),
    )
    asks = replace(
        make_task("r1", 1, Environment("rust", "1.70.0", ())),
        language="rust",
        facts=Facts(library, "1.70.0"),
    )
    if library != "std" and what == "search":  # of the library itself, which is not mined
        expected = ["the documentation of crate:some-crate 1.70.0 is not at hand."]
    found = getattr(Lookups(asks, tmp_path / "h.sqlite", tmp_path), what)(asked)
    for text in expected:
        assert text in found


def test_without_a_history_that_can_be_read_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    look = Lookups(task("click==8.2.1"), path, tmp_path)
    assert look.documentation("click.Group") == "the documentation of Click 8.2.1 is not at hand."
    path.write_text("no history")
    found = look.search("group")
    assert "not a database" in found
    assert str(tmp_path) not in found
