"""Telling: what a function gives in one of two releases that give different things.

The values are told, not computed: the answer is judged where the package is not installed. That
they are right is proven by the function itself, which gives them in the one release and not in the
other.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from types import MappingProxyType

from libdrift.build.live.before import told_elsewhere
from libdrift.build.live.drafting import PreparedProgram
from libdrift.build.live.measuring import CallOutcome
from libdrift.build.live.records import Draft, LiveFamily, PairEvidence
from libdrift.build.live.tasking import (
    SUITE,
    difficulty,
    environment_for,
    origin,
    task_id,
    tests_of,
)
from libdrift.records import (
    ChangeKind,
    Environment,
    Facts,
    Split,
    Task,
    TaskKind,
    Tests,
    WrongAnswer,
)

TOLD = "told"  # the function that is asked for
_MOST = 4  # calls
_LONGEST = 80  # characters of a value that somebody can be asked for
# What the interpreter, an optional library or drawn numbers decide: no release tells it.
_ELSEWHERE = re.compile(
    r"\bmemory_usage\b|sizeof|\b(?:MPQ|mpq|mpz|gmpy2?)\b"
    r"|\bseed\b|\brandom_state\b|\b(?:Random|RandomState|default_rng)\(|\b(?:np|numpy)\.random\b"
)


def draft_of_telling(
    evidence: PairEvidence, prepared: PreparedProgram, elsewhere: Sequence[CallOutcome]
) -> Draft | None:
    """A question for the values where the program is from; ``None`` where they cannot be told."""
    if _ELSEWHERE.search("\n".join([prepared.code, *prepared.values])):
        return None
    pairs = zip(prepared.calls, prepared.values, strict=True)
    kept = [(call, value) for call, value in pairs if "\n" not in call and _is_tellable(value)]
    kept = _varied(kept)
    others = dict(zip(prepared.calls, elsewhere, strict=True))
    if not any(_differs(value, others[call]) for call, value in kept):
        return None
    return _draft(evidence, prepared, [call for call, _ in kept], [value for _, value in kept])


def _varied(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The first few; where they all give one value, the last gives way to another."""
    first, rest = found[:_MOST], found[_MOST:]
    values = {value for _, value in first}
    if len(values) != 1:
        return first
    another = [pair for pair in rest if pair[1] not in values][:1]
    return [*first[:-1], *another] if another else []


def _differs(value: str, elsewhere: CallOutcome) -> bool:
    return not elsewhere.error and elsewhere.value != value


def _is_tellable(value: str) -> bool:
    if len(value) > _LONGEST:
        return False
    try:
        read = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return False
    # What is seen of a text has no blanks at its ends.
    return not isinstance(read, str) or read == read.strip()


def _draft(
    evidence: PairEvidence, prepared: PreparedProgram, calls: Sequence[str], values: Sequence[str]
) -> Draft:
    side = prepared.opening.side
    here, there = evidence.release(side), evidence.release(side.other)
    place = environment_for(evidence, side, ())
    release = f"{here.package} {here.version}"
    starter, reference = _starter(release, prepared.code, calls), _listed(values)
    symbol = prepared.opening.symbol
    source = {
        **origin(evidence, LiveFamily.BEHAVE, prepared),
        **told_elsewhere(environment_for(evidence, side.other, ())),
    }
    task = Task(
        id=task_id(here.package, here.version, LiveFamily.BEHAVE, symbol, starter + reference),
        suite=SUITE,
        kind=TaskKind.GENERATE,
        language="python",
        environment=Environment("python", place.runtime, (), place.as_of),
        title=f"Tell what {symbol or here.package} gives in {here.version}",
        problem=_problem(release, here.package),
        starter=starter,
        reference=reference,
        tests=_tests(values),
        facts=Facts(
            library=here.package,
            version=here.version,
            release_date=here.date,
            change=ChangeKind.BEHAVIOUR,
            symbol=symbol or None,
            difficulty=difficulty(prepared.code),
            tags=(SUITE, LiveFamily.BEHAVE.value),
            source="documentation",
            scenario="realistic",
            from_version=there.version,
            from_date=there.date,
            style="functional",
        ),
        wrong=WrongAnswer(_computed(prepared.code, calls), place, f"computed with {release}"),
        source=MappingProxyType({SUITE: source}),
    )
    return Draft(task, LiveFamily.BEHAVE, MappingProxyType(source))


def _problem(release: str, package: str) -> str:
    return (
        f"The comment shows a function that is run with {release}; another release of {package} "
        f"gives something else. Write `{TOLD}` so that it returns a list of what the function "
        f"returns with {release} for each of the calls, in their order: Python literals in place "
        f"of `...`. {package} is not installed where `{TOLD}` is run: it cannot compute them."
    )


def _starter(release: str, code: str, calls: Sequence[str]) -> str:
    shown = "\n".join(f"#     {line}".rstrip() for line in code.rstrip("\n").splitlines())
    rows = "\n".join(f"        ...,  # {call}" for call in calls)
    return f"# With {release}:\n#\n{shown}\n\n\ndef {TOLD}():\n    return [\n{rows}\n    ]\n"


def _listed(values: Sequence[str]) -> str:
    rows = "\n".join(f"        {value}," for value in values)
    return f"def {TOLD}():\n    return [\n{rows}\n    ]\n"


def _computed(code: str, calls: Sequence[str]) -> str:
    """The answer of somebody who has the release."""
    return f"{code.rstrip()}\n\n\n{_listed(calls)}"


def _tests(values: Sequence[str]) -> tuple[Tests, ...]:
    calls = [f"{TOLD}()[{at}]" for at in range(len(values))]
    hidden = next(one for one in tests_of(calls, values) if one.split is Split.HIDDEN)
    return (
        Tests(hidden.split, hidden.style, f"{hidden.code}assert len({TOLD}()) == {len(values)}\n"),
    )
