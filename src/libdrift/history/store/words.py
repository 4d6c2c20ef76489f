"""Texts as the words that a search is made of.

The index keeps no texts: to forget one, it is told the same words again. So what the functions
here make of a text is part of the store's schema: another result needs a migration that indexes
anew.
"""

from __future__ import annotations

import re

from libdrift.records import Signature

_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WORD = re.compile(r"\w+")
# Every docstring has them; in a question they only blur.
_LITTLE = set(
    "a an and are as by do for from how i in is it of on or that the this to with".split()
)

_MOST = 64  # words of a query


def of_path(path: str) -> str:
    """``pandas.DataFrame.to_csv`` also answers to data, frame, to and csv.

    Its own name counts more than the names that lead there.
    """
    last = path.rpartition(".")[2]
    return " ".join([*_words(path), *_words(last)])


def of_parameters(signature: Signature | None) -> str:
    if signature is None:
        return ""
    return " ".join(_words(" ".join(item.name for item in signature.parameters)))


def of_doc(doc: str) -> str:
    # SQLite takes no half of a surrogate pair; a search has no use for one.
    return doc.encode("utf-8", "replace").decode()


def _words(text: str) -> list[str]:
    """The words of names: whole, and in their parts where these are joined by case.

    Underscores divide for the index itself: there ``to_csv`` is the two words in a row.
    """
    found: list[str] = []
    for word in _WORD.findall(text):
        found.append(word)
        for part in word.split("_"):
            parts = _CAMEL.findall(part) if part.isascii() else []
            if len(parts) > 1:
                found += parts
    return found


def query(text: str) -> str:
    """Any text as a query in FTS5's language: one or another of its words, each in quotes."""
    whole = _words(of_doc(text))
    parts = [part for word in whole for part in word.split("_")]
    found = dict.fromkeys(word.lower() for word in [*whole, *parts] if word.strip("_"))
    chosen = [word for word in found if word not in _LITTLE] or list(found)
    return " OR ".join(f'"{word}"' for word in chosen[:_MOST])
