"""Runs find their cells: by what they recorded, or by the name of a file of answers."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import pytest

from libdrift.reports.papers.gitchameleon import (
    AGENT,
    AGENT_ALONE,
    GREEDY,
    NO_PROBLEM,
    PROBLEM,
    RAG_1,
    RAG_3,
)
from libdrift.reports.papers.layout import Setting
from libdrift.reports.papers.matching import asked_of, chosen, named_by, row_key
from libdrift.reports.papers.versicode import NO_VERSION, PLAIN
from tests.reports.observed import observed, recorded


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("gpt-4o.jsonl", ("gpt-4o", "greedy", {})),
        ("gpt-4o-self-debug.jsonl", ("gpt-4o", "self-debug", {})),
        ("GPT4o_greedy_solutions.jsonl", ("GPT4o", "greedy", {})),
        ("answers/gpt-4.1/answers.jsonl", ("gpt-4.1", "greedy", {})),
        ("claude-3-7-sonnet_zero-shot-cot.jsonl.gz", ("claude-3-7-sonnet", "cot", {})),
        ("o1/self_debug.jsonl", ("o1", "self-debug", {})),
        ("gpt-4.1-rag-k1.jsonl", ("gpt-4.1", "rag", {"documents": 1})),
        ("goose-gpt-4.1-no-problem", ("goose-gpt-4.1", "assistant", {"problem": False})),
        ("starcoder2-7b-in-file.jsonl", ("starcoder2-7b", "greedy", {"context": "in-file"})),
        ("magma.jsonl", ("magma", "greedy", {})),  # the letters `rag` are not a word in it
        ("answers.jsonl", ("", "greedy", {})),
    ],
)
def test_a_file_of_answers_is_told_by_its_name(
    file: str, expected: tuple[str, str, dict[str, Any]]
) -> None:
    assert named_by(PurePath(file)) == expected


@pytest.mark.parametrize(
    ("setting", "strategy", "ways", "fits"),
    [
        (GREEDY, "greedy", {}, True),
        (GREEDY, "cot", {}, False),
        (GREEDY, "greedy", {"samples": 3, "seed": 7, "max_tokens": 5}, True),
        (GREEDY, "greedy", {"version": False}, False),  # an ablation is another experiment
        (NO_VERSION, "greedy", {"version": False}, True),
        (NO_VERSION, "greedy", {}, False),
        (PLAIN, "sample", {}, True),
        (RAG_3, "rag", {}, True),  # three documents are the default
        (RAG_1, "rag", {}, False),
        (RAG_1, "rag", {"documents": 1}, True),
        (RAG_3, "rag", {"docs": "other-version"}, False),
        (PROBLEM, "assistant", {"command": "goose {path}"}, True),
        (PROBLEM, "assistant", {"problem": False}, False),
        (NO_PROBLEM, "assistant", {"problem": False}, True),
        (AGENT, "agent", {"steps": 5, "search": "https://host/?q={query}"}, True),
        (AGENT, "agent", {"execute": False}, False),
        (AGENT_ALONE, "agent", {"execute": False}, True),
        (AGENT_ALONE, "agent", {}, False),
    ],
)
def test_a_run_fits_a_column(
    setting: Setting, strategy: str, ways: dict[str, Any], *, fits: bool
) -> None:
    assert asked_of(observed("m", "1", strategy, **ways)).fits(setting) is fits


def test_of_two_runs_the_larger_is_shown_and_that_is_said() -> None:
    small, large = observed("openai/gpt-4o", "10"), recorded("gpt-4o.jsonl", "1011")
    found, notes = chosen(map(asked_of, (large, small)), GREEDY)
    assert [run.run for run in found.values()] == [large]
    assert notes == ["openai/gpt-4o, greedy: gpt-4o.jsonl is shown, not openai-gpt-4o-greedy"]


def test_models_are_one_row_however_they_are_spelled() -> None:
    keys = {
        row_key(asked_of(observed(name, "1"))) for name in ("openai/GPT-4o", "gpt 4o", "gpt-4o")
    }
    assert len(keys) == 1
    one, two = (asked_of(observed("m", "1", "agent", search=name)) for name in ("x", "y"))
    assert row_key(one, ["search"]) != row_key(two, ["search"])
