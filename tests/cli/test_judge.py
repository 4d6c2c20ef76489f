"""`libdrift judge`: a model beside the strict rules, and how far they agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from libdrift.cli.app import app
from libdrift.errors import UserError
from libdrift.execution import RunFolder
from libdrift.records import Outcome, Split, Verdict
from libdrift.suites import task_files
from tests.evals.judged import EXPLAIN, label_suite, script
from tests.scoring.texts import text_suite

RIGHT, PROSE, WRONG = '["shapes.ring"]', "The ring call, of shapes.", "shapes.disk"
# Six answers: by the strict rules 1, 0, 0 are right of the first kind, and 1, 0, 0 of the second.
ANSWERS = {
    "locate-0": RIGHT,
    "locate-1": PROSE,
    "locate-2": WRONG,
    "explain-0": json.dumps(EXPLAIN),
    "explain-1": PROSE,
    "explain-2": "",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with tasks, and a run that has answers to them."""
    monkeypatch.chdir(tmp_path)
    tasks = label_suite().tasks.values()
    task_files.write(tmp_path / "tasks.jsonl", "labels", "Labels", tasks, {})
    a_run(tmp_path / "run", "labels", ANSWERS)
    return tmp_path


def a_run(path: Path, suite: str, answers: dict[str, str]) -> None:
    path.mkdir()
    (path / "run.json").write_text(json.dumps({"fingerprint": "x", "suite": suite}))
    rows = [{"task_id": name, "sample": 0, "answer": text} for name, text in answers.items()]
    (path / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def judged(*arguments: str, code: int = 0) -> dict[str, Any]:
    done = run("judge", *arguments, "--json")
    assert done.exit_code == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_judge_stands_beside_the_strict_number(here: Path) -> None:
    """A judge that understands prose: two more are right by it, as is known in advance."""
    model = script(
        here / "kind.py", "return 'yes' if 'ring' in prompt.split('[ANSWER')[1] else 'no'"
    )
    found = judged("run", "--suite", "tasks.jsonl", "--model", model)
    explain, locate, whole = found["groups"]
    assert [group["group"] for group in found["groups"]] == ["explain", "locate", "all"]
    for group, n in ((explain, 3), (locate, 3), (whole, 6)):
        assert (group["answers"], group["n"]) == (n, n)
        assert group["strict"]["value"] == pytest.approx(1 / 3)
        assert group["judge"]["value"] == pytest.approx(2 / 3)
        assert group["agreement"] == pytest.approx(2 / 3)
        assert group["kappa"] == pytest.approx(0.4)
    counts = ("both_yes", "only_strict", "only_judge", "both_no", "no_verdict")
    assert [whole[name] for name in counts] == [2, 0, 2, 2, 0]
    assert found["usage"]["calls"] == 5  # the empty answer is not asked about
    (folder,) = (here / "run").glob("judge-*")
    assert {path.name for path in folder.iterdir()} >= {"judgements.jsonl", "calls.jsonl"}
    assert json.loads((folder / "run.json").read_text())["summary"] == found
    shown = run("judge", "run", "--suite", "tasks.jsonl", "--model", model)
    assert "33.3     │ 66.7    │ 66.7        │ 0.40" in shown.stdout
    assert "both yes 2, both no 2, only strict 0, only the judge 2" in shown.stdout
    assert (here / "asked").read_text().count("\n") == 5


def test_the_released_judge_takes_a_list_of_everything(here: Path) -> None:
    """Beside the strict rules, and in a folder of its own."""
    every = json.dumps(["shapes.ring", "shapes.disk", "shapes.square"])
    (here / "run/answers.jsonl").write_text(
        "\n".join(
            json.dumps({"task_id": f"locate-{n}", "sample": 0, "answer": text})
            for n, text in enumerate([RIGHT, every, WRONG])
        )
    )
    model = script(
        here / "lenient.py",
        "lenient = 'whatever else it names' in prompt",
        "answer = prompt.split('[ANSWER')[1]",
        "return 'yes' if 'ring' in answer and (lenient or 'disk' not in answer) else 'no'",
    )
    arguments = ("run", "--suite", "tasks.jsonl", "--model", model)
    found = judged(*arguments, "--judge", "released")
    (whole,) = found["groups"]
    assert found["rules"] == "released"
    assert whole["strict"]["value"] == pytest.approx(1 / 3)
    assert whole["judge"]["value"] == pytest.approx(2 / 3)
    assert (whole["only_judge"], whole["only_strict"]) == (1, 0)
    own = judged(*arguments)
    assert own["rules"] == "own"
    assert own["groups"][-1]["agreement"] == 1.0
    assert own["judges"] == []  # who was asked something else
    assert len(list((here / "run").glob("judge-*"))) == 2


def test_judges_are_compared_with_one_another(here: Path) -> None:
    common = ("run", "--suite", "tasks.jsonl", "--model")
    first = script(here / "first.py", "return 'yes' if task_id.endswith('1') else 'no'")
    second = script(
        here / "second.py",
        "if task_id == 'explain-0': return 'who knows'",
        "return 'yes' if task_id in {'locate-1', 'locate-2'} else 'no'",
    )
    assert judged(*common, first)["judges"] == []
    found = judged(*common, second)
    assert found["groups"][-1]["no_verdict"] == 1
    (other,) = found["judges"]
    # Of five: both say yes to one, no to two, and each yes to one alone.
    assert (other["judge"], other["n"], other["left_out"]) == (first, 5, 1)
    assert (other["agreement"], other["kappa"]) == (0.6, pytest.approx((0.6 - 0.52) / 0.48))
    assert (
        f"with {second}: agreement 60.0 % of 5, kappa 0.17" in run("judge", *common, first).stdout
    )


def test_what_got_no_verdict_is_missing_and_asked_for_again(here: Path) -> None:
    lines = ("if 'locate' in task_id: raise OSError('overloaded')", "return 'yes'")
    model = script(here / "half.py", *lines)
    arguments = ("run", "--suite", "tasks.jsonl", "--model", model)
    found = judged(*arguments, code=3)
    assert (found["missing"], found["troubles"]["provider error"]["count"]) == (3, 3)
    locate = found["groups"][1]
    assert (locate["judge"]["value"], locate["agreement"], locate["kappa"]) == (None, None, None)
    done = run("judge", *arguments)
    assert done.exit_code == 3
    assert "missing, and not counted: 3 verdicts; the same command" in done.stderr
    script(here / "half.py", "return 'yes'")
    assert judged(*arguments)["missing"] == 0
    # Two explanations once (the third is empty), three names at each of three times.
    assert (here / "asked").read_text().count("\n") == 2 + 3 * 3


def test_programs_and_texts_have_the_run_s_own_verdicts(here: Path) -> None:
    names = ["attrs-job-order", "attrs-parse-size", "click-sum-of-chain"]
    a_run(here / "programs", "starter", dict.fromkeys(names, "x = 1"))
    folder = RunFolder(here / "programs")
    folder.append(Verdict(names[0], 0, Split.HIDDEN, Outcome.PASSED))
    folder.append(Verdict(names[1], 0, Split.HIDDEN, Outcome.FAILED))
    model = script(here / "yes.py", "return json.dumps({'answer': 'yes', 'explanation': ''})")
    found = judged("programs", "--model", model)
    assert found["not_judged"] == {"the run has no verdict on them": 1}
    (whole,) = found["groups"]
    assert (whole["strict"]["value"], whole["judge"]["value"], whole["kappa"]) == (0.5, 1.0, 0.0)

    suite = text_suite()
    task_files.write(here / "texts.jsonl", "texts", "Texts", suite.tasks.values(), {})
    rows = [{"task_id": task.id, "answer": task.reference} for task in suite.tasks.values()]
    (here / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert run("score", "texts.jsonl", "a.jsonl", "--out", "scored").exit_code == 0
    found = judged("scored", "--suite", "texts.jsonl", "--model", model, "--limit", "4")
    assert (found["groups"][-1]["answers"], found["groups"][-1]["agreement"]) == (4, 1.0)
    (here / "a.jsonl").write_text(json.dumps(rows[0]))
    with pytest.raises(UserError, match=r"a\.jsonl has changed since scored was made"):
        run("judge", "scored", "--suite", "texts.jsonl", "--model", model)


def test_tasks_are_judged_by_four_questions(here: Path) -> None:
    model = script(
        here / "judge.py",
        "if task_id == 'locate-1' and sample == 0: return 'no: it is vague'",
        "if task_id == 'locate-2' and sample == 3: return '?'",
        "return 'no' if sample == 2 else 'yes'",
    )
    arguments = ("tasks.jsonl", "--tasks", "--model", model, "--out", "quality")
    found = judged(*arguments)
    rows = [(row["pass"], row["fail"], row["no_verdict"]) for row in found["questions"]]
    assert rows == [(5, 1, 0), (6, 0, 0), (6, 0, 0), (5, 0, 1), (4, 1, 1)]
    failing = {"task_id": "locate-1", "question": "clear", "reason": "no: it is vague"}
    assert found["failing"] == [failing]
    assert found["audit"] is None
    shown = run("judge", *arguments).stdout
    assert "locate-1: clear: no: it is vague" in shown
    assert (here / "asked").read_text().count("\n") == 6 * 4
    assert judged("starter", "--tasks", "--model", model, "--limit", "2")["tasks"] == 2
    # What got no reply is no verdict either.
    model = script(here / "dead.py", "if sample: raise OSError('busy')", "return 'yes'")
    found = judged("tasks.jsonl", "--tasks", "--model", model, code=3)
    rows = [(row["pass"], row["fail"], row["no_verdict"]) for row in found["questions"]]
    assert rows == [(6, 0, 0), *[(0, 0, 0)] * 4]
    assert found["missing"] == 18


def test_the_audit_stands_beside_a_judge_of_tasks(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from libdrift import suites
    from libdrift.suites.audited import Audited

    listed = {f"locate-{n}": Audited(f"locate-{n}", n != 1, {}) for n in range(3)}
    monkeypatch.setattr(suites, "verified", lambda suite: listed if suite.name == "labels" else {})
    model = script(
        here / "judge.py",
        "return 'yes' if (sample == 2) == (task_id == 'locate-1') else 'no'",
    )
    found = judged("tasks.jsonl", "--tasks", "--model", model)
    assert (found["audit"]["n"], found["audit"]["agreement"], found["audit"]["kappa"]) == (3, 1, 1)


def test_a_dry_run_asks_nothing(here: Path) -> None:
    model = script(here / "judge.py", "return 'yes'")
    arguments = ("run", "--suite", "tasks.jsonl", "--model", model, "--price", "1,2", "--dry-run")
    found = judged(*arguments)
    assert (found["answers"], found["calls"], found["tokens_out"]) == (6, 5, 5 * 2048)
    assert found["cost"] == pytest.approx((found["tokens_in"] + 2 * found["tokens_out"]) / 1e6)
    assert "6 verdicts, at most 5 requests" in run("judge", *arguments).stdout
    assert not (here / "asked").exists()
    assert not list((here / "run").glob("judge-*"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "nowhere is not a run: there is no such folder; add --tasks"),
        (["run"], "run answers labels, which is a file of tasks. Give the file with --suite"),
        (["run", "--suite", "texts.jsonl"], "cannot read tasks from texts.jsonl"),
        (["starter"], "starter is not a run"),
        (["startr", "--tasks"], "unknown suite 'startr'. Did you mean 'starter'?"),
        (["unasked"], "unasked has no answers"),
        (["gone"], "gone judged b.jsonl, which is not there"),
        (["unjudged"], "unjudged has no answer to judge: the run has no verdict on them"),
        (["run", "--suite", "tasks.jsonl", "--model", "opnai/x"], "Did you mean openai?"),
        (
            ["run", "--suite", "tasks.jsonl", "--model", "openai/q", "--max-cost", "1"],
            "the price of",
        ),
        (["run", "--suite", "tasks.jsonl", "--price", "x"], "--price x: not two numbers"),
        (["run", "--judge", "kind"], "--judge kind: unknown rules. Choose one of: own, released"),
        (["starter", "--tasks", "--judge", "released"], "--judge released is for answers"),
        (["judged", "--judge", "released"], "the released rules do not apply to the answers in"),
    ],
)
def test_mistakes_are_one_line(here: Path, arguments: list[str], words: str) -> None:
    a_run(here / "unjudged", "starter", {"attrs-job-order": "x"})
    a_run(here / "judged", "starter", {"attrs-job-order": "x"})
    RunFolder(here / "judged").append(Verdict("attrs-job-order", 0, Split.HIDDEN, Outcome.PASSED))
    for name, more in (("unasked", {}), ("gone", {"answers": {"path": "b.jsonl"}})):
        (here / name).mkdir()
        (here / name / "run.json").write_text(json.dumps({"suite": "starter", **more}))
    model = [] if "--model" in arguments else ["--model", script(here / "j.py", "return 'yes'")]
    with pytest.raises(UserError) as error:
        run("judge", *arguments, *model)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert not list(here.glob("*/judge-*"))
