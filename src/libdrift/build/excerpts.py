"""The gap that a use leaves, at four levels.

*middle* hides the call in its line, *token* the API's name wherever it stands, *line* the line
with it, *block* the body of the function (or the few statements) around it, where the answer is
the whole block. The context is the class around the use, under the imports that it needs; without
one it is the file, up to the statement with the use where the gap is not in the middle.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from libdrift.build import masking
from libdrift.build.examples import summary
from libdrift.build.pages import (
    Excerpt,
    Page,
    characters,
    compiles,
    first_line,
    holding,
    names_in,
)
from libdrift.build.uses import CallUse

FILL = "<fill>"
MAX_CHARACTERS = 60_000  # of an excerpt
_MARKS = ("```", "<start>", "<end>")  # around answers, which lose them
_NEAR = 4  # lines behind the gap that models are shown
_Function = ast.FunctionDef | ast.AsyncFunctionDef

# Why a use is no task at some level, as it is counted.
LONG = "excerpt: over 60,000 characters"
BROKEN = "excerpt: does not compile"
MASKED = "excerpt: has a mask of its own"
MARKED = "excerpt: the answer has marks that answers are told by"
ROOTLESS = "middle: does not begin with its root"
OUTSIDE = "block: the use is not in its body"
UNDESCRIBED = "block: nothing says what it does"
NAMED = "block: its signature has the API's name"
ASKED = "block: asked for by an earlier use in it"


class Level(StrEnum):
    MIDDLE = "middle"
    TOKEN = "token"  # noqa: S105  (of code)
    LINE = "line"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Cut:
    """A use, taken out. ``starter`` with the reference in the place of ``mask`` is the excerpt."""

    starter: str
    reference: str
    mask: str
    line: str  # the reference's line with the API
    description: str
    near: str = ""


class Cutter:
    """Cuts uses out of one page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._excerpts: dict[tuple[object, ...], Excerpt | str] = {}
        self._blocks: set[ast.stmt] = set()  # first statements of those that were cut

    def cut(self, use: CallUse, aliases: Iterable[str], level: Level) -> Cut | str:
        """The gap of a use, or why there is none. ``aliases`` are the library's in this file.

        All uses in a block have the same prompt, so that each is cut only once.
        """
        cut = self._cut(use, aliases, level)
        if isinstance(cut, Cut) and any(mark in cut.reference for mark in _MARKS):
            return MARKED
        return cut

    def _cut(self, use: CallUse, aliases: Iterable[str], level: Level) -> Cut | str:
        if level is Level.BLOCK:
            return self._block(use, aliases)
        excerpt = self._surroundings(use, aliases, level)
        if isinstance(excerpt, str):
            return excerpt
        description = self._description(use)
        if level is Level.MIDDLE:
            return _middle(use, excerpt, description)
        at = use.name_line + excerpt.offset
        line = excerpt.code.split("\n")[at - 1].strip()
        masked = (
            masking.token_mask(excerpt.code, use.token)
            if level is Level.TOKEN
            else masking.line_mask(excerpt.code, at)
        )
        if masked.filled(masked.answer) != excerpt.code:
            return MASKED
        return Cut(masked.code, masked.answer, masked.mask, line, description)

    def _surroundings(self, use: CallUse, aliases: Iterable[str], level: Level) -> Excerpt | str:
        statement = self._page.statement(use.line)
        if isinstance(statement, ast.ClassDef):
            key: tuple[object, ...] = (statement, use.library)
            return self._kept(key, lambda: _compiled(self._page.alone([statement], aliases)))
        if level is Level.MIDDLE:
            return self._kept((), lambda: _usable(self._page.whole))
        return self._kept((statement,), lambda: self._until(statement))

    def _until(self, statement: ast.stmt) -> Excerpt | str:
        excerpt = self._page.until(statement)
        at = self._page.tree.body.index(statement)
        following = self._page.tree.body[at + 1 : at + 2]
        # The start of a file that compiles does so too, if it ends with a line of its own.
        shared = any(node.lineno == statement.end_lineno for node in following)
        return _compiled(excerpt) if shared else _usable(excerpt)

    def _kept(self, key: tuple[object, ...], make: Callable[[], Excerpt | str]) -> Excerpt | str:
        if key not in self._excerpts:
            self._excerpts[key] = make()
        return self._excerpts[key]

    # --- blocks

    def _block(self, use: CallUse, aliases: Iterable[str]) -> Cut | str:
        statement = self._page.statement(use.line)
        head = ""
        names: set[str] = set()
        nodes = _paragraph(self._page.tree.body, statement)
        if isinstance(statement, ast.ClassDef):
            first = first_line(statement.body[0])
            if first > use.line or first == statement.lineno:
                return OUTSIDE
            lines = self._page.lines[first_line(statement) - 1 : first - 1]
            head = "".join(f"{line}\n" for line in lines)
            names = names_in([*statement.bases, *statement.keywords, *statement.decorator_list])
            nodes = _paragraph(statement.body, holding(statement.body, use.line))
        if nodes[0] in self._blocks:
            return ASKED
        excerpt = self._kept(
            (nodes[0], use.library, "block"),
            lambda: _compiled(self._page.alone(nodes, _needed(nodes, names, aliases), head)),
        )
        if isinstance(excerpt, str):
            return excerpt
        hidden = _hidden(nodes)
        if hidden is None or not hidden[0] <= use.line <= hidden[1]:
            return OUTSIDE
        description = self._block_description(nodes, use, statement)
        if not description:
            return UNDESCRIBED
        if _tells(description, use.token):
            return NAMED
        first, last = (line + excerpt.offset for line in hidden)
        masked = masking.block_mask(excerpt.code, first, last)
        if masked.filled(masked.answer) != excerpt.code:
            return MASKED
        line = excerpt.code.split("\n")[use.name_line + excerpt.offset - 1].strip()
        self._blocks.add(nodes[0])
        # The answer is the whole code and not what is behind the mask: there is none to fill.
        return Cut(masked.code, excerpt.code, "", line, description)

    def _block_description(self, nodes: Sequence[ast.stmt], use: CallUse, around: ast.stmt) -> str:
        """What a block is for; a function's signature alone does not say it."""
        node = nodes[0]
        if not isinstance(node, _Function):
            return self._comments(first_line(node), nodes[-1].end_lineno or 0, use.token)
        holder = around if isinstance(around, ast.ClassDef) else None
        documented = (node, holder) if holder and node.name == "__init__" else (node,)
        said = [summary(ast.get_docstring(item) or "") for item in documented]
        said.append(self._comments(first_line(node), node.lineno, use.token))
        about = next((text for text in said if text and not _tells(text, use.token)), "")
        kind = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        owner = f" of class {holder.name}" if holder else ""
        written = f"{kind} {node.name}({ast.unparse(node.args)})"
        return f"Write `{written}`{owner}. {about}" if about else ""

    # --- descriptions

    def _description(self, use: CallUse) -> str:
        """What the nearest documented function or class is for, in words that do not tell."""
        body: Sequence[ast.stmt] = self._page.tree.body
        found = ""
        while True:
            node = holding(body, use.line)
            if (
                not isinstance(node, _Function | ast.ClassDef)
                or first_line(node.body[0]) > use.line
            ):
                break
            own = summary(ast.get_docstring(node) or "")
            found = own if own and not _tells(own, use.token) else found
            body = node.body
        first, last = first_line(node), node.lineno
        return found or self._comments(first, last, use.token)

    def _comments(self, first: int, last: int, token: str) -> str:
        """The words of the comments above and in some lines of the page."""
        numbers, comments = self._page.numbers, self._page.comments
        start = numbers[first - 1]
        while start - 1 in comments and start - 1 not in numbers:
            start -= 1
        found: list[str] = []
        goes_on = False
        for number in range(start, numbers[last - 1] + 1):
            words = comments.get(number, "").lstrip("#!: ").strip()
            if goes_on and words and number not in numbers:
                found[-1] += f" {words}"
            elif words:
                found.append(words)
            goes_on = bool(words) and number not in numbers
        return " ".join(text for text in found if _is_prose(text) and not _tells(text, token))


