"""What rustdoc's JSON says of any item: its documentation, deprecation, stability, its head."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from libdrift.languages.rust import deprecation, types
from libdrift.records import VersionNote

WORDS = {"type_alias": "type", "trait_alias": "trait", "extern_type": "type"}
_STABLE = re.compile(
    r"(?:\bstable\b|Stable\b).*?since\W+(?:[A-Za-z]\w*\W+)*(\d+\.\d+(?:\.\d+)?)", re.DOTALL
)
_UNSTABLE = re.compile(r"\bunstable\b|Unstable\b")

Json = Mapping[str, Any]


def of(item: Json) -> dict[str, Any]:
    """Fields of a symbol that every kind has."""
    told = item["deprecation"]
    notes, traits = _stability(item["attrs"])
    return {
        "doc": item["docs"] or "",
        "deprecations": (
            (deprecation.read(told["since"] or "", told["note"] or ""),) if told else ()
        ),
        "notes": notes,
        "traits": traits,
    }


def form_of(item: Json) -> tuple[str, Any]:
    """What an item is, and what is told of it as such."""
    form, told = next(iter(item["inner"].items()))
    return str(form), told


def head(name: str, form: str, told: Json) -> str:
    """``struct Name<T> where T: Clone``: what a type asks of its parameters."""
    word = WORDS.get(form, form)
    if "generics" not in told:
        return f"{word} {name}"
    limits = f": {types.bounds(told['bounds'])}" if told.get("bounds") else ""
    text = f"{word} {name}{types.generics(told['generics'])}{limits}"
    alias = f" = {types.written(told['type'])}" if form == "type_alias" else ""
    return text + types.where(told["generics"]) + alias


def _stability(attrs: list[Any]) -> tuple[tuple[VersionNote, ...], tuple[str, ...]]:
    """What std's attributes say; and ``non_exhaustive``, which limits what users may write."""
    notes: list[VersionNote] = []
    traits: list[str] = []
    for attr in attrs:
        text = attr if isinstance(attr, str) else json.dumps(attr)
        stable = _STABLE.search(text)
        if "non_exhaustive" in text:
            traits.append("non_exhaustive")
        elif stable and "onst" not in text.partition("since")[0].lower().replace("stable", ""):
            notes.append(VersionNote("added", stable[1]))
        elif _UNSTABLE.search(text) and "tability" in text:
            traits.append("unstable")
    return tuple(notes), tuple(traits)
