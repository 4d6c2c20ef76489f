"""Locate and explain: which APIs of a program do not work in the other release, and what happened.

Both come of migrations that were proven by running. Beside the function that fails stand others of
the same package that give the same in both releases: naming everything is no answer.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from types import MappingProxyType

from libdrift.build.live import migrating
from libdrift.build.live.bystanders import Bystander, bystanders_of, joined
from libdrift.build.live.measuring import ProgramTrial
from libdrift.build.live.programs import FUNCTION
from libdrift.build.live.records import Draft, LiveFamily, PairEvidence, Side
from libdrift.build.live.tasking import SUITE
from libdrift.build.results import veiled
from libdrift.execution.labels import LabelQuestion, written
from libdrift.metrics.accuracies import ADDITION, DEPRECATION, REPLACEMENT, ChangeExplanation
from libdrift.mining.examples.extracting import DocExample, DocStatement
from libdrift.mining.examples.uses import paths_of
from libdrift.records import Change, ChangeKind, Split, Task, TaskKind, Tests, TestStyle

_ELSEWHERE = {ChangeKind.RENAMED, ChangeKind.MOVED}
_GONE = {ChangeKind.REMOVED, *_ELSEWHERE}
_MOST_LABELS = 2
_BYSTANDERS = 2  # functions beside the one that fails
_ASKED = (
    "One or more of the APIs that this code uses do not work with the installed version of "
    "{package}: they were added later, removed, renamed or moved to another place."
)
_LOCATE = f"{_ASKED} Which ones?"
_EXPLAIN = (
    f"{_ASKED} Which ones, what happened to each, in which version, and what takes its place in "
    "the installed version?"
)


@dataclass(frozen=True, slots=True)
class _Proven:
    """A migration, and what of its code does not work in its target."""

    task: Task
    target: Side
    labels: Mapping[str, ChangeExplanation]
    also: Mapping[str, tuple[str, ...]]  # a label's other full names


def drafts_of_locate(
    evidence: PairEvidence, left_out: Counter[str] | None = None
) -> Iterator[Draft]:
    reasons: Counter[str] = Counter() if left_out is None else left_out
    yield from _drafts(evidence, LiveFamily.LOCATE, reasons)


def drafts_of_explain(
    evidence: PairEvidence, left_out: Counter[str] | None = None
) -> Iterator[Draft]:
    reasons: Counter[str] = Counter() if left_out is None else left_out
    yield from _drafts(evidence, LiveFamily.EXPLAIN, reasons)


def _drafts(evidence: PairEvidence, family: LiveFamily, left_out: Counter[str]) -> Iterator[Draft]:
    proven = evidence.once("proven", lambda told: _proven(evidence, told), left_out)
    if not proven:
        return
    others = evidence.once("bystanders", lambda _: bystanders_of(evidence), left_out)
    told: set[tuple[tuple[str, ...], Side]] = set()
    for one in proven:
        key = (tuple(one.labels), one.target)
        code = _with_bystanders(one, others)
        if key in told:
            left_out["another task has its labels"] += 1
        elif not code:
            left_out["too little beside it stays the same"] += 1
        else:
            told.add(key)
            yield _draft(evidence, family, one, code)


# --- what changed


def _proven(evidence: PairEvidence, left_out: Counter[str]) -> Iterator[_Proven]:
    found = []
    for draft in migrating.drafts(evidence):
        forward = draft.task.facts.direction == "old-to-new"
        target = Side.NEW if forward else Side.OLD
        changed = _changed(evidence, draft.task, target)
        if 1 <= len(changed) <= _MOST_LABELS:
            found.append(_proven_of(evidence, draft.task, target, changed))
        else:
            left_out["no API, or too many, can be named"] += 1
    for target in Side:
        here = [one for one in found if one.target is target]
        trials = [ProgramTrial(one.task.starter, (_first_call(one.task),)) for one in here]
        for one, outcomes in zip(here, evidence.bench.measure(target, trials), strict=True):
            said = f"{outcomes[0].error} {outcomes[0].message}"
            lasts = [name.rpartition(".")[2] for name in one.labels]
            # The error names it: nothing else of the code is why it fails.
            if any(last in said for last in lasts):
                yield one
            else:
                left_out["the error does not name it"] += 1


def _proven_of(
    evidence: PairEvidence, task: Task, target: Side, changed: Mapping[str, Change]
) -> _Proven:
    labels = {path: _explanation(evidence, one, task, target) for path, one in changed.items()}
    also = {path: _others(evidence, path, one, target) for path, one in changed.items()}
    return _Proven(task, target, labels, {path: names for path, names in also.items() if names})


def _changed(evidence: PairEvidence, task: Task, target: Side) -> dict[str, Change]:
    """What the code uses that the target's release does not have, by its name in that code."""
    broken = _broken(evidence, target)
    used = _paths(evidence, target.other, task.starter)
    words = _words(task.starter)
    kept = set(_paths(evidence, target, task.reference))
    found: dict[str, Change] = {}
    for path in used:
        change = broken.get(path)
        if change is None or any(change is known for known in found.values()):
            continue
        # What is imported and not used is nobody's question.
        if path not in kept and path.rpartition(".")[2] in words:
            found[path] = change
    return found


def _others(evidence: PairEvidence, path: str, change: Change, target: Side) -> tuple[str, ...]:
    """Other full names of what the code uses: longer ones, and those of classes that share it."""
    known = (change.path, *change.aliases, *_every_path(evidence, target.other, path))
    return tuple(dict.fromkeys(name for name in known if _is_twin(name, path)))


