"""Values that the authors' own program, or their paper, gave (GitChameleon)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from libdrift.metrics import logic, retrieval
from tests.metrics import test_api_hits
from tests.published import published

# Pairs of our own, in the form of the authors'.
TWINS: list[dict[str, Any]] = [
    {
        "inputs": {"gold_docs": ["https://x/Y"], "used_docs": ["https://x/y//", "https://z"]},
        "expected": {"hit": True, "strict_precision": False},
    },
    {
        "inputs": {"gold_docs": ["https://x"], "used_docs": ["https://z"]},
        "expected": {"hit": False, "strict_precision": False},
    },
]


def documents(gold_docs: list[str], used_docs: list[str]) -> dict[str, bool]:
    return {
        "hit": retrieval.hit(used_docs, gold_docs),
        "strict_precision": retrieval.strict_precision(used_docs, gold_docs),
    }


def test_documents_in_pairs_of_our_own() -> None:
    assert [documents(**case["inputs"]) for case in TWINS] == [c["expected"] for c in TWINS]


@pytest.mark.published
def test_every_golden_value() -> None:
    cases = json.loads(published("golden", "gitchameleon.json").read_text("utf-8"))["cases"]
    lines = published("gitchameleon", "solutions.jsonl").read_text("utf-8").splitlines()
    solutions = {record["example_id"]: record["answer"] for record in map(json.loads, lines)}
    # Those of the API hit rate have a test of their own.
    elsewhere = {case["metric"] for case in test_api_hits.RELEASED}
    mine = [case for case in cases if case["metric"] not in elsewhere]
    assert {case["metric"] for case in mine} == {"rag_doc_retrieval", "logic_nodes"}
    for case in mine:
        inputs = case["inputs"]
        if case["metric"] == "logic_nodes":
            found: Any = logic.logic_nodes(solutions[inputs["example_id"]])
        else:
            found = documents(**inputs)
        assert found == case["expected"], case["id"]


@pytest.mark.published
def test_both_problems_whose_logic_is_known() -> None:
    lines = published("gitchameleon", "solutions.jsonl").read_text("utf-8").splitlines()
    solutions = {record["example_id"]: record["answer"] for record in map(json.loads, lines)}
    counts = {name: logic.logic_nodes(code) for name, code in solutions.items()}
    assert (counts["0"], counts["329"]) == (3, 0)
    assert None not in counts.values()
