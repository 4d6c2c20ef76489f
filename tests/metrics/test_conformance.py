"""What holds for every metric, those of newcomers too: each is run by the table below.

Without data a metric has no value (``None``, never 0, or an error in words); it is 1 where all is
right and 0 where all is wrong, does not depend on the order of its data, and stays between 0 and 1.
Functions that only read text for a metric are named apart. Whatever else is public needs a row.
"""

from __future__ import annotations

import ast
import inspect
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import libdrift
from libdrift.metrics import (
    agreement,
    api_hits,
    api_usage,
    at_k,
    change_points,
    completions,
    correlation,
    critical_diff,
    edits,
    identifiers,
    intervals,
    likeness,
    logic,
    paired,
    rates,
    retrieval,
    spread,
    uncertainty,
)
from libdrift.metrics.completions import CompletionReference, Scorer
from libdrift.metrics.modes import Mode

ROOT = Path(libdrift.__file__).parent
DOCS = ROOT.parent.parent / "docs/metrics.md"
MODULES = sorted(path.stem for path in (ROOT / "metrics").glob("[a-z]*.py"))
ERROR = "a ValueError"  # in place of a value: the caller is told that there is nothing to measure


@dataclass(frozen=True)
class Row:
    """A metric: ``of`` takes data, a list of items in any order, and gives one number."""

    covers: tuple[Any, ...]  # the public functions and classes that it runs
    of: Callable[[list[Any]], float | bool | None]
    right: list[Any]
    wrong: list[Any]
    nothing: list[Any] | None = None  # data that says nothing; None: no data at all
    without: float | str | None = None  # what it gives then
    best: float | None = 1.0
    worst: float | None = 0.0
    bounds: tuple[float, float] = (0.0, 1.0)


def _lowest(items: list[float]) -> float | None:
    if not items:
        return None
    error = uncertainty.clustered_error([one] for one in items)
    if not intervals.varies(error):
        return intervals.wilson(sum(items), len(items))[0]
    return intervals.clustered_interval(sum(items) / len(items), error, len(items))[0]


def _drop(items: list[tuple[int, float]]) -> float | None:
    found = change_points.change_point([at for at, _ in items], [value for _, value in items])
    return None if found is None else found.p


def _by_task(items: list[tuple[str, bool]]) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = {}
    for task, passed in items:
        found.setdefault(task, []).append(passed)
    return found


def _completion(mode: Mode) -> Callable[[list[tuple[str, str]]], float | None]:
    def mean(items: list[tuple[str, str]]) -> float | None:
        scores = [
            Scorer(
                CompletionReference("line", "area", line, "", "x = 1\n<line_mask>\n"), mode
            ).score_answer(answer)
            for line, answer in items
        ]
        values = [one.ism for one in scores if one.ism is not None]
        values += [one.pm for one in scores if one.pm is not None]
        values += [float(one.em) for one in scores]
        values += [float(one.cdc) for one in scores if one.cdc is not None]
        values += [float(w) for one in scores if (w := one.without(1)) is not None]
        return sum(values) / len(values) if values else None

    return mean


def _tally(mode: Mode) -> Callable[[list[tuple[str, str]]], float | None]:
    def f1(items: list[tuple[str, str]]) -> float | None:
        tally = identifiers.Tally(mode)
        for target, answer in items:
            tally.add([identifiers.compare("", target, answer, mode=mode)])
        found = tally.micro().f1.value
        return found if mode is Mode.FIXED or found is None else found / 100

    return f1


