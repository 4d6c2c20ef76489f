"""Names that exist only when asked for: ``__getattr__`` of modules, lazy loaders, tombstones."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from libdrift.languages.python import deprecations, raising
from libdrift.languages.python.expressions import called, dotted, strings
from libdrift.languages.python.lazy_tables import ITSELF, is_expired, read_table
from libdrift.languages.python.parsed import Lazy

_SUBSCRIPT = re.compile(r"\{\w+\[\w+\](?:!r)?\}")
SOME = "?"  # after a module: only those of its names that it answers to itself


def read_getattr(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    known: Mapping[str, ast.expr],
    tables: Mapping[str, list[str]],
) -> Lazy:
    """The names that a ``__getattr__`` compares with, and where it looks further.

    That of a class is given the instance first.
    """
    reader = _Getattr(node, known, tables)
    for inner in ast.walk(node):
        if isinstance(inner, ast.If):
            reader.branch(inner)
            reader.narrow(inner)
        elif isinstance(inner, ast.Call):
            reader.call(inner)
        elif isinstance(inner, ast.Subscript) and dotted(inner.slice) == reader.asked:
            reader.entry(dotted(inner.value))
    return reader.finish(node)


def answers_all(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the ``__getattr__`` of a class ends with an answer: to whatever name, so to say.

    Most end with an error, or ask the base, which raises one.
    """
    match node.body[-1] if node.body else None:
        case ast.Return(ast.Call(ast.Attribute(ast.Call(ast.Name("super")) | ast.Name("object")))):
            return False
        case ast.Return(ast.Name() | ast.Call() | ast.Attribute() | ast.Subscript()):
            return True
    return False


