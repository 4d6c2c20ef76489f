"""The nouns of this room."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from libdrift.build.live.manual import Manual
from libdrift.records import Change, Environment, Release, Surface, Task

if TYPE_CHECKING:
    from libdrift.build.live.measuring import Bench
    from libdrift.mining.examples.comparing import ComparedExample
    from libdrift.mining.examples.extracting import DocExample, Examples
    from libdrift.mining.examples.places import PairOfPlaces
    from libdrift.mining.examples.replacing import ExampleRewriter
    from libdrift.mining.examples.running import Runs
    from libdrift.mining.examples.uses import ExampleUses


_T = TypeVar("_T")


class LiveFamily(StrEnum):
    """What is asked of a candidate."""

    MIGRATE = "migrate"  # code of one release, for another one
    BEHAVE = "behave"  # code that gives something else in another release
    GENERATE = "generate"  # what a release brought, from words
    COMPLETE = "complete"  # a call that is missing
    LOCATE = "locate"  # which of the names in some code changed
    EXPLAIN = "explain"  # how


class Side(StrEnum):
    OLD = "old"
    NEW = "new"

    @property
    def other(self) -> Side:
        return Side.NEW if self is Side.OLD else Side.OLD


@dataclass(frozen=True, slots=True)
class PairEvidence:
    """All that was seen of two releases by reading and running them."""

    old: Surface
    new: Surface
    places: PairOfPlaces
    examples_old: Examples
    examples_new: Examples
    runs_old: Runs  # of the examples of both releases
    runs_new: Runs
    compared: Mapping[tuple[str, ...], ComparedExample]  # where examples go another way, steadily
    changes: tuple[Change, ...]
    forward: ExampleRewriter | None  # code of the old release as the new one wants it
    backward: ExampleRewriter | None  # and the other way round
    uses_old: ExampleUses
    uses_new: ExampleUses
    bench: Bench  # runs programs in both
    manual: Manual = field(default_factory=Manual)  # of the newer release
    known: dict[str, tuple[tuple[Any, ...], Counter[str]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def once(
        self, key: str, make: Callable[[Counter[str]], Iterable[_T]], left_out: Counter[str]
    ) -> tuple[_T, ...]:
        """What several families need is worked out once; why it is no more is told to each."""
        if key not in self.known:
            reasons: Counter[str] = Counter()
            self.known[key] = tuple(make(reasons)), reasons
        found, reasons = self.known[key]
        left_out.update(reasons)
        return found

    @property
    def examples(self) -> dict[tuple[str, ...], DocExample]:
        """Those of both releases, the older one's first."""
        return {**self.examples_old.found, **self.examples_new.found}

    def surface(self, side: Side) -> Surface:
        return self.old if side is Side.OLD else self.new

    def release(self, side: Side) -> Release:
        return self.surface(side).release

    def environment(self, side: Side) -> Environment:
        place = self.places.old if side is Side.OLD else self.places.new
        return place.environment

    def runs(self, side: Side) -> Runs:
        return self.runs_old if side is Side.OLD else self.runs_new

    def uses(self, side: Side) -> ExampleUses:
        return self.uses_old if side is Side.OLD else self.uses_new

    def rewriter(self, target: Side) -> ExampleRewriter | None:
        return self.forward if target is Side.NEW else self.backward


@dataclass(frozen=True, slots=True)
class Draft:
    """A task before the gates, and where it is from."""

    task: Task
    family: LiveFamily
    evidence: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)


# Each family's module has one: `drafts`. Why something became no draft is counted.
DraftMaker = Callable[[PairEvidence, Counter[str]], Iterator[Draft]]


def hash_of(task: Task) -> str:
    """Of all that a task says: equal tasks have equal hashes on every machine."""
    plain = msgspec.to_builtins(task, enc_hook=_plain)
    return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()[:24]


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)


def words(texts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))
