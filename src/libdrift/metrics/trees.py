"""Syntax trees of any text: of broken code too, and of languages other than Python.

Only the first ``LIMIT`` bytes of a text are read: finding a way through a long text that is no
code takes time with the square of its length, and no answer worth a score is that long.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator

from tree_sitter import Language, Node, Parser, Tree

from libdrift.errors import UserError

LIMIT = 30_000
_MODULES = {
    "python": "tree_sitter_python",
    "java": "tree_sitter_java",
    "csharp": "tree_sitter_c_sharp",
    "c#": "tree_sitter_c_sharp",
    "javascript": "tree_sitter_javascript",
    "rust": "tree_sitter_rust",
}
# `u8` is a name like others to Rust; Java's and C#'s `int` are key words.
_NAMES = ("identifier", "identifier_pattern", "primitive_type")


class _Parsers(threading.local):
    """A parser keeps its state in itself, so each thread has its own."""

    def __init__(self) -> None:
        self.made: dict[str, Parser] = {}


_parsers = _Parsers()


def identifiers(code: str, language: str) -> list[str]:
    """The names in a text, in their order: not those in comments, strings or key words.

    Names inside the placeholders of a string (``f"{name}"``) count. Broken code has the names
    that the parser sees in it.
    """
    data = encoded(code.replace("\0", " "))
    if len(data) > LIMIT:
        # At a line's end, so that no name is cut in two.
        data = data[: data.rfind(b"\n", 0, LIMIT) if b"\n" in data[:LIMIT] else LIMIT]
    return [
        data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        for node in walk(root(data, language))
        if node.child_count == 0
        and node.type.endswith(_NAMES)
        and node.start_byte < node.end_byte  # a missing one, which the parser puts in
    ]


def parses(code: str, language: str) -> bool:
    """Whether a text is code of that language from end to end, up to ``LIMIT`` bytes."""
    data = encoded(code)
    return len(data) <= LIMIT and b"\0" not in data and not root(data, language).has_error


def root(code: bytes, language: str) -> Node:
    return tree(code, language).root_node


def tree(code: bytes, language: str, old: Tree | None = None) -> Tree:
    """The tree of a text, from an edited ``old`` one if there is one (that is much faster)."""
    parser = _parser(language)
    return parser.parse(code) if old is None else parser.parse(code, old)


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, each before its children: without a limit on depth."""
    cursor = node.walk()
    while (current := cursor.node) is not None:
        yield current
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def encoded(code: str) -> bytes:
    """As the parser reads it. Half characters, which no encoding has, become question marks."""
    return code.encode("utf-8", "replace")


def _parser(language: str) -> Parser:
    parser = _parsers.made.get(language)
    if parser is None:
        module = _MODULES.get(language.lower())
        if module is None:
            known = ", ".join(_MODULES)
            raise UserError(f"no parser for the language '{language}'", f"Use one of {known}")
        grammar = importlib.import_module(module)
        parser = _parsers.made[language] = Parser(Language(grammar.language()))
    return parser
