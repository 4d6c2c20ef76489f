"""What is disturbed: a command, the same command again, and its result as lines to compare."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.soak.index import LIBRARY, VERSIONS
from benchmarks.soak.tasks import ASKED
from benchmarks.soak.world import LIBDRIFT, World
from libdrift.history.store import Store

Lines = dict[str, str]  # what a line is about → what it says


@dataclass(frozen=True, slots=True)
class Workload:
    """``lines`` reads a finished run's folder, and what the last command printed."""

    name: str
    command: Callable[[World, Path], list[str]]
    lines: Callable[[World, Path, str], Lines]
    files: Sequence[str] = ()  # that only ever grow: what is whole in them must stay
    builds: bool = False  # whether uv may be at work, and the index asked
    guests: bool = False  # whether programs run in the sandbox
    writes: bool = True  # whether it writes into its folder
    verdicts: Callable[[Path], Lines] | None = None  # what a run that is not done has come to


def _score(world: World, place: Path) -> list[str]:
    asked = ["score", str(world.tasks), str(world.answers), "--out", str(place / "run")]
    return [*LIBDRIFT, *asked, "--json", "--time-floor", "3", "-j", "2"]


def _eval(world: World, place: Path) -> list[str]:
    asked = ["eval", str(world.tasks), "--model", "soak", "--base-url", world.provider.url]
    asked += ["--samples", "2", "--retries", "2", "--timeout", "2", "--at-once", "2"]
    asked += ["--strategy", "sample", "--time-floor", "3", "--out", str(place / "run"), "--json"]
    return [*LIBDRIFT, *asked, *(word for name in ASKED for word in ("--task", name))]


def _mine(_world: World, place: Path) -> list[str]:
    asked = ["mine", LIBRARY, "--runtime", "always", "-j", "2"]
    return [*LIBDRIFT, *asked, "--store", str(place / "history.sqlite"), "--json"]


def _build(world: World, place: Path) -> list[str]:
    asked = ["build", "completion", "--package", LIBRARY, "--store", str(world.history)]
    return [*LIBDRIFT, *asked, "--out", str(place / "built.jsonl"), "--force", "--json"]


def _serve(world: World, _place: Path) -> list[str]:
    import sys

    return [sys.executable, str(Path(__file__).with_name("agent.py")), str(world.root)]


def _verdict(line: str) -> tuple[str, str]:
    one = json.loads(line)
    cases = [(case["name"], case["outcome"]) for case in one["cases"]]
    key = f"verdict {one['task_id']} {one['sample']} {one['split']}"
    return key, f"{one['outcome']} {cases}"


def _judged(place: Path) -> Lines:
    """The verdicts of a run; a torn line is none."""
    found: Lines = {}
    path = place / "run" / "verdicts.jsonl"
    for line in path.read_text("utf-8", "replace").splitlines() if path.is_file() else ():
        try:
            key, told = _verdict(line)
        except (ValueError, TypeError, KeyError):
            continue
        found[key] = told
    return found


def _judged_so_far(place: Path) -> Lines:
    """Of a run that is not done: what the machine's trouble hindered is yet to be judged."""
    return {k: told for k, told in _judged(place).items() if not told.startswith("infrastructure")}


def _verdicts(_world: World, place: Path, said: str) -> Lines:
    found = _judged(place)
    for one in json.loads(said)["scores"]:
        key = " ".join(str(one.get(name)) for name in ("metric", "split", "group"))
        found[f"score {key}"] = f"{one['value']} of {one['n']}"
    return found


def _mined(_world: World, place: Path, said: str) -> Lines:
    del said
    found: Lines = {}
    with Store.open(place / "history.sqlite", readonly=True) as store:
        for version in VERSIONS:
            surface = store.surface(LIBRARY, version)
            found[f"{version} origin"] = str(surface.origin)
            for name, symbol in surface.symbols.items():
                found[f"{version} {name}"] = json.dumps(asdict(symbol), default=str)
            for scope, names in surface.scopes.items():
                found[f"{version} names of {scope}"] = str(names)
    return found


def _built(_world: World, place: Path, said: str) -> Lines:
    del said
    lines = (place / "built.jsonl").read_text(encoding="utf-8").splitlines()
    tasks: list[dict[str, Any]] = [json.loads(line) for line in lines[1:]]
    return {str(task["id"]): json.dumps(task, sort_keys=True) for task in tasks}


def _served(_world: World, _place: Path, said: str) -> Lines:
    told: Lines = json.loads(said)
    return told


WORKLOADS = (
    Workload(
        "score",
        _score,
        _verdicts,
        ("run/verdicts.jsonl",),
        builds=True,
        guests=True,
        verdicts=_judged_so_far,
    ),
    Workload(
        "eval",
        _eval,
        _verdicts,
        ("run/verdicts.jsonl", "run/calls.jsonl"),
        builds=True,
        guests=True,
        verdicts=_judged_so_far,
    ),
    Workload("mine", _mine, _mined, builds=True, guests=True),
    Workload("build", _build, _built),
    Workload("mcp", _serve, _served, writes=False),
)
