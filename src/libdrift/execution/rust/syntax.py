"""Rust's text as a tree, by tree-sitter: items, with the attributes before them.

What a text reaches for is read from its tokens (``lexing``), not from here. A tree knows nothing
of what is in a macro's brackets: in ``vec![{ impl PartialEq for A {…} 3 }]`` it has no `impl`, and
in ``assert_eq!(f(3), 9)`` no operands. And of a text that it cannot read it has only parts, where
tokens have every word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from libdrift.execution.rust.lexing import tokens
from libdrift.metrics import trees

_COMMENTS = frozenset({"line_comment", "block_comment"})
_CONDITIONS = frozenset({"cfg", "cfg_attr"})


@dataclass(frozen=True, slots=True)
class SyntaxItem:
    """A part of a file, a module or a block. Places are those of characters."""

    source: str
    node: Node
    before: tuple[Node, ...]  # attributes

    @property
    def start(self) -> int:
        """Of its first attribute."""
        return self._place((*self.before, self.node)[0].start_byte)

    @property
    def head(self) -> int:
        """Of itself."""
        return self._place(self.node.start_byte)

    @property
    def end(self) -> int:
        return self._place(self.node.end_byte)

    @property
    def body(self) -> tuple[int, int] | None:
        """Where its braces open, and behind where they close."""
        found = self.node.child_by_field_name("body")
        return found and (self._place(found.start_byte), self._place(found.end_byte))

    @property
    def name(self) -> str:
        return text(self.node.child_by_field_name("name"))

    @property
    def attributes(self) -> list[list[str]]:
        """The words of each."""
        return [
            [token.text for token in tokens(text(one)) if token.kind == "word"]
            for one in self.before
        ]

    @property
    def is_test(self) -> bool:
        """`#[test]`, or `#[tokio::test]`."""
        return any(
            "test" in words[:1] or ("test" in words[1:2] and words[0] not in _CONDITIONS)
            for words in self.attributes
        )

    @property
    def is_conditional(self) -> bool:
        return any(_CONDITIONS.intersection(words[:1]) for words in self.attributes)

    def inner(self) -> list[SyntaxItem]:
        """Those of a module."""
        return _items(self.source, self.node.child_by_field_name("body"))

    def _place(self, byte: int) -> int:
        if self.source.isascii():
            return byte
        return len(trees.encoded(self.source)[:byte].decode())


def text(node: Node | None) -> str:
    return (node.text or b"").decode() if node else ""


@lru_cache(maxsize=4096)
def parses(source: str) -> bool:
    """Whether a text is Rust from end to end."""
    return trees.parses(source, "rust")


def items(source: str) -> list[SyntaxItem]:
    """The items of a file; of a text that is not Rust, what looks like one."""
    data = trees.encoded(source)
    return _items(source, trees.root(data, "rust")) if len(data) <= trees.LIMIT else []


def all_items(source: str) -> Iterator[SyntaxItem]:
    """Those within others too, each before its own; statements and expressions are among them."""
    left = items(source)[::-1]
    while left:
        yield (item := left.pop())
        left += _items(source, item.node)[::-1]


def _items(source: str, parent: Node | None) -> list[SyntaxItem]:
    found: list[SyntaxItem] = []
    held: list[Node] = []
    for child in parent.children if parent else ():
        if child.type == "attribute_item":
            held.append(child)
        elif child.type not in _COMMENTS:
            found.append(SyntaxItem(source, child, tuple(held)))
            held = []
    return found
