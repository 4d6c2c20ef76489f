"""Packages by their names, and which one was meant where there is none of a name."""

from __future__ import annotations

from collections.abc import Iterable

from libdrift.errors import UserError
from libdrift.history.store.database import Store

_MANY = 5
_LIKE = 0.75  # of difflib's ratio: a slip or two
SLIPS = 2  # letters more or fewer


def not_mined(store: Store, package: str, asked: str = "") -> UserError:
    """A package that is not there; ``asked`` is what to give to `mine` for it."""
    if not package.strip():
        return UserError("the package's name is empty", "Run: libdrift history list")
    alike = packages_like(store, package)
    return UserError(
        f"{package} is not mined",
        f"Did you mean {' or '.join(alike)}?"
        if alike
        else f"Run: libdrift mine {asked or package}",
    )


def packages_like(store: Store, name: str) -> list[str]:
    """Mined packages that a name may stand for: `PIL` is imported from pillow."""
    with store.snapshot():
        roots = _import_names(store)
    called = {root.lower(): package for package, own in roots.items() for root in own}
    if name.lower() in called:
        return [called[name.lower()]]
    alike = near(name, [*called, *roots])
    return list(dict.fromkeys(called.get(text, text) for text in alike))[:_MANY]


def roots_like(store: Store, name: str) -> list[str]:
    """`flsk`, `pillow`: the name of a package, or nearly what it is imported as."""
    known = _import_names(store)
    if name.lower() in known:
        return known[name.lower()]
    return near(name, (root for own in known.values() for root in own))


def _import_names(store: Store) -> dict[str, list[str]]:
    """Of each package what it is imported as, the private helpers left out."""
    rows = store.db.execute(
        "SELECT DISTINCT p.name, r.roots FROM releases r JOIN packages p ON p.id = r.package"
    )
    found: dict[str, list[str]] = {}
    for name, roots in rows:
        own = found.setdefault(name, [])
        own += [root for root in roots.split("\n") if root[:1] not in {"", "_"}]
    return {name: list(dict.fromkeys(own)) for name, own in found.items()}


def near(name: str, known: Iterable[str]) -> list[str]:
    """Names that are one or two slips away, the most likely first."""
    import difflib  # not needed by a name that is there

    # Hardly anyone slips on the first letter; `imread` is no slip for `read`. Of two that differ by
    # case alone, it is the one that begins as it was asked for.
    labels: dict[str, str] = {
        label.lower(): label
        for label in sorted(known, key=lambda label: (label[:1] == name[:1], label))
        if label[:1].lower() == name[:1].lower() and abs(len(label) - len(name)) <= SLIPS
    }
    alike = difflib.get_close_matches(name.lower(), labels, n=_MANY, cutoff=_LIKE)
    return [labels[label] for label in alike]
