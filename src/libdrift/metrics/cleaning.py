"""From what a model wrote to the answer in it.

VersiCode's prompts ask for an answer between ``<start>`` and ``<end>``. As ``released``, the answer
is what stands between the first of each, with every "```python" and "```" deleted and nothing
stripped, and without both tags it is the text ``no_answer``.

``fixed`` (the default) repairs what that loses: a tag that is missing is the text's own end; the
``<end>`` that counts is the first behind ``<start>``; a fenced block, with any language's name, is
taken for the answer, and so is a text without tags and fences; line ends are ``\\n``; blank lines
around the answer go, and, of a single token, all blanks around it.
"""

from __future__ import annotations

import ast
import json
import re
import warnings

from libdrift.metrics.modes import Mode

NO_ANSWER = "no_answer"
_START, _END = "<start>", "<end>"
_FENCED = re.compile(r"```[\w+#.-]*[^\S\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
# Fences that share a line with the answer.
_FENCE = re.compile(r"```(?:(?:python|java|csharp|javascript)\b|c#)?", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")


def cleaned(output: str, mode: Mode = Mode.FIXED, *, token: bool = False) -> str:
    """The answer in a model's output; ``token`` says that a single name is wanted."""
    if mode is Mode.RELEASED:
        return _released(output)
    text = output.replace("\r\n", "\n").replace("\r", "\n")
    text = text.partition(_START)[2] if _START in text else text
    text = text.partition(_END)[0]
    fenced = _FENCED.search(text)
    text = fenced[1] if fenced else _FENCE.sub("", text)
    return text.strip() if token else _BLANK_LINES.sub("", text).rstrip()


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
