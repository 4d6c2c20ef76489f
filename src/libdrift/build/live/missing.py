"""What a release brought, missing in a program that uses it: the families that ask for it share it.

The name is nowhere in what is shown. What it does is told by the documentation, what it is given is
told as the program has it, and what comes before and after it is shown: a candidate has to know the
API, and nothing has to be guessed.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count

from libdrift.build.live.describing import Description, described, described_parameter, tells
from libdrift.build.live.drafting import Opening, PreparedProgram, prepare
from libdrift.build.live.holes import Hole, Introduction, hole_in
from libdrift.build.live.loops import as_value
from libdrift.build.live.measuring import ProgramTrial, are_same
from libdrift.build.live.programs import ExampleProgram
from libdrift.build.live.records import PairEvidence, Side, words
from libdrift.build.results import veiled
from libdrift.history.views import View
from libdrift.mining.examples.comparing import CODE
from libdrift.mining.examples.extracting import DocExample
from libdrift.mining.examples.uses import called, keywords_of, paths_of, slice_of
from libdrift.records import ChangeKind, ExampleOutcome

_PER_EXAMPLE = 4  # statements
_KEPT = 16  # symbols that did not change and are tried
_DEEPEST = 2  # modules that such a symbol is below
_REASONS = {CODE, "undefined name"}  # why a program without the API fails


@dataclass(frozen=True, slots=True)
class MissingCall:
    prepared: PreparedProgram
    introduction: Introduction
    description: str
    hole: Hole


def missing_calls(evidence: PairEvidence, left_out: Counter[str]) -> Iterator[MissingCall]:
    """Programs that run in the newer release alone, for want of one thing in the older one."""
    brought = _introductions(evidence)
    asked: dict[Opening, Introduction] = {}
    for key, example in sorted(evidence.examples_new.found.items()):
        for divergence in evidence.compared[key].divergences:
            if divergence.outcome is not ExampleOutcome.RUNS:
                continue
            found = _cause(evidence, example, divergence.at, brought)
            if found is None:
                left_out["not for want of what the release brought"] += 1
                continue
            objection = not_to_be_asked(evidence.uses_new.view, found)
            if objection:
                left_out[objection] += 1
                continue
            for at in _showing(evidence, example, divergence.at, found):
                shown, place = as_value(example, at)
                asked[Opening(shown, place, Side.NEW, divergence.at, found.path)] = found
    prepared = [_without_name(one, asked[one.opening]) for one in prepare(evidence, asked)]
    left_out["no function whose values can be measured"] += len(asked) - len(prepared)
    trials = [ProgramTrial(one.code, one.calls) for one in prepared]
    before = evidence.bench.measure(Side.OLD, trials)
    for one, outcomes in zip(prepared, before, strict=True):
        if not all(told.error and told.reason in _REASONS for told in outcomes):
            left_out["it does not fail in the release before"] += 1
            continue
        made = _missing(evidence, one, asked[one.opening])
        if isinstance(made, str):
            left_out[made] += 1
        else:
            yield made


def kept_calls(evidence: PairEvidence, left_out: Counter[str]) -> Iterator[MissingCall]:
    """Programs that give the same in both releases, each with something else of the package."""
    asked = dict(list(_kept(evidence))[:_KEPT])
    prepared = [_without_name(one, asked[one.opening]) for one in prepare(evidence, asked)]
    trials = [ProgramTrial(one.code, one.calls) for one in prepared]
    before = evidence.bench.measure(Side.OLD, trials)
    for one, outcomes in zip(prepared, before, strict=True):
        values = [told.value for told in outcomes]
        if not all(values) or not are_same(values, one.values):
            left_out["unchanged: it gives something else in the release before"] += 1
            continue
        made = _missing(evidence, one, asked[one.opening])
        if isinstance(made, str):
            left_out[f"unchanged: {made}"] += 1
        else:
            yield made


def _kept(evidence: PairEvidence) -> Iterator[tuple[Opening, Introduction]]:
    """A statement for each symbol that did not change, in an order of the release's own."""
    changed = {path for one in evidence.changes for path in (one.path, *one.aliases)}
    view = evidence.uses_new.view
    found: dict[str, Opening] = {}
    for key, example in sorted(evidence.examples_new.found.items()):
        if key not in evidence.examples_old.found or evidence.compared[key].divergences:
            continue
        runs = evidence.runs_new[key].statements
        for at, uses in enumerate(evidence.uses_new.of(example)[: len(runs)]):
            statement, run = example.statements[at], runs[at]
            calls = called(uses)
            if run.failed or statement.may_raise or not run.output.strip() or not calls:
                continue
            path = calls[-1]
            if path in changed or path in found or not_to_be_asked(view, Introduction(path)):
                continue
            if _depth(view, path) <= _DEEPEST and evidence.manual.offers(view, path):
                found[path] = Opening(*as_value(example, at), Side.NEW, at, path)
    version = evidence.new.release.version
    for path in sorted(found, key=lambda one: veiled(f"{version} {one}")):
        yield found[path], Introduction(path)


def not_to_be_asked(view: View, asked: Introduction) -> str:
    """Why nobody can be expected to use it; empty where somebody can."""
    symbol = view.symbol(asked.path)
    told = symbol.deprecations if symbol else ()
    if any(one.parameter == asked.parameter and not one.conditional for one in told):
        return "it is deprecated"
    if "._" in asked.path or any(view.rank(asked.path)[:2]):
        return "it is for the package's own use"
    return ""


