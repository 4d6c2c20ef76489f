"""What a docstring says: in a few words what its symbol is for, and in code how it is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from inspect import cleandoc

from libdrift.languages.python.usage import parsed

_PROMPT = re.compile(r"[ \t]*>>>(?: (.*))?$")
_MORE = re.compile(r"[ \t]*\.\.\.(?: (.*))?$")
_DIRECTIVE = re.compile(r"[ ]*#\s*doctest:.*$")
_FENCE = re.compile(r"[ ]*(```+|~~~+)[ ]*(\w*)[^`]*$")
_PYTHON = {"", "python", "py", "python3", "pycon"}
# What code may be set under: a directive, or a paragraph that ends in two colons.
_OPENING = re.compile(
    r"([ ]*)(?:\.\. (?:code|code-block|sourcecode|plot|ipython)::[ ]*(\w*)|(?!\.\. ).*::)[ ]*$"
)
_OPTION = re.compile(r"[ ]*:[\w-]+:")
_SIGNATURE = re.compile(r"[\w.]+\(.*\)(?:\s*->.*)?", re.DOTALL)
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+])\1{2,}")
# `:meth:`~pkg.Class.method``, `:ref:`a title <target>``: as a page shows them.
_ROLE = re.compile(r":[a-z:+-]+:`(?:~(?:[\w.]*\.)?|!)?([^`<]*?)(?:\s*<[^`>]*>)?`")


def summary(doc: str) -> str:
    """The first paragraph that is prose, on one line; empty if a docstring has none.

    Before it may stand the signature, as compiled code is documented, and directives. Behind a
    section's title comes no summary.
    """
    for paragraph in re.split(r"\n\s*\n", _tidy(doc)):
        lines = paragraph.strip().splitlines()
        if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1].strip()):
            return ""
        text = " ".join(paragraph.split())
        if text and not text.startswith((".. ", ">>>")) and not _SIGNATURE.fullmatch(text):
            return re.sub(r"\s*::$", ":", _ROLE.sub(r"\1", text))
    return ""


def examples(doc: str) -> tuple[str, ...]:
    """The code of a docstring's examples, without prompts and outputs; only what compiles.

    What follows prompts is one example, however many paragraphs are between: they build on each
    other. A block that is fenced or indented is one on its own.
    """
    lines = _tidy(doc).splitlines()
    found = ["\n".join(_prompted(lines)), *_fenced(lines), *_indented(lines)]
    return tuple(dict.fromkeys(code for code in map(_trimmed, found) if code and _is_code(code)))


def _tidy(doc: str) -> str:
    """Without the indentation of the source, nor halves of surrogate pairs, which no file takes."""
    return cleandoc(doc.encode("utf-8", "replace").decode())


def _trimmed(code: str) -> str:
    return "\n".join(line.rstrip() for line in code.splitlines()).strip("\n")


def _is_code(code: str) -> bool:
    """Whether it is Python that does something: a word alone would parse as well."""
    tree = parsed(code)
    doing = (ast.Call, ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef, ast.ClassDef)
    return tree is not None and any(isinstance(node, doing) for node in ast.walk(tree))


def _prompted(lines: list[str]) -> Iterator[str]:
    inside = False
    for line in lines:
        match = _PROMPT.match(line) or (_MORE.match(line) if inside else None)
        inside = match is not None
        if match:
            yield _DIRECTIVE.sub("", match[1] or "")


def _fenced(lines: list[str]) -> Iterator[str]:
    block: list[str] = []
    fence, wanted = "", False
    for line in lines:
        match = _FENCE.match(line)
        if not fence and match:
            fence, block = match[1], []
            wanted = match[2].lower() in _PYTHON
        elif fence and line.strip() == fence:
            if wanted:
                yield _dedented(block)
            fence = ""
        else:
            block.append(line)


def _indented(lines: list[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        match = _OPENING.match(line)
        if not match or (match[2] or "").lower() not in _PYTHON:
            continue
        block: list[str] = []
        for inner in lines[at + 1 :]:
            if inner.strip() and len(inner) - len(inner.lstrip()) <= len(match[1]):
                break
            if block or (inner.strip() and not _OPTION.match(inner)):
                block.append(inner)
        yield _dedented(block)


def _dedented(block: list[str]) -> str:
    """A block as code; nothing where it has prompts, which are read elsewhere."""
    from textwrap import dedent

    return "" if any(_PROMPT.match(line) for line in block) else dedent("\n".join(block))