def _usable(excerpt: Excerpt) -> Excerpt | str:
    if len(excerpt.code) > MAX_CHARACTERS:
        return LONG
    has_mask = any(mask in excerpt.code for mask in (FILL, *masking.MASKS))
    return MASKED if has_mask else excerpt


def _compiled(excerpt: Excerpt) -> Excerpt | str:
    usable = _usable(excerpt)
    return usable if usable is not excerpt or compiles(excerpt.code) else BROKEN


def _needed(nodes: Sequence[ast.stmt], names: set[str], aliases: Iterable[str]) -> set[str]:
    """With the library's names where the block has none of them: its value is made elsewhere."""
    known = set(aliases)
    return names if known.intersection(names_in(nodes) | names) else names | known


def _middle(use: CallUse, excerpt: Excerpt, description: str) -> Cut | str:
    lines = excerpt.code.split("\n")
    first, last = use.line + excerpt.offset - 1, use.end_line + excerpt.offset - 1
    start = characters(lines[first], use.column)
    end = characters(lines[last], use.end_column)
    left = "\n".join([*lines[:first], lines[first][:start]])
    right = "\n".join([lines[last][end:], *lines[last + 1 :]])
    reference = excerpt.code[len(left) : len(excerpt.code) - len(right)]
    if not reference.startswith(use.root or use.token):
        return ROOTLESS  # it begins with a parenthesis
    line = reference.split("\n")[use.name_line - use.line].strip()
    near = "\n".join(right.split("\n")[: _NEAR + 1])
    return Cut(f"{left}{FILL}{right}", reference, FILL, line, description, near)


