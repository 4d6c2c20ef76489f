"""What a package has from other packages: all names of one, gone; a class that is theirs again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from libdrift.history.views import View
from libdrift.records import Binding, Change, ChangeKind, SymbolKind

_LIKELY = 0.8  # confidence: some of the names may be there in another way
_ALL = ".*"


def changes(old: View, new: View) -> Iterator[Change]:
    yield from _names(old, new)
    yield from _given_over(old, new)


def _change(old: View, new: View, paths: Sequence[str], symbol: SymbolKind, aspect: str,
            detail: str, before: str) -> Change:  # fmt: skip
    release = old.surface.release
    return Change(
        release.package,
        release.version,
        new.surface.release.version,
        ChangeKind.BEHAVIOUR,
        paths[0],
        symbol.value,
        aspect=aspect,
        before=before,
        detail=detail,
        breaking=True,
        confidence=_LIKELY,
        aliases=tuple(paths[1:]),
    )


def _names(old: View, new: View) -> Iterator[Change]:
    """Modules that took all names of another package by ``*``, and do so no more."""
    places: dict[str, list[str]] = {}
    for path, name in old.names.items():
        after = new.find(path)
        is_module = ":" not in name.target and after is not None and ":" not in after.target
        if after is None or not is_module or not old.promised(path) or _answers(new, after.target):
            continue
        before, now = (
            {place for place in view.surface.outside.get(module, ()) if place.endswith(_ALL)}
            for view, module in ((old, name.target), (new, after.target))
        )
        for place in sorted(before - now):
            places.setdefault(place.removesuffix(_ALL), []).append(path)
    for module, paths in places.items():
        detail = f"no longer has all names of {module}"
        kind = SymbolKind.MODULE
        yield _change(old, new, sorted(paths, key=old.rank), kind, "names", detail, module)


def _answers(view: View, module: str) -> bool:
    """Whether a module may still have names that are not written down in it."""
    names = view.surface.scopes.get(module, {}).values()
    return view.is_hazy(module) or any(name.binding is Binding.LAZY for name in names)


def _given_over(old: View, new: View) -> Iterator[Change]:
    """``class A(other.A, Own)``, and now just ``from other import A``."""
    for target, paths in old.paths.items():
        symbol = old.symbols.get(target)
        path = paths[0]
        parent, _, label = path.rpartition(".")
        holder = new.find(parent) if symbol and symbol.kind is SymbolKind.CLASS else None
        if symbol is None or holder is None or new.find(path) or not old.promised(path):
            continue
        if not new.imports(holder.target, label):
            continue
        above = [base for base in symbol.bases if base not in old.symbols]
        theirs = next((base for base in above if base.rpartition(".")[2] == label), "")
        lost = [item.partition(":")[2] for item in old.lineage(target)[1:]]
        shown = sorted(name for name in lost if name and name[0] != "_")
        if theirs and shown:
            detail = f"is {theirs} now; no longer inherits from {', '.join(shown)}"
            yield _change(old, new, [path], SymbolKind.CLASS, "bases", detail, ", ".join(shown))
