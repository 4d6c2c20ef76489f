"""From a chart to a drawing, by matplotlib, which is imported only here."""

from __future__ import annotations

import io
import math
import textwrap
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from libdrift.errors import UserError
from libdrift.reports.figures import style
from libdrift.reports.figures.charts import (
    Axes,
    BarChart,
    BoxChart,
    Chart,
    HeatMap,
    LineChart,
    Mark,
    ScatterChart,
    Series,
)
from libdrift.reports.figures.labels import cut, longest, scale_of, value_label
from libdrift.reports.figures.maps import column_names, draw_map, is_turned

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Panel
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "pdf")
# What a file would say of the day and the program that made it, and so differ from its twin.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "libdrift"},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": "libdrift"},
    "png": {"Software": "libdrift"},
}
_TITLE = 52  # characters of a line of the title
_NAME = 22  # characters of a name in a legend: two stand side by side
_ACROSS = 8  # characters of a label below an axis, where there are several
_UPRIGHT = 7  # labels below an axis that stand side by side
_BAR = 0.115  # inches of one bar among many
_MAP_CELL = 0.19  # inches of a row of a map


def draw(chart: Chart, form: str = "svg") -> bytes:
    """The drawing as a file's bytes: the same every time."""
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise UserError(
            "figures need matplotlib, which is not installed",
            "Install it with: pip install 'libdrift[figures]'",
        ) from error

    buffer = io.BytesIO()
    with mpl.rc_context(_settings(mpl.rcParamsDefault)), warnings.catch_warnings():
        # A sign that the font lacks is drawn as a box: the name stands in the CSV.
        warnings.filterwarnings("ignore", message="Glyph")
        figure = _figure(chart)
        figure.savefig(buffer, format=form, metadata=_METADATA[form])
    return buffer.getvalue()


def _settings(defaults: Any) -> Any:  # noqa: ANN401  (matplotlib has names of its own for these)
    """Those of matplotlib, not of the user's own file, with ours in their place."""
    return {**defaults, **style.SETTINGS}


def _figure(chart: Chart) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(style.WIDTH, _height(chart)), layout="constrained")
    panel = figure.add_subplot()
    painters: dict[type, Callable[[Figure, Panel, Any], None]] = {
        BarChart: _bars,
        LineChart: _lines,
        BoxChart: _boxes,
        HeatMap: draw_map,
        ScatterChart: _scatter,
    }
    painters[type(chart)](figure, panel, chart)
    # It begins at the figure's edge, not at that of the axes, which long labels push aside.
    title = "\n".join(_title(chart))
    figure.suptitle(title, x=0.01, ha="left", fontsize=style.TEXT)
    return figure


def _title(chart: Chart) -> list[str]:
    """Lines; of a map also what its numbers are, and of points how they go together."""
    lines = textwrap.wrap(chart.title, _TITLE)
    if isinstance(chart, HeatMap):
        lines += textwrap.wrap(chart.meaning + (" (%)" if chart.axes.percent else ""), _TITLE)
    if isinstance(chart, ScatterChart) and chart.fit:
        lines.append(_told(chart))
    return lines


def _height(chart: Chart) -> float:
    """Inches: as tall as its labels need, up to a page."""
    base = 0.5 + 0.14 * len(_title(chart))
    match chart:
        case BarChart() if _lying(chart):
            drawn = sum(label in one.marks for one in chart.series for label in chart.labels)
            needed = 0.35 + _BAR * drawn + 0.09 * len(chart.labels)
        case HeatMap():
            names = column_names(chart)
            below = 0.065 * longest(names) if is_turned(names) else 0.15
            needed = 0.2 + _MAP_CELL * len(chart.row_labels) + below
        case BoxChart():
            needed = 0.4 + 0.2 * len(chart.samples)
        case _:
            needed = 1.7
    legend = 0.15 * _legend_rows(_entries(chart))
    return min(style.TALLEST, max(1.3, base + needed + legend))


def _entries(chart: Chart) -> list[str]:
    """What a legend names."""
    match chart:
        case BarChart() | LineChart():
            return [one.name for one in chart.series] if len(chart.series) > 1 else []
        case ScatterChart():
            return [point.name for point in chart.points]
        case _:
            return []


def _legend_columns(names: Sequence[str]) -> int:
    wide = max((len(cut(name, _NAME)) for name in names), default=0)
    return max(1, min(len(names), int(62 / (wide + 6))))


