"""Whether ``check`` says why code fails: GitChameleon's references at other versions.

Each reference is run with its visible test in its own environment and in that of another version
of its library that the benchmark has, chosen by ``--seed``. Where it passes in the first and fails
in the second, ``check`` is asked
between the two versions, and nothing is run for that. It *says why* if a finding is on the line of
the solution that fails, or names what the error names. Failures are told apart: those that the
solution's own line raises, and those that only the test sees (another result), or meets itself.

    .venv/bin/python benchmarks/reasons.py [--data DIR] [--problems 100] [--seed 0] [--verbose]
"""

from __future__ import annotations

import argparse
import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from libdrift import config, suites
from libdrift.advisor.checking import CheckedCode, CodeChecker
from libdrift.advisor.loading import Releases
from libdrift.advisor.releases import ReleasePair
from libdrift.advisor.versions import VersionStep
from libdrift.environments import entries, recipe_for
from libdrift.errors import LibdriftError
from libdrift.execution import Options
from libdrift.execution.outputs import Observed, ScriptRun, observe
from libdrift.history import versions
from libdrift.records import Environment, Finding, Split, Task
from libdrift.sandbox import choose

USUAL = Path(__file__).parent.parent.parent / "shared" / "data"
BAR = 0.70
_FRAME = re.compile(r'File "(?:[^"]*/)?script\.py", line (\d+)')
_QUOTED = re.compile(r"['`\"]([\w.]+)['`\"]")


@dataclass(frozen=True)
class Trial:
    task: Task
    version: str  # of the library, that it was written for
    other: str
    there: Environment

    @property
    def script(self) -> str:
        tests = next(item for item in self.task.tests if item.split is Split.VISIBLE)
        return f"{self.task.reference}\n{tests.code}\n"


def trials(tasks: list[Task], seed: int) -> Iterator[Trial]:
    """Each task at another version of its library."""
    places: dict[str, dict[str, Environment]] = defaultdict(dict)
    for task in tasks:
        places[task.facts.library].setdefault(task.facts.version, task.environment)
    chance = random.Random(seed)  # noqa: S311  (a sample)
    chosen = list(tasks)
    chance.shuffle(chosen)
    for task in chosen:
        known = sorted(places[task.facts.library], key=versions.order)
        others = [version for version in known if version != task.facts.version]
        if others:
            other = chance.choice(others)
            yield Trial(task, task.facts.version, other, places[task.facts.library][other])


def failing_line(trial: Trial, seen: Observed) -> int:
    """The last line of the solution that the traceback passes; 0 if none, as in a test."""
    length = trial.task.reference.count("\n") + 1
    lines = [int(line) for line in _FRAME.findall(seen.ended.stderr)]
    inside = [line for line in lines if line <= length]
    return inside[-1] if inside else 0


def last_words(seen: Observed) -> str:
    lines = [line for line in seen.ended.stderr.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def says_why(item: Finding, line: int, error: str) -> bool:
    if line and item.line <= line <= item.end_line:
        return True
    named = {name.rpartition(".")[2] for name in _QUOTED.findall(error)}
    own = {item.symbol.rpartition(".")[2], item.parameter} - {""}
    return bool(named & own)


class Judge:
    """``check`` between two versions of a library, each pair loaded once."""

    def __init__(self) -> None:
        settings = config.load()
        self._releases = Releases(settings, settings.history)
        self._pairs: dict[tuple[str, str, str], ReleasePair | None] = {}

    def checked(self, trial: Trial) -> CheckedCode | None:
        key = (trial.task.facts.library, trial.version, trial.other)
        if key not in self._pairs:
            try:
                self._pairs[key] = self._releases.pair(VersionStep(*key, "GitChameleon"))[1]
            except LibdriftError as error:
                print(f"{' '.join(key)}: {error}")
                self._pairs[key] = None
        pair = self._pairs[key]
        return CodeChecker([pair]).check(trial.task.reference) if pair else None


def told(trial: Trial, seen: Observed, judge: Judge, *, verbose: bool) -> Counter[str]:
    """What is counted of a reference that fails there."""
    line, error = failing_line(trial, seen), last_words(seen)
    place = "in the solution" if line else "seen by the test"
    done = judge.checked(trial)
    found = [*done.findings, *done.guesses] if done else []
    why = any(says_why(item, line, error) for item in found)
    counts = Counter({"fail": 1, f"fail, {place}": 1})
    if why:
        counts += Counter({"why": 1, f"why, {place}": 1})
    counts["some finding"] += bool(found)
    if verbose and not why:
        text = trial.task.reference.splitlines()[line - 1].strip() if line else ""
        print(
            f"  MISSED {trial.task.id} {trial.version} -> {trial.other}: {error[:200]}\n    {text}"
        )
        for item in found:
            print(f"    ? {item.line} {item.level} {item.kind}: {item.message}")
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=USUAL)
    parser.add_argument("--problems", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--libraries", default="", help="only these, by commas")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    os.environ["LIBDRIFT_DATA"] = str(options.data)
    settings = config.load()
    wanted = {name for name in options.libraries.split(",") if name}
    built = {entry.key for entry in entries(settings) if entry.status == "ready"}
    tasks = [
        task
        for task in suites.load("gitchameleon", settings).tasks.values()
        if (not wanted or task.facts.library in wanted)
        and recipe_for(task.environment).key in built
        and any(item.split is Split.VISIBLE for item in task.tests)
    ]
    chosen = list(trials(tasks, options.seed))[: options.problems]
    run = Options(settings, choose("bubblewrap", settings), workers=1)
    here = [ScriptRun(one.task.environment, one.script, twice=False) for one in chosen]
    there = [ScriptRun(one.there, one.script, twice=False) for one in chosen]
    seen = observe([*here, *there], run)
    totals: Counter[str] = Counter(tried=len(chosen))
    judge = Judge()
    for one, own, other in zip(chosen, here, there, strict=True):
        if not seen[own].runs or seen[other].trouble:
            totals["not proven"] += 1
        elif not seen[other].runs:
            totals += told(one, seen[other], judge, verbose=options.verbose)
    for name, count in sorted(totals.items()):
        print(f"{name}: {count}")
    rate = totals["why"] / max(1, totals["fail"])
    print(f"says why in {rate:.1%}; bar {BAR:.0%} {'held' if rate >= BAR else 'MISSED'}")


if __name__ == "__main__":
    main()
