"""Some answers of a run: by conditions on facts, such as ``library=numpy`` or ``year>=2022``."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from packaging.version import InvalidVersion, Version

from libdrift.analysis.observing import ObservedRun
from libdrift.errors import UserError
from libdrift.records import Observation

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": ge, "<=": le, "!=": ne, "=": eq, ">": gt, "<": lt,
}  # fmt: skip
_CONDITION = re.compile(r"\s*([\w ]*\w)\s*(>=|<=|!=|==|=|>|<)\s*(.*?)\s*", re.DOTALL)
_SHOWN = 10
_DIGITS = 300  # of a number in a name; more is a word, and no number to compute with
# Not facts of a task, but known of every answer.
_OWN: dict[str, Callable[[Observation], str]] = {
    "task": lambda one: one.task_id,
    "outcome": lambda one: one.outcome.value,
    "run": lambda one: one.run,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A fact, how it is compared, and with what."""

    fact: str
    comparison: str
    value: str

    def holds(self, observation: Observation) -> bool:
        """Whether it holds of an answer. What is unknown is unequal to everything."""
        found = value_of(observation, self.fact)
        if found is None:
            return self.comparison == "!="
        spellings = {found, found.rpartition(" ")[2]} if self.fact == "version" else {found}
        compared = [self._compare(one) for one in spellings]
        return all(compared) if self.comparison == "!=" else any(compared)

    def _compare(self, found: str) -> bool:
        compare = _COMPARISONS[self.comparison]
        if self.comparison in {"=", "!="}:
            return compare(found.casefold(), self.value.casefold())
        first, second = ordering(found), ordering(self.value)
        # A number and a word have no order: neither is more than the other.
        return type(first) is type(second) and compare(first, second)


def read_condition(text: str) -> Condition:
    """``year>=2022`` as a condition; an error in one line if it is none."""
    found = _CONDITION.fullmatch(text)
    if found is None or not found[3]:
        raise UserError(
            f"--where {text}: not a condition",
            "Write FACT=VALUE, or with !=, >=, <=, > or <, like --where 'year>=2022'",
        )
    comparison = "=" if found[2] == "==" else found[2]
    return Condition(found[1].casefold(), comparison, found[3])


def where(observations: Iterable[Observation], conditions: Sequence[str]) -> list[Observation]:
    """The answers that all conditions hold of; of several ``=`` on one fact one is enough."""
    rows = list(observations)
    if not conditions:
        return rows
    holds = matcher(rows, conditions)
    found = [row for row in rows if holds(row)]
    if not found:
        fact = read_condition(conditions[0]).fact
        values = sorted({value for row in rows if (value := value_of(row, fact))}, key=natural)
        more = ", …" if len(values) > _SHOWN else ""
        raise UserError(
            f"no answer has {' and '.join(conditions)}",
            f"{fact} is one of {', '.join(values[:_SHOWN])}{more}",
        )
    return found


def matcher(
    rows: Sequence[Observation], conditions: Sequence[str]
) -> Callable[[Observation], bool]:
    """What tells the answers that conditions hold of; they must be of facts that some row has."""
    asked = [read_condition(text) for text in conditions]
    known = facts_of_all(rows)
    for condition in asked:
        check_fact(condition.fact, known, "--where")
    either: defaultdict[str, list[Condition]] = defaultdict(list)
    every = []
    for condition in asked:
        if condition.comparison == "=":
            either[condition.fact].append(condition)
        else:
            every.append(condition)
    return lambda row: (
        all(one.holds(row) for one in every)
        and all(any(one.holds(row) for one in group) for group in either.values())
    )


def facts_of_all(observations: Iterable[Observation]) -> list[str]:
    """The names of all facts that are known of some answer, and what every answer has."""
    found: dict[str, None] = {}
    for row in observations:
        found |= dict.fromkeys(row.facts)
    return [*found, *_OWN]


def value_of(observation: Observation, fact: str) -> str | None:
    """What an answer has of a fact; ``None`` if that is unknown."""
    if fact in observation.facts:
        return observation.facts[fact]
    own = _OWN.get(fact)
    return own(observation) if own else None


def release_of(facts: Mapping[str, str]) -> str | None:
    """A task's version without the name of its library, which ``version`` has before it."""
    version = facts.get("release") or facts.get("version")
    return version and version.removeprefix(f"{facts.get('library', '')} ")


def check_fact(name: str, known: Sequence[str], option: str) -> None:
    """An error in one line, with what is known, if a fact is not."""
    if name in known:
        return
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    raise UserError(
        f"{option} {name}: unknown for these answers",
        f"{hint}Available: {', '.join(known) or 'none'}",
    )


def ordering(text: str) -> Version | str:
    """What a value is ordered by: numbers, dates and versions by their parts, words by letters."""
    try:
        return Version(text.replace("-", "."))
    except InvalidVersion:
        return text.casefold()


def natural(text: str) -> tuple[tuple[int, Any], ...]:
    """Version 1.9 stands before 1.10, and words by their letters."""
    parts = re.findall(r"\d+|\D+", text)
    return tuple(
        (0, int(part)) if part.isdecimal() and len(part) <= _DIGITS else (1, part.casefold())
        for part in parts
    )


def restricted(runs: Sequence[ObservedRun], conditions: Sequence[str]) -> tuple[ObservedRun, ...]:
    """The runs with only those answers that the conditions hold of."""
    if not conditions:
        return tuple(runs)
    kept = {id(row) for row in where([row for run in runs for row in run.observations], conditions)}
    found = []
    for run in runs:
        rows = tuple(row for row in run.observations if id(row) in kept)
        found.append(replace(run, observations=rows, tasks=len({row.task_id for row in rows})))
    return tuple(found)
