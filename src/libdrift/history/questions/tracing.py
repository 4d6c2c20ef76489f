"""Where a path leads in every mined release at once, without rebuilding a surface.

A set of releases is a number whose bits are positions: bit 0 is the first mined release. A path
is followed part by part; at each part the set is divided among the things that the part reaches.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from libdrift.history.store import Store, packing
from libdrift.history.views import HARMLESS, modules_of
from libdrift.records import SymbolKind

K = TypeVar("K")


def bits(first: int, last: int) -> int:
    return (1 << (last + 1)) - (1 << first)


def positions(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def runs(mask: int) -> list[tuple[int, int]]:
    """Unbroken stretches of a set: the first and the last position of each."""
    found: list[tuple[int, int]] = []
    for position in positions(mask):
        if found and found[-1][1] == position - 1:
            found[-1] = (found[-1][0], position)
        else:
            found.append((position, position))
    return found


@dataclass(slots=True)
class Reached:
    """What a path reaches, and in which releases.

    ``foreign`` are members that only a base class of another package gives, by that base.
    """

    targets: dict[int, int] = field(default_factory=dict)
    foreign: dict[str, int] = field(default_factory=dict)

    @property
    def mask(self) -> int:
        found = 0
        for mask in (*self.targets.values(), *self.foreign.values()):
            found |= mask
        return found

    def add(self, target: int, mask: int) -> None:
        self.targets[target] = self.targets.get(target, 0) | mask


class Tracer:
    """Follows paths through one package. Used within a snapshot of the store."""

    def __init__(self, store: Store, number: int) -> None:
        self._db = store.db
        self._package = number
        self._reached: dict[str, Reached] = {}
        self._ids: dict[int, str] = {}
        self._known_bases: dict[int, list[tuple[list[str], int]]] = {}
        self._lines: dict[tuple[int, int], tuple[int, ...]] = {}
        rows = self._db.execute(
            "SELECT version, date, roots, outside, tombstones, origin FROM releases"
            " WHERE package = ? ORDER BY position",
            (number,),
        ).fetchall()
        self.versions: list[str] = [row[0] for row in rows]
        self.dates: list[str | None] = [row[1] for row in rows]
        self._roots: list[list[str]] = [row[2].split("\n") for row in rows]
        self._outside_blobs: list[int] = [row[3] for row in rows]
        self._tombstone_blobs: list[int] = [row[4] for row in rows]
        self._origin_blobs: list[int] = [row[5] for row in rows]

    @property
    def all(self) -> int:
        return bits(0, len(self.versions) - 1)

    # --- paths

    def reach(self, path: str) -> Reached:
        """What a path reaches; nothing where it only raises the error that tells it is gone."""
        if path not in self._reached:
            self._reached[path] = self._reach(path)
        return self._reached[path]

    def _reach(self, path: str) -> Reached:
        found = Reached()
        root = self._mask_of_root(path)
        if root:
            number = self._number(path)
            if number is not None:
                found.add(number, root)
        above, _, last = path.rpartition(".")
        if above:
            for scope, mask in self.reach(above).targets.items():
                self._look(scope, last, mask & ~root, found)
        dead = self.tombstones.get(path, {})
        if dead:
            alive = ~sum(1 << position for position in dead)
            found.targets = _within(found.targets, alive)
            found.foreign = _within(found.foreign, alive)
        found.targets = {
            target: held
            for target, mask in found.targets.items()
            if (held := self._living(target, mask))
        }
        return found

    def _living(self, target: int, mask: int) -> int:
        """Without the releases in which all that is left of a thing is an error."""
        dead = self.tombstones.get(self.text(target), {}) if self.tombstones else {}
        return mask & ~sum(1 << position for position in dead)

    def _mask_of_root(self, path: str) -> int:
        return sum(1 << at for at, roots in enumerate(self._roots) if path in roots)

    def _look(self, scope: int, label: str, mask: int, found: Reached) -> None:
        """A name in a module or a class; for a class in its bases too, the nearest first."""
        mask = self._own(scope, label, mask, found)
        if ":" not in self.text(scope):
            # A name that the module has offered at other times, and only imports now, is there.
            asked = mask if found.targets else 0
            given = asked and asked & self._given(self.text(scope), label)
            if given:
                found.foreign[self.text(scope)] = given
            return
        if not mask:
            return
        inner, outer = self._lineage(scope, mask)
        for current, asked in inner:
            left = self._own(current, label, asked & mask, found)
            mask &= ~asked | left
        # Attributes that methods set count where the class has had the name for all to see.
        late = [(self.text(one), asked) for one, asked in [(scope, mask), *inner] if found.targets]
        for base, asked in [*outer, *late]:
            wanted = asked & mask
            given = wanted and wanted & self._given(base, label)
            if given:
                found.foreign[base] = found.foreign.get(base, 0) | given
                mask &= ~given

    def _lineage(
        self, scope: int, mask: int
    ) -> tuple[list[tuple[int, int]], list[tuple[str, int]]]:
        """The bases of a class as Python looks, each with the releases: own ones, foreign ones.

        Releases that have the same line are taken together: most have.
        """
        lines: dict[tuple[int, ...], int] = {}
        for position in positions(mask):
            line = self._line(scope, position, ())
            lines[line] = lines.get(line, 0) | 1 << position
        inner = [(number, held) for line, held in lines.items() for number in line]
        outer = [
            (base, held & asked)
            for number, asked in inner
            for bases, held in self._bases(number)
            for base in bases
            if ":" not in base or self._number(base) is None
        ]
        return [(number, asked) for number, asked in inner if number != scope], outer

    def _line(self, scope: int, position: int, below: tuple[int, ...]) -> tuple[int, ...]:
        """A class and its bases in one release: as ``Surface.lineage`` has them."""
        key = (scope, position)
        if key in self._lines:
            return self._lines[key]
        held = [bases for bases, mask in self._bases(scope) if mask >> position & 1]
        if not held or scope in below:
            return ()
        line = [scope]
        for base in held[0]:
            number = self._number(base) if ":" in base else None
            if number is not None:
                line += self._line(number, position, (*below, scope))
        self._lines[key] = tuple(dict.fromkeys(reversed(line)))[::-1]
        return self._lines[key]

    def _own(self, scope: int, label: str, mask: int, found: Reached) -> int:
        """A scope's own name; gives back the releases in which it has none."""
        rows = self._db.execute(
            "SELECT target, first, last FROM names WHERE package = ? AND scope = ?"
            " AND name = (SELECT id FROM labels WHERE text = ?)",
            (self._package, scope, label),
        )
        for target, first, last in rows:
            held = mask & bits(first, last)
            if held:
                found.add(target, held)
                mask &= ~held
        return mask

    def labels(self, path: str) -> set[str]:
        """The public names that a module or a class has ever had, inherited ones too."""
        found: set[str] = set()
        scopes = list(self.reach(path).targets)
        for scope in scopes:  # grows
            rows = self._db.execute(
                "SELECT DISTINCT l.text FROM names n JOIN labels l ON l.id = n.name"
                " WHERE n.package = ? AND n.scope = ?",
                (self._package, scope),
            )
            found.update(row[0] for row in rows if row[0][:1] not in {"", "_"})
            bases = {base for held, _ in self._bases(scope) for base in held if ":" in base}
            scopes += [
                number
                for number in map(self._number, sorted(bases))
                if number is not None and number not in scopes
            ]
        return found

    def may_have(self, path: str, position: int) -> bool:
        """Whether a release may have a path that was not seen there, its holder being unclear."""
        above = path.rpartition(".")[0]
        if not above:
            return False
        held = [key for key, mask in self.reach(above).targets.items() if mask >> position & 1]
        if not held:
            return self.may_have(above, position)
        kinds = [shape for shape, _, mask in self.shapes(held[0]) if mask >> position & 1]
        if not kinds or json.loads(kinds[0])[0] == SymbolKind.UNKNOWN:
            return True
        holder = self.text(held[0])
        if ":" not in holder:
            return holder in self._hazy(position)
        known = self._outside[self._outside_blobs[position]]
        outer = self._lineage(held[0], 1 << position)[1]
        return any(base not in known for base, mask in outer if mask)

    def _hazy(self, position: int) -> frozenset[str]:
        """Modules of a release that could not be read whole."""
        origin = json.loads(self._blob(self._origin_blobs[position]))
        gaps = (
            [] if origin["runtime"] else [gap for gap in origin["gaps"] if not HARMLESS.search(gap)]
        )
        return modules_of([*origin["unread"], *gaps])

    # --- ids

    def text(self, number: int) -> str:
        if number not in self._ids:
            row = self._db.execute("SELECT text FROM ids WHERE id = ?", (number,)).fetchone()
            self._ids[number] = row[0]
        return self._ids[number]

    def _number(self, symbol_id: str) -> int | None:
        row = self._db.execute(
            "SELECT id FROM ids WHERE package = ? AND text = ?", (self._package, symbol_id)
        ).fetchone()
        return int(row[0]) if row else None

    # --- contents

    def shapes(self, number: int) -> list[tuple[bytes, int | None, int]]:
        """The contents of a symbol over time: its shape, its documentation's number, the set."""
        rows = self._db.execute(
            "SELECT b.data, s.doc, s.first, s.last FROM symbols s JOIN blobs b ON b.id = s.shape"
            " WHERE s.package = ? AND s.symbol = ? ORDER BY s.first",
            (self._package, number),
        )
        return [(packing.inflate(data), doc, bits(first, last)) for data, doc, first, last in rows]

    def doc(self, number: int | None) -> str:
        if number is None:
            return ""
        row = self._db.execute("SELECT data FROM blobs WHERE id = ?", (number,)).fetchone()
        return packing.text(packing.inflate(row[0]))

    def best_path(self, number: int, position: int) -> str:
        """The most public path of a symbol in a release; empty if it has none."""
        row = self._db.execute(
            "SELECT p.text FROM symbols s JOIN paths p ON p.id = s.path"
            " WHERE s.package = ? AND s.symbol = ? AND s.first <= ? AND s.last >= ?",
            (self._package, number, position, position),
        ).fetchone()
        return row[0] if row else ""

    def _bases(self, number: int) -> list[tuple[list[str], int]]:
        if number not in self._known_bases:
            found = [(json.loads(shape)[4], mask) for shape, _, mask in self.shapes(number)]
            self._known_bases[number] = found
        return self._known_bases[number]

    def _given(self, base: str, label: str) -> int:
        """The releases whose surface knows that a foreign base has a member."""
        return sum(
            1 << position
            for position, number in enumerate(self._outside_blobs)
            if label in self._outside[number].get(base, ())
        )

    @cached_property
    def _outside(self) -> dict[int, packing.Outside]:
        return {number: packing.outside(self._blob(number)) for number in set(self._outside_blobs)}

    @cached_property
    def tombstones(self) -> Mapping[str, dict[int, str]]:
        """Paths that raise an error which tells of their end: by position, what it says."""
        read = {
            number: packing.tombstones(self._blob(number)) for number in set(self._tombstone_blobs)
        }
        found: dict[str, dict[int, str]] = {}
        for position, number in enumerate(self._tombstone_blobs):
            for path, message in read[number].items():
                found.setdefault(path, {})[position] = message
        return found

    def _blob(self, number: int) -> bytes:
        row = self._db.execute("SELECT data FROM blobs WHERE id = ?", (number,)).fetchone()
        return packing.inflate(row[0])


def _within(masks: dict[K, int], mask: int) -> dict[K, int]:
    return {key: held & mask for key, held in masks.items() if held & mask}
