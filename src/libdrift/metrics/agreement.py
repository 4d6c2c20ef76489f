"""How far two judges of the same things agree: raw, and beyond what chance would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts of pairs of verdicts, by who said yes."""

    both: int
    first: int  # only the first
    second: int
    neither: int
    left_out: int = 0  # pairs in which one or the other has no verdict

    @property
    def n(self) -> int:
        return self.both + self.first + self.second + self.neither

    @property
    def raw(self) -> float | None:
        """The share of equal verdicts; ``None`` without pairs."""
        return (self.both + self.neither) / self.n if self.n else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa, (observed - expected) / (1 - expected).

        ``None`` where it is not defined: without pairs, or where both say the same of everything,
        so that chance alone agrees always.
        """
        yes = (self.both + self.first) * (self.both + self.second)
        no = (self.neither + self.second) * (self.neither + self.first)
        # In whole numbers: whether the expected agreement is 1 must not hang on rounding.
        expected, whole = yes + no, self.n * self.n
        if expected == whole:
            return None
        return (self.n * (self.both + self.neither) - expected) / (whole - expected)

    def to_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "agreement": self.raw,
            "kappa": self.kappa,
            "both_yes": self.both,
            "only_first": self.first,
            "only_second": self.second,
            "both_no": self.neither,
            "left_out": self.left_out,
        }


def agreement(first: Sequence[bool | None], second: Sequence[bool | None]) -> Agreement:
    """Pair two lists of verdicts on the same things; ``None`` is no verdict."""
    if len(first) != len(second):
        raise ValueError(f"{len(first)} verdicts cannot be paired with {len(second)}")
    pairs = list(zip(first, second, strict=True))
    return Agreement(
        both=pairs.count((True, True)),
        first=pairs.count((True, False)),
        second=pairs.count((False, True)),
        neither=pairs.count((False, False)),
        left_out=sum(None in pair for pair in pairs),
    )
