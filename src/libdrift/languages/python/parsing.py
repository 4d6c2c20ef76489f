"""One source file to a ``ParsedFile``: every name that the module binds, by whatever statement."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Sequence
from inspect import cleandoc

from libdrift.languages.python import borrowing, classes, deprecations, directives, making
from libdrift.languages.python.conditions import (
    changes_listing,
    comprehended,
    is_globals_update,
    is_typing,
    truth,
)
from libdrift.languages.python.expressions import (
    called,
    dotted,
    message,
    named_by,
    text,
    unpacked,
    unrolled,
)
from libdrift.languages.python.grammar import parse as parse_source
from libdrift.languages.python.lazy import read_getattr
from libdrift.languages.python.lazy_tables import attached, expired, given_names, listed, places
from libdrift.languages.python.module_names import ModuleNames
from libdrift.languages.python.modules import VERSIONS
from libdrift.languages.python.overloads import join_overloads
from libdrift.languages.python.parsed import MADE, Definition, ParsedFile, ParsedImport
from libdrift.languages.python.raising import table

# What makes names at import, so that only import shows them.
_MAKERS = {"exec", "setattr", "eval"}


def parse(source: bytes, *, stub: bool = False, python: tuple[int, int] = (3, 11)) -> ParsedFile:
    """Read a module; raises ``SyntaxError`` where it cannot be read."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 5000))  # long chains of operators in tables of constants
    try:
        tree, written, lost = parse_source(source)
        reader = _Module(written, stub=stub, python=python)
        reader.read(tree)
    finally:
        sys.setrecursionlimit(limit)
    if lost:
        reader.file.gaps.append(f"{lost} lines of an older grammar left out")
    return reader.file


