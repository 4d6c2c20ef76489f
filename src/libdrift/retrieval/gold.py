"""Which documents a task is about: for measuring a search, never for a candidate."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache

from libdrift.errors import UserError
from libdrift.history.questions import SymbolDocument, document
from libdrift.history.spelling import dotted, mined_as
from libdrift.history.store import Store
from libdrift.history.views import View
from libdrift.languages.python import usage
from libdrift.languages.python.usage import OnePackage, ReleaseTypes, UseKind, mentions
from libdrift.records import SymbolKind, Task

_WORD = re.compile(r"\w+")
_IS_USED = frozenset({UseKind.READ, UseKind.CALL})
# A name on a value of which nothing is known may well be one of these types'.
_OF_BUILTINS = frozenset(
    name for kind in (dict, list, set, tuple, str, bytes, int, float) for name in dir(kind)
)


def gold(task: Task, store: Store) -> frozenset[str]:
    """The public paths of the right symbols in the task's own release; perhaps none.

    That is the symbol that the task is about where that release has it, be it told by the end of
    its path alone. Where it has not, or warns of it, it is what the reference uses of the library
    and the starting code does not. Where the reference does without the symbol's very name, what it
    uses instead is as right; but for what the starting code imports, which is no find.
    """
    symbol = _tidy(task.facts.symbol or "")
    known = _there(store, task, symbol) or _ending(store, task, symbol)
    own = frozenset({dotted(known.public_path)} - {""}) if known is not None else frozenset()
    told = known.symbol.deprecation if known is not None else None
    is_module = known is not None and known.symbol.kind is SymbolKind.MODULE
    if task.language != "python":
        return own
    if own and not is_module and (told is None or told.conditional):
        if _is_named(symbol, task.reference):
            return own
        return own | (_new(task, store) - _reached(task, store, mentions(task.starter).aliases))
    return _new(task, store) or own


def _is_named(symbol: str, code: str) -> bool:
    name = symbol.rpartition(".")[2]
    return not code.strip() or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", code) is not None


def _new(task: Task, store: Store) -> frozenset[str]:
    """What the reference uses, and the starting code does not."""
    used = _used(task, store, task.reference) - _used(task, store, task.starter)
    return used | _followed(task, store)


def _followed(task: Task, store: Store) -> frozenset[str]:
    """What the reference reaches through values: of ``app.config.from_file``, also the method.

    Starting code is cut off, and cannot be followed: no name that it has is a find.
    """
    package = mined_as(task.facts.library, task.language)
    tree = usage.parsed(task.reference)
    known = _types(store, package, task.facts.version, store.db.total_changes) if tree else None
    if tree is None or known is None:
        return frozenset()
    roots, types = known
    try:
        reading = usage.read(tree, OnePackage(package, roots), lambda _: types)
    except RecursionError:
        return frozenset()
    paths = {use.path for use in reading.uses if use.path and use.kind in _IS_USED}
    said = {*_WORD.findall(task.starter)}
    found = {
        item.public_path
        for path in paths
        if path.rpartition(".")[2] not in said and (item := _nearest(store, task, path))
    }
    return frozenset(path for path in found if path.rpartition(".")[2] not in {*said, ""})


@lru_cache(maxsize=1)  # a large release takes seconds: tasks are asked about release by release
def _types(
    store: Store, package: str, version: str, changes: int
) -> tuple[tuple[str, ...], ReleaseTypes] | None:
    """What the names of a release are, and its roots; ``changes`` tells states of a store apart."""
    del changes
    try:
        surface = store.surface(package, version)
    except UserError:
        return None
    return surface.roots, ReleaseTypes(View(surface))


def _reached(task: Task, store: Store, aliases: Mapping[str, str]) -> frozenset[str]:
    found = (_there(store, task, path) for path in aliases.values())
    return frozenset(item.public_path for item in found if item is not None)


def _used(task: Task, store: Store, code: str) -> frozenset[str]:
    seen = mentions(code)
    found = {item.public_path for path in seen.used if (item := _nearest(store, task, path))}
    if not _foreign(seen.aliases.values(), store, task):
        for name in seen.members:
            if name not in _OF_BUILTINS:
                found |= _members(task, store, name)
    return frozenset(found - {""})


def _foreign(paths: Iterable[str], store: Store, task: Task) -> bool:
    """Whether code imports other libraries: what is a value of theirs is then not known."""
    own = store.number(mined_as(task.facts.library, task.language))
    for path in paths:
        package = store.package_of(path) or path.partition(".")[0]
        if package not in sys.stdlib_module_names and store.number(package) != own:
            return True
    return False


def _nearest(store: Store, task: Task, path: str) -> SymbolDocument | None:
    """What a path is, or its beginning: ``flask.request.args.get`` is of ``flask.request``.

    A module is where to look, and tells nothing of a name that it is not known to have.
    """
    while "." in path:
        found = _there(store, task, path)
        if found is not None:
            return None if found.symbol.kind is SymbolKind.MODULE else found
        path = path.rpartition(".")[0]
    return None


def _ending(store: Store, task: Task, symbol: str) -> SymbolDocument | None:
    """What the end of a path (``stats.circvar``) leads to, where that is one thing."""
    if not symbol:
        return None
    with store.snapshot():
        package = mined_as(task.facts.library, task.language)
        try:
            number, position = store.place(package, task.facts.version)
        except UserError:
            return None
        rows = store.db.execute(
            "SELECT p.text FROM symbols s JOIN paths p ON p.id = s.path"
            " WHERE s.package = ? AND s.first <= ? AND s.last >= ? AND s.inner = 0"
            " AND p.text LIKE '%.' || ?",
            (number, position, position, symbol),
        ).fetchall()
    paths = {row[0] for row in rows if row[0].endswith(f".{symbol}")}
    return _there(store, task, paths.pop()) if len(paths) == 1 else None


def _there(store: Store, task: Task, path: str) -> SymbolDocument | None:
    """What a path is in the task's release, if it is a path of the task's library at all."""
    if not path:
        return None
    try:
        found = document(store, path, task.facts.version)
    except UserError:
        return None
    own = store.number(mined_as(task.facts.library, task.language))
    return found if store.number(found.package) == own else None


def _members(task: Task, store: Store, name: str) -> set[str]:
    """The member of a name, where the release has only one."""
    with store.snapshot():
        package = mined_as(task.facts.library, task.language)
        number, position = store.place(package, task.facts.version)
        rows = store.db.execute(
            "SELECT p.text FROM symbols s JOIN paths p ON p.id = s.path JOIN ids i"
            " ON i.id = s.symbol WHERE s.package = ? AND s.first <= ? AND s.last >= ?"
            " AND s.inner = 0 AND i.text LIKE '%:%.' || ?",
            (number, position, position, name),
        ).fetchall()
    found = {row[0] for row in rows if row[0].endswith(f".{name}")}
    return found if len(found) == 1 else set()


def _tidy(symbol: str) -> str:
    """A path as benchmarks write it: with calls' parentheses and stray spaces."""
    return re.sub(r"\(.*\)?$", "", symbol.strip(), flags=re.DOTALL).strip()
