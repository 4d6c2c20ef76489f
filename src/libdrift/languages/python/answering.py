"""What the ``__getattr__`` of a module answers, with all modules of a release at hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from libdrift.languages.python.lazy import SOME
from libdrift.languages.python.lazy_tables import ITSELF
from libdrift.languages.python.parsed import Lazy, ParsedFile, ParsedReference

if TYPE_CHECKING:
    from libdrift.languages.python.linking import Linker


class LazyNames:
    def __init__(self, linker: Linker) -> None:
        self._linker = linker

    def add(self, module: str, file: ParsedFile, answerer: str) -> None:
        """``__getattr__ = answer(__name__)``: what a table beside that function has of a module."""
        maker: ParsedFile | None = file
        for item in file.imports.get(answerer, ())[:1]:
            path = self._linker.absolute(module, item.module, item.level)
            maker = self._linker.file(path) if path != module else None
        table = maker.places if maker is not None else {}
        start = f"{module}:"
        names = {
            key.removeprefix(start): target
            for key, target in table.items()
            if key.startswith(start) and key not in (target, target.replace(".", ":"))
        }
        if not names:
            return
        known = file.lazy or Lazy()
        dying = dict.fromkeys(names, "")
        file.lazy = Lazy({**names, **known.names}, known.delegates, dying | known.dying, known.dead)

    def of(self, module: str, file: ParsedFile, name: str) -> ParsedReference | None:
        lazy = file.lazy
        assert lazy is not None  # noqa: S101
        dying = lazy.dying.get(name, lazy.dying.get("*"))
        found: ParsedReference | None = None
        if name in lazy.names:
            found = self._lazy_target(module, lazy.names[name], name)
        for delegate in lazy.delegates:
            place = self.delegate(module, delegate)
            if found is None and place:
                found = self._linker.lookup(place, name)
        if found is None and "*stub*" in lazy.delegates:
            # The loader takes whatever the stub imports, compiled things too.
            found = (
                self._linker.stubs.lookup(module, name) if self._linker.stubs is not None else None
            )
        if found is None or dying is not None:
            if name not in lazy.names and "*" not in lazy.dying:
                return found
            listed = self._linker.listing(module)
            if "*" in lazy.dying and listed is not None and name not in listed:
                return found
            # A function that is warned of takes what it takes, wherever it is.
            item = found.definition if found is not None and dying is not None else None
            item = item if item is not None and item.kind == "function" else None
            origin = found.id.replace(":", ".") if found is not None else ""
            return ParsedReference("unknown" if dying is None else "symbol", module, name,
                             item, lazy=True, dying=dying, origin=origin)  # fmt: skip
        return replace(found, lazy=True)

    def given_on(self, module: str, delegate: str) -> dict[str, None]:
        """The names that a module has of another, which it asks."""
        place = self.delegate(module, delegate)
        if not place or not delegate.endswith(SOME):
            return self._linker.exported(place) if place else {}
        file = self._linker.file(place)
        return dict.fromkeys(file.lazy.names) if file is not None and file.lazy is not None else {}

    def delegate(self, module: str, delegate: str) -> str:
        """The module to which another hands what it is asked for; nothing where it is none."""
        if delegate == "*stub*":
            return ""
        delegate = delegate.removesuffix(SOME)
        target = self._linker.dotted(module, delegate) if delegate[0].isidentifier() else None
        if target is None:  # imported in the function itself
            target = self._lazy_target(module, delegate, "")
        return target.module if target is not None and target.kind == "module" else ""

    def _lazy_target(self, module: str, target: str, name: str) -> ParsedReference | None:
        if not target:
            return self._linker.child(module, name)
        if target.startswith(ITSELF):
            thing = self._linker.dotted(module, target.removeprefix(ITSELF))
            is_text = thing is not None and thing.definition and thing.definition.kind == "value"
            return None if is_text else thing
        path, colon, attribute = target.partition(":")
        itself = bool(colon) and not attribute
        bare = path.lstrip(".")
        level = len(path) - len(bare)
        places = (
            [self._linker.absolute(module, bare, level)] if level else [bare, f"{module}.{bare}"]
        )
        for place in places:
            if place in self._linker.modules.all:
                if attribute:
                    return self._linker.lookup(place, attribute)
                found = None if itself else self._linker.lookup(place, name)
                return found or ParsedReference("module", place)
            head, _, last = place.rpartition(".")
            if head in self._linker.modules.all:
                return self._linker.lookup(head, last)
        return None
