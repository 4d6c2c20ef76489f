"""Tables of names that exist only when asked for: of lazy loaders, of moved and removed names."""

from __future__ import annotations

import ast
import re

from libdrift.languages.python import deprecations
from libdrift.languages.python.expressions import called, dotted, strings
from libdrift.languages.python.parsed import Lazy

ITSELF = "="  # before a path, as the module that has the table writes it
_PLACE = re.compile(r"[a-z_]\w*(?:\.\w+)*:\w+$")
_TARGET = re.compile(r"[a-z_]\w*(?:\.\w+)*[.:]\w+$")
_LOADERS = {"attach", "attach_stub", "_attach"}
_HERE = {"__package__", "__spec__.parent", "__name__"}


def read_table(table: ast.expr | None, found: Lazy) -> None:
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
            target = _in_package(value, key.value)
        elif dotted(value):
            target = ITSELF + dotted(value)
        elif isinstance(value, ast.Call) and len(value.args) == 1 and "deprecat" in called(value):
            inner = dotted(value.args[0])  # {"Old": deprecated(New)}
            target = ITSELF + inner if inner else ""
        found.names[key.value] = target


def _in_package(place: ast.Tuple, name: str) -> str:
    """``("module", "attribute")``, or for ``import_module``: ``(__package__, ".module")``."""
    parts = strings(place)
    first = dotted(place.elts[0]) if len(place.elts) > 1 else ""
    is_here = first in _HERE
    if first and not is_here:
        return ITSELF + first  # (the thing, "its better name")
    if is_here and len(parts) == 1:
        return f"{parts[0]}:{name}" if parts[0].startswith(".") else ""
    if len(parts) < 2 or " " in parts[1]:  # noqa: PLR2004  (module and attribute)
        return ""
    if parts[1].startswith("."):
        return f"{parts[0]}{parts[1].rstrip('.')}:{name}"
    return ":".join(parts[:2])


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


def listed(node: ast.Assign) -> Lazy | None:
    """``__all__, __getattr__, __dir__ = own_loader(__name__, [".sub"], [".module.name"])``."""
    targets = [name for target in node.targets for name in getattr(target, "elts", [target])]
    if "__getattr__" not in {dotted(target) for target in targets}:
        return None
    given = (
        [*node.value.args, *(k.value for k in node.value.keywords)]
        if (isinstance(node.value, ast.Call))
        else []
    )
    paths = [path for item in given for path in strings(item) if path.startswith(".")]
    found = Lazy(names={}, dying={})
    for path in paths:
        module, _, name = path.rpartition(".")
        found.names[name] = f"{module}:{name}" if module.strip(".") else path
    return found if paths else None


def given_names(call: ast.Call) -> Lazy:
    """``lazy_import(globals(), aliases={"A": ".m"}, deprecated_aliases={"B": ".m"})``."""
    found = Lazy(names={}, dying={})
    for keyword in call.keywords:
        if isinstance(keyword.value, ast.Dict):
            read_table(keyword.value, found)
            if "deprecat" in (keyword.arg or ""):
                found.dying.update(dict.fromkeys(strings(keyword.value), ""))
    return found


def table_of_module(name: str, node: ast.expr | None) -> Lazy:
    """``__old_names__ = {"A": Deprecated(value=_A, instead="B")}``, from which it answers."""
    found = Lazy(names={}, dying={})
    if not isinstance(node, ast.Dict):
        return found
    for key, value in zip(node.keys, node.values, strict=True):
        told = value if isinstance(value, ast.Call) else ast.Call(ast.Name(""), [value], [])
        label = key.value if isinstance(key, ast.Constant) else None
        says_so = "deprecat" in f"{name} {called(told)}".lower()
        if not isinstance(label, str) or not label.isidentifier() or not says_so:
            continue
        given = next((k.value for k in told.keywords if k.arg == "value"), None)
        path = dotted(given or (told.args[0] if told.args else None))
        found.names[label] = ITSELF + path if path else ""
        found.dying[label] = deprecations.said_by(told)
    return found


def places(node: ast.expr | None) -> dict[str, str]:
    """``{"pkg.a:name": "pkg.b:name"}``: where names of modules are now."""
    if not isinstance(node, ast.Dict):
        return {}
    pairs = [
        (_written(key), _written(value))
        for key, value in zip(node.keys, node.values, strict=True)
        if key is not None
    ]
    return {key: value for key, value in pairs if _PLACE.match(key) and _TARGET.match(value)}


def _written(node: ast.expr) -> str:
    """A text, if all of its parts are known."""
    if isinstance(node, ast.JoinedStr):
        parts = [_written(part) for part in node.values]
        return "".join(parts) if all(parts) else ""
    if isinstance(node, ast.FormattedValue):
        node = node.value
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def expired(name: str, node: ast.expr | None) -> bool:
    """A table of removed names with hints, as some packages keep for their error messages."""
    return isinstance(node, ast.Dict) and is_expired(name)


def is_expired(name: str) -> bool:
    words = ("expired", "former_attrs", "removed_attr", "removed_names")
    return any(word in name.lower() for word in words)
