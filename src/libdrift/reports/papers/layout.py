"""What a paper shows, in its order: the nouns of which each paper's small table is made."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

MODEL = "PROVIDER/MODEL"


def _options(**given: object) -> Mapping[str, object]:
    return MappingProxyType(given)


@dataclass(frozen=True, slots=True)
class Setting:
    """A way of asking that a paper has a column for."""

    title: str
    strategy: str = "greedy"
    # Options that the run must have; all others that change what is asked are at their defaults.
    options: Mapping[str, object] = field(default_factory=_options)
    flags: str = ""  # what else `libdrift eval` needs on its command line
    # Other strategies that ask the same, such as `greedy` of a suite that has no visible tests.
    also: tuple[str, ...] = ()
    modelless: bool = False  # a program of its own answers: no model is asked

    def command(self, suite: str, model: str = MODEL) -> str:
        """What makes such a run."""
        words = ["libdrift", "eval", suite, *([] if self.modelless else ["--model", model])]
        if self.strategy != "greedy":
            words += ["--strategy", self.strategy]
        return " ".join([shlex.join(words), *([self.flags] if self.flags else [])])


@dataclass(frozen=True, slots=True)
class Column:
    """A number of each row: a metric over the answers of one setting."""

    title: str
    metric: str
    setting: Setting
    facts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    minus: Setting | None = None  # the difference to another setting, on common tasks


@dataclass(frozen=True, slots=True)
class PaperTable:
    number: str  # as the paper has it, or a name where that is not known
    caption: str
    columns: tuple[Column, ...]
    by: str = ""  # a fact: each column once for each of its values
    row_options: tuple[str, ...] = ()  # options that tell rows of one model apart
    note: str = ""


class FigureKind(StrEnum):
    BY_FACT = "by fact"  # bars, or lines where the values have an order
    CROSSED = "crossed"  # a series for each value of a second fact
    AGREEMENT = "agreement"
    ERRORS = "errors"
    GAIN = "gain"  # of one setting over another, by a fact
    GAP = "gap"  # between visible and hidden tests, in one setting and in another
    LEADERBOARD = "leaderboard"  # the metric against what models have on another benchmark
    METRICS = "metrics"  # one metric against another, a point for each system


@dataclass(frozen=True, slots=True)
class PaperFigure:
    number: str
    caption: str
    kind: FigureKind
    settings: tuple[Setting, ...]
    metric: str = "hidden"
    by: tuple[str, ...] = ()
    other: str = ""  # the other metric of a scatter
    facts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What no run fills: another command makes it, or it needs a person, or is a drawing."""

    number: str
    caption: str
    command: str = ""
    reason: str = ""


Entry = PaperTable | PaperFigure | Elsewhere


@dataclass(frozen=True, slots=True)
class Paper:
    name: str  # of its suite
    title: str
    entries: tuple[Entry, ...]


def only(**facts: str) -> Mapping[str, str]:
    """Facts that answers must have."""
    return MappingProxyType(facts)


def options(**given: object) -> Mapping[str, object]:
    """Options that a run must have been asked with."""
    return _options(**given)
