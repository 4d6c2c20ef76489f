"""Names in Java code by their full paths: imports, types, and members of what has a declared type.

Read from the text alone, also where it does not compile. A member's path begins with the type that
the code declares; that it may be inherited from another is for a surface to say.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import tree_sitter_java
from tree_sitter import Language, Node, Parser

from libdrift.languages.occurrences import Occurrence
from libdrift.records import Surface

# What needs no import; of the package java.lang of the newest Java, that of the first ones.
_LANG = frozenset(
    "AbstractMethodError Appendable ArithmeticException ArrayIndexOutOfBoundsException "
    "ArrayStoreException AssertionError AutoCloseable Boolean Byte CharSequence Character Class "
    "ClassCastException ClassLoader ClassNotFoundException CloneNotSupportedException Cloneable "
    "Comparable Compiler Deprecated Double Enum Error Exception Float FunctionalInterface "
    "IllegalAccessException IllegalArgumentException IllegalMonitorStateException "
    "IllegalStateException IndexOutOfBoundsException InheritableThreadLocal "
    "InstantiationException Integer InterruptedException Iterable LinkageError Long Math Module "
    "NegativeArraySizeException NoClassDefFoundError NoSuchFieldException NoSuchMethodException "
    "NullPointerException Number NumberFormatException Object OutOfMemoryError Override Package "
    "Process ProcessBuilder ProcessHandle Readable Record ReflectiveOperationException Runnable "
    "Runtime RuntimeException RuntimePermission SafeVarargs SecurityException SecurityManager "
    "Short StackOverflowError StackTraceElement StackWalker StrictMath String StringBuffer "
    "StringBuilder SuppressWarnings System Thread ThreadDeath ThreadGroup ThreadLocal Throwable "
    "UnsupportedOperationException VerifyError VirtualMachineError Void".split()
)
_TYPES = {
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
}
_DECLARATIONS = {
    "local_variable_declaration",
    "field_declaration",
    "formal_parameter",
    "spread_parameter",
    "resource",
    "enhanced_for_statement",
    "catch_formal_parameter",
    "instanceof_expression",
}


@dataclass(frozen=True, slots=True)
class Code:
    """What a file says of the names in it."""

    parses: bool
    main: str  # the public class, else the first one; what the file is called by
    imports: dict[str, str] = field(default_factory=dict)  # simple names to full ones
    stars: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()  # classes that it declares
    variables: dict[str, set[str]] = field(default_factory=dict)  # to types, as written
    uses: frozenset[str] = frozenset()  # full names of types and of their members
    methods: frozenset[str] = frozenset()  # names of those that it declares
    overrides: frozenset[str] = frozenset()  # those of them that are said to override others
    calls: frozenset[str] = frozenset()  # names of methods that it calls, and of classes it makes
    made: frozenset[str] = frozenset()  # the latter alone


def read(code: str, surface: Surface | None = None) -> Code:
    return _reader(code, surface).result()


def occurrences(code: str, surface: Surface | None = None) -> list[Occurrence]:
    """Each place at which code refers to a type or a member, in the order of the file."""
    return list(_reader(code, surface).placed)


def names(code: str, surface: Surface | None = None) -> frozenset[str]:
    """Full names of what code refers to; what the code declares itself is not among them."""
    return read(code, surface).uses


def resolve(name: str, code: str, surface: Surface | None = None) -> str:
    """The full name of what someone calls ``Thread.stop``, ``t.stop()`` or ``stop`` in that code.

    What the code does not explain comes back as it is, without brackets and arguments.
    """
    plain = _plain(name)
    if not plain:
        return ""
    reader = _reader(code, surface)
    found = reader.full(plain)
    if found:
        return found
    # A member's name alone: that of the only thing that is called so.
    same = {used for used in reader.result().uses if used.endswith(f".{plain}")}
    return same.pop() if len(same) == 1 else plain


def _plain(name: str) -> str:
    """``new java.util.Date(int)`` as ``java.util.Date``; ``Thread#stop`` as ``Thread.stop``."""
    text = name.strip().strip("`\"'").removeprefix("new ").partition("(")[0]
    text = re.sub(r"<[^>]*>?", "", text).replace("::", ".").replace("#", ".").replace("$", ".")
    return re.sub(r"\s+", "", text).strip(".;")


