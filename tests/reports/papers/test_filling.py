"""A paper's tables and figures are filled from runs; what is missing names its command."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from libdrift.analysis.observing import ObservedRun
from libdrift.metrics.uncertainty import binomial_error
from libdrift.records import Observation, Outcome
from libdrift.reports.figures.charts import BarChart, HeatMap, LineChart, ScatterChart
from libdrift.reports.papers import PAPERS
from libdrift.reports.papers.filling import FilledEntry, FilledFigure, FilledTable, fill
from libdrift.reports.papers.layout import Elsewhere, Paper, PaperFigure, PaperTable, Setting
from libdrift.reports.papers.matching import asked_of
from libdrift.reports.papers.rendering import as_latex, as_markdown, as_text, entry_number
from tests.reports.observed import observed, of_rows, recorded
from tests.reports.papers.commands import parsed


def filled(name: str, *runs: ObservedRun) -> dict[str, FilledEntry]:
    return {
        entry_number(entry): entry for entry in fill(PAPERS[name], [asked_of(run) for run in runs])
    }


def cells(entry: FilledEntry) -> dict[str, list[str]]:
    assert isinstance(entry, FilledTable)
    return {label: [cell.text for cell in row] for label, row in entry.rows}


@pytest.mark.parametrize("name", PAPERS)
def test_without_runs_every_entry_says_what_makes_it(name: str) -> None:
    for entry in fill(PAPERS[name], []):
        content = entry.to_json()
        needs = content.get("needs") or [content]
        assert all(need.get("command") or need.get("reason") for need in needs), content


@pytest.mark.parametrize("name", PAPERS)
def test_numbers_and_names_of_files_are_told_apart(name: str) -> None:
    numbers = [entry.number for entry in PAPERS[name].entries]
    assert len(set(numbers)) == len(numbers)


def test_recorded_answers_fill_the_success_tables() -> None:
    """Hidden and visible success with the binomial error, as the paper prints them."""
    rights = "1" * 161 + "0" * 167
    found = filled("gitchameleon", recorded("answers/gpt-4o.jsonl", rights))
    row = cells(found["Table 1"])["gpt-4o"]
    assert row[:3] == ["49.1 ± 2.8", "49.1 ± 2.8", "50.0 ± 2.8"]
    assert row[3:] == ["–"] * 5
    assert binomial_error(161, 328) == pytest.approx(0.0276, abs=1e-4)
    table = found["Table 1"]
    assert isinstance(table, FilledTable)
    commands = {need.command for need in table.needs}
    assert commands == {
        "libdrift eval gitchameleon --model PROVIDER/MODEL --strategy self-debug",
        "libdrift eval gitchameleon --model PROVIDER/MODEL --strategy cot",
    }


def test_all_settings_of_a_model_stand_in_one_row() -> None:
    runs = [
        observed("openai/gpt-4o", "1100"),
        recorded("gpt-4o-self-debug.jsonl", "1110"),
        observed("openai/gpt-4o", "1000", "cot"),
        observed("openai/gpt-4o", "1111", "rag"),
        observed("openai/gpt-4o", "1101", "optimize"),
        observed("openai/gpt-4o", "0101", "repair"),
    ]
    found = filled("gitchameleon", *runs)
    (row,) = cells(found["Table 1"]).values()
    assert [
        cell.partition(" ")[0] for cell in row
    ] == "50.0 50.0 50.0 75.0 75.0 50.0 25.0 50.0".split()
    assert cells(found["Table 11"])["openai/gpt-4o"][1].startswith("25.0")
    assert cells(found["Table 4"])["openai/gpt-4o"][0].startswith("100.0")
    gain = found["Figure 12"]
    assert isinstance(gain, FilledFigure)
    (bars,) = gain.charts
    assert isinstance(bars, BarChart)
    assert {label: mark.value for label, mark in bars.series[0].marks.items()} == {
        "numpy": 0.5, "pandas": 0.0, "scipy": 1.0
    }  # fmt: skip
    errors = found["Figure 8"]
    assert isinstance(errors, FilledFigure)
    (counts,) = errors.charts
    assert [one["value"] for one in counts.rows()] == [2.0, 1.0]


def test_figures_have_the_papers_forms() -> None:
    runs = [
        observed(model, rights, strategy, visible="111111")
        for model, rights in (("a", "110010"), ("b", "010010"), ("c", "111011"))
        for strategy in ("greedy", "self-debug", "cot", "rag")
    ]
    found = filled("gitchameleon", *runs)
    forms = {
        number: [type(chart) for chart in entry.charts]
        for number, entry in found.items()
        if isinstance(entry, FilledFigure)
    }
    assert forms == {
        "Figure 3": [],  # the other benchmark's numbers are not given
        "Figure 6": [ScatterChart],
        "Section 3.3": [ScatterChart] * 3,
        "Figure 7": [BarChart],
        "Figure 8": [BarChart],
        "Figure 10": [HeatMap],  # six systems: lines would hide one another
        "Figure 11": [BarChart],
        "Figure 12": [BarChart],
        "Figure 13": [HeatMap] * 3,
    }


def text_rows(*levels: str, metric: str = "em", **facts: str) -> tuple[Observation, ...]:
    return tuple(
        Observation("r", f"{level}{at}", 0, Outcome.PASSED,
                    {"level": level, "year": str(2020 + at % 3), "category": "addition",
                     "source": "stackoverflow", "step": "major-to-minor", "library": "torch",
                     "version": f"torch 1.{at}", **facts},
                    {metric: float(at % 2), "cdc": 1.0, "tp": 1.0, "fp": float(at % 2), "fn": 0.0})
        for level in levels
        for at in range(4)
    )  # fmt: skip


def test_versicode_by_level_source_and_step() -> None:
    run = of_rows("m", text_rows("token", "line", "block", "migrate"), "versicode")
    found = filled("versicode", run)
    assert cells(found["Table 1"])["m"][:5] == [
        "50.0 ± 28.9",
        "50.0 ± 28.9",
        "–",
        "–",
        "100.0 [51.0, 100.0]",
    ]
    assert cells(found["Table 2"]) == {"m": ["100.0 [51.0, 100.0]"]}
    table = found["Table 2"]
    assert isinstance(table, FilledTable)
    assert table.head[1] == ("major-to-minor CDC@1",)
    figure = found["Figure 4"]
    assert isinstance(figure, FilledFigure)
    assert [type(chart) for chart in figure.charts] == [LineChart]


def test_versicode_values_that_only_the_summary_has() -> None:
    score = {"metric": "cdc_without_2@1", "value": 0.8, "stderr": 0.1, "n": 4, "split": "line"}
    run = of_rows("m", text_rows("line"), "versicode", summary={"scores": [score]})
    row = cells(filled("versicode", run)["Table 11 (values)"])["m"]
    assert "80.0 ± 10.0" in row


def test_libevolutioneval_over_versions_and_contexts() -> None:
    rows = text_rows("middle", access="direct", lifecycle="introduced", scenario="realistic")
    run = of_rows("m", rows, "libevolutioneval", ways={"strategy": "fim"})
    found = filled("libevolutioneval", run)
    f1 = 2 * 4 / (2 * 4 + 2)
    assert cells(found["Contexts"])["m"][1].startswith(f"{100 * f1:.1f}")
    figure = found["Versions"]
    assert isinstance(figure, FilledFigure)
    assert [chart.name for chart in figure.charts] == ["versions-torch"]
    crossed = found["Access over versions"]
    assert isinstance(crossed, FilledFigure)
    (lines,) = crossed.charts  # of one library: versions of two have no order
    assert isinstance(lines, LineChart)
    assert (lines.name, lines.labels) == (
        "access-over-versions-direct-torch", ("1.0", "1.1", "1.2", "1.3")
    )  # fmt: skip
    table = found["Contexts"]
    assert isinstance(table, FilledTable)
    assert {need.command for need in table.needs} == {
        "libdrift eval libevolutioneval --model m --strategy instruct -S context=in-file",
        "libdrift eval libevolutioneval --model m --strategy instruct -S context=version-rag",
    }


def test_codemenv_by_difficulty_and_part() -> None:
    rows = tuple(
        Observation("r", f"{kind}{at}", sample, Outcome.PASSED,
                    {"difficulty": "easy", "part": "easy OLD2NEW", "library": "numpy"},
                    {kind: float((at + sample) % 5 == 0)})
        for kind in ("locate", "explain", "migrate")
        for at in range(2)
        for sample in range(5)
    )  # fmt: skip
    run = of_rows("m", rows, "codemenv", ways={"strategy": "sample", "samples": 5})
    found = filled("codemenv", run)
    assert cells(found["Tasks 1 and 2"])["m"][0].startswith("20.0")
    task = cells(found["Task 3"])["m"]
    assert task[0].startswith("20.0")
    assert task[4].startswith("100.0")  # of five answers, one is right


def test_rustevo_needs_a_cutoff_for_its_third_question() -> None:
    rows = tuple(
        Observation("r", f"t{at}", 0, Outcome.PASSED, {"category": "stabilized", "year": "2024"},
                    {"hidden": 1.0, "coverage": 0.5, "api_usage": 1.0})
        for at in range(3)
    )  # fmt: skip
    found = filled("rustevo", of_rows("m", rows, "rustevo", ways={"strategy": "api-info"}))
    # Three tasks of one outcome: no standard error of 0, but what they leave open.
    every, half = "100.0 [43.9, 100.0]", "50.0 [12.5, 87.5]"
    assert cells(found["RQ1"])["m"] == [every, "–", every, "–", half]
    assert cells(found["RQ2"]) == {"m": [every]}
    third = found["RQ3"]
    assert isinstance(third, FilledTable)
    assert not third.rows
    assert any("answers with a known cutoff" in need.what for need in third.needs)
    assert any("--cutoff" in need.command for need in third.needs)


def settings_of(paper: Paper) -> list[Setting]:
    """Every way of asking that the paper has a column or a figure of."""
    found: dict[str, Setting] = {}
    for entry in paper.entries:
        if isinstance(entry, PaperFigure):
            found |= {setting.command("s"): setting for setting in entry.settings}
        if isinstance(entry, PaperTable):
            for column in entry.columns:
                for setting in (column.setting, *([column.minus] if column.minus else [])):
                    found[setting.command("s")] = setting
    return list(found.values())


def all_rows(paper: Paper, samples: int, seed: int) -> tuple[Observation, ...]:
    """Answers that have every fact and every metric that the paper asks for."""
    facts: list[dict[str, str]] = [{}]
    names, metrics = {"library", "version", "year"}, set[str]()
    for entry in paper.entries:
        if isinstance(entry, PaperFigure):
            facts.append(dict(entry.facts))
            names.update(entry.by)
            metrics.update({entry.metric, entry.other} - {""})
        if isinstance(entry, PaperTable):
            facts += [dict(column.facts) for column in entry.columns]
            metrics.update(column.metric.partition("@")[0] for column in entry.columns)
            names.update({entry.by} - {""})
    found = []
    for number, wanted in enumerate({tuple(sorted(one.items())): one for one in facts}.values()):
        for at in range(4 * samples):
            task, sample = divmod(at, samples)
            others = {name: f"{name} {task % 2}" for name in names}
            right = float((number + task + sample + seed) % 3 == 0)
            values = {**dict.fromkeys(metrics, right), "tp": 1.0, "fp": right, "fn": 0.0}
            about = {"error": "TypeError", **others, "library": "lib", **wanted}
            outcome = Outcome.PASSED if right else Outcome.FAILED
            found.append(Observation("r", f"{number}/{task}", sample, outcome, about, values))
    return tuple(found)


@pytest.mark.parametrize("name", PAPERS)
def test_every_table_and_figure_is_filled(name: str) -> None:
    """Three models in every setting of a paper leave no cell and no figure of it empty."""
    paper = PAPERS[name]
    runs = []
    for setting in settings_of(paper):
        samples = 5 if "--samples" in setting.flags else 1
        ways = {"strategy": setting.strategy, **setting.options}
        for seed, model in enumerate(("m0", "m1", "m2")):
            rows = all_rows(paper, samples, seed)
            run = of_rows(f"{model}-{setting.title}", rows, name, ways=ways)
            runs.append(replace(run, description={**run.description, "model": model}))
    board = {"m0": 10.0, "m1": 30.0, "m2": 20.0}
    names = set()
    for entry in fill(paper, [asked_of(run) for run in runs], board):
        if isinstance(entry, FilledTable):
            assert len(entry.rows) == 3, entry.number
            assert not entry.needs, entry
        if isinstance(entry, FilledFigure):
            assert entry.charts, entry
            assert not entry.needs, entry
            assert not names & {chart.name for chart in entry.charts}
            names |= {chart.name for chart in entry.charts}


def test_texts_of_all_three_forms() -> None:
    entries = list(filled("gitchameleon", observed("a_b|c", "10")).values())
    text, markdown, latex = as_text(entries), as_markdown(entries), as_latex(entries)
    assert re.search(r"self-debug .* zero-shot CoT", text)
    assert "a_b|c  50.0 ± 35.4" in text
    assert "| a_b\\|c | 50.0 ± 35.4 |" in markdown
    assert "`libdrift eval gitchameleon --model 'a_b|c' --strategy cot`" in markdown
    assert r"a\_b|c & 50.0 $\pm$ 35.4" in latex
    assert r"\multicolumn{3}{c}{self-debug}" in latex
    assert "% Figure 5: Workflow of one example" in latex
    json.dumps([entry.to_json() for entry in entries])


@pytest.mark.parametrize("name", PAPERS)
def test_settings_ask_by_commands_that_exist(name: str) -> None:
    """What a reader is told to paste is parsed by the real command line."""
    commands = {setting.command(name) for setting in settings_of(PAPERS[name])}
    assert {parsed(command) for command in commands} == {"eval"}


@pytest.mark.parametrize("name", PAPERS)
def test_other_commands_exist_too(name: str) -> None:
    for entry in PAPERS[name].entries:
        if isinstance(entry, Elsewhere) and entry.command:
            assert parsed(entry.command)
