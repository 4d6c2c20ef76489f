"""Examples in Rust's documentation, made into functions that tell what they find.

An example asserts what it shows. Here it becomes a function that returns the left side of every
assertion, as text, while the right sides stay with whoever judges it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from libdrift.metrics import trees

FUNCTION = "example"
_FENCE = re.compile(r"^\s*(```+|~~~+)\s*([^`]*)$")
_RUN = re.compile(r"rust|edition\d+|standalone\w*")  # words behind a fence that let code be run
_ASSERTS = {"assert", "assert_eq", "assert_ne"}
_ITEMS = tuple("struct enum union function const static trait type mod".split())
_OPERATOR = re.compile(r"[=<>&|]")  # what binds less than `!` does
_NAMES = ("seen", "shown", "gathered")
# Right sides whose text is what they show, which is as well: a bare `None` has no type.
_PLAIN = re.compile(
    r"(?:\b(?:None|Some|Ok|Err|true|false)\b|-?\b\d+\b|\"[^\"\\{}]*\"|[()\[\],\s])+"
)


@dataclass(frozen=True, slots=True)
class RustExample:
    """An example as a function's lines, and what each of its findings must be, as expressions."""

    lines: tuple[str, ...]
    expected: tuple[str, ...]
    uses: tuple[str, ...]  # `use` lines, which the expected expressions may need too


def blocks(doc: str) -> list[str]:
    """The examples of a documentation that can be run: its fenced blocks, hidden lines too."""
    return list(_fenced(doc.splitlines()))


def told(code: str) -> RustExample | str:
    """The example as a function that tells what it finds; or why it cannot be one."""
    if "fn main" in code or "#![" in code:
        return "its example is a program of its own"
    source = trees.encoded(f"fn {FUNCTION}() {{\n{code}\n}}\n")
    root = trees.root(source, "rust")
    function = root.named_child(0)
    body = function.child_by_field_name("body") if function is not None else None
    if root.has_error or body is None:
        return "its example is no Rust"
    names = {_text(node, source) for node in trees.walk(body) if node.type == "identifier"}
    keeper = next((name for name in _NAMES if name not in names), None)
    if keeper is None:
        return "its example has all names that are needed"
    own = _declared(body, source)
    edits: list[tuple[int, int, str]] = []
    expected: list[str] = []
    for call, statement in _assertions(body, source):
        pair = _sides(call, source, own)
        if pair is None:
            return "its example asserts in a way that is not understood"
        edits.append((statement.start_byte, statement.end_byte, _keep(keeper, pair[0])))
        expected.append(pair[1])
    if not expected:
        return "its example asserts nothing"
    text = _edited(source, edits, body)
    uses = [_text(node, source) for node in body.named_children if node.type == "use_declaration"]
    head = f"let mut {keeper}: Vec<String> = Vec::new();"
    lines = (head, *text.strip("\n").splitlines(), keeper)
    return RustExample(lines, tuple(expected), tuple(uses))


def program(found: RustExample) -> str:
    inner = "\n".join(f"    {line}".rstrip() for line in found.lines)
    return f"pub fn {FUNCTION}() -> Vec<String> {{\n{inner}\n}}\n"


def tests(found: RustExample) -> str:
    uses = "".join(f"        {line}\n" for line in found.uses)
    checks = "".join(
        f"        assert_eq!(seen[{at}], {value});\n" for at, value in enumerate(found.expected)
    )
    return (
        "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n"
        "    #[allow(unused_imports)]\n    fn finds_what_is_documented() {\n"
        f"{uses}        let seen = {FUNCTION}();\n"
        f"        assert_eq!(seen.len(), {len(found.expected)});\n{checks}    }}\n}}\n"
    )


def _fenced(lines: Sequence[str]) -> Iterator[str]:
    inside: list[str] | None = None
    mark, runs = "", False
    for line in lines:
        fence = _FENCE.match(line)
        if inside is None and fence:
            mark, words = fence[1], re.split(r"[\s,]+", fence[2].strip())
            runs = all(not word or _RUN.fullmatch(word) for word in words)
            inside = []
        elif inside is not None and fence and fence[1].startswith(mark) and not fence[2].strip():
            if runs:
                yield "\n".join(inside)
            inside = None
        elif inside is not None:
            inside.append(_unhidden(line))


def _unhidden(line: str) -> str:
    """A line that readers are not shown is code all the same."""
    stripped = line.lstrip()
    if stripped == "#":
        return ""
    return stripped[2:] if stripped.startswith("# ") else line


def _declared(body: Node, source: bytes) -> set[str]:
    """Names that the example itself brings in, which nobody else can write."""
    found: set[str] = set()
    for node in trees.walk(body):
        named = node.child_by_field_name("name")
        if node.type.removesuffix("_item") in _ITEMS and named is not None:
            found.add(_text(named, source))
        pattern = node.child_by_field_name("pattern")
        if node.type in {"let_declaration", "for_expression"} and pattern is not None:
            found |= {_text(one, source) for one in trees.walk(pattern) if one.type == "identifier"}
    return found


def _assertions(body: Node, source: bytes) -> Iterator[tuple[Node, Node]]:
    """Calls of assertions among the body's own statements, each with the whole statement."""
    for statement in body.named_children:
        call = statement
        if statement.type == "expression_statement":
            call = statement.named_child(0) or statement
        name = call.child_by_field_name("macro")
        if call.type == "macro_invocation" and name is not None and _text(name, source) in _ASSERTS:
            yield call, statement


def _sides(call: Node, source: bytes, own: set[str]) -> tuple[str, str] | None:
    """What an assertion looks at, and an expression for how that must look as text."""
    name = _text(call.child_by_field_name("macro") or call, source)
    tree = next((node for node in call.children if node.type == "token_tree"), None)
    if tree is None:
        return None
    sides = _split(tree, source)
    if name == "assert":
        sides = [*sides[:1], *(["x"] if sides else []), *sides[1:]]  # as if it had two
    if len(sides) < 2 or (len(sides) > 2 and not sides[2].startswith('"')):  # noqa: PLR2004
        return None
    left, right = sides[:2]
    if name == "assert":
        denied = left.startswith("!") and not _OPERATOR.search(left[1:])
        return (left[1:].strip(), '"false"') if denied else (left, '"true"')
    if name == "assert_ne":
        return f"{left} == {right}", '"false"'
    words = set(re.findall(r"[A-Za-z_]\w*", right))
    if words & own:
        return f"{left} == {right}", '"true"'
    if _PLAIN.fullmatch(right):
        shown = re.sub(r"\s*,\s*", ", ", " ".join(right.split())).replace(", )", ")")
        return left, f'r#"{shown.replace(", ]", "]")}"#'
    return left, f'format!("{{:?}}", {right})'


def _split(tree: Node, source: bytes) -> list[str]:
    """The arguments of a macro: what commas of its own brackets divide."""
    found, start = [], tree.start_byte + 1
    for node in tree.children[1:-1]:
        if node.type == ",":
            found.append(source[start : node.start_byte].decode().strip())
            start = node.end_byte
    found.append(source[start : tree.end_byte - 1].decode().strip())
    return [side for side in found if side]


def _keep(keeper: str, left: str) -> str:
    return f'{keeper}.push(format!("{{:?}}", {left}));'


def _edited(source: bytes, edits: Sequence[tuple[int, int, str]], body: Node) -> str:
    kept, at = [], body.start_byte + 1
    for start, end, text in edits:
        kept += [source[at:start].decode(), text]
        at = end
    rest = source[at : body.end_byte - 1].decode()
    return "".join([*kept, rest])


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode()
