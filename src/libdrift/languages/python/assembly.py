"""From linked modules to a ``Surface``: public names, and the symbols that they reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from inspect import cleandoc

from libdrift.languages.python import doclines, endings
from libdrift.languages.python.directives import in_documentation
from libdrift.languages.python.expressions import completed
from libdrift.languages.python.inheritance import Inheritance
from libdrift.languages.python.lazy_tables import is_expired
from libdrift.languages.python.linking import Linker
from libdrift.languages.python.modules import Modules, is_offered, is_public
from libdrift.languages.python.parsed import MADE, ParsedFile, ParsedImport, ParsedReference
from libdrift.languages.python.symbols import Symbols
from libdrift.records import (
    Binding,
    Deprecation,
    Name,
    Origin,
    Provenance,
    Release,
    Surface,
    Symbol,
    SymbolKind,
)


class Assembly:
    def __init__(self, release: Release, modules: Modules, code: Linker, stubs: Linker) -> None:
        self.release = release
        self.modules = modules
        self.code = code
        self.stubs = stubs
        self.symbols = Symbols(modules, code, stubs)
        self.scopes = self.symbols.scopes
        self.gaps = self.symbols.gaps
        self.tombstones: dict[str, str] = {}

    def build(self) -> Surface:
        self._explore(list(self.modules.roots))
        self._explore(self._used_folders())
        for module in list(self.modules.all):
            if module in self.scopes:
                self._give(module)
        self._document()
        symbols = self.symbols
        inheritance = Inheritance(symbols.definitions, symbols.bases, self.scopes)
        mappings = {item for item in symbols.definitions if inheritance.is_mapping(item)}
        for class_id in mappings:
            inheritance.take_keys(class_id)
        for class_id in symbols.definitions:
            inheritance.add_accessors(class_id)
            symbols.found[class_id] = replace(
                symbols.found[class_id],
                signature=inheritance.constructor(class_id),
                bases=("typing.TypedDict",) if class_id in mappings else symbols.bases[class_id],
            )
        for function, class_id in symbols.wrapped_classes.items():
            taken = symbols.found[class_id].signature
            symbols.found[function] = replace(symbols.found[function], signature=taken)
        gone = endings.ended(symbols, inheritance)
        surface = Surface(
            self.release,
            self.modules.roots,
            symbols.found,
            self.scopes,
            symbols.outside,
            origin=Origin(gaps=tuple(self.gaps)),
            places=symbols.places,
        )
        return replace(surface, tombstones=endings.paths(surface, gone) | self.tombstones)

    # --- modules

    def _explore(self, waiting: list[str]) -> None:
        while waiting:
            module = waiting.pop()
            if module in self.scopes:
                continue
            self.module(module)
            targets = {name.target for name in self.scopes[module].values()}
            waiting += [t for t in targets if ":" not in t and t in self.modules.all]

    def _used_folders(self) -> list[str]:
        """Folders without ``__init__`` from which something was imported: offered after all."""
        found = []
        for name, module in self.modules.all.items():
            parent, _, label = name.rpartition(".")
            offered = module.silent and is_public(label) and parent in self.scopes
            if offered and self._is_used(name):
                self.scopes[parent].setdefault(label, Name(name, Binding.SUBMODULE))
                found.append(name)
        return found

    def _is_used(self, folder: str) -> bool:
        """By what was reached, or by its own modules, which know it by its place here."""
        if any(symbol.startswith(f"{folder}.") for symbol in self.symbols.found):
            return True
        return any(
            target.startswith(f"{folder}.")
            for child in self.modules.all[folder].children.values()
            for target in self.code.imports_of(child)
        )

    def module(self, module: str) -> None:
        file = self.code.file(module)
        known = self.modules.all.get(module)
        self.scopes[module] = scope = {}
        if file is None:
            self.symbols.found[module] = Symbol(module, SymbolKind.MODULE)
            if known is not None and known.compiled:
                self.gaps[f"{module}: compiled"] = None
        else:
            self._describe(module, file)
            self._note_imports(module, file)
            for name, reference, binding in self._public(module, file):
                scope[name] = Name(self.symbols.reach(reference), binding, self._seen_in(reference))
            for name, said in self._expired(module, file):
                self.tombstones[f"{module}.{name}"] = said
            for name, said in file.lazy.dead.items() if file.lazy is not None else ():
                # A module's __getattr__ is asked only for what the module has not.
                lazily = name not in scope or scope[name].binding is Binding.LAZY
                if lazily and name not in file.order and is_public(name):
                    self.tombstones[f"{module}.{name}"] = said
                    scope.pop(name, None)
        for label, child in (known.children if known else {}).items():
            if is_public(label) and label not in scope and not self.modules.all[child].silent:
                bound = self.code.lookup(module, label)
                # A function that has its module's name hides it.
                if bound is None or bound.kind in ("module", "unknown", "foreign"):
                    scope[label] = Name(child, Binding.SUBMODULE)

    def _give(self, module: str) -> None:
        """``other.name = thing``: an old place, at which another module still has it."""
        file = self.code.file(module)
        for place, name, value in file.given if file is not None else ():
            owner = self.code.dotted(module, place)
            thing = self.code.dotted(module, value) if value else None
            if owner is None or thing is None or owner.kind != "module":
                continue
            scope = self.scopes.get(owner.module)
            if scope is None or thing.kind not in ("symbol", "module"):
                continue
            before = self.symbols.found.get(scope[name].target) if name in scope else None
            if before is None or before.value == "None":  # a place that was kept for it
                scope[name] = Name(self.symbols.reach(thing), Binding.IMPORTED)

    def _note_imports(self, module: str, file: ParsedFile) -> None:
        """What a module has for its own use: nothing it offers, but nothing it lacks.

        That is what it imports from other packages (``numpy.*`` for all that one has, ``numpy.**``
        beside it where it asks that one for whatever it has not), what is private by its name,
        and, beside an ``__all__``, what it imports of its own package.
        """
        names = {
            name
            for name, imports in file.imports.items()
            if any(
                not item.typing and (not is_public(name) or self._is_outer(module, name, item))
                for item in imports
            )
        }
        names |= {name for name in file.definitions if not is_public(name)}
        names |= {f"{target}.*" for target in self._foreign_stars(module, file, {module})}
        if file.listing and not self.modules.all[module].package:
            own = [name for name, found in file.imports.items() if not all(i.typing for i in found)]
            names.update(filter(is_public, (*own, *self.code.starred(module))))
        elif file.listing:  # modules that a package imports, and does not list
            names.update(filter(is_public, self._imported_modules(module, file)))
        for delegate in file.lazy.delegates if file.lazy is not None else ():
            place = self.code.dotted(module, delegate) if delegate[0].isidentifier() else None
            if place is not None and place.kind == "foreign":
                whole = f"{place.module}.{place.name}".rstrip(".")
                names.update((f"{whole}.*", f"{whole}.**"))
        if names:
            self.symbols.outside[module] = tuple(sorted(names))

    def _is_outer(self, module: str, name: str, item: ParsedImport) -> bool:
        """Another package's, by whatever module of this one it is imported."""
        if self.code.is_foreign(item):
            return True
        found = self.code.lookup(module, name)
        return found is not None and found.kind == "foreign"

    def _foreign_stars(self, module: str, file: ParsedFile, seen: set[str]) -> Iterator[str]:
        """Other packages all of whose names a module takes, by its own modules too."""
        for target, level in file.stars:
            if self.code.is_foreign(ParsedImport(target, level)):
                yield target
                continue
            path = self.code.absolute(module, target, level)
            other = self.code.file(path) if path in self.modules.all else None
            if other is not None and path not in seen and not other.listing:
                yield from self._foreign_stars(path, other, {*seen, path})

    def _imported_modules(self, module: str, file: ParsedFile) -> Iterator[str]:
        for name, imports in file.imports.items():
            found = None if all(item.typing for item in imports) else self.code.lookup(module, name)
            if found is not None and found.kind == "module":
                yield name

    def _expired(self, module: str, file: ParsedFile) -> Iterator[tuple[str, str]]:
        """The module's table of removed names; it may be kept in a module of its own."""
        yield from file.tombstones.items()
        for label, imports in file.imports.items():
            if is_expired(label):
                for item in imports:
                    target = self.code.absolute(module, item.module, item.level)
                    other = self.code.file(target)
                    yield from other.tombstones.items() if other is not None else ()

    def _describe(self, module: str, file: ParsedFile) -> None:
        evidence = file.deprecations
        own = any(map(is_public, file.definitions))
        if file.lazy is not None and "*" in file.lazy.dying and not own:
            evidence = (*evidence, Deprecation("shim", "the module only forwards, and warns"))
        self.symbols.found[module] = Symbol(
            module,
            SymbolKind.MODULE,
            doc=cleandoc(file.doc) if file.doc else "",
            deprecations=evidence,
            notes=file.notes,
        )
        files = self.modules.all[module]
        self.symbols.places[module] = f"{files.code or files.stub}:1"
        for gap in file.gaps:
            self.gaps[f"{module}: {gap}"] = None
        for target, level in file.stars:
            path = self.code.absolute(module, target, level)
            known = self.modules.all.get(path)
            if known is not None and known.compiled and not known.stub and not known.code:
                self.gaps[f"{module}: takes all names of {path}, which is compiled"] = None
            elif self.code.is_foreign(ParsedImport(target, level)):
                self.gaps[f"{module}: takes all names of {path}, of another package"] = None
            elif self._makes_names(path):
                self.gaps[f"{module}: takes all names of {path}, which makes some"] = None

    def _makes_names(self, module: str) -> bool:
        """Whether a module offers names that its text does not show to who takes all of them."""
        file = self.code.file(module)
        if file is None or MADE not in file.gaps:
            return False
        listed = self.code.listing(module)
        return listed is None or any(self.code.lookup(module, name) is None for name in listed)

    def _public(
        self, module: str, file: ParsedFile
    ) -> Iterator[tuple[str, ParsedReference, Binding]]:
        listed = self.code.listing(module)
        if listed is not None:
            if module in self.code.partial:
                self.gaps[f"{module}: a part of __all__ is made at import"] = None
            yield from self._listed(module, file, listed)
            return
        known = self.modules.all[module]
        names = dict(self.code.names(module))
        if self._is_open(module, file) and known.stub:
            names.update(self.stubs.exported(module))
        for name in names:
            if not is_offered(module, name):
                continue
            found = self.code.lookup(module, name)
            if found is None:
                continue
            binding = self._binding(module, file, name, found)
            if binding is not None:
                yield name, found, binding

    def _listed(
        self, module: str, file: ParsedFile, listed: list[str]
    ) -> Iterator[tuple[str, ParsedReference, Binding]]:
        for name in filter(is_public, listed):
            found = self.code.lookup(module, name)
            if found is not None:
                yield name, found, Binding.LAZY if found.lazy else Binding.LISTED
            elif name in file.order or self._is_open(module, file):
                yield name, ParsedReference("unknown", module, name), Binding.LISTED
            # Else a slip: nothing defines what is listed, and to ask for it fails.
        # Not listed, but there: what the module answers to or defines, and what a package takes
        # from its own modules. To leave a name out of the list is not to remove it.
        lazily = file.lazy.names if file.lazy is not None else {}
        taken = self.code.names(module) if self.modules.all[module].package else {}
        for name in dict.fromkeys((*lazily, *taken, *file.definitions)):
            if not is_offered(module, name) or (name in listed and is_public(name)):
                continue
            found = self.code.lookup(module, name)
            if found is not None and found.lazy:
                yield name, found, Binding.LAZY
            elif found is not None and name in file.definitions:
                yield name, found, Binding.UNLISTED
            elif found is not None and (found.kind == "symbol" or found.module == "builtins"):
                yield name, found, Binding.IMPORTED

    def _is_open(self, module: str, file: ParsedFile) -> bool:
        """Whether the code leaves names to be found elsewhere."""
        for target, level in file.stars:
            known = self.modules.all.get(self.code.absolute(module, target, level))
            if known is None or (known.compiled and not known.code):
                return True
        return bool(file.gaps) or file.lazy is not None

    def _binding(
        self, module: str, file: ParsedFile, name: str, found: ParsedReference
    ) -> Binding | None:
        known = self.modules.all[module]
        only_stub = not known.code
        imports = file.imports.get(name, ())
        explicit = any(item.explicit for item in imports)
        if found.lazy:
            return Binding.LAZY
        if found.kind == "module" and found.module == f"{module}.{name}":
            return Binding.SUBMODULE
        if file.order.get(name) == "d":
            return Binding.DEFINED
        if found.kind == "foreign":
            by_name = bool(
                found.name
            )  # `import os` gives a module, `from os import getcwd` a thing
            offered = explicit or (known.package and not only_stub)
            return Binding.REEXPORTED if by_name and offered else None
        if imports:
            if only_stub and not explicit:
                return None  # the rule of stubs: an import is not an offer
            return Binding.REEXPORTED if known.package or explicit else Binding.IMPORTED
        return Binding.REEXPORTED  # by `*`

    def _seen_in(self, reference: ParsedReference) -> tuple[Provenance, ...]:
        known = self.modules.all.get(reference.module)
        if reference.definition is not None and known is not None and not known.code:
            return (Provenance.STUB,)
        return (Provenance.STATIC,)

    def _document(self) -> None:
        """Texts that a module has for compiled things; they also name members and parameters."""
        for module in self.modules.all:
            if "newdoc" not in module:
                continue
            file = self.code.file(module)
            for place, name, member, text in file.documents if file is not None else ():
                found = self.code.lookup(place, name) if place in self.modules.all else None
                identifier = found.id if found is not None else ""
                if identifier not in self.symbols.definitions:
                    identifier = self._further_out(place, name) or identifier
                if member and identifier in self.symbols.definitions:
                    scope = self.scopes[identifier]
                    inner = f"{identifier}.{member}"
                    if is_public(member) and self._lacks(identifier, member):
                        scope[member] = Name(inner)
                        self.symbols.found[inner] = Symbol(inner, SymbolKind.UNKNOWN)
                    identifier = inner
                if identifier in self.symbols.found and text:
                    self.symbols.found[identifier] = _documented(
                        self.symbols.found[identifier], text
                    )

    def _further_out(self, module: str, name: str) -> str:
        """The class that a stub of a package around a compiled module has under that name."""
        parts = module.split(".")
        around = (".".join(parts[:length]) for length in range(len(parts) - 1, 0, -1))
        ids = (f"{package}:{name}" for package in around)
        return next((one for one in ids if one in self.symbols.definitions), "")

    def _lacks(self, class_id: str, member: str) -> bool:
        waiting = [class_id]
        while waiting:
            current = waiting.pop()
            if member in self.scopes.get(current, {}):
                return False
            waiting += self.symbols.bases.get(current, ())
        return True


def _documented(symbol: Symbol, text: str) -> Symbol:
    if symbol.doc:
        return symbol
    doc = cleandoc(text)
    signature, kind = symbol.signature, symbol.kind
    name = symbol.id.replace(":", ".").rpartition(".")[2]
    if kind in (SymbolKind.UNKNOWN, SymbolKind.FUNCTION, SymbolKind.METHOD):
        told = doclines.in_documentation(name, doc)
        if told is not None:
            signature = completed(signature, told) if signature is not None else told
            member = "." in symbol.id.partition(":")[2]
            kind = SymbolKind.METHOD if member else SymbolKind.FUNCTION
    evidence, notes = in_documentation(doc, name)
    return replace(
        symbol,
        doc=doc,
        kind=kind,
        signature=signature,
        deprecations=(*symbol.deprecations, *evidence),
        notes=tuple(notes),
    )
