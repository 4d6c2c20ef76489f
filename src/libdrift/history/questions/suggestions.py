"""Did you mean: paths and packages of the store for names that are partial or mistyped."""

from __future__ import annotations

from libdrift.history.questions.tracing import Tracer
from libdrift.history.store import Store
from libdrift.history.store.packages import SLIPS, near, roots_like

_MANY = 5


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


def _inside(store: Store, path: str) -> list[str]:
    """`pandas.Series.haed`: the class is right, and has a name nearly like it."""
    above, _, last = path.rpartition(".")
    number = store.number(store.package_of(above) or "")
    if number is None:
        return []
    return [f"{above}.{label}" for label in near(last, Tracer(store, number).labels(above))]


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
    """Paths whose last part is nearly the same: first those of the same holder or root.

    Where the root is known, only its own: `numpy.none` says nothing of `flask.Nope`.
    """
    above, _, last = path.rpartition(".")
    root, holder = path.partition(".")[0], above.rpartition(".")[2]
    known = bool(above) and store.package_of(root) is not None
    rows = store.db.execute(
        "SELECT text FROM labels WHERE length(text) BETWEEN ? AND ?",
        (len(last) - SLIPS, len(last) + SLIPS),
    )
    found = [
        (text.split(".")[-2:-1] != [holder], text.partition(".")[0] != root, rank, text)
        for rank, label in enumerate(near(last, (row[0] for row in rows)))
        for text in _ending_in(store, label)
        if not known or text.partition(".")[0] == root
    ]
    return [text for *_, text in sorted(found)]
