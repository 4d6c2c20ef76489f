"""What expressions give, and the calls of libraries in them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from libdrift.build.pins import Libraries
from libdrift.build.releases import Given, Release
from libdrift.build.scopes import Binding, Kind, Known, Other, Own, Scope, merged

# Why a call is no use, as it is counted.
PRIVATE = "use: private name"
PLAIN = "use: method that plain values have too, on a value of unknown class"
NOBODYS = "use: method that no class of the pinned release has"
LACKING = "use: not in the pinned release"
QUOTED = "use: inside an f-string"

# On a value of unknown class these say nothing: `json()` of a response gives plain dictionaries.
_PLAIN = frozenset(
    name for kind in (str, bytes, list, dict, set, int, float, tuple) for name in dir(kind)
)

Lookup = Callable[[str], Release | None]  # the mined release of a pinned library
Attributes = Mapping[ast.ClassDef, Mapping[str, Binding]]  # of self, by the class


class Access(StrEnum):
    DIRECT = "direct"
    INDIRECT = "indirect"


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """A call. Lines count from 1, columns from 0 and in bytes, as the syntax tree has them."""

    line: int
    column: int
    end_line: int
    end_column: int
    name_line: int  # where the API's own name stands
    library: str
    symbol: str  # in full, or as the code writes it where the value's class is unknown
    token: str  # the last name, as written
    root: str  # what the expression begins with: plt, ax, self.model; empty for a bare name
    access: Access
    is_resolved: bool


class Expressions:
    """Reads expressions, and keeps the uses that it meets."""

    def __init__(self, libraries: Libraries, release: Lookup, attributes: Attributes) -> None:
        self.libraries = libraries
        self.release = release
        self.attributes = attributes  # as an earlier reading found them
        self._found: dict[ast.ClassDef, dict[str, Binding]] = {}
        self.uses: list[Use] = []
        self.left_out: Counter[str] = Counter()
        self._quoted = False

    def value(self, node: ast.AST, scope: Scope) -> Binding:
        """What an expression gives; the uses in it are noted."""
        binding, links = self._chain(node, scope)
        if links and self._quoted:
            self.left_out[QUOTED] += 1
        elif links:
            self.uses.append(links[-1])
        return binding

    def values(self, *nodes: ast.AST | None, scope: Scope) -> None:
        for node in nodes:
            if node is not None:
                self.value(node, scope)

    def bind(self, target: ast.expr, binding: Binding, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            scope.bind(target.id, binding)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, Other.UNKNOWN, scope)
        elif isinstance(target, ast.Tuple | ast.List):
            value = self._read(binding)
            for at, item in enumerate(target.elts):
                self.bind(item, _part(value, at, len(target.elts)), scope)
        elif isinstance(target, ast.Attribute):
            holder = self.value(target.value, scope)
            if isinstance(holder, Own):
                self.bind_attribute(holder.definition, target.attr, binding)
        else:
            self.value(target, scope)

    def bind_attribute(self, definition: ast.ClassDef, name: str, binding: Binding) -> None:
        known = self._found.setdefault(definition, {})
        known[name] = merged(known.get(name, Other.NOTHING), binding)

    def known_attributes(self) -> Attributes:
        """Attributes of self that are always the same thing of a library."""
        found = {
            definition: {name: b for name, b in bindings.items() if isinstance(b, Known)}
            for definition, bindings in self._found.items()
        }
        return {definition: known for definition, known in found.items() if known}

    # --- chains of attributes, calls and subscripts

    def _chain(self, node: ast.AST, scope: Scope) -> tuple[Binding, list[Use]]:
        """An expression that others may build on: its uses are one, the last."""
        if isinstance(node, ast.Name):
            return scope.find(node.id), []
        if isinstance(node, ast.Attribute):
            binding, links = self._chain(node.value, scope)
            return self._member(binding, node.attr), links
        if isinstance(node, ast.Call):
            return self._call(node, scope)
        if isinstance(node, ast.Subscript):
            binding, links = self._chain(node.value, scope)
            self.value(node.slice, scope)
            return _part(self._read(binding), 0, 0), links
        if isinstance(node, ast.Await):
            return self._chain(node.value, scope)
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            return handler(self, node, scope), []
        self.values(*ast.iter_child_nodes(node), scope=scope)
        is_none = isinstance(node, ast.Constant) and node.value is None
        return Other.NOTHING if is_none else Other.UNKNOWN, []

    def _call(self, node: ast.Call, scope: Scope) -> tuple[Binding, list[Use]]:
        binding, links = self._chain(node.func, scope)
        self.values(*node.args, *node.keywords, scope=scope)
        if not isinstance(binding, Known):
            return Other.UNKNOWN, links
        library = binding.library
        if binding.kind is Kind.THING:  # `google` alone does not tell whose `google.cloud` is
            library = self.libraries.of(binding.path) or ""
        if not library:
            return Other.UNKNOWN, links
        use = self._use(node, library, binding, scope)
        links += [use] if use else []
        release = self.release(library)
        if binding.kind is Kind.VALUE or not binding.path or release is None:
            return Known(library, Kind.VALUE), links
        return _given(library, release.call(binding.path)), links

    def _use(self, node: ast.Call, library: str, binding: Known, scope: Scope) -> Use | None:
        function = node.func
        if binding.kind is Kind.VALUE or not isinstance(function, ast.Name | ast.Attribute):
            return None
        token = function.attr if isinstance(function, ast.Attribute) else function.id
        path, is_member = binding.path, binding.kind is Kind.MEMBER
        if not is_member and "." not in path:
            return None  # a module, which nobody calls
        release = self.release(library)
        reason = ""
        lacking = bool(path) and release is not None and release.lacks(path)
        if lacking and is_member:
            path = ""  # of a class below the one that the annotation tells
        if token.startswith("_") or (not is_member and "._" in path):
            reason = PRIVATE
        elif lacking and not is_member:
            reason = LACKING
        elif not path or (release is not None and release.is_of_value(path)):
            reason = _doubt(token, release)
        if reason:
            self.left_out[reason] += 1
            return None
        return Use(
            node.lineno,
            node.col_offset,
            node.end_lineno or 0,
            node.end_col_offset or 0,
            function.end_lineno or 0,
            library,
            path or _written(function),
            token,
            _root(function, scope),
            Access.INDIRECT if is_member else Access.DIRECT,
            bool(path),
        )

    def _member(self, binding: Binding, name: str) -> Binding:
        if isinstance(binding, Own):
            return self.attributes.get(binding.definition, {}).get(name, Other.UNKNOWN)
        if isinstance(binding, Known) and binding.kind is Kind.THING:
            return Known(binding.library, Kind.THING, f"{binding.path}.{name}")
        value = self._read(binding)
        if not isinstance(value, Known) or value.parts:
            return Other.UNKNOWN
        return Known(value.library, Kind.MEMBER, f"{value.path}.{name}" if value.path else "")

    def _read(self, binding: Binding) -> Binding:
        """A member as the value that it holds."""
        if not isinstance(binding, Known) or binding.kind is not Kind.MEMBER:
            return binding
        release = self.release(binding.library) if binding.path else None
        if release is None:
            return Known(binding.library, Kind.VALUE)
        return _given(binding.library, release.attribute(binding.path))

    # --- other expressions

    def walrus(self, node: ast.NamedExpr, scope: Scope) -> Binding:
        binding = self.value(node.value, scope)
        self.bind(node.target, binding, scope)
        return binding

    def choice(self, node: ast.IfExp, scope: Scope) -> Binding:
        self.value(node.test, scope)
        return merged(self.value(node.body, scope), self.value(node.orelse, scope))

    def function(self, node: ast.Lambda, scope: Scope) -> Binding:
        self.values(*node.args.defaults, *node.args.kw_defaults, scope=scope)
        inner = Scope(scope, now=dict.fromkeys(parameters(node.args), Other.UNKNOWN))
        self.value(node.body, inner)
        return Other.UNKNOWN

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope
    ) -> Binding:
        inner = Scope(scope)
        for generator in node.generators:
            self.value(generator.iter, inner)
            self.bind(generator.target, Other.UNKNOWN, inner)
            self.values(*generator.ifs, scope=inner)
        if isinstance(node, ast.DictComp):
            self.values(node.key, node.value, scope=inner)
        else:
            self.value(node.elt, inner)
        return Other.UNKNOWN

    def formatted(self, node: ast.JoinedStr, scope: Scope) -> Binding:
        """No place for a gap: a prompt would end inside a string."""
        before, self._quoted = self._quoted, True
        self.values(*node.values, scope=scope)
        self._quoted = before
        return Other.UNKNOWN


_HANDLERS: dict[type[ast.AST], Callable[[Expressions, Any, Scope], Binding]] = {
    ast.NamedExpr: Expressions.walrus,
    ast.IfExp: Expressions.choice,
    ast.Lambda: Expressions.function,
    ast.ListComp: Expressions.comprehension,
    ast.SetComp: Expressions.comprehension,
    ast.DictComp: Expressions.comprehension,
    ast.GeneratorExp: Expressions.comprehension,
    ast.JoinedStr: Expressions.formatted,
}


def parameters(arguments: ast.arguments) -> dict[str, Binding]:
    """Names of parameters. One that is None by default is, until something is put there."""
    plain = [*arguments.posonlyargs, *arguments.args]
    free = len(plain) - len(arguments.defaults)
    defaults = [*[None] * free, *arguments.defaults, *arguments.kw_defaults]
    found: dict[str, Binding] = {}
    for item, default in zip([*plain, *arguments.kwonlyargs], defaults, strict=True):
        waits = isinstance(default, ast.Constant) and default.value is None
        found[item.arg] = Other.NOTHING if waits else Other.UNKNOWN
    for extra in (arguments.vararg, arguments.kwarg):
        if extra is not None:
            found[extra.arg] = Other.UNKNOWN
    return found


def _given(library: str, given: Given | None) -> Binding:
    if given is None:
        return Other.UNKNOWN
    return Known(library, Kind.VALUE, given.path, given.parts, given.open)


def _part(binding: Binding, at: int, length: int) -> Binding:
    """One of the items that a value is divided into; of a subscript, none in particular."""
    if not isinstance(binding, Known) or binding.kind is not Kind.VALUE:
        return Other.UNKNOWN
    parts = binding.parts
    if not parts:
        return Known(binding.library, Kind.VALUE)
    if binding.open or (not length and len(set(parts)) == 1):
        return _given(binding.library, parts[0])
    if not length:
        return Known(binding.library, Kind.VALUE)
    return _given(binding.library, parts[at]) if length == len(parts) else Other.UNKNOWN


def _doubt(token: str, release: Release | None) -> str:
    """Why a method on a value of unknown class may be none of the library's."""
    if token in _PLAIN:
        return PLAIN
    return NOBODYS if release is not None and not release.has_member(token) else ""


def _written(node: ast.expr) -> str:
    """An expression as the code has it, without what is in its brackets."""
    ends = ""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            ends, node = f".{node.attr}{ends}", node.value
        elif isinstance(node, ast.Call):
            ends, node = f"(){ends}", node.func
        elif isinstance(node, ast.Subscript):
            ends, node = f"[]{ends}", node.value
        elif isinstance(node, ast.Await):
            node = node.value
        else:
            return f"…{ends}"
    return f"{node.id}{ends}"


def _root(node: ast.expr, scope: Scope) -> str:
    """What an expression starts with, if that is not all of it: ``plt``, ``self.model``."""
    last = ""
    if isinstance(node, ast.Name):
        return ""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        if isinstance(node, ast.Attribute):
            last = node.attr
        node = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name):
        return ""
    return f"{node.id}.{last}" if isinstance(scope.find(node.id), Own) else node.id
