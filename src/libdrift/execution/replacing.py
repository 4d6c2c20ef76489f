"""An answer's function in place of a script's own, and nothing else of the script changed.

A script has a part that drives: the statements that make the test data, call the function and
print. Of an answer is kept what a module is made of: imports, definitions, the values that its
definitions read, and what sets a library up (``tf.disable_v2_behavior()``). The rest (its own
examples, prints, ``if __name__ == "__main__"``) would mix with what the script prints, and goes.
So does whatever would give another meaning to a name that the driving part reads, but for what was
imported: to have another module under the script's alias is how code is migrated.

Read with a grammar that knows Python 2 as well as 3, so that both may be any Python's.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from libdrift.metrics import trees

_DEFINITIONS = ("function_definition", "class_definition")
_IMPORTS = ("import_statement", "import_from_statement", "future_import_statement")
_BLOCKS = ("if_statement", "try_statement", "with_statement")
_CODING = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")
_UTF_8 = "# -*- coding: utf-8 -*-\n"


class Unfit(Exception):  # noqa: N818  (a finding about an answer, not a fault)
    """The answer cannot be put into the script; says why, in one line."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement at the top level of a text."""

    node: Node
    text: str

    @property
    def kind(self) -> str:
        return _core(self.node).type

    @property
    def binds(self) -> set[str]:
        """The names that a definition or an assignment gives a meaning to."""
        return _bound(self.node)

    @property
    def reads(self) -> set[str]:
        return {_text(n) for n in trees.walk(self.node) if n.type == "identifier"}

    @property
    def drives(self) -> bool:
        """Whether a statement of a script is neither import nor definition."""
        return self.kind not in (*_DEFINITIONS, *_IMPORTS, "comment")


def put(answer: str, script: str) -> str:
    """The script with the answer's definition of the function that it tests.

    Raises ``Unfit`` if the answer does not parse, or has no such function.
    """
    own = _statements(script)
    name = _tested(own)
    if not name:
        raise Unfit("the script calls no function of its own")
    given = textwrap.dedent(answer.replace("\r\n", "\n").replace("\0", ""))
    trouble = _syntax_error(given)
    if trouble:
        raise Unfit(f"the answer does not parse: {trouble}")
    parts = _statements(given)
    if not any(name in part.binds for part in parts):
        raise Unfit(f"the answer does not define {name}")
    early, kept = _kept(parts, name, driven=_driven(own))
    return _joined(own, name, early, kept, coding=_coding(given) or _coding(script))


def tested_function(script: str) -> str:
    """The function that a script tests; empty where it calls none of its own."""
    return _tested(_statements(script))


def imports_of(script: str) -> str:
    """What a script imports, alone: no answer to it is done sooner than this."""
    return "".join(f"{item.text}\n" for item in _statements(script) if item.kind in _IMPORTS)


def case_count(script: str) -> int:
    """How many cases a script has: the length of the last list that it assigns; else 0."""
    count = 0
    for statement in _statements(script):
        core = _core(statement.node)
        value = core.child_by_field_name("right") if core.type == "assignment" else None
        if value is not None and value.type in ("list", "tuple"):
            count = sum(1 for child in value.named_children if child.type != "comment")
    return count


def _tested(own: list[_Statement]) -> str:
    """Of the functions that the driving part names, the last defined: helpers come before."""
    driven = _driven(own)
    names = [
        name
        for statement in own
        if statement.kind == "function_definition"
        for name in statement.binds & driven
    ]
    return names[-1] if names else ""


def _driven(own: list[_Statement]) -> set[str]:
    return {name for statement in own if statement.drives for name in statement.reads}


def _kept(
    parts: list[_Statement], name: str, driven: set[str]
) -> tuple[list[_Statement], list[_Statement]]:
    """What of an answer is used: what must open the file, and what takes the function's place."""
    imported = {n for part in parts if part.kind in _IMPORTS for n in part.reads}
    read = {
        word
        for part in parts
        if part.kind in (*_DEFINITIONS, *_BLOCKS) or name in part.binds
        for word in part.reads
    }
    early, kept = [], []
    for part in parts:
        if part.kind == "future_import_statement":
            early.append(part)
        elif part.binds & (driven - {name} - imported):
            continue
        elif _belongs(part.node, read | {name}, imported):
            kept.append(part)
    return early, kept


