"""The names in Python code, 2 or 3, as they are met: given a meaning, or read.

What stands within a function is not met, but for what it takes from around it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

_COMPREHENSIONS = (
    "list_comprehension",
    "set_comprehension",
    "dictionary_comprehension",
    "generator_expression",
)
_TARGETS = (
    "as_pattern_target",
    "list_pattern",
    "list_splat_pattern",
    "parenthesized_expression",
    "pattern_list",
    "tuple_pattern",
)
IMPORTS = ("import_statement", "import_from_statement", "future_import_statement")

Mention = tuple[str, bool]  # a name, and whether it is given a meaning


def mentions(node: Node) -> Iterator[Mention]:
    """The names of a statement, in the order in which Python comes by them."""
    kind = node.type
    if kind == "identifier":
        yield text_of(node), False
    elif kind == "function_definition":
        yield from _named(node)
        yield from _read(_free(node))
    elif kind == "lambda" or kind in _COMPREHENSIONS:
        yield from _read(_free(node))
    elif kind == "class_definition":
        yield from _named(node)
        # Its own names are not the module's, but may be called as those of the module are.
        yield from ((name, False) for name, binds in _below(node, "name") if not binds)
    elif kind in IMPORTS:
        yield from ((name, True) for name in imported(node))
    elif kind == "attribute":
        yield from _of(node, "object")
    elif kind == "keyword_argument":
        yield from _of(node, "value")
    else:
        yield from _bindings(node)


def _bindings(node: Node) -> Iterator[Mention]:
    """Of what gives a meaning to names: first what is read to that end."""
    if node.type == "assignment":
        yield from _of(node, "type")
        yield from _of(node, "right")
        yield from _targets(node.child_by_field_name("left"))
    elif node.type == "augmented_assignment":
        yield from _below(node)
        yield from _targets(node.child_by_field_name("left"))
    elif node.type in ("for_statement", "for_in_clause"):
        yield from _of(node, "right")
        yield from _targets(node.child_by_field_name("left"))
        yield from _below(node, "left", "right")
    elif node.type == "named_expression":
        yield from _of(node, "value")
        yield from _targets(node.child_by_field_name("name"))
    elif node.type == "as_pattern_target":
        yield from _targets(node)
    else:
        yield from _below(node)


def names_read(node: Node) -> set[str]:
    return {name for name, binds in mentions(node) if not binds}


def names_bound(node: Node) -> set[str]:
    return {name for name, binds in mentions(node) if binds}


def imported(node: Node) -> Iterator[str]:
    """The names that an import gives a meaning to."""
    for item in node.children_by_field_name("name"):
        alias = item.child_by_field_name("alias")
        if alias is not None:
            yield text_of(alias)
        else:
            yield text_of(item).partition(".")[0].strip()


def text_of(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _free(scope: Node) -> set[str]:
    """What a function, a lambda or a comprehension reads of the names around it."""
    parameters = scope.child_by_field_name("parameters")
    bound = set() if parameters is None else set(_parameters(parameters))
    read: set[str] = set()
    declared: set[str] = set()  # global
    for child in scope.named_children:
        if child == scope.child_by_field_name("name"):
            continue
        if child == parameters:
            read |= {name for one in child.named_children for name in _defaults(one)}
            continue
        for name, binds in mentions(child):
            (bound if binds else read).add(name)
        declared |= set(_declared(child))
    return (read - bound) | declared


def _parameters(node: Node) -> Iterator[str]:
    for child in node.named_children:
        if child.type == "identifier":
            yield text_of(child)
        elif child.type in ("default_parameter", "typed_default_parameter"):
            yield from (name for name, _ in _of(child, "name"))
        elif child.type != "type":
            yield from _parameters(child)


def _defaults(parameter: Node) -> Iterator[str]:
    yield from (name for name, _ in _of(parameter, "value"))
    yield from (name for name, _ in _of(parameter, "type"))


def _declared(node: Node) -> Iterator[str]:
    if node.type == "global_statement":
        yield from (text_of(child) for child in node.named_children)
    elif node.type not in ("function_definition", "class_definition", "lambda"):
        for child in node.named_children:
            yield from _declared(child)


def _named(definition: Node) -> Iterator[Mention]:
    name = definition.child_by_field_name("name")
    if name is not None:
        yield text_of(name), True


def _targets(left: Node | None) -> Iterator[Mention]:
    if left is None:
        return
    if left.type == "identifier":
        yield text_of(left), True
    elif left.type in _TARGETS:
        for child in left.named_children:
            yield from _targets(child)
    else:  # an item or an attribute: nothing but what it is of is read
        yield from mentions(left)


def _read(names: set[str]) -> Iterator[Mention]:
    return ((name, False) for name in sorted(names))


def _of(node: Node, field: str) -> Iterator[Mention]:
    child = node.child_by_field_name(field)
    if child is not None:
        yield from mentions(child)


def _below(node: Node, *but: str) -> Iterator[Mention]:
    left_out = [node.child_by_field_name(field) for field in but]
    for child in node.named_children:
        if child not in left_out:
            yield from mentions(child)
