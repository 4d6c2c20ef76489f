"""Real provider code against a server that speaks OpenAI's way, well or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from libdrift.errors import InfrastructureError, UserError
from libdrift.suites import task_files
from tests.evals.small import chat, evaluated, lines, rate, run, server, write_tasks
from tests.scoring.texts import text_suite

Said = tuple[int, dict[str, Any]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    write_tasks(tmp_path)
    return tmp_path


def right(body: dict[str, Any]) -> str:
    """The answer to what a request is about."""
    asked = str(body["messages"])
    number = next(n for n in range(3) if f"Return {n}." in asked)
    return f"def number(): return {number}"


def evaluate(address: str, *more: str, code: int = 0) -> dict[str, Any]:
    arguments = ("small.jsonl", "--model", "some-model", "--base-url", address, "--out", "out")
    return evaluated(*arguments, *more, code=code)


def test_a_server_is_asked_by_its_own_name_for_the_model(here: Path) -> None:
    def reply(path: str, body: dict[str, Any]) -> Said:
        assert path == "/v1/chat/completions"
        return 200, chat(right(body))

    with server(reply) as (address, asked):
        summary = evaluate(address)
    assert rate(summary) == 1.0
    assert summary["usage"]["tokens_in"] == 30
    assert {body["model"] for body in asked} == {"some-model"}
    assert {(body["temperature"], body["top_p"], body["seed"]) for body in asked} == {(0, 0.95, 0)}


def test_one_choice_where_several_were_asked_for_is_asked_for_again(here: Path) -> None:
    def reply(path: str, body: dict[str, Any]) -> Said:
        return 200, chat(right(body))

    with server(reply) as (address, asked):
        summary = evaluate(address, "--strategy", "sample", "--samples", "3", "--at-once", "1")
    assert (summary["attempts"], len(asked)) == (9, 9)
    seeds = [body.get("seed") for body in asked]
    assert sorted(seeds) == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_several_choices_are_one_request(here: Path) -> None:
    def reply(path: str, body: dict[str, Any]) -> Said:
        return 200, chat(right(body), "def number(): return 7", right(body))

    with server(reply) as (address, asked):
        summary = evaluate(address, "--strategy", "sample", "--samples", "3")
    assert [body["n"] for body in asked] == [3, 3, 3]
    assert rate(summary) == pytest.approx(2 / 3)
    texts = [line["answer"] for line in lines(here / "out/answers.jsonl")]
    assert texts.count("def number(): return 7") == 3


def test_a_number_of_choices_that_is_refused_is_asked_one_by_one(here: Path) -> None:
    def reply(path: str, body: dict[str, Any]) -> Said:
        if body.get("n", 1) > 1:
            return 400, {"error": {"message": "n must be 1", "type": "invalid_request_error"}}
        return 200, chat(right(body))

    with server(reply) as (address, _):
        summary = evaluate(address, "--strategy", "sample", "--samples", "2")
    assert (rate(summary), summary["attempts"], summary["unanswered_samples"]) == (1.0, 6, 0)


def test_a_schema_that_is_refused_is_asked_for_in_words(here: Path) -> None:
    def reply(path: str, body: dict[str, Any]) -> Said:
        if "response_format" in body:
            return 400, {"error": {"message": "response_format is not supported"}}
        return 200, chat(f'{{"answer": "{right(body)}", "explanation": "so"}}')

    with server(reply) as (address, asked):
        summary = evaluate(address, "--structured", "--at-once", "1")
    assert rate(summary) == 1.0
    assert ["response_format" in body for body in asked] == [True, False, False, False]
    assert lines(here / "out/answers.jsonl")[0]["notes"]["explanation"] == "so"


def test_a_busy_server_is_asked_again_and_that_is_told(here: Path) -> None:
    busy = [True]

    def reply(path: str, body: dict[str, Any]) -> Said:
        if busy.pop() if busy else False:
            return 429, {"error": {"message": "slow down"}}
        return 200, chat(right(body))

    with server(reply) as (address, _):
        summary = evaluate(address)
    assert rate(summary) == 1.0
    assert summary["usage"]["retries"] == 1


ENDS = {
    (401, "bad key"): ("authentication", True),
    (404, "no such model"): ("unknown model", True),
    (400, "request (9031 tokens) exceeds the available context size (8192 tokens)"): (
        "context too long",
        False,
    ),
    (400, "I will not"): ("refused request", False),
}


@pytest.mark.parametrize("status", ENDS)
def test_what_a_server_refuses_is_never_a_wrong_answer(here: Path, status: tuple[int, str]) -> None:
    kind, final = ENDS[status]

    def reply(path: str, body: dict[str, Any]) -> Said:
        return status[0], {"error": {"message": status[1]}}

    with server(reply) as (address, asked):
        summary = evaluate(address, "--at-once", "1", code=3)
    assert summary["troubles"][kind]["last"].find(status[1]) >= 0
    assert summary["unanswered_samples"] == 3
    assert "scores" not in summary
    # A key that is wrong is wrong for all: nobody is asked a hundred times to find out.
    assert len(asked) == (1 if final else 3)


def test_nobody_there_is_said_in_words(here: Path) -> None:
    with pytest.raises(InfrastructureError, match=r"no server answers at http://127\.0\.0\.1:9/v1"):
        run("eval", "small.jsonl", "--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    with pytest.raises(UserError, match="'localhost' is not an address"):
        run("eval", "small.jsonl", "--model", "m", "--base-url", "localhost")


def completion(text: str) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "text": text, "logprobs": None}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "1", "object": "text_completion", "created": 0, "model": "m"} | {
        "choices": [choice],
        "usage": usage,
    }


@pytest.mark.parametrize("style", ["fim", "left"])
def test_a_gap_is_filled_by_the_plain_completions_of_a_server(here: Path, style: str) -> None:
    suite = text_suite()
    task_files.write(here / "texts.jsonl", "texts", "Texts", suite.tasks.values(), {})
    middle = next(t for t in suite.tasks.values() if t.facts.granularity == "middle")
    hint = middle.gap.hint if middle.gap else ""
    answer = middle.reference.removeprefix(hint)

    def reply(path: str, body: dict[str, Any]) -> Said:
        assert path == "/v1/completions"
        return 200, completion(answer)

    arguments = ("texts.jsonl", "--model", "starcoder2-3b", "--strategy", style, "--out", "out")
    with server(reply) as (address, asked):
        summary = evaluated(*arguments, "-S", "family=starcoder2", "--base-url", address)
    prompt = asked[0]["prompt"]
    assert summary["attempts"] == 1
    assert summary["outcomes"] == {"passed": 1}
    assert "This code runs with shapes 2.0." in prompt
    assert ("<fim_middle>" in prompt) == (style == "fim")
    assert asked[0]["temperature"] == 0
    assert asked[0]["max_tokens"] == 2048


def test_a_long_prompt_is_cut_at_what_is_far_from_the_gap_and_counted(here: Path) -> None:
    from dataclasses import replace

    suite = text_suite()
    middle = next(t for t in suite.tasks.values() if t.facts.granularity == "middle")
    long = replace(middle, starter="# far\n" + "x = 1\n" * 5000 + middle.starter)
    task_files.write(here / "texts.jsonl", "texts", "Texts", [long], {})

    def reply(path: str, body: dict[str, Any]) -> Said:
        return 200, completion("circle()")

    arguments = ("texts.jsonl", "--model", "m", "--strategy", "left", "--prompt-limit", "400")
    with server(reply) as (address, asked):
        summary = evaluated(*arguments, "--base-url", address, "--out", "out")
    assert summary["answers_noted"] == {"prompt cut to --prompt-limit": 1}
    prompt = asked[0]["prompt"]
    assert len(prompt) < 4000
    assert "# far" not in prompt
    assert prompt.endswith("import shapes\nround = shapes")


@pytest.mark.parametrize("retries", [0, 1])
def test_as_many_requests_as_retries_and_one(here: Path, retries: int) -> None:
    """A client that retries on its own would multiply them."""
    with server(lambda _path, _body: (503, {"error": {"message": "busy"}})) as (address, asked):
        evaluate(address, "--task", "t0", "--retries", str(retries), code=3)
    assert len(asked) == retries + 1
