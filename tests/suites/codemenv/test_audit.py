"""What an audit of samples says, from outputs and names made up here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from libdrift.config import Settings
from libdrift.execution import Options
from libdrift.execution.outputs import Observed, ScriptRun
from libdrift.execution.plan import Job
from libdrift.records import Environment, Outcome, Release, Surface, Symbol, SymbolKind, Task
from libdrift.records.surfaces import Deprecation, Name
from libdrift.sandbox import Backend, Judgement
from libdrift.sandbox.commands import Ended
from libdrift.suites.codemenv import audit as codemenv
from libdrift.suites.codemenv.label_lookup import Label, LabelState, State
from libdrift.suites.codemenv.samples import tasks_of
from libdrift.suites.finding import Oddities
from tests.published import published

SCRIPT = """```python
import numpy as np

def f(x):
    return np.old(x)

for x in [1, 2]:
    try:
        print(f(x))
    except Exception as e:
        print("error:", e)
```"""
RIGHT = Ended(0, "1\n2\n", "", 0.1)
GONE = Ended(0, "error: no old\n" * 2, "", 0.1)


def sample(**changes: Any) -> list[Task]:
    item = {
        "code_id": "one",
        "solution_function": "def f(x):\n    return np.old(x)\n",
        "package": "numpy",
        "import": "import numpy as np",
        "origin_version": "1.26",
        "compare_version": "2.0",
        "solution_function_script": SCRIPT,
        "message": "1\n2\n",
        "signature": "np.old(x)",
        "update": "",
        "update_type": "Deprecated",
    } | changes
    found = tasks_of("easy", item, "here:1", Oddities())
    assert not isinstance(found, str), found
    return found


@pytest.fixture
def options(settings: Settings, bubblewrap: Backend) -> Options:
    return Options(settings, bubblewrap)


def audited(
    monkeypatch: pytest.MonkeyPatch,
    options: Options,
    tasks: list[Task],
    outputs: tuple[Observed, Observed],
    states: tuple[State, State] = (State.THERE, State.GONE),
) -> tuple[bool, str]:
    """The verdict that all tasks of a sample share."""
    target = tasks[0].environment

    def observe(wanted: Iterable[ScriptRun], _: Options) -> dict[ScriptRun, Observed]:
        return {one: outputs[one.environment == target] for one in wanted}

    def look_up(
        wanted: Iterable[tuple[Environment, Label]], _: Options
    ) -> dict[tuple[Environment, Label], LabelState]:
        return {one: LabelState(states[one[0] == target]) for one in wanted}

    monkeypatch.setattr(codemenv, "observe", observe)
    monkeypatch.setattr(codemenv, "look_up", look_up)
    results = codemenv.audit(tasks, options)
    assert [one.task_id for one in results] == [task.id for task in tasks]
    ((verified, reason),) = {(one.verified, one.reason) for one in results}
    return verified, reason


FINE, BROKEN = Observed(RIGHT), Observed(GONE)
BACK = {"origin_version": "2.0", "compare_version": "1.26"}
PLAIN = {"package": "random", "origin_version": "3.9", "compare_version": "3.4"}
NO_OUTPUT = Ended(None, "", "", 0.0)


@pytest.mark.parametrize(
    ("changes", "outputs", "states", "reason"),
    [
        ({}, (FINE, BROKEN), (State.THERE, State.GONE), ""),
        ({}, (FINE, Observed(Ended(1, "", "ImportError: no", 0.1))), ("there", "gone"), ""),
        ({}, (FINE, BROKEN), ("there", "deprecated"), ""),
        (BACK, (FINE, BROKEN), ("there", "gone"), ""),
        (
            BACK,
            (FINE, BROKEN),
            ("there", "deprecated"),
            "label numpy.old is there in both, deprecated at target",
        ),
        ({}, (FINE, FINE), ("there", "gone"), "runs at origin; same output at target"),
        (
            {},
            (FINE, FINE),
            ("there", "there"),
            "runs at origin; same output at target; label numpy.old is there in both",
        ),
        ({}, (FINE, BROKEN), ("gone", "gone"), "label numpy.old is not there at origin"),
        ({}, (FINE, BROKEN), ("no name", "no name"), "label numpy.old is no name"),
        (
            {},
            (Observed(Ended(1, "", "Traceback\nAttributeError: no np.old", 0.1)), BROKEN),
            ("there", "gone"),
            "fails at origin: AttributeError: no np.old",
        ),
        (
            {},
            (BROKEN, FINE),
            ("there", "gone"),
            "its original only prints errors at origin: error: no old",
        ),
        (
            {},
            (Observed(Ended(0, "1\nerror: x\n", "", 0.1)), FINE),
            ("there", "gone"),
            "a case ends in an error at origin: error: x",
        ),
        (
            {},
            (Observed(RIGHT, steady=False), FINE),
            ("there", "gone"),
            "its original prints something else in every run",
        ),
        (
            PLAIN,
            (FINE, Observed(NO_OUTPUT, trouble="not on this machine", absent=True)),
            ("there", "unknown"),
            "no interpreter 3.4",
        ),
        (
            PLAIN,
            (FINE, Observed(NO_OUTPUT, trouble="ended after 600 s")),
            ("there", "gone"),
            "not proven: ended after 600 s",  # and not "fails at target"
        ),
        (
            {},
            (FINE, BROKEN),
            ("unknown", "gone"),
            "not proven: label numpy.old could not be looked up: ",
        ),
        (
            {},
            (FINE, Observed(NO_OUTPUT, trouble="no index")),
            ("there", "unknown"),
            "not proven: no index",
        ),
        (
            {"solution_function": "def g(x):\n    return x\n"},
            (FINE, BROKEN),
            ("there", "gone"),
            "the original does not define f",
        ),
    ],
)
def test_verdicts(
    monkeypatch: pytest.MonkeyPatch,
    options: Options,
    changes: dict[str, str],
    outputs: tuple[Observed, Observed],
    states: tuple[str, str],
    reason: str,
) -> None:
    before, after = map(State, states)
    verified, why = audited(monkeypatch, options, sample(**changes), outputs, (before, after))
    assert verified is not bool(reason)
    assert why == (reason or codemenv.PROVEN)


def test_a_sample_is_run_once_for_its_three_tasks(
    monkeypatch: pytest.MonkeyPatch, options: Options
) -> None:
    asked: list[ScriptRun] = []

    def observe(wanted: Iterable[ScriptRun], _: Options) -> dict[ScriptRun, Observed]:
        asked.extend(wanted)
        return dict.fromkeys(asked, FINE)

    monkeypatch.setattr(codemenv, "observe", observe)
    monkeypatch.setattr(codemenv, "look_up", lambda w, _: dict.fromkeys(w, LabelState(State.THERE)))
    assert len(codemenv.audit(sample(), options)) == 3
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("java.util.Observer", ""),
        ("java.util.Observer.update", ""),  # in something that is deprecated
        ("java.util.Kept", "label java.util.Kept is there in both"),
        ("java.util.Never", "label java.util.Never is not there at --release 8"),
        (
            "com.sun.javadoc.Doc",
            "label com.sun.javadoc.Doc is not known at 8: JDK 8's tools are not among what javac "
            "--release 8 sees",
        ),
    ],
)
def test_java(monkeypatch: pytest.MonkeyPatch, options: Options, name: str, reason: str) -> None:
    result = java_audited(monkeypatch, options, name, Judgement(Outcome.PASSED, "", 0.1))
    assert result == (not reason, reason or codemenv.PROVEN_JAVA)


REFUSED = Judgement(Outcome.FAILED, "does not compile for Java 8: line 3: no", 0.1)


@pytest.mark.parametrize(
    ("name", "judgement", "reason"),
    [
        ("java.util.Observer", REFUSED, f"its original {REFUSED.reason}"),
        (
            "java.util.Kept",
            REFUSED,
            f"label java.util.Kept is there in both; its original {REFUSED.reason}",
        ),
        ("java.util.Never", REFUSED, "label java.util.Never is not there at --release 8"),
        (
            "java.util.Observer",
            Judgement(Outcome.INFRASTRUCTURE, "no JDK", 0.0),
            "not proven: no JDK",
        ),
    ],
)
def test_java_originals_must_compile(
    monkeypatch: pytest.MonkeyPatch,
    options: Options,
    name: str,
    judgement: Judgement,
    reason: str,
) -> None:
    assert java_audited(monkeypatch, options, name, judgement) == (False, reason)


def java_audited(
    monkeypatch: pytest.MonkeyPatch, options: Options, name: str, judgement: Judgement
) -> tuple[bool, str]:
    def run_jobs(jobs: Sequence[Job], _: Options) -> Iterator[tuple[Job, Judgement]]:
        (job,) = jobs  # once for all its tasks
        assert (job.environment.runtime, job.program.answer) == ("8", "class A {}")
        assert not job.program.apis
        yield job, judgement

    monkeypatch.setattr("libdrift.execution.java.run_jobs", run_jobs)
    monkeypatch.setattr(codemenv, "_platform", platform)
    item = {
        "code_id": "j",
        "java_code": "class A {}",
        "signature": name,
        "update": "",
        "update_type": "Deprecated",
    }
    tasks = tasks_of("java", item, "here:1", Oddities())
    assert not isinstance(tasks, str)
    (result,) = {(one.verified, one.reason) for one in codemenv.audit(tasks, options)}
    return result


def platform(release: str) -> Surface:
    def symbol(identity: str, *, old: bool = False) -> Symbol:
        told = (Deprecation("annotation", "since 9"),) if old and release == "11" else ()
        return Symbol(identity, SymbolKind.CLASS, deprecations=told)

    observer = symbol("java.util:Observer", old=True)
    symbols = [observer, symbol("java.util:Observer.update"), symbol("java.util:Kept")]
    return Surface(
        Release("jdk", "jdk", release),
        ("java.util",),
        {one.id: one for one in symbols},
        {
            "java.util": {"Observer": Name("java.util:Observer"), "Kept": Name("java.util:Kept")},
            "java.util:Observer": {"update": Name("java.util:Observer.update")},
        },
    )


@pytest.mark.published
def test_published_samples(options: Options) -> None:
    from libdrift.suites import codemenv as suite

    published("codemenv")
    settings = replace(options.settings, data=published())
    tasks = suite.load(settings).tasks
    expected = {
        "3g11ng14Iq": codemenv.PROVEN,
        "Gk0xeGTYzB": "its original only prints errors at origin: error: 'format_parser' object "
        "has no attribute '_descr'",
    }
    results = codemenv.audit([tasks[f"{code}/migrate"] for code in expected], options)
    assert {one.task_id.partition("/")[0]: one.reason for one in results} == expected
