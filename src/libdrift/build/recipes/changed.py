"""The APIs that changed between two mined releases, with what each release says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from inspect import cleandoc

from libdrift.build.examples import examples, summary
from libdrift.build.results import veiled
from libdrift.errors import UserError
from libdrift.history.differences import compare
from libdrift.history.store import Store
from libdrift.history.views import View
from libdrift.records import Change, ChangeKind, Release, Surface, Symbol, SymbolKind

_CALLED = {SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD}
_DOC = 1500  # characters of a documentation that a model is shown
# Where they break code: a name that is gone, or a call that is no longer taken.
GONE = frozenset({ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED})


@dataclass(frozen=True, slots=True)
class ChangedApi:
    """One change; ``old`` and ``new`` are the API in the two releases, where it is there."""

    change: Change
    old: Symbol | None
    new: Symbol | None
    old_path: str
    new_path: str

    @property
    def kind(self) -> ChangeKind:
        return self.change.kind

    @property
    def path(self) -> str:
        return self.old_path or self.new_path

    @property
    def last(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def id(self) -> str:
        """A part of a task's id: it does not give the API away."""
        return veiled(f"{self.kind} {self.old_path} {self.new_path} {self.change.parameter}")

    def told(self, *, newer: bool) -> str:
        """What a release says of it: its call and its documentation; or that it has it not."""
        path, symbol = (self.new_path, self.new) if newer else (self.old_path, self.old)
        if symbol is None:
            return "not there"
        doc = cleandoc(symbol.doc.encode("utf-8", "replace").decode())[:_DOC]
        return f"{path}{symbol.signature or ''}\n{doc}".strip()

    @property
    def sentence(self) -> str:
        change = self.change
        words = change.detail or f"{self.path} is {change.kind}"
        more = f"; in its place: {change.replacement}" if change.replacement else ""
        return f"{words}{more}"

    @property
    def examples(self) -> tuple[str, ...]:
        """Code from the documentation of either release."""
        docs = [symbol.doc for symbol in (self.new, self.old) if symbol is not None]
        return tuple(dict.fromkeys(code for doc in docs for code in examples(doc)))

    @property
    def summary(self) -> str:
        symbol = self.new or self.old
        return summary(symbol.doc) if symbol else ""


@dataclass(frozen=True, slots=True)
class ChangesBetween:
    """What changed, and under which paths, for those who must use nothing else of it."""

    old: Release
    new: Release
    apis: tuple[ChangedApi, ...]
    gone: frozenset[str]  # every path that one of the two releases does not have
    left_out: Counter[str]


def changes_between(
    store: Store, package: str, old: str, new: str, kinds: Collection[ChangeKind]
) -> ChangesBetween:
    """The changes of certain kinds to what is called, in the order of their paths."""
    with store.snapshot():
        before, *between, after = _surfaces(store, package, old, new)
    views = View(before), View(after)
    left_out: Counter[str] = Counter()
    found: dict[tuple[str, str, str], ChangedApi] = {}
    gone: set[str] = set()
    for change in compare(before, after, between):
        if change.parameter == "" and change.kind in {*GONE, ChangeKind.INTRODUCED}:
            gone |= {change.path, *change.aliases}
        if change.kind not in kinds:
            continue
        api = _api(change, *views)
        if isinstance(api, str):
            left_out[api] += 1
        else:
            found.setdefault((api.old_path, api.new_path, change.parameter), api)
    apis = tuple(api for _, api in sorted(found.items(), key=lambda item: item[0]))
    return ChangesBetween(before.release, after.release, apis, frozenset(gone), left_out)


def _surfaces(store: Store, package: str, old: str, new: str) -> list[Surface]:
    known = store.versions(store.number(package))
    first, last = store.place(package, old)[1], store.place(package, new)[1]
    if first >= last:
        raise UserError(f"{package} {new} is not later than {old}", "Name the older version first")
    return store.surfaces(package, known[first : last + 1])


def _api(change: Change, before: View, after: View) -> ChangedApi | str:
    paths = (change.path, *change.aliases)
    old = next((path for path in paths if before.symbol(path)), "")
    replaced = change.kind in {*GONE, ChangeKind.DEPRECATED}
    wanted = (change.replacement, *paths) if replaced else paths
    new = next((path for path in wanted if path and after.symbol(path)), "")
    one, other = before.symbol(old) if old else None, after.symbol(new) if new else None
    symbol = one or other
    if symbol is None:
        return "the history does not tell where it is"
    if symbol.kind not in _CALLED:
        return "not called"
    view, path = (before, old) if one else (after, new)
    if any(view.rank(path)[:2]):
        return "not meant for users"
    return ChangedApi(change, one, other, old, new)
