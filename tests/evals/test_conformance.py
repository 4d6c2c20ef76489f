"""What holds for every strategy, those of newcomers too: each is run by the table below."""

from __future__ import annotations

import re
import typing
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.cli import eval_options
from libdrift.evals.strategies import KNOWN, option_list, options_of
from libdrift.records import Gap, Task, TaskKind
from libdrift.suites import task_files
from tests.conftest import make_task
from tests.evals.small import evaluated, lines, run, script, write_tasks
from tests.scoring.texts import text_suite

ROOT = Path(__file__).parent.parent.parent
# Says something that every strategy can read, with the answer in it, and leaves a trace.
MODEL = """
import pathlib
def reply(messages, task_id, sample):
    with pathlib.Path("asked.txt").open("a") as file:
        file.write("asked\\n")
    return "```python\\ndef number():\\n    return 1\\n```"
"""
SECRET = "def number():\n    return 1\n"
# Options that a strategy cannot do without.
NEEDS = {
    "assistant": ("-S", "command=/bin/sh -c 'echo \"def number(): return 1\" > {path}'"),
    "fim": ("-S", "family=starcoder2"),
    "rag": ("-S", "docs_folder=docs"),
}
MIDDLE = {"fim", "left", "instruct"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # Strategies that look things up find nothing, and must do without.
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(tmp_path / "history.sqlite"))
    (tmp_path / "docs/none").mkdir(parents=True)
    (tmp_path / "docs/none/page.txt").write_text("Numbers are returned.")
    return tmp_path


def tasks(name: str) -> list[Task]:
    if name in MIDDLE:
        return [t for t in text_suite().tasks.values() if t.facts.granularity == "middle"][:1]
    # A reference whose words are nobody else's: it must be in no prompt.
    whole = make_task("t1", 1)
    if name == "advisor":
        # Code to be moved, of a library that is nowhere: it stays as it is.
        facts = replace(whole.facts, from_version="0")
        whole = replace(whole, kind=TaskKind.MIGRATE, starter=SECRET, facts=facts)
    return [replace(whole, reference=f"# zebra\n{SECRET}", problem="Return the number one.")]


@pytest.mark.parametrize("name", KNOWN)
def test_it_answers_gives_nothing_away_and_goes_on_without_asking_again(
    here: Path, name: str
) -> None:
    write_tasks(here, tasks(name))
    arguments = ("small.jsonl", "--strategy", name, "--samples", "2", "--out", "out")
    arguments += ("--model", script(here, MODEL), *NEEDS.get(name, ()))
    first = evaluated(*arguments)
    assert (first["attempts"], first["unanswered_samples"]) == (2, 0)
    if name not in MIDDLE:
        assert first["outcomes"] == {"passed": 2}
    asked = (here / "asked.txt").read_text() if (here / "asked.txt").exists() else ""
    assert bool(asked) != KNOWN[name].modelless
    calls = here / "out/calls.jsonl"
    told = str([line["messages"] for line in lines(calls) if "messages" in line])
    assert "zebra" not in told
    assert "def test_it" not in told
    # As after a kill: what was answered is lost, what was asked is not.
    (here / "out/answers.jsonl").unlink()
    again = evaluated(*arguments)
    assert again["attempts"] == 2
    if asked:
        assert (here / "asked.txt").read_text() == asked


@pytest.mark.parametrize("name", KNOWN)
def test_its_row_is_in_the_table_of_strategies(name: str) -> None:
    page = (ROOT / "docs/strategies.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert any(re.search(rf"`{re.escape(name)}`", row.split("|")[1]) for row in rows)


@pytest.mark.parametrize("name", KNOWN)
def test_its_options_are_listed_with_types_and_defaults(name: str) -> None:
    shown = run("strategies", name).stdout.splitlines()
    assert shown[0] == f"{name}: {KNOWN[name].about}"
    assert KNOWN[name].about.endswith(".")
    listed = [re.match(r"  -S (\w+)=<.+>  .", line) for line in shown[1:]]
    assert [found[1] for found in listed if found] == list(KNOWN[name].options)
    for one in option_list(name):
        if one.default is not None:  # what is shown as the default is a value that can be given
            given = str(one.default).lower() if one.type == "true|false" else str(one.default)
            assert options_of(name, [f"{one.name}={given}"]) == {one.name: one.default}


def test_the_help_names_every_strategy() -> None:
    told = typing.get_args(eval_options.Strategy)[1].help
    assert set(re.split(r", | or |;", told)) >= set(KNOWN)


def test_tasks_that_do_not_fit_are_said_and_left_out(here: Path) -> None:
    from libdrift.errors import UserError
    from tests.evals.small import run

    gap = Gap("circle", "circle()", "<mask>")
    whole = make_task("t1", 1)
    token = replace(
        whole, id="t2", gap=gap, tests=(), facts=replace(whole.facts, granularity="token")
    )
    task_files.write(here / "small.jsonl", "small", "Small", [whole, token], {})
    done = run("eval", "small.jsonl", "--strategy", "self-debug", "--model", script(here, MODEL))
    assert "not asked: 1 task: an answer is no program" in done.stderr
    with pytest.raises(UserError, match="fim does not fit small"):
        run("eval", "small.jsonl", "--strategy", "fim", "-S", "family=starcoder", "--model", "x/y")
