"""Paths of crates in Rust code: what `use` brings, and what is written by its path.

Read from the text alone. Methods of values are not among them: whose they are, only a compiler
knows. What macros are given is not read.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

from libdrift.languages.occurrences import Occurrence

_PATHS = {"scoped_identifier", "scoped_type_identifier"}
_NAMES = {"identifier", "type_identifier"}
_LOCAL = {"crate", "self", "super", "Self"}


def occurrences(code: str) -> list[Occurrence]:
    """Every path that begins with a crate's name, or with what a `use` brought from one."""
    root = Parser(_language()).parse(code.encode("utf-8", "replace")).root_node
    uses = [node for node in _walk(root) if node.type == "use_declaration"]
    brought: dict[str, str] = {}  # empty for what is the code's own
    found: list[Occurrence] = []
    for use in uses:
        argument = use.child_by_field_name("argument")
        for path, name, node in _leaves(argument, "") if argument else ():
            is_own = path.partition(".")[0] in _LOCAL
            brought[name] = "" if is_own else path
            if not is_own:
                found.append(Occurrence.of(path, node, is_import=True))
    declared = _declared(root)
    names = {name: path for name, path in brought.items() if name not in declared}
    found += _written(root, names)
    return sorted(found, key=lambda item: (item.line, item.column))


@functools.cache
def _language() -> Language:
    return Language(tree_sitter_rust.language())


def _leaves(node: Node, prefix: str) -> Iterator[tuple[str, str, Node]]:
    """Of a tree of imports: each path, the name that it has here, and where it stands."""
    if node.type == "use_list":
        for part in node.named_children:
            yield from _leaves(part, prefix)
    elif node.type == "scoped_use_list":
        path, inner = node.child_by_field_name("path"), node.child_by_field_name("list")
        start = f"{prefix}{_path(path)}." if path else prefix
        yield from _leaves(inner, start) if inner else ()
    elif node.type == "use_as_clause":
        path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
        if path and alias:
            yield prefix + _path(path), _text(alias), node
    elif node.type in {*_PATHS, *_NAMES, "self", "crate"}:
        path_here = (prefix + _path(node)).removesuffix(".self")
        yield path_here, path_here.rpartition(".")[2], node


def _written(root: Node, names: Mapping[str, str]) -> Iterator[Occurrence]:
    for node in _walk(root, skipped="use_declaration"):
        above = node.parent
        if above is None or above.type in _PATHS or _is_start(above):
            continue  # a part of a longer path
        if node.type in _PATHS:
            first, _, rest = _path(node).partition(".")
            start = names.get(first, "" if first in _LOCAL or first[:1].isupper() else first)
            if start and rest:
                yield Occurrence.of(f"{start}.{rest}", node)
        elif node.type in _NAMES and names.get(_text(node)) and not _is_name_of(node, above):
            yield Occurrence.of(names[_text(node)], node)


def _is_start(above: Node) -> bool:
    """``Vec::<u8>::new``: the type is a part of the path."""
    outer = above.parent
    return above.type == "generic_type" and outer is not None and outer.type in _PATHS


def _is_name_of(node: Node, above: Node) -> bool:
    """Whether a name is a field's, a binding's or a definition's: nothing that a `use` brought."""
    for label in ("name", "pattern", "field"):
        if above.child_by_field_name(label) == node and above.type != "generic_type":
            return True
    return above.type in {"shorthand_field_initializer", "lifetime", "label", "meta_item"}


def _declared(root: Node) -> set[str]:
    """Names that the code itself gives to something: they may hide what was brought."""
    kinds = {"struct_item", "enum_item", "function_item", "type_item", "trait_item", "const_item"}
    patterns = {"let_declaration": "pattern", "parameter": "pattern"}
    found: set[str] = set()
    for node in _walk(root):
        label = "name" if node.type in kinds else patterns.get(node.type, "")
        name = node.child_by_field_name(label) if label else None
        if name is not None:
            found.add(_text(name))
    return found


def _path(node: Node) -> str:
    """A path with dots, without what stands in angle brackets; empty for ``<T as Trait>::f``."""
    if node.type in _PATHS:
        path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
        start = _path(path) if path is not None else ""
        if path is not None and not start:
            return ""
        end = _text(name) if name is not None else ""
        return f"{start}.{end}" if start else end
    if node.type == "generic_type":
        kind = node.child_by_field_name("type")
        return _path(kind) if kind is not None else ""
    return _text(node) if node.type in {*_NAMES, *_LOCAL, "self", "crate", "super"} else ""


def _walk(root: Node, skipped: str = "") -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed([one for one in node.children if one.type != skipped]))


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
