"""Each gate on tasks that it must refuse, and on one that it must not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.build.live.gates.likeness import KnownTasks
from libdrift.build.recipes.gates import (
    DuplicateGate,
    EmptyAnswerGate,
    LeakGate,
    MutantGate,
    OtherReleaseGate,
    PublishedGate,
    ReferenceGate,
    SteadyGate,
    hollowed,
)
from libdrift.build.recipes.python_tests import plain_script
from libdrift.build.recipes.reached import blocks, reached
from libdrift.build.recipes.steps import ReplyFault
from libdrift.records import (
    Facts,
    Split,
    Task,
    TaskKind,
    TestStyle,
    WrongAnswer,
)
from libdrift.records import (
    Tests as TaskTests,
)
from tests.build.recipes.local import AFTER, BEFORE, LocalExecutor, driven

REFERENCE = "import pkg\n\n\ndef around(size):\n    return pkg.circle(size)\n"
TASK = Task(
    id="t",
    suite="s",
    kind=TaskKind.GENERATE,
    language="python",
    environment=AFTER,
    title="t",
    problem="Give the length of a curve.",
    starter="import pkg\n\n\ndef around(size):\n",
    reference=REFERENCE,
    tests=(TaskTests(Split.HIDDEN, TestStyle.SCRIPT, "assert around(2) == 12\n"),),
    facts=Facts("pkg", "2.0", symbol="pkg.circle"),
    wrong=WrongAnswer(REFERENCE.replace("circle", "ring"), BEFORE, ""),
)


@pytest.fixture
def executor(tmp_path: Path) -> LocalExecutor:
    return LocalExecutor(tmp_path)


def test_a_task_that_holds_passes_every_gate(executor: LocalExecutor) -> None:
    for gate in (
        LeakGate(),
        DuplicateGate(),
        ReferenceGate(executor),
        EmptyAnswerGate(executor),
        OtherReleaseGate(executor),
    ):
        assert gate(TASK) is None
        assert gate(TASK) is None


def test_a_reference_must_pass_each_time(executor: LocalExecutor) -> None:
    flaky = "import pathlib\nseen = pathlib.Path({!r})\nassert not seen.exists()\nseen.touch()\n"
    once = flaky.format(str(executor.folder / "seen"))
    tests = (TaskTests(Split.HIDDEN, TestStyle.SCRIPT, once),)
    told = ReferenceGate(executor)(replace(TASK, tests=tests))
    assert told is not None
    assert "run 2" in told
    assert ReferenceGate(executor)(replace(TASK, reference=" ")) == "it has no reference"


@pytest.mark.parametrize(
    ("tests", "told"),
    [
        ("pass\n", "an empty answer passes"),
        ("assert callable(around)\n", "a function without a body passes"),
        ("import pkg\nassert pkg\n", "an empty answer passes"),
    ],
)
def test_empty_answers_must_fail(executor: LocalExecutor, tests: str, told: str) -> None:
    task = replace(TASK, tests=(TaskTests(Split.HIDDEN, TestStyle.SCRIPT, tests),))
    assert EmptyAnswerGate(executor)(task) == told


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (REFERENCE, "does not fail here: passed"),
        ("def around(size):\n    return 1\n", "fails there, hidden"),
    ],
)
def test_the_wrong_version_is_wrong_here_alone(
    executor: LocalExecutor, code: str, told: str
) -> None:
    assert TASK.wrong is not None
    found = OtherReleaseGate(executor)(replace(TASK, wrong=replace(TASK.wrong, code=code)))
    assert found is not None
    assert told in found


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"problem": "Call Circle with the size."}, "the prompt names circle"),
        ({"title": "pkg.circle"}, "the prompt names circle"),
        ({"starter": REFERENCE}, "the answer is in the prompt"),
        ({"problem": "Encircle the curve."}, None),
        ({"problem": "Call circle.", "kind": TaskKind.MIGRATE}, None),
    ],
)
def test_a_prompt_does_not_tell(changed: dict[str, str], told: str | None) -> None:
    assert LeakGate()(replace(TASK, **changed)) == told  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["time.time()", "random.random()", "requests.get(x)"])
def test_what_differs_from_run_to_run_is_refused(word: str) -> None:
    assert SteadyGate()(TASK) is None
    told = SteadyGate()(replace(TASK, reference=f"{REFERENCE}    {word}\n"))
    assert told is not None
    assert "depends on" in told


def test_tests_tell_mutants_apart(executor: LocalExecutor) -> None:
    code = "def f(x):\n    return x * 2 + 1 if x > 1 else x - 1\n"
    strong = "assert [f(0), f(1), f(2), f(3)] == [-1, 0, 5, 7]\n"
    for tests, holds in ((strong, True), ("assert f(0) < 9\n", False)):
        hidden = (TaskTests(Split.HIDDEN, TestStyle.SCRIPT, tests),)
        told = MutantGate(executor)(replace(TASK, reference=code, tests=hidden))
        assert (told is None) is holds, told


def test_a_published_task_is_refused() -> None:
    reference = "def area(points):\n    return sum(abs(x * y) for x, y in points) + len(points)\n"
    own = replace(TASK, reference=reference)
    reads: list[int] = []

    def known() -> KnownTasks:
        reads.append(1)
        found = KnownTasks()
        found._add_published([own])
        return found

    gate = PublishedGate(known)
    assert gate(own) == "a published benchmark has it"
    assert gate(TASK) is None
    assert len(reads) == 1


def test_the_prompt_as_it_is_sent_does_not_tell() -> None:
    assert LeakGate(lambda _: "Installed: circle 2.0")(TASK) == "the prompt names circle"


def test_no_two_tasks_ask_the_same() -> None:
    gate = DuplicateGate()
    assert gate(TASK) is None
    assert gate(replace(TASK, id="other")) == "asks the same as t"
    assert gate(replace(TASK, id="third", starter="x = 1\n")) is None


def test_bodies_are_taken_out() -> None:
    code = "def f(x):\n    def g():\n        return 1\n    return g()\n\n\nclass A:\n    def m(self): return 2\n"
    assert hollowed(code) == "def f(x):\n    pass\n\n\nclass A:\n    def m(self): pass\n"


def test_blocks_that_no_test_reaches(executor: LocalExecutor) -> None:
    code = "def f(x):\n    if x > 1:\n        return 1\n    else: return 2\n"
    task = replace(TASK, reference=code)
    assert [(one.line, one.end_line) for one in blocks(code, "python")] == [(2, 4), (3, 3), (4, 4)]

    def missed(tests: str) -> tuple[float, list[int]]:
        hidden = TaskTests(Split.HIDDEN, TestStyle.SCRIPT, tests)
        found, _ = driven(reached(task, hidden), {}, executor)  # type: ignore[arg-type]
        return round(found.share, 2), [one.line for one in found.missed]  # type: ignore[union-attr]

    assert missed("assert f(2) == 1\n") == (0.67, [4])
    assert missed("assert f(2) == 1\nassert f(0) == 2\n") == (1.0, [])


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("assert f() == 1\n", "assert f() == 1\n"),
        ("def test_f():\n    assert f()\n", "def test_f():\n    assert f()\ntest_f()\n"),
        ("def test_f(x):\n    assert f()\n", "def test_f(x):\n    assert f()\n"),
        (
            "import pytest\nassert f()\n",
            ReplyFault("write plain assert statements, without pytest"),
        ),
        ("f()\n", ReplyFault("the tests assert nothing")),
    ],
)
def test_tests_become_a_script(code: str, wanted: str | ReplyFault) -> None:
    assert plain_script(code) == wanted
