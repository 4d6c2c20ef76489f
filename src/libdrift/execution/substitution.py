"""An answer's function in place of a script's own, and nothing else of the script changed.

A script has a part that drives: the statements that make the test data, call the function and
print. Of an answer is kept what a module is made of: imports, definitions, the values that its
definitions read, and what sets these or a library up (``tf.disable_v2_behavior()``, ``_patch()``,
``_cache["key"] = 1``), be it in an ``if``, ``for`` or ``try``. The rest (its own examples, prints,
``if __name__ == "__main__"``) would mix with what the script prints, and goes. So does whatever
would give another meaning to a name that the driving part reads before it binds it itself, but for
what was imported: to have another module under the script's alias is how code is migrated.

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

from libdrift.execution import scopes
from libdrift.metrics import trees

_DEFINITIONS = ("function_definition", "class_definition")
_BLOCKS = ("if_statement", "for_statement", "while_statement", "try_statement", "with_statement")
_PRINT = "print"
_SETTERS = ("setattr", "delattr")
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
        """The names of the module that it gives a meaning to."""
        return scopes.names_bound(self.node)

    @property
    def reads(self) -> set[str]:
        return scopes.names_read(self.node)

    @property
    def drives(self) -> bool:
        """Whether a statement of a script is neither import nor definition."""
        return self.kind not in (*_DEFINITIONS, *scopes.IMPORTS, "comment")


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
    try:
        return _put(given, own, name, coding=_coding(given) or _coding(script))
    except RecursionError:
        raise Unfit("the answer does not parse: it is nested too deeply") from None


def _put(given: str, own: list[_Statement], name: str, *, coding: bool) -> str:
    parts = _statements(given)
    if not any(name in part.binds for part in parts if part.kind not in scopes.IMPORTS):
        raise Unfit(f"the answer does not define {name}")
    early, kept = _kept(parts, name, own)
    return _joined(own, name, early, kept, coding=coding)


def imports_of(script: str) -> str:
    """What a script imports, alone: no answer to it is done sooner than this."""
    return "".join(f"{item.text}\n" for item in _statements(script) if item.kind in scopes.IMPORTS)


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
    parts: list[_Statement], name: str, own: list[_Statement]
) -> tuple[list[_Statement], list[_Statement]]:
    """What of an answer is used: what must open the file, and what takes the function's place."""
    imported = {word for part in parts for word in _imported(part.node)}
    protected = _protected(own) - {name} - imported
    module = _Module(
        read={name},
        roots=imported | {word for item in own for word in _imported(item.node)},
        examples=_reaching(parts, {name}),
        loud=_reaching(parts, {name, _PRINT}),
    )
    early = [part for part in parts if part.kind == "future_import_statement"]
    left = [part for part in parts if part not in early and not part.binds & protected]
    kept: list[_Statement] = []
    while found := [part for part in left if _belongs(part.node, module)]:
        # What is kept reads more, and more may be done to it.
        kept += found
        left = [part for part in left if part not in found]
        module.read |= {word for part in found for word in part.reads}
        module.roots |= {word for part in found for word in part.binds}
    return early, sorted(kept, key=lambda part: part.node.start_byte)


@dataclass(slots=True)
class _Module:
    """What is known of an answer's module."""

    read: set[str]  # names that what is kept of it reads
    roots: set[str]  # names that are imported, or are those of what is kept
    examples: set[str]  # what runs the function that is tested
    loud: set[str]  # what prints, or runs it


def _protected(own: list[_Statement]) -> set[str]:
    """What the driving part of a script reads before it has given it a meaning itself."""
    first: dict[str, bool] = {}
    for item in own:
        if item.drives:
            for word, binds in scopes.mentions(item.node):
                first.setdefault(word, binds)
    return {word for word, binds in first.items() if not binds}


def _imported(node: Node) -> Iterator[str]:
    """The names of imports, also those in the blocks of the top level."""
    if node.type in scopes.IMPORTS:
        yield from scopes.imported(node)
    elif node.type in _BLOCKS:
        for child in _inner(node):
            yield from _imported(child)


def _reaching(parts: list[_Statement], goals: set[str]) -> set[str]:
    """Names of definitions that come to one of the goals, with the goals."""
    found = set(goals)
    left = [part for part in parts if part.kind in _DEFINITIONS]
    while more := [part for part in left if _uses(part) & found]:
        found |= {word for part in more for word in part.binds}
        left = [part for part in left if part not in more]
    return found


def _uses(part: _Statement) -> set[str]:
    printing = any(node.type == "print_statement" for node in trees.walk(part.node))
    return part.reads | ({_PRINT} if printing else set())


def _belongs(node: Node, module: _Module) -> bool:
    """Whether a statement is a part of a module, not of a program that uses it."""
    core = _core(node)
    if core.type in (*_DEFINITIONS, *scopes.IMPORTS, "type_alias_statement"):
        return True
    if _calls(core) & module.examples:
        return False
    if core.type in ("assignment", "augmented_assignment"):
        # `a = b.c = 1` is an assignment within an assignment.
        bound = scopes.names_bound(core) & module.read
        return bool(bound) or _root(core.child_by_field_name("left")) in module.roots
    if core.type == "call":
        return _sets_up(core, module)
    if core.type in _BLOCKS:
        if "__name__" in scopes.names_read(core):
            return False
        inner = [child for child in _inner(core) if child.type != "pass_statement"]
        return bool(inner) and all(_belongs(child, module) for child in inner)
    return False


def _sets_up(call: Node, module: _Module) -> bool:
    """Whether a call is one of something imported or kept, and does not print."""
    called = call.child_by_field_name("function")
    if called is not None and called.type == "identifier" and scopes.text_of(called) in _SETTERS:
        given = call.child_by_field_name("arguments")
        called = given.named_children[0] if given is not None and given.named_children else None
    return _root(called) in module.roots and not _calls(call) & module.loud


def _calls(node: Node) -> set[str]:
    """What is called when a statement runs: not what is within a function."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.type == "call":
            found.add(_root(current.child_by_field_name("function")))
        if current.type not in ("lambda", "function_definition"):
            waiting += current.named_children
    return found


def _inner(block: Node) -> Iterator[Node]:
    """The statements of an ``if``, ``for``, ``try`` or the like, of all its branches."""
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


def _root(node: Node | None) -> str:
    """Of `a`, `a.b().c` or `a.b[1]` the `a`; empty for what starts with no name."""
    inner = {"attribute": "object", "call": "function", "subscript": "value"}
    while node is not None and node.type in inner:
        node = node.child_by_field_name(inner[node.type])
    return scopes.text_of(node) if node is not None and node.type == "identifier" else ""


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
