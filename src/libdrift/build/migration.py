"""Pairs of code for two releases that do the same, from the examples of docstrings.

Where a symbol was renamed, moved or replaced, or is called in another way, and each release has an
example of it, the older example and the newer one are a migration: there, back, or both. It is
asked for only where the code it starts from is wrong in the other release: its name is gone there,
or the call does not fit the signature. So the code as it is, unchanged, is never a right answer.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import product
from types import MappingProxyType

from libdrift.build.examples import examples, summary
from libdrift.build.fitting import CallShape, fits, shapes
from libdrift.build.masking import HIDDEN, hide
from libdrift.build.results import Built, veiled
from libdrift.errors import UserError
from libdrift.history.differences import compare, facets
from libdrift.history.store import Store
from libdrift.history.views import View
from libdrift.languages.python.usage import parsed
from libdrift.metrics.completions import CompletionReference, Scorer
from libdrift.metrics.core_lines import core_line
from libdrift.metrics.names import bare, occurs
from libdrift.records import (
    Change,
    ChangeKind,
    Environment,
    Facts,
    Gap,
    Release,
    Symbol,
    Task,
    TaskKind,
)
from libdrift.suites.versicode.versions import parse, step

SUITE = "migration"

_NAMES = {ChangeKind.RENAMED, ChangeKind.MOVED, ChangeKind.REMOVED, ChangeKind.DEPRECATED}
_EQUAL = 0.9  # share of lines beside the API's own that two examples have in common
_ALIKE = 0.9  # likeness of the API's own lines where only its path is new, that set aside


@dataclass(frozen=True, slots=True)
class _Side:
    """A symbol in one of the two releases, and the example of it."""

    view: View = field(repr=False)
    path: str
    symbol: Symbol
    code: str = ""

    @property
    def release(self) -> Release:
        return self.view.surface.release

    @property
    def last(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def uses(self) -> list[CallShape]:
        return shapes(self.code, self.last)

    def takes(self, use: CallShape) -> bool:
        owner = self.path.rpartition(".")[0].rpartition(".")[2]
        return fits(use, self.symbol, owner)


@dataclass(frozen=True, slots=True)
class _Pair:
    old: _Side
    new: _Side
    change: ChangeKind

    @property
    def is_renamed(self) -> bool:
        return self.old.path != self.new.path


def migrations(store: Store, package: str, old: str, new: str) -> Built:
    """Tasks from one mined release to a later one and back, in the order of paths.

    What is left out is counted by directions, two for each pair.
    """
    with store.snapshot():
        order = _order(store, package, old, new)
        before, *between, after = store.surfaces(package, order)
    views = View(before), View(after)
    pairs: dict[tuple[str, str], _Pair] = {}
    for change in compare(before, after, between):
        pair = _pair(change, *views)
        if pair:
            pairs.setdefault((pair.old.path, pair.new.path), pair)
    left_out: Counter[str] = Counter()
    found: list[Task] = []
    for _, pair in sorted(pairs.items(), key=lambda item: item[0]):
        for made in _tasks(pair):
            if isinstance(made, str):
                left_out[made] += 1
            else:
                found.append(made)
    asked = Counter(map(_prompt, found))
    tasks = tuple(task for task in found if asked[_prompt(task)] == 1)
    if len(tasks) < len(found):
        left_out["its prompt is another's too"] += len(found) - len(tasks)
    counts = Counter(task.facts.version for task in tasks)
    return Built(tasks, MappingProxyType(dict(left_out)), MappingProxyType(dict(counts)))


def _prompt(task: Task) -> tuple[str, str, str]:
    """All that tells one task of a package from another."""
    return task.starter, task.problem, task.facts.version


def _order(store: Store, package: str, old: str, new: str) -> list[str]:
    """The two versions and the mined ones between them."""
    first, last = store.place(package, old)[1], store.place(package, new)[1]
    known = store.versions(store.number(package))
    if first >= last:
        raise UserError(f"{package} {new} is not later than {old}", "Name the older version first")
    return known[first : last + 1]


def _pair(change: Change, before: View, after: View) -> _Pair | None:
    """The symbol that a change is about in both releases, if it can be found there."""
    if change.kind in _NAMES and not change.parameter:
        olds, new = [change.path], change.replacement
    elif change.kind is ChangeKind.SIGNATURE:
        olds, new = [change.path, *change.aliases], change.path  # the first is new if it moved
    else:
        return None
    for old in olds:
        one, other = before.symbol(old), after.symbol(new)
        if one and other:
            return _Pair(_Side(before, old, one), _Side(after, new, other), change.kind)
    return None


def _tasks(pair: _Pair) -> Iterator[Task | str]:
    """Of both directions the task, or why there is none."""
    found = _with_code(pair)
    if isinstance(found, str):
        yield from (found, found)
        return
    for source, target, direction in (
        (found.old, found.new, "old-to-new"),
        (found.new, found.old, "new-to-old"),
    ):
        objection = _needless(source, target) or _untold(source, target)
        yield objection or _task(source, target, direction, pair.change)


# --- examples


def _with_code(pair: _Pair) -> _Pair | str:
    """The pair with those examples that are most alike, or why there are none."""
    old, new = pair.old, pair.new
    shown = [examples(side.symbol.doc) for side in (old, new)]
    if not all(shown):
        return "no example"
    before = [code for code in shown[0] if shapes(code, old.last)]
    after = [code for code in shown[1] if shapes(code, new.last)]
    if not before or not after:
        return "an example without the name"
    equal, alike, older, newer = max(
        (*_likeness(pair, *codes), *codes) for codes in product(before, after)
    )
    old, new = replace(old, code=older), replace(new, code=newer)
    if not pair.is_renamed and old.uses == new.uses:
        return "called alike in both examples"
    if _lines(older, old.last)[0] == _lines(newer, new.last)[0]:
        return "the same code in both examples"
    if len(old.uses) != len(new.uses) or equal < _EQUAL or (pair.is_renamed and alike < _ALIKE):
        return "examples of different things"
    if not all(side.takes(use) for side in (old, new) for use in side.uses):
        return "an example that its own signature does not take"
    return _Pair(old, new, pair.change)


def _likeness(pair: _Pair, older: str, newer: str) -> tuple[float, float]:
    """Of two examples, from 0 to 1: of the lines beside the API's own, and of these."""
    from rapidfuzz.fuzz import ratio

    own, others = zip(_lines(older, pair.old.last), _lines(newer, pair.new.last), strict=True)
    matcher = SequenceMatcher(None, *others, autojunk=False)
    equal = sum(block.size for block in matcher.get_matching_blocks())
    longest = max(map(len, others))
    rest = [
        re.sub(
            rf"^(?:from|import)\b.*|[\w.]*\b{re.escape(side.last)}\b",
            "",
            "\n".join(lines),
            flags=re.MULTILINE,
        )
        for side, lines in zip((pair.old, pair.new), own, strict=True)
    ]
    return equal / longest if longest else 1.0, ratio(*rest) / 100


