"""Symbols of a release: each definition that a name reaches, once, and the scopes of classes."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from inspect import cleandoc

import msgspec

from libdrift.languages.python import evidence, including, outside
from libdrift.languages.python.borrowing import REFERENCE
from libdrift.languages.python.classes import ANSWERS, STANDS_FOR
from libdrift.languages.python.filling import given_as_it_runs
from libdrift.languages.python.holding import bound_method
from libdrift.languages.python.linking import Linker
from libdrift.languages.python.making import FILLS, GIVEN_AS_MADE, WRAPS
from libdrift.languages.python.modules import Modules, is_public
from libdrift.languages.python.parsed import Definition, ParsedReference
from libdrift.languages.python.wording import replacement_in
from libdrift.records import Deprecation, Name, Provenance, Signature, Symbol, SymbolKind

_KINDS = {
    "generic": SymbolKind.CONSTANT,
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
# For the reader of sources alone.
_OWN_TRAITS = ("dataclass", "getattr", "setter", "asked", WRAPS, STANDS_FOR)
_GENERIC = re.compile(r"([A-Za-z_][\w.]*)\[")
_STUB = (Provenance.STUB,)


class Symbols:
    """What has been reached so far; reaching a class makes its members and reaches its bases."""

    def __init__(self, modules: Modules, code: Linker, stubs: Linker) -> None:
        self.modules = modules
        self.code = code
        self.stubs = stubs
        self.found: dict[str, Symbol] = {}
        self.scopes: dict[str, dict[str, Name]] = {}
        self.definitions: dict[str, Definition] = {}  # of classes
        self.bases: dict[str, tuple[str, ...]] = {}
        self.outside: dict[str, tuple[str, ...]] = {}
        self.gaps: dict[str, None] = {}
        self.wrapped_classes: dict[str, str] = {}  # functions that call a class: its id
        self.places: dict[str, str] = {}  # id: file and line
        self.gone: dict[str, str] = {}  # id: what the error says that is all that is left of it

    def reach(self, reference: ParsedReference) -> str:
        """The id of what a reference reaches; its symbol is made when it is first reached."""
        if reference.kind == "module":
            return reference.module
        if reference.kind == "foreign" and not reference.name:
            identifier = f"{reference.module}:"
        else:
            identifier = reference.id
        if identifier in self.found:
            return identifier
        item = reference.definition
        if item is None or reference.dying is not None:
            symbol = self._nameless(identifier, reference)
            if item is not None:
                kind, doc = _KINDS[item.kind], cleandoc(item.doc) if item.doc else ""
                symbol = replace(symbol, kind=kind, signature=item.signature, doc=doc)
            self.found[identifier] = symbol
            return identifier
        linker = self._linker(reference)
        self.define(identifier, reference.module, item, linker)
        return identifier

    def _linker(self, reference: ParsedReference) -> Linker:
        """The view in which the definition stands."""
        file = self.code.file(reference.module)
        first = reference.name.partition(".")[0]
        mine = file.definitions.get(first, ()) if file is not None else ()
        outer = any(d is reference.definition or "." in reference.name for d in mine)
        return self.code if outer else self.stubs

    def _nameless(self, identifier: str, reference: ParsedReference) -> Symbol:
        said_of: tuple[Deprecation, ...] = ()
        if reference.dying is not None:
            said = re.sub(r"\{(?:name|attr|attribute|key)\}", reference.name, reference.dying)
            said = re.sub(r"\{[^}]*\}", "…", said)
            origin = reference.origin if "._" not in reference.origin else ""
            named = replacement_in(said)
            if reference.module.partition(".")[0] == named:
                named = ""  # "import it from pkg": the package, and not what is in it
            said_of = (Deprecation("shim", said, replacement=named or origin),)
        traits = ("external",) if reference.kind == "foreign" else ()
        if reference.kind == "unknown":
            self.gaps[f"{reference.module}: names of which nothing else is known"] = None
        return Symbol(identifier, SymbolKind.UNKNOWN, deprecations=said_of, traits=traits)

    def define(
        self,
        identifier: str,
        module: str,
        item: Definition,
        linker: Linker,
        *,
        member: bool = False,
    ) -> None:
        stub = linker is self.stubs and bool(self.modules.all[module].stub)
        if item.kind == "generic":
            item = self._generic(module, item, linker)
        if item.kind == "function" and item.alias:
            item = self._wrapped(module, item, linker)
        elif item.kind == "alias" and not member:
            item = bound_method(module, item, linker)
        elif item.kind == "value" and all(item.made) and not member:
            item = self._made(identifier, module, item, linker)
        kind = _KINDS[item.kind]
        if member:
            kind = _MEMBERS.get(kind, kind)
        symbol = Symbol(
            identifier,
            kind,
            signature=item.signature,
            doc=cleandoc(item.doc) if item.doc else "",
            deprecations=evidence.of(module, item, linker),
            notes=item.notes,
            traits=tuple(t for t in item.traits if t not in _OWN_TRAITS),
            value=item.value,
            annotation=item.annotation,
            body=item.body,
            sketch=item.sketch,
            provenance=_STUB if stub or not self.modules.all[module].code else (Provenance.STATIC,),
        )
        self.found[identifier] = symbol if stub else self._annotated(symbol, module, item)
        files = self.modules.all[module]
        if item.line:
            file = files.stub if stub or not files.code else files.code
            self.places[identifier] = f"{file}:{item.line}"
        if item.gone and item.kind != "class":
            self.gone[identifier] = item.gone
        if item.kind == "class":
            self._class(identifier, module, item, linker)

    def _generic(self, module: str, item: Definition, linker: Linker) -> Definition:
        """``float64 = floating[_64Bit]`` is a class of its own, if ``floating`` is one."""
        found = linker.dotted(module, item.bases[0])
        if found is not None and found.definition is not None and found.definition.kind == "class":
            return msgspec.structs.replace(item, kind="class", value="")
        return msgspec.structs.replace(item, bases=())

    def _wrapped(self, module: str, item: Definition, linker: Linker) -> Definition:
        """``old = deprecated("…")(new)``: what it takes and says is what the inner one does."""
        found = linker.dotted(module, item.alias)
        inner = found.definition if found is not None else None
        if inner is None or inner.kind != "function":
            return item
        return msgspec.structs.replace(
            item, signature=inner.signature, doc=item.doc or inner.doc, body=inner.body
        )

    def _made(self, identifier: str, module: str, item: Definition, linker: Linker) -> Definition:
        """``insert = public(Insert)``: a function that takes what the wrapped one does."""
        maker, inner = (linker.dotted(module, name) for name in item.made)
        if maker is None or maker.definition is None or WRAPS not in maker.definition.traits:
            return item
        wrapped = inner.definition if inner is not None and inner.kind == "symbol" else None
        if inner is None or wrapped is None or wrapped.kind not in ("class", "function"):
            return item
        if wrapped.kind == "class":
            self.wrapped_classes[identifier] = self.reach(inner)
        return msgspec.structs.replace(
            item,
            kind="function",
            signature=wrapped.signature,
            doc=wrapped.doc,
            body=wrapped.body,
            deprecations=tuple(told for told in wrapped.deprecations if told.parameter),
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
        maker = linker.dotted(module, item.metaclass) if item.metaclass else None
        if maker is not None and maker.definition and "getattr" in maker.definition.traits:
            known = self.found[identifier]
            self.found[identifier] = replace(known, traits=(*known.traits, ANSWERS))
        lists = maker.definition.lists if maker is not None and maker.definition else {}
        given = including.members(maker, linker) if maker else ()
        late = (*item.late, *lists.get(GIVEN_AS_MADE, ()), *given)
        if late:
            self.outside[identifier] = tuple(dict.fromkeys(late))
        scope: dict[str, Name] = {}
        self.scopes[identifier] = scope
        outer = identifier.partition(":")[2].rpartition(".")[0]
        self.bases[identifier] = tuple(
            self._base(module, base, linker, outer) for base in item.bases
        )
        self._members(identifier, module, item, linker)
        self._borrow(identifier, module, item, linker)
        self._fill(identifier, module, item, linker)
        more = tuple(including.given(module, item, linker))
        if more and including.is_made(identifier, self.definitions, self.bases):
            self.outside[identifier] = tuple(dict.fromkeys((*late, *more)))
        stub = self._stub_of(module, identifier)
        if stub is not None and stub is not item:
            self._members(identifier, module, _of_instances(stub), self.stubs)

    def _borrow(self, identifier: str, module: str, item: Definition, linker: Linker) -> None:
        """Members that a decorator takes from another class."""
        scope = self.scopes[identifier]
        for owner, items in item.borrowed:
            for name in self._named(module, items, linker, 0):
                if not is_public(name) or name in scope or not name.isidentifier():
                    continue
                found = linker.dotted(module, f"{owner}.{name}")
                if found is not None and found.kind == "symbol":
                    scope[name] = Name(self.reach(found))
                else:
                    inner = f"{identifier}.{name}"
                    self.found[inner] = Symbol(inner, SymbolKind.UNKNOWN)
                    scope[name] = Name(inner)

    def _fill(self, identifier: str, module: str, item: Definition, linker: Linker) -> None:
        """Members that functions give to a class which they are handed."""
        waiting = [(module, name) for name in item.fillers]
        for base in item.bases:
            above = linker.dotted(module, base)
            if above is not None and above.definition is not None:
                waiting += [(above.module, name) for name in above.definition.heirs]
        scope = self.scopes[identifier]
        for place, name in waiting:
            maker = linker.dotted(place, name)
            given = maker.definition.lists if maker is not None and maker.definition else {}
            late = tuple(filter(is_public, given_as_it_runs(maker, linker)))
            if late:
                self.outside[identifier] = (*self.outside.get(identifier, ()), *late)
            for label in self._spread(maker, given.get(FILLS, ()), linker):
                if label not in scope:
                    inner = f"{identifier}.{label}"
                    self.found[inner] = Symbol(inner, SymbolKind.UNKNOWN)
                    scope[label] = Name(inner)

    def _spread(
        self, maker: ParsedReference | None, labels: Iterable[str], linker: Linker
    ) -> Iterator[str]:
        """Names, with those of classes all of whose members a function gives on."""
        for label in labels:
            if not label.startswith(REFERENCE):
                yield label
                continue
            path = label.removeprefix(REFERENCE)
            found = linker.dotted(maker.module, path) if maker is not None else None
            members = found.definition.members if found is not None and found.definition else {}
            yield from filter(is_public, members)

    def _named(
        self, module: str, items: Iterable[str], linker: Linker, depth: int
    ) -> Iterator[str]:
        """Names, with references to lists of classes (``@Other._fields``) followed."""
        for item in items:
            if not item.startswith(REFERENCE):
                yield item
                continue
            owner, _, label = item[len(REFERENCE) :].rpartition(".")
            found = linker.dotted(module, owner) if owner else None
            if found is None or found.definition is None or depth > 5:  # noqa: PLR2004
                continue
            inner = found.definition.lists.get(label, ())
            own = [i if "." in i else i.replace(REFERENCE, f"{REFERENCE}{owner}.") for i in inner]
            yield from self._named(module, own, linker, depth + 1)

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
            if inner not in self.found:
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
        if found.kind == "symbol" and found.definition is not None and found.definition.alias:
            # `_Base = frozenlist.FrozenList`: another package's class under a name of its own
            named = linker.dotted(found.module, found.definition.alias)
            if named is None and hasattr(builtins, found.definition.alias):  # text_type = str
                return self._base(found.module, found.definition.alias, linker, "")
            found = named if named is not None and named.kind == "foreign" else found
        generic = _GENERIC.match(found.definition.value) if found.definition is not None else None
        if generic is not None and found.kind == "symbol":  # Texts = List[str]; class A(Texts)
            return self._base(found.module, generic[1], linker, "")
        if found.kind == "foreign":
            known = outside.named(f"{found.module}.{found.name}".rstrip("."))
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


def _of_instances(stub: Definition) -> Definition:
    """A stub's class, beside its code: an attribute that only the stub has is the instances'."""
    members = {
        name: msgspec.structs.replace(member, traits=(*member.traits, "instance"))
        if member.kind == "value"
        else member
        for name, member in stub.members.items()
    }
    return msgspec.structs.replace(stub, members=members)