def _belongs(node: Node, read: set[str], imported: set[str]) -> bool:
    """Whether a statement is a part of a module, not of a program that uses it."""
    core = _core(node)
    if core.type in (*_DEFINITIONS, *_IMPORTS, "type_alias_statement", "pass_statement"):
        return True
    if core.type in ("assignment", "augmented_assignment"):
        return bool(_bound(node) & read) or _root(core.child_by_field_name("left")) in imported
    if core.type == "call":
        return _root(core.child_by_field_name("function")) in imported
    if core.type in _BLOCKS:
        inner = list(_inner(core))
        return bool(inner) and all(_belongs(child, read, imported) for child in inner)
    return False


def _inner(block: Node) -> Iterator[Node]:
    """The statements of an ``if``, ``try`` or ``with``, of all its branches."""
    for child in block.named_children:
        if child.type == "block":
            yield from (item for item in child.named_children if item.type != "comment")
        elif child.type.endswith(("_clause", "_block")):
            yield from _inner(child)


def _joined(
    own: list[_Statement],
    name: str,
    early: list[_Statement],
    kept: list[_Statement],
    *,
    coding: bool,
) -> str:
    lines = [item.text for item in own if item.kind == "future_import_statement"]
    lines = [*(item.text for item in early), *lines]
    placed = False
    for item in own:
        if item.kind == "future_import_statement":
            continue
        if item.kind == "function_definition" and name in item.binds:
            if not placed:
                lines += [part.text for part in kept]
            placed = True
        else:
            lines.append(item.text)
    return (_UTF_8 if coding else "") + "\n".join(lines) + "\n"


def _statements(text: str) -> list[_Statement]:
    """The statements at the top level, each with its whole lines, or its part of a shared one."""
    data = trees.encoded(text.replace("\r\n", "\n"))
    return [
        _Statement(node, data[node.start_byte : node.end_byte].decode("utf-8", "replace"))
        for node in trees.root(data, "python").children
        if node.is_named
    ]


def _core(node: Node) -> Node:
    """What a statement is about: without decorators, and the expression of a bare one."""
    if node.type == "decorated_definition":
        return node.child_by_field_name("definition") or node
    if node.type == "expression_statement" and node.named_child_count == 1:
        return node.named_children[0]
    return node


def _bound(node: Node) -> set[str]:
    core = _core(node)
    if core.type in _DEFINITIONS:
        named = core.child_by_field_name("name")
        return {_text(named)} if named is not None else set()
    if core.type in ("assignment", "augmented_assignment"):
        left = core.child_by_field_name("left")
        found = set() if left is None else {_text(n) for n in _targets(left)}
        right = core.child_by_field_name("right")
        # `a = b = 1` is an assignment within an assignment.
        return found | (_bound(right) if right is not None else set())
    if core.type in _BLOCKS:
        return {name for child in _inner(core) for name in _bound(child)}
    return set()


def _targets(left: Node) -> Iterator[Node]:
    if left.type == "identifier":
        yield left
    elif left.type in ("pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"):
        for child in left.named_children:
            yield from _targets(child)


def _root(node: Node | None) -> str:
    """Of `a`, `a.b().c` or `a.b[1]` the `a`; empty for what starts with no name."""
    inner = {"attribute": "object", "call": "function", "subscript": "value"}
    while node is not None and node.type in inner:
        node = node.child_by_field_name(inner[node.type])
    return _text(node) if node is not None and node.type == "identifier" else ""


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _syntax_error(code: str) -> str:
    """Why a text is no Python, 2 or 3; empty if it is. The interpreter has the last word."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape is the answer's own affair
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if not trees.root(trees.encoded(code), "python").has_error:
            return ""
        if isinstance(error, SyntaxError) and error.lineno:
            return f"line {error.lineno}: {error.msg}"
        return str(error) or type(error).__name__
    return ""


def _coding(text: str) -> bool:
    """Whether its first lines say how it is encoded: Python 2 asks for that beyond ASCII."""
    return any(_CODING.match(line) for line in text.split("\n")[:2])
