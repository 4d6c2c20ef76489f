"""Every kind of chart is drawn in every form, the same bytes every time."""

from __future__ import annotations

import re
import sys

import pytest

from libdrift.errors import UserError
from libdrift.reports.figures.charts import (
    Axes,
    BarChart,
    BoxChart,
    Chart,
    HeatMap,
    LineChart,
    Mark,
    ScatterChart,
    ScatterPoint,
    Series,
)
from libdrift.reports.figures.drawing import FORMATS, draw

LABELS = ("numpy", "a library with quite a long name", "$x_1$ & <b>")
MARKS = {
    label: Mark(0.2 * (at + 1), 0.1 * at, 0.3 * (at + 1), 9) for at, label in enumerate(LABELS)
}
SERIES = (Series("first", MARKS), Series("second", {LABELS[0]: Mark(0.5)}))
AXES = Axes("library", "success")
CHARTS: dict[str, Chart] = {
    "bars": BarChart("bars", "Bars", LABELS, SERIES, AXES),
    "one bar": BarChart("one", "One", ("a",), (Series("s", {"a": Mark(0.0, 0.0, 0.8, 1)}),), AXES),
    "differences": BarChart("d", "D", ("a",), (Series("s", {"a": Mark(-0.3)}),), AXES),
    "lines": LineChart("lines", "Lines", LABELS, SERIES, AXES),
    "boxes": BoxChart("boxes", "Boxes", {"a": (0.1, 0.5, 0.7), "b": (0.5,)}, AXES),
    "map": HeatMap("map", "Map", LABELS, LABELS, {(LABELS[0], LABELS[1]): Mark(0.5)}, AXES, "share"),
    "wide map": HeatMap(
        "wide", "Wide", ("r",), tuple(f"c{at}" for at in range(20)), {("r", "c1"): Mark(0.5)}, AXES,
        "share",
    ),
    "scatter": ScatterChart(
        "scatter", "Scatter", tuple(ScatterPoint(f"m{at}", at / 9, at / 7) for at in range(4)),
        Axes("x", "y"), fit=True,
    ),
    "one point": ScatterChart("p", "P", (ScatterPoint("m", 0.1, 0.2),), Axes("x", "y"), diagonal=True),
}  # fmt: skip
STARTS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


@pytest.mark.parametrize("kind", CHARTS)
def test_is_drawn_and_is_the_same_twice(kind: str) -> None:
    first, second = (draw(CHARTS[kind]) for _ in range(2))
    assert first.startswith(STARTS["svg"])
    assert first == second


@pytest.mark.parametrize("form", FORMATS)
def test_in_every_form_with_its_letters_and_without_a_date(form: str) -> None:
    first, second = (draw(CHARTS["bars"], form) for _ in range(2))
    assert first.startswith(STARTS[form])
    assert first == second
    assert b"CreationDate" not in first
    if form == "svg":
        assert b"<text" not in first  # letters are outlines: no font is needed
        width = re.search(rb'width="([\d.]+)pt"', first)
        assert width is not None
        assert float(width[1]) == pytest.approx(3.3 * 72)
    if form == "pdf":
        assert b"/FontFile2" in first  # TrueType, embedded


def test_bars_differ_in_grey_too() -> None:
    """Two series have another hatch: without colours, they are told apart."""
    drawn = draw(CHARTS["bars"]).decode()
    assert len(set(re.findall(r"fill: url\(#(\w+)\)", drawn))) >= 1
    assert "<pattern" in drawn


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UserError, match=r"pip install 'libdrift\[figures\]'"):
        draw(CHARTS["bars"])


def test_a_line_of_best_fit_has_its_numbers() -> None:
    chart = CHARTS["scatter"]
    assert isinstance(chart, ScatterChart)
    assert chart.line == pytest.approx((9 / 7, 0.0))
    pearson, spearman = chart.correlations
    assert pearson is not None
    assert spearman is not None
    assert (pearson.value, spearman.value) == pytest.approx((1.0, 1.0))
    upright = ScatterChart("u", "U", (ScatterPoint("a", 1, 2), ScatterPoint("b", 1, 3)), AXES)
    assert upright.line is None
