"""What happened to an API, from the sentence in which the data says so.

Easy and Java samples have fields for the kind of change and the replacement; of hard ones, and of
the version in all, there is only prose. It keeps to a few patterns, and what fits none of them
stays unknown: then the versions of the sample bound it, and the names that are known to be there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from keyword import iskeyword
from types import MappingProxyType

from libdrift.metrics.accuracies import (
    ADDITION,
    DEPRECATION,
    REPLACEMENT,
    ChangeExplanation,
    alternatives,
    api_name,
    kinds_of,
)
from libdrift.records import ChangeKind

# The data's types of change, in the paper's words.
TYPES: Mapping[str, str] = MappingProxyType(
    {
        "add": ADDITION,
        "added": ADDITION,
        "deprecated": DEPRECATION,
        "location change": REPLACEMENT,
    }
)
_NAME = r"`?([^\W\d]\w*(?:\.[^\W\d]\w*)*)"
_ITSELF = r"\b(?:the original function|this (?:class|interface)|declarations in this package)\b"
_FULL = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_VERSION = re.compile(
    r"(?:\b(?:since|in|before|until|version|prior to)|after)\s+(?:[a-z]+\s+)?(\d+(?:\.\d+)+)",
    re.IGNORECASE,
)
# The first that fits tells the kind.
_KINDS = (
    (re.compile(r"\bmove[ds]?\b.*\bto\b|\bnot been transferred to\b", re.IGNORECASE), REPLACEMENT),
    (
        re.compile(
            r"^(?:new|added) in\b|\b(?:added|introduc\w+)\b.*\bin version\b"
            r"|^before\b|\bbut before\b",
            re.IGNORECASE,
        ),
        ADDITION,
    ),
    (re.compile(r"\b(?:deprecated|removed|replaced|superseded)\b", re.IGNORECASE), DEPRECATION),
)
# Of what is said to be gone: it is somewhere else, or something else is there.
_GONE_ELSEWHERE = re.compile(r"\b(?:been )?(?:moved|replaced|renamed|superseded)\b", re.IGNORECASE)
_INSTEAD = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bcorrect way to call it was {_NAME}",
        rf"\binstead, {_NAME} was commonly used",
        rf"^before [^,]*, {_NAME}(?:\(\))? was the standard way",
        rf"\bbut before [^,]*, using {_NAME} is a better choice",
        rf"\buse {_NAME}(?:\([^()]*\))? instead",
        rf"\byou should use {_NAME}",
        rf"\bin favor of .*?\bsuch as {_NAME}",
        rf"\bin favor of (?:using )?{_NAME}",
        rf"\bencourage (?:direct )?us(?:ag)?e of {_NAME}",
        rf"\bstreamline .* via {_NAME}",
        rf"\breplaced by (?:the (?:SAX2 )?)?{_NAME}",
        rf"\breplaced with {_NAME}",
    )
)
_SUCH_AS = re.compile(rf"\bsuch as {_NAME} (?:and|or) {_NAME}", re.IGNORECASE)
_PACKAGE = re.compile(rf"\bsuperseded by those in the package {_NAME}", re.IGNORECASE)
_MOVED_TO = re.compile(r"\bmove[ds]?\b.*? to (?:the )?([^\W\d][\w.]*\w)", re.IGNORECASE)
_NOTHING = re.compile(r"\bno replacement\b", re.IGNORECASE)
_REMOVED = re.compile(r"\bremoved\b", re.IGNORECASE)
_CHANGES = {
    ADDITION: ChangeKind.INTRODUCED,
    DEPRECATION: ChangeKind.DEPRECATED,
    REPLACEMENT: ChangeKind.MOVED,
}


def from_prose(label: str, text: str) -> ChangeExplanation:
    """What a sentence says of the API that a label names."""
    flat = " ".join(text.split()).rstrip(". ")
    last = label.rpartition(".")[2]
    named = re.search(rf"\b{re.escape(last)}\b|{_ITSELF}", flat, re.IGNORECASE)
    if named is None and _FULL.search(flat):
        return ChangeExplanation("")  # a sentence about another API, by mistake
    versions = _VERSION.findall(flat)
    replacement = _replacement(label, flat)
    kind = next((kind for pattern, kind in _KINDS if pattern.search(flat)), "")
    return ChangeExplanation(
        _also(kind, label, flat, replacement), replacement, versions[0] if versions else None
    )


def from_fields(
    told: ChangeExplanation, update_type: str, signature: str | None
) -> ChangeExplanation:
    """With what an easy sample has fields for. An empty signature says nothing."""
    kind = TYPES.get(" ".join(update_type.lower().split()), told.kind)
    if kind in kinds_of(told.kind):
        kind = told.kind  # with what the sentence says beside it
    name = api_name(signature or "")
    if not name:
        return replace(told, kind=kind)
    if not all(part.isidentifier() for part in name.split(".")):
        # `[key] in [dict]`: no API at all, but a word of the language's, it may be.
        word = next(filter(iskeyword, (signature or "").split()), None)
        return replace(told, kind=kind, replacement=word)
    if told.replacement and name in alternatives(told.replacement):
        return replace(told, kind=kind)
    return replace(told, kind=kind, replacement=name)


def kind_of(told: ChangeExplanation) -> str:
    """The paper's word for a label's kind; of two, the first."""
    return told.kind.partition(" or ")[0]


def _also(kind: str, label: str, text: str, replacement: str | None) -> str:
    """With another kind that a sentence speaks of as well."""
    same = (replacement or "").endswith(f".{label.rpartition('.')[2]}")
    if kind == DEPRECATION and _GONE_ELSEWHERE.search(text):
        return f"{DEPRECATION} or {REPLACEMENT}"
    if kind == REPLACEMENT and re.search(r"\bhas been moved\b", text, re.IGNORECASE):
        return f"{REPLACEMENT} or {DEPRECATION}"  # its old place is empty
    if kind == ADDITION and same:
        return f"{ADDITION} or {REPLACEMENT}"  # under another path
    return kind


def change_of(kind: str, text: str) -> ChangeKind | None:
    """libdrift's word for a kind of change."""
    if kind == DEPRECATION and _REMOVED.search(text):
        return ChangeKind.REMOVED
    return _CHANGES.get(kind)


def _replacement(label: str, text: str) -> str | None:
    if _NOTHING.search(text):
        return ""
    package = _PACKAGE.search(text)
    if package:
        return f"{package[1]}.*"
    several = _SUCH_AS.search(text)
    if several:
        return " or ".join(map(api_name, several.groups()))
    names = [api_name(found[1]) for pattern in _INSTEAD if (found := pattern.search(text))]
    others = [name for name in dict.fromkeys(names) if name != label and not iskeyword(name)]
    if others:
        return " or ".join(others)
    moved = _MOVED_TO.search(text)
    return api_name(f"{moved[1]}.{label.rpartition('.')[2]}") if moved else None
