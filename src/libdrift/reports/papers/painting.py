"""A paper's figures from runs, each in the form that the paper has it in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from libdrift.analysis.correlating import place_of
from libdrift.analysis.rating import rated
from libdrift.analysis.selecting import value_of
from libdrift.records import Observation
from libdrift.reports.figures import building
from libdrift.reports.figures.building import NamedRows, meaning, slug
from libdrift.reports.figures.charts import Axes, Chart
from libdrift.reports.papers.layout import FigureKind, PaperFigure
from libdrift.reports.papers.matching import AskedRun, RowKey, chosen

_BySetting = dict[str, dict[RowKey, AskedRun]]
NO_LEADERBOARD: Mapping[str, float] = MappingProxyType({})
Missing = tuple[str, str]  # what, and the command that makes it


def painted(
    figure: PaperFigure,
    suite: str,
    runs: Sequence[AskedRun],
    leaderboard: Mapping[str, float] = NO_LEADERBOARD,
) -> tuple[tuple[Chart, ...], tuple[Missing, ...]]:
    """The figure, in one drawing or several, and what runs it lacks."""
    found: _BySetting = {one.title: chosen(runs, one)[0] for one in figure.settings}
    makers: dict[FigureKind, Callable[[PaperFigure, _BySetting], list[Chart | None]]] = {
        FigureKind.BY_FACT: _by_fact,
        FigureKind.CROSSED: _crossed,
        FigureKind.AGREEMENT: _agreement,
        FigureKind.ERRORS: _errors,
        FigureKind.GAIN: _gain,
        FigureKind.GAP: _gap,
        FigureKind.METRICS: _metrics,
        FigureKind.LEADERBOARD: partial(_elsewhere, leaderboard),
    }
    charts = tuple(one for one in makers[figure.kind](figure, found) if one is not None)
    return charts, tuple(_lacking(figure, suite, found, charts))


def _lacking(
    figure: PaperFigure, suite: str, found: _BySetting, charts: Sequence[Chart]
) -> list[Missing]:
    missing = [
        (f"a run: {one.title}", one.command(suite))
        for one in figure.settings
        if not found[one.title]
    ]
    if charts or missing:
        return missing
    command = figure.settings[0].command(suite)
    if figure.kind is FigureKind.LEADERBOARD:
        what = "the other benchmark's numbers, a row name,value for each of three models"
        return [(what, f"libdrift report --paper {suite} RUN… --leaderboard scores.csv")]
    several = {FigureKind.AGREEMENT: 2, FigureKind.METRICS: 3}.get(figure.kind, 1)
    models = max(len(one) for one in found.values())
    if models < several:
        return [(f"runs of {several} models (there is {models})", command)]
    if figure.kind in {FigureKind.GAIN, FigureKind.GAP}:
        return [("runs of one model in both settings", command)]
    by = " and ".join(figure.by)
    return [(f"answers with {meaning(figure.metric)}{f' and {by}' if by else ''}", command)]


def _name(figure: PaperFigure, *parts: str) -> str:
    return slug("-".join((figure.number, *parts)))


def _title(figure: PaperFigure, rest: str = "") -> str:
    return f"{figure.caption}{rest}"


def _systems(figure: PaperFigure, found: _BySetting) -> list[NamedRows]:
    """Every run under its model's name, with its setting where there are several."""
    several = len([one for one in found.values() if one]) > 1
    return [
        NamedRows(f"{run.short}, {title}" if several else run.short, _rows(figure, run))
        for title, runs in found.items()
        for run in runs.values()
    ]


def _rows(figure: PaperFigure, run: AskedRun) -> tuple[Observation, ...]:
    return tuple(
        row
        for row in run.run.observations
        if all(value_of(row, name) == value for name, value in figure.facts.items())
    )


def _by_fact(figure: PaperFigure, found: _BySetting) -> list[Chart | None]:
    (fact,) = figure.by
    return _drawn(figure, _systems(figure, found), fact, ())


def _crossed(figure: PaperFigure, found: _BySetting) -> list[Chart | None]:
    """A drawing for each value of the first fact, by the second."""
    systems = _systems(figure, found)
    first, second = figure.by
    return [
        chart
        for value in _most(systems, first)
        for chart in _drawn(figure, _narrowed(systems, first, value), second, (value,))
    ]


def _drawn(
    figure: PaperFigure, systems: Sequence[NamedRows], fact: str, of: tuple[str, ...]
) -> list[Chart | None]:
    """One drawing; of versions one for each library, since versions of two have no order."""
    if fact != "version":
        parts = [(of, systems)]
    else:
        parts = [
            ((*of, library), _narrowed(systems, "library", library))
            for library in _most(systems, "library")
        ]
    return [
        building.by_fact(
            _name(figure, *names),
            _title(figure, f": {', '.join(names)}" if names else ""),
            chosen_systems,
            figure.metric,
            fact,
        )
        for names, chosen_systems in parts
    ]