def _paragraph(body: Sequence[ast.stmt], statement: ast.stmt) -> list[ast.stmt]:
    """A definition alone; of other statements those that stand together without a blank line."""
    if not _is_plain(statement):
        return [statement]
    at = body.index(statement)
    first = last = at
    while first and _is_plain(body[first - 1]) and _touch(body[first - 1], body[first]):
        first -= 1
    while last + 1 < len(body) and _is_plain(body[last + 1]) and _touch(body[last], body[last + 1]):
        last += 1
    return list(body[first : last + 1])


def _is_plain(node: ast.stmt) -> bool:
    return not isinstance(node, _Function | ast.ClassDef | ast.Import | ast.ImportFrom)


def _touch(one: ast.stmt, other: ast.stmt) -> bool:
    return first_line(other) - (one.end_lineno or 0) <= 1


def _hidden(nodes: Sequence[ast.stmt]) -> tuple[int, int] | None:
    """The lines that a block's mask stands for: a function's signature and docstring stay."""
    node = nodes[0]
    last = nodes[-1].end_lineno or 0
    if not isinstance(node, _Function):
        return first_line(node), last
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    above = (node.body[0].end_lineno or 0) if body is not node.body else node.lineno
    first = first_line(body[0]) if body else 0
    return (first, last) if first > above else None


def _tells(text: str, token: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(token)}(?!\w)", text, re.IGNORECASE) is not None


_REMARK = re.compile(
    r"noqa|type:|pylint|pragma|fmt:|isort|mypy|ruff|flake8|nosec|todo|fixme", re.IGNORECASE
)
_WORDS = 4  # that a comment has at least, if it says something


def _is_prose(text: str) -> bool:
    """Some words, and neither a remark for a tool nor code that is out of use."""
    return (
        len(re.findall(r"[^\W\d_]{2,}", text)) >= _WORDS
        and not _REMARK.match(text)
        and re.search(r"[=(){}\[\]]|^import\b|^from\b", text) is None
    )
