"""From statements of examples to functions whose values are measured: what all families share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from libdrift.build.live.inputs import variations
from libdrift.build.live.measuring import CallOutcome, ProgramTrial
from libdrift.build.live.programs import (
    ExampleProgram,
    ParameterNames,
    called_with,
    needed_by,
    program_of,
)
from libdrift.build.live.records import PairEvidence, Side
from libdrift.mining.examples.extracting import DocExample
from libdrift.mining.examples.uses import ExampleUses, called
from libdrift.records import ExampleOutcome
from libdrift.records.surfaces import BY_PLACE

_MOST_ARGUMENTS = 3
_MOST_CALLS = 8  # of the function, in all tests
_LEAST_CALLS = 3
_LEAST_OF_TWO = 4  # calls, where there are but two values
_TRIED = 4  # variations of one literal
_PER_EXAMPLE = 2  # statements
# Numbers of no meaning: an argument out of bounds, or a result of cancellation.
_HUGE = re.compile(r"\d{12,}\.0\b|\de[+-]?\d{2}\b")
_BY_KEYWORD = 12  # paths with one last name: more say nothing of parameters


@dataclass(frozen=True, slots=True)
class Opening:
    """A statement that shows a value, in the release that it runs in."""

    example: DocExample
    at: int  # the statement whose value is wanted
    side: Side
    cause: int  # the statement that goes another way in the other release
    symbol: str = ""  # what that statement uses


@dataclass(frozen=True, slots=True)
class PreparedProgram:
    """A function with calls whose values are measured where it runs, the same with every seed."""

    opening: Opening
    program: ExampleProgram
    calls: tuple[str, ...]  # the example's own first
    values: tuple[str, ...]

    @property
    def code(self) -> str:
        return self.program.code

    def only(self, kept: Sequence[int]) -> PreparedProgram:
        calls = tuple(self.calls[index] for index in kept)
        return replace(self, calls=calls, values=tuple(self.values[index] for index in kept))

    @property
    def is_telling(self) -> bool:
        """Whether no constant passes for it: the values differ, and there are some."""
        distinct = len(set(self.values))
        least = _LEAST_OF_TWO if distinct == 2 else _LEAST_CALLS  # noqa: PLR2004
        return distinct > 1 and len(self.calls) >= least


def openings(
    evidence: PairEvidence, side: Side, outcomes: Iterable[ExampleOutcome]
) -> Iterator[Opening]:
    """Statements of examples that go another way in the other release, in a fixed order."""
    wanted = set(outcomes)
    for key, example in sorted(evidence.examples.items()):
        for found in evidence.compared[key].divergences:
            if found.outcome in wanted:
                symbol = symbol_of(evidence.uses(side), example, found.at)
                places = _showing(evidence, example, side, found.at)
                for at in places[:_PER_EXAMPLE]:
                    yield Opening(example, at, side, found.at, symbol)


def symbol_of(uses: ExampleUses, example: DocExample, at: int) -> str:
    """What a statement calls of the package last; else whose documentation it is."""
    calls = called(uses.of(example)[at])
    return calls[-1] if calls else example.path


def _showing(evidence: PairEvidence, example: DocExample, side: Side, cause: int) -> list[int]:
    """The statement itself, or later ones that need it and show something."""
    run = evidence.runs(side)[example.key].statements
    found = []
    for at in range(cause, min(len(run), len(example.statements))):
        statement = example.statements[at]
        if run[at].failed or statement.may_raise or statement.tells_of_itself:
            continue
        if at == cause or (run[at].output.strip() and cause in needed_by(example, at)):
            found.append(at)
    return found


def parameter_names(uses: ExampleUses) -> ParameterNames:
    """Names of the positional parameters of everything that is called so, where all agree."""
    view = uses.view

    def names(label: str) -> Sequence[str]:
        paths = view.by_last.get(label, [])
        known = set()
        for path in paths[:_BY_KEYWORD]:
            symbol = view.symbol(path)
            if symbol is not None and symbol.signature is not None:
                taken = (one for one in symbol.signature.parameters if one.kind in BY_PLACE)
                known.add(tuple(one.name for one in taken))
        return next(iter(known)) if len(known) == 1 else ()

    return names


def prepare(
    evidence: PairEvidence, asked: Iterable[Opening], left_out: Counter[str] | None = None
) -> Iterator[PreparedProgram]:
    """The openings that become functions of at least one argument, measured where they run."""
    made: dict[str, tuple[Opening, ExampleProgram]] = {}
    reasons: Counter[str] = Counter() if left_out is None else left_out
    for opening in asked:
        names = parameter_names(evidence.uses(opening.side))
        program = program_of(opening.example, opening.at, names)
        if isinstance(program, str):
            reasons[program] += 1
        elif program.inputs:
            made.setdefault(program.code, (opening, program))
        else:
            reasons["it has no value that could be another"] += 1
    for side in Side:
        here = [item for item in made.values() if item[0].side is side]
        found = list(_measured(evidence, side, here))
        reasons["its values cannot be measured, or are too much alike"] += len(here) - len(found)
        yield from found


def _measured(
    evidence: PairEvidence, side: Side, made: Sequence[tuple[Opening, ExampleProgram]]
) -> Iterator[PreparedProgram]:
    bench = evidence.bench
    explored = [_exploration(program) for _, program in made]
    told = bench.measure(side, [ProgramTrial(p.code, tuple(calls)) for (_, p), calls in
                                zip(made, explored, strict=True)])  # fmt: skip
    chosen: list[tuple[Opening, ExampleProgram, tuple[str, ...]]] = []
    for (opening, program), outcomes in zip(made, told, strict=True):
        final = _chosen(program, outcomes)
        if final is not None:
            chosen.append((opening, *final))
    trials = [ProgramTrial(program.code, calls) for _, program, calls in chosen]
    first, second = (bench.measure(side, trials, seed) for seed in (0, 1))
    for (opening, program, calls), one, other in zip(chosen, first, second, strict=True):
        kept = [at for at in range(len(calls)) if _is_steady(one[at], other[at])]
        values = tuple(outcome.value for outcome in one)
        prepared = PreparedProgram(opening, program, calls, values).only(kept)
        if kept[:1] == [0] and prepared.is_telling:
            yield prepared


def _is_steady(one: CallOutcome, other: CallOutcome) -> bool:
    return one == other and one.form == "value" and one.is_plain and not _HUGE.search(one.value)


def _exploration(program: ExampleProgram) -> list[str]:
    """The example's own call, then calls with one other argument each."""
    calls = [called_with(program.own)]
    for place, one in enumerate(program.inputs):
        before, after = program.own[:place], program.own[place + 1 :]
        calls += [called_with([*before, o, *after]) for o in variations(one.source, _TRIED)]
    return calls


