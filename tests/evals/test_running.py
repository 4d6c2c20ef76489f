"""A run from the first question to the last number, whatever comes in between."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from libdrift.errors import UserError
from tests.conftest import make_task
from tests.evals.small import RIGHT, evaluated, lines, rate, run, script, write_tasks


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_tasks(tmp_path)
    return tmp_path


def test_a_run_holds_prompts_outputs_verdicts_and_a_log_that_opens(here: Path) -> None:
    from inspect_ai.log import list_eval_logs, read_eval_log

    summary = evaluated("small.jsonl", "--model", script(here), "--out", "out")
    assert (rate(summary), summary["unanswered_samples"]) == (1.0, 0)
    assert summary["usage"]["calls"] == 3
    calls = lines(here / "out/calls.jsonl")
    prompts = [line for line in calls if "messages" in line]
    outputs = [line for line in calls if "output" in line]
    assert {"Return 0." in str(line["messages"]) for line in prompts} == {True, False}
    assert len(prompts) == len(outputs) == 3
    assert all(line["tokens_in"] and line["config"]["temperature"] == 0 for line in outputs)
    assert len(lines(here / "out/verdicts.jsonl")) == 6
    kept = json.loads((here / "out/run.json").read_text())
    assert (kept["model"], kept["ways"]["strategy"]) == (summary["model"], "greedy")
    found = list_eval_logs(str(here / "out"))
    log = read_eval_log(found[0])
    assert (log.status, len(log.samples or [])) == ("success", 3)
    assert {sample.scores["judged"].value["hidden"] for sample in log.samples or []} == {1.0}


def test_references_and_hidden_tests_are_in_no_prompt_and_no_log(here: Path) -> None:
    from inspect_ai.log import list_eval_logs, read_eval_log

    code = "def reply(messages, task_id, sample):\n    return 'def number(): return None'\n"
    evaluated("small.jsonl", "--model", script(here, code), "--out", "out")
    log = read_eval_log(list_eval_logs(str(here / "out"))[0])
    told = log.model_dump_json() + (here / "out/calls.jsonl").read_text()
    for secret in ("def test_it", "from answer import", "return 1\\\\n", "return 2\\\\n"):
        assert secret not in told


FLAKY = """
import pathlib
def reply(messages, task_id, sample):
    asked = pathlib.Path("asked.txt")
    with asked.open("a") as file:
        file.write(f"{task_id}\\n")
    if task_id == "t1" and not pathlib.Path("well").exists():
        raise RuntimeError("the provider is on fire")
    return f"def number(): return {task_id[1:]}"
"""


def test_what_got_no_answer_is_in_no_number_and_asked_again_alone(here: Path) -> None:
    arguments = ("small.jsonl", "--model", script(here, FLAKY), "--out", "out")
    summary = evaluated(*arguments, code=3)
    assert summary["troubles"]["provider error"]["count"] == 1
    assert "on fire" in summary["troubles"]["provider error"]["last"]
    assert (summary["unanswered_samples"], summary["attempts"], rate(summary)) == (1, 2, 1.0)
    assert summary["unanswered"] == ["t1"]
    (here / "well").touch()
    again = evaluated(*arguments)
    assert (again["unanswered_samples"], rate(again)) == (0, 1.0)
    assert sorted((here / "asked.txt").read_text().split()) == ["t0", "t1", "t1", "t2"]


SLOW = """
import pathlib, time
def reply(messages, task_id, sample):
    with pathlib.Path("asked.txt").open("a") as file:
        file.write(f"{task_id} {sample}\\n")
    time.sleep(0.15)
    return f"def number(): return {task_id[1:]}"
