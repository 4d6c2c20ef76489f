"""How a model is asked to complete: in the middle, from the left, or by an instruction."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from libdrift.errors import UserError


class Style(StrEnum):
    FILL = "fim"
    LEFT = "left"
    INSTRUCTION = "instruct"


def style_of(name: str) -> Style:
    try:
        return Style(name)
    except ValueError:
        raise UserError(f"unknown style {name!r}", f"Known: {', '.join(Style)}") from None


@dataclass(frozen=True, slots=True)
class Sentinels:
    """The marks around what is before and behind a gap, and those that end an answer."""

    prefix: str
    suffix: str
    middle: str
    stop: tuple[str, ...]
    suffix_first: bool = False

    def around(self, before: str, behind: str) -> str:
        if self.suffix_first:
            return f"{self.suffix}{behind}{self.prefix}{before}{self.middle}"
        return f"{self.prefix}{before}{self.suffix}{behind}{self.middle}"


_STARCODER = Sentinels(
    "<fim_prefix>", "<fim_suffix>", "<fim_middle>", ("<|endoftext|>", "<file_sep>")
)
# Each model knows only the marks that it was trained with. The blanks of codellama's are part of
# them; codestral has none before the answer, which follows the code itself.
FAMILIES: Mapping[str, Sentinels] = MappingProxyType(
    {
        "starcoder": _STARCODER,
        "starcoder2": _STARCODER,
        "stable-code": _STARCODER,
        "granite-code": _STARCODER,
        "refact": _STARCODER,
        "santacoder": Sentinels("<fim-prefix>", "<fim-suffix>", "<fim-middle>", ("<|endoftext|>",)),
        "codellama": Sentinels("<PRE> ", " <SUF>", " <MID>", ("<EOT>",)),
        "deepseek-coder": Sentinels(
            "<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>", ("<｜end▁of▁sentence｜>",)
        ),
        "qwen2.5-coder": Sentinels(
            "<|fim_prefix|>",
            "<|fim_suffix|>",
            "<|fim_middle|>",
            ("<|endoftext|>", "<|fim_pad|>", "<|file_sep|>", "<|repo_name|>"),
        ),
        "codegemma": Sentinels(
            "<|fim_prefix|>",
            "<|fim_suffix|>",
            "<|fim_middle|>",
            ("<|file_separator|>", "<eos>"),
        ),
        "codestral": Sentinels("[PREFIX]", "[SUFFIX]", "", ("</s>",), suffix_first=True),
    }
)
_ALIASES = {"mistral": "codestral", "granite": "granite-code", "qwen": "qwen2.5-coder"}


def sentinels(family: str | None) -> Sentinels:
    """The marks of a family, which may be given as a model's whole name."""
    name = _plain(family or "")
    names = {**{known: known for known in FAMILIES}, **_ALIASES}
    # The longest first: starcoder2 is not starcoder.
    for part in sorted(names, key=len, reverse=True):
        if _plain(part) in name:
            return FAMILIES[names[part]]
    told = f"no marks are known for {family!r}" if family else "no family of models is given"
    raise UserError(
        f"fill-in-the-middle is not possible: {told}",
        f"Name one with --family: {', '.join(FAMILIES)}",
    )


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
