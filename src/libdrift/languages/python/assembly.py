"""From linked modules to a ``Surface``: public names, and the symbols that they reach."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import replace
from inspect import cleandoc

import msgspec

from libdrift.languages.python import outside
from libdrift.languages.python.deprecations import PYTHONS_OWN, replacement_in
from libdrift.languages.python.inheritance import Inheritance
from libdrift.languages.python.linking import Linker, Reference
from libdrift.languages.python.modules import Modules, is_public
from libdrift.languages.python.parsed import Definition, File
from libdrift.records import (
    Binding,
    Deprecation,
    Name,
    Origin,
    Provenance,
    Release,
    Signature,
    Surface,
    Symbol,
    SymbolKind,
)

_KINDS = {
    "function": SymbolKind.FUNCTION,
    "class": SymbolKind.CLASS,
    "property": SymbolKind.PROPERTY,
    "value": SymbolKind.CONSTANT,
    "alias": SymbolKind.CONSTANT,
}
_MEMBERS = {
    SymbolKind.FUNCTION: SymbolKind.METHOD,
    SymbolKind.CONSTANT: SymbolKind.ATTRIBUTE,
}
_STUB = (Provenance.STUB,)


class Assembly:
    def __init__(self, release: Release, modules: Modules, code: Linker, stubs: Linker) -> None:
        self.release = release
        self.modules = modules
        self.code = code
        self.stubs = stubs
        self.symbols: dict[str, Symbol] = {}
        self.scopes: dict[str, dict[str, Name]] = {}
        self.definitions: dict[str, Definition] = {}  # of classes
        self.bases: dict[str, tuple[str, ...]] = {}
        self.outside: dict[str, tuple[str, ...]] = {}
        self.tombstones: dict[str, str] = {}
        self.gaps: dict[str, None] = {}

    def build(self) -> Surface:
        waiting = list(self.modules.roots)
        seen = set(waiting)
        while waiting:
            module = waiting.pop()
            self.module(module)
            for name in self.scopes[module].values():
                target = name.target
                if ":" not in target and target in self.modules.all and target not in seen:
                    seen.add(target)
                    waiting.append(target)
        inheritance = Inheritance(self.definitions, self.bases, self.scopes)
        for class_id in self.definitions:
            inheritance.add_accessors(class_id)
            self.symbols[class_id] = replace(
                self.symbols[class_id],
                signature=inheritance.constructor(class_id),
                bases=self.bases[class_id],
            )
        return Surface(
            self.release,
            self.modules.roots,
            self.symbols,
            self.scopes,
            self.outside,
            self.tombstones,
            Origin(gaps=tuple(self.gaps)),
        )

    # --- modules

    def module(self, module: str) -> None:
        file = self.code.file(module)
        known = self.modules.all.get(module)
        self.scopes[module] = scope = {}
        if file is None:
            self.symbols[module] = Symbol(module, SymbolKind.MODULE)
            if known is not None and known.compiled:
                self.gaps[f"{module}: compiled"] = None
        else:
            self._describe(module, file)
            for name, reference, binding in self._public(module, file):
                scope[name] = Name(self.reach(reference), binding, self._seen_in(reference))
            for name, said in file.tombstones.items():
                self.tombstones[f"{module}.{name}"] = said
        for label, child in (known.children if known else {}).items():
            if is_public(label) and label not in scope:
                bound = self.code.lookup(module, label)
                # A function that has its module's name hides it.
                if bound is None or bound.kind in ("module", "unknown", "foreign"):
                    scope[label] = Name(child, Binding.SUBMODULE)

    def _describe(self, module: str, file: File) -> None:
        evidence = file.deprecations
        if file.lazy is not None and "*" in file.lazy.dying:
            evidence = (*evidence, Deprecation("shim", "the module only forwards, and warns"))
        self.symbols[module] = Symbol(
            module,
            SymbolKind.MODULE,
            doc=cleandoc(file.doc) if file.doc else "",
            deprecations=evidence,
            notes=file.notes,
        )
        for gap in file.gaps:
            self.gaps[f"{module}: {gap}"] = None
        for target, level in file.stars:
            path = self.code.absolute(module, target, level)
            known = self.modules.all.get(path)
            if known is not None and known.compiled and not known.stub and not known.code:
                self.gaps[f"{module}: takes all names of {path}, which is compiled"] = None

    def _public(self, module: str, file: File) -> Iterator[tuple[str, Reference, Binding]]:
        listed = self.code.listing(module)
        if listed is not None:
            if module in self.code.partial:
                self.gaps[f"{module}: a part of __all__ is made at import"] = None
                if self.modules.all[module].stub:
                    listed = [*dict.fromkeys((*listed, *self.stubs.exported(module)))]
            for name in listed:
                if is_public(name):
                    found = self.code.lookup(module, name)
                    lazy = found is not None and found.lazy
                    yield (
                        name,
                        found or Reference("unknown", module, name),
                        Binding.LAZY if lazy else Binding.LISTED,
                    )
            return
        known = self.modules.all[module]
        names = dict(self.code.names(module))
        if self._is_open(module, file) and known.stub:
            names.update(self.stubs.exported(module))
        for name in names:
            if not is_public(name):
                continue
            found = self.code.lookup(module, name)
            if found is None:
                continue
            binding = self._binding(module, file, name, found)
            if binding is not None:
                yield name, found, binding

    def _is_open(self, module: str, file: File) -> bool:
        """Whether the code leaves names to be found elsewhere."""
        for target, level in file.stars:
            known = self.modules.all.get(self.code.absolute(module, target, level))
            if known is not None and known.compiled and not known.code:
                return True
        return bool(file.gaps) or file.lazy is not None

    def _binding(self, module: str, file: File, name: str, found: Reference) -> Binding | None:
        known = self.modules.all[module]
        only_stub = not known.code
        imports = file.imports.get(name, ())
        explicit = any(item.explicit for item in imports)
        if found.lazy:
            return Binding.LAZY
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

    def _seen_in(self, reference: Reference) -> tuple[Provenance, ...]:
        known = self.modules.all.get(reference.module)
        if reference.definition is not None and known is not None and not known.code:
            return _STUB
        return (Provenance.STATIC,)

    # --- symbols

    def reach(self, reference: Reference) -> str:
        """The id of what a reference reaches; its symbol is made when it is first reached."""
        if reference.kind == "module":
            return reference.module
        if reference.kind == "foreign" and not reference.name:
            identifier = f"{reference.module}:"
        else:
            identifier = reference.id
        if identifier in self.symbols:
            return identifier
        if reference.definition is None:
            self.symbols[identifier] = self._nameless(identifier, reference)
            return identifier
        linker = self._linker(reference)
        self.define(identifier, reference.module, reference.definition, linker)
        return identifier

    def _linker(self, reference: Reference) -> Linker:
        """The view in which the definition stands."""
        file = self.code.file(reference.module)
        first = reference.name.partition(".")[0]
        mine = file.definitions.get(first, ()) if file is not None else ()
        outer = any(d is reference.definition or "." in reference.name for d in mine)
        return self.code if outer else self.stubs

    def _nameless(self, identifier: str, reference: Reference) -> Symbol:
        evidence: tuple[Deprecation, ...] = ()
        if reference.dying is not None:
            said = reference.dying
            evidence = (Deprecation("shim", said, replacement=replacement_in(said)),)
        traits = ("external",) if reference.kind == "foreign" else ()
        if reference.kind == "unknown":
            self.gaps[f"{reference.module}: names of which nothing else is known"] = None
        return Symbol(identifier, SymbolKind.UNKNOWN, deprecations=evidence, traits=traits)

    def define(
        self,
        identifier: str,
        module: str,
        item: Definition,
        linker: Linker,
        *,
        member: bool = False,
    ) -> None:
        kind = _KINDS[item.kind]
        if member:
            kind = _MEMBERS.get(kind, kind)
        stub = linker is self.stubs and bool(self.modules.all[module].stub)
        if item.kind == "function" and item.alias:
            item = self._wrapped(module, item, linker)
        symbol = Symbol(
            identifier,
            kind,
            signature=item.signature,
            doc=cleandoc(item.doc) if item.doc else "",
            deprecations=self._evidence(module, item, linker),
            notes=item.notes,
            traits=tuple(t for t in item.traits if t not in ("dataclass", "getattr", "setter")),
            value=item.value,
            annotation=item.annotation,
            body=item.body,
            sketch=item.sketch,
            provenance=_STUB if stub or not self.modules.all[module].code else (Provenance.STATIC,),
        )
        self.symbols[identifier] = symbol if stub else self._annotated(symbol, module, item)
        if item.kind == "class":
            self._class(identifier, module, item, linker)

    def _wrapped(self, module: str, item: Definition, linker: Linker) -> Definition:
        """``old = deprecated("…")(new)``: what it takes and says is what the inner one does."""
        found = linker.dotted(module, item.alias)
        inner = found.definition if found is not None else None
        if inner is None or inner.kind != "function":
            return item
        return msgspec.structs.replace(
            item, signature=inner.signature, doc=item.doc or inner.doc, body=inner.body
        )

    def _evidence(self, module: str, item: Definition, linker: Linker) -> tuple[Deprecation, ...]:
        if not item.categories:
            return item.deprecations
        return tuple(
            told
            for told, category in zip(item.deprecations, item.categories, strict=True)
            if not category or self._means_deprecation(module, category, linker, 0)
        )

    def _means_deprecation(self, module: str, name: str, linker: Linker, depth: int) -> bool:
        if name.rpartition(".")[2] in PYTHONS_OWN:
            return True
        found = linker.dotted(module, name)
        if found is None or depth > 8:  # noqa: PLR2004
            return "eprecat" in name
        if found.kind == "foreign":
            return found.name in PYTHONS_OWN or "eprecat" in found.name
        if found.definition is None:
            return "eprecat" in name
        if found.definition.alias:
            return self._means_deprecation(found.module, found.definition.alias, linker, depth + 1)
        return any(
            self._means_deprecation(found.module, base, linker, depth + 1)
            for base in found.definition.bases
        )

    def _annotated(self, symbol: Symbol, module: str, item: Definition) -> Symbol:
        """A signature of the code, with the annotations that the module's stub has for it."""
        known = self.modules.all[module]
        if symbol.signature is None or not (known.stub and known.code):
            return symbol
        file = self.stubs.file(module)
        path = symbol.id.partition(":")[2].split(".")
        found: Definition | None = None
        if file is not None:
            found = next(iter(file.definitions.get(path[0], ())), None)
            for part in path[1:]:
                found = found.members.get(part) if found is not None else None
        if found is None or found.signature is None or item.kind != found.kind:
            return symbol
        theirs = {p.name: p.annotation for p in found.signature.parameters}
        mine = symbol.signature
        parameters = tuple(
            replace(p, annotation=p.annotation or theirs.get(p.name, "")) for p in mine.parameters
        )
        returns = mine.returns or found.signature.returns
        both = (Provenance.STATIC, Provenance.STUB)
        return replace(symbol, signature=Signature(parameters, returns), provenance=both)

    # --- classes

    def _class(self, identifier: str, module: str, item: Definition, linker: Linker) -> None:
        self.definitions[identifier] = item
        scope: dict[str, Name] = {}
        self.scopes[identifier] = scope
        outer = identifier.partition(":")[2].rpartition(".")[0]
        self.bases[identifier] = tuple(
            self._base(module, base, linker, outer) for base in item.bases
        )
        self._members(identifier, module, item, linker)
        stub = self._stub_of(module, identifier)
        if stub is not None and stub is not item:
            self._members(identifier, module, stub, self.stubs)

    def _stub_of(self, module: str, identifier: str) -> Definition | None:
        if not self.modules.all[module].stub or not self.modules.all[module].code:
            return None
        file = self.stubs.file(module)
        path = identifier.partition(":")[2]
        found = next(iter(file.definitions.get(path, ())), None) if file is not None else None
        return found if found is not None and found.kind == "class" else None

    def _members(self, identifier: str, module: str, item: Definition, linker: Linker) -> None:
        scope = self.scopes[identifier]
        stub = linker is self.stubs or not self.modules.all[module].code
        seen = _STUB if stub else (Provenance.STATIC,)
        for name, member in item.members.items():
            if name in scope or not is_public(name):
                continue
            inner = f"{identifier}.{name}"
            if member.kind == "alias":
                target = self._member_alias(identifier, module, item, member, linker)
                if target is not None:
                    scope[name] = Name(target, provenance=seen)
                    continue
            scope[name] = Name(inner, provenance=seen)
            if inner not in self.symbols:
                self.define(inner, module, member, linker, member=True)

    def _member_alias(
        self, identifier: str, module: str, item: Definition, member: Definition, linker: Linker
    ) -> str | None:
        """``isnull = isna`` in a class: the id of the member that it names."""
        if member.alias in item.members and item.members[member.alias].kind != "alias":
            return f"{identifier}.{member.alias}"
        if member.alias.partition(".")[0] in item.members:
            return None
        found = linker.dotted(module, member.alias)
        if found is None or found.kind != "symbol" or found.definition is None:
            return None
        if found.definition.kind in ("value", "alias"):
            return None
        return self.reach(found)

    def _base(self, module: str, path: str, linker: Linker, outer: str) -> str:
        found = linker.dotted(module, path)
        if found is None and outer:  # a class beside it, in the same class
            found = linker.dotted(module, f"{outer}.{path}")
        if found is None:
            known = f"builtins.{path}" if hasattr(builtins, path) else path
            self._from_outside(module, known)
            return known
        if found.kind == "foreign":
            known = f"{found.module}.{found.name}".rstrip(".")
            self._from_outside(module, known)
            return known
        return self.reach(found)

    def _from_outside(self, module: str, base: str) -> None:
        if base in self.outside:
            return
        names = outside.members(base)
        if names is None:
            self.gaps[f"{module}: inherits from {base}"] = None
        else:
            self.outside[base] = names
