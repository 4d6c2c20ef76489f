"""What is drawn: numbers with their names, and nothing of how it looks.

Each chart gives its numbers as rows too: they are written beside the drawing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from libdrift.metrics.correlation import Correlation, pearson, spearman

Cell = str | float | int | None
ChartRow = dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Mark:
    """A number with its interval, and how many answers or tasks it is of."""

    value: float
    low: float | None = None
    high: float | None = None
    n: int | None = None

    def row(self) -> ChartRow:
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.n}


@dataclass(frozen=True, slots=True)
class Series:
    """Marks of one system by label; a label without a mark is missing, not zero."""

    name: str
    marks: Mapping[str, Mark]


@dataclass(frozen=True, slots=True)
class Axes:
    """What the two axes mean; values that are fractions are shown in per cent."""

    x: str = ""
    y: str = ""
    percent: bool = True


@dataclass(frozen=True, slots=True)
class BarChart:
    """A group of bars for each label, and in it one for each series."""

    name: str  # of its files
    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    axes: Axes

    def rows(self) -> list[ChartRow]:
        return _rows(self.labels, self.series, self.axes.x or "label")


@dataclass(frozen=True, slots=True)
class LineChart:
    """A line for each series over labels that have an order: years, versions."""

    name: str
    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    axes: Axes

    def rows(self) -> list[ChartRow]:
        return _rows(self.labels, self.series, self.axes.x or "label")


@dataclass(frozen=True, slots=True)
class BoxChart:
    """The spread of values, a box for each label: median, quartiles, ends, and every value."""

    name: str
    title: str
    samples: Mapping[str, tuple[float, ...]]
    axes: Axes

    def rows(self) -> list[ChartRow]:
        return [
            {self.axes.x or "label": label, "value": value}
            for label, values in self.samples.items()
            for value in values
        ]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A number for each row and column; one that is missing stays empty."""

    name: str
    title: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    cells: Mapping[tuple[str, str], Mark]
    axes: Axes  # ``x`` names the columns, ``y`` the rows
    meaning: str  # of the numbers

    def rows(self) -> list[ChartRow]:
        return [
            {"row": row, "column": column, **self.cells[row, column].row()}
            for row in self.row_labels
            for column in self.column_labels
            if (row, column) in self.cells
        ]


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ScatterChart:
    """A point for each system; with a line of best fit, or the diagonal where both are equal."""

    name: str
    title: str
    points: tuple[ScatterPoint, ...]
    axes: Axes
    fit: bool = False
    diagonal: bool = False

    def rows(self) -> list[ChartRow]:
        x, y = self.axes.x or "x", self.axes.y or "y"
        return [{"name": point.name, x: point.x, y: point.y} for point in self.points]

    @property
    def line(self) -> tuple[float, float] | None:
        """Slope and intercept by least squares; ``None`` where all points are above another."""
        xs, ys = [point.x for point in self.points], [point.y for point in self.points]
        if len(set(xs)) < 2:  # noqa: PLR2004 - a line needs two places
            return None
        mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
        spread = sum((x - mean_x) ** 2 for x in xs)
        slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
        return slope, mean_y - slope * mean_x

    @property
    def correlations(self) -> tuple[Correlation | None, Correlation | None]:
        """Pearson's and Spearman's."""
        xs, ys = [point.x for point in self.points], [point.y for point in self.points]
        return pearson(xs, ys), spearman(xs, ys)


Chart = BarChart | LineChart | BoxChart | HeatMap | ScatterChart


def _rows(labels: Sequence[str], series: Sequence[Series], name: str) -> list[ChartRow]:
    return [
        {"series": one.name, name: label, **one.marks[label].row()}
        for one in series
        for label in labels
        if label in one.marks
    ]
