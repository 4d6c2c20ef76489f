"""Names across modules: imports followed, ``*`` expanded, ``__all__`` computed. Nothing is run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from libdrift.languages.python.answering import LazyNames
from libdrift.languages.python.classes import STANDS_FOR
from libdrift.languages.python.conditions import PART
from libdrift.languages.python.modules import Modules, is_public
from libdrift.languages.python.parsed import Definition, ParsedFile, ParsedImport, ParsedReference

Files = Callable[[str], ParsedFile | None]


class Linker:
    """One view of a release's modules: by their code, or by their stubs where they have some."""

    def __init__(self, modules: Modules, files: Files, stubs: Linker | None = None) -> None:
        self.modules = modules
        self._files = files
        self.stubs = stubs
        self.answers = LazyNames(self)
        self._tops = {name.partition(".")[0] for name in modules.all}
        self._found: dict[tuple[str, str], ParsedReference | None] = {}
        self._busy: set[tuple[str, str]] = set()
        self._listings: dict[str, list[str] | None] = {}
        self._listing_busy: set[str] = set()
        self.partial: set[str] = set()  # modules a part of whose __all__ is made at import
        self._names: dict[str, dict[str, None]] = {}
        self._exported: dict[str, dict[str, None]] = {}
        self._names_busy: set[str] = set()

    def file(self, module: str) -> ParsedFile | None:
        found = self._files(module)
        if found is not None and found.answerer:
            answerer, found.answerer = found.answerer, ""
            self.answers.add(module, found, answerer)
        return found

    # --- one name

    def lookup(self, module: str, name: str) -> ParsedReference | None:
        key = (module, name)
        if key in self._found:
            return self._found[key]
        if key in self._busy:
            return self.child(module, name)  # `from . import x` in the package that holds x
        self._busy.add(key)
        try:
            found = self._lookup(module, name)
        finally:
            self._busy.discard(key)
        self._found[key] = found
        return found

    def child(self, module: str, name: str) -> ParsedReference | None:
        known = self.modules.all.get(module)
        if known and name in known.children:
            return ParsedReference("module", known.children[name])
        return None

    def _lookup(self, module: str, name: str) -> ParsedReference | None:
        file = self.file(module)
        if file is None:
            known = self.modules.all.get(module)
            if known and known.compiled:
                return self._in_stub(module, name) or ParsedReference("unknown", module, name)
            return self.child(module, name)
        unsure: ParsedReference | None = None
        for found in self._candidates(module, file, name):
            if found is not None:
                if not self._is_vague(found):
                    return found
                unsure = unsure or found
        child = self.child(module, name)
        if child and unsure and unsure.definition and STANDS_FOR in unsure.definition.traits:
            return child
        stub = self._in_stub(module, name)
        if unsure is not None and unsure.kind == "symbol" and stub is not None:
            # Code makes it by a call; the stub may say that it is a class or function.
            assert stub.definition is not None  # noqa: S101
            return unsure if stub.definition.kind in ("value", "alias") else stub
        if unsure is not None and unsure.kind == "symbol":
            return unsure
        known = self.modules.all[module]
        if unsure is None and known.compiled and not known.code:
            unsure = ParsedReference("unknown", module, name)  # a stub need not tell everything
        return stub or child or unsure

    def _candidates(
        self, module: str, file: ParsedFile, name: str
    ) -> Iterator[ParsedReference | None]:
        sort = file.order.get(name)
        # What is imported for type checkers alone may be what the module gives lazily, unless it
        # says which names those are.
        lazily = file.lazy is not None and not file.lazy.names
        if sort is not None:
            definitions = [
                self._defined(module, item)
                for item in file.definitions.get(name, ())
                if lazily or not item.typing
            ]
            imports = [item for item in file.imports.get(name, ()) if lazily or not item.typing]
            if sort == "d":
                yield from definitions
            for item in imports:
                found = self.imported(module, item)
                if found is not None and item.typing:
                    found = ParsedReference(
                        found.kind, found.module, found.name, found.definition, lazy=True
                    )
                yield found
            yield from definitions
        for target, level in reversed(file.stars):
            found = self._starred(self.absolute(module, target, level), name)
            # A module that comes with a star gives way to the package's own of that name.
            is_module = found is not None and found.kind == "module"
            if not is_module or self.child(module, name) is None:
                yield found
        if file.lazy is not None:
            yield self.answers.of(module, file, name)

    def _defined(self, module: str, item: Definition) -> ParsedReference:
        own = ParsedReference("symbol", module, item.name, item)
        if item.kind == "alias" and item.alias != item.name:
            target = self.dotted(module, item.alias)
            if target is not None and target.kind not in ("foreign", "unknown"):
                return target
        return own

    def _starred(self, target: str, name: str) -> ParsedReference | None:
        if target not in self.modules.all or not is_public(name):
            return None
        if name in self.exported(target):
            return self.lookup(target, name)
        return None

    def _in_stub(self, module: str, name: str) -> ParsedReference | None:
        if self.stubs is None or not self.modules.all[module].stub:
            return None
        found = self.stubs.lookup(module, name)
        return found if found is not None and found.kind == "symbol" else None

    # --- following imports

    def absolute(self, module: str, target: str, level: int) -> str:
        if not level:
            return target
        known = self.modules.all.get(module)
        parts = module.split(".")
        keep = len(parts) - level + (1 if known is not None and known.package else 0)
        base = ".".join(parts[: max(keep, 0)])
        return f"{base}.{target}".strip(".") if target else base

    def imported(self, module: str, item: ParsedImport) -> ParsedReference | None:
        target = self.absolute(module, item.module, item.level)
        if target.partition(".")[0] not in self._tops:
            return ParsedReference("foreign", target, item.attribute)
        if not item.attribute:
            return ParsedReference("module", target) if target in self.modules.all else None
        known = self.modules.all.get(target)
        if known is None:
            return None
        found = self.lookup(target, item.attribute) or self.child(target, item.attribute)
        if (
            found is None
            and item.sure
            and known.code
            and not item.attribute.startswith("__")
            and (target, item.attribute) not in self._busy
        ):
            return ParsedReference("unknown", target, item.attribute)  # made there at import
        return found

    def dotted(self, module: str, path: str) -> ParsedReference | None:
        """What ``a.b.c``, written in a module, reaches: through modules and classes."""
        first, *rest = path.split(".")
        found = self.lookup(module, first)
        for part in rest:
            if found is None or found.kind in ("foreign", "unknown"):
                if found is not None and found.kind == "foreign":
                    where = f"{found.module}.{found.name}".rstrip(".")
                    found = ParsedReference("foreign", where, part)
                    continue
                return None
            if found.kind == "module":
                found = self.lookup(found.module, part)
            else:
                found = self._member(found, part)
        return found

    def _member(self, owner: ParsedReference, part: str) -> ParsedReference | None:
        definition = owner.definition
        if definition is None:
            return None
        member = definition.members.get(part)
        if member is not None:
            return ParsedReference("symbol", owner.module, f"{owner.name}.{part}", member)
        for base in definition.bases:
            above = self.dotted(owner.module, base)
            if above is not None and above.kind == "symbol" and above.definition is not definition:
                found = self._member(above, part)
                if found is not None:
                    return found
        return None

    # --- many names

    def listing(self, module: str) -> list[str] | None:
        """``__all__`` as it will be after import; None where there is none, or none to be told."""
        if module in self._listings:
            return self._listings[module]
        if module in self._listing_busy:
            return None
        self._listing_busy.add(module)
        found = self._listing(module)
        self._listing_busy.discard(module)
        self._listings[module] = found
        return found

    def _listing(self, module: str) -> list[str] | None:  # noqa: C901, PLR0912
        file = self.file(module)
        if file is None:
            return None
        if not file.listing:
            # `from .x import *` may bring an `__all__` only if x lists it, which nobody does.
            return None
        names: dict[str, None] = {}
        for step, own, modules in file.listing:
            if step == "=":
                names = {}
            more = dict.fromkeys(own)
            for path in modules:
                if not path:  # whatever the module has
                    more.update(dict.fromkeys(filter(is_public, self._own(module))))
                    continue
                whole = not path.endswith(PART)
                target = self.dotted(module, path.removesuffix(PART))
                if target is not None and target.kind == "module":
                    theirs = self.exported(target.module)
                    if not whole:
                        theirs = {n: None for n in theirs if self._is_value(target.module, n)}
                    more.update(theirs)
                    if target.module in self.partial:
                        self.partial.add(module)
            if step == "-":
                names = {name: None for name in names if name not in more}
            else:
                names.update(more)
        if file.dynamic_listing:
            if not names:
                return None  # `[n for n in dir() if …]`: whatever there is
            self.partial.add(module)
            # The part that cannot be told is most often made of what is defined beside it.
            names.update((n, None) for n in file.definitions if is_public(n))
        if module in self.partial and self.stubs is not None and self.modules.all[module].stub:
            names.update(self.stubs.exported(module))
        return list(names)

    def _offers(self, file: ParsedFile, name: str) -> bool:
        """The rule of stubs: an import is an offer only where it says `as` the same name.

        Unless the stub says that there is an ``__all__`` and not what is in it.
        """
        if name in file.definitions:
            return True
        hidden = file.dynamic_listing and not file.listing
        imports = file.imports.get(name, ())
        return any(i.explicit or (hidden and self._is_own(i)) for i in imports)

    def _is_own(self, item: ParsedImport) -> bool:
        return not self.is_foreign(item)

    def is_foreign(self, item: ParsedImport) -> bool:
        """Whether it imports from another package."""
        return item.level == 0 and item.module.partition(".")[0] not in self._tops

    def _loaded(self, module: str) -> dict[str, None]:
        """Submodules that importing a package imports: they become names of it."""
        children = self.modules.all[module].children
        prefix = f"{module}."
        found: dict[str, None] = {}
        waiting = [module] if children else []
        seen: set[str] = set()
        while waiting:
            current = waiting.pop()
            for target in self.imports_of(current):
                if target.startswith(prefix) and target not in seen:
                    seen.add(target)
                    found[target[len(prefix) :].partition(".")[0]] = None
                    waiting.append(target)
        return {label: None for label in found if label in children}

    def imports_of(self, module: str) -> Iterator[str]:
        """The modules that a module's own statements import, by their full names."""
        file = self.file(module)
        if file is None:
            return
        for target, level in file.stars:
            yield self.absolute(module, target, level)
        for imports in file.imports.values():
            for item in imports:
                if not item.typing:
                    target = self.absolute(module, item.module, item.level)
                    yield target
                    inner = f"{target}.{item.attribute}"
                    if inner in self.modules.all:
                        yield inner

    def _own(self, module: str) -> Iterator[str]:
        for name in self.names(module):
            found = self.lookup(module, name)
            if found is not None and (found.kind != "foreign" or found.name):
                yield name

    def _is_value(self, module: str, name: str) -> bool:
        found = self.lookup(module, name)
        return (
            found is not None and found.definition is not None and found.definition.kind == "value"
        )

    def exported(self, module: str) -> dict[str, None]:
        """What ``from module import *`` gives."""
        found = self._exported.get(module)
        if found is None:
            listed = self.listing(module)
            names = self.names(module) if listed is None else listed
            found = {name: None for name in names if listed is not None or is_public(name)}
            if not self._listing_busy and not self._names_busy:
                self._exported[module] = found
        return found

    def names(self, module: str) -> dict[str, None]:
        """Every name that the module binds, by its own statements and by ``*``."""
        if module in self._names:
            return self._names[module]
        file = self.file(module)
        if file is None or module in self._names_busy:
            return {}
        self._names_busy.add(module)
        found = dict.fromkeys(file.order)
        if file.stub:
            found = {name: None for name in found if self._offers(file, name)}
        found.update(self._loaded(module))
        found.update(self.starred(module))
        if file.lazy is not None:
            found.update(dict.fromkeys(file.lazy.names))
            for delegate in file.lazy.delegates:
                found.update(self.answers.given_on(module, delegate))
            if "*stub*" in file.lazy.delegates and self.stubs is not None:
                found.update(self.stubs.exported(module))
                stub = self.stubs.file(module)
                found.update(dict.fromkeys(stub.imports if stub is not None else ()))
        self._names_busy.discard(module)
        self._names[module] = found
        return found

    def starred(self, module: str) -> dict[str, None]:
        """Names that a module takes from others by ``*``."""
        file = self.file(module)
        found: dict[str, None] = {}
        for target, level in file.stars if file is not None else ():
            found.update(self.exported(self.absolute(module, target, level)))
        return found

    def _is_vague(self, found: ParsedReference) -> bool:
        """Whether something else could say more: unseen, or a value that a call or table gives.

        A compiled function whose stub is all there is may have a twin in Python, for where it
        could not be compiled, with documentation and warnings.
        """
        if found.kind == "unknown":
            return True
        item = found.definition
        if item is None:
            return False
        known = self.modules.all.get(found.module)
        if known is not None and known.compiled and not known.code:
            return True
        if item.kind == "value" and item.annotation and not item.value:
            file = self.file(found.module)  # `Old: type[New]`, for what `__getattr__` gives
            return file is not None and not file.stub and file.lazy is not None
        return item.kind == "value" and item.value.endswith(("(…)", "()", "]"))