"""


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_and_asks_nothing_twice(here: Path, way: signal.Signals) -> None:
    write_tasks(here, [make_task(f"t{number}", number) for number in range(8)])
    model = script(here, SLOW)
    command = ["eval", "small.jsonl", "--model", model, "--out", "out", "--samples", "2"]
    command += ["--at-once", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "libdrift", *command], stderr=subprocess.PIPE, text=True
    )
    asked = here / "asked.txt"
    while process.poll() is None and (not asked.exists() or asked.read_text().count("\n") < 6):
        time.sleep(0.05)
    process.send_signal(way)
    if way is signal.SIGINT:  # whoever is in a hurry presses it twice
        time.sleep(0.3)
        process.send_signal(way)
    _, said = process.communicate()
    assert "Traceback" not in said
    assert process.returncode == (-signal.SIGKILL if way is signal.SIGKILL else 130), said
    answered = {(line["task_id"], line["sample"]) for line in lines(here / "out/answers.jsonl")}
    assert 0 < len(answered) < 16
    before = asked.read_text().split("\n")
    summary = evaluated(*command[1:])
    assert (rate(summary), summary["attempts"]) == (1.0, 16)
    since = asked.read_text().split("\n")[len(before) - 1 :]
    assert not answered & {(line.split()[0], int(line.split()[1])) for line in since if line}


def test_a_script_that_leaves_is_an_error_of_that_answer(here: Path) -> None:
    code = RIGHT.replace("    number", "    if task_id == 't1':\n        exit(3)\n    number", 1)
    code = "from sys import exit\n" + code
    arguments = ("--model", script(here, code), "--out", "out")
    summary = evaluated("small.jsonl", *arguments, "--retries", "0", code=3)
    assert summary["unanswered"] == ["t1"]
    assert "sys.exit(3)" in summary["troubles"]["provider error"]["last"]
    assert rate(summary) == 1.0
    with pytest.raises(UserError, match="does not run: SystemExit: 4"):
        run("eval", "small.jsonl", "--model", script(here, "raise SystemExit(4)"))


def test_several_samples_give_pass_at_k(here: Path) -> None:
    code = RIGHT.replace("{number}\\n", "{int(number) + (sample == 0)}\\n")
    arguments = ("--strategy", "sample", "--samples", "4", "--k", "1,2,4", "--out", "out")
    summary = evaluated("small.jsonl", "--model", script(here, code), *arguments)
    assert summary["attempts"] == 12
    assert rate(summary) == pytest.approx(0.75)
    assert rate(summary, metric="pass@2") == pytest.approx(1.0)
    config = next(line for line in lines(here / "out/calls.jsonl") if "output" in line)["config"]
    assert (config["temperature"], config["num_choices"]) == (0.8, 4)


ODD = {
    "nothing": ("''", "refused"),
    "blanks": ("'  \\n '", "refused"),
    "huge": ("'x = 1\\n' * 300_000", "refused"),
    "prose": ("'I cannot help with that, sorry.'", "error"),
    "another language": ("'```java\\nclass A {}\\n```'", "error"),
    "several blocks": (
        "'```bash\\npip install x\\n```\\n```python\\ndef number(): return 1\\n```\\n```python\\n1/0\\n```'",
        "passed",
    ),
    "half of a pair": ("'def number(): return 1  # \\ud800'", "passed"),
    "an unclosed block": ("'```python\\ndef number(): return 1'", "passed"),
    "json": ('\'{"answer": "def number(): return 1", "explanation": "so"}\'', "passed"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_answers_are_judged_as_what_they_are(here: Path, name: str) -> None:
    said, outcome = ODD[name]
    code = f"def reply(messages, task_id, sample):\n    return {said}\n"
    arguments = ("--model", script(here, code), "--task", "t1", "--out", "out")
    summary = evaluated("small.jsonl", *arguments)
    assert summary["outcomes"] == {outcome: 1}


def test_tasks_are_chosen_by_what_is_known_of_them(here: Path) -> None:
    model = script(here)
    some = evaluated("small.jsonl", "--model", model, "--where", "id=t2", "--out", "a")
    assert some["tasks"] == 1
    first = evaluated("small.jsonl", "--model", model, "--limit", "2", "--out", "b")
    assert first["tasks"] == 2


MISTAKES = {
    "unknown strategy 'greddy'. Did you mean 'greedy'?": ("--strategy", "greddy"),
    "unknown provider 'opnai'. Did you mean openai?": ("--model", "opnai/gpt-4o"),
    "openai/gpt-4o-mini needs a key. Set the variable OPENAI_API_KEY": (
        "--model",
        "openai/gpt-4o-mini",
    ),
    "unknown model 'gpt'": ("--model", "gpt"),
    "cannot read a script from nowhere.py": ("--model", "scripted/nowhere.py"),
    "cannot replay nowhere.jsonl": ("--model", "replay/nowhere.jsonl"),
    "unknown fact. Did you mean library=…?": ("--where", "libary=numpy"),
    "no task of small has library=nothing. library is one of none": ("--where", "library=nothing"),
    "--price 3: not two numbers": ("--price", "3"),
    "-S docs=newest: unknown. Known: exact, other-version": (
        *("--strategy", "rag"),
        *("-S", "docs=newest"),
    ),
    "-S rounds=x: Expected `int | null`": ("--strategy", "self-debug", "-S", "rounds=x"),
    "-S rounds=2: greedy has no option 'rounds'. Options: none": ("-S", "rounds=2"),
    "-S steps=0: too little": ("--strategy", "agent", "-S", "steps=0"),
    "the price of x/y is unknown": (
        "--max-cost",
        "1",
        "--model",
        "x/y",
        "--base-url",
        "http://localhost:1",
    ),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes_are_one_line_with_the_fix(
    here: Path, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UserError) as found:
        run("eval", "small.jsonl", *MISTAKES[message])
    assert message in str(found.value)
    assert "\n" not in str(found.value)


def test_a_dry_run_counts_and_asks_nothing(here: Path) -> None:
    arguments = ("--model", script(here, "def reply(*a):\n    raise SystemExit\n"), "--dry-run")
    found = evaluated("small.jsonl", *arguments, "--samples", "3", "--price", "1,2")
    assert (found["tasks"], found["answers"]) == (3, 9)
    expected = (found["tokens_in"] + 2 * found["tokens_out"]) / 1e6
    assert found["cost"] == pytest.approx(expected)
    assert not (here / "runs").exists()


def test_a_budget_ends_the_asking_and_nothing_else(here: Path) -> None:
    write_tasks(here, [make_task(f"t{number}", number) for number in range(6)])
    arguments = ("--price", "100,100", "--max-cost", "0.03", "--at-once", "1", "--out", "out")
    summary = evaluated("small.jsonl", "--model", script(here), *arguments, code=3)
    assert summary["stopped"] == "budget spent: --max-cost 0.03 is reached"
    assert 0 < summary["attempts"] < 6
    assert rate(summary) == 1.0
    assert summary["usage"]["cost"] < 0.06


def test_recorded_answers_and_recorded_runs_are_replayed(here: Path) -> None:
    first = evaluated("small.jsonl", "--model", script(here), "--out", "out")
    by_file = evaluated("small.jsonl", "--model", "replay/out/answers.jsonl", "--out", "file")
    by_run = evaluated("small.jsonl", "--model", "replay/out", "--out", "run")
    assert rate(first) == rate(by_file) == rate(by_run) == 1.0
    other = run("eval", "small.jsonl", "--model", "replay/out", "--strategy", "cot", "--out", "cot")
    assert other.exit_code == 3
    assert "not in the recorded run" in other.stderr
    assert "the recording lacks them" in other.stderr
    assert "rerun" not in other.stderr


def test_another_run_is_not_mixed_in(here: Path) -> None:
    evaluated("small.jsonl", "--model", script(here), "--out", "out")
    with pytest.raises(UserError, match="contains another run"):
        run("eval", "small.jsonl", "--model", script(here), "--strategy", "cot", "--out", "out")
