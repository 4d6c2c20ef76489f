"""Names that Rust code uses: paths through its ``use`` lines, methods by their bare names, macros.

The tree is tree-sitter's, which reads on past mistakes. Nothing is known of types: `x.len()` tells
`len` alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_PATHS = {"scoped_identifier", "scoped_type_identifier"}
_NAMES = {"identifier", "type_identifier"}
_OWN = {"self", "super", "crate", "Self"}
# Where a name is given, not used.
_GIVEN = {
    ("function_item", "name"),
    ("function_signature_item", "name"),
    ("struct_item", "name"),
    ("enum_item", "name"),
    ("union_item", "name"),
    ("trait_item", "name"),
    ("type_item", "name"),
    ("mod_item", "name"),
    ("const_item", "name"),
    ("static_item", "name"),
    ("macro_definition", "name"),
    ("enum_variant", "name"),
    ("type_parameter", "name"),
    ("const_parameter", "name"),
    ("parameter", "pattern"),
    ("let_declaration", "pattern"),
    ("closure_parameters", ""),
}


@dataclass(frozen=True, slots=True)
class Used:
    """Paths are written with ``::``; the first part of each is resolved through ``use`` lines."""

    paths: frozenset[str] = frozenset()  # of things that are used, std::mem::swap
    imports: frozenset[str] = frozenset()  # of `use` lines, used or not
    methods: frozenset[str] = frozenset()  # bare names: of `x.name(…)` and of `Type::name`
    macros: frozenset[str] = frozenset()  # without their mark, resolved as paths are
    fields: frozenset[str] = frozenset()
    crates: frozenset[str] = frozenset()  # first parts that are no name of the code's own
    broken: bool = False  # the code does not parse

    def calls(self, name: str) -> bool:
        """Whether something by this bare name is used as a method, a function or a macro."""
        return name in self.methods or any(
            path.rpartition("::")[2] == name for path in (*self.paths, *self.macros)
        )


def used(code: str) -> Used:
    """What code names; comments and strings do not count."""
    root = _parse(code)
    try:
        names = _Names(root)
    except RecursionError:  # paths of a thousand parts are nobody's program
        return Used(broken=True)
    return Used(
        frozenset(names.paths),
        frozenset(names.imports.values()) | frozenset(names.globs),
        frozenset(names.methods),
        frozenset(names.macros),
        frozenset(names.fields),
        frozenset(names.crates()),
        broken=root.has_error,
    )


def _parse(code: str) -> Node:
    import tree_sitter
    import tree_sitter_rust

    language = tree_sitter.Language(tree_sitter_rust.language())
    return tree_sitter.Parser(language).parse(code.encode("utf-8", "replace")).root_node


class _Names:
    def __init__(self, root: Node) -> None:
        self.imports: dict[str, str] = {}  # label: path
        self.globs: set[str] = set()
        self.own: set[str] = set()  # items that the code defines
        self.paths: set[str] = set()
        self.methods: set[str] = set()
        self.macros: set[str] = set()
        self.fields: set[str] = set()
        nodes = list(_walk(root))
        for node in nodes:
            if node.type == "use_declaration":
                argument = node.child_by_field_name("argument")
                if argument is not None:
                    self._import(argument, "")
            elif node.type == "extern_crate_declaration":
                name, alias = (node.child_by_field_name(part) for part in ("name", "alias"))
                if name is not None:
                    self.imports[_text(alias or name)] = _text(name)
            elif node.type.endswith("_item") or node.type == "macro_definition":
                name = node.child_by_field_name("name")
                if name is not None:
                    self.own.add(_text(name))
        for node in nodes:
            self._use(node)

    def crates(self) -> Iterator[str]:
        for path in (*self.imports.values(), *self.globs, *self.paths, *self.macros):
            first, _, rest = path.partition("::")
            whole = bool(rest) or path in self.imports.values()
            if whole and first not in _OWN | self.own and first[:1].islower():
                yield first

    # --- use lines

    def _import(self, node: Node, prefix: str) -> None:
        kind = node.type
        if kind == "use_list":
            for child in node.named_children:
                self._import(child, prefix)
        elif kind == "scoped_use_list":
            path = node.child_by_field_name("path")
            inner = node.child_by_field_name("list")
            if inner is not None:
                self._import(inner, _joined(prefix, _text(path) if path else ""))
        elif kind == "use_as_clause":
            path, alias = (node.child_by_field_name(part) for part in ("path", "alias"))
            if path is not None and alias is not None:
                self.imports[_text(alias)] = _joined(prefix, _text(path))
        elif kind == "use_wildcard":
            inner = node.named_children[0] if node.named_children else None
            self.globs.add(_joined(_joined(prefix, _text(inner) if inner else ""), "*"))
        elif kind == "self":
            self.imports[prefix.rpartition("::")[2]] = prefix
        elif kind in _PATHS | _NAMES:
            whole = _joined(prefix, _text(node))
            self.imports[whole.rpartition("::")[2]] = whole

    # --- uses

    def _use(self, node: Node) -> None:
        if node.type in _PATHS and not _inside(node, _PATHS | _USES) and not _is_macro_name(node):
            self._path(node)
        elif node.type == "macro_invocation":
            name = node.child_by_field_name("macro")
            if name is not None:
                self.macros.add(self._resolved(_bare(name)))
            self._tokens(node)
        elif node.type == "field_expression":
            self._member(node)
        elif (
            node.type in _NAMES and not _inside(node, _PATHS | _USES | _LOOSE) and not _given(node)
        ):
            label = _text(node)
            # A plain name is a use of something only where a `use` line brought it.
            if label in self.imports and not _is_macro_name(node):
                self.paths.add(self.imports[label])

    def _path(self, node: Node) -> None:
        whole = _bare(node)
        if whole.startswith("<"):  # <T as Trait>::name, <[T]>::name
            self.methods.add(whole.rpartition("::")[2])
            return
        self.paths.add(self._resolved(whole))
        self.methods.add(whole.rpartition("::")[2])

    def _member(self, node: Node) -> None:
        field = node.child_by_field_name("field")
        parent = node.parent
        if parent is not None and parent.type == "generic_function":  # x.collect::<Vec<_>>()
            parent = parent.parent
        called = parent is not None and parent.type == "call_expression"
        if field is not None:
            (self.methods if called else self.fields).add(_text(field))

    def _tokens(self, macro: Node) -> None:
        """Arguments of macros are loose tokens: paths and ``.name(`` in them count too."""
        for tree in macro.named_children:
            if tree.type != "token_tree":
                continue
            words: list[str] = []
            before = ""
            for token in [*_leaves(tree), None]:
                text = _text(token) if token is not None else ""
                if before == "." and token is not None and token.type in _NAMES:
                    self.methods.add(text)
                before = text
                joins = text == "::" or (words and words[-1] == "::")
                if token is not None and joins and (token.type in _NAMES | _OWN or text == "::"):
                    words.append(text)
                    continue
                self._spoken(words, text)
                words = [text] if text else []

    def _spoken(self, words: list[str], after: str) -> None:
        whole = "".join(words)
        if len(words) > 2 and words[0] not in {"::", "."}:  # noqa: PLR2004
            resolved = self._resolved(whole.rstrip(":"))
            (self.macros if after == "!" else self.paths).add(resolved)
            self.methods.add(words[-1])
        elif len(words) == 1 and after == "!":
            if whole.isidentifier():
                self.macros.add(self._resolved(whole))
        elif len(words) == 1 and whole in self.imports:
            self.paths.add(self.imports[whole])

    def _resolved(self, path: str) -> str:
        """The first part through the ``use`` lines; a second time where that is a name again."""
        path = path.removeprefix("::")
        seen: set[str] = set()
        while (first := path.partition("::")[0]) in self.imports and first not in seen:
            seen |= {first, self.imports[first].rpartition("::")[2]}
            path = self.imports[first] + path.removeprefix(first)
        return path


_SILENT = {"line_comment", "block_comment", "string_literal", "raw_string_literal", "char_literal"}
_LOOSE = {"token_tree", "extern_crate_declaration"}  # read on their own
_USES = {"use_declaration", "use_as_clause", "use_list", "scoped_use_list", "use_wildcard"}


def _walk(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.named_children))


def _leaves(tree: Node) -> Iterator[Node]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if node.type == "token_tree":
            waiting.extend(reversed(node.children))
        elif node.type not in _SILENT:
            yield node


def _inside(node: Node, kinds: set[str]) -> bool:
    """Whether a name is only a part of a larger one; brackets of types part them again."""
    parent = node.parent
    if parent is not None and parent.type == "generic_type" and node == parent.children[0]:
        parent = parent.parent if parent.parent and parent.parent.type in _PATHS else parent
    return parent is not None and parent.type in kinds


def _given(node: Node) -> bool:
    parent = node.parent
    if parent is None:
        return False
    return any(
        parent.type == kind and (not field or parent.child_by_field_name(field) == node)
        for kind, field in _GIVEN
    )


def _is_macro_name(node: Node) -> bool:
    parent = node.parent
    return (
        parent is not None
        and parent.type == "macro_invocation"
        and parent.child_by_field_name("macro") == node
    )


def _joined(prefix: str, rest: str) -> str:
    return "::".join(part for part in (prefix, rest.removeprefix("::")) if part)


def _bare(node: Node) -> str:
    """A path without its generic arguments."""
    if node.type in _PATHS:
        path, name = (node.child_by_field_name(part) for part in ("path", "name"))
        return _joined(_bare(path) if path else "", _text(name) if name else "")
    if node.type in {"generic_type", "generic_type_with_turbofish"}:
        inner = node.child_by_field_name("type")
        return _bare(inner) if inner else ""
    return _text(node)


def _text(node: Node) -> str:
    return node.text.decode("utf-8", "replace") if node.text else ""
