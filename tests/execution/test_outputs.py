"""Scripts around answers: how they are judged, and what originals are seen to print."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from libdrift import records
from libdrift.config import Settings
from libdrift.environments import Failed, Ready
from libdrift.execution import Job, Options, outputs, remembered
from libdrift.execution.substitution import imports_of
from libdrift.records import (
    Environment,
    Facts,
    Outcome,
    Split,
    Suite,
    Task,
    TaskKind,
    TestStyle,
    WrongAnswer,
)
from libdrift.sandbox import Backend, Limits, Program
from libdrift.sandbox.commands import Ended

HERE = Environment("python", "3.11", ())
NOWHERE = Environment("python", "3.4", ())
SCRIPT = """\
import math

def root(x):
    return math.sqrt(x)

test_data = [1, 4, -1]

for x in test_data:
    try:
        print(root(x))
    except Exception as e:
        print("error:", e)
"""
EXPECTED = "1.0\n2.0\nerror: math domain error\n"
RIGHT = "def root(x):\n    return math.sqrt(x)\n"


@pytest.fixture
def options(
    settings: Settings,
    bubblewrap: Backend,
    place: Ready,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Options:
    """One environment that is there, one that is not, and a cache of their own."""

    def built(wanted: Iterable[Environment], *_: object, **__: object) -> object:
        missing = Failed(NOWHERE, "Python 3.4 is not on this machine")
        return {one: missing if one == NOWHERE else place for one in wanted}

    monkeypatch.setattr(outputs, "build_all", built)
    cached = replace(settings, cache=tmp_path)
    return Options(cached, bubblewrap, Limits().with_time(1.0))


def job(answer: str, expected: str | None = EXPECTED, environment: Environment = HERE) -> Job:
    program = Program(answer, SCRIPT, TestStyle.OUTPUT, expected=expected)
    return Job((answer,), environment, program)


def test_verdicts(options: Options) -> None:
    other = "def root(x):\n    return "
    wanted = {
        job(RIGHT): (Outcome.PASSED, "", "ppp"),
        job(f"import sys\n{RIGHT}    sys.stderr.write('!')\n"): (Outcome.PASSED, "", "ppp"),
        job(other + "x ** 0.5 if x > 0 else math.sqrt(x)\n"): (Outcome.PASSED, "", "ppp"),
        job(other + "float(x)\n"): (Outcome.FAILED, "line 2 of the output differs: '4.0'", "pff"),
        job(other + "math.root(x)\n"): (
            Outcome.FAILED,
            'line 1 of the output differs: "err',
            "fff",
        ),
        job(f"import sys\n{other}sys.exit(3)\n"): (Outcome.ERROR, "exit status 3", "fff"),
        job(f"import os\n{other}os._exit(0)\n"): (Outcome.FAILED, "line 1 of the output", "fff"),
        job(f"import os\n{other}os.kill(os.getpid(), 9)\n"): (Outcome.ERROR, "by signal 9", "fff"),
        job(f"import atexit, os\natexit.register(os._exit, 3)\n{RIGHT}"): (
            Outcome.ERROR,
            "exit status 3",
            "ppp",
        ),
        job(f"import subprocess\n{other}subprocess.call(['/bin/true'])\n"): (
            Outcome.FAILED,  # no other program, such as another Python that runs the old code
            "Operation not permitted",
            "fff",
        ),
        job(f"import nothing\n{RIGHT}"): (Outcome.ERROR, "No module named 'nothing'", "fff"),
        job("def other(x):\n    return x\n"): (Outcome.ERROR, "does not define root", ""),
        job("I cannot."): (Outcome.ERROR, "does not parse", ""),
        job(f"import time\n{other}time.sleep(600)\n"): (
            Outcome.TIMEOUT,
            "over the time limit of",
            "fff",
        ),
        job(RIGHT, None): (Outcome.INFRASTRUCTURE, "is not known", ""),
        job("def root(x):\n    pass\n", " \n"): (Outcome.INFRASTRUCTURE, "is not known", ""),
        job(RIGHT, "error: x\n" * 3): (Outcome.FAILED, "line 1", "fff"),
        job(other + "no(x)", "error: name 'no' is not defined\n" * 3): (
            Outcome.PASSED,
            "nothing but errors",
            "ppp",
        ),
        job(RIGHT, environment=NOWHERE): (Outcome.INFRASTRUCTURE, "Python 3.4 is not on", ""),
    }
    found = dict(outputs.run_jobs(list(wanted), options))
    assert found.keys() == wanted.keys()
    for one, (outcome, reason, cases) in wanted.items():
        judgement = found[one]
        assert judgement.outcome is outcome, (one.key, judgement)
        assert reason in judgement.reason, (one.key, judgement)
        assert "".join(case.outcome[0] for case in judgement.cases) == cases
        assert "domain" not in judgement.reason  # what is expected is not told


def test_one_case_where_lines_and_cases_do_not_go_together(options: Options) -> None:
    ((_, judgement),) = outputs.run_jobs([job(RIGHT, "1.0\n2.0\n")], options)
    assert [(case.name, case.outcome) for case in judgement.cases] == [("output", "failed")]


def test_what_a_script_takes_to_import_counts_for_the_limit(options: Options) -> None:
    slow = SCRIPT.replace("import math\n", "import math\nfrom slowly import *\n")
    assert imports_of(slow) == "import math\nfrom slowly import *\n"
    limits: list[float] = []

    def run(script: str, *rest: object, **_: object) -> Ended:
        limits.append(rest[2].wall_seconds)  # type: ignore[attr-defined]
        if script == imports_of(slow):
            return Ended(0, "", "", 0.7)
        return Ended(None, "", "", 2.0, "time") if len(limits) == 1 else Ended(0, EXPECTED, "", 2.0)

    one = replace(job(RIGHT), program=replace(job(RIGHT).program, tests=slow))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outputs, "run_script", run)
        ((_, judgement),) = outputs.run_jobs([one], options)
    assert judgement.outcome is Outcome.PASSED
    assert limits == [1.0, 20.0, 7.0]


def test_leaving_early_stops_the_rest(options: Options) -> None:
    jobs = [job(f"import time\ntime.sleep({n} / 100)\n{RIGHT}") for n in range(1, 30)]
    before = threading.active_count()
    running = outputs.run_jobs(jobs, options)
    next(running)
    running.close()
    assert threading.active_count() == before


@pytest.mark.parametrize(
    ("printed", "expected", "same"),
    [
        ("1\n", "1\n", True),
        ("1\n", "1", True),
        ("1\r\n2\n", "1\n2\n", True),
        ("<f at 0x7f00aa12>\n", "<f at 0x5581a2c0>\n", True),
        ("0x1f\n", "0x2f\n", False),
        ("1 \n", "1\n", False),
        ("\n1\n", "1\n", False),
        ("1.0\n", "1\n", False),
    ],
)
def test_same_output(printed: str, expected: str, same: bool) -> None:  # noqa: FBT001
    assert outputs.same_output(printed, expected) is same


@pytest.mark.parametrize(
    ("printed", "only"),
    [
        ("error: a\nerror: b\nerror: c\n", True),
        ("error: a\n  more of a\nerror: b\nerror: c\n", True),
        ("error: a\nerror: b\n3\n", False),
        ("('error:', ValueError('a',))\n" * 3, True),
        ("errors 3\n1\n2\n", False),
        ("", False),
    ],
)
def test_only_errors(printed: str, only: bool) -> None:  # noqa: FBT001
    assert outputs.only_errors(printed, SCRIPT) is only


def task(
    name: str, code: str | None, environment: Environment = HERE, script: str | None = None
) -> Task:
    published = script or SCRIPT.replace(RIGHT, code or RIGHT)
    return Task(
        id=name,
        suite="made",
        kind=TaskKind.MIGRATE,
        language="python",
        environment=HERE,
        title=name,
        problem="",
        starter=code or "",
        reference="",
        tests=(
            records.Tests(Split.HIDDEN, TestStyle.OUTPUT, published, "as published\n"),
            records.Tests(Split.VISIBLE, TestStyle.LABELS, "{}"),
        ),
        facts=Facts("math", "3.11"),
        wrong=None if code is None else WrongAnswer(code, environment, ""),
    )


def test_measured(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "def root(x):\n    return "
    tasks = [
        task("right", RIGHT),
        task("no original", None),
        task("unfit", "x = 1\n", script=SCRIPT),
        task("right in the script", "def root(x):\n    return m.sqrt(x)\n", script=SCRIPT),
        task("elsewhere", RIGHT, NOWHERE),
        task("fails", f"import nothing\n{RIGHT}"),
        task("errors", other + "math.root(x)\n"),
        task("by hash", other + "{'a', 'b', 'c', 'd', 'e', 'f'}\n"),
        task("by chance", f"import random\n{other}random.random()\n"),
        task("by address", f"{other}object()\n"),
        task("silent", f"import os\n{other}os._exit(0)\n"),
    ]
    suite = Suite("made", "Made", "", MappingProxyType({one.id: one for one in tasks}))
    told: list[str] = []
    found = outputs.measured(suite, options, told.append)
    assert told == ["measuring what 9 originals print, in 2 environments"]
    for name in ("right", "right in the script"):
        assert found.suite.tasks[name].tests[0].expected == EXPECTED
    assert dict(found.reasons) == {
        "no original": "it has no original",
        "unfit": "its original does not define root",
        "elsewhere": "Python 3.4 is not on this machine",
        "fails": "its original fails at origin: ModuleNotFoundError: No module named 'nothing'",
        "errors": "its original only prints errors at origin: "
        "error: module 'math' has no attribute 'root'",
        "by hash": "its original prints something else in every run",
        "by chance": "its original prints something else in every run",
        "silent": "its original prints nothing",
    }
    for name, one in found.suite.tasks.items():
        styles = [tests.style for tests in one.tests]
        graded = [] if name in found.reasons else [TestStyle.OUTPUT]
        assert styles == [*graded, TestStyle.LABELS], name

    def never(*_: object, **__: object) -> Ended:
        raise AssertionError

    monkeypatch.setattr(remembered, "run_script", never)
    assert outputs.measured(suite, options) == found  # all of it is remembered


@pytest.mark.parametrize("content", ['{"status": 0', '{"other": 1}'])
def test_a_broken_memory_is_made_anew(options: Options, content: str) -> None:
    wanted = outputs.ScriptRun(HERE, "print(1)\n", twice=False)
    first = outputs.observe([wanted], options)
    (file,) = (options.settings.cache / "outputs").iterdir()
    file.write_text(content)
    again = outputs.observe([wanted], options)
    assert first[wanted].ended.stdout == again[wanted].ended.stdout == "1\n"
    assert '"1\\n"' in file.read_text()


@pytest.mark.parametrize(
    "ended",
    [
        Ended(None, "", "", 120.0, "time"),
        Ended(None, "", "", 3.0, "memory"),
        Ended(None, "", "", 3.0, "request"),
        Ended(None, "", "", 0.0, trouble="cannot start a sandbox"),
        Ended(128 + 9, "", "", 2.0),
        Ended(1, "", "MemoryError\n", 2.0),
        Ended(0, "error: can't start new thread\n", "", 2.0),
    ],
    ids=lambda ended: ended.trouble or ended.stopped_by or str(ended.status),
)
def test_a_fault_of_the_moment_is_not_remembered(options: Options, ended: Ended) -> None:
    wanted = outputs.ScriptRun(HERE, "print(1)\n", twice=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remembered, "run_script", lambda *_, **__: ended)
        assert outputs.observe([wanted], options)[wanted].ended == ended
    assert outputs.observe([wanted], options)[wanted].ended.stdout == "1\n"


def test_what_an_older_libdrift_kept_of_a_busy_moment_is_not_believed(options: Options) -> None:
    wanted = outputs.ScriptRun(HERE, "print(1)\n", twice=False)
    outputs.observe([wanted], options)
    (file,) = (options.settings.cache / "outputs").iterdir()
    file.write_text(file.read_text().replace('"stopped_by": ""', '"stopped_by": "time"'))
    assert outputs.observe([wanted], options)[wanted].ended.stopped_by == ""


def test_who_is_too_slow_beside_others_is_run_again_alone(options: Options) -> None:
    runs: list[tuple[str, float, int]] = []

    def run(script: str, *rest: object, seed: int = 0, **_: object) -> Ended:
        limits = rest[2]
        assert isinstance(limits, Limits)
        runs.append((script, limits.wall_seconds, seed))
        late = [one for one in runs if one[0] == script and one[2] == seed]
        if "never" in script or ("slow" in script and len(late) == 1 and seed == len(script) % 2):
            return Ended(None, "", "", limits.wall_seconds, "time")
        return Ended(0, f"{script}\n", "", 1.0)

    wanted = [outputs.ScriptRun(HERE, name) for name in ("quick", "slow", "slow2", "never")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remembered, "run_script", run)
        seen = outputs.observe(wanted, options)
    for item in wanted[:3]:
        assert seen[item].runs
        assert seen[item].steady
        assert outputs.unfit(seen[item], item.script) == ""
    never = seen[wanted[3]]
    assert not never.absent
    assert never.trouble == "its run was ended after 600 s: what it does is not known"
    assert [limit for script, limit, _ in runs if script == "never"] == [120.0, 600.0]


DEADLOCK = "import threading\none = threading.Lock()\none.acquire()\none.acquire()\n"
THREADS = "import threading\nwait = threading.Event().wait\nthreading.Thread(target=wait).start()\n"
BUSY = "import time\nend = time.monotonic() + 5\nwhile time.monotonic() < end: pass\nprint(1)\n"
ASLEEP = "import time\ntime.sleep(4)\nprint(1)\n"


@pytest.mark.parametrize(("script", "ending"), [(DEADLOCK, "waiting"), (THREADS, "waiting"), (BUSY, ""), (ASLEEP, "")])  # fmt: skip
def test_who_waits_for_ever_is_ended_once_and_not_waited_for_again(
    script: str, ending: str, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "_STILL", 2.0)
    wanted = outputs.ScriptRun(HERE, script, twice=False)
    seen = outputs.observe([wanted], options)[wanted]
    assert (seen.ended.stopped_by, seen.runs, seen.trouble) == (ending, not ending, "")
    monkeypatch.setattr(remembered, "run_script", None)
    assert outputs.observe([wanted], options)[wanted] == seen


def test_of_an_original_that_is_not_known_nothing_is_expected(options: Options) -> None:
    code = RIGHT.replace("def root", "import time\ndef root")
    one = task("busy", code, script=SCRIPT)

    def run(script: str, *_: object, **__: object) -> Ended:
        late = "import time" in script
        return Ended(None, "", "", 9.0, "time") if late else Ended(0, "1.0\n", "", 1.0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remembered, "run_script", run)
        suite = Suite("made", "Made", "", MappingProxyType({one.id: one}))
        found = outputs.measured(suite, options)
    assert dict(found.reasons) == {"busy": "its run was ended after 9 s: what it does is not known"}
    assert all(tests.style is not TestStyle.OUTPUT for tests in found.suite.tasks["busy"].tests)


def test_what_is_remembered_holds_for_its_limits_alone(options: Options) -> None:
    wanted = outputs.ScriptRun(HERE, "print(1)\n", twice=False)
    outputs.observe([wanted], options)
    longer = replace(options, limits=options.limits.with_time(99.0))
    outputs.observe([wanted], longer)
    assert len(list((options.settings.cache / "outputs").iterdir())) == 1
    less = replace(options, limits=replace(options.limits, memory_bytes=1 << 30))
    outputs.observe([wanted], less)
    assert len(list((options.settings.cache / "outputs").iterdir())) == 2
