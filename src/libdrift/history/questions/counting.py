"""How much of a package's interface each release changed, counted as LibEvolutionEval does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from libdrift.history.questions.tracing import Tracer
from libdrift.history.store import Store, packing
from libdrift.records import Provenance, Signature

_READ = {Provenance.STATIC, Provenance.STUB}


@dataclass(frozen=True, slots=True)
class Counts:
    """Each thing counts once, under its most public path; inner parts do not count.

    The first mined release has nothing to be compared with: all but its total is unknown.
    """

    version: str
    date: str | None
    total: int
    new: int | None = None
    deleted: int | None = None
    modified: int | None = None  # how it is called, or its deprecation
    consistent: int | None = None


def stats(store: Store, package: str) -> list[Counts]:
    """One row a release, each against the mined release before it."""
    with store.snapshot():
        number = store.number(package)
        if number is None:
            return []
        return _Comparison(store, number).counts()


class _Comparison:
    def __init__(self, store: Store, number: int) -> None:
        self._store = store
        self._number = number
        self._tracer = Tracer(store, number)
        self._facts = lru_cache(maxsize=20_000)(self._read)

    def counts(self) -> list[Counts]:
        found: list[Counts] = []
        before: dict[str, int] = {}
        for position, version in enumerate(self._tracer.versions):
            now = self._shapes(position)
            date = self._tracer.dates[position]
            if position == 0:
                found.append(Counts(version, date, len(now)))
            else:
                pairs = self._pairs(before, now, position)
                modified = sum(self._differ(before[a], now[b]) for a, b in pairs.items())
                new, deleted = len(now) - len(pairs), len(before) - len(pairs)
                same = len(pairs) - modified
                found.append(Counts(version, date, len(now), new, deleted, modified, same))
            before = now
        return found

    def _pairs(self, before: dict[str, int], now: dict[str, int], position: int) -> dict[str, str]:
        """Things of the release before, each with what it is now; each on either side once.

        The most public path of a thing may be another one now: the old one may still reach it, or
        the new one may have reached it before.
        """
        pairs = {path: path for path in before.keys() & now.keys()}
        taken = set(pairs.values())
        for path in sorted(before.keys() - now.keys()):
            other = self._counted_as(path, position)
            if other in now and other not in taken:
                pairs[path] = other
                taken.add(other)
        for path in sorted(now.keys() - taken):
            other = self._counted_as(path, position - 1)
            if other in before and other not in pairs:
                pairs[other] = path
        return pairs

    def _shapes(self, position: int) -> dict[str, int]:
        rows = self._store.db.execute(
            "SELECT p.text, s.shape FROM symbols s JOIN paths p ON p.id = s.path WHERE"
            " s.package = ? AND s.first <= ? AND s.last >= ? AND NOT s.inner",
            (self._number, position, position),
        )
        return dict(rows.fetchall())

    def _counted_as(self, path: str, position: int) -> str:
        """The most public path of what a path reached in a release; nothing where it was not."""
        for target, mask in self._tracer.reach(path).targets.items():
            if mask >> position & 1:
                row = self._store.db.execute(
                    "SELECT p.text FROM symbols s JOIN paths p ON p.id = s.path WHERE"
                    " s.package = ? AND s.symbol = ? AND s.first <= ? AND s.last >= ?",
                    (self._number, target, position, position),
                ).fetchone()
                return str(row[0]) if row else ""
        return ""

    def _differ(self, old: int, new: int) -> bool:
        if old == new:
            return False
        (was_called, was_told), (called, told) = self._facts(old), self._facts(new)
        if was_told is not None and told is not None and was_told != told:
            return True
        return was_called is not None and called is not None and not _alike(was_called, called)

    def _read(self, shape: int) -> tuple[Signature | None, frozenset[str] | None]:
        """A signature, and what is deprecated: the empty name is the symbol. None is unknown."""
        row = self._store.db.execute("SELECT data FROM blobs WHERE id = ?", (shape,)).fetchone()
        read = packing.one_shape(packing.inflate(row[0]))
        if _READ.isdisjoint(read[-1]):
            return read[1], None
        told = (item for item in read[2] if item.parameter or not item.conditional)
        return read[1], frozenset(item.parameter for item in told)


def _alike(old: Signature, new: Signature) -> bool:
    """Whether callers see no difference. Annotations do not count; `...` stands for any default."""
    if len(old.parameters) != len(new.parameters):
        return False
    return all(
        one.name == other.name
        and one.kind is other.kind
        and (one.default == other.default or "..." in {one.default, other.default})
        for one, other in zip(old.parameters, new.parameters, strict=True)
    )
