"""Did you mean: paths and packages of the store for names that are partial or mistyped."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from libdrift.history.questions.tracing import Tracer
from libdrift.history.store import Store

_MANY = 5
_LIKE = 0.75  # of difflib's ratio: a slip or two
_SLIPS = 2  # letters more or fewer


def suggest(store: Store, path: str) -> list[str]:
    """Paths that a person may have meant, the most likely first."""
    with store.snapshot():
        found = (
            _inside(store, path)
            or _endings(store, path)
            or ([] if "." in path else roots_like(store, path))
            or _misspelt(store, path)
        )
    return found[:_MANY]


def packages_like(store: Store, name: str) -> list[str]:
    """Mined packages that a name may stand for: `PIL` is imported from pillow."""
    with store.snapshot():
        roots = _import_names(store)
    called = {root.lower(): package for package, own in roots.items() for root in own}
    if name.lower() in called:
        return [called[name.lower()]]
    near = _near(name, [*called, *roots])
    return list(dict.fromkeys(called.get(text, text) for text in near))[:_MANY]


def roots_like(store: Store, name: str) -> list[str]:
    """`flsk`, `pillow`: the name of a package, or nearly what it is imported as."""
    known = _import_names(store)
    if name.lower() in known:
        return known[name.lower()]
    return _near(name, (root for own in known.values() for root in own))


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


def _inside(store: Store, path: str) -> list[str]:
    """`pandas.Series.haed`: the class is right, and has a name nearly like it."""
    above, _, last = path.rpartition(".")
    number = store.number(store.package_of(above) or "")
    if number is None:
        return []
    return [f"{above}.{label}" for label in _near(last, Tracer(store, number).labels(above))]


def _near(name: str, known: Iterable[str]) -> list[str]:
    # Hardly anyone slips on the first letter; `imread` is no slip for `read`.
    labels: dict[str, str] = {
        label.lower(): label
        for label in known
        if label[:1].lower() == name[:1].lower() and abs(len(label) - len(name)) <= _SLIPS
    }
    near = difflib.get_close_matches(name.lower(), labels, n=_MANY, cutoff=_LIKE)
    return [labels[label] for label in near]


def _endings(store: Store, path: str) -> list[str]:
    """`np.trapz`, `DataFrame.append`, `append`: the end of a path, or the end of that end."""
    root = path.partition(".")[0]
    tail = path.strip(".")
    while tail:
        found = _ending_in(store, tail)
        if found:
            # LIKE does not tell `series` from `Series`: who wrote it right comes first.
            return sorted(
                found,
                key=lambda text: (text.partition(".")[0] != root, not text.endswith(f".{tail}")),
            )
        tail = tail.partition(".")[2]
    return []


def _ending_in(store: Store, tail: str) -> list[str]:
    pattern = tail.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    rows = store.db.execute(
        "SELECT text FROM paths WHERE text LIKE ? ESCAPE '\\' ORDER BY"
        " length(text) - length(replace(text, '.', '')), length(text), text LIMIT ?",
        (f"%.{pattern}", 20 * _MANY),
    )
    return [row[0] for row in rows]


def _misspelt(store: Store, path: str) -> list[str]:
    """Paths whose last part is nearly the same: first those of the same holder or root."""
    above, _, last = path.rpartition(".")
    root, holder = path.partition(".")[0], above.rpartition(".")[2]
    rows = store.db.execute(
        "SELECT text FROM labels WHERE length(text) BETWEEN ? AND ?",
        (len(last) - _SLIPS, len(last) + _SLIPS),
    )
    found = [
        (text.split(".")[-2:-1] != [holder], text.partition(".")[0] != root, rank, text)
        for rank, label in enumerate(_near(last, (row[0] for row in rows)))
        for text in _ending_in(store, label)
    ]
    return [text for *_, text in sorted(found)]