def _legend_rows(names: Sequence[str]) -> int:
    return math.ceil(len(names) / _legend_columns(names)) if names else 0


def _legend(figure: Figure, names: Sequence[str]) -> None:
    if names:
        figure.legend(loc="outside lower center", ncols=_legend_columns(names))


def _lying(chart: BarChart) -> bool:
    """Whether bars lie: long or many labels are read beside an axis, not below it."""
    bars = len(chart.labels) * len(chart.series)
    return len(chart.labels) > _UPRIGHT or longest(chart.labels) > _ACROSS or bars > 16  # noqa: PLR2004


def _bars(figure: Figure, panel: Panel, chart: BarChart) -> None:
    lying = _lying(chart)
    scale = scale_of(chart.axes)
    at = 0.0
    places: dict[str, list[float]] = {}
    gap = 0.09 / _BAR if lying else 0.8
    for label in chart.labels:
        for number, one in enumerate(chart.series):
            if label not in one.marks:
                continue
            mark = one.marks[label]
            look: dict[str, Any] = {
                "color": style.colour(number),
                "hatch": style.hatch(number),
                "edgecolor": style.LINE,
                "linewidth": 0.5,
            }
            error = _error(mark, scale)
            ends: dict[str, Any] = {"elinewidth": 0.8, "ecolor": style.LINE}
            if lying:
                panel.barh(at, scale * mark.value, 0.9, xerr=error, error_kw=ends, **look)
            else:
                panel.bar(at, scale * mark.value, 0.9, yerr=error, error_kw=ends, **look)
            places.setdefault(label, []).append(at)
            at += 1
        at += gap
    middles = {label: sum(found) / len(found) for label, found in places.items()}
    names = [cut(label) for label in middles]
    if lying:
        panel.set_yticks(list(middles.values()), names)
        panel.set_ylim(at - gap, -1)
        panel.set_xlabel(value_label(chart.axes))
        panel.grid(axis="x")
        panel.tick_params(axis="y", length=0)
    else:
        panel.set_xticks(list(middles.values()), names)
        panel.set_xlabel(chart.axes.x)
        panel.set_ylabel(value_label(chart.axes))
        panel.grid(axis="y")
        panel.tick_params(axis="x", length=0)
    _limits(panel, chart.series, chart.axes, lying=lying)
    _series_legend(figure, chart.series, bars=True)


def _series_legend(figure: Figure, series: Sequence[Series], *, bars: bool) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    if len(series) < 2:  # noqa: PLR2004 - one needs no name
        return
    names = [cut(one.name, _NAME) for one in series]
    handles: list[Any] = []
    for number in range(len(series)):
        if bars:
            handles.append(
                Patch(
                    facecolor=style.colour(number),
                    hatch=style.hatch(number),
                    edgecolor=style.LINE,
                    linewidth=0.5,
                )
            )
        else:
            handles.append(
                Line2D(
                    [],
                    [],
                    color=style.colour(number),
                    marker=style.marker(number),
                    linestyle=style.dashes(number),
                )
            )
    figure.legend(handles, names, loc="outside lower center", ncols=_legend_columns(names))


def _limits(panel: Panel, series: Sequence[Series], axes: Axes, *, lying: bool) -> None:
    """From zero on, so that lengths compare; a share has all of its range only where it is used."""
    ends = [
        end
        for one in series
        for mark in one.marks.values()
        for end in (mark.value, mark.low, mark.high)
        if end is not None
    ]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    room = 0.05 * ((high - low) or 1)
    if axes.percent and low >= 0 and high <= 1:
        high = min(1.0, high + room)
    else:
        high += room
    low = low - room if low < 0 else 0.0
    scale = scale_of(axes)
    (panel.set_xlim if lying else panel.set_ylim)(scale * low, scale * high)
    if low < 0:
        (panel.axvline if lying else panel.axhline)(0, color=style.LINE, linewidth=0.8)