def _pairs(items: list[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    return [first for first, _ in items], [second for _, second in items]


TASKS = ["a", "b", "b", "c", "c", "c"]
PASSED = [(task, True) for task in TASKS]
FAILED = [(task, False) for task in TASKS]
LINES = [("y = area(2)", "y = area(2)"), ("area(1, k=2)", "area(1, k=2)")]
OTHER_LINES = [("y = area(2)", "hello("), ("area(1, k=2)", "")]
NAMES = [("plt.plot(x)", "plt.plot(x)"), ("plt.axis(y)", "plt.axis(y)")]
OTHER_NAMES = [("plt.plot(x)", "q"), ("plt.axis(y)", "w")]
CALL = "import m\nm.f(1)\n"
ROWS = {
    "success_rate": Row(
        (rates.success_rate, rates.Rate, uncertainty.clustered_error, uncertainty.totals),
        lambda items: rates.success_rate(_by_task(items)).value,
        PASSED,
        FAILED,
        [],
    ),
    "rate_at_k": Row(
        (rates.rate_at_k,),
        lambda items: rates.rate_at_k(_by_task(items), 2).value,
        PASSED,
        FAILED,
        [("a", True)],
    ),
    "pass_at_k": Row(
        (at_k.pass_at_k,),
        lambda items: at_k.pass_at_k(len(items), sum(items), 2),
        [True] * 4,
        [False] * 4,
        [],
        ERROR,
    ),
    "best_at_k": Row(
        (at_k.best_at_k,), lambda items: at_k.best_at_k(items, 2), [1.0] * 4, [0.0] * 4, [], ERROR
    ),
    "binomial_error": Row(
        (uncertainty.binomial_error,),
        lambda items: uncertainty.binomial_error(sum(items), len(items)),
        [True] * 4,
        [False] * 4,
        [],
        best=0.0,
    ),
    "ratio_error": Row(
        (uncertainty.ratio_error,), uncertainty.ratio_error, [(1, 1)] * 4, [(0, 1)] * 4, [], best=0
    ),
    "ratio": Row(
        (uncertainty.RatioSums,),
        lambda items: _ratio(items).value,
        [(1, 1)] * 4,
        [(0, 1)] * 4,
        [],
    ),
    "bootstrap": Row(
        (uncertainty.bootstrap, uncertainty.Interval),
        lambda items: getattr(uncertainty.bootstrap(sorted(items), resamples=50), "high", None),
        [(1, 1)] * 4,
        [(0, 1)] * 4,
        [],
    ),
    "agreement": Row(
        (agreement.agreement, agreement.Agreement),
        lambda items: agreement.agreement(*_pairs(items)).raw,
        [(True, True), (False, False)],
        [(True, False), (False, True)],
        [(None, True)],
    ),
    "kappa": Row(
        (),
        lambda items: agreement.agreement(*_pairs(items)).kappa,
        [(True, True), (False, False)],
        [(True, False), (False, True)],
        [],
        worst=-1.0,
        bounds=(-1.0, 1.0),
    ),
    "pearson": Row(
        (correlation.pearson, correlation.Correlation),
        lambda items: getattr(correlation.pearson(*_pairs(items)), "value", None),
        [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)],
        [(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)],
        [(1.0, 1.0)] * 3,
        worst=-1.0,
        bounds=(-1.0, 1.0),
    ),
    "spearman": Row(
        (correlation.spearman,),
        lambda items: getattr(correlation.spearman(*_pairs(items)), "value", None),
        [(1.0, 2.0), (2.0, 4.0), (3.0, 9.0)],
        [(1.0, 9.0), (2.0, 2.0), (3.0, 1.0)],
        [],
        worst=-1.0,
        bounds=(-1.0, 1.0),
    ),
    # Of documents the order says how far up they are: only what was wanted has none.
    "reciprocal_rank": Row(
        (retrieval.reciprocal_rank,),
        lambda wanted: retrieval.reciprocal_rank(["a", "b"], wanted),
        ["a", "b"],
        ["x", "y"],
        [],
    ),
    "precision_at": Row(
        (retrieval.precision_at,),
        lambda wanted: retrieval.precision_at(2, ["a", "b"], wanted),
        ["a", "b"],
        ["x", "y"],
        [],
    ),
    "recall_at": Row(
        (retrieval.recall_at,),
        lambda wanted: retrieval.recall_at(2, ["a", "b"], wanted),
        ["a", "b"],
        ["x", "y"],
        [],
    ),
    "ndcg_at": Row(
        (retrieval.ndcg_at,),
        lambda wanted: retrieval.ndcg_at(2, ["a", "b"], wanted),
        ["a", "b"],
        ["x", "y"],
        [],
    ),
    # GitChameleon's program calls a search for nothing a miss, and so do these.
    "hit": Row(
        (retrieval.hit, retrieval.address),
        lambda wanted: retrieval.hit(["A/", "b"], wanted),
        ["a", "b"],
        ["x"],
        [],
        0.0,
    ),
    "strict_precision": Row(
        (retrieval.strict_precision,),
        lambda wanted: retrieval.strict_precision(["a", "b"], wanted),
        ["a", "b"],
        ["x"],
        [],
        0.0,
    ),
    "api_hit": Row(
        (api_hits.hit, api_hits.calls, api_hits.truth_calls),
        lambda truth: api_hits.hit(truth, CALL),
        [*api_hits.truth_calls("import m\n", CALL)],
        ["m.g"],
        [],
    ),
    "api_usage": Row(
        (api_usage.uses,),
        lambda codes: all(api_usage.uses(code, "leak") for code in codes) if codes else None,
        ["fn f() { Vec::leak(v) }"],
        ["// leak"],
        [],
    ),
    "completions": Row(
        (
            completions.Scorer,
            completions.Scores,
            completions.CompletionReference,
            critical_diff.together,
            critical_diff.without,
            critical_diff.ablated,
            critical_diff.Fixed,
            critical_diff.Surroundings,
            likeness.fixed,
            likeness.closest,
            likeness.Likeness,
        ),
        _completion(Mode.FIXED),
        LINES,
        OTHER_LINES,
        [],
    ),
    "completions, released": Row(
        (critical_diff.ReleasedRules, likeness.ReleasedLikeness),
        _completion(Mode.RELEASED),
        LINES,
        [("y = area(2)", "q"), ("area(1, k=2)", "")],
        [],
    ),
    "identifiers": Row(
        (
            identifiers.compare,
            identifiers.Tally,
            identifiers.Comparison,
            identifiers.Overlap,
            identifiers.IdentifierSummary,
        ),
        _tally(Mode.FIXED),
        NAMES,
        OTHER_NAMES,
        [],
    ),
    "identifiers, released": Row((), _tally(Mode.RELEASED), NAMES, OTHER_NAMES, []),
    "similarity": Row(
        (edits.similarity,),
        lambda pairs: sum(edits.similarity(*pair) for pair in pairs) / len(pairs),
        [("ab", "ab"), ("", "")],
        [("ab", "cd"), ("", "x")],
    ),
    "similarity, released": Row(
        (edits.released_similarity, edits.EditBackend),
        lambda pairs: sum(edits.released_similarity(*pair) for pair in pairs) / len(pairs) / 100,
        [("ab", "ab")],
        [("ab", "cd")],
    ),
    "intervals": Row(
        (intervals.wilson, intervals.clustered_interval, intervals.varies),
        _lowest,
        [1.0] * 8,
        [0.0] * 8,
        [],
        best=8 / (8 + 1.959964**2),
    ),
    "McNemar's test": Row(
        (paired.mcnemar, paired.signs),
        lambda pairs: paired.mcnemar(*paired.signs([second - first for first, second in pairs])),
        [(1.0, 1.0), (0.0, 0.0)],
        [(0.0, 1.0)] * 60,
        [],
        without=1.0,
    ),
    "interval of a difference": Row(
        (paired.difference_interval,),
        lambda pairs: paired.difference_interval(
            *(
                (sum(side) / len(side), *intervals.wilson(sum(side), len(side)))
                for side in zip(*pairs, strict=True)
            )
        )[1],
        [(0.0, 1.0)] * 8,
        [(1.0, 0.0)] * 8,
        worst=-1 + math.sqrt(2) * (1 - 8 / (8 + 1.959964**2)),
        bounds=(-1.0, 1.0),
    ),
    # p-values: 1 where groups, or earlier and later outcomes, are alike.
    "spread": Row(
        (spread.spread, spread.permuted_difference),
        lambda items: spread.permuted_difference(
            *([v for at, v in items if at == side] for side in (0, 1))
        ),
        [(0, 1.0), (1, 1.0)] * 4,
        [(0, 1.0), (1, 0.0)] * 15,
        [],
        worst=1 / 2001,
    ),
    "change_point": Row(
        (change_points.change_point, change_points.ChangePoint),
        _drop,
        [(at, 1.0) for at in range(8)],
        [(at, float(at < 20)) for at in range(40)],
        [],
        worst=1 / 1001,
    ),
    # A count, and so without an upper bound.
    "logic_nodes": Row(
        (logic.logic_nodes,),
        lambda lines: logic.logic_nodes("\n".join(lines)),
        ["x = f(1)", "y = g(2)"],
        ["x = 1", "y = 2"],
        ["def broken("],
        best=2.0,
        bounds=(0.0, math.inf),
    ),
}
# As released, with the defects that the fixed ones repair: golden tests hold them to the authors'.
RELEASED = re.compile(r"released_|candidates$")
# What reads text for a metric and gives no number, by module.
READERS = {"accuracies", "cleaning", "core_lines", "expressions", "modes", "names", "trees"}
READS = {identifiers.names}


def _ratio(items: list[tuple[float, float]]) -> uncertainty.RatioSums:
    sums = uncertainty.RatioSums()
    for above, below in items:
        sums.add(above, below)
    assert sums.stderr is None or sums.stderr >= 0
    return sums


def public(module: str) -> list[Any]:
    """The functions and classes that a module of metrics has made itself."""
    found = import_module(f"libdrift.metrics.{module}")
    return [
        one
        for name, one in vars(found).items()
        if not name.startswith("_")
        and isinstance(one, (FunctionType, type))
        and one.__module__ == found.__name__
    ]


@pytest.mark.parametrize("name", ROWS)
def test_without_data_there_is_no_value(name: str) -> None:
    row = ROWS[name]
    if row.nothing is None:
        return  # two texts are always there
    if row.without == ERROR:
        with pytest.raises(ValueError, match="say nothing of"):
            row.of(row.nothing)
    else:
        assert row.of(row.nothing) == row.without


@pytest.mark.parametrize("name", ROWS)
def test_all_right_is_best_and_all_wrong_is_worst(name: str) -> None:
    row = ROWS[name]
    assert row.of(row.right) == pytest.approx(row.best)
    assert row.of(row.wrong) == pytest.approx(row.worst)


@pytest.mark.parametrize("name", ROWS)
def test_it_is_bounded_and_does_not_depend_on_the_order(name: str) -> None:
    row = ROWS[name]
    chance = random.Random(name)
    low, high = row.bounds
    for _ in range(20):
        data = chance.choices([*row.right, *row.wrong], k=8)
        value = row.of(data)
        again = row.of(chance.sample(data, len(data)))
        assert again == (None if value is None else pytest.approx(value))
        assert value is None or low - 1e-9 <= value <= high + 1e-9


@pytest.mark.parametrize("module", MODULES)
def test_whatever_is_public_has_a_row(module: str) -> None:
    covered = {id(one) for row in ROWS.values() for one in row.covers} | {id(one) for one in READS}
    for one in public(module):
        if module not in READERS and not RELEASED.match(one.__name__):
            assert id(one) in covered, f"{module}.{one.__name__} has no row in this table"
        if isinstance(one, FunctionType) and module in READERS:
            numbers = {"float", "float | None", "Rate"}
            assert inspect.get_annotations(one).get("return") not in numbers, one.__name__


@pytest.mark.parametrize("module", MODULES)
def test_whatever_is_public_is_reached(module: str) -> None:
    """By another part of libdrift, or by readers of the page on metrics, for their own analyses."""
    others = [path for path in ROOT.rglob("*.py") if "hostile" not in path.parts]
    texts = {path: path.read_text(encoding="utf-8") for path in others}
    page = DOCS.read_text(encoding="utf-8")
    for one in public(module):
        word = re.compile(rf"\b{one.__name__}\b")
        own = texts[ROOT / "metrics" / f"{module}.py"]
        used = any(
            isinstance(node, (ast.Name, ast.Attribute))
            and (getattr(node, "id", None) or getattr(node, "attr", None)) == one.__name__
            for node in ast.walk(ast.parse(own))
        )
        importing = re.compile(rf"\b{module}\b")
        elsewhere = any(
            importing.search(text) and word.search(text)
            for path, text in texts.items()
            if path != ROOT / "metrics" / f"{module}.py"
        )
        documented = f"`{module}`" in page or f"{module}.{one.__name__}`" in page
        assert used or elsewhere or documented, f"{module}.{one.__name__} is reached by nothing"
