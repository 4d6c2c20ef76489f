"""The explorer in a real browser: what a reader does, and what a hostile answer would like to do."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from libdrift.analysis.comparing import compare_runs
from libdrift.analysis.crossing import cross
from libdrift.analysis.observing import ObservedRun, observe_all
from libdrift.cli.app import app
from libdrift.jobs.exploring import write_explorer
from libdrift.records import Observation, Outcome, Suite
from libdrift.reports.explorer import RunTexts, TextSources, numbers_of, page_of
from tests.reports.explorer.conftest import Open, settle

FIGURES = "els => els.map(one => ({...one.dataset}))"


@pytest.fixture(scope="module")
def page_file(runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "runs.html"
    write_explorer(runs, path)
    return path.as_uri()


@pytest.fixture(scope="module")
def observed(runs: list[Path]) -> tuple[ObservedRun, ...]:
    return observe_all(runs)


def figures(page: Any, view: str, name: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = page.eval_on_selector_all(
        f"{view} [data-figure='{name}']", FIGURES
    )
    return found


def says(page: Any, selector: str, text: str) -> None:
    """Wait until an element says something. Playwright's own waiting evaluates, which is forbidden."""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_text(re.compile(text), timeout=10_000)


def same(shown: str | None, value: float | None) -> bool:
    if shown is None or value is None:
        return shown is None and value is None
    return float(shown) == pytest.approx(value, abs=1e-9)


def test_the_overview_has_the_numbers_of_the_report(
    page_file: str, observed: tuple[ObservedRun, ...], opened: Open
) -> None:
    page = opened(page_file)
    (row,) = cross(observed, ()).to_json()["rows"]
    for number, run in enumerate(observed):
        for measure, rated in row["runs"][run.label].items():
            (cell,) = [
                one for one in figures(page, "#overview", measure) if one["run"] == str(number)
            ]
            for key in ("value", "low", "high", "tasks", "answers"):
                assert same(cell.get(key), rated[key]), (measure, key)


@pytest.mark.parametrize("by", ["library", "year", "category"])
def test_a_breakdown_has_the_numbers_of_the_report(
    page_file: str, observed: tuple[ObservedRun, ...], opened: Open, by: str
) -> None:
    page = opened(f"{page_file}#view=breakdown&by={by}")
    rows = cross(observed, [by], ["hidden"]).to_json()["rows"]
    heads = page.locator("#breakdown tbody th").all_inner_texts()
    assert heads == [row[by] for row in rows]
    shown = figures(page, "#breakdown", "group")
    told = [row["runs"][run.label]["hidden"] for row in rows for run in observed]
    assert len(shown) == len(told)
    for cell, rated in zip(shown, told, strict=True):
        for key in ("value", "low", "high", "tasks", "answers"):
            assert same(cell.get(key), rated[key])


