"""Models' replies, read: a block of code, or a JSON object with certain texts in it."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Sequence
from typing import Any

from libdrift.build.recipes.steps import ReplyFault
from libdrift.execution import literals
from libdrift.languages.python.usage import parsed
from libdrift.metrics import trees
from libdrift.scoring import extract_code

_LONGEST = 60_000  # characters of a reply that is read


def python_code(reply: str) -> str | ReplyFault:
    """The program of a reply; it must parse."""
    code = extract_code(reply[:_LONGEST]).strip("\n")
    if not code.strip():
        return ReplyFault("the reply has no code")
    return trouble_of(code) or f"{code}\n"


def trouble_of(code: str) -> ReplyFault | None:
    """Why a text is no Python program, or none that could be worked on."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes: the code's own affair
            # Written out as well: what nests so deep that this fails would end all that follows.
            ast.unparse(ast.parse(code))
    except SyntaxError as error:
        return ReplyFault(f"the code does not parse: {error.msg} (line {error.lineno})")
    except (ValueError, RecursionError, MemoryError) as error:
        return ReplyFault(f"the code does not parse: {type(error).__name__}")
    return None


def rust_code(reply: str) -> str | ReplyFault:
    code = extract_code(reply[:_LONGEST], language="rust").strip("\n")
    if not code.strip():
        return ReplyFault("the reply has no code")
    if trees.root(trees.encoded(code), "rust").has_error:
        return ReplyFault("the code does not parse as Rust")
    return f"{code}\n"


def json_object(
    reply: str, texts: Sequence[str], lists: Sequence[str] = ()
) -> dict[str, Any] | ReplyFault:
    """The JSON object of a reply with all these keys: texts that say something, lists of texts."""
    found = [_whole(value) for value in _objects(reply[:_LONGEST]) if isinstance(value, dict)]
    if not found:
        return ReplyFault("the reply is not a JSON object")
    told = found[-1]
    for name in texts:
        if not isinstance(told.get(name), str) or not told[name].strip():
            return ReplyFault(f'the JSON object has no text "{name}"')
    for name in lists:
        value = told.get(name)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            return ReplyFault(f'the JSON object has no list of texts "{name}"')
    return told


def _whole(told: dict[str, Any]) -> dict[str, Any]:
    """Without halves of surrogate pairs, which JSON can write and no file takes."""
    return {
        name: [_plain(one) for one in value] if isinstance(value, list) else _plain(value)
        for name, value in told.items()
    }


def _plain(value: Any) -> Any:  # noqa: ANN401  (whatever JSON can hold)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _objects(reply: str) -> list[Any]:
    text = re.sub(r"\A\s*```\w*\n|\n```\s*\Z", "", reply)
    try:
        return [json.loads(text, strict=False)]
    except (ValueError, RecursionError):
        return [value for _, value in literals.values(reply)]


def last_function(code: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function that a program offers: the last one at its top level."""
    tree = parsed(code)
    body = tree.body if tree else []
    found = [node for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return found[-1] if found else None


def names_word(text: str, name: str) -> bool:
    """Whether a text has a name as a word of its own, in any case."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
