"""What changed between two mined releases, and only what is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from libdrift.errors import UserError
from libdrift.history import versions
from libdrift.history.differences import examine
from libdrift.history.questions.asking import check_version
from libdrift.history.questions.executed import findings_between, with_findings
from libdrift.history.questions.suggestions import suggest
from libdrift.history.spelling import dotted, spelled
from libdrift.history.store import Store, not_mined
from libdrift.records import Change, ChangeKind, Surface

_RUNNABLE = "pypi"  # the packages whose examples can be run


@dataclass(frozen=True, slots=True)
class DiffFilter:
    """``path``: names under it, or that match a pattern with ``*``."""

    kinds: frozenset[ChangeKind] = frozenset(ChangeKind)
    path: str | None = None
    breaking: bool = False

    def takes(self, change: Change) -> bool:
        if change.kind not in self.kinds or (self.breaking and not change.breaking):
            return False
        return self.path is None or _matches(self.path, (change.path, *change.aliases))


@dataclass(frozen=True, slots=True)
class Diff:
    """Changes, with paths as people of the package's language write them.

    ``partial`` are releases that were read with gaps and not imported: what they lack is unknown.
    Of these, ``unimported`` are those that an import would help. ``uncompared`` are paths whose
    signatures one release tells by import alone and the other by its source, in another form.
    ``behaviour_seen`` says whether examples were run in both releases, where they can be: what no
    signature shows is seen in no other way.
    """

    package: str
    old: str
    new: str
    changes: tuple[Change, ...]
    partial: tuple[str, ...] = ()
    unimported: tuple[str, ...] = ()
    uncompared: tuple[str, ...] = ()
    behaviour_seen: bool = False


def diff(store: Store, package: str, old: str, new: str, wanted: DiffFilter | None = None) -> Diff:
    """Compare two releases; those mined between them tell where things went."""
    wanted = wanted or DiffFilter()
    if wanted.path is not None:
        if not wanted.path.strip():
            raise UserError("--path is empty", f"Give a name, such as {package}, or leave it out")
        wanted = replace(wanted, path=dotted(wanted.path))
    order = _order(store, package, old, new)
    before, *between, after = store.surfaces(package, order)
    whole = "" if wanted.path is None or _is_pattern(wanted.path) else wanted.path
    examined = examine(before, after, between, whole)
    found, ran = findings_between(store, package, order)
    changes = with_findings(examined.changes, found, (before, after))
    if wanted.path is not None:
        _check_path(store, wanted.path, changes, (before, after))
    name = before.release.package
    partial = {
        item.release.version: item.origin
        for item in (before, after)
        if not item.origin.complete and not item.origin.runtime
    }
    return Diff(
        name,
        order[0],
        order[-1],
        tuple(
            _spelled(_headed(change, wanted.path), name)
            for change in changes
            if wanted.takes(change)
        ),
        tuple(partial),
        # Import does not help a file that cannot be read.
        tuple(version for version, origin in partial.items() if origin.gaps),
        tuple(
            spelled(path, name)
            for path in examined.uncompared
            if wanted.path is None or _matches(wanted.path, [path])
        ),
        ran or before.release.ecosystem != _RUNNABLE or order[0] == order[-1],
    )


def _headed(change: Change, path: str | None) -> Change:
    """Under the name that was asked for, where it is but one of several of the same thing."""
    if path is None or _matches(path, [change.path]):
        return change
    head = next(alias for alias in change.aliases if _matches(path, [alias]))
    others = (change.path, *(alias for alias in change.aliases if alias != head))
    return replace(change, path=head, aliases=others)


def _spelled(change: Change, package: str) -> Change:
    return replace(
        change,
        path=spelled(change.path, package),
        replacement=spelled(change.replacement, package),
        aliases=tuple(spelled(alias, package) for alias in change.aliases),
    )


def _order(store: Store, package: str, old: str, new: str) -> list[str]:
    """The versions to compare and the mined ones between them, as the store writes them."""
    mined = [item.release.version for item in store.releases(package)]
    for version in (old, new):
        check_version(version)
    if not mined:
        raise not_mined(store, package, f"{package} --versions {old},{new}")
    first, last = (_find(mined, package, version) for version in (old, new))
    if versions.order(first) > versions.order(last):
        raise UserError(
            f"{first} is later than {last}", f"Run: libdrift diff {package} {last} {first}"
        )
    start, end = mined.index(first), mined.index(last)
    return mined[start : end + 1] if start != end else [first, last]


def _find(mined: Sequence[str], package: str, version: str) -> str:
    for known in mined:
        if versions.same(known, version):
            return known
    wanted = versions.order(version)
    before = [known for known in mined if versions.order(known) < wanted][-2:]
    after = [known for known in mined if versions.order(known) > wanted][:2]
    raise UserError(
        f"{package} {version} is not mined (the nearest are {', '.join([*before, *after])})",
        f"Run: libdrift mine {package} --versions {version}",
    )


def _check_path(
    store: Store, path: str, changes: Sequence[Change], surfaces: Sequence[Surface]
) -> None:
    """A path that neither release has is a slip, and not a path without changes."""
    if any(_matches(path, (change.path, *change.aliases)) for change in changes):
        return
    package, old, new = (
        surfaces[0].release.package,
        *(item.release.version for item in surfaces),
    )
    if _is_pattern(path):
        if any(_matches(path, _paths(item)) for item in surfaces):
            return
        near = []
    else:
        if any(_offers(item, path) for item in surfaces):
            return
        near = [text for text in suggest(store, path) if store.package_of(text) == package]
    raise UserError(
        f"neither {package} {old} nor {new} has {path}",
        f"Did you mean: {', '.join(near)}?"
        if near
        else f"Run: libdrift history search {package} WORDS",
    )


def _offers(surface: Surface, path: str) -> bool:
    if any(root == path or root.startswith(f"{path}.") for root in surface.roots):
        return True
    above, _, last = path.rpartition(".")
    holder = surface.resolve(above)
    if holder is None:
        return False
    if surface.lookup(holder.id, last) is not None:
        return True
    return ":" in holder.id and last in surface.inherited_from_outside(holder.id)


def _paths(surface: Surface) -> Iterator[str]:
    """Every public path, members of classes too."""
    for path, name in surface.walk():
        yield path
        waiting = [(path, name.target)]
        seen: set[str] = set()
        for above, target in waiting:  # grows, by classes within classes
            if ":" not in target or target not in surface.scopes or target in seen:
                continue
            seen.add(target)
            for label, member in surface.members(target).items():
                yield f"{above}.{label}"
                waiting.append((f"{above}.{label}", member.target))


def _is_pattern(path: str) -> bool:
    return any(letter in path for letter in "*?[")


def _matches(path: str, known: Iterable[str]) -> bool:
    if _is_pattern(path):
        return any(fnmatchcase(text, path) for text in known)
    return any(text == path or text.startswith(f"{path}.") for text in known)