@functools.cache
def _language() -> Language:
    return Language(tree_sitter_java.language())


def _reader(code: str, surface: Surface | None) -> _Reader:
    return _kept_reader(code) if surface is None else _Reader(code, surface)


@functools.lru_cache(64)  # many names are asked of one code, one by one
def _kept_reader(code: str) -> _Reader:
    return _Reader(code, None)


class _Reader:
    def __init__(self, code: str, surface: Surface | None) -> None:
        self._surface = surface
        root = Parser(_language()).parse(code.encode("utf-8", "replace")).root_node
        self._nodes = list(_walk(root))
        self.parses = not root.has_error
        self.own = frozenset(
            _text(label)
            for node in self._nodes
            if node.type in _TYPES and (label := node.child_by_field_name("name"))
        )
        self.imports: dict[str, str] = {}
        self.stars: list[str] = []
        for node in self._nodes:
            if node.type == "import_declaration":
                self._import(node)
        self.variables: defaultdict[str, set[str]] = defaultdict(set)
        for node in self._nodes:
            if node.type in _DECLARATIONS:
                self._declare(node)
        self.placed: list[Occurrence] = []
        self._result = self._read(root)
        del self._nodes  # a reader may be kept for long

    def result(self) -> Code:
        return self._result

    def _read(self, root: Node) -> Code:
        uses = {*self.imports.values()}
        for node in self._nodes:
            if node.type == "import_declaration":
                self._place_import(node)
            elif node.type == "object_creation_expression":
                self._place_constructor(node)
            for path in filter(None, self._used(node)):
                uses.add(path)
                self.placed.append(Occurrence.of(path, _label(node)))
        methods = [node for node in self._nodes if node.type == "method_declaration"]
        return Code(
            self.parses,
            self._main_class(root),
            self.imports,
            tuple(self.stars),
            self.own,
            dict(self.variables),
            frozenset(uses),
            frozenset(map(_called, methods)),
            frozenset(_called(node) for node in methods if _overrides(node)),
            *self._calls(),
        )

    def _calls(self) -> tuple[frozenset[str], frozenset[str]]:
        called = (_called(node) for node in self._nodes if node.type == "method_invocation")
        kinds = (
            node.child_by_field_name("type")
            for node in self._nodes
            if node.type == "object_creation_expression"
        )
        made = frozenset(_plain(_text(kind)).rpartition(".")[2] for kind in kinds if kind)
        return frozenset(called) | made, made

    def full(self, name: str) -> str:
        """A dotted name as the code means it; empty where the code does not say."""
        first, _, rest = name.partition(".")
        if first in self.variables:
            for kind in sorted(self.variables[first]):
                owner = self._type(kind)
                if owner:
                    return f"{owner}.{rest}" if rest else owner
        if first in self.own:
            return ""
        owner = self._type(first) if "." not in name or first[:1].isupper() else ""
        if owner:
            return f"{owner}.{rest}" if rest else owner
        return name if "." in name and first[:1].islower() and first not in self.variables else ""

    # --- what a file declares

    def _import(self, node: Node) -> None:
        path = next(
            (_text(c) for c in node.children if c.type in ("scoped_identifier", "identifier")), ""
        )
        if any(child.type == "asterisk" for child in node.children):
            self.stars.append(path)
        elif path:
            self.imports[path.rpartition(".")[2]] = path

    def _place_import(self, node: Node) -> None:
        names = [c for c in node.children if c.type in ("scoped_identifier", "identifier")]
        if names:
            self.placed.append(Occurrence.of(_text(names[0]), names[0], is_import=True))

    def _place_constructor(self, node: Node) -> None:
        """A surface has constructors as members that are called as their class is."""
        kind = node.child_by_field_name("type")
        path = self._type(_plain(_text(kind))) if kind is not None else ""
        if kind is not None and path:
            self.placed.append(Occurrence.of(f"{path}.{path.rpartition('.')[2]}", kind))

    def _declare(self, node: Node) -> None:
        kind = node.child_by_field_name("type") or node.child_by_field_name("right")
        if kind is None:
            kind = next((c for c in node.children if c.type == "catch_type"), None)
        labels = [
            child.child_by_field_name("name")
            for child in node.children
            if child.type == "variable_declarator"
        ] or [node.child_by_field_name("name")]
        for label in labels:
            if label is None or kind is None:
                continue
            written = _text(kind)
            if written == "var" and label.parent is not None:
                made = label.parent.child_by_field_name("value")
                maker = made.child_by_field_name("type") if made is not None else None
                written = _text(maker) if maker is not None else ""
            for part in written.split("|"):
                if _plain(part).rstrip("[]"):
                    self.variables[_text(label)].add(_plain(part).rstrip("[]"))

    def _main_class(self, root: Node) -> str:
        tops = [child for child in root.children if child.type in _TYPES]
        shown = [
            child
            for child in tops
            if any(c.type == "modifiers" and "public" in _text(c).split() for c in child.children)
        ]
        for child in (*shown, *tops):
            label = child.child_by_field_name("name")
            if label is not None:
                return _text(label)
        return "Answer"

    # --- what it uses

    def _used(self, node: Node) -> Iterable[str]:
        if node.type in ("type_identifier", "scoped_type_identifier"):
            above = node.parent
            if above is not None and above.type == "scoped_type_identifier":
                return []
            return [self.full(_plain(_text(node)))]
        if node.type in ("marker_annotation", "annotation"):
            label = node.child_by_field_name("name")
            return [self.full(_text(label))] if label is not None else []
        if node.type in ("method_invocation", "field_access"):
            return self._member(node)
        if node.type == "method_reference":
            owner, last = node.children[0], node.children[-1]
            return [self._of(owner, _text(last))]
        return []

    def _member(self, node: Node) -> list[str]:
        owner = node.child_by_field_name("object")
        label = node.child_by_field_name("name") or node.child_by_field_name("field")
        if label is None:
            return []
        if owner is None:
            if _text(label) in self.imports:  # a static one
                return [self.imports[_text(label)]]
            return [f"{base}.{_text(label)}" for base in self._bases(node)]
        return [self._of(owner, _text(label))]

    def _of(self, owner: Node, label: str) -> str:
        while owner.type == "parenthesized_expression" and owner.named_children:
            owner = owner.named_children[0]
        if owner.type in ("object_creation_expression", "cast_expression"):
            kind = owner.child_by_field_name("type")
            found = self._type(_plain(_text(kind))) if kind is not None else ""
            return f"{found}.{label}" if found else ""
        if owner.type == "this" and label in self.variables:
            return ""
        if owner.type in ("this", "super"):
            return next((f"{base}.{label}" for base in self._bases(owner)), "")
        if owner.type == "field_access" and _text(owner).startswith("this."):
            return self.full(f"{_text(owner).removeprefix('this.')}.{label}")
        if owner.type in ("identifier", "field_access", "scoped_identifier", "type_identifier"):
            return self.full(f"{_text(owner)}.{label}")
        return ""

    def _bases(self, node: Node) -> Iterator[str]:
        """The class that the one around extends: its members need no owner."""
        above: Node | None = node
        while above is not None and above.type != "class_declaration":
            above = above.parent
        parent = above.child_by_field_name("superclass") if above is not None else None
        if parent is not None and parent.named_children:
            found = self._type(_plain(_text(parent.named_children[0])))
            if found:
                yield found

    def _type(self, name: str) -> str:
        """A type as written to its full name."""
        first, _, rest = name.partition(".")
        tail = f".{rest}" if rest else ""
        if first in self.own:
            return ""
        if first in self.imports:
            return self.imports[first] + tail
        if first[:1].islower():
            return name if rest else ""
        if self._surface is not None:
            for package in ("java.lang", *self.stars):
                if self._surface.resolve(f"{package}.{first}") is not None:
                    return f"{package}.{first}{tail}"
        if first in _LANG:
            return f"java.lang.{first}{tail}"
        # One package of which all is imported: it is from there, or from nowhere.
        return f"{self.stars[0]}.{first}{tail}" if len(self.stars) == 1 else ""


def _label(node: Node) -> Node:
    """The name of what a node refers to, without what it is called with."""
    return node.child_by_field_name("name") or node.child_by_field_name("field") or node


def _called(declaration: Node) -> str:
    label = declaration.child_by_field_name("name")
    return _text(label) if label is not None else ""


def _overrides(declaration: Node) -> bool:
    return any(
        child.type == "modifiers" and "@Override" in _text(child) for child in declaration.children
    )


def _walk(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
