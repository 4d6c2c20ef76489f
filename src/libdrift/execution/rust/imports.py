"""Imports that an answer and its tests both write, which in one file is an error.

Many tests repeat an import of the answer's (`use std::collections::HashMap;`), since they were
written for themselves. The compiler refuses the second one. It is left out where the answer
imports the same path by the same name, at its top and without conditions: then both mean the same
thing. Another path by the same name stays, and is the error that it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from libdrift.execution.rust.syntax import SyntaxItem, items, text

_STD = re.compile(r"^(?:::)?(?:core|alloc|std)::")  # what is in one of them is the same in all

_Leaf = tuple[str, str]  # a path, and the name that it is known by here


def without_repeated(tests: str, answer: str) -> str:
    """The tests without the imports that the answer has already; lines stay where they are."""
    if "use" not in answer or "use" not in tests:
        return tests
    theirs = {leaf for _, leaves in _uses(answer) for leaf in leaves}
    kept = tests
    for use, leaves in reversed(list(_uses(tests))):
        left = [leaf for leaf in leaves if leaf not in theirs]
        if len(left) < len(leaves):
            lines = tests[use.start : use.end].count("\n")
            some = " ".join(f"use {path} as {name};" for path, name in left)
            kept = kept[: use.start] + some + "\n" * lines + kept[use.end :]
    return kept


def _uses(source: str) -> Iterator[tuple[SyntaxItem, tuple[_Leaf, ...]]]:
    """The imports at the top level of a file that are there in any case."""
    for item in items(source):
        argument = item.node.child_by_field_name("argument")
        if item.node.type == "use_declaration" and argument and not item.is_conditional:
            yield item, tuple(_leaves(argument, ""))


def _leaves(node: Node, prefix: str) -> Iterator[_Leaf]:
    """What stands for many names (`*`), or for none (`as _`), clashes with nothing."""
    group = node if node.type == "use_list" else node.child_by_field_name("list")
    longer = node.type in ("scoped_use_list", "use_as_clause")
    path = prefix + "".join(text(node.child_by_field_name("path") if longer else node).split())
    if group:
        for part in group.named_children:
            yield from _leaves(part, prefix if group is node else f"{path}::")
    elif node.type not in ("use_wildcard", "line_comment", "block_comment"):
        alias = text(node.child_by_field_name("alias"))
        path = _STD.sub("std::", path.removesuffix("::self"))
        if alias != "_":
            yield path, alias or path.rpartition("::")[2]
