"""Python's own functions written out, for Pythons that do not have them."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_HEAD = re.compile(r"^# ([a-z]\w*(?:\.\w+)+)\n", re.MULTILINE)


@cache
def known() -> dict[str, str]:
    """By path: a definition, whose name is the path with underscores and one before it."""
    text = resources.files(__package__).joinpath("equivalents.txt").read_text(encoding="utf-8")
    heads = list(_HEAD.finditer(text))
    ends = [*(match.start() for match in heads[1:]), len(text)]
    return {match[1]: text[match.end() : end] for match, end in zip(heads, ends, strict=True)}


def local_name(path: str) -> str:
    return "_" + path.replace(".", "_")