class _Getattr:
    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        known: Mapping[str, ast.expr],
        tables: Mapping[str, list[str]],
    ) -> None:
        self.asked = node.args.args[-1].arg if node.args.args else "name"
        own = {
            inner.targets[0].id: inner.value
            for inner in ast.walk(node)
            if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name)
        }
        self.known = {**known, **own}
        self.imported = _imported(node)  # in the function itself
        self.tables = tables
        self.found = Lazy(names={}, dying={}, dead={})
        self.delegates: list[str] = []
        self.from_tables: list[str] = []
        self.answered: set[str] = set()  # names for which a branch has an answer
        self.guarded: list[str] = []  # names that pass the guard
        self.listed = False  # the guard lets pass what __all__ has
        self.narrowed: set[int] = set()  # calls that only names of a table come to
        self.shim = ""
        self.has_more = False  # it answers to names that reading does not show

    def branch(self, node: ast.If) -> None:
        """``if name == "x": warn(…); return …``: what stands there is of those names alone."""
        ended = raising.of_block(node.body, self.known)
        if ended is not None:
            self._guard(node.test)
            self._end(node.test, ended[0])
            return  # only says what to do instead
        names = [name for test in self._tests(node.test) for name in self._compared(test)]
        self.answered.update(names)
        self.has_more = self.has_more or (not names and self._answers_unseen(node))
        for name in names:
            self.found.names.setdefault(name, self._returned(node))
        told = deprecations.in_body(node.body, set(), self.known)
        if told:
            for name in names:  # the first branch answers
                self.found.dying.setdefault(name, told[0].evidence.message)

    def _answers_unseen(self, node: ast.If) -> bool:
        """``if name in Enum.__members__: return Enum[name]``: which names, the file does not say.

        What it only looks for elsewhere is told by where it looks.
        """
        test = node.test
        match test:
            case ast.Compare(left, [ast.In()], [ast.Attribute(attr="__members__")]):
                asks = dotted(left) == self.asked
            case ast.Call(ast.Attribute(value, "startswith" | "endswith")):
                asks = dotted(value) == self.asked
            case _:
                return False
        inside = [inner for statement in node.body for inner in ast.walk(statement)]
        looks = any(isinstance(inner, ast.Call) and called(inner) == "getattr" for inner in inside)
        gives = any(isinstance(inner, ast.Return) and inner.value for inner in inside)
        return asks and gives and not looks

    def narrow(self, node: ast.If) -> None:
        """``if name in TABLE: return getattr(module, name)``: not all that the module has."""
        test = node.test
        if isinstance(test, ast.Compare) and dotted(test.left) == self.asked:
            table = test.comparators[0]
            is_all = dotted(table).rpartition(".")[2] in {"__all__", "__dict__"}
            is_table = isinstance(table, ast.Name | ast.Attribute | ast.Set | ast.Tuple | ast.List)
            if isinstance(test.ops[0], ast.In) and is_table and not is_all:
                inside = (inner for statement in node.body for inner in ast.walk(statement))
                self.narrowed.update(map(id, inside))

    def _tests(self, test: ast.expr) -> Iterator[ast.Compare]:
        """The comparisons of a condition with the name that is asked for."""
        for node in ast.walk(test):
            if isinstance(node, ast.Compare) and dotted(node.left) == self.asked:
                yield node

    def _end(self, test: ast.expr, said: str) -> None:
        """``if name == "x": raise …``: of these names only the error is left."""
        if not said or isinstance(test, ast.UnaryOp):
            return
        for inner in self._tests(test):
            table = self._texts_of(inner)
            for name in table:
                if name in self.answered:
                    continue  # the first branch answers
                filled = re.sub(rf"\{{{self.asked}(?:!r)?\}}", name, said)
                filled = _SUBSCRIPT.sub(table[name], filled)  # `{TABLE[name]}`
                if raising.tells(filled) or (table[name] and inner is test):
                    self.found.dead.setdefault(name, filled)

    def _texts_of(self, node: ast.Compare) -> dict[str, str]:
        """The names that a comparison lets through, with the text that a table has for each."""
        other = node.comparators[0]
        table = self.known.get(dotted(other), other)
        if isinstance(node.ops[0], ast.Eq):
            table = ast.List([table])
        elif not isinstance(node.ops[0], ast.In):
            return {}
        if not isinstance(table, ast.Dict):
            return dict.fromkeys(strings(table), "")
        return {
            key.value: raising.words(value, self.known)
            for key, value in zip(table.keys, table.values, strict=True)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }

    def _guard(self, test: ast.expr) -> None:
        """``if name not in TABLE: raise``: what follows is of the names in the table."""
        for inner in ast.walk(test):
            if not isinstance(inner, ast.Compare):
                continue
            if isinstance(inner.ops[0], ast.NotEq) and dotted(inner.left) == self.asked:
                other = inner.comparators[0]  # if name != "utc": raise
                if isinstance(other, ast.Constant) and isinstance(other.value, str):
                    self.guarded.append(other.value)
            if isinstance(inner.ops[0], ast.NotIn):
                label = dotted(inner.comparators[0])
                self.listed = self.listed or label == "__all__"
                table = self.known.get(label, inner.comparators[0])
                if label != "__all__" and not is_expired(label):
                    read_table(table, self.found)
                    self.guarded += [*strings(table), *self.tables.get(label, [])]

    def _returned(self, node: ast.If) -> str:
        """Where a branch's answer comes from: what it imports, or a name of the module."""
        local = {
            statement.targets[0].id: statement.value
            for statement in node.body
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        }
        for statement in node.body:
            if isinstance(statement, ast.Return):
                path = dotted(statement.value)
                path = dotted(local[path]) if path in local else path
                inner = f"{ITSELF}{path}" if path and path not in {self.asked, *self.known} else ""
                return self.imported.get(path, inner)
        return ""

    def _compared(self, node: ast.Compare) -> list[str]:
        other = node.comparators[0]
        if isinstance(node.ops[0], ast.Eq):
            other = self.known.get(dotted(other), other)
            good = isinstance(other, ast.Constant) and isinstance(other.value, str)
            return [str(other.value)] if good else []  # type: ignore[attr-defined]
        if not isinstance(node.ops[0], ast.In):
            return []
        label = dotted(other)
        table = self.known.get(label, other)
        if isinstance(table, ast.Dict):
            read_table(table, self.found)
            return [*strings(table), *self.tables.get(label, [])]
        return strings(table)

    def call(self, node: ast.Call) -> None:
        name = called(node)
        if name == "getattr" and len(node.args) > 1 and dotted(node.args[1]) == self.asked:
            place = self.imported.get(dotted(node.args[0]), dotted(node.args[0]))
            some = SOME if place and id(node) in self.narrowed else ""
            self.delegates.append(place + some)
        elif "deprecat" in name.lower() and any(dotted(a) == self.asked for a in _given(node)):
            self.shim = name
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            asks = bool(node.args) and dotted(node.args[0]) == self.asked  # TABLE.get(name)
            self.entry(dotted(node.func.value) if asks else "")

    def entry(self, label: str) -> None:
        """``TABLE[name]``: the table's names are there."""
        table = self.known.get(label)
        if not label or is_expired(label):
            return
        read_table(table, self.found)
        names = [*strings(table), *self.tables.get(label, [])]
        for name in names:
            self.found.names.setdefault(name, "")
        self.from_tables += names

    def finish(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Lazy:
        found = self.found
        if self.from_tables:
            told = deprecations.in_body(node.body, set(), self.known)
            outer = [t for t in told if not t.evidence.parameter]
            if outer:
                said = outer[-1].evidence.message
                found.dying.update((name, said) for name in self.from_tables)
        told = deprecations.in_body(node.body, set(), self.known)
        always = [t.evidence.message for t in told if not t.evidence.conditional]
        for name in self.guarded:
            found.names.setdefault(name, "")
            if always:
                found.dying.setdefault(name, always[0])
        forwards = self.listed or (bool(self.delegates) and not self.guarded)
        if (always and forwards) or (self.shim and not found.names):
            found.dying["*"] = always[0] if always else ""
        for name in found.dead.keys() - self.answered:
            found.names.pop(name, None)
            found.dying.pop(name, None)
        found.delegates = tuple(name for name in self.delegates if name)
        found.has_more = self.has_more
        return found


def _imported(node: ast.AST) -> dict[str, str]:
    """Names that a function imports, as ``_lazy_target`` of the linker reads them."""
    found: dict[str, str] = {}
    for inner in ast.walk(node):
        if isinstance(inner, ast.ImportFrom):
            place = "." * inner.level + (inner.module or "")
            for alias in inner.names:
                end = f":{alias.name}" if inner.module else f"{alias.name}:"
                found[alias.asname or alias.name] = place + end
        elif isinstance(inner, ast.Import):
            for alias in inner.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or whole] = f"{whole}:"
    return found


def _given(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(k.value for k in node.keywords)]
