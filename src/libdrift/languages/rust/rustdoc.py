"""The surface of a crate, from rustdoc's JSON.

Paths are those that users write: a name is where the crate offers it, its id is where it is
defined. Traits that a type implements are its bases, so that their methods are found through them
and are told once, at the trait. A macro or a function that shares its name with a type or a module
has a mark on its own: ``vec!``, ``time()``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from libdrift.languages.rust import facts, types
from libdrift.records import Binding, Name, Origin, Release, Surface, Symbol, SymbolKind

FORMATS = range(40, 58)  # written by nightlies of early 2025 to mid 2026; newer ones are tried
_CLASSES = {"struct", "enum", "trait", "union", "type_alias", "trait_alias", "extern_type"}
_FUNCTIONS = ("function", "macro", "proc_macro", "proc_attribute", "proc_derive")
_KINDS = {
    "module": SymbolKind.MODULE,
    **dict.fromkeys(("constant", "static"), SymbolKind.CONSTANT),
    **dict.fromkeys(_FUNCTIONS, SymbolKind.FUNCTION),
    "variant": SymbolKind.ATTRIBUTE,
    **dict.fromkeys(_CLASSES, SymbolKind.CLASS),
}
# A name may be a type, a value and a macro at once: types first, as they have members.
_RANKS = {"module": 0, **dict.fromkeys(_CLASSES, 0), "macro": 2, "proc_macro": 2}

Json = Mapping[str, Any]


class UnknownLayoutError(Exception):
    """The JSON is not as any version that is known here."""


def read(text: str | bytes, release: Release, origin: Origin | None = None) -> Surface:
    """Raises ``UnknownLayoutError`` with one line for people."""
    try:
        crate = json.loads(text)
        version = crate["format_version"]
    except (ValueError, KeyError, TypeError) as error:
        message = "rustdoc wrote no JSON of a crate"
        raise UnknownLayoutError(message) from error
    if not isinstance(version, int) or version < FORMATS.start:
        message = f"rustdoc's JSON is of format {version}; libdrift reads {FORMATS.start} and later"
        raise UnknownLayoutError(message)
    try:
        return _Reader(crate, release).surface(origin or Origin())
    except (KeyError, TypeError, AttributeError, StopIteration, ValueError) as error:
        message = (
            f"rustdoc's JSON of format {version} has another layout than is known"
            f" (up to {FORMATS.stop - 1}): {type(error).__name__} {error}"
        )
        raise UnknownLayoutError(message) from error


class _Reader:
    def __init__(self, crate: Json, release: Release) -> None:
        self.crate, self.release = crate, release
        self.index: Mapping[str, Json] = crate["index"]
        self.paths: Mapping[str, Json] = crate["paths"]
        self.root = str(crate["root"])
        self.symbols: dict[str, Symbol] = {}
        self.scopes: dict[str, dict[str, Name]] = {}
        self.gaps: dict[str, None] = {}
        self.ids: dict[str, str] = {}  # rustdoc's number: the id here
        self.taken: dict[str, str] = {}  # the id here: rustdoc's number

    def surface(self, origin: Origin) -> Surface:
        root = str(self.index[self.root]["name"])
        self._module(self.root, root)
        told = Origin(
            artifact=origin.artifact,
            digest=origin.digest,
            runtime=origin.runtime,
            files=origin.files,
            unread=origin.unread,
            gaps=(*origin.gaps, *self.gaps),
        )
        return Surface(self.release, (root,), self.symbols, self.scopes, origin=told)

    # --- modules and what they offer

    def _module(self, number: str, place: str) -> str:
        """A module and all below it; ``place`` is where it was reached first."""
        known = self.ids.get(number)
        if known is not None:
            return known
        item = self.index[number]
        own = self._path(number) or place
        self.ids[number] = own
        self.symbols[own] = Symbol(own, SymbolKind.MODULE, **facts.of(item))
        scope = self.scopes[own] = {}
        found: dict[str, list[tuple[int, str, Binding]]] = {}
        for label, target, binding in self._offered(number, frozenset()):
            found.setdefault(label, []).append((self._rank(target), target, binding))
        for label, targets in found.items():
            for rank, target, binding in sorted(targets, key=lambda found: found[0]):
                reached = self._thing(target, f"{own}.{label}" if rank == 0 else f"{own}:{label}")
                mark = "!" if rank == 2 else "()"  # noqa: PLR2004  (a macro)
                # The nearest definition wins over what globs bring along.
                free = label if label not in scope else label + mark
                if reached and free not in scope and (free == label or rank):
                    scope[free] = Name(reached, binding)
        return own

    def _offered(self, number: str, within: frozenset[str]) -> Iterator[tuple[str, str, Binding]]:
        """Names of a module, its own first, then those of its globs: label, number, binding."""
        globs = []
        for inner in self._items(number):
            item = self.index.get(inner)
            if item is None:
                continue
            form, told = facts.form_of(item)
            if form == "use":
                if told["is_glob"]:
                    globs.append(told)
                elif told["id"] is not None:
                    yield told["name"], str(told["id"]), Binding.REEXPORTED
            elif form == "extern_crate":
                yield told["rename"] or told["name"], f"crate {told['name']}", Binding.REEXPORTED
            elif form in _KINDS:
                yield str(item["name"]), inner, self._binding(form)
        for told in globs:
            target = str(told["id"]) if told["id"] is not None else ""
            if target in self.index and target not in within:
                for label, reached, _ in self._offered(target, within | {number}):
                    yield label, reached, Binding.REEXPORTED
            elif target not in within:
                self.gaps[f"{self.ids.get(number, '')}: re-exports all of {told['source']}"] = None

    def _items(self, number: str) -> list[str]:
        form, told = facts.form_of(self.index[number])
        if form == "enum":
            return [str(inner) for inner in told["variants"]]
        return [str(inner) for inner in told["items"]] if form == "module" else []

    @staticmethod
    def _binding(form: str) -> Binding:
        return Binding.SUBMODULE if form == "module" else Binding.DEFINED

    def _rank(self, number: str) -> int:
        if number.startswith("crate "):
            return 0
        item = self.index.get(number)
        form = facts.form_of(item)[0] if item else self.paths.get(number, {}).get("kind", "")
        return _RANKS.get(form, 1)

    # --- things

    def _thing(self, number: str, place: str) -> str:
        """The id of what a name reaches; read where that is this crate's."""
        known = self.ids.get(number)
        if known is not None:
            return known
        item = self.index.get(number)
        if item is None:
            return self._foreign(number)
        form, told = facts.form_of(item)
        if form == "use":  # a name for a name
            return self._thing(str(told["id"]), place) if told["id"] is not None else ""
        if form == "module":
            return self._module(number, place)
        if form == "variant":
            return self._variant(number)
        own = self._own(number, place, form)
        if form in _CLASSES:
            self._class(own, item)
        elif form in _KINDS:
            self.symbols[own] = self._plain(own, item)
        return own if own in self.symbols else ""

    def _own(self, number: str, place: str, form: str) -> str:
        """A fresh id: where it is defined, with a mark where that is another thing's already."""
        path = self._path(number) or place.replace(":", ".")
        module, _, last = path.rpartition(".")
        own = f"{module}:{last}"
        if own in self.taken:
            own += "!" if _RANKS.get(form) == 2 else "()"  # noqa: PLR2004  (a macro)
        self.ids[number] = own
        self.taken[own] = number
        return own

    def _path(self, number: str) -> str:
        told = self.paths.get(number)
        return ".".join(told["path"]) if told else ""

    def _foreign(self, number: str) -> str:
        """Something of another crate, known by its path and kind alone."""
        told = self.paths.get(number)
        if number.startswith("crate "):
            own = number.removeprefix("crate ")
            self.symbols.setdefault(own, Symbol(own, SymbolKind.MODULE, traits=("external",)))
            return own
        if told is None:
            return ""
        kind = _KINDS.get(told["kind"], SymbolKind.UNKNOWN)
        path = ".".join(told["path"])
        module, _, last = path.rpartition(".")
        own = path if kind is SymbolKind.MODULE else f"{module}:{last}"
        word = str(facts.WORDS.get(told["kind"], told["kind"]))
        self.symbols.setdefault(own, Symbol(own, kind, traits=("external", word)))
        return own

    def _plain(self, own: str, item: Json) -> Symbol:
        form, told = facts.form_of(item)
        common = facts.of(item)
        if form == "function":
            return self._function(own, item, SymbolKind.FUNCTION)
        if form in {"macro", "proc_macro"}:
            derive = f"proc_{told['kind']}" if form == "proc_macro" else ""
            common["traits"] = ("macro", *([derive] if derive else []), *common["traits"])
            text = told if isinstance(told, str) else ""
            return Symbol(own, SymbolKind.FUNCTION, annotation=text, **common)
        value = told["const"]["expr"] if form == "constant" else told["expr"]
        common["traits"] = (*(["static"] if form == "static" else []), *common["traits"])
        text = types.written(told["type"])
        return Symbol(own, SymbolKind.CONSTANT, value=value or "", annotation=text, **common)

    def _function(
        self, own: str, item: Json, kind: SymbolKind, outer: Json | None = None
    ) -> Symbol:
        told = item["inner"]["function"]
        common = facts.of(item)
        taken = types.receiver(told)
        words = [word for word in ("const", "async", "unsafe") if told["header"][f"is_{word}"]]
        if kind is SymbolKind.METHOD:
            words.append(taken or "staticmethod")
        common["traits"] = (*words, *common["traits"])
        return Symbol(
            own,
            kind,
            signature=types.signature(told, outer),
            annotation=types.declaration(str(item["name"]), told),
            **common,
        )

    # --- classes and their members

    def _class(self, own: str, item: Json) -> None:
        form, told = facts.form_of(item)
        scope = self.scopes[own] = {}
        common = facts.of(item)
        common["traits"] = (facts.WORDS.get(form, form), *common["traits"])
        # Known before its members are: they may name it.
        self.symbols[own] = Symbol(own, SymbolKind.CLASS, **common)
        bases = dict.fromkeys(self._bases(form, told))
        bases.pop(own, None)
        self.symbols[own] = Symbol(
            own,
            SymbolKind.CLASS,
            bases=tuple(bases),
            annotation=facts.head(str(item["name"]), form, told),
            **common,
        )
        for number in self._parts(form, told):
            self._member(own, scope, number)
        for number in told.get("impls", ()) if form != "trait" else ():
            impl = facts.form_of(self.index[str(number)])[1] if str(number) in self.index else None
            if impl and not impl["trait"]:
                for inner in impl["items"]:
                    self._member(own, scope, str(inner), impl)

    def _parts(self, form: str, told: Json) -> list[str]:
        if form == "enum":
            return [str(number) for number in told["variants"]]
        if form == "trait":
            return [str(number) for number in told["items"]]
        if form == "union":
            return [str(number) for number in told["fields"]]
        if form == "struct" and isinstance(told["kind"], Mapping):
            fields = told["kind"].get("plain", {}).get("fields") or told["kind"].get("tuple") or []
            return [str(number) for number in fields if number is not None]
        return []

    def _bases(self, form: str, told: Json) -> Iterator[str]:
        """Traits that it implements or asks for, or what an alias stands for."""
        if form in {"trait", "trait_alias"}:
            limits = told["bounds"] if form == "trait" else told["params"]
            for bound in limits:
                if "trait_bound" in bound:
                    yield self._base(bound["trait_bound"]["trait"])
        elif form == "type_alias" and "resolved_path" in told["type"]:
            yield self._base(told["type"]["resolved_path"])
        for number in told.get("impls", ()):
            impl = facts.form_of(self.index[str(number)])[1] if str(number) in self.index else None
            if impl is None or not impl["trait"]:
                continue
            if impl["is_synthetic"] or impl["blanket_impl"] or impl["is_negative"]:
                continue
            if impl["trait"]["path"].endswith("StructuralPartialEq"):
                continue  # the compiler's own mark
            if "resolved_path" in impl["for"]:  # not `impl Trait for &Type`
                yield self._base(impl["trait"])

    def _base(self, told: Json) -> str:
        number = str(told["id"])
        if number in self.index and self._path(number):
            return self._thing(number, "")
        return self._path(number) or str(told["path"]).replace("::", ".")

    def _member(
        self, owner: str, scope: dict[str, Name], number: str, impl: Json | None = None
    ) -> None:
        item = self.index.get(number)
        if item is None or item["visibility"] not in (
            {"public"} if impl else {"public", "default"}
        ):
            return
        form = facts.form_of(item)[0]
        label = str(item["name"])
        known = self.symbols.get(f"{owner}.{label}") if label in scope else None
        if known and "field" in known.traits and form == "function":
            label += "()"  # a method may be called as a field is
        own = f"{owner}.{label}"
        if label in scope:  # another `impl` of the same type with its own version
            self._again(own, item)
            return
        if form == "variant":
            self._variant(number, own)
        elif form == "function":
            outer = impl["generics"] if impl else None
            self.symbols[own] = self._function(own, item, SymbolKind.METHOD, outer)
        else:
            self.symbols[own] = self._value(own, item, form)
        scope[label] = Name(own)

    def _again(self, own: str, item: Json) -> None:
        known = self.symbols[own]
        if known.kind is SymbolKind.METHOD and "overloaded" not in known.traits:
            self.symbols[own] = Symbol(
                own,
                known.kind,
                known.signature,
                known.doc or item["docs"] or "",
                known.deprecations,
                known.notes,
                traits=(*known.traits, "overloaded"),
                annotation=known.annotation,
            )

    def _value(self, own: str, item: Json, form: str) -> Symbol:
        common, told = facts.of(item), item["inner"][form]
        if form == "assoc_const":
            common["traits"] = ("const", *common["traits"])
            text, value = types.written(told["type"]), told["value"] or ""
        elif form == "assoc_type":
            common["traits"] = ("type", *common["traits"])
            limits = f": {types.bounds(told['bounds'])}" if told["bounds"] else ""
            text = f"type {item['name']}{types.generics(told['generics'])}{limits}"
            value = types.written(told["type"]) if told["type"] else ""
        else:
            common["traits"] = ("field", *common["traits"])
            text, value = types.written(told), ""
        return Symbol(own, SymbolKind.ATTRIBUTE, value=value, annotation=text, **common)

    def _variant(self, number: str, own: str = "") -> str:
        """A variant, under its enum; one that is reached by a glob alone is read there."""
        known = self.ids.get(number)
        if known is not None:
            return known
        own = own or _last_colon(self._path(number))
        if not own:
            return ""
        item = self.index[number]
        told = item["inner"]["variant"]
        common = facts.of(item)
        common["traits"] = ("variant", *common["traits"])
        text = str(item["name"]) + self._shape(told["kind"])
        value = told["discriminant"]["expr"] if told["discriminant"] else ""
        self.ids[number] = own
        self.symbols[own] = Symbol(
            own, SymbolKind.ATTRIBUTE, value=value, annotation=text, **common
        )
        return own

    def _shape(self, kind: Json | str) -> str:
        if isinstance(kind, str):
            return ""
        form, told = next(iter(kind.items()))
        if form == "tuple":
            parts = ["_" if n is None else self._field(n) for n in told]
            return f"({', '.join(parts)})"
        parts = [f"{self.index[str(n)]['name']}: {self._field(n)}" for n in told["fields"]]
        return f" {{ {', '.join(parts)} }}" if parts else " {}"

    def _field(self, number: object) -> str:
        return types.written(self.index[str(number)]["inner"]["struct_field"])


def _last_colon(path: str) -> str:
    """``a.b.E.A`` as ``a.b:E.A``."""
    parts = path.split(".")
    return f"{'.'.join(parts[:-2])}:{'.'.join(parts[-2:])}" if len(parts) > 2 else ""  # noqa: PLR2004
