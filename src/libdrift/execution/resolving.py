"""Which API a name means that was written about some code: by the code's imports and aliases.

``in1d`` is ``numpy.in1d`` where the code says ``from numpy import in1d``, and ``frame.append`` is
a method ``append`` of some value. A name may have more than one reading.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from libdrift.languages.java import usage as java
from libdrift.metrics.accuracies import api_name, same_api

_LONGEST = 1000  # characters of a name
# What is passed within a chain: `pd.Index(frame[key]).is_boolean`.
_CHAIN = re.compile(r"[)\]]\s*\.")
_PASSED = re.compile(r"\([^()\[\]]*\)|\[[^()\[\]]*\]")
_IMPORT = re.compile(r"^[ \t]*((?:import|from)[ \t].*)$", re.MULTILINE)
_MEMBER = re.compile(r"([^\W\d]\w*|[)\]])[ \t]*\.[ \t]*([^\W\d]\w*)")
_USUAL = frozenset({"np", "pd", "tf"})
_BUILTINS = frozenset(dir(builtins)) | frozenset(
    "apply basestring buffer cmp coerce execfile file intern long raw_input reduce reload unichr "
    "unicode xrange".split()  # of Python 2
)
_ANYBODY = frozenset({"df", "series", "frame", "lock"})  # what people call a value, any
_THEIRS = frozenset({"builtins.", "__builtin__.", "__builtins__."})


def means(name: str, label: str, code: str, language: str) -> bool:
    """Whether a name in an answer is the API of a label, which is a full name."""
    plain = _bare(name)
    if language == "java":
        # A class that the code writes out may be called by its own name alone.
        written = (used for used in java.names(code) if used.endswith(f".{plain}"))
        return any(same_api(one, label) for one in (java.resolve(name, code), *written))
    scope = _scope(code)
    return any(_same(one, label, scope) for one in _readings(plain, scope)) or (
        _is_method(plain, scope, label) and _last(plain) == _last(label)
    )


def stands_for(name: str, wanted: str, code: str, language: str) -> bool:
    """Whether a name is the API that is wanted in a label's place.

    A method may be named as one: ``frame.pad()``, or ``pad``.
    """
    if means(name, wanted, code, language):
        return True
    plain, owner = _bare(name), wanted.rpartition(".")[0].rpartition(".")[2]
    method = owner[:1].isupper() or ("." not in wanted and wanted not in _BUILTINS)
    if language == "java" or not method or _last(plain) != _last(wanted):
        return False
    head, dot, _ = plain.partition(".")
    return not dot or head in _scope(code).values or head in _ANYBODY


def full_names(name: str, code: str) -> list[str]:
    """What a name in Python may mean, by the imports of some code."""
    return list(dict.fromkeys(_readings(_bare(name), _scope(code))))


def _bare(name: str) -> str:
    """A name without what is passed on the way: ``frame[key].append(row)`` is ``frame.append``."""
    name = name.replace("`", "").strip().removesuffix(";")[:_LONGEST]
    before = "" if _CHAIN.search(name) else name
    while before != name:
        before, name = name, _PASSED.sub("", name)
    return name.partition("(")[0].strip().removeprefix(".")


def _last(name: str) -> str:
    return name.rpartition(".")[2]


# --- Python


@dataclass(frozen=True, slots=True)
class _Scope:
    """What names mean in a program, as far as its imports tell."""

    bound: dict[str, str]  # by imports: to full names
    stars: tuple[str, ...]  # modules that everything was imported from
    modules: frozenset[str]  # packages that something was imported from, whatever it is called
    values: frozenset[str]  # other names
    assigned: frozenset[str]  # those of them that the program gives a value
    members: frozenset[str]  # attributes that are taken of anything but modules


def _readings(name: str, scope: _Scope) -> Iterator[str]:
    head, dot, rest = name.partition(".")
    if head in scope.bound:
        yield scope.bound[head] + dot + rest
    if not dot:
        yield from (f"{module}.{name}" for module in scope.stars)
    yield api_name(name)


def _same(name: str, label: str, scope: _Scope) -> bool:
    """As ``same_api``; where a label has no module, a name's must be one that can be meant."""
    if not same_api(name, label):
        return False
    above = name.removesuffix(label)
    if not above or not name.endswith(f".{label}"):
        return True
    if label in _BUILTINS:
        return above in _THEIRS
    head, *classes = above.removesuffix(".").split(".")
    known = head in scope.modules or (
        head in sys.stdlib_module_names and head not in scope.assigned
    )
    return known and all(one[:1].isupper() or head[:1] == "_" for one in classes)


def _is_method(name: str, scope: _Scope, label: str) -> bool:
    """Whether a name is that of an attribute of a value in the code: ``frame.append``."""
    head, dot, rest = name.partition(".")
    if not dot:
        return name in scope.members and name not in scope.bound
    if head == label.partition(".")[0] and head not in scope.assigned:
        return False  # the package itself, which the code may call by an alias too
    *between, last = rest.split(".")
    return head in scope.values and last in scope.members and scope.members.issuperset(between)


@lru_cache(256)
def _scope(code: str) -> _Scope:
    tree = _parsed(code)
    if tree is None:
        # Code of another Python, or cut off: its lines may still tell.
        lines = (_parsed(line.strip()) for line in _IMPORT.findall(code))
        imports = [node for line in lines if line for node in line.body]
    else:
        imports = list(ast.walk(tree))  # type: ignore[arg-type]
    bound: dict[str, str] = {}
    stars: list[str] = []
    for node in imports:
        for name, full in _imported(node):
            if name == "*":
                stars.append(full)
            else:
                bound[name] = full
    assigned: set[str] = set()
    if tree is None:
        taken = _MEMBER.findall(code)
        names = {head for head, _ in taken if head.isidentifier()}
    else:
        taken = list(_taken(tree))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assigned = set(_assigned(tree))
    # `import pandas as pd`, and then `pandas.…` all the same: no value of the program's.
    packages = {full.partition(".")[0] for full in (*bound.values(), *stars)}
    modules = bound.keys() | _USUAL | (packages - assigned)
    return _Scope(
        bound,
        tuple(stars),
        frozenset(packages),
        frozenset(names - modules),
        frozenset(assigned),
        frozenset(member for head, member in taken if head not in modules),
    )


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for item in node.names:
            top = item.name.partition(".")[0]
            yield (item.asname, item.name) if item.asname else (top, top)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        for item in node.names:
            if item.name == "*":
                yield "*", node.module
            else:
                yield item.asname or item.name, f"{node.module}.{item.name}"


def _assigned(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def _taken(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each attribute, with the name that its chain starts with; none for other values."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            root: ast.expr = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            yield (root.id if isinstance(root, ast.Name) else "", node.attr)


def _parsed(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes: not ours to judge
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
