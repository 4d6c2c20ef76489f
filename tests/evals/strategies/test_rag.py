"""Documents of exactly the right version make the difference; those of another one do not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from libdrift import config, suites
from tests.evals.small import evaluated, lines, rate, script, write_tasks

# Their releases are small: they are mined in seconds.
LIBRARIES = ("attrs", "click", "marshmallow")
# Knows the right answer, and gives it only if every document is of the version at hand.
KNOWING = """
import re
from libdrift import config, suites
TASKS = suites.load("starter", config.load()).tasks
def reply(messages, task_id, sample):
    task, asked = TASKS[task_id], messages[-1][1]
    headers = re.findall(r"^--- (\\S+ \\S+): ", asked, re.MULTILINE)
    own = {f"{task.facts.library} {task.facts.version}"}
    return task.reference if set(headers) == own else task.wrong.code
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("rag")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("LIBDRIFT_HISTORY", str(folder / "history.sqlite"))
        tasks = suites.load("starter", config.load()).tasks.values()
        write_tasks(folder, [task for task in tasks if task.facts.library in LIBRARIES])
        yield folder


def ask(home: Path, out: str, *more: str) -> dict[str, Any]:
    return evaluated("small.jsonl", "--model", script(home, KNOWING), "--out", out, *more)


def test_rag_takes_a_model_that_needs_the_right_documents_from_0_to_100(home: Path) -> None:
    without = ask(home, "greedy")
    right = ask(home, "rag", "--strategy", "rag")
    wrong = ask(home, "other", "--strategy", "rag", "-S", "docs=other-version")
    assert without["attempts"] == right["attempts"] == wrong["attempts"] == 8
    assert (rate(without), rate(right), rate(wrong)) == (0.0, 1.0, 0.0)
    assert right["means"]["mrr"]["n"] >= 6
    notes = [line["notes"] for line in lines(home / "rag/answers.jsonl")]
    assert all(len(note["documents"]) == 3 for note in notes)


def test_a_folder_of_documents_stands_in_for_the_history(home: Path) -> None:
    for version in ("8.0.4", "8.2.0"):
        folder = home / "docs/click" / version
        folder.mkdir(parents=True)
        (folder / "page.md").write_text(f"# Commands\n\nHow click {version} names commands.\n")
    arguments = ("--strategy", "rag", "-S", "docs_folder=docs", "--task", "click-reserved-names")
    found = ask(home, "folder", *arguments)
    assert rate(found) == 1.0
    told = str([line for line in lines(home / "folder/calls.jsonl") if "messages" in line])
    assert "How click 8.0.4 names commands." in told
    assert "How click 8.2.0" not in told


def test_a_release_that_cannot_be_had_is_no_wrong_answer(home: Path) -> None:
    from tests.conftest import make_task

    write_tasks(home, [make_task("t1", 1)])
    arguments = ("small.jsonl", "--model", script(home), "--strategy", "rag", "--out", "none")
    summary = evaluated(*arguments, code=3)
    assert summary["unanswered_samples"] == 1
    assert list(summary["troubles"]) == ["no documents"]


def test_documents_that_do_not_fit_are_left_out_and_counted(home: Path) -> None:
    arguments = ("--strategy", "rag", "--task", "flask-about-endpoint", "--prompt-limit", "900")
    tasks = suites.load("starter", config.load()).tasks
    write_tasks(home, [tasks["flask-about-endpoint"]])
    summary = ask(home, "cut", *arguments)
    assert summary["answers_noted"] == {"prompt cut to --prompt-limit": 1}
    note = lines(home / "cut/answers.jsonl")[0]["notes"]
    told = str([line for line in lines(home / "cut/calls.jsonl") if "messages" in line])
    assert 0 < sum(header.split("(")[0] in told for header in note["documents"]) < 3


def test_dense_search_asks_a_server_for_vectors(home: Path) -> None:
    from tests.evals.small import server

    def reply(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        assert path == "/v1/embeddings"
        texts = body["input"]
        rows = [[float(len(text) % 7), 1.0, float(text.count("a"))] for text in texts]
        data = [{"index": number, "embedding": row} for number, row in enumerate(rows)]
        return 200, {"data": data, "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}}

    tasks = suites.load("starter", config.load()).tasks
    write_tasks(home, [tasks["jinja2-money-filter"]])
    for way in ("dense", "hybrid"):
        with server(reply) as (address, asked):
            arguments = (
                "--strategy",
                "rag",
                "-S",
                f"retriever={way}",
                "-S",
                f"embedder={address}#m",
            )
            summary = ask(home, way, *arguments)
        assert rate(summary) == 1.0
        assert asked
