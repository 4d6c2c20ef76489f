"""A paper's tables and figures from runs; for what cannot be filled, the run that it needs."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from libdrift.analysis.rating import AMOUNTS, RatedMetric
from libdrift.analysis.selecting import natural, value_of
from libdrift.metrics.intervals import varies
from libdrift.reports.figures.charts import Chart
from libdrift.reports.papers.layout import (
    MODEL,
    Column,
    Elsewhere,
    Paper,
    PaperFigure,
    PaperTable,
    Setting,
)
from libdrift.reports.papers.matching import AskedRun, RowKey, chosen, row_label
from libdrift.reports.papers.measuring import compared, measured, narrowed
from libdrift.reports.papers.painting import NO_LEADERBOARD, painted

# Metrics that a strategy notes while it asks: judging the answers again does not bring them.
_NOTED = ("documents_", "pylint_", "rounds")


@dataclass(frozen=True, slots=True)
class MissingPart:
    """What is missing for a cell or a figure, and the command that makes it."""

    what: str
    command: str

    def to_json(self) -> dict[str, str]:
        return {"missing": self.what, "command": self.command}


@dataclass(frozen=True, slots=True)
class PaperCell:
    found: RatedMetric | None
    amount: bool = False  # no share: shown as it is, not in per cent

    @property
    def text(self) -> str:
        """As papers write it: ``49.1 ± 2.8``, a dash where nothing is known.

        Where outcomes do not vary their standard error says nothing: then the interval is shown.
        """
        if self.found is None or self.found.value is None:
            return "–"
        scale, digits = (1.0, 2) if self.amount else (100.0, 1)
        error, low, high = self.found.stderr, self.found.low, self.found.high
        about = f" ± {scale * error:.{digits}f}" if error is not None else ""
        if error is not None and not varies(error) and low is not None and high is not None:
            about = f" [{scale * low:.{digits}f}, {scale * high:.{digits}f}]"
        return f"{scale * self.found.value:.{digits}f}{about}"

    def to_json(self) -> dict[str, Any]:
        return self.found.to_json() if self.found is not None else {"value": None}


@dataclass(frozen=True, slots=True)
class FilledTable:
    number: str
    caption: str
    head: tuple[tuple[str, ...], tuple[str, ...]]  # settings, and what is shown of each
    rows: tuple[tuple[str, tuple[PaperCell, ...]], ...]
    needs: tuple[MissingPart, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        settings, titles = self.head
        rows = [
            {
                "row": label,
                "cells": [
                    {"setting": setting, "column": title, **cell.to_json()}
                    for setting, title, cell in zip(settings, titles, cells, strict=True)
                ],
            }
            for label, cells in self.rows
        ]
        return {
            "number": self.number,
            "caption": self.caption,
            "kind": "table",
            "rows": rows,
            "needs": [need.to_json() for need in self.needs],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class FilledFigure:
    number: str
    caption: str
    charts: tuple[Chart, ...]
    needs: tuple[MissingPart, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "caption": self.caption,
            "kind": "figure",
            "figures": [{"name": chart.name, "data": chart.rows()} for chart in self.charts],
            "needs": [need.to_json() for need in self.needs],
        }


@dataclass(frozen=True, slots=True)
class PointedEntry:
    entry: Elsewhere

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.entry.number,
            "caption": self.entry.caption,
            "kind": "elsewhere",
            "command": self.entry.command or None,
            "reason": self.entry.reason or None,
        }


FilledEntry = FilledTable | FilledFigure | PointedEntry


def fill(
    paper: Paper, runs: Sequence[AskedRun], leaderboard: Mapping[str, float] = NO_LEADERBOARD
) -> Iterator[FilledEntry]:
    """Every entry of the paper, in its order; ``leaderboard`` has numbers of models elsewhere."""
    for entry in paper.entries:
        match entry:
            case PaperTable():
                yield filled(entry, paper.name, runs)
            case PaperFigure():
                charts, missing = painted(entry, paper.name, runs, leaderboard)
                needs = tuple(MissingPart(what, command) for what, command in missing)
                yield FilledFigure(entry.number, entry.caption, charts, needs)
            case Elsewhere():
                yield PointedEntry(entry)


def filled(table: PaperTable, suite: str, runs: Sequence[AskedRun]) -> FilledTable:
    """A table with a row for each model of which some column has a run."""
    filler = _Filler(table, suite, tuple(runs))
    columns = tuple(filler.columns())
    by_column = [filler.fitting(column.setting) for column in columns]
    first: dict[RowKey, AskedRun] = {}
    for found in by_column:
        for key, run in found.items():
            # Of one that was asked here, the model's whole name is known, for commands to paste.
            if key not in first or (first[key].recorded and not run.recorded):
                first[key] = run
    rows: list[tuple[str, tuple[PaperCell, ...]]] = []
    needs: dict[MissingPart, None] = {}
    for key, one in first.items():
        cells = []
        for column, found in zip(columns, by_column, strict=True):
            cell, need = filler.cell(column, key, found.get(key) or one)
            cells.append(cell)
            needs |= {need: None} if need is not None else {}
        rows.append((row_label(one, table.row_options), tuple(cells)))
    shown = {column.setting.title for column in columns} if rows else set()
    needs |= dict.fromkeys(filler.nothing(shown))
    head = (tuple(one.setting.title for one in columns), tuple(one.title for one in columns))
    notes = [*filler.notes(), *([table.note] if table.note else []), *_sizes(by_column)]
    return FilledTable(table.number, table.caption, head, tuple(rows), tuple(needs), tuple(notes))


@dataclass(frozen=True, slots=True)
class _Filler:
    table: PaperTable
    suite: str
    runs: tuple[AskedRun, ...]

    def fitting(self, setting: Setting) -> dict[RowKey, AskedRun]:
        return chosen(self.runs, setting, self.table.row_options)[0]

    def notes(self) -> list[str]:
        """Where two runs compete for one cell, which of them is shown."""
        said = [
            note
            for setting in dict.fromkeys(column.setting.title for column in self.table.columns)
            for column in self.table.columns
            if column.setting.title == setting
            for note in chosen(self.runs, column.setting, self.table.row_options)[1]
        ]
        return list(dict.fromkeys(said))

    def columns(self) -> Iterator[Column]:
        """The columns; with a fact, each once for every value that the runs have."""
        if not self.table.by:
            yield from self.table.columns
            return
        for column in self.table.columns:
            rows = (
                row
                for run in self.fitting(column.setting).values()
                for row in narrowed(run.run.observations, column.facts)
            )
            values = {value for row in rows if (value := value_of(row, self.table.by)) is not None}
            for value in sorted(values, key=natural):
                title = f"{value} {column.title}".strip()
                yield replace(column, title=title, facts={**column.facts, self.table.by: value})

    def cell(
        self, column: Column, key: RowKey, run: AskedRun
    ) -> tuple[PaperCell, MissingPart | None]:
        """A number, or what it needs. ``run`` is the column's, or another of the same model."""
        empty = PaperCell(None, _amount(column.metric))
        for setting in (column.setting, *([column.minus] if column.minus else [])):
            if key not in self.fitting(setting):
                return empty, self._need(setting, run)
        if column.minus is None:
            found = measured(run.run, column.metric, column.facts)
        else:
            other = self.fitting(column.minus)[key]
            before, after = (narrowed(one.run.observations, column.facts) for one in (other, run))
            found = compared(before, after, column.metric)
        if found.value is None:
            return empty, self._unmeasured(column, run)
        return PaperCell(found, empty.amount), None

    def nothing(self, shown: Container[str]) -> Iterator[MissingPart]:
        """What settings that the table does not show need: runs, or runs that know its fact."""
        settings = {column.setting.title: column.setting for column in self.table.columns}
        for title, setting in settings.items():
            if title in shown:
                continue
            what = f"a run: {setting.title}"
            if self.table.by and self.fitting(setting):
                what = f"answers with a known {self.table.by}: {setting.title}"
            yield MissingPart(what, setting.command(self.suite))

    def _need(self, setting: Setting, run: AskedRun) -> MissingPart:
        label = row_label(run, self.table.row_options)
        return MissingPart(f"{label}: {setting.title}", setting.command(self.suite, model_of(run)))

    def _unmeasured(self, column: Column, run: AskedRun) -> MissingPart:
        """Of a run that was made, and has not this number."""
        name, _, k = column.metric.partition("@")
        facts = ", ".join(column.facts.values())
        if k not in {"", "1"}:
            flags = f"{column.setting.flags} --samples {k} --k 1,{k}".strip()
            setting = column.setting if "--samples" in column.setting.flags else replace(
                column.setting, flags=flags)  # fmt: skip
            what = f"{row_label(run)}: {k} answers per task"
            return MissingPart(what, setting.command(self.suite, model_of(run)))
        if not narrowed(run.run.observations, column.facts):
            what = f"{row_label(run)}: answers to tasks of {facts}"
            return MissingPart(what, column.setting.command(self.suite, model_of(run)))
        if name.startswith(_NOTED):
            what = f"{row_label(run)}: {name} was not noted"
            return MissingPart(what, column.setting.command(self.suite, model_of(run)))
        about = run.run.description.get("answers") or {}
        answers = str(about.get("path") if run.recorded else run.run.path / "answers.jsonl")
        what = f"{row_label(run)}: {name} was not measured"
        return MissingPart(what, shlex.join(["libdrift", "score", self.suite, answers]))


def model_of(run: AskedRun) -> str:
    """As a command takes it; of recorded answers only a file's name is known, which is no model."""
    return MODEL if run.recorded else run.model


def _amount(metric: str) -> bool:
    return metric in AMOUNTS or metric.endswith("mrr")


def _sizes(by_column: Sequence[Mapping[RowKey, AskedRun]]) -> list[str]:
    """A line where runs are of different numbers of tasks: then cells do not compare."""
    sizes = {run.run.name: run.run.tasks for found in by_column for run in found.values()}
    if len(set(sizes.values())) < 2:  # noqa: PLR2004
        return []
    told = ", ".join(f"{name} {tasks:,}" for name, tasks in sizes.items())
    return [f"runs answer different numbers of tasks: {told}"]
