"""Code with something taken out: a name, a line or a block of lines; and prose without a name.

A mask of a token stands at every occurrence of the name, that of a line or a block once, behind
the first line's indentation. Filling a mask with what it hides gives the code back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TOKEN = "<token_mask>"  # noqa: S105  (of code, not of a login)
LINE = "<line_mask>"
BLOCK = "<block_mask>"
HIDDEN = "[API_NAME]"  # in prose
MASKS = (TOKEN, LINE, BLOCK)

# As Python counts lines: a form feed or the like ends none.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_WORD = re.compile(r"\w+")
_PARTS = re.compile(r"([ \t\f]*)(.*?)(\s*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Masked:
    code: str
    answer: str  # what is hidden
    mask: str

    def filled(self, answer: str) -> str:
        """The code with an answer in every place of the mask."""
        return self.code.replace(self.mask, answer)


def token_mask(code: str, token: str) -> Masked:
    """Every occurrence of a name as a whole; within a longer name it stays."""
    _refuse_masks(code)
    pattern = rf"(?<!\w){re.escape(token)}(?!\w)"
    return Masked(re.sub(pattern, TOKEN, code) if token else code, token, TOKEN)


def line_mask(code: str, number: int) -> Masked:
    """One line, by its number from 1 on; its indentation and its end stay."""
    return _masked(code, number, number, LINE)


def block_mask(code: str, first: int, last: int) -> Masked:
    """Lines from the first to the last, both taken out, as ``line_mask`` has it for one."""
    return _masked(code, first, last, BLOCK)


def hide(text: str, name: str) -> str:
    """Prose without a name: no word of it has the name in it any more, in any case."""
    hidden = name.casefold()
    return _WORD.sub(lambda word: HIDDEN if hidden in word[0].casefold() else word[0], text)


def _masked(code: str, first: int, last: int, mask: str) -> Masked:
    _refuse_masks(code)
    lines = _LINE.findall(code)
    if not 1 <= first <= last <= len(lines):
        raise ValueError(f"no lines {first} to {last} in code of {len(lines)} lines")
    taken = "".join(lines[first - 1 : last])
    parts = _PARTS.fullmatch(taken)
    assert parts is not None  # noqa: S101  (each part may be empty: any text matches)
    before, after = "".join(lines[: first - 1]), "".join(lines[last:])
    indentation, answer, end = parts.groups()
    return Masked(f"{before}{indentation}{mask}{end}{after}", answer, mask)


def _refuse_masks(code: str) -> None:
    """Code that has a mask already could not be filled again."""
    found = next((mask for mask in MASKS if mask in code), None)
    if found:
        raise ValueError(f"the code has {found} already")