def _most(systems: Sequence[NamedRows], fact: str, most: int = 8) -> tuple[str, ...]:
    """The values of a fact that most answers have."""
    rows = [row for one in systems for row in one.rows]
    values = {value for row in rows if (value := value_of(row, fact))}
    return building.most_frequent(rows, fact, values, most)


def _narrowed(systems: Sequence[NamedRows], fact: str, value: str) -> list[NamedRows]:
    return [
        NamedRows(one.name, tuple(row for row in one.rows if value_of(row, fact) == value))
        for one in systems
    ]


def _agreement(figure: PaperFigure, found: _BySetting) -> list[Chart | None]:
    """A drawing for each setting: models are compared with models that were asked alike."""
    charts: list[Chart | None] = []
    for setting in figure.settings:
        one = replace(figure, settings=(setting,))
        systems = _systems(one, {setting.title: found[setting.title]})
        name, title = _name(figure, setting.title), _title(figure, f": {setting.title}")
        charts.append(building.agreeing(name, title, systems, figure.metric))
    return charts


def _errors(figure: PaperFigure, found: _BySetting) -> list[Chart | None]:
    """Errors of all models together, by setting; of the models that every setting has."""
    common = set.intersection(*(set(runs) for runs in found.values()))
    systems = [
        NamedRows(
            title, tuple(row for key in runs if key in common for row in _rows(figure, runs[key]))
        )
        for title, runs in found.items()
    ]
    return [building.failing(_name(figure), _title(figure), systems)] if common else []


def _pairs(figure: PaperFigure, found: _BySetting) -> dict[str, tuple[NamedRows, NamedRows]]:
    """By model the answers in both settings, first and second."""
    before, after = (found[one.title] for one in figure.settings)
    return {
        run.short: (NamedRows(run.short, _rows(figure, run)),
                    NamedRows(run.short, _rows(figure, after[key])))
        for key, run in before.items()
        if key in after
    }  # fmt: skip


def _gain(figure: PaperFigure, found: _BySetting) -> list[Chart | None]:
    pairs = _pairs(figure, found)
    return [building.gained(_name(figure), _title(figure), pairs, figure.metric, figure.by[0])]


def _gap(figure: PaperFigure, found: _BySetting) -> list[Chart | None]:
    points = {}
    for model, pair in _pairs(figure, found).items():
        gaps = [_difference(one, figure.metric, figure.other) for one in pair]
        if gaps[0] is not None and gaps[1] is not None:
            points[model] = (gaps[1], gaps[0])  # as the paper has it: with debugging across
    without, with_it = (one.title for one in figure.settings)
    axes = Axes(f"gap, {with_it}", f"gap, {without}")
    return [building.against(_name(figure), _title(figure), points, axes, fit=False)]


def _difference(one: NamedRows, first: str, second: str) -> float | None:
    values = [rated(one.rows, metric).value for metric in (first, second)]
    return None if values[0] is None or values[1] is None else values[1] - values[0]


def _metrics(figure: PaperFigure, found: _BySetting) -> list[Chart | None]:
    """A drawing for each setting: a point for each model."""
    charts: list[Chart | None] = []
    for title, runs in found.items():
        points = {}
        for run in runs.values():
            rows = _rows(figure, run)
            x, y = rated(rows, figure.other).value, rated(rows, figure.metric).value
            if x is not None and y is not None:
                points[run.short] = (x, y)
        axes = Axes(meaning(figure.other), meaning(figure.metric))
        several = f": {title}" if len(found) > 1 else ""
        name = _name(figure, title) if several else _name(figure)
        if len(points) > 2:  # noqa: PLR2004 - a line goes through any two
            charts.append(building.against(name, _title(figure, several), points, axes))
    return charts


def _elsewhere(
    leaderboard: Mapping[str, float], figure: PaperFigure, found: _BySetting
) -> list[Chart | None]:
    """A point for each model that the leaderboard has; its values are in per cent."""
    points = {}
    for run in (run for runs in found.values() for run in runs.values()):
        names = (run.model.casefold(), run.short.casefold())
        place = next((leaderboard[name] for name in names if name in leaderboard), None)
        if place is None:
            place = place_of(run.run, leaderboard)
        value = rated(_rows(figure, run), figure.metric).value
        if place is not None and value is not None:
            points[run.short] = (place / 100, value)
    if len(points) < 3:  # noqa: PLR2004 - a line goes through any two
        return []
    axes = Axes("the other benchmark", meaning(figure.metric))
    return [building.against(_name(figure), _title(figure), points, axes)]
