"""Texts and names as the words that documents are searched by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(r"[.,;:!?()]\s|\n\s*\n")
_SIGNATURE = re.compile(r"[\w.]+\(.*\)(?:\s*->.*)?")
# Every text has them. The second line is of those that set a task, whatever it is about.
_LITTLE = set(
    "a also an and any are as at be but by can do does each for from has have how i if in into is"
    " it its may no not of on only or other so such than that the their them then there this to"
    " was were what when where which while will with without you"
    " code complete custom function given installed make must should use using write".split()
)
_MOST = 120  # words of a query
_GRAM = 4  # words of a name
_SHORTEST = 3  # letters of a word that a compound is made of
_SHORT = frozenset("as at by in is of on to".split())  # but for these


def split(text: str) -> list[str]:
    """All words of a text in lower case: names whole, and in their parts.

    ``to_csv`` is also `to` and `csv`, ``DataFrame`` is also `data` and `frame`.
    """
    found: list[str] = []
    for word in _WORD.findall(text.encode("utf-8", "replace").decode()):
        found.append(word.lower())
        parts = [part for piece in word.split("_") for part in _parts(piece)]
        if len(parts) > 1:
            found += [part.lower() for part in parts]
    return found


def _parts(word: str) -> list[str]:
    return (_CAMEL.findall(word) if word.isascii() else [word]) if word else []


def known(words: Iterable[str]) -> list[str]:
    """Those that have a letter or a number, each once."""
    return [word for word in dict.fromkeys(words) if word.strip("_")]


def telling(words: Iterable[str]) -> list[str]:
    """Those that say something, each once."""
    return [word for word in known(words) if word not in _LITTLE]


def pairs(text: str) -> list[str]:
    """Words that stand side by side, both of them telling: `depth first`, `node link`."""
    found: list[str] = []
    for clause in _CLAUSE.split(text.encode("utf-8", "replace").decode()):
        inside = [word.lower() for word in _WORD.findall(clause)]
        found += [f"{a} {b}" for a, b in pairwise(inside) if a != b and len(telling([a, b])) > 1]
    return found


def plain(text: str) -> list[str]:
    """The words of a text in lower case that are letters alone."""
    return [word.lower() for word in _WORD.findall(text) if word.isalpha()]


def joined(words: Sequence[str], most: int = _GRAM) -> set[str]:
    """Words that stand side by side, written as one: of `is`, `prime`, also `isprime`."""
    return {
        "".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + most) + 1)
    }


def shortened(words: Sequence[str], most: int = _GRAM) -> set[str]:
    """Words that stand side by side, as libraries shorten them.

    `spatial join` is ``sjoin``, `fast fourier transform` is ``fft``.
    """
    words = [word for word in words if word not in _LITTLE]
    found: set[str] = set()
    for start in range(len(words)):
        for end in range(start + 2, min(len(words), start + most) + 1):
            part = words[start:end]
            initials = "".join(word[0] for word in part)
            found.add(initials[:-1] + part[-1])
            if len(part) > 2:  # noqa: PLR2004  (two letters are too few)
                found.add(initials)
    return found


class Compounds:
    """Names that are written as one word, in parts that a library's texts have as words."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = {word for word in known if len(word) >= _SHORTEST} | _SHORT

    def added(self, name: str) -> str:
        """A name, and the parts of those of its words that are compounds."""
        found = [name]
        for word in split(name):
            found += self._parts(word)
        return " ".join(found)

    def _parts(self, word: str) -> list[str]:
        """Two words, of which the shorter is as long as can be."""
        cuts = [
            (word[:at], word[at:])
            for at in range(2, len(word) - 1)
            if word[:at] in self._known and word[at:] in self._known
        ]
        return list(max(cuts, key=lambda cut: min(map(len, cut)), default=()))


def spoken(text: str) -> list[str]:
    """The words of a text and the parts of its names, in lower case and in their order."""
    pieces = (piece for word in _WORD.findall(text) for piece in word.split("_"))
    found = [part.lower() for piece in pieces for part in _parts(piece)]
    return [word for word in found if word != "custom"]  # what tasks call what is to be written


def match(words: Iterable[str]) -> str:
    """A query in FTS5's language: one or another of some words, each in quotes."""
    return " OR ".join(f'"{word}"' for word in islice(words, _MOST))


def lead(doc: str) -> str:
    """The first paragraph that is prose: what a thing is for, before all that is said of it."""
    for paragraph in re.split(r"\n\s*\n", doc.strip()):
        text = " ".join(paragraph.split())
        if text and not text.startswith((".. ", ">>>")) and not _SIGNATURE.fullmatch(text):
            return text
    return ""
