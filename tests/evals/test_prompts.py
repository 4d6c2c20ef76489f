from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from libdrift import records
from libdrift.evals import prompts
from libdrift.evals.options import EvalOptions
from libdrift.evals.strategies import KNOWN
from libdrift.evals.strategies.base import is_program, plain_prompt
from libdrift.evals.strategy_context import StrategyContext
from libdrift.execution.labels import LabelQuestion, compare
from libdrift.metrics.accuracies import ChangeExplanation
from libdrift.records import Environment, Facts, Split, Task, TaskKind, TestStyle
from libdrift.scoring import extract_code
from tests.evals.judged import label_task

TEMPLATES = Path(prompts.__file__).parent / "templates"
CODE = "THE CODE"


def task(kind: TaskKind, language: str, library: str, *pins: str, runtime: str = "1.0") -> Task:
    facts = Facts(library, "2.0", from_version="1.5")
    return replace(
        label_task("one", kind, "the secret"),
        language=language,
        environment=Environment(language, runtime, pins),
        starter=CODE,
        problem="What to do.",
        facts=facts,
    )


def room(**ways: Any) -> StrategyContext:
    return cast("StrategyContext", SimpleNamespace(ways=EvalOptions(**ways)))


@pytest.mark.parametrize(
    ("library", "language", "pins", "words"),
    [
        ("numpy", "python", ["numpy==2.0"], "Python 1.0, numpy 2.0."),
        ("pandas", "python", ["pandas==2.0", "numpy==1.2"], "Also installed: numpy==1.2."),
        # What comes with a language has its version, whatever it is run on.
        ("math", "python", [], "Python 2.0."),
        ("python", "python", [], "Python 2.0."),
        ("jdk", "java", [], "Java 2.0."),
        ("std", "rust", [], "Rust 2.0."),
        ("bitflags", "rust", ["bitflags==2.0"], "Rust 1.0, bitflags 2.0."),
        ("libc", "rust", ["libc=2.0[extra_traits]"], "Rust 1.0, libc 2.0."),
        ("shapes", "python", [], "Python 1.0, shapes 2.0."),
    ],
)
def test_what_is_installed(library: str, language: str, pins: list[str], words: str) -> None:
    told = prompts.pins(task(TaskKind.GENERATE, language, library, *pins))
    assert told.endswith(words)


def test_what_is_run_without_the_library_says_so() -> None:
    asked = task(TaskKind.GENERATE, "python", "shapes")
    ran = (records.Tests(Split.HIDDEN, TestStyle.SCRIPT, "assert told() == [1]\n"),)
    told = prompts.pins(replace(asked, tests=ran))
    assert told == "Python 1.0, without shapes."


@pytest.mark.parametrize("kind", TaskKind)
@pytest.mark.parametrize(("language", "library"), [("java", "jdk"), ("rust", "std")])
def test_other_languages_are_not_asked_for_python(
    kind: TaskKind, language: str, library: str
) -> None:
    one = task(kind, language, library)
    shown = plain_prompt(one, room())
    whole = f"{shown.system}\n{shown.user}"
    if is_program(one):
        whole += prompts.text("cot", language=language)
        whole += prompts.text("self_debug_fix", language=language)
    assert "ython" not in whole
    assert f"```{language}\n{CODE}\n```" in whole
    assert "the secret" not in whole


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        (TaskKind.LOCATE, ["The code was written for: shapes 1.5.\n", "JSON list"]),
        (
            TaskKind.EXPLAIN,
            ["written for: shapes 1.5.\n", "JSON object", '"addition"', '"version"'],
        ),
        (TaskKind.MIGRATE, ["written for: shapes 1.5.\n", "\n\nKeep the names", "```python block"]),
        (TaskKind.GENERATE, ["What to do.\n\nInstalled: Python", "Complete this code."]),
    ],
)
def test_each_kind_is_asked_for_in_its_form(kind: TaskKind, asked: list[str]) -> None:
    one = task(kind, "python", "shapes", "shapes==2.0")
    shown = plain_prompt(one, room()).user
    for words in asked:
        assert words in shown
    without = plain_prompt(one, room(version=False))
    assert "1.5" not in without.user + without.system
    assert "2.0" not in without.user + without.system


def test_strategies_that_write_programs_leave_labels_alone() -> None:
    one = task(TaskKind.LOCATE, "python", "shapes")
    fit = {name for name, strategy in KNOWN.items() if not strategy.unfit(one, EvalOptions())}
    assert fit >= {"greedy", "sample", "cot", "rag", "sek", "no-info"}
    assert not fit & {"agent", "self-debug", "repair", "assistant", "api-info", "fim"}
    rust = task(TaskKind.GENERATE, "rust", "std")
    assert KNOWN["agent"].unfit(rust, EvalOptions()) == "no tool here runs rust"


PAPERS = [
    (
        TaskKind.GENERATE,
        "python",
        "numpy",
        ["# Required library\nnumpy 2.0", "Also installed: six"],
    ),
    (TaskKind.GENERATE, "rust", "std", ["Signature of the function", "Version: Rust 2.0"]),
    *(
        (kind, "python", "numpy", ["Written for: 1.5", "Target version: 2.0", "Task 3."])
        for kind in (TaskKind.LOCATE, TaskKind.EXPLAIN, TaskKind.MIGRATE)
    ),
]


@pytest.mark.parametrize(("kind", "language", "library", "parts"), PAPERS)
def test_the_papers_prompts(kind: TaskKind, language: str, library: str, parts: list[str]) -> None:
    pins = [f"{library}==2.0", "six==1.0"] if language == "python" else []
    one = task(kind, language, library, *pins)
    shown = plain_prompt(one, room(prompts="paper"))
    assert shown != plain_prompt(one, room())
    assert CODE in shown.user
    for part in parts:
        assert part in shown.user
    untold = plain_prompt(one, room(prompts="paper", version=False))
    assert "2.0" not in untold.user + untold.system
    assert plain_prompt(one, room(prompts="paper", system="Ours.")).system == "Ours."


def test_the_joint_prompt_is_the_same_for_all_three_tasks() -> None:
    kinds = (TaskKind.LOCATE, TaskKind.EXPLAIN, TaskKind.MIGRATE)
    shown = {plain_prompt(task(kind, "python", "numpy"), room(prompts="paper")) for kind in kinds}
    assert len(shown) == 1


def test_an_answer_to_the_joint_prompt_is_read_by_each_task() -> None:
    told = '{"numpy.row_stack": {"kind": "deprecation", "version": "2.0", "replacement": "numpy.vstack"}}'
    answer = f"Found one.\n\n```json\n{told}\n```\n\n```python\ndef f(x):\n    return x\n```\n"
    label = ChangeExplanation("deprecation", "numpy.vstack", "2.0")
    for explain in (False, True):
        question = LabelQuestion({"numpy.row_stack": label}, explain, "np.row_stack(x)")
        assert compare(answer, question).right
    assert extract_code(answer) == "def f(x):\n    return x\n"
