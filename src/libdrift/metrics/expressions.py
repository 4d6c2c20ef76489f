"""From a model's text to the one API expression in it (LibEvolutionEval's post-processing).

A model goes on writing behind the expression that it was asked for. Before two answers are
compared the text is narrowed to the first API call, or cut behind the first statement, and its
comments are deleted.

``fixed`` (the default of libdrift). An alias is a whole name, places are counted in characters,
and the call itself is taken from wherever it stands in a statement. A statement ends where its
logical line ends, whatever stands before it. Comments are those of Python.

``released`` gives what the authors' released program gives, with its defects: an alias is any
start of a statement (``torch`` finds ``torchvision``); places in bytes are used on characters, so
a letter beyond ASCII moves the cut; a call behind ``x =`` is not seen; where the prompt does not
parse nothing is cut; ``//`` and a ``#`` inside a string start a comment. It reads the tree that
tree-sitter's Python grammar gives, and the published numbers were made with version 0.23 of it.

Both read only the start of a text that is far longer than an answer (``trees.LIMIT`` bytes and
``_PLACES`` lines).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node, Tree

from libdrift.metrics import trees

_PLACES = 4096  # line ends that are tried
_LEXEME = re.compile(
    r'''
      (?P<string> """ (?: [^"\\] | \\. | "(?!"") )*+ (?: """ | \Z )
                | \'\'\' (?: [^'\\] | \\. | '(?!\'\') )*+ (?: \'\'\' | \Z )
                | " (?: [^"\\\n] | \\. )*+ "?
                | ' (?: [^'\\\n] | \\. )*+ '? )
    | (?P<comment> \#[^\n]*+ )
    | (?P<open> [(\[{] )
    | (?P<close> [)\]}] )
    | (?P<joined> \\\r?\n )
    | (?P<end> \n )
    ''',
    re.VERBOSE | re.DOTALL,
)


def api_call(code: str, aliases: Sequence[str]) -> tuple[bool, str]:
    """The first call that starts with an alias, as ``plt`` in ``x = plt.figure()``, and all of it.

    What follows in one chain belongs to it: ``plt.figure().add_subplot()`` is one expression.
    Without such a call: false, and the text as it is.
    """
    data = trees.encoded(code)[: trees.LIMIT]
    wanted = {trees.encoded(alias) for alias in aliases}
    tried = -1
    for node in trees.walk(trees.root(data, "python")):
        # Calls in one chain begin at one place, with one name.
        if node.type == "call" and node.start_byte != tried:
            tried = node.start_byte
            first = _first_leaf(node)
            if first.type == "identifier" and data[tried : first.end_byte] in wanted:
                return True, data[tried : node.end_byte].decode("utf-8", "replace")
    return False, code


def truncated(prompt: str, completion: str) -> str:
    """The completion up to the end of its first statement; all of it if that does not end.

    A line end inside brackets (the prompt's too), in a string, or behind a backslash does not end
    a statement, and blank lines before it do not count.
    """
    depth = _open_brackets(prompt)
    for lexeme in _LEXEME.finditer(completion, 0, trees.LIMIT):
        depth = _depth(depth, lexeme)
        if lexeme.lastgroup == "end" and depth == 0:
            statement = completion[: lexeme.start()]
            if statement.strip():
                return statement.rstrip()
    return completion


def without_comments(code: str) -> str:
    """The text without Python's comments; line ends and blanks before a comment stay."""
    return _LEXEME.sub(_unless_comment, code) if "#" in code else code


def released_api_call(code: str, imports: Sequence[str]) -> tuple[bool, str]:
    """As released: the first expression statement that starts with the letters of an alias."""
    data = _utf8(code)
    if data is None:
        return False, code
    aliases = tuple(imports)
    for node in trees.walk(trees.root(data[: trees.LIMIT], "python")):
        if node.type == "expression_statement":
            # Bytes, on purpose: that is what the released program does.
            text = code[node.start_byte : node.end_byte]
            if text and text.startswith(aliases):
                return True, text
    return False, code


def released_truncated(prompt: str, completion: str) -> str:
    """As released: up to the first line end before which prompt and completion parse together.

    To parse is to have no ``ERROR`` node; a missing piece that the parser puts in is no error.
    """
    data = _utf8(prompt + completion[: trees.LIMIT])
    if data is None:
        return completion
    known = len(prompt.encode())
    for place, tree in _growing(data, _line_ends(data, known)):
        if not _has_error(tree.root_node):
            return data[known:place].decode().rstrip()
    return completion


def released_without_comments(code: str) -> str:
    """As released: whatever follows ``#``, then whatever follows ``//``, on each line."""
    return re.sub(r"//.*", "", re.sub(r"#.*", "", code))


def _first_leaf(node: Node) -> Node:
    while node.child_count:
        node = node.children[0]
    return node


def _open_brackets(prompt: str) -> int:
    depth = 0
    for lexeme in _LEXEME.finditer(prompt):
        depth = _depth(depth, lexeme)
    return depth


def _depth(depth: int, lexeme: re.Match[str]) -> int:
    if lexeme.lastgroup == "open":
        return depth + 1
    # A bracket too many closes nothing.
    return max(0, depth - 1) if lexeme.lastgroup == "close" else depth


def _unless_comment(lexeme: re.Match[str]) -> str:
    return "" if lexeme.lastgroup == "comment" else lexeme[0]


def _utf8(text: str) -> bytes | None:
    """``None`` for half characters, on which the released program gives up."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def _line_ends(data: bytes, start: int) -> Iterator[int]:
    """Where line ends stand behind ``start``; not right there, since nothing is before it."""
    place = start
    for _ in range(_PLACES):
        place = data.find(b"\n", place + 1)
        if place < 0:
            return
        yield place


def _growing(data: bytes, places: Iterator[int]) -> Iterator[tuple[int, Tree]]:
    """The tree of the text up to each place. Each is made from the one before: ten times faster."""
    old: Tree | None = None
    end, point = 0, (0, 0)
    for place in places:
        text = data[:place]
        next_point = (text.count(b"\n"), place - text.rfind(b"\n") - 1)
        if old is not None:
            old.edit(end, end, place, point, point, next_point)
        old = trees.tree(text, "python", old)
        end, point = place, next_point
        yield place, old


def _has_error(node: Node) -> bool:
    todo = [node]
    while todo:
        node = todo.pop()
        if node.is_error:
            return True
        # `has_error` also tells of missing pieces below, which are allowed.
        todo += [child for child in node.children if child.has_error]
    return False
