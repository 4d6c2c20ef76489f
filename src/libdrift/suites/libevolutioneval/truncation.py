"""Cutting code to what a model can read: the tokens nearest to the gap stay."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Literal

_TOKEN = re.compile(r"\w+|[^\w\s]")

Count = Callable[[str], int]


def count_tokens(text: str) -> int:
    """Names, numbers and signs. A model's own tokenizer has more of them."""
    return sum(1 for _ in _TOKEN.finditer(text))


def truncated(
    text: str, limit: int, count: Count = count_tokens, side: Literal["left", "right"] = "left"
) -> str:
    """``text`` with at most ``limit`` tokens, none cut in two.

    What is left of the gap keeps its end, what is right of it keeps its beginning. ``count`` says
    how many tokens a text has; it must not have more than a longer text around it.
    """
    if count(text) <= limit:
        return text
    spans = [match.span() for match in _TOKEN.finditer(text)]
    if side == "left":
        first = bisect_left(spans, 1, key=lambda span: count(text[span[0] :]) <= limit)
        return text[spans[first][0] :] if first < len(spans) else ""
    over = bisect_left(spans, 1, key=lambda span: count(text[: span[1]]) > limit)
    return text[: spans[over - 1][1]] if over else ""
