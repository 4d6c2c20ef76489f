"""Soak: commands run for a while under faults; nothing may be lost, changed or left behind.

    .venv/bin/python -m benchmarks.soak [--minutes 60] [--faults N] [--seed 0] [--only KIND]
                                        [--beside 4]

`score`, `eval` (a provider that errs), `mine`, `build` and `mcp` run on a library of our own, from
an index on this machine, in a folder of their own; the user's cache and history are not touched.
Each fault is followed by the same command once more, which may meet the next fault; what it comes
to in the end must be, line by line, what a run comes to that nothing disturbed. Some soaks run
beside each other, each in a folder of its own. A line of JSON a fault goes to ``--log``.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Collection, Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks.soak.beside import FOUND, soak_beside
from benchmarks.soak.cycle import Baseline, Outcome, baseline, cycle
from benchmarks.soak.faults import FAULTS, Fault
from benchmarks.soak.workloads import WORKLOADS, Workload
from benchmarks.soak.world import LIBDRIFT, World, opened
from libdrift.sandbox.processes import adopt_orphans

# For `make test`: quick ones, one for each way that faults come in.
BRIEF = (
    ("score", ("kill everything", "torn line")),
    ("mine", ("kill libdrift",)),
    ("build", ("interrupt",)),
)
_SELDOM = 4  # turns: in one of so many, `eval` takes part
_BUILDERS = ("score", "mine")
_AT_ONCE = 3  # faults that one run meets, at most


def rounds(
    world: World, chance: random.Random, only: str, which: str
) -> Iterator[tuple[Workload, list[Fault]]]:
    """Faults by turns, each upon each of the workloads that it can happen to, a few at a time."""
    able = [one for one in FAULTS if not one.able(world) and re.search(only, one.kind)]
    for one in FAULTS:
        if one.able(world):
            print(f"left out: {one.kind} ({one.able(world)})")
    turn = 0
    order = {one.kind: at for at, one in enumerate(FAULTS)}
    while True:
        chance.shuffle(able)
        upon: dict[str, list[Fault]] = {one.name: [] for one in WORKLOADS}
        for fault in able:
            fit = [one for one in WORKLOADS if fault.needs(one) and re.search(which, one.name)]
            if turn % _SELDOM:  # it takes longest, by far
                fit = [one for one in fit if one.name != "eval"]
            if fit:
                upon[fit[(turn + order[fault.kind]) % len(fit)].name].append(fault)
        groups = [
            (one, upon[one.name][at : at + _AT_ONCE])
            for one in WORKLOADS
            for at in range(0, len(upon[one.name]), _AT_ONCE)
        ]
        chance.shuffle(groups)
        yield from groups
        turn += 1


def brief_rounds() -> list[tuple[Workload, list[Fault]]]:
    workloads = {one.name: one for one in WORKLOADS}
    faults = {one.kind: one for one in FAULTS}
    return [(workloads[name], [faults[kind] for kind in kinds]) for name, kinds in BRIEF]


def prepare(world: World, names: Collection[str], *, brief: bool) -> dict[str, Baseline]:
    """Mine what only readers need, and run everything once undisturbed."""
    import subprocess

    mine = [*LIBDRIFT, "mine", "soakling", "--runtime", "always", "--json"]
    subprocess.run(mine, env=world.environ(), cwd=world.root, check=True, stdout=subprocess.DEVNULL)
    wanted = [one for one in WORKLOADS if one.name in names]
    first = {}
    for one in wanted:
        # The first run of those builds environments, which no other one does.
        runs = 2 if one.name in _BUILDERS and not brief else 1
        first[one.name] = found = baseline(world, one, runs)
        took = f"{found.seconds:.1f} s, {found.cpu:.1f} s of processors"
        print(f"undisturbed {one.name}: {len(found.lines)} lines in {took}", flush=True)
    return first


def soak(world: World, arguments: argparse.Namespace) -> list[Outcome]:
    chance = random.Random(arguments.seed)  # noqa: S311  (not for secrets)
    names = {one.name for one in WORKLOADS if re.search(arguments.workload, one.name)}
    turns = rounds(world, chance, arguments.only, arguments.workload)
    if arguments.brief:
        names, turns = {name for name, _ in BRIEF}, iter(brief_rounds())
    usual = prepare(world, names, brief=arguments.brief)
    end = time.monotonic() + arguments.minutes * 60
    found: list[Outcome] = []
    log = arguments.log.open("a", encoding="utf-8") if arguments.log else None
    for workload, faults in turns:
        waiting = deque(faults)
        while waiting:  # those that a run did not meet, as it came to its end, are for the next
            if time.monotonic() > end or sum(one.injected for one in found) >= arguments.faults:
                return found
            try:
                met = cycle(world, workload, waiting, usual[workload.name], chance)
            except KeyboardInterrupt:
                return found
            found += met
            for one in met:
                if log is not None:
                    print(json.dumps({**asdict(one), "printed": ""}), file=log, flush=True)
                if not one.survived:
                    tell(one)
    return found


def tell(one: Outcome) -> None:
    before = f" after {', '.join(one.after)}" if one.after else ""
    print(f"DEFECT {one.workload}, {one.kind}{before} (ended with {one.code}):", flush=True)
    for word in ("lost", "changed", "leaked", "unexplained"):
        for line in getattr(one, word)[:5]:
            print(f"    {word}: {line}", flush=True)


def summary(found: list[Outcome]) -> int:
    """The table and the exit code."""
    done = [one for one in found if one.injected]
    kinds = Counter(one.kind for one in done)
    for kind, count in sorted(kinds.items()):
        well = sum(one.survived for one in done if one.kind == kind)
        print(f"{kind:24} {count:4} injected {well:4} survived")
    print(
        f"faults injected {len(done)} of {len(kinds)} kinds, "
        f"survived {sum(one.survived for one in done)}, "
        f"lost {sum(len(one.lost) for one in found)}, "
        f"changed verdicts {sum(len(one.changed) for one in found)}, "
        f"leaks {sum(len(one.leaked) for one in found)}, "
        f"unexplained {sum(len(one.unexplained) for one in found)}"
    )
    return 0 if all(one.survived for one in found) else FOUND


def soak_alone(arguments: argparse.Namespace) -> list[Outcome]:
    adopt_orphans()
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name,
        opened(arguments.folder or Path(name, "soak")) as world,
    ):
        return soak(world, arguments)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--faults", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="Faults whose kind matches this pattern.")
    parser.add_argument("--workload", default="", help="Workloads whose name matches this pattern.")
    parser.add_argument("--brief", action="store_true", help="A few faults, in under a minute.")
    parser.add_argument("--beside", type=int, default=1, help="So many soaks at the same time.")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--folder", type=Path, help="An empty folder; a temporary one by default.")
    arguments = parser.parse_args(argv)
    if arguments.beside > 1:
        found, failed = soak_beside(arguments)
    else:
        found, failed = soak_alone(arguments), 0
    return summary(found) or int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