def _chosen(
    program: ExampleProgram, told: Sequence[CallOutcome]
) -> tuple[ExampleProgram, tuple[str, ...]] | None:
    """The function of those literals that matter and may be others, and calls of it."""
    own = told[0]
    if not own.is_plain or own.form not in {"value", "item", "tolist", "dict", "tuple", "set",
                                            "list", "text"}:  # fmt: skip
        return None
    at = 1
    alive: list[tuple[int, str, list[str]]] = []
    for one in program.inputs:
        others = variations(one.source, _TRIED)
        outcomes = told[at : at + len(others)]
        at += len(others)
        working = [
            other
            for other, outcome in zip(others, outcomes, strict=True)
            if outcome.is_plain and outcome.form == own.form
        ]
        distinct = {o.value for o in outcomes if o.is_plain} - {own.value}
        if len(working) > 1 and distinct:
            alive.append((len(distinct), one.name, working))
    alive = sorted(alive, key=lambda item: -item[0])[:_MOST_ARGUMENTS]
    if not alive:
        return None
    works = {name: others for _, name, others in alive}
    kept = [works[one.name] for one in program.inputs if one.name in works]
    final = replace(program.lifted(list(works)), form=own.form)
    return final, tuple(_calls(final, kept))


def _calls(program: ExampleProgram, works: Sequence[Sequence[str]]) -> list[str]:
    """The own call, one with each variation, and some where all arguments are others."""
    found = {called_with(program.own): None}
    own = program.own
    for turn in range(_TRIED):
        for place, others in enumerate(works):
            if turn < len(others):
                arguments = [*own[:place], others[turn], *own[place + 1 :]]
                found[called_with(arguments)] = None
        if turn == 0 and len(program.inputs) > 1:
            for mixed in product(*(others[:2] for others in works)):
                found[called_with(mixed)] = None
                if len(found) >= _MOST_CALLS // 2:
                    break
    return list(found)[:_MOST_CALLS]
