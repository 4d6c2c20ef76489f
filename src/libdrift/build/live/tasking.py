"""A draft's task: where it runs, what is asked, its tests."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from libdrift.build.live.drafting import PreparedProgram
from libdrift.build.live.programs import FUNCTION
from libdrift.build.live.records import Draft, LiveFamily, PairEvidence, Side
from libdrift.records import (
    ChangeKind,
    Environment,
    Facts,
    Split,
    Task,
    TaskKind,
    Tests,
    TestStyle,
    WrongAnswer,
)

SUITE = "live"
_VISIBLE = 2  # calls
_SHORT, _LONG = 4, 9  # lines of a reference

_CLOSE = """\
def is_close(one, other):
    if isinstance(other, float) or isinstance(one, float):
        if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
            return False
        return abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))
    if isinstance(other, (list, tuple)):
        same = type(one) is type(other) and len(one) == len(other)
        return same and all(map(is_close, one, other))
    if isinstance(other, dict):
        same = isinstance(one, dict) and one.keys() == other.keys()
        return same and all(is_close(one[key], other[key]) for key in other)
    return one == other


"""


@dataclass(frozen=True, slots=True)
class DraftedPair:
    """A program that is given, and one that is right in the target's release."""

    prepared: PreparedProgram  # calls and the wanted values
    starter: str
    reference: str
    target: Side
    problem: str
    change: ChangeKind | None


def tests_of(calls: Sequence[str], values: Sequence[str]) -> tuple[Tests, ...]:
    """Some are shown; all decide."""
    visible = _asserted(calls[:_VISIBLE], values[:_VISIBLE])
    hidden = _asserted(calls, values)
    return (
        Tests(Split.VISIBLE, TestStyle.SCRIPT, visible),
        Tests(Split.HIDDEN, TestStyle.SCRIPT, hidden),
    )


def _asserted(calls: Sequence[str], values: Sequence[str]) -> str:
    """One check each. Numbers with a fraction need not agree in their last digits."""
    lines = []
    for call, value in zip(calls, values, strict=True):
        form = "assert is_close({}, {})" if has_float(value) else "assert {} == {}"
        lines.append(form.format(call, value))
    helper = _CLOSE if any("is_close(" in line for line in lines) else ""
    return helper + "\n".join(lines) + "\n"


def has_float(source: str) -> bool:
    tree = ast.parse(source, mode="eval")
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return any(isinstance(node.value, float) for node in nodes)


def environment_for(evidence: PairEvidence, side: Side, codes: Sequence[str]) -> Environment:
    """Exactly what was installed when the values were measured, by exact pins.

    Of what code does not import, the package may import it all the same, when it is called.
    """
    del codes
    place = evidence.places.old if side is Side.OLD else evidence.places.new
    given = place.environment
    pins = [line.split(";")[0].split()[0] for line in place.resolution if "==" in line]
    return Environment(given.language, given.runtime, tuple(pins), given.as_of)


def task_of(
    evidence: PairEvidence, family: LiveFamily, made: DraftedPair, source: Mapping[str, str]
) -> Task:
    """The task of a draft whose starter is right in the other release, and wrong in this."""
    codes = (made.starter, made.reference)
    here, there = evidence.release(made.target), evidence.release(made.target.other)
    prepared = made.prepared
    environment = environment_for(evidence, made.target, codes)
    other = environment_for(evidence, made.target.other, codes)
    symbol = prepared.opening.symbol
    forward = made.target is Side.NEW
    facts = Facts(
        library=here.package,
        version=here.version,
        release_date=here.date,
        change=made.change,
        symbol=symbol or None,
        direction="old-to-new" if forward else "new-to-old",
        difficulty=difficulty(made.reference),
        tags=(SUITE, family.value),
        source="documentation",
        scenario="realistic",
        from_version=there.version,
        from_date=there.date,
        style="functional",
    )
    name = task_id(here.package, here.version, family, symbol, made.starter + made.reference)
    return Task(
        id=name,
        suite=SUITE,
        kind=TaskKind.MIGRATE,
        language="python",
        environment=environment,
        title=f"{family.value.capitalize()} {symbol or here.package} for {here.version}",
        problem=made.problem,
        starter=made.starter,
        reference=made.reference,
        tests=tests_of(prepared.calls, prepared.values),
        facts=facts,
        wrong=WrongAnswer(made.starter, other, f"as {there.package} {there.version} has it"),
        source=MappingProxyType({SUITE: dict(source)}),
    )


def draft_of(evidence: PairEvidence, family: LiveFamily, made: DraftedPair) -> Draft:
    source = origin(evidence, family, made.prepared)
    return Draft(task_of(evidence, family, made, source), family, MappingProxyType(source))


def origin(evidence: PairEvidence, family: LiveFamily, prepared: PreparedProgram) -> dict[str, str]:
    """Where a task is from, without a word of the library's text."""
    opening = prepared.opening
    return {
        "family": family.value,
        "package": evidence.old.release.package,
        "old": evidence.old.release.version,
        "new": evidence.new.release.version,
        "symbol": opening.symbol,
        "example": opening.example.path or opening.example.page,
    }


def difficulty(reference: str) -> str:
    lines = sum(bool(line.strip()) for line in reference.splitlines())
    return "easy" if lines <= _SHORT else "medium" if lines <= _LONG else "hard"


def task_id(package: str, version: str, family: LiveFamily, symbol: str, content: str) -> str:
    last = re.sub(r"\W+", "", symbol.rpartition(".")[2]) or "example"
    digest = hashlib.sha256(content.encode()).hexdigest()[:6]
    return f"{package}-{version}-{family.value}-{last}-{digest}"


def example_of(prepared: PreparedProgram) -> str:
    """One call and its value, in words."""
    return f"`{prepared.calls[0]}` returns `{prepared.values[0]}`"


def kind_of_change(evidence: PairEvidence, symbol: str) -> ChangeKind | None:
    """What the history tells of a symbol between the two releases; the telling kinds first."""
    found = {
        change.kind
        for change in evidence.changes
        if symbol in (change.path, *change.aliases) or symbol.startswith(f"{change.path}.")
    }
    return next((kind for kind in _TELLING if kind in found), None)


_TELLING = (
    ChangeKind.RENAMED,
    ChangeKind.MOVED,
    ChangeKind.REMOVED,
    ChangeKind.SIGNATURE,
    ChangeKind.INTRODUCED,
    ChangeKind.DEPRECATED,
    ChangeKind.UNDEPRECATED,
    ChangeKind.BEHAVIOUR,
)

__all__ = ["FUNCTION", "DraftedPair", "draft_of", "environment_for", "task_of", "tests_of"]
