"""A run's folder becomes rows of answers, whatever of it is damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from libdrift.analysis.observing import observe, observe_all
from libdrift.errors import UserError
from libdrift.records import Outcome
from tests.analysis.runs import folder, verdict

TASKS = [
    {"task_id": "a", "facts": {"library": "numpy", "date": "2021-01-02"}},
    {"task_id": "b", "facts": {"library": "attrs"}, "counted_as": "locate"},
]


def test_programs_with_what_they_took(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "run",
        {
            "tasks.jsonl": TASKS,
            "verdicts.jsonl": [
                verdict("a", "infrastructure"),
                verdict("a", seconds=1.5, proof="decoys(3)", uses=True),
                verdict("a", "failed", split="visible"),
                verdict("b", "failed", reason="numpy.x: not named"),
                verdict("c", "infrastructure"),
            ],
            "calls.jsonl": [
                {"prompt": "x", "messages": []},
                {"task_id": "a", "tokens_in": 10, "tokens_out": 5, "cost": 0.25},
                {"task_id": "a", "tokens_in": 1, "tokens_out": 2, "cost": 0.5},
            ],
            "answers.jsonl": [{"task_id": "a", "sample": 0, "answer": "x", "notes": {"rounds": 2}}],
            "measures.jsonl": [
                {"task_id": "a", "sample": 0, "values": {"api_hit_rate": 1.0}},
                {"task_id": "a", "sample": 0, "facts": {"origin": "std"}},
            ],
        },
        model="some/model",
        ways={"strategy": "rag"},
    )
    run = observe(path)
    assert (run.name, run.label, run.tasks, run.notes) == ("run", "some/model, rag", 3, ())
    first, second, third = run.observations
    assert first.facts == {
        "library": "numpy", "date": "2021-01-02", "proof": "decoys", "origin": "std",
    }  # fmt: skip
    assert first.values == {
        "hidden": 1.0, "visible": 0.0, "api_usage": 1.0, "rounds": 2.0, "api_hit_rate": 1.0,
    }  # fmt: skip
    used = (first.seconds, first.input_tokens, first.output_tokens, first.cost)
    assert used == (1.5, 11, 7, 0.75)
    assert (second.values, second.facts) == ({"locate": 0.0}, {"library": "attrs"})
    assert (third.outcome, third.values, third.cost) == (Outcome.INFRASTRUCTURE, {}, None)


def test_a_price_that_nobody_knows_is_no_cost(tmp_path: Path) -> None:
    files = {"verdicts.jsonl": [verdict("a")], "tasks.jsonl": TASKS}
    calls = [{"task_id": "a", "tokens_in": 10, "tokens_out": 5}]
    path = folder(
        tmp_path / "run", {**files, "calls.jsonl": calls}, summary={"usage": {"cost": None}}
    )
    (one,) = observe(path).observations
    assert (one.input_tokens, one.cost) == (10, None)


def test_texts_with_counts_for_ratios(tmp_path: Path) -> None:
    overlap = {"same": False, "tp": 1, "fp": 2, "fn": 0}
    scores = [
        {"completion": {"em": True, "ism": 0.5, "pm": 0.25, "rules": [True] * 5}},
        {"expression": {"em": False, "ids": overlap, "names": overlap, "similarity": 0.5}},
    ]
    lines = [{"task_id": name, "samples": [one]} for name, one in zip("ab", scores, strict=True)]
    path = folder(tmp_path / "run", {"scores.jsonl": lines, "tasks.jsonl": TASKS}, mode="fixed")
    first, second = observe(path).observations
    assert first.values == {"em": 1.0, "ism": 0.5, "pm": 0.25, "cdc": 1.0}
    assert second.values["f1_macro"] == 0.5
    assert (second.values["tp"], second.values["fp"], second.outcome) == (1, 2, Outcome.FAILED)


def test_damaged_lines_are_left_out_and_told(tmp_path: Path) -> None:
    lines = [verdict("a"), '{"task_id": "b"', "\x00", '{"task_id": 3}']
    path = folder(tmp_path / "run", {"verdicts.jsonl": lines, "tasks.jsonl": TASKS})
    run = observe(path)
    assert [one.task_id for one in run.observations] == ["a"]
    assert run.notes == (f"{path}/verdicts.jsonl: 3 damaged lines left out",)


def test_an_older_run_has_the_facts_of_its_suite_or_says_why_not(tmp_path: Path) -> None:
    old = folder(
        tmp_path / "old", {"verdicts.jsonl": [verdict("attrs-job-order")]}, suite="starter"
    )
    (one,) = observe(old).observations
    assert (one.facts["library"], one.facts["year"]) == ("attrs", "2020")
    lost = folder(tmp_path / "lost", {"verdicts.jsonl": [verdict("a")]})
    (note,) = observe(lost).notes
    assert "nothing is known of its tasks (unknown suite 'nowhere'" in note


def test_a_folder_of_runs_stands_for_all_in_it(tmp_path: Path) -> None:
    for name in ("one", "two", "deep/three"):
        about = {} if name == "two" else {"model": "m"}
        folder(tmp_path / "runs" / name, {}, **about)
    folder(tmp_path / "runs/one/judge-of-one", {})  # a part of that run
    (tmp_path / "runs/.hidden").mkdir()
    runs = observe_all([tmp_path / "runs"])
    assert [run.label for run in runs] == ["m (three)", "m (one)", "two"]
    with pytest.raises(UserError, match=r"is not a run: it has no run\.json"):
        observe_all([tmp_path / "runs/.hidden"])


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "cannot be read"), ("[]", "names no suite"), ('{"suite": 3}', "names no suite")],
)
def test_what_is_no_run(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(UserError, match=message):
        observe(tmp_path)


def _hostile(folder: Path, about: dict[str, Any] | None = None, **lines: str) -> Path:
    folder.mkdir()
    verdict = {"task_id": "t", "sample": 0, "split": "hidden", "outcome": "failed"}
    files = {"run.json": json.dumps({"suite": "s", **(about or {})})}
    files["tasks.jsonl"] = json.dumps({"task_id": "t", "facts": {"verified": "no"}}) + "\n"
    files["verdicts.jsonl"] = json.dumps(verdict) + "\n"
    files |= {f"{name}.jsonl": text + "\n" for name, text in lines.items()}
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def test_a_measure_replaces_no_verdict(tmp_path: Path) -> None:
    measures = {
        "task_id": "t",
        "sample": 0,
        "values": {"hidden": 1.0, "visible": 1.0, "generate": 1.0, "own": 0.5},
        "facts": {"verified": "yes", "proof": "remote", "error": "own"},
    }
    (one,) = observe(_hostile(tmp_path / "run", measures=json.dumps(measures))).observations
    assert one.outcome is Outcome.FAILED
    assert one.values == {"hidden": 0.0, "own": 0.5}
    assert one.facts == {"verified": "no", "error": "own"}


@pytest.mark.parametrize(
    "about",
    [{"provenance": [1]}, {"provenance": "x"}, {"summary": [1]}, {"summary": {"usage": [1]}}],
)
def test_a_damaged_description_is_read_as_far_as_it_goes(
    about: dict[str, Any], tmp_path: Path
) -> None:
    assert len(observe(_hostile(tmp_path / "run", about)).observations) == 1


def test_a_number_that_no_float_holds_is_left_out(tmp_path: Path) -> None:
    line = json.dumps({"task_id": "t", "sample": 0, "notes": {"rounds": 10**400}})
    (one,) = observe(_hostile(tmp_path / "run", answers=line)).observations
    assert "rounds" not in one.values


def test_lines_without_end_and_devices_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _hostile(tmp_path / "run", measures="x" * 2000)
    monkeypatch.setattr("libdrift.analysis.run_files.LINE_LIMIT", 1000)
    with pytest.raises(UserError, match="a line of over"):
        observe(folder)
    (folder / "measures.jsonl").unlink()
    (folder / "measures.jsonl").symlink_to("/dev/zero")
    with pytest.raises(UserError, match="is not a file"):
        observe(folder)
