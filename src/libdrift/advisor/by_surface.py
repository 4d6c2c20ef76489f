"""Java and Rust: names that went, are deprecated now, or are not there yet, by both surfaces.

No types are inferred: a member counts where the code says whose it is. Signatures are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from libdrift.advisor.checking import CheckedCode
from libdrift.history import versions
from libdrift.languages.occurrences import Occurrence
from libdrift.records import (
    Finding,
    FindingKind,
    FindingLevel,
    Surface,
    Symbol,
)

Reader = Callable[[str, Surface], list[Occurrence]]


class SurfacePair:
    """The releases of one package that code is checked between."""

    def __init__(self, old: Surface, new: Surface) -> None:
        self.old, self.new = old, new
        self.package = old.release.package
        self.versions = (old.release.version, new.release.version)

    @property
    def is_downgrade(self) -> bool:
        return versions.order(self.versions[0]) > versions.order(self.versions[1])

    @cached_property
    def _tops(self) -> frozenset[str]:
        return frozenset(root.partition(".")[0] for root in (*self.old.roots, *self.new.roots))

    def lost(self, path: str) -> str:
        """The first part of a path that the old release has and the new one lacks."""
        parts = path.split(".")
        if parts[0] not in self._tops or self.old.resolve(path) is None:
            return ""
        for length in range(1, len(parts) + 1):
            head = ".".join(parts[:length])
            if _has(self.old, head) and not _has(self.new, head) and not self._may_have(head):
                return head
        return ""

    def _may_have(self, path: str) -> bool:
        """Whether a base that neither surface shows may give a member to a class."""
        owner = self.new.resolve(path.rpartition(".")[0])
        if owner is None or ":" not in owner.id:
            return False
        return any(
            base not in self.new.symbols and base not in self.new.outside
            for scope in self.new.lineage(owner.id)
            for base in self.new.symbols[scope].bases
        )

    def deprecated(self, path: str) -> tuple[Symbol, str] | None:
        """What a path reaches, if it is deprecated by the new release and not by the old one."""
        old, new = self.old.resolve(path), self.new.resolve(path)
        if old is None or new is None or old.deprecation is not None or new.deprecation is None:
            return None
        return new, new.deprecation.message


def _has(surface: Surface, path: str) -> bool:
    # Of Java, roots are packages, and what they begin with (`java`) is no symbol.
    start = f"{path}."
    return surface.resolve(path) is not None or any(r.startswith(start) for r in surface.roots)


SUFFIXES = {"java": ".java", "rust": ".rs"}


def reader_of(language: str) -> Reader:
    """What reads code of a language; the grammar of each is loaded for it alone."""
    if language == "java":
        from libdrift.languages.java import usage

        return usage.occurrences
    from libdrift.languages.rust.usage import occurrences

    return lambda code, _: occurrences(code)


class SurfaceChecker:
    """Checks programs of one language."""

    def __init__(self, pairs: Iterable[SurfacePair], read: Reader) -> None:
        self.pairs = list(pairs)
        self._read = read

    def check(self, code: str, file: str = "") -> CheckedCode:
        found: list[Finding] = []
        uses = 0
        for pair in self.pairs:
            try:
                read = self._read(code, pair.old)
            except RecursionError:
                return CheckedCode(problem="nested too deep to be read")
            uses += len(read)
            found += self._findings(pair, read, file)
        found.sort(key=lambda item: (item.line, item.column))
        return CheckedCode(tuple(found), uses=uses)

    def _findings(
        self, pair: SurfacePair, read: Iterable[Occurrence], file: str
    ) -> Iterator[Finding]:
        told: set[str] = set()  # what an import cannot bring is told there alone
        seen: set[tuple[str, int, int]] = set()
        for item in sorted(read, key=lambda one: not one.is_import):
            lost = pair.lost(item.path)
            if lost and lost not in told:
                if item.is_import:
                    told.add(lost)
                kind = FindingKind.NOT_YET if pair.is_downgrade else FindingKind.GONE
                verb = "is not in" if pair.is_downgrade else "is gone from"
                text = f"{lost} {verb} {pair.package} {pair.versions[1]}"
                text += " yet" if pair.is_downgrade else ""
                found = _finding(pair, item, file, (kind, FindingLevel.ERROR), lost, text)
            elif not lost and not item.is_import and (known := pair.deprecated(item.path)):
                symbol, message = known
                why = f"{item.path} is deprecated" + (f": {message}" if message else "")
                how = (FindingKind.DEPRECATED, FindingLevel.WARNING)
                found = _finding(pair, item, file, how, item.path, why, symbol)
            else:
                continue
            place = (found.symbol, found.line, found.column)
            if place not in seen:
                seen.add(place)
                yield found


def _finding(
    pair: SurfacePair,
    item: Occurrence,
    file: str,
    how: tuple[FindingKind, FindingLevel],
    symbol: str,
    text: str,
    known: Symbol | None = None,
) -> Finding:
    told = known.deprecation if known is not None else None
    return Finding(
        file,
        item.line,
        item.column,
        item.end_line,
        item.end_column,
        *how,
        pair.package,
        *pair.versions,
        symbol,
        item.written,
        text,
        since=told.since if told else "",
        replacement=told.replacement if told else "",
    )
