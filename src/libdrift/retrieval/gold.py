"""Which documents a task is about: for measuring a search, never for a candidate."""

from __future__ import annotations

import re

from libdrift.errors import UserError
from libdrift.history.questions import SymbolDocument, document
from libdrift.history.spelling import dotted, mined_as
from libdrift.history.store import Store
from libdrift.languages.python.usage import mentions
from libdrift.records import Task


def gold(task: Task, store: Store) -> frozenset[str]:
    """The public paths of the right symbols in the task's own release; perhaps none.

    That is the symbol that the task is about where that release has it. Where it has not, or
    warns of it, it is what the reference uses of the library; of that, what the starting code has
    not already, if there is any.
    """
    known = _there(store, task, _tidy(task.facts.symbol or ""))
    own = frozenset({dotted(known.public_path)} - {""}) if known is not None else frozenset()
    told = known.symbol.deprecation if known is not None else None
    if own and (told is None or told.conditional):
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
    """What a path is, or its beginning: ``flask.request.args.get`` is of ``flask.request``."""
    while "." in path:
        found = _there(store, task, path)
        if found is not None:
            return found
        path = path.rpartition(".")[0]
    return None


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
