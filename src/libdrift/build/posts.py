"""A dump of Stack Overflow: answers whose code uses a package, read row by row.

``Posts.xml`` has a row a post, tens of millions of them: it is never held in memory. A dump has no
document type; one that declares entities is refused before it is read on, as they are how a small
file becomes a large one.
"""

from __future__ import annotations

import ast
import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from xml.parsers import expat

from libdrift.errors import UserError
from libdrift.languages.python.usage import all_imported, parsed

_QUESTION, _ANSWER = "1", "2"
_BEGIN = re.compile(r"<pre[^<>]*>\s*<code[^<>]*>", re.IGNORECASE)
_END = re.compile(r"</code>", re.IGNORECASE)
_CHUNK = 1 << 16
_LONGEST = 64 << 20  # bytes of one row: posts are a thousandth of it
_MOST = 40  # lines of a snippet
_MOST_SIGNS = 20_000  # and signs: a line may be as long as a row

# Why posts are passed over, as they are counted.
NO_ANSWER = "post: no answer"
NO_CODE = "post: no code that uses the package"
LOW = "post: scored too low"


@dataclass(frozen=True, slots=True)
class PostCode:
    """A block of code of an answer. Whether it was accepted is known once its question was read."""

    post: int
    question: int
    number: int  # of the block, in the answer
    code: str
    score: int
    date: date | None
    accepted: bool
    licence: str = ""


class PostReader:
    """The answers of a dump with code that imports one of some modules."""

    def __init__(self, path: Path, modules: frozenset[str], least_score: int = 0) -> None:
        self._path = path
        self._modules = modules
        self._least = least_score
        self._accepted: set[int] = set()  # answers that their questions name
        self.left_out: Counter[str] = Counter()

    def __iter__(self) -> Iterator[PostCode]:
        for row in rows(self._path):
            kind = row.get("PostTypeId")
            accepted = _number(row.get("AcceptedAnswerId", ""))
            if kind == _QUESTION and accepted:
                self._accepted.add(accepted)
            if kind != _ANSWER:
                self.left_out[NO_ANSWER] += 1
                continue
            yield from self._answer(row)

    def _answer(self, row: dict[str, str]) -> Iterator[PostCode]:
        score = _number(row.get("Score", ""))
        if score < self._least:
            self.left_out[LOW] += 1
            return
        post = _number(row.get("Id", ""))
        found = False
        for number, text in enumerate(_blocks(row.get("Body", ""))):
            code = html.unescape(text).strip("\n")
            if self._uses(code):
                found = True
                yield PostCode(
                    post,
                    _number(row.get("ParentId", "")),
                    number,
                    f"{code}\n",
                    score,
                    _day(row.get("CreationDate", "")),
                    # A question comes before its answers, in a dump that is sorted by number.
                    post in self._accepted,
                    row.get("ContentLicense", ""),
                )
        if not found:
            self.left_out[NO_CODE] += 1

    def _uses(self, code: str) -> bool:
        if len(code) > _MOST_SIGNS or code.count("\n") >= _MOST:
            return False
        if not any(module in code for module in self._modules):
            return False
        tree = parsed(code)
        if tree is None:
            return False
        names = {item.full.partition(".")[0] for item in all_imported(ast.walk(tree))}
        return bool(names & self._modules)


def rows(path: Path) -> Iterator[dict[str, str]]:
    """The attributes of each ``row`` of a dump."""
    waiting: list[dict[str, str]] = []
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            waiting.append(attributes)

    def refuse(*_: Any) -> None:  # noqa: ANN401  (expat's own)
        raise UserError(f"{path} declares a document type", "A Stack Overflow dump has none")

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        with path.open("rb") as file:
            silent = 0
            while chunk := file.read(_CHUNK):
                parser.Parse(chunk, False)  # noqa: FBT003  (expat takes no keywords)
                silent = 0 if waiting else silent + len(chunk)
                if silent > _LONGEST:
                    raise UserError(f"{path} has an unfinished row", "Name a Posts.xml")
                yield from waiting
                waiting.clear()
            parser.Parse(b"", True)  # noqa: FBT003
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", "Name a Posts.xml") from error
    except expat.ExpatError as error:
        raise UserError(f"{path} is not a dump of posts: {error}", "Name a Posts.xml") from error
    yield from waiting


def _blocks(body: str) -> Iterator[str]:
    """What stands in blocks of code; each sign is looked at once, however many have no end."""
    at = 0
    while (begin := _BEGIN.search(body, at)) and (end := _END.search(body, begin.end())):
        yield body[begin.end() : end.start()]
        at = end.end()


def _number(text: str) -> int:
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else 0


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
