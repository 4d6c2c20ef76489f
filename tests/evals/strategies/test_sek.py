"""Keywords: found in what a model says, ranked, and told; without them the prompt is plain."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.evals.options import EvalOptions
from libdrift.evals.strategies.sek import (
    Frequencies,
    Keyword,
    KeywordKind,
    Keywords,
    corpus,
    extracted,
    ranked,
    words,
)
from tests.evals.small import evaluated, lines, rate, script, write_tasks
from tests.evals.strategies.rooms import Scripted, room
from tests.scoring.texts import text_suite

EXTRACTED = {
    "plain": ('{"even digits": "0, 2, 4"}', ["even digits"]),
    "fenced": ('Sure!\n```json\n{"a": "x",\n "b": "y"}\n```', ["a", "b"]),
    "too many": (json.dumps({str(number): "x" for number in range(9)}), ["0", "1", "2"]),
    "some empty": ('{" ": "x", "a": "", "b": "y"}', ["b"]),
    "nothing": ("", []),
    "prose": ("The keywords are: even digits.", []),
    "no texts": ('{"even digits": 2}', []),
    "a list": ('["even digits"]', []),
    "cut": ('{"even digits": "0, 2', []),
    "wrong way round": ("} and {", []),
    "half of a pair": ('{"even": "\ud800"}', []),
    "deep": ('{"a":' * 5000, []),
}


@pytest.mark.parametrize("name", EXTRACTED)
def test_keywords_are_found_where_they_have_the_form(name: str) -> None:
    said, terms = EXTRACTED[name]
    assert [item.term for item in extracted(said)] == terms


def test_an_explanation_is_one_line() -> None:
    assert extracted('{" a\\nb ": "x\\n\\n y"}') == [Keyword("a b", "x y")]


def test_a_name_is_the_words_in_it() -> None:
    assert words("Count even_digits, v2!") == ["count", "even", "digits", "v2"]


def test_rare_words_weigh_more_than_common_ones() -> None:
    texts = ["return the sum", "return the mean", "return the zeta function"]
    known = Frequencies(texts)
    inside = words(texts[2])
    score = {term: known.tf_idf(term, inside) for term in ("return", "zeta", "mean", "")}
    assert score["zeta"] > score["return"] > score["mean"] == score[""] == 0
    assert known.tf_idf("return zeta", inside) == pytest.approx(
        (score["return"] + score["zeta"]) / 2
    )
    assert Frequencies([]).tf_idf("zeta", []) == 0


def test_abstract_before_general_before_function_and_the_rarest_general_first() -> None:
    text = "Return the sum of the nonagonal numbers.\ndef sum_nonagonal(limit): ..."
    known = Frequencies([text, "Return the sum of two numbers.", "Return numbers."])
    told = [Keyword(term, "…") for term in ("sum nonagonal", "numbers", "Nonagonal", "zeta")]
    found = ranked(told, text, text, known)
    assert [(item.term, item.kind) for item in found] == [
        ("zeta", KeywordKind.ABSTRACT),
        ("Nonagonal", KeywordKind.GENERAL),
        ("numbers", KeywordKind.GENERAL),
        ("sum nonagonal", KeywordKind.FUNCTION),
    ]


TWO_STEPS = """
def reply(messages, task_id, sample):
    asked = messages[-1][1]
    if "JSON" in asked:
        assert "Return " in asked and "def number" in asked and "Installed" not in asked
        return '{"number": "the function", "Return": "gives", "constancy": "it never changes"}'
    terms = ["- constancy: it never changes", "- Return: gives", "- number: the function"]
    places = [asked.find(term) for term in terms]
    right = 0 < places[0] < places[1] < places[2] < asked.find("Installed")
    return f"def number(): return {task_id[1:] if right else None}"
"""


def test_explained_keywords_follow_the_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = (write_tasks(tmp_path), "--model", script(tmp_path, TWO_STEPS), "--out", "out")
    summary = evaluated(*arguments, "--strategy", "sek")
    assert (rate(summary), summary["usage"]["calls"]) == (1.0, 6)
    assert lines(tmp_path / "out/answers.jsonl")[0]["notes"] == {
        "keywords": ["abstract: constancy", "general: Return", "function: number"]
    }


def test_without_keywords_the_prompt_is_plain_and_that_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    suite = write_tasks(tmp_path)
    arguments = (suite, "--model", script(tmp_path), "--task", "t1")
    evaluated(*arguments, "--strategy", "sek", "--out", "sek")
    evaluated(*arguments, "--strategy", "greedy", "--out", "greedy")
    plain = [line["messages"] for line in lines(tmp_path / "greedy/calls.jsonl")[:1]]
    asked = [line["messages"] for line in lines(tmp_path / "sek/calls.jsonl") if "messages" in line]
    assert asked[1:] == plain
    notes = lines(tmp_path / "sek/answers.jsonl")[0]["notes"]
    assert (notes["keywords"], "plain prompt" in notes["fallback"]) == ([], True)


@pytest.mark.parametrize("kind", ["token", "line", "block", "migration", "middle"])
@pytest.mark.parametrize("told", [True, False])
def test_completions_are_asked_as_they_are_without_keywords(kind: str, *, told: bool) -> None:
    task = text_suite().tasks[kind]
    ways = EvalOptions(strategy="sek", version=told, imports=told)
    strategy = Keywords(room([task], ways))
    asker = Scripted(lambda _, prompt: '{"roundness": "r = 2"}' if "JSON" in prompt.user else "x")
    asyncio.run(strategy.answer(task, asker))
    (_, first), (_, second) = asker.asked
    plain = strategy.room.completion(task)
    assert plain.user.strip() in first.user
    assert second.user.endswith(plain.user)
    assert second.user.startswith("Terms of this task")
    assert "- roundness: r = 2\n" in second.user
    assert second.system == plain.system
    for prompt in (first, second):
        assert ("shapes==2.0" in prompt.user or "shapes 2.0" in prompt.user) == told


@pytest.mark.parametrize(
    "content",
    ["rare words here\ncommon common\n", '{"instruction": "rare words"}\n"common"\n\n[1]\n'],
)
def test_words_are_rare_in_a_corpus_of_ones_own(tmp_path: Path, content: str) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text(content)
    found = list(corpus(path))
    assert len(found) == len([line for line in content.splitlines() if line])
    assert "rare words" in found[0]
    with pytest.raises(UserError, match="cannot be read"):
        list(corpus(tmp_path / "none"))
