"""Which documents a task is about: for measuring a search, never for a candidate."""

from __future__ import annotations

import re

from libdrift.errors import UserError
from libdrift.history.questions import SymbolDocument, document
from libdrift.history.spelling import dotted, mined_as
from libdrift.history.store import Store
from libdrift.languages.python.usage import mentions
from libdrift.records import SymbolKind, Task


def gold(task: Task, store: Store) -> frozenset[str]:
    """The public paths of the right symbols in the task's own release; perhaps none.

    That is the symbol that the task is about where that release has it, be it told by the end of
    its path alone. Where it has not, or warns of it, it is what the reference uses of the library;
    of that, what the starting code has not already, if there is any.
    """
    symbol = _tidy(task.facts.symbol or "")
    known = _there(store, task, symbol) or _ending(store, task, symbol)
    own = frozenset({dotted(known.public_path)} - {""}) if known is not None else frozenset()
    told = known.symbol.deprecation if known is not None else None
    is_module = known is not None and known.symbol.kind is SymbolKind.MODULE
    if own and not is_module and (told is None or told.conditional):
        return own
    if task.language != "python":
        return own
    used = _used(task, store, task.reference)
    return used - _used(task, store, task.starter) or used or own


def _used(task: Task, store: Store, code: str) -> frozenset[str]:
    seen = mentions(code)
    found = {item.public_path for path in seen.used if (item := _nearest(store, task, path))}
    for name in seen.members:
        found |= _members(task, store, name)
    return frozenset(found - {""})


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
