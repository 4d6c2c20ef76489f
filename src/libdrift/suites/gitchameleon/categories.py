"""Kinds of change: the data's many spellings, the paper's four categories, libdrift's words."""

from __future__ import annotations

from enum import StrEnum

from libdrift.records import ChangeKind


class Category(StrEnum):
    """The four kinds of change that the paper reports on."""

    ARGUMENT = "argument or attribute"
    NAME = "function name"
    BEHAVIOUR = "semantics or behaviour"
    FEATURE = "new feature or dependency"


# Spellings after `_normal`. Misspelt ones stand as they are in the data.
_SPELLINGS = {
    "argument change": Category.ARGUMENT,
    "attribute change": Category.ARGUMENT,
    "argument or attribute change": Category.ARGUMENT,
    "name change": Category.NAME,
    "name change (attribute)": Category.NAME,
    "function name change": Category.NAME,
    # What is deprecated or broken in these problems is a name that went or moved.
    "deprecation": Category.NAME,
    "breaking change": Category.NAME,
    "behaviour": Category.BEHAVIOUR,
    "output behaviour": Category.BEHAVIOUR,
    "ouput behaviour": Category.BEHAVIOUR,
    "gh output behaviour": Category.BEHAVIOUR,
    "output change": Category.BEHAVIOUR,
    "semantics or function behaviour change": Category.BEHAVIOUR,
    "new feature": Category.FEATURE,
    "new func/method/class": Category.FEATURE,
    "other library": Category.FEATURE,
    "other library or new feature": Category.FEATURE,
    "new feature or additional dependency based change": Category.FEATURE,
}
_KINDS = {
    Category.ARGUMENT: ChangeKind.SIGNATURE,
    Category.NAME: ChangeKind.RENAMED,
    Category.BEHAVIOUR: ChangeKind.BEHAVIOUR,
    Category.FEATURE: ChangeKind.INTRODUCED,
}


def category_of(spelling: str) -> Category | None:
    """The paper's category for a raw ``type_of_change``; ``None`` for a spelling unknown here."""
    return _SPELLINGS.get(_normal(spelling))


def kind_of(category: Category | None) -> ChangeKind | None:
    return _KINDS[category] if category else None


def _normal(spelling: str) -> str:
    return " ".join(spelling.casefold().split()).replace("behavior", "behaviour")
