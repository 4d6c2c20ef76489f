"""Labels that fit, and units."""

from __future__ import annotations

from collections.abc import Sequence

from libdrift.reports.figures.charts import Axes

_LONGEST = 26  # characters of a label beside an axis


def scale_of(axes: Axes) -> float:
    return 100.0 if axes.percent else 1.0


def value_label(axes: Axes) -> str:
    return f"{axes.y} (%)" if axes.percent else axes.y


def cut(label: str, longest: int = _LONGEST) -> str:
    """A label that fits; what is left out is in the middle, since ends tell names apart."""
    if len(label) <= longest:
        return label
    head = (longest - 1) * 2 // 3
    return f"{label[:head]}…{label[head + 1 - longest :]}"


def longest(labels: Sequence[str]) -> int:
    return max((len(label) for label in labels), default=0)
