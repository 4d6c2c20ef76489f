"""From what a model wrote to the answer in it.

VersiCode's prompts ask for an answer between ``<start>`` and ``<end>``. As ``released``, the answer
is what stands between the first of each, with every "```python" and "```" deleted and nothing
stripped, and without both tags it is the text ``no_answer``.

``fixed`` (the default) repairs what that loses. Of several pairs of tags the last with something
between them counts, as the first may be talk of the tags; a tag that is missing is the text's own
end. A fenced block, with any language's name, is taken for the answer, and of several the first; so
is what stands before a fence that only closes, and a text without tags and fences. A block's
opening fence stands at the start of a line. Line ends are ``\\n``; blank lines around the answer
go, and, of a single token, all blanks around it.
"""

from __future__ import annotations

import ast
import json
import re
import warnings

from libdrift.metrics.modes import Mode

NO_ANSWER = "no_answer"
_START, _END = "<start>", "<end>"
# A line of its own, with or without a language.
_FENCE = re.compile(r"^[^\S\n]*+(`{3,})[^\S\n]*+([\w+#.-]*+)[^\S\n]*+(?:\n|\Z)", re.MULTILINE)
# One that shares a line with the answer.
_INLINE = re.compile(r"`{3,}(?:(?:python|java|csharp|javascript)\b|c#)?", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")


def cleaned(output: str, mode: Mode = Mode.FIXED, *, token: bool = False) -> str:
    """The answer in a model's output; ``token`` says that a single name is wanted."""
    if mode is Mode.RELEASED:
        return _released(output)
    text = output.replace("\r\n", "\n").replace("\r", "\n")
    text = _unfenced(_between_tags(text))
    return text.strip() if token else _BLANK_LINES.sub("", text).rstrip()


def _between_tags(text: str) -> str:
    parts = text.split(_START)
    for part in reversed(parts[1:]):
        inner, end, _ = part.partition(_END)
        if end and inner.strip():
            return inner
    return (text.partition(_START)[2] if len(parts) > 1 else text).partition(_END)[0]


def _unfenced(text: str) -> str:
    """The first fenced block; without one the text itself, up to a fence that only closes."""
    fence = _FENCE.search(text)
    if fence is None:
        return _INLINE.sub("", text)
    before, behind = text[: fence.start()], text[fence.end() :]
    # A block may have shorter fences in it.
    closing = re.search("`" * len(fence[1]), behind)
    block = behind[: closing.start()] if closing else behind
    paired = closing is not None and not _opens(behind, closing.start())
    if not before.strip():
        return block
    # A fence alone closes what the prompt has opened, unless the text says that something comes.
    if block.strip() and (fence[2] or paired or before.rstrip().endswith(":")):
        return block
    return _INLINE.sub("", before)


def _opens(text: str, position: int) -> bool:
    """Whether the fence at a place has a language, so that it cannot be a block's end."""
    fence = _FENCE.match(text, text.rfind("\n", 0, position) + 1)
    return fence is not None and bool(fence[2])


def _released(output: str) -> str:
    if _START not in output or _END not in output:
        return NO_ANSWER
    # The first <end> of all: one before <start> leaves nothing.
    content = output[output.find(_START) + len(_START) : output.find(_END)]
    return content.replace("```python", "").replace("```", "")


def listed(text: str) -> list[str]:
    """The outputs in a published file's field: the ``repr`` of a list of texts, or that in JSON.

    ``ValueError`` says what is wrong with anything else.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        try:
            found = _literal(text)
        # Deep nesting ends in the last two; a null character is a ValueError in some versions.
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise ValueError("not a list of outputs, as Python or JSON writes it") from None
    items = found if isinstance(found, list) else None
    if items is None or not all(isinstance(item, str) for item in items):
        raise ValueError("the outputs are not a list of texts")
    return items


def _literal(text: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes that only the model's text has
        return ast.literal_eval(text.strip())
