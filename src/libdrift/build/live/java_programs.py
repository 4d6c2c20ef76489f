"""Small Java programs from what a class file tells of a member: a method that uses it, and no more.

Types stand there by their simple names. Which class is meant is looked up, near the member first; a
wrong guess does not compile, and what does not compile becomes no task.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from libdrift.records import Surface, Symbol, SymbolKind

SAMPLE = "Sample"
_PRIMITIVES = frozenset("boolean byte char double float int long short void".split())
_WORDS = frozenset(("extends", "super"))
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_CAPITALS = re.compile(r"^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]")
_KEYWORDS = frozenset(
    "abstract assert boolean break byte case catch char class const continue default do double "
    "else enum extends final finally float for goto if implements import instanceof int interface "
    "long native new package private protected public return short static strictfp super switch "
    "synchronized this throw throws transient try void volatile while record var yield".split()
)


def path_of(identity: str) -> str:
    """``java.lang:Thread.getId`` as people write it."""
    return identity.replace(":", ".", 1)


def class_of(path: str) -> str:
    """The class that has a member."""
    return path.partition("(")[0].rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class JavaUse:
    """A method's worth of code that uses one API."""

    path: str
    returns: str
    parameters: tuple[tuple[str, str], ...]  # types and names
    expression: str
    imports: frozenset[str]

    def with_expression(self, expression: str, needed: str) -> JavaUse:
        """The same method with another expression, which needs one more class."""
        imports = self.imports | {needed}
        return JavaUse(self.path, self.returns, self.parameters, expression, imports)

    @property
    def receiver(self) -> str:
        """What a member is called on; empty where it needs nothing."""
        return self.expression.partition(".")[0] if self._is_called_on_first else ""

    @property
    def _is_called_on_first(self) -> bool:
        return bool(self.parameters) and self.expression.startswith(f"{self.parameters[0][1]}.")

    @property
    def arguments(self) -> tuple[str, ...]:
        names = tuple(name for _, name in self.parameters)
        return names[1:] if self._is_called_on_first else names


@dataclass(frozen=True, slots=True)
class JavaProgram:
    """A class with a method for each use; ``lines`` are those that have to do with one of them."""

    code: str
    lines: Mapping[str, frozenset[int]]


class TypeNames:
    """Which class a simple name means, near some other class."""

    def __init__(self, surface: Surface) -> None:
        self._paths: defaultdict[str, list[str]] = defaultdict(list)
        for identity, symbol in surface.symbols.items():
            if symbol.kind is SymbolKind.CLASS:
                path = path_of(identity)
                self._paths[path.rpartition(".")[2]].append(path)

    def meant(self, name: str, near: str) -> str:
        """The full name; empty where it could be several, or is of none."""
        known = self._paths.get(name, [])
        around = near.split(".")
        for depth in range(len(around), 0, -1):  # inner classes, then the package
            inner = ".".join([*around[:depth], name])
            if inner in known:
                return inner
        for package in ("java.lang", "java.util", "java.io"):
            if f"{package}.{name}" in known:
                return f"{package}.{name}"
        return known[0] if len(known) == 1 else ""

    def written(self, text: str, near: str) -> tuple[str, frozenset[str]] | None:
        """A type as code has it, and what to import for it; nothing where a name has no class."""
        imports = set()
        for name in _IDENTIFIER.findall(text):
            if name in _PRIMITIVES or name in _WORDS:
                continue
            full = self.meant(name, near)
            if not full:
                return None  # a variable of some generic type, mostly
            imports.add(full)
        return text.replace("...", "[]"), frozenset(imports)