def _lines(figure: Figure, panel: Panel, chart: LineChart) -> None:
    scale = scale_of(chart.axes)
    for number, one in enumerate(chart.series):
        found = [
            (at, one.marks[label]) for at, label in enumerate(chart.labels) if label in one.marks
        ]
        colour = style.colour(number)
        # Side by side, since intervals at one place would hide one another.
        shift = 0.06 * (number - (len(chart.series) - 1) / 2)
        xs = [at + shift for at, _ in found]
        panel.plot(
            xs,
            [scale * mark.value for _, mark in found],
            color=colour,
            marker=style.marker(number),
            linestyle=style.dashes(number),
            clip_on=False,  # a mark at 0 or 100 is whole
        )
        for x, (_, mark) in zip(xs, found, strict=True):
            if mark.low is not None and mark.high is not None:
                panel.vlines(x, scale * mark.low, scale * mark.high, color=colour, linewidth=0.7)
    names = [cut(label) for label in chart.labels]
    slanted = len(names) > _UPRIGHT or longest(names) > _ACROSS
    panel.set_xticks(
        range(len(names)),
        names,
        rotation=45 if slanted else 0,
        ha="right" if slanted else "center",
        rotation_mode="anchor" if slanted else "default",
    )
    panel.set_xlabel(chart.axes.x)
    panel.set_ylabel(value_label(chart.axes))
    panel.grid(axis="y")
    panel.set_xlim(-0.5, len(chart.labels) - 0.5)
    _limits(panel, chart.series, chart.axes, lying=False)
    _series_legend(figure, chart.series, bars=False)


def _boxes(figure: Figure, panel: Panel, chart: BoxChart) -> None:
    del figure
    scale = scale_of(chart.axes)
    values = [[scale * value for value in found] for found in chart.samples.values()]
    places = list(range(len(values)))
    panel.boxplot(
        values,
        positions=places,
        orientation="horizontal",
        widths=0.6,
        patch_artist=True,
        whis=(0, 100),
        boxprops={"facecolor": "#CCE3F0", "linewidth": 0.6},
        medianprops={"color": style.colour(3), "linewidth": 1.4},
        whiskerprops={"linewidth": 0.6},
        capprops={"linewidth": 0.6},
        manage_ticks=False,
    )
    for at, found in zip(places, values, strict=True):
        panel.plot(found, [at] * len(found), ".", color=style.LINE, markersize=2, zorder=3)
    names = [f"{cut(label)} ({len(chart.samples[label])})" for label in chart.samples]
    panel.set_yticks(places, names)
    panel.set_ylim(len(places) - 0.5, -0.5)
    panel.tick_params(axis="y", length=0)
    panel.set_xlabel(value_label(chart.axes))
    panel.grid(axis="x")


def _scatter(figure: Figure, panel: Panel, chart: ScatterChart) -> None:
    scale = scale_of(chart.axes)
    for number, point in enumerate(chart.points):
        panel.plot(
            scale * point.x,
            scale * point.y,
            linestyle="none",
            marker=style.MARKERS[(number + number // len(style.COLOURS)) % len(style.MARKERS)],
            color=style.colour(number),
            markeredgecolor=style.LINE,
            markeredgewidth=0.4,
            markersize=5,
            label=cut(point.name, _NAME),
        )
    if chart.diagonal:
        ends = [scale * value for point in chart.points for value in (point.x, point.y)]
        low, high = min(ends), max(ends)
        panel.plot([low, high], [low, high], color=style.LINE, linewidth=0.7, linestyle=":")
    line = chart.line if chart.fit else None
    if line is not None:
        slope, start = line
        xs = [min(point.x for point in chart.points), max(point.x for point in chart.points)]
        ys = [slope * x + start for x in xs]
        panel.plot(
            [scale * x for x in xs], [scale * y for y in ys], color=style.LINE, linewidth=0.8
        )
    unit = " (%)" if chart.axes.percent else ""
    panel.set_xlabel(chart.axes.x + unit)
    panel.set_ylabel(chart.axes.y + unit)
    panel.grid()
    panel.margins(0.12)
    _legend(figure, [point.name for point in chart.points])


def _told(chart: ScatterChart) -> str:
    """The correlations, as a figure says them: above it, where no point is hidden."""
    found = zip("rρ", chart.correlations, strict=True)
    known = [f"{name} = {one.value:.2f} (p = {one.p:.2g})" for name, one in found if one]
    return ", ".join([*known, f"n = {len(chart.points)}"])


def _error(mark: Mark, scale: float) -> list[list[float]] | None:
    if mark.low is None or mark.high is None:
        return None
    below, above = mark.value - mark.low, mark.high - mark.value
    return [[max(0.0, scale * below)], [max(0.0, scale * above)]]