class _Module(ModuleNames):
    def read(self, tree: ast.Module) -> None:
        doc = ast.get_docstring(tree, clean=False)
        if doc:
            self.file.doc = doc
            dying, notes = directives.in_documentation(cleandoc(doc))
            self.file.deprecations, self.file.notes = tuple(dying), tuple(notes)
        self.block(tree.body)
        self.answer_by_tables()
        if self.helpers - self.used:
            self.file.dynamic_listing = True
            self.gap("__all__ is made at import")
        if self.functions.warns:
            own = [statement for statement in tree.body if not self._deprecates(statement)]
            told = deprecations.in_body(own, set(), self.values)
            certain = [
                item.evidence
                for item in told
                if not item.evidence.conditional
                and (not item.category or "eprecat" in item.category)
            ]
            # Without a word it is machinery: `enable_attribute_deprecations(__name__)`.
            self.file.deprecations += tuple(item for item in certain if item.message)

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            handler = _HANDLERS.get(type(statement))
            if handler is not None:
                handler(self, statement)

    # --- definitions

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        name = node.name
        if name == "__getattr__":
            self._getattr(node)
            return
        if name == "__dir__":
            return
        if self.functions.mentions(node, "__all__") and changes_listing(node):
            self.helpers.add(name)
        if self.functions.mentions(node, "import "):
            self.starters[name] = node
        if self.functions.mentions(node, "globals()[") and making.binds(node):
            self.makers.add(name)
        definition = self.functions.read(node, bound=False)
        before = self.file.definitions.get(name)
        if before and "overloaded" in before[0].traits and not self.alternative:
            join_overloads(before[0], definition)
            before[0].typing = before[0].typing and self.typing
            return
        definition.typing = self.typing
        if self.alternative:
            classes.revive(definition)
        self.bind(name, definition)

    def class_(self, node: ast.ClassDef) -> None:
        definition = classes.read(node, self.functions, self.condition, stub=self.stub)
        definition.typing = self.typing
        if self.alternative:
            classes.revive(definition)
            definition.traits += (classes.ALTERNATIVE,)
        self.bind(node.name, definition)

    def _getattr(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        found = read_getattr(node, self.values, self.tables)
        if found.has_more or not (found.names or found.delegates or found.dead):
            self.gap("__getattr__")
        if self.file.lazy is not None:
            found.names.update(self.file.lazy.names)
        self.file.lazy = found
        for inner in ast.walk(node):  # answer = make_answer(__name__), which it asks
            made = self.values.get(called(inner)) if isinstance(inner, ast.Call) else None
            if isinstance(made, ast.Call) and "__name__" in map(dotted, made.args):
                self.file.answerer = called(made)

    # --- names from elsewhere

    def import_(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.asname:
                same = alias.asname == alias.name
                self.bind(alias.asname, ParsedImport(alias.name, 0, "", same, self.typing))
            else:
                top = alias.name.partition(".")[0]
                self.bind(top, ParsedImport(top, typing=self.typing))

    def import_from(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if module == "__future__":
            return
        for alias in node.names:
            if alias.name == "*":
                if not self.typing:
                    self.file.stars.append((module, node.level))
                continue
            name = alias.asname or alias.name
            explicit = alias.asname == alias.name
            sure = not (self.typing or self.alternative or self.trying)
            bound = ParsedImport(module, node.level, alias.name, explicit, self.typing, sure)
            self.bind(name, bound)

    # --- values

    def assign(self, node: ast.Assign) -> None:
        lazy = attached(node.value) or listed(node)
        if lazy is not None:  # __getattr__, __dir__, __all__ = lazy_loader.attach(…)
            self.lazily(lazy)
            return
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.value(target.id, node.value, "")
            elif isinstance(target, (ast.Tuple, ast.List)):
                for name, inner in unpacked(target, node.value):
                    self.value(name, inner, "")
            elif isinstance(target, ast.Attribute):
                self._attribute(target, node.value)
            elif isinstance(target, ast.Subscript):
                self._subscript(target)

    def _attribute(self, target: ast.Attribute, value: ast.expr) -> None:
        """``Class.name = value``: a member that the class's own text does not show."""
        owner = self.file.definitions.get(dotted(target.value))
        if owner and owner[0].kind == "class" and not target.attr.startswith("_"):
            member = classes.value(target.attr, value, "", self.functions)
            owner[0].members.setdefault(target.attr, member)
        elif target.attr == "__doc__" and owner and not owner[0].doc:
            owner[0].doc = message(value, self.values)
        elif dotted(target.value) in self.file.imports and not target.attr.startswith("_"):
            self.file.given.append((dotted(target.value), target.attr, dotted(value)))

    def _subscript(self, target: ast.Subscript) -> None:
        table = dotted(target.value)
        if table and isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str):
            self.tables.setdefault(table, []).append(target.slice.value)
        if called(target.value) in ("globals", "vars", "locals"):
            if isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str):
                name = target.slice.value
                self.bind(name, Definition(name, "value"))
            else:
                self.gap(MADE)

    def annotated(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name):
            if node.target.id == "__all__" and node.value is None:
                self.file.dynamic_listing = True
                return
            if node.value is None and not self.stub:
                return  # a promise, not a binding
            self.value(node.target.id, node.value, text(node.annotation))

    def augmented(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id == "__all__":
            self.listing("+", node.value)

    def value(self, name: str, node: ast.expr | None, annotation: str) -> None:
        node = unrolled(node, self.values)
        if node is not None:
            self.values[name] = node
        if name == "__all__":
            self.listing("=", node)
            return
        if expired(name, node):
            self.file.tombstones.update(
                (k, v) for k, v in table(node, self.values) if k.isidentifier()
            )
            return
        if name.startswith("__") and name.endswith("__"):
            if name == "__getattr__":
                self.gap("a call makes __getattr__")
                self.file.answerer = called(node) if node is not None else ""
            elif isinstance(node, ast.Dict):
                self.own_tables[name] = node
            elif name in VERSIONS:  # other in each release: that it is there is what matters
                self.bind(name, Definition(name, "value"))
            return
        self.file.places.update(places(node))
        if self._rebinds(name, node):
            return
        definition = classes.value(name, node, annotation, self.functions)
        definition.typing = self.typing
        self.bind(name, definition)

    def _rebinds(self, name: str, node: ast.expr | None) -> bool:
        """``f = decorate(f)``: the definition stays, with what the wrapper says of it."""
        before = self.file.definitions.get(name)
        if not isinstance(node, ast.Call) or not before or before[0].kind == "value":
            return False
        if name not in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
            return False
        for told in deprecations.in_decorators([node], self.values):
            before[0].deprecations += (told.evidence,)
        return True

    def _deprecates(self, node: ast.stmt) -> bool:
        """``deprecated(Old, __name__, "…")``: of a name, and not of the module that calls it."""
        call = node.value if isinstance(node, ast.Expr | ast.Assign) else None
        given = call.args if isinstance(call, ast.Call) and "eprecat" in called(call) else []
        words = [item.value for item in given if isinstance(item, ast.Constant)]
        words += [item.id for item in given[:1] if isinstance(item, ast.Name)]
        words += [name for item in given if (name := named_by(item))]
        known = next((self.file.definitions[w] for w in words if w in self.file.definitions), None)
        if call is None or not known:
            # Told its module's name and another one, a helper speaks of what has that name there.
            is_there = any(isinstance(item, ast.Name) and item.id == "__name__" for item in given)
            return is_there and any(str(word).isidentifier() for word in words)
        said = deprecations.in_decorators([call], self.values, known[0].name)
        known[0].deprecations += tuple(told.evidence for told in said)
        if known[0].categories:
            known[0].categories += ("",) * len(said)
        return bool(said)

    def delete(self, node: ast.Delete) -> None:
        if self.alternative:
            return
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.file.imports.pop(target.id, None)
                self.file.definitions.pop(target.id, None)
                self.file.order.pop(target.id, None)

    # --- __all__

    def expression(self, node: ast.Expr) -> None:
        call = node.value
        if not isinstance(call, ast.Call):
            return
        name = called(call.func)
        owner, _, method = name.rpartition(".")
        if owner == "__all__" and method in ("extend", "append", "remove", "insert"):
            argument = call.args[-1] if call.args else None
            if argument is not None and dotted(argument) in self.told:
                return
            if method in ("append", "remove", "insert") and argument is not None:
                argument = ast.List([argument])
            self.listing("-" if method == "remove" else "+", argument)
        elif any(called(a) == "globals" and isinstance(a, ast.Call) for a in call.args):
            self.lazily(given_names(call))
        elif not name and is_globals_update(call):
            self.made(call)
        elif method == "add_newdoc" and len(call.args) > 2:  # noqa: PLR2004
            self.file.documents += borrowing.documented(call)
        elif name in self.helpers:
            # One that is told nothing looks around in its own module.
            modules = [d for d in map(dotted, call.args) if d] if call.args else [""]
            self.used.add(name)
            self.file.listing.append(("+", (), tuple(modules)))
        elif name in self.makers and call.args and dotted(call.args[0]) in self.told:
            return
        elif method in _MAKERS or name in _MAKERS or name in self.makers:
            self.gap(MADE)
        elif method == "update" and call.args and isinstance(call.args[0], ast.DictComp):
            self.tables.setdefault(owner, []).extend(comprehended(call.args[0], self.values))
        else:
            self._run(name, call)

    def _run(self, name: str, call: ast.Call) -> None:
        """A function that is called for what it does to the module, or to a class of it."""
        self.is_handed = self.is_handed or "__name__" in map(dotted, call.args)
        if name in self.starters:
            self.block(making.globals_of(self.starters[name]))
            self.file.given += making.given_by(self.starters[name])
        for item in self.file.definitions.get(dotted(call.args[0]), [])[:1] if call.args else ():
            item.fillers += (name,) if name else ()

    # --- control

    def condition(self, test: ast.expr) -> bool | None:
        return truth(test, self.python)

    def if_(self, node: ast.If) -> None:
        if is_typing(node.test):
            self._typing_only(node.body)
            self.block(node.orelse)
            return
        for inner in ast.walk(node.test):  # if (found := getenv("…")) is None
            if isinstance(inner, ast.NamedExpr):
                self.value(inner.target.id, inner.value, "")
        holds = self.condition(node.test)
        if holds is not False:
            # Where it cannot be told, what was bound before stays the first choice.
            self._otherwise(node.body, known=holds is True)
        if holds is not True:
            self._otherwise(node.orelse, known=holds is False)

    def _typing_only(self, body: Sequence[ast.stmt]) -> None:
        before, self.typing = self.typing, True
        self.block(body)
        self.typing = before

    def _otherwise(self, body: Sequence[ast.stmt], *, known: bool) -> None:
        before = self.alternative
        self.alternative = before or not known
        self.block(body)
        self.alternative = before

    def try_(self, node: ast.Try) -> None:
        before, self.trying = self.trying, True
        self.block(node.body)
        self.trying = before
        for handler in node.handlers:
            self._otherwise(handler.body, known=False)
        self.block(node.orelse)
        self.block(node.finalbody)

    def with_(self, node: ast.With) -> None:
        self.block(node.body)

    def for_(self, node: ast.For) -> None:
        # The loop's own variable is a name of the module afterwards, but nobody's interface.
        values = borrowing.loop(node, self.values)
        for owner, name in borrowing.additions(node, values, self.makers):
            self.added(owner, name)
        for owner, enumeration in borrowing.exposed(node, values):
            for item in self.file.definitions.get(enumeration, [])[:1]:
                for member in item.members:
                    self.added(owner, member)
        self.told |= {name for name, stands in values.items() if stands}
        self.block(node.body)


_HANDLERS: dict[type[ast.stmt], Callable[..., None]] = {
    ast.FunctionDef: _Module.function,
    ast.AsyncFunctionDef: _Module.function,
    ast.ClassDef: _Module.class_,
    ast.Import: _Module.import_,
    ast.ImportFrom: _Module.import_from,
    ast.Assign: _Module.assign,
    ast.AnnAssign: _Module.annotated,
    ast.AugAssign: _Module.augmented,
    ast.Delete: _Module.delete,
    ast.Expr: _Module.expression,
    ast.If: _Module.if_,
    ast.Try: _Module.try_,
    ast.With: _Module.with_,
    ast.For: _Module.for_,
}