def _lines(code: str, name: str) -> tuple[list[str], list[str]]:
    """The lines that have a name and those that have not, in one layout whatever the code's."""
    tree = parsed(code)
    lines = [line for line in ast.unparse(tree).splitlines() if line] if tree else []
    having = [line for line in lines if occurs(name, line)]
    return having, [line for line in lines if not occurs(name, line)]


# --- directions


def _needless(source: _Side, target: _Side) -> str:
    """Why nothing, or not all that differs, has to be changed for the target's release."""
    broken = [not target.takes(use) for use in source.uses]
    if source.path != target.path:
        if not _is_gone(source, target.view):
            return "not needed: the other release has the name too"
    elif not any(broken):
        return "not needed: the other release takes the call too"
    pairs = zip(source.uses, target.uses, broken, strict=True)
    if any(one != other and not is_broken for one, other, is_broken in pairs):
        return "calls that differ without need"
    return ""


def _is_gone(side: _Side, other: View) -> bool:
    """Whether another release is known to lack a path, or has it only to say so."""
    symbol = other.symbol(side.path)
    if symbol is not None:
        return facets.is_dead(symbol)
    name = side.view.find(side.path)
    if name is None or other.find(side.path) is not None:  # another package's
        return False
    parent, _, last = side.path.rpartition(".")
    owner = other.find(parent)
    if owner is not None:
        inherited = owner.target in other.symbols and last in other.from_outside(owner.target)
        if inherited or other.is_dark(owner.target.partition(":")[0]):
            return False
    return not other.may_miss(side.symbol, name)


def _untold(source: _Side, target: _Side) -> str:
    """Why the target's example cannot tell right answers from wrong ones."""
    if source.last != target.last and shapes(target.code, source.last):
        return "an example that still has the name that is gone"
    token = _token(source, target)
    if not token:
        return "no name that is in the other example only"
    if not _description(source, target):
        return "no description"
    reference = CompletionReference("block", token, core_line(target.code, token), target.code)
    if Scorer(reference).score_answer(source.code).cdc:
        return "the same first call in both examples"
    return ""


def _token(source: _Side, target: _Side) -> str:
    """The name that tells an answer: of a new path the last part that the source does not have."""
    if source.path == target.path:
        return target.last
    shown = bare(target.code)
    parts = reversed(target.path.split(".")[1:])
    return next(
        (part for part in parts if occurs(part, shown) and not occurs(part, source.code)), ""
    )


def _description(source: _Side, target: _Side) -> str:
    """What the code is about; a new path is not given away."""
    text = summary(target.symbol.doc) or summary(source.symbol.doc)
    if source.path == target.path:
        return text
    if source.last != target.last:
        text = hide(text, target.last)
    return re.sub(rf"\b{re.escape(_token(source, target))}\b", HIDDEN, text)


def _task(source: _Side, target: _Side, direction: str, change: ChangeKind) -> Task:
    package, version = target.release.package, target.release.version
    was = source.release.version
    token = _token(source, target)
    other = f"-{veiled(target.path)}" if target.path != source.path else ""
    return Task(
        id=f"{package}-{was}-{version}-{source.path}{other}",
        suite=SUITE,
        kind=TaskKind.MIGRATE,
        language="python",
        environment=Environment("python", "", (f"{package}=={version}",)),
        title=f"{package} {was} to {version}: {source.path}",
        problem=_description(source, target),
        starter=source.code,
        reference=target.code,
        tests=(),
        facts=Facts(
            library=package,
            version=version,
            release_date=target.release.date,
            change=change,
            symbol=target.path,
            direction=direction,
            granularity="block",
            category="general" if source.path == target.path else "name change",
            source="library_source_code",
            from_version=was,
            from_date=source.release.date,
            step=step(parse(was), parse(version)),
        ),
        gap=Gap(
            token=token,
            line=core_line(target.code, token),
            old_line=core_line(source.code, source.last),
        ),
    )