def use_of(path: str, symbol: Symbol, names: TypeNames) -> JavaUse | None:
    """A method that uses an API; nothing where its types cannot be written."""
    if symbol.kind is SymbolKind.CLASS:
        label = path.rpartition(".")[2]
        value = _variable(label, set())
        return JavaUse(
            path, "String", ((label, value),), f"String.valueOf({value})", frozenset({path})
        )
    owner = class_of(path)
    label, simple = path.partition("(")[0].rpartition(".")[2], owner.rpartition(".")[2]
    taken, returned = _types(symbol)
    if taken is None:
        return None
    creates = label == simple
    imports = {owner}
    parameters: list[tuple[str, str]] = []
    used: set[str] = set()
    fixed = creates or {"static", "staticmethod"} & set(symbol.traits)
    for text in ([] if fixed else [simple]) + taken:
        found = names.written(text, owner) if text != simple else (text, frozenset({owner}))
        if found is None:
            return None
        imports |= found[1]
        parameters.append((found[0], _variable(found[0], used)))
    result = names.written(simple if creates else returned, owner)
    if result is None:
        return None
    own = [name for _, name in parameters]
    head = simple if fixed else own.pop(0)
    called = "" if symbol.kind is SymbolKind.ATTRIBUTE else f"({', '.join(own)})"
    expression = f"new {simple}{called}" if creates else f"{head}.{label}{called}"
    imports |= result[1]
    return JavaUse(path, result[0], tuple(parameters), expression, frozenset(imports))


def _types(symbol: Symbol) -> tuple[list[str] | None, str]:
    """Of its parameters, and of what it gives; nothing where that is not known."""
    if symbol.kind is SymbolKind.ATTRIBUTE:
        return [], symbol.annotation or "Object"
    if symbol.signature is None:
        return None, ""  # several of that name, each with a name of its own
    return [one.annotation for one in symbol.signature.parameters], symbol.signature.returns


def _variable(text: str, used: set[str]) -> str:
    """A name for a value of some type, as people choose them."""
    words = _IDENTIFIER.findall(text)
    plain = words[0] if words else "value"
    name = plain[0] if plain in _PRIMITIVES else _CAPITALS.sub(lambda m: m[0].lower(), plain)
    name = f"{name}s" if text.endswith("[]") else name
    name = f"{name}Value" if name in _KEYWORDS else name
    free = next(one for one in (name, *(f"{name}{n}" for n in range(2, 99))) if one not in used)
    used.add(free)
    return free


def _method(path: str, used: set[str]) -> str:
    """A name for a method that uses an API: no two programs have the same ones."""
    last = path.partition("(")[0].rpartition(".")[2]
    words = "".join(part[:1].upper() + part[1:] for part in last.split("_") if part)
    name = f"use{words if not last.isupper() else words.title()}"
    free = next(one for one in (name, *(f"{name}{n}" for n in range(2, 99))) if one not in used)
    used.add(free)
    return free


def name_of(path: str) -> str:
    """How people name an API: without parameters, and a constructor by its class."""
    plain = path.partition("(")[0]
    owner, _, last = plain.rpartition(".")
    return owner if owner.rpartition(".")[2] == last else plain


def program_of(uses: Sequence[JavaUse]) -> JavaProgram | None:
    """One class for all; nothing where two of its types have one name."""
    needed = {full for use in uses for full in use.imports}
    if len({full.rpartition(".")[2] for full in needed} | {SAMPLE}) <= len(needed):
        return None
    lines: list[str] = []
    where: defaultdict[str, set[int]] = defaultdict(set)
    for full in sorted(needed):
        if full.rpartition(".")[0] == "java.lang":
            continue
        lines.append(f"import {full};")
        for use in uses:
            if full == use.path:  # a class that is itself at stake
                where[use.path].add(len(lines))
    lines += ([""] if lines else []) + [f"public class {SAMPLE} {{"]
    taken_names: set[str] = set()
    for at, use in enumerate(uses):
        name = _method(use.path, taken_names)
        taken = ", ".join(f"{kind} {label}" for kind, label in use.parameters)
        result = "" if use.returns == "void" else "return "
        lines += [
            *([""] if at else []),
            f"    static {use.returns} {name}({taken}) throws Exception {{",
            f"        {result}{use.expression};",
            "    }",
        ]
        where[use.path] |= {len(lines) - 2, len(lines) - 1}
    lines.append("}")
    found = {path: frozenset(numbers) for path, numbers in where.items()}
    return JavaProgram("\n".join(lines) + "\n", found)