def _depth(view: View, path: str) -> int:
    """How many modules a name is below: far down, packages keep what helps themselves."""
    name = view.find(path)
    own = name.target.rpartition(":")[2] if name and ":" in name.target else ""
    return path.count(".") - own.count(".")


def _introductions(evidence: PairEvidence) -> dict[str, Introduction]:
    """By path, or `path(parameter)`, each under every name that it has."""
    found: dict[str, Introduction] = {}
    for change in evidence.changes:
        parameter = ""
        if change.kind is ChangeKind.SIGNATURE and change.aspect == "added":
            parameter = change.parameter
            if not parameter.isidentifier():
                continue
        elif change.kind is not ChangeKind.INTRODUCED:
            continue
        for path in (change.path, *change.aliases):
            key = f"{path}({parameter})" if parameter else path
            found.setdefault(key, Introduction(change.path, parameter, change))
    return found


def _showing(
    evidence: PairEvidence, example: DocExample, cause: int, asked: Introduction
) -> list[int]:
    """Statements that show something, and need what is asked for."""
    name = re.compile(rf"\b{re.escape(asked.hidden)}\b")
    found = []
    runs = evidence.runs_new[example.key].statements
    for at in range(cause, min(len(runs), len(example.statements))):
        statement, run = example.statements[at], runs[at]
        if run.failed or statement.may_raise or statement.tells_of_itself or not run.output.strip():
            continue
        needed = slice_of(example, at)
        if any(name.search(line) for line in needed if not line.startswith(("import ", "from "))):
            found.append(at)
    return found[:_PER_EXAMPLE]


def _cause(
    evidence: PairEvidence, example: DocExample, at: int, brought: Mapping[str, Introduction]
) -> Introduction | None:
    """What the statement that fails in the older release uses of what the newer one brought."""
    uses = evidence.uses_new.of(example)[at]
    named = [brought[path] for path in paths_of(uses) if path in brought]
    named += [brought[key] for key in keywords_of(uses) if key in brought]
    distinct = list({(one.path, one.parameter): one for one in named}.values())
    return distinct[0] if len(distinct) == 1 else None


def _without_name(prepared: PreparedProgram, asked: Introduction) -> PreparedProgram:
    """With other names for the arguments that would tell what is asked for."""
    inputs = tuple(
        replace(one, name=_other_name(at, prepared.program))
        if tells(one.name, asked.hidden)
        else one
        for at, one in enumerate(prepared.program.inputs)
    )
    return replace(prepared, program=replace(prepared.program, inputs=inputs))


def _other_name(at: int, program: ExampleProgram) -> str:
    taken = {one.name for one in program.inputs} | set(_words(program.code))
    names = (f"item_{number}" for number in count(at + 1))
    return next(name for name in names if name not in taken)


def _words(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            yield node.id


def _missing(
    evidence: PairEvidence, prepared: PreparedProgram, asked: Introduction
) -> MissingCall | str:
    symbol = evidence.uses_new.view.symbol(asked.path)
    if symbol is None:
        return "nothing is known of it"
    hole = hole_in(prepared.code, prepared.program.form, asked)
    if isinstance(hole, str):
        return hole
    told = _description(symbol.doc, asked)
    if told.objection:
        return told.objection
    return MissingCall(prepared, asked, told.text, hole)


def _description(doc: str, asked: Introduction) -> Description:
    if asked.parameter:
        return described_parameter(doc, asked.parameter, [asked.parameter])
    return described(doc, [asked.last])


_RESULTS = {
    "value": "",
    "item": "as a plain value of Python (with `.item()`)",
    "tolist": "as a plain list (with `.tolist()`)",
    "dict": "as a `dict`",
    "tuple": "as a `tuple`",
    "set": "as a `set`",
    "list": "as a `list`",
    "sorted": "as a sorted list (with `sorted()`)",
    "text": "as text (with `str()`)",
}


def result_in_words(form: str) -> str:
    """How a result is to be returned; empty where it is as it comes."""
    return _RESULTS.get(form, "")


def asked_in_words(evidence: PairEvidence, missing: MissingCall) -> str:
    """What is missing, without its name: whose it is, since when, and what it does."""
    asked, hole = missing.introduction, missing.hole
    package, since = evidence.old.release.package, evidence.old.release.version
    if asked.parameter:
        return (
            f"a call of `{asked.path}` with an argument that {package} {since} did not have "
            f'yet.\n\nThe documentation says of that argument: "{missing.description}"'
        )
    what = "an attribute" if hole.arguments is None else "a call of something"
    age = f"{since} did not have yet" if asked.change else f"{since} had already"
    return f'{what} that {package} {age}.\n\nThe documentation says of it: "{missing.description}"'


def given_in_words(missing: MissingCall) -> str:
    """What the call is given, in a sentence; empty where it is given nothing."""
    hole, asked = missing.hole, missing.introduction
    on = f"on `{hole.receiver}`" if hole.receiver else ""
    if hole.arguments is None:
        return f"It is read from `{hole.receiver}`." if hole.receiver else ""
    listed = words([f"`{one}`" for one in hole.arguments])
    told = " ".join(filter(None, (on, f"with {listed}" if listed else "")))
    if not asked.parameter:
        return f"It is called {told or 'without arguments'}."
    also = " besides" if listed else ""
    return f"The call is made {told or 'with nothing else'}, and{also} with `{hole.value}` for it."
