"""How figures look: for print in one column, for colour-blind readers, and in grey."""

from __future__ import annotations

from typing import Any, Literal

LineStyle = Literal["-", "--", "-.", ":"]

WIDTH = 3.3  # inches: a column of a paper in two columns
TALLEST = 8.8  # inches: what a page holds
TEXT, SMALL, TINY = 8.0, 7.0, 6.0  # points

# Okabe and Ito's colours, which all kinds of colour vision tell apart, dark and light in turn.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#4D4D4D", "#F0E442")
# The same series in grey: bars by their hatch, lines by their mark and dashes.
HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx", "----", "++++", "oooo")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: tuple[LineStyle, ...] = ("-", "--", "-.", ":")
MOST_SERIES = len(COLOURS)  # more are not told apart: a map takes their place
# Light to dark in even steps, in grey as well.
MAP = "cividis_r"
LINE = "#333333"
GRID = "#DDDDDD"

SETTINGS: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib: the same on every machine
    "font.size": TEXT,
    "axes.titlesize": TEXT,
    "axes.labelsize": TEXT,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "legend.handlelength": 1.6,
    "legend.columnspacing": 1.0,
    "axes.linewidth": 0.6,
    "axes.edgecolor": LINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "grid.color": GRID,
    "grid.linewidth": 0.5,
    "hatch.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 4.0,
    "figure.dpi": 100,
    "savefig.dpi": 300,
    # Names of models and libraries are text, whatever signs are in them.
    "text.parse_math": False,
    # Letters travel with the file: as outlines, or as TrueType that an editor can still read.
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    # The same bytes every time.
    "svg.hashsalt": "libdrift",
}


def colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def hatch(number: int) -> str:
    return HATCHES[number % len(HATCHES)]


def marker(number: int) -> str:
    return MARKERS[number % len(MARKERS)]


def dashes(number: int) -> LineStyle:
    return DASHES[number % len(DASHES)]
