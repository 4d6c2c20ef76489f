"""Pairs of code for two releases that do the same, from the examples of docstrings.

Where a symbol was renamed, moved or replaced, or is called in another way, and each release has an
example of it, the older example and the newer one are a migration: there and back.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from types import MappingProxyType

from libdrift.build.examples import examples, parsed, summary
from libdrift.build.masking import hide
from libdrift.build.results import Built, veiled
from libdrift.errors import UserError
from libdrift.history.diff import compare
from libdrift.history.store import Store
from libdrift.history.views import View
from libdrift.metrics.core_lines import core_line
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
_ALIKE = 0.75  # likeness of two examples: below it they show different things

_Shape = tuple[int | None, tuple[str, ...]]  # arguments by place, None if not called; keywords


@dataclass(frozen=True, slots=True)
class _Side:
    """A symbol in one of the two releases, and the example of it."""

    release: Release
    path: str
    symbol: Symbol
    code: str = ""

    @property
    def last(self) -> str:
        return self.path.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class _Pair:
    old: _Side
    new: _Side
    change: ChangeKind


def migrations(store: Store, package: str, old: str, new: str) -> Built:
    """Tasks from one mined release to a later one and back, in the order of paths."""
    with store.snapshot():
        order = _order(store, package, old, new)
        before, *between, after = [store.surface(package, version) for version in order]
    views = View(before), View(after)
    pairs: dict[tuple[str, str], _Pair] = {}
    for change in compare(before, after, between):
        pair = _pair(change, *views)
        if pair:
            pairs.setdefault((pair.old.path, pair.new.path), pair)
    left_out: Counter[str] = Counter()
    tasks: list[Task] = []
    for _, pair in sorted(pairs.items(), key=lambda item: item[0]):
        found = _with_code(pair)
        if isinstance(found, str):
            left_out[found] += 1
        else:
            tasks += _tasks(found)
    counts = Counter(task.facts.version for task in tasks)
    return Built(tuple(tasks), MappingProxyType(dict(left_out)), MappingProxyType(dict(counts)))


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
            return _Pair(
                _Side(before.surface.release, old, one),
                _Side(after.surface.release, new, other),
                change.kind,
            )
    return None


def _with_code(pair: _Pair) -> _Pair | str:
    """The pair with those examples that are most alike, or why there are none."""
    old, new = pair.old, pair.new
    shown = [examples(side.symbol.doc) for side in (old, new)]
    if not all(shown):
        return "no example"
    before = [code for code in shown[0] if _uses(code, old.last)]
    after = [code for code in shown[1] if _uses(code, new.last)]
    if not before or not after:
        return "an example without the name"
    likeness, older, newer = max(
        (_likeness(pair, *codes), *codes) for codes in product(before, after)
    )
    was, now = _uses(older, old.last), _uses(newer, new.last)
    if old.path == new.path and was == now:
        return "called alike in both examples"
    if _lines(older, old.last)[0] == _lines(newer, new.last)[0]:
        return "the same code in both examples"
    if len(was) != len(now) or likeness < _ALIKE:
        return "examples of different things"
    if old.last != new.last and _uses(newer, old.last):
        return "the older name in the newer example"
    if not _description(old, new):
        return "no description"
    return _Pair(replace(old, code=older), replace(new, code=newer), pair.change)


def _likeness(pair: _Pair, older: str, newer: str) -> float:
    """Of two examples, from 0 to 1.

    What should differ is not counted: the name where that is new, else the lines that call it.
    """
    from rapidfuzz.fuzz import ratio

    if pair.old.path == pair.new.path:
        one, other = ("\n".join(_lines(code, pair.old.last)[1]) for code in (older, newer))
    else:
        one = re.sub(rf"\b{re.escape(pair.old.last)}\b", "", older)
        other = re.sub(rf"\b{re.escape(pair.new.last)}\b", "", newer)
    return 1.0 if one == other else ratio(one, other) / 100


def _uses(code: str, name: str) -> list[_Shape]:
    """How code uses a name, place by place: in a call, how many arguments and which keywords.

    Examples are edited for many reasons; of a signature's change, the shape of the call tells.
    """
    tree = parsed(code)
    nodes = list(ast.walk(tree)) if tree else []
    calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
    found: list[tuple[tuple[int, int], _Shape]] = []
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute | ast.alias) and _last(node) == name:
            call = calls.get(id(node))
            keywords = sorted(item.arg or "**" for item in call.keywords) if call else []
            shape = (len(call.args) if call else None, tuple(keywords))
            found.append(((node.end_lineno or 0, node.end_col_offset or 0), shape))
    return [shape for _, shape in sorted(found, key=lambda item: item[0])]


def _last(node: ast.Name | ast.Attribute | ast.alias) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else node.name.rpartition(".")[2]


def _lines(code: str, name: str) -> tuple[list[str], list[str]]:
    """The lines that have a name and those that have not, in one layout whatever the code's."""
    tree = parsed(code)
    lines = ast.unparse(tree).splitlines() if tree else []
    pattern = re.compile(rf"\b{re.escape(name)}\b")
    having = [line for line in lines if pattern.search(line)]
    return having, [line for line in lines if not pattern.search(line)]


def _description(source: _Side, target: _Side) -> str:
    """What the code is about; a new name is not given away."""
    text = summary(target.symbol.doc) or summary(source.symbol.doc)
    return text if source.last == target.last else hide(text, target.last)


def _tasks(pair: _Pair) -> Iterator[Task]:
    for source, target, direction in (
        (pair.old, pair.new, "old-to-new"),
        (pair.new, pair.old, "new-to-old"),
    ):
        yield _task(source, target, direction, pair.change)


def _task(source: _Side, target: _Side, direction: str, change: ChangeKind) -> Task:
    package, version = target.release.package, target.release.version
    was = source.release.version
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
            token=target.last,
            line=core_line(target.code, target.last),
            old_line=core_line(source.code, source.last),
        ),
    )