def _is_twin(name: str, path: str) -> bool:
    return name != path and name.rpartition(".")[2] == path.rpartition(".")[2]


def _every_path(evidence: PairEvidence, side: Side, path: str) -> Sequence[str]:
    view = evidence.uses(side).view
    name = view.find(path)
    return view.paths.get(name.target, ()) if name else ()


def _words(code: str) -> set[str]:
    """Names that are used, as they are or as attributes."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.alias(name=name, asname=str()):
                found.add(name.rpartition(".")[2])
            case _:
                pass
    return found


def _broken(evidence: PairEvidence, target: Side) -> dict[str, Change]:
    wanted = _GONE if target is Side.NEW else {ChangeKind.INTRODUCED}
    found: dict[str, Change] = {}
    for change in evidence.changes:
        if change.kind in wanted:
            found |= dict.fromkeys((change.path, *change.aliases), change)
        elif target is Side.OLD and change.kind in _ELSEWHERE and change.replacement:
            found.setdefault(change.replacement, change)
    return found


def _paths(evidence: PairEvidence, side: Side, code: str) -> tuple[str, ...]:
    example = DocExample("", (DocStatement(code),))
    return paths_of(evidence.uses(side).of(example)[0])


def _explanation(
    evidence: PairEvidence, change: Change, task: Task, target: Side
) -> ChangeExplanation:
    older, newer = evidence.old.release.version, evidence.new.release.version
    before = set(_paths(evidence, target.other, task.starter))
    fresh = [path for path in _paths(evidence, target, task.reference) if path not in before]
    instead = _instead(evidence, change, fresh, target)
    kind = ADDITION if target is Side.OLD else DEPRECATION
    if target is Side.NEW:
        symbol = evidence.uses_old.view.symbol(change.path)
        told = symbol.deprecations if symbol else ()
        # It may have been announced long before.
        older = next((one.since for one in told if one.since and not one.parameter), older)
    # The proven repair uses something else: who calls that the same thing by another name is right.
    either = f"{kind} or {REPLACEMENT}" if instead or fresh else kind
    return ChangeExplanation(either, instead, None, (older, newer))


def _instead(
    evidence: PairEvidence, change: Change, fresh: Sequence[str], target: Side
) -> str | None:
    """What takes its place, where the history knows: by all its names, and as the repair has it.

    What the repair uses alone may do the same by chance: nobody could be asked to name that.
    """
    if target is Side.NEW:
        known = change.replacement
    else:
        known = change.path if change.kind in _ELSEWHERE else ""
    if "." not in known:
        return None
    others = (*fresh, *_every_path(evidence, target, known))
    return " or ".join(dict.fromkeys((known, *(one for one in others if _is_twin(one, known)))))


def _first_call(task: Task) -> str:
    """A call of the function, out of the task's tests."""
    for node in ast.walk(ast.parse(task.tests[0].code)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name == FUNCTION:
                return ast.unparse(node)
            case _:
                pass
    raise ValueError(f"{task.id} has no test that calls {FUNCTION}")


# --- the code


def _with_bystanders(one: _Proven, others: Sequence[Bystander]) -> str:
    """The code that fails among functions that do not; empty where there are not enough."""
    lasts = {name.rpartition(".")[2] for name in one.labels}
    fit = [item for item in others if lasts.isdisjoint(item.names)]
    order = sorted(fit, key=lambda item: sha256(f"{one.task.id} {item.code}".encode()).digest())
    chosen: list[Bystander] = []
    for item in order:
        if all(item.paths != known.paths for known in chosen):
            chosen.append(item)
        if len(chosen) == _BYSTANDERS:
            place = int(veiled(one.task.id), 16) % (_BYSTANDERS + 1)
            codes = [known.code for known in chosen]
            return joined([*codes[:place], one.task.starter, *codes[place:]])
    return ""


def _draft(evidence: PairEvidence, family: LiveFamily, one: _Proven, code: str) -> Draft:
    explain = family is LiveFamily.EXPLAIN
    question = LabelQuestion(one.labels, explain, code, "python", one.also)
    here = evidence.release(one.target)
    facts = replace(
        one.task.facts,
        symbol=next(iter(one.labels)) if len(one.labels) == 1 else None,
        tags=(SUITE, family.value),
        incompatibilities=len(one.labels),
        api_calls=tuple(one.labels),
        category=None,
    )
    source = {
        **dict(one.task.source[SUITE]),
        "family": family.value,
        "symbol": ", ".join(one.labels),
    }
    task = replace(
        one.task,
        id=f"{here.package}-{here.version}-{family.value}-{veiled(code)}",
        kind=TaskKind.EXPLAIN if explain else TaskKind.LOCATE,
        title=f"{family.value.capitalize()} what changed in {here.package}",
        problem=(_EXPLAIN if explain else _LOCATE).format(package=here.package),
        starter=code,
        reference=_reference(one, evidence, explain=explain),
        tests=(Tests(Split.HIDDEN, TestStyle.LABELS, question.to_tests()),),
        facts=facts,
        wrong=None,
        source=MappingProxyType({SUITE: source}),
    )
    return Draft(task, family, MappingProxyType(source))


def _reference(one: _Proven, evidence: PairEvidence, *, explain: bool) -> str:
    """A right answer: one of those that are."""
    if not explain:
        return json.dumps(written(one.labels, explain=False))
    return json.dumps(
        {
            name: {
                "kind": label.kind.partition(" or ")[0],
                "version": evidence.new.release.version,
                "replacement": (label.replacement or "").partition(" or ")[0],
            }
            for name, label in one.labels.items()
        }
    )
