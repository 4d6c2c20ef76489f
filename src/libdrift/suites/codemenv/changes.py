"""What happened to an API, from the sentence in which the data says so.

Easy and Java samples have fields for the kind of change and the replacement; of hard ones, and of
the version in all, there is only prose. It keeps to a few patterns, and what fits none of them
stays unknown, and is not graded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from keyword import iskeyword
from types import MappingProxyType

from libdrift.metrics.accuracies import Explanation, api_name, kind_of
from libdrift.records import ChangeKind

ADDITION, DEPRECATION, REPLACEMENT = "addition", "deprecation", "replacement"
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
_ITSELF = r"\b(?:the original function|this (?:class|interface))\b"
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
_INSTEAD = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bcorrect way to call it was {_NAME}",
        rf"\binstead, {_NAME} was commonly used",
        rf"^before [^,]*, {_NAME}(?:\(\))? was the standard way",
        rf"\bbut before [^,]*, using {_NAME} is a better choice",
        rf"\buse {_NAME}(?:\(\))? instead",
        rf"\byou should use {_NAME}",
        rf"\bin favor of .*?\bsuch as {_NAME}",
        rf"\bin favor of (?:using )?{_NAME}",
        rf"\bencourage (?:direct )?us(?:ag)?e of {_NAME}",
        rf"\bstreamline .* via {_NAME}",
        rf"\breplaced by (?:the (?:SAX2 )?)?{_NAME}",
        rf"\breplaced with {_NAME}",
    )
)
_MOVED_TO = re.compile(r"\bmove[ds]?\b.*? to (?:the )?([^\W\d][\w.]*\w)", re.IGNORECASE)
_NOTHING = re.compile(r"^(?:new|added) in [\w. ]+$|\bno replacement\b", re.IGNORECASE)
_REMOVED = re.compile(r"\bremoved\b", re.IGNORECASE)
_CHANGES = {
    ADDITION: ChangeKind.INTRODUCED,
    DEPRECATION: ChangeKind.DEPRECATED,
    REPLACEMENT: ChangeKind.MOVED,
}


def from_prose(label: str, text: str) -> Explanation:
    """What a sentence says of the API that a label names."""
    flat = " ".join(text.split()).rstrip(". ")
    last = label.rpartition(".")[2]
    named = re.search(rf"\b{re.escape(last)}\b|{_ITSELF}", flat, re.IGNORECASE)
    if named is None and _FULL.search(flat):
        return Explanation("")  # a sentence about another API, by mistake
    versions = _VERSION.findall(flat)
    return Explanation(
        next((kind for pattern, kind in _KINDS if pattern.search(flat)), ""),
        _replacement(label, flat),
        versions[0] if versions else None,
    )


def from_fields(told: Explanation, update_type: str, signature: str | None) -> Explanation:
    """With what an easy sample has fields for."""
    kind = TYPES.get(" ".join(update_type.lower().split()), told.kind)
    if signature is None:
        return replace(told, kind=kind)
    name = api_name(signature)
    if name and not all(part.isidentifier() for part in name.split(".")):
        return replace(told, kind=kind, replacement=None)  # `[key] in [dict]`: no API at all
    return replace(told, kind=kind, replacement=name)


def change_of(kind: str, text: str) -> ChangeKind | None:
    """libdrift's word for a kind of change."""
    if kind_of(kind) == DEPRECATION and _REMOVED.search(text):
        return ChangeKind.REMOVED
    return _CHANGES.get(kind_of(kind))


def _replacement(label: str, text: str) -> str | None:
    if _NOTHING.search(text):
        return ""
    for pattern in _INSTEAD:
        found = pattern.search(text)
        if found and api_name(found[1]) != label and not iskeyword(found[1]):
            return api_name(found[1])
    moved = _MOVED_TO.search(text)
    return api_name(f"{moved[1]}.{label.rpartition('.')[2]}") if moved else None