def test_the_page_has_the_numbers_that_the_command_prints(
    page_file: str, runs: list[Path], opened: Open
) -> None:
    arguments = ["report", *map(str, runs), "--by", "library", "--metric", "hidden", "--json"]
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    (printed,) = json.loads(done.stdout)["tables"]
    page = opened(f"{page_file}#view=breakdown&by=library")
    shown = figures(page, "#breakdown", "group")
    heads = page.locator("#breakdown tbody th").all_inner_texts()
    told = {(row["library"], row["run"]): row["hidden"] for row in printed["rows"]}
    assert len(told) == len(shown)
    for at, cell in enumerate(shown):
        number = told[heads[at // len(runs)], str(int(cell["run"]) + 1)]
        assert same(cell["value"], number["value"])
        assert same(cell["low"], number["low"])
        assert same(cell["high"], number["high"])
        assert (int(cell["answers"]), int(cell["tasks"])) == (number["n"], number["tasks"])


def of_any_kind(name: str, seed: int) -> ObservedRun:
    """Programs, texts at two levels, API expressions and amounts, with one answer a task or more."""
    chance = random.Random(seed)
    rows = []
    for number in range(160):
        facts = {"level": chance.choice(("line", "block", "middle", "generate"))}
        facts["kind"] = chance.choice(("generate", "locate"))
        if facts["kind"] == "generate" and number % 3:
            facts["error"] = chance.choice(("TypeError", "timeout"))
        equal = number % 5 == 0  # all answers alike
        for sample in range(chance.choice((1, 1, 3))):
            values: dict[str, float] = {"rounds": float(chance.randrange(1, 6))}
            if facts["level"] == "generate":
                values["hidden"] = 1.0 if equal else float(chance.random() < 0.6)
            elif facts["level"] == "middle":
                values |= {"em": float(chance.random() < 0.3), "edit_similarity": chance.random()}
                values |= {count: float(chance.randrange(4)) for count in ("tp", "fp", "fn")}
            else:
                values |= {
                    "em": float(chance.random() < 0.5),
                    "ism": 1 / 3 if equal else chance.random(),
                }
            rows.append(Observation(name, f"t{number}", sample, Outcome.FAILED, facts, values))
    return ObservedRun(name, name, "any", "fixed", 160, {}, tuple(rows), Path("nowhere"))


def test_every_kind_of_measure_is_computed_as_the_analysis_does(
    tmp_path: Path, opened: Open
) -> None:
    observed = [of_any_kind("first", 1), of_any_kind("second", 2)]
    nothing = TextSources(lambda _: Suite("any", "", ""), lambda _: {})
    page_html = page_of("any", numbers_of(observed), [RunTexts(run, nothing) for run in observed])
    (tmp_path / "page.html").write_text(page_html.html, encoding="utf-8")
    page = opened((tmp_path / "page.html").as_uri())
    (row,) = cross(observed, ()).to_json()["rows"]
    compared = 0
    for number, run in enumerate(observed):
        for measure, rated in row["runs"][run.label].items():
            (cell,) = [
                one for one in figures(page, "#overview", measure) if one["run"] == str(number)
            ]
            for key in ("value", "low", "high", "tasks", "answers"):
                assert same(cell.get(key), rated[key]), (measure, key, cell, rated)
            compared += 1
    assert compared == 2 * 11
    page.evaluate("() => { location.hash = '#view=breakdown&by=error'; }")
    page.wait_for_selector("#breakdown")
    shown = iter(figures(page, "#breakdown", "group"))
    for row in cross(observed, ["error"]).to_json()["rows"]:
        for run in observed:
            cell, rated = next(shown), row["runs"][run.label]["share"]
            assert all(same(cell.get(key), rated[key]) for key in ("value", "low", "high", "tasks"))
    assert next(shown, None) is None


def test_two_facts_are_crossed(
    page_file: str, observed: tuple[ObservedRun, ...], opened: Open
) -> None:
    page = opened(f"{page_file}#view=breakdown&by=library,difficulty")
    shown = {
        (cell["run"], group): cell["value"]
        for cell, group in page.eval_on_selector_all(
            ".matrix [data-figure='cell']",
            "els => els.map(one => [{...one.dataset}, one.closest('td').dataset.group])",
        )
    }
    rows = cross(observed, ["library", "difficulty"], ["hidden"]).to_json()["rows"]
    told = {
        (str(number), f"{row['library']} {row['difficulty']}"): found["hidden"]["value"]
        for row in rows
        for number, run in enumerate(observed)
        if (found := row["runs"][run.label])
    }
    assert shown.keys() == told.keys()
    assert all(same(shown[key], told[key]) for key in told)


def test_errors_are_shares_of_all_answers(
    page_file: str, observed: tuple[ObservedRun, ...], opened: Open
) -> None:
    page = opened(f"{page_file}#view=breakdown&by=error")
    rows = cross(observed, ["error"]).to_json()["rows"]
    shown = figures(page, "#breakdown", "group")
    for at, row in enumerate(rows):
        for number, run in enumerate(observed):
            share = row["runs"][run.label].get("share")
            if share is not None:
                assert same(shown[2 * at + number]["value"], share["value"])
                assert same(shown[2 * at + number]["low"], share["low"])


def test_the_slider_recomputes_every_number(
    page_file: str, observed: tuple[ObservedRun, ...], opened: Open
) -> None:
    """By the keyboard, as a reader may: thirty dates further."""
    page = opened(page_file)
    before = figures(page, "#overview", "hidden")[0]
    page.focus("#from")
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    first = page.get_attribute("#from", "aria-valuetext")
    page.wait_for_url(re.compile(f"from={first}"))
    after = figures(page, "#overview", "hidden")
    assert after[0]["tasks"] != before["tasks"]
    for number, run in enumerate(observed):
        later = [one for one in run.observations if one.facts["date"] >= str(first)]
        tasks = {one.task_id for one in later}
        share = sum(one.values["hidden"] for one in later) / len(later)
        assert int(after[number]["tasks"]) == len(tasks)
        assert same(after[number]["value"], share)  # as many answers to each task
    says(page, "#told", "vendor/alpha")
    page.click("#whole")
    settle(page)
    assert figures(page, "#overview", "hidden")[0] == before


def test_two_runs_are_compared_as_the_report_does(
    page_file: str, observed: tuple[ObservedRun, ...], opened: Open
) -> None:
    page = opened(f"{page_file}#view=compare")
    shown = dict(
        page.eval_on_selector_all(
            "[data-compare]",
            "els => els.map(one => [one.dataset.compare, Number(one.dataset.value)])",
        )
    )
    (measured,) = compare_runs(observed, metrics=["hidden"]).measured
    (difference,) = measured.differences
    assert shown["tasks"] == difference.tasks == measured.common
    assert shown["delta"] == pytest.approx(difference.value, abs=1e-9)
    assert shown["p"] == pytest.approx(difference.p, rel=1e-9)
    ends = page.locator("[data-compare=delta]").evaluate(
        "one => [one.dataset.low, one.dataset.high]"
    )
    low, high = map(float, ends)
    # The report also draws tasks with replacement, and takes the wider interval.
    assert difference.low is not None
    assert difference.high is not None
    assert difference.low - 1e-9 <= low < difference.value < high <= difference.high + 1e-9
    assert [shown["a"], shown["b"]] == pytest.approx([one.value for one in measured.rated])
    square = page.locator("#square td").all_inner_texts()
    assert int(square[1]) + int(square[2]) == len(measured.discordant)
    heads = page.locator("section h3").all_inner_texts()
    assert f": {difference.first_better} task" in heads[0]
    assert f": {difference.second_better} task" in heads[1]
    page.locator("#only-a tbody a").first.click()
    page.wait_for_selector("#detail[aria-busy=false]")
    assert "view=task" in page.url


def test_an_answer_is_told_with_all_that_is_known(
    page_file: str, runs: list[Path], opened: Open
) -> None:
    lines = (runs[1] / "answers.jsonl").read_text().splitlines()
    answer = json.loads(lines[3])
    page = opened(f"{page_file}#view=answers")
    page.fill("#search", answer["task_id"])
    says(page, "#found", "with")
    page.locator("#answers tbody a").nth(2).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#detail[aria-busy=false]")
    page.locator(".siblings a").nth(3).click()  # the second sample of the second run
    page.wait_for_selector("#detail[aria-busy=false]")
    assert page.inner_text("#answer code") == answer["answer"]
    assert "−" in page.inner_text("#difference pre")
    assert "Write solve(values)" in page.inner_text("#prompt code")
    assert "test_solve" in page.inner_text("#verdict table")
    assert "could not reach them" in page.inner_text("#verdict")
    assert "Nothing is known of" in page.inner_text("#history")
    page.wait_for_selector("#heading:focus", timeout=10_000)
    shared = opened(page.url)
    shared.wait_for_selector("#detail[aria-busy=false]")
    assert shared.inner_text("#answer code") == answer["answer"]


def test_words_of_answers_and_logs_are_found(
    page_file: str, runs: list[Path], opened: Open
) -> None:
    verdicts = map(json.loads, (runs[0] / "verdicts.jsonl").read_text().splitlines())
    reason = next(one["reason"] for one in verdicts if one["reason"])
    word = reason.rpartition(" ")[2]
    page = opened(f"{page_file}#view=answers")
    page.keyboard.press("/")
    page.keyboard.type(word)
    says(page, "#found", r"^[1-9]\d* answers? with")
    assert page.locator("#answers tbody a").count()
    page.fill("#search", "no-such-word-anywhere")
    says(page, "#found", r"^0 answers.*log\.$")


def test_a_value_narrows_everything_and_is_taken_back(page_file: str, opened: Open) -> None:
    page = opened(f"{page_file}#view=breakdown&by=library")
    name = page.locator("#breakdown tbody a").first.inner_text()
    page.locator("#breakdown tbody a").first.click()
    settle(page)
    assert page.locator("#breakdown tbody tr").count() == 1
    page.get_by_role("button", name=f"Remove the filter library: {name}").click()
    settle(page)
    assert page.locator("#breakdown tbody tr").count() > 1
    page.go_back()
    assert page.locator("#breakdown tbody tr").count() == 1


def test_cost_and_tokens(page_file: str, observed: tuple[ObservedRun, ...], opened: Open) -> None:
    page = opened(f"{page_file}#view=costs")
    shown = page.eval_on_selector_all(
        "[data-cost]",
        "els => els.map(one => [one.dataset.cost, +one.dataset.run, +one.dataset.value])",
    )
    told = {(name, number): value for name, number, value in shown}
    for number, run in enumerate(observed):
        assert told["cost", number] == pytest.approx(sum(one.cost or 0 for one in run.observations))
        assert told["output", number] == sum(one.output_tokens or 0 for one in run.observations)


@pytest.mark.parametrize("width", [400, 1600])
def test_no_view_is_wider_than_the_window(
    page_file: str, runs: list[Path], opened: Open, width: int
) -> None:
    answer = json.loads((runs[0] / "answers.jsonl").read_text().splitlines()[0])
    page = opened(page_file, width)
    for view in ("overview", "breakdown", "compare", "costs", "answers", "task"):
        address = f"#view={view}&task={answer['task_id']}&run=0&sample=0"
        page.evaluate("address => { location.hash = address; }", address)
        page.wait_for_selector("h2")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, view


def test_who_does_not_see_finds_the_way(page_file: str, opened: Open) -> None:
    """Landmarks, names of all controls, table heads, and a way by keyboard alone."""
    page = opened(page_file)
    for role in ("banner", "main", "navigation", "search", "contentinfo"):
        assert page.get_by_role(role).count() == 1, role
    nameless = page.eval_on_selector_all(
        "input, select, button, [tabindex='0']",
        "els => els.filter(one => !(one.ariaLabel || one.labels?.length || one.textContent.trim())).map(one => one.outerHTML)",
    )
    assert nameless == []
    assert page.locator("table:not(:has(caption))").count() == 0
    assert page.locator("thead th:not([scope])").count() == 0
    page.keyboard.press("Tab")
    settle(page)
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.view") == "compare":
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    page.wait_for_selector("#heading:focus", timeout=10_000)
    assert page.inner_text("h2") == "Compare"


@pytest.mark.parametrize(
    ("scheme", "views"), [("light", ("compare", "task")), ("dark", ("overview",))]
)
def test_no_rule_of_accessibility_is_broken(
    page_file: str, runs: list[Path], browser: Any, scheme: str, views: tuple[str, ...]
) -> None:
    """By axe: names, roles, tables, contrast of colours, and so on."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    answer = json.loads((runs[0] / "answers.jsonl").read_text().splitlines()[0])
    # What it injects is what the page's own policy forbids.
    context = browser.new_context(bypass_csp=True, color_scheme=scheme)
    page = context.new_page()
    page.goto(page_file)
    page.wait_for_selector("html[data-ready]")
    for view in views:
        address = f"#view={view}&task={answer['task_id']}&run=0&sample=0"
        page.evaluate("address => { location.hash = address; }", address)
        page.wait_for_selector("#detail[aria-busy=false]" if view == "task" else "h2")
        found = axe.run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], view
    context.close()


def test_light_and_dark(page_file: str, opened: Open) -> None:
    page = opened(page_file)
    paper = "getComputedStyle(document.body.parentElement).backgroundColor"
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(paper)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(paper)
    assert dark != light
    page.click("#theme")
    page.click("#theme")
    settle(page)
    assert page.evaluate(paper) == dark
    page.emulate_media(media="print")
    assert not page.locator("#theme").is_visible()


def test_the_answers_of_a_long_table_are_there_when_they_are_seen(
    page_file: str, observed: tuple[ObservedRun, ...], opened: Open
) -> None:
    page = opened(f"{page_file}#view=answers")
    every = sum(len(run.observations) for run in observed)
    assert page.get_attribute("#answers", "aria-rowcount") == str(every + 1)
    assert page.locator("#answers tbody tr[aria-rowindex]").count() < every
    page.eval_on_selector(".long", "one => { one.scrollTop = one.scrollHeight; }")
    page.wait_for_selector(f"#answers tr[aria-rowindex='{every + 1}']")


PAYLOADS = [
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 1</script>",
    "</textarea></title></style><img src=x onerror='window.hacked = 1'>",
    '"><svg onload="window.hacked = 1">',
    "javascript:window.hacked=1",
    "<!--<script>",
    "<iframe srcdoc='<script>parent.hacked = 1</script>'></iframe>",
    "<a href='javascript:window.hacked=1'>x</a><base href='//elsewhere.invalid/'>",
    "${window.hacked = 1}{{ 7 * 7 }}{% raw %}",
    "constructor",
    "__proto__",
    "line\u2028and\u2029paragraph \u202egnp.exe \ud800 &lt;b&gt;",
]


def hostile_run(folder: Path, payload: str) -> Path:
    """A run in which every text is the payload."""
    run = folder
    run.mkdir(parents=True)
    whole = payload.replace("\ud800", "\ufffd")  # only an answer may have half a character
    about = {
        "suite": whole,
        "model": whole,
        "summary": {"scores": []},
        "provenance": {"command": ["libdrift", whole]},
    }
    (run / "run.json").write_text(json.dumps(about))
    place = {"task_id": whole, "sample": 0}
    verdict = {
        **place,
        "split": "hidden",
        "outcome": "failed",
        "reason": whole,
        "log": whole,
        "cases": [{"name": whole, "outcome": whole}],
        "proof": whole,
    }
    calls = [
        {"prompt": "p", "messages": [{"role": whole, "content": whole}]},
        {**place, "prompt": "p", "output": {}, "tokens_in": 1, "tokens_out": 1},
    ]
    for name, lines in {
        "tasks.jsonl": [
            {"task_id": whole, "facts": {"library": whole, "date": whole, whole: whole}}
        ],
        "answers.jsonl": [{**place, "answer": payload}],
        "verdicts.jsonl": [verdict],
        "calls.jsonl": calls,
    }.items():
        (run / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return run


def test_hostile_texts_stay_texts(tmp_path: Path, opened: Open) -> None:
    """Every text of a run is a payload. ``opened`` fails where the page errs or asks for anything."""
    runs = [hostile_run(tmp_path / f"{at}", payload) for at, payload in enumerate(PAYLOADS)]
    write_explorer(runs, tmp_path / "page.html")
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert html.count("<script") == 3  # numbers, texts and the page's own
    page = opened((tmp_path / "page.html").as_uri())
    for view in ("overview", "breakdown", "compare", "costs", "answers"):
        page.click(f"#tabs a[data-view={view}]")
        if view == "breakdown":
            for name in page.eval_on_selector_all(
                "#by-first option", "els => els.map(one => one.value)"
            ):
                page.select_option("#by-first", name)
    page.wait_for_selector("#answers tbody a")
    addresses = page.eval_on_selector_all(
        "#answers tbody a", "els => els.map(one => one.getAttribute('href'))"
    )
    assert len(addresses) == len(PAYLOADS)
    for address, payload in zip(addresses, PAYLOADS, strict=True):
        page.evaluate("address => { location.hash = address; }", address)
        page.wait_for_selector("#detail[aria-busy=false]")
        shown = page.inner_text("#answer code", timeout=3000)
        assert _plain(shown) == _plain(payload)
        assert _plain(page.inner_text("#prompt code")) == _plain(payload)
        assert _plain(page.inner_text("#verdict table th[scope=row]")) == _plain(payload)
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("({}).hacked") is None
    assert page.locator("main script, main iframe, main img, main base").count() == 0


def _plain(text: str) -> str:
    """Without what is shown as a sign, or what is no character."""
    return re.sub(r"⟨U\+\w+⟩|[\u2028\u2029\u202e\ufffd\ud800\n]", "", text)
