"""A scripted agent on the starter suite: what it solves with a server, and fails without one.

The agent has two programs for each task, one for the library as it was and one for the library as
it became, and does not know which of them the task's version takes. It knows what to ask for, a
symbol or in words, and one word of the answer that tells the two forms apart. Without a server it
writes what it is used to: the task's wrong answer. That the references pass and the wrong answers
fail is tested where the suite is.

The servers have an excerpt of the releases, written here, and the releases themselves.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from libdrift import suites
from libdrift.config import Settings
from libdrift.errors import InfrastructureError
from libdrift.history import versions
from libdrift.records import Task
from tests.evals.strategies.starter_releases import read_history, write_history

NEWER, OLDER = "newer", "older"
# A word of the answer on the task's symbol, and the form that it shows; else it is the other one.
TELLING = {
    "attrs-job-order": ("undeprecated", NEWER),
    "attrs-keyword-only-subclass": ("force_kw_only", NEWER),
    "attrs-parse-size": ("NOT in", OLDER),
    "click-reserved-names": ("_cmd", NEWER),
    "click-split-streams": ("mix_stderr:", OLDER),
    "click-sum-of-chain": ("NOT in", NEWER),
    "flask-about-endpoint": ("DEPRECATED", NEWER),
    "flask-escaped-greeting": ("NOT in", NEWER),
    "flask-latin1-resource": ("encoding", NEWER),
    "jinja2-exact-groups": ("case_sensitive", NEWER),
    "jinja2-money-filter": ("NOT in", NEWER),
    "marshmallow-pack-size": ("missing:", OLDER),
    "marshmallow-unwrap-envelope": ("pass_collection", NEWER),
    "networkx-d3-payload": ("edges=", NEWER),
    "networkx-random-tree": ("NOT in", NEWER),
    "networkx-visit-order": ("sort_neighbors", NEWER),
    "numpy-area-under-curve": ("NOT in", OLDER),
    "numpy-batched-solve": ("shape (M,)", NEWER),
    "numpy-missing-axis": ("NOT in", NEWER),
    "pandas-format-cells": ("NOT in", OLDER),
    "pandas-month-totals": ("resample('ME'", NEWER),
    "pandas-tally-column": ("Name: count", NEWER),
    "pillow-fitting-text": ("NOT in", NEWER),
    "pillow-mirrored-thumbnail": ("NOT in", OLDER),
    "pillow-white-disc": ("NOT in", OLDER),
    "sympy-count-equal": ("S.Half != Float(0.5)", NEWER),
    "sympy-kronecker": ("NOT in", OLDER),
    "sympy-unitary-divisors": ("DEPRECATED", NEWER),
}
# What is searched for where no one symbol tells: here, how numbers of two types compare.
SEARCHED = {"sympy-count-equal": "numbers of another type compare equal"}


def other_version(task: Task) -> str:
    """The version of the library that the task's wrong answer is right for."""
    assert task.wrong is not None
    prefix = f"{task.facts.library}=="
    (pin,) = (line for line in task.wrong.environment.requirements if line.startswith(prefix))
    return pin.removeprefix(prefix)


def forms(task: Task) -> dict[str, str]:
    """Both programs, by which of the two releases they are for."""
    assert task.wrong is not None
    is_newer = versions.order(task.facts.version) > versions.order(other_version(task))
    own, wrong = (NEWER, OLDER) if is_newer else (OLDER, NEWER)
    return {own: task.reference, wrong: task.wrong.code}


async def told(client: Client, task: Task) -> str:
    """All pages of what a server says of the task's symbol, or has on some words."""
    words = SEARCHED.get(task.id)
    tool, about = ("search_docs", {"query": words}) if words else ("symbol_at", {})
    asked = about or {"symbol": task.facts.symbol}
    release = {"package": task.facts.library, "version": task.facts.version}
    text, page = "", 1
    while page == 1 or f"ask for page {page}" in text:
        result = await client.call_tool(
            tool, {**asked, **release} | ({"page": page} if page > 1 else {})
        )
        text += "".join(getattr(item, "text", "") for item in result.content)
        page += 1
    return text


async def written(server: list[str], tasks: list[Task]) -> dict[str, str]:
    """The agent's programs, by their tasks."""
    found: dict[str, str] = {}
    parameters = StdioServerParameters(command=sys.executable, args=server)
    async with Client(stdio_client(parameters)) as client:
        for task in tasks:
            word, shown = TELLING[task.id]
            other = OLDER if shown == NEWER else NEWER
            chosen = shown if word in await told(client, task) else other
            found[task.id] = forms(task)[chosen]
    return found


@pytest.fixture(scope="module", params=["excerpt", "releases"])
def history(
    request: pytest.FixtureRequest, tasks: list[Task], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    path = tmp_path_factory.mktemp("starter") / "history.sqlite"
    if request.param == "excerpt":
        write_history(path)
        return path
    used = {(task.facts.library, task.facts.version) for task in tasks}
    try:
        read_history(path, used | {(task.facts.library, other_version(task)) for task in tasks})
    except InfrastructureError as error:
        pytest.skip(f"the package index cannot be read: {error}")
    return path


@pytest.fixture(scope="module")
def tasks(settings: Settings) -> list[Task]:
    known = suites.load("starter", settings).tasks
    assert set(known) == set(TELLING)
    return list(known.values())


def solved(programs: dict[str, str], tasks: list[Task]) -> set[str]:
    return {task.id for task in tasks if programs[task.id] == task.reference}


def test_it_fails_all_of_them_without_a_server(tasks: list[Task]) -> None:
    habits = {task.id: task.wrong.code for task in tasks if task.wrong is not None}
    assert not solved(habits, tasks)


def test_it_solves_them_with_our_server_and_not_with_one_of_the_newest_release(
    history: Path, tasks: list[Task]
) -> None:
    """One test, for to read all releases takes time: the newest one is wrong for older tasks."""
    ours = ["-m", "libdrift", "mcp", "--no-mine", "--store", str(history)]
    assert solved(asyncio.run(written(ours, tasks)), tasks) == set(TELLING)
    newest = ["-m", "tests.mcp.stand_ins", "newest", str(history)]
    older = {task.id for task in tasks if forms(task)[OLDER] == task.reference}
    assert older
    assert solved(asyncio.run(written(newest, tasks)), tasks) == set(TELLING) - older
