"""Names that exist only when asked for: ``__getattr__`` of modules, lazy loaders, tombstones."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from libdrift.languages.python import deprecations
from libdrift.languages.python.expressions import called, dotted, strings
from libdrift.languages.python.parsed import Lazy

_LOADERS = {"attach", "attach_stub", "_attach"}


def read_getattr(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    known: Mapping[str, ast.expr],
    tables: Mapping[str, list[str]],
) -> Lazy:
    """The names that a module's ``__getattr__`` compares with, and where it looks further."""
    reader = _Getattr(node, known, tables)
    for inner in ast.walk(node):
        if isinstance(inner, ast.If):
            reader.branch(inner)
        elif isinstance(inner, ast.Call):
            reader.call(inner)
        elif isinstance(inner, ast.Subscript) and dotted(inner.slice) == reader.asked:
            reader.subscript(inner)
    return reader.finish(node)


class _Getattr:
    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        known: Mapping[str, ast.expr],
        tables: Mapping[str, list[str]],
    ) -> None:
        self.asked = node.args.args[0].arg if node.args.args else "name"
        own = {
            inner.targets[0].id: inner.value
            for inner in ast.walk(node)
            if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name)
        }
        self.known = {**known, **own}
        self.tables = tables
        self.found = Lazy(names={}, dying={})
        self.delegates: list[str] = []
        self.from_tables: list[str] = []
        self.shim = ""

    def branch(self, node: ast.If) -> None:
        """``if name == "x": warn(…); return …``: what stands there is of those names alone."""
        if all(isinstance(statement, ast.Raise) for statement in node.body):
            return  # only says what to do instead
        names: list[str] = []
        for test in ast.walk(node.test):
            if isinstance(test, ast.Compare) and dotted(test.left) == self.asked:
                names += self._compared(test)
        for name in names:
            self.found.names.setdefault(name, "")
        told = deprecations.in_body(node.body, set(), self.known)
        if told:
            for name in names:  # the first branch answers
                self.found.dying.setdefault(name, told[0].evidence.message)

    def _compared(self, node: ast.Compare) -> list[str]:
        other = node.comparators[0]
        if isinstance(node.ops[0], ast.Eq):
            good = isinstance(other, ast.Constant) and isinstance(other.value, str)
            return [str(other.value)] if good else []  # type: ignore[attr-defined]
        if not isinstance(node.ops[0], ast.In):
            return []
        label = dotted(other)
        table = self.known.get(label, other)
        if isinstance(table, ast.Dict):
            _table(table, self.found)
            return [*strings(table), *self.tables.get(label, [])]
        return strings(table)

    def call(self, node: ast.Call) -> None:
        name = called(node)
        if name == "getattr" and len(node.args) > 1 and dotted(node.args[1]) == self.asked:
            self.delegates.append(dotted(node.args[0]))
        elif "deprecat" in name.lower() and any(dotted(a) == self.asked for a in _given(node)):
            self.shim = name

    def subscript(self, node: ast.Subscript) -> None:
        label = dotted(node.value)
        table = self.known.get(label)
        if not label or is_expired(label):
            return
        _table(table, self.found)
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
        if always or (self.shim and not found.names):
            found.dying["*"] = always[0] if always else ""
        found.delegates = tuple(name for name in self.delegates if name)
        return found


def _given(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(k.value for k in node.keywords)]


def _table(table: ast.expr | None, found: Lazy) -> None:
    """``{"name": "module"}``, ``{"name": ("module", "attribute")}``, ``{"module": ["name"]}``."""
    if not isinstance(table, ast.Dict):
        return
    for key, value in zip(table.keys, table.values, strict=True):
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            continue
        if isinstance(value, ast.List):
            found.names.update((name, f".{key.value}:{name}") for name in strings(value))
            continue
        target = ""
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            target = value.value if " " not in value.value else ""
        elif isinstance(value, ast.Tuple):
            parts = strings(value)
            target = ":".join(parts[:2]) if len(parts) > 1 and " " not in parts[1] else ""
        found.names[key.value] = target


def attached(node: ast.expr) -> Lazy | None:
    """``lazy_loader.attach(__name__, {"sub"}, {"sub": ["name"]})`` and ``attach_stub``."""
    if not isinstance(node, ast.Call):
        return None
    name = called(node).rpartition(".")[2]
    if name not in _LOADERS or not node.args:
        return None
    if name == "attach_stub":
        return Lazy(names={}, delegates=("*stub*",), dying={})
    found = Lazy(names={}, dying={})
    given = {k.arg: k.value for k in node.keywords}
    submodules = given.get("submodules", node.args[1] if len(node.args) > 1 else None)
    attributes = given.get("submod_attrs", node.args[2] if len(node.args) > 2 else None)  # noqa: PLR2004
    for module in strings(submodules):
        found.names[module] = f".{module}"
    if isinstance(attributes, ast.Dict):
        for key, value in zip(attributes.keys, attributes.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                found.names.update((name, f".{key.value}:{name}") for name in strings(value))
    return found


def expired(name: str, node: ast.expr | None) -> bool:
    """A table of removed names with hints, as some packages keep for their error messages."""
    return isinstance(node, ast.Dict) and is_expired(name)


def is_expired(name: str) -> bool:
    words = ("expired", "former_attrs", "removed_attr", "removed_names")
    return any(word in name.lower() for word in words)
