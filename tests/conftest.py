"""Shared fixtures. Environments are kept in libdrift's own cache between runs."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from libdrift import config
from libdrift.config import Settings
from libdrift.environments import Ready, build
from libdrift.environments.interpreters import discover
from libdrift.records import (
    Environment,
    Facts,
    Split,
    Suite,
    Task,
    TaskKind,
    Tests,
    TestStyle,
    WrongAnswer,
)
from libdrift.sandbox import Backend, choose
from tests.processes import alive

AS_OF = date(2026, 6, 1)

# A shell starts what it sends to the background with interrupts ignored, and so would all that
# tests start be: those that interrupt a command would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every machine, however slow; `--hypothesis-seed=N` with
# `--hypothesis-profile=default` looks for others.
hypothesis_settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("steady")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their number: an archive holds the time, and all processes must agree."""
    return f"{len(val)} bytes" if isinstance(val, bytes) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest: at the end, one process would run them while the others wait."""
    items.sort(key=lambda item: item.path.name != "test_docs.py")


@pytest.fixture(scope="session")
def settings() -> Settings:
    return config.load()


@pytest.fixture
def empty_settings(tmp_path: Path, settings: Settings) -> Settings:
    """Settings with a cache of their own, for tests that build, break and prune."""
    return replace(settings, cache=tmp_path / "cache")


@pytest.fixture(scope="session")
def bubblewrap(settings: Settings) -> Backend:
    return choose("bubblewrap", settings)


@pytest.fixture(scope="session")
def place_for(settings: Settings) -> Callable[..., Ready]:
    """A ready environment with pytest, for a Python that this machine has."""

    def get(runtime: str, *requirements: str) -> Ready:
        if runtime not in {interpreter.minor for interpreter in discover()}:
            pytest.skip(f"Python {runtime} is not on this machine")
        runner = "pytest==7.4.4" if runtime == "3.7" else "pytest==8.3.5"
        built = build(Environment("python", runtime, (*requirements, runner), AS_OF), settings)
        assert isinstance(built, Ready), built
        return built

    return get


@pytest.fixture(scope="session")
def place(place_for: Callable[..., Ready]) -> Ready:
    return place_for("3.11")


def make_task(task_id: str, answer: int, environment: Environment | None = None) -> Task:
    """A task whose function must return a number; its wrong-version answer returns another."""
    own = environment or Environment("python", "3.11", ("pytest==8.3.5",), AS_OF)
    return Task(
        id=task_id,
        suite="small",
        kind=TaskKind.GENERATE,
        language="python",
        environment=own,
        title=task_id,
        problem=f"Return {answer}.",
        starter="def number():\n    ...\n",
        reference=f"def number():\n    return {answer}\n",
        tests=(
            Tests(
                Split.HIDDEN,
                TestStyle.PYTEST,
                f"from answer import number\n\n\ndef test_it():\n    assert number() == {answer}\n",
            ),
            Tests(Split.VISIBLE, TestStyle.SCRIPT, f"assert number() == {answer}\n"),
        ),
        facts=Facts(library="none", version="1"),
        wrong=WrongAnswer(f"def number():\n    return {answer + 1}\n", own, "off by one"),
    )


@pytest.fixture
def small_suite() -> Suite:
    tasks = {f"t{number}": make_task(f"t{number}", number) for number in range(3)}
    return Suite("small", "Small", "made here", tasks)


@pytest.fixture(autouse=True)
def _own_levels() -> Iterator[None]:
    """Commands that run in this process choose what is logged: other tests must not see that."""
    root = logging.getLogger()
    before = root.level
    yield
    root.setLevel(before)
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("libdrift"):
            logging.getLogger(name).setLevel(logging.NOTSET)


@pytest.fixture
def mark() -> Iterator[str]:
    """A number of seconds to sleep that no other test sleeps."""
    yield (name := f"600.{time.monotonic_ns() % 10**9:09d}1")
    for pid in alive(name):
        os.kill(int(pid), signal.SIGKILL)
