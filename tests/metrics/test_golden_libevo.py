"""Values that the authors' own programs gave (LibEvolutionEval, CrossCodeEval)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from libdrift.metrics import expressions, identifiers
from libdrift.metrics.identifiers import Comparison, IdentifierSummary
from libdrift.metrics.modes import Mode
from tests.metrics import tallied
from tests.published import published

# The formats of documents belong to the suite, and are tested there.
ELSEWHERE = {"doc_key", "augment_prompt"}


def comparisons(samples: list[dict[str, str]]) -> list[Comparison]:
    return [
        identifiers.compare(
            sample["prompt"], sample["target"], sample["hypothesis"], mode=Mode.RELEASED
        )
        for sample in samples
    ]


def figures(summary: IdentifierSummary) -> dict[str, float | None]:
    return {
        "em": summary.em.value,
        "id_em": summary.id_em.value,
        "id_precision": summary.precision.value,
        "id_recall": summary.recall.value,
        "id_f1": summary.f1.value,
    }


def f1(samples: list[dict[str, str]]) -> dict[str, Any]:
    found = comparisons(samples)
    summary = tallied.micro(found, Mode.RELEASED)
    return {
        "summary": {**figures(summary), "total": summary.f1.n},
        "per_sample": [
            {
                "em": one.em,
                "id_em": one.ids.same,
                "id_precision": one.ids.precision,
                "id_recall": one.ids.recall,
            }
            for one in found
        ],
        "tp_fp_fn": [[one.ids.tp, one.ids.fp, one.ids.fn] for one in found],
    }


def api_call(code: str, imports: list[str]) -> dict[str, Any]:
    found, text = expressions.released_api_call(code, imports)
    return {"found": found, "text": text}


METRICS: dict[str, Callable[..., Any]] = {
    "extract_api_call": api_call,
    "truncate_first_statement": expressions.released_truncated,
    "remove_comments": expressions.released_without_comments,
    "identifiers": identifiers.released_identifiers,
    "f1": f1,
    "f1_crosscodeeval": lambda samples: figures(tallied.macro(comparisons(samples), Mode.RELEASED)),
}

# Pairs of our own, in the form of the authors'.
TWINS: list[dict[str, Any]] = [
    {
        "metric": "extract_api_call",
        "inputs": {"code": "x\ntorchaudio.load(p)\n", "imports": ["torch"]},
        "expected": {"found": True, "text": "torchaudio.load(p)"},
    },
    {
        "metric": "truncate_first_statement",
        "inputs": {"prompt": "for i in j:\n    ", "completion": "f(i,\n      1)\n    g()"},
        "expected": "f(i,\n      1)",
    },
    {
        "metric": "remove_comments",
        "inputs": {"code": "u = 'http://x' # y"},
        "expected": "u = 'http:",
    },
    {"metric": "identifiers", "inputs": {"code": "not 'a' in b1"}, "expected": ["not", "in", "b1"]},
    {
        "metric": "f1",
        "inputs": {
            "samples": [
                {"prompt": "y = ", "hypothesis": "f(a)\ng(b)", "target": "f(a, c)"},
                {"prompt": "y = ", "hypothesis": "f(a", "target": "f(a)"},
            ]
        },
        "expected": {
            "summary": {
                "em": 0.0,
                "id_em": 50.0,
                "id_precision": 100.0,
                "id_recall": 80.0,
                "id_f1": 88.88888888888889,
                "total": 2,
            },
            "per_sample": [
                {"em": 0, "id_em": 0, "id_precision": 1.0, "id_recall": 2 / 3},
                {"em": 0, "id_em": 1, "id_precision": 1.0, "id_recall": 1.0},
            ],
            "tp_fp_fn": [[2, 0, 1], [2, 0, 0]],
        },
    },
    {
        "metric": "f1_crosscodeeval",
        "inputs": {
            "samples": [
                {"prompt": "y = ", "hypothesis": "f(a) if b else None", "target": "f(a, c)"},
                {"prompt": "y = ", "hypothesis": "f(a)", "target": "f(a)"},
            ]
        },
        "expected": {
            "em": 50.0,
            "id_em": 50.0,
            "id_precision": 83.33,
            "id_recall": 83.33,
            "id_f1": 83.33,
        },
    },
]


def wrong(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [case for case in cases if METRICS[case["metric"]](**case["inputs"]) != case["expected"]]


def test_released_mode_in_pairs_of_our_own() -> None:
    assert {case["metric"] for case in TWINS} == METRICS.keys()
    assert wrong(TWINS) == []


@pytest.mark.published
def test_released_mode_gives_every_golden_value() -> None:
    cases = json.loads(published("golden", "libevo.json").read_text("utf-8"))["cases"]
    mine = [case for case in cases if case["metric"] not in ELSEWHERE]
    assert {case["metric"] for case in mine} == METRICS.keys()
    assert wrong(mine) == []
