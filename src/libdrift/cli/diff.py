from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common

if TYPE_CHECKING:
    from libdrift.history.store import Store
    from libdrift.records import Change, ChangeKind

_WIDE = 160  # columns, where the reader is a file or another program: a line for a change


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
    from libdrift.errors import UserError
    from libdrift.history.diff import compare
    from libdrift.history.store import Store
    from libdrift.reports import changes as report

    if markdown and as_json:
        raise UserError("--markdown and --json exclude each other", "Give one of them")
    kinds = _kinds(kind or [])
    with Store.open(store or common.settings().history, readonly=True) as opened:
        order = _order(opened, package, old, new)
        before, *between, after = [opened.surface(package, version) for version in order]
    found = [
        change
        for change in compare(before, after, between)
        if _is_wanted(change, kinds, path, breaking=breaking)
    ]
    name = before.release.package
    if as_json:
        common.print_json(report.to_json(name, order[0], order[-1], found))
    elif markdown:
        print(report.markdown(name, order[0], order[-1], found))
    else:
        if found:
            console = common.stdout()
            if not console.is_terminal:
                console.width = max(console.width, _WIDE)
            console.print(report.table(found))
        print(f"{name} {order[0]} → {order[-1]}: {report.summary(found)}")


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

    mined = [item.release.version for item in store.releases(package)]
    if not mined:
        raise UserError(
            f"no release of {package} is mined",
            f"Run: libdrift mine {package} --versions {old},{new}",
        )
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


def _is_wanted(
    change: Change, kinds: frozenset[ChangeKind], path: str | None, *, breaking: bool
) -> bool:
    from fnmatch import fnmatchcase

    if change.kind not in kinds or (breaking and not change.breaking):
        return False
    if path is None:
        return True
    paths = (change.path, *change.aliases)
    if any(letter in path for letter in "*?["):
        return any(fnmatchcase(known, path) for known in paths)
    return any(known == path or known.startswith(f"{path}.") for known in paths)
