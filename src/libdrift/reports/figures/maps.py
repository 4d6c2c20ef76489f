"""Heat maps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from libdrift.reports.figures import style
from libdrift.reports.figures.charts import HeatMap
from libdrift.reports.figures.labels import cut, longest, scale_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Panel
    from matplotlib.figure import Figure

_WRITTEN = 15  # columns of a map whose numbers can be read; of wider ones colours tell


def draw_map(figure: Figure, panel: Panel, chart: HeatMap) -> None:
    import numpy as np

    scale = scale_of(chart.axes)
    numbers = np.full((len(chart.row_labels), len(chart.column_labels)), math.nan)
    for i, row in enumerate(chart.row_labels):
        for j, column in enumerate(chart.column_labels):
            if (row, column) in chart.cells:
                numbers[i, j] = scale * chart.cells[row, column].value
    image = panel.imshow(np.ma.masked_invalid(numbers), cmap=style.MAP, aspect="auto")
    columns = column_names(chart)
    panel.set_xticks(range(len(columns)), columns, rotation=90 if is_turned(columns) else 0)
    names = [cut(label) for label in chart.row_labels]
    if is_numbered(chart):
        names = [f"{name}  {number}" for number, name in enumerate(names, start=1)]
    panel.set_yticks(range(len(names)), names)
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)
    panel.set_xlabel(chart.axes.x)
    panel.set_ylabel(chart.axes.y)
    if len(columns) <= _WRITTEN:
        _write_cells(panel, image, numbers, percent=chart.axes.percent)
        return
    bar = figure.colorbar(image, ax=panel, shrink=0.9, pad=0.02, aspect=25)
    bar.set_label(f"{chart.meaning} (%)" if chart.axes.percent else chart.meaning)
    bar.outline.set_visible(False)


def is_numbered(chart: HeatMap) -> bool:
    """Whether columns are the rows again: then numbers name them, and leave room for cells."""
    return chart.row_labels == chart.column_labels


def column_names(chart: HeatMap) -> list[str]:
    if is_numbered(chart):
        return [str(number) for number in range(1, len(chart.column_labels) + 1)]
    return [cut(label) for label in chart.column_labels]


def is_turned(names: Sequence[str]) -> bool:
    """Whether the names of columns are too wide to stand side by side."""
    return len(names) * (longest(names) + 1) > 38  # noqa: PLR2004 - characters of a line


def _write_cells(panel: Panel, image: Any, numbers: Any, *, percent: bool) -> None:  # noqa: ANN401
    """The number in each cell: light on dark, dark on light."""
    rows, columns = numbers.shape
    for i in range(rows):
        for j in range(columns):
            value = numbers[i, j]
            if math.isnan(value):
                continue
            red, green, blue, _ = image.cmap(image.norm(value))
            light = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5  # noqa: PLR2004
            text = f"{value:.0f}" if percent else f"{value:.3g}"
            panel.text(
                j, i, text, ha="center", va="center", fontsize=style.TINY,
                color="black" if light else "white",
            )  # fmt: skip
