from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common

if TYPE_CHECKING:
    from libdrift.history.store import Store
    from libdrift.records import Change, ChangeKind, Surface

_WIDTH = 100  # columns, where the reader is a file or another program


def diff(
    package: Annotated[str, typer.Argument(help="Name of a mined package.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="Version to compare from.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Version to compare to.")],
    kind: Annotated[
        list[str] | None,
        typer.Option(
            help="Only this kind: introduced, removed, deprecated, undeprecated, signature, "
            "renamed, moved, behaviour (may be repeated)."
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(help="Only names under this path, or that match a pattern with *."),
    ] = None,
    breaking: Annotated[
        bool, typer.Option("--breaking", help="Only what can break code that worked.")
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown on stdout.")] = False,
    as_json: common.JsonOption = False,
    store: Annotated[
        Path | None, typer.Option(help="The store of mined releases, if not the usual one.")
    ] = None,
) -> None:
    """List what changed between two mined releases; what breaks code is marked with !"""
    from shutil import get_terminal_size

    from libdrift.cli.history import as_text, opened
    from libdrift.errors import UserError
    from libdrift.history.diff import compare
    from libdrift.history.spelling import dotted
    from libdrift.reports import changes as report

    if markdown and as_json:
        raise UserError("--markdown and --json exclude each other", "Give one of them")
    if path is not None and not path.strip():
        raise UserError("--path is empty", f"Give a name, such as {package}, or leave it out")
    path = path and dotted(path)
    kinds = _kinds(kind or [])
    with opened(store) as history:
        order = _order(history, package, old, new)
        before, *between, after = [history.surface(package, version) for version in order]
        changes = compare(before, after, between)
        if path is not None:
            _check_path(history, path, changes, (before, after))
    name = before.release.package
    found = [
        _spelled(change, name)
        for change in changes
        if _is_wanted(change, kinds, path, breaking=breaking)
    ]
    partial = _note_partial((before, after))
    if as_json:
        print(as_text(report.to_json(name, order[0], order[-1], found, partial)))
    elif markdown:
        print(report.markdown(name, order[0], order[-1], found))
    else:
        total = f"{name} {order[0]} → {order[-1]}: {report.summary(found)}"
        lines = report.lines(found, get_terminal_size((_WIDTH, 0)).columns)
        print("\n".join([total, *lines, total] if lines else [total]))


def _spelled(change: Change, package: str) -> Change:
    """A change as people of the package's language write its paths."""
    from dataclasses import replace

    from libdrift.history.spelling import spelled

    return replace(
        change,
        path=spelled(change.path, package),
        replacement=spelled(change.replacement, package),
        aliases=tuple(spelled(alias, package) for alias in change.aliases),
    )


def _note_partial(surfaces: Sequence[Surface]) -> list[str]:
    """Say which releases were read with gaps and not imported: what they lack is unknown."""
    partial = {
        item.release.version: item.origin
        for item in surfaces
        if not item.origin.complete and not item.origin.runtime
    }
    if partial:
        package = surfaces[0].release.package
        was = "was" if len(partial) == 1 else "were"
        text = (
            f"note: {package} {' and '.join(partial)} {was} only read, not imported, and could not"
            " be read whole: some changes may be missing or wrong."
        )
        helped = [version for version, origin in partial.items() if origin.gaps]
        if helped:  # import does not help a file that cannot be read
            text += f" Mine {'it' if len(partial) == 1 else 'them'} again with: libdrift mine"
            text += f" {package} --versions {','.join(helped)} --runtime auto"
        common.note(text)
    return list(partial)


def _kinds(given: Sequence[str]) -> frozenset[ChangeKind]:
    from libdrift.errors import UserError
    from libdrift.records import ChangeKind

    known = {kind.value: kind for kind in ChangeKind}
    for name in given:
        if name not in known:
            raise UserError(f"unknown kind of change '{name}'", f"Kinds: {', '.join(known)}")
    return frozenset(known[name] for name in given) or frozenset(ChangeKind)


def _order(store: Store, package: str, old: str, new: str) -> list[str]:
    """The versions to compare and the mined ones between them, as the store writes them."""
    from libdrift.errors import UserError
    from libdrift.history import versions
    from libdrift.history.asking import check_version, not_mined

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
    from libdrift.errors import UserError
    from libdrift.history import versions

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
    from libdrift.errors import UserError
    from libdrift.history.suggestions import suggest

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


def _is_wanted(
    change: Change, kinds: frozenset[ChangeKind], path: str | None, *, breaking: bool
) -> bool:
    if change.kind not in kinds or (breaking and not change.breaking):
        return False
    return path is None or _matches(path, (change.path, *change.aliases))


def _is_pattern(path: str) -> bool:
    return any(letter in path for letter in "*?[")


def _matches(path: str, known: Iterable[str]) -> bool:
    from fnmatch import fnmatchcase

    if _is_pattern(path):
        return any(fnmatchcase(text, path) for text in known)
    return any(text == path or text.startswith(f"{path}.") for text in known)
