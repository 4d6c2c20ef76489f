"""Remote judging: tests and answer in different processes, as if they were in one."""

from __future__ import annotations

import errno
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from libdrift.environments import Ready
from libdrift.records import Outcome, TestStyle
from libdrift.sandbox import (
    Backend,
    Judgement,
    Limits,
    Program,
    Rehearsal,
    Warm,
    judge_apart,
    judge_warm_apart,
    rehearse,
    rehearse_warm,
)
from libdrift.sandbox.launched import start

LIMITS = Limits(wall_seconds=20, cpu_seconds=20)
NOTHING: frozenset[tuple[str, str]] = frozenset()


@pytest.fixture(scope="module")
def servers(bubblewrap: Backend) -> Iterator[Warm]:
    warm = Warm(bubblewrap)
    yield warm
    warm.close()


def learn(program: Program, place: Ready, warm: Warm) -> tuple[Judgement, dict[str, Any] | None]:
    return hold(program, place, warm, None)


def hold(
    program: Program, place: Ready, warm: Warm, learned: dict[str, Any] | None
) -> tuple[Judgement, dict[str, Any] | None]:
    told = judge_warm_apart(program, place, warm, LIMITS, ((NOTHING,), NOTHING), learned)
    assert told is not None
    return told


def script(answer: str, tests: str) -> Program:
    return Program(answer, tests, TestStyle.SCRIPT)


ALIKE = {
    "functions": ("def f(a, *, b=1):\n    return [a, b]\n", "assert f(2, b=3) == [2, 3]\n"),
    "constants": ("SIZE = {'a': (1, 2)}\n", "assert SIZE == {'a': (1, 2)} and SIZE['a'][1] == 2\n"),
    "classes": (
        "class Pile:\n    def __init__(self):\n        self.items = []\n    def put(self, x):\n"
        "        self.items.append(x)\n        return self\n    def __len__(self):\n"
        "        return len(self.items)\n    @property\n    def top(self):\n        return self.items[-1]\n",
        "pile = Pile()\nassert pile.put(3).put(4).top == 4\nassert len(pile) == 2\n"
        "assert isinstance(pile, Pile)\npile.items = [9]\nassert pile.top == 9\n",
    ),
    "order of own objects": (
        "import functools\n@functools.total_ordering\nclass Step:\n    def __init__(self, n):\n"
        "        self.n = n\n    def __eq__(self, o):\n        return self.n == o.n\n"
        "    def __lt__(self, o):\n        return self.n < o.n\n    def __hash__(self):\n"
        "        return hash(self.n)\n",
        "assert [s.n for s in sorted([Step(3), Step(1)])] == [1, 3]\n"
        "assert len({Step(1), Step(1)}) == 1\n",
    ),
    "generators": (
        "def count(n):\n    yield from range(n)\n",
        "assert list(count(3)) == [0, 1, 2]\nassert next(iter(count(1))) == 0\n",
    ),
    "callables of the tests'": (
        "def apply(f, xs):\n    return [f(x) for x in xs]\n",
        "seen = []\nassert apply(lambda x: seen.append(x) or 2 * x, [1, 2]) == [2, 4]\n"
        "assert seen == [1, 2]\n",
    ),
    "callables of the answer's": (
        "def adder(n):\n    return lambda x: x + n\n",
        "assert adder(2)(3) == 5\nassert list(map(adder(1), [1])) == [2]\n",
    ),
    "calls back and forth": (
        "def down(n, other):\n    return [n] if n == 0 else [n, *other(n - 1)]\n",
        "def other(n):\n    return down(n, other)\nassert down(3, other) == [3, 2, 1, 0]\n",
    ),
    "exceptions": (
        "class TooBig(ValueError):\n    def __init__(self, n):\n        super().__init__(n)\n"
        "        self.n = n\ndef f(n):\n    if n > 2:\n        raise TooBig(n)\n    return {}[n]\n",
        "try:\n    f(3)\nexcept TooBig as error:\n    assert error.n == 3 and error.args == (3,)\n"
        "else:\n    assert False\ntry:\n    f(1)\nexcept KeyError as error:\n    assert error.args == (1,)\n"
        "else:\n    assert False\n",
    ),
    "exits": (
        "import sys\ndef leave():\n    sys.exit(3)\n",
        "try:\n    leave()\nexcept SystemExit as error:\n    assert error.code == 3\nelse:\n    assert False\n",
    ),
    "warnings": (
        "import warnings\ndef old():\n    warnings.warn('old', DeprecationWarning)\n    return 1\n",
        "import warnings\nwith warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n    assert old() == 1\n"
        "assert [w.category for w in seen] == [DeprecationWarning]\n"
        "with warnings.catch_warnings():\n    warnings.simplefilter('error')\n    try:\n        old()\n"
        "    except DeprecationWarning:\n        pass\n    else:\n        assert False\n",
    ),
    "output": (
        "import sys\ndef say(x):\n    print(x)\n    print('!', file=sys.stderr)\n",
        "import contextlib, io\nout = io.StringIO()\nwith contextlib.redirect_stdout(out):\n    say(5)\n"
        "assert out.getvalue() == '5\\n'\n",
    ),
    "random numbers": (
        "import random\ndef roll():\n    return random.random()\n",
        "import random\nrandom.seed(3)\nwanted = random.random()\nrandom.seed(3)\n"
        "assert roll() == wanted\nassert roll() != wanted\n",
    ),
    "changed arguments": (
        "def tidy(xs, d):\n    xs.sort()\n    d['n'] = len(xs)\n    return xs\n",
        "xs, d = [3, 1], {}\nassert tidy(xs, d) is xs\nassert xs == [1, 3] and d == {'n': 2}\n",
    ),
    "arguments that change later": (
        "class Log:\n    def __init__(self, to):\n        self.to = to\n    def add(self, x):\n"
        "        self.to.append(x)\n",
        "to = []\nlog = Log(to)\nlog.add(1)\nlog.add(2)\nassert to == [1, 2]\n",
    ),
    "coroutines": (
        "import asyncio\nasync def later(x):\n    await asyncio.sleep(0)\n    return x + 1\n",
        "import asyncio\nassert asyncio.run(later(1)) == 2\n",
    ),
    "context managers": (
        "import contextlib\n@contextlib.contextmanager\ndef held(log):\n    log.append('in')\n"
        "    yield 7\n    log.append('out')\n",
        "log = []\nwith held(log) as value:\n    assert value == 7\nassert log == ['in', 'out']\n",
    ),
    "signatures": (
        "def f(a, b=2, *c, d=None):\n    return a\n",
        "import inspect\nfound = inspect.signature(f).parameters\n"
        "assert list(found) == ['a', 'b', 'c', 'd'] and found['b'].default == 2\n",
    ),
    "names of libraries": ("import math as m\ndef f():\n    return m.pi\n", "assert f() == m.pi\n"),
    "names that are built in": ("def sum(xs):\n    return 41\n", "assert sum([1]) == 41\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", ALIKE)
def test_tests_do_not_notice_that_the_answer_is_elsewhere(
    name: str, place: Ready, servers: Warm
) -> None:
    answer, tests = ALIKE[name]
    judgement, learned = learn(script(answer, tests), place, servers)
    assert judgement.outcome is Outcome.PASSED, (judgement.reason, judgement.log)
    again, _ = hold(script(answer, tests), place, servers, learned)
    assert again.outcome is Outcome.PASSED, (again.reason, again.log)


def test_pytest_tests_and_a_fresh_process_judge_alike(
    place: Ready, servers: Warm, bubblewrap: Backend
) -> None:
    tests = (
        "import pytest\nimport answer\nfrom answer import half\n\n\n@pytest.mark.parametrize(\n"
        "    ('x', 'y'), [(4, 2), (6, 3)]\n)\ndef test_half(x, y):\n    assert half(x) == y\n\n\n"
        "def test_odd():\n    with pytest.raises(ValueError, match='odd'):\n        answer.half(3)\n"
        "    assert answer.LEAST == 0\n"
    )
    right = "LEAST = 0\ndef half(x):\n    if x % 2:\n        raise ValueError('odd')\n    return x // 2\n"
    wrong = right.replace("// 2", "// 3")
    for answer, outcome in ((right, Outcome.PASSED), (wrong, Outcome.FAILED)):
        program = Program(answer, tests, TestStyle.PYTEST)
        warm, learned = learn(program, place, servers)
        fresh, same = judge_apart(program, place, bubblewrap, LIMITS, None)
        assert (warm.outcome, warm.reason, warm.cases) == (fresh.outcome, fresh.reason, fresh.cases)
        assert warm.outcome is outcome
        assert learned == same


REFERENCE = "def f(x):\n    return x + 1.0\n"
TESTS = "assert f(1) == 2.0\nassert abs(f(2) - 3) < 1e-9\n"
# Answers that say what is no value, or say it in the wrong way.
ODD = {
    "an object that equals anything": (
        "class Any:\n    def __eq__(self, o):\n        return True\n    def __sub__(self, o):\n"
        "        return 0\ndef f(x):\n    return Any()\n"
    ),
    "a float that equals anything": (
        "class Any(float):\n    __eq__ = __lt__ = lambda self, o: True\n    __hash__ = None\n"
        "    __sub__ = lambda self, o: Any(0)\n    __abs__ = lambda self: self\n"
        "def f(x):\n    return Any(0)\n"
    ),
    "ANY of mocks": "from unittest.mock import ANY\ndef f(x):\n    return ANY\n",
    "a skipped test": "import unittest\ndef f(x):\n    raise unittest.SkipTest('no')\n",
    "an end": "import os\ndef f(x):\n    os._exit(0)\n",
    "an end on load": "import os\nos._exit(0)\n",
    "an interrupt": "def f(x):\n    raise KeyboardInterrupt\n",
    "noise on every descriptor": (
        "import os\ndef f(x):\n    for n in range(3, 64):\n        try:\n"
        "            os.write(n, b'\\0\\0\\0\\x02[]')\n        except OSError:\n            pass\n    return x\n"
    ),
    "a lie about its type": (
        "class Lie:\n    __class__ = float\n    def __sub__(self, o):\n        return 0\n"
        "def f(x):\n    return Lie()\n"
    ),
    "a constructor that runs code": (
        "class Run:\n    def __reduce__(self):\n        return eval, ('2.0',)\n"
        "Run.__module__ = 'builtins'\ndef f(x):\n    return Run()\n"
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_nothing_but_a_right_value_passes(name: str, place: Ready, servers: Warm) -> None:
    _, learned = learn(script(REFERENCE, TESTS), place, servers)
    judgement, _ = hold(script(ODD[name], TESTS), place, servers, learned)
    assert judgement.outcome in (Outcome.FAILED, Outcome.ERROR), judgement


def test_the_answer_holds_nothing_of_its_tests(place: Ready, servers: Warm) -> None:
    """Neither frames nor objects nor files of its process lead to a test."""
    answer = """
import gc, os, sys

def f(x):
    seen = []
    frame = sys._getframe()
    while frame is not None:
        seen += [repr(v) for v in frame.f_locals.values() if isinstance(v, str)]
        frame = frame.f_back
    for thing in gc.get_objects():
        if type(thing) in (list, tuple, dict):
            seen.append(str(list(thing.values()) if type(thing) is dict else list(thing))[:100000])
    for folder, _, names in os.walk("/tmp"):
        for name in names:
            seen.append(open(os.path.join(folder, name), errors="replace").read())
    return any("_".join(["SECRET", "OF", "THE", "TESTS"]) in text for text in seen)
"""
    tests = "SECRET_OF_THE_TESTS = 5\nassert f(1) is False, 'SECRET_OF_THE_TESTS'\n"
    _, learned = learn(script("def f(x):\n    return False\n", tests), place, servers)
    judgement, _ = hold(script(answer, tests), place, servers, learned)
    assert judgement.outcome is Outcome.PASSED, judgement.reason


def test_a_name_that_tests_judge_with_is_the_librarys_own(place: Ready, servers: Warm) -> None:
    tests = "assert m.isclose(f(), 3.5)\n"
    _, learned = learn(
        script("import math as m\ndef f():\n    return 3.5\n", tests), place, servers
    )
    forged = "class m:\n    isclose = staticmethod(lambda a, b: True)\ndef f():\n    return 0\n"
    judgement, _ = hold(script(forged, tests), place, servers, learned)
    assert judgement.outcome is Outcome.FAILED
    assert judgement.stuck == "its m is not what the tests take it for"


def test_text_of_the_answer_is_never_run(place: Ready, servers: Warm) -> None:
    """Tests that evaluate what an answer says are not judged remotely; others cannot be made to."""
    evaluating = script("def f():\n    return '1 + 2 + 3 + 4'\n", "assert eval(f()) == 10\n")
    judgement, _ = learn(evaluating, place, servers)
    assert judgement.stuck.startswith("its tests run text of its own")


def test_an_answer_that_changes_its_arguments_is_seen(place: Ready, servers: Warm) -> None:
    tests = "xs = [3, 1]\nassert f(xs) == sorted(xs)\n"
    _, learned = learn(script("def f(xs):\n    return sorted(xs)\n", tests), place, servers)
    forged = script("def f(xs):\n    xs.clear()\n    return []\n", tests)
    seen, _ = hold(forged, place, servers, learned)
    assert (seen.outcome, seen.changes) == (Outcome.PASSED, True)
    ignored, _ = hold(forged, place, servers, {**(learned or {}), "ignores": True})
    assert ignored.outcome is Outcome.FAILED


# What a reader of this design has passed with: reference, tests, and an answer that solves nothing.
FORGED = {
    "a function that has the method asked for": (
        "def f(x):\n    return 'ab' + x\n",
        "assert f('c').startswith('abc')\n",
        "def f(x):\n    def g():\n        pass\n    g.startswith = lambda *a: True\n    return g\n",
    ),
    "an iterator that contains anything": (
        "def f(x):\n    return [7, x]\n",
        "assert 7 in f(1)\n",
        "class It:\n    def __iter__(self):\n        return self\n    def __next__(self):\n"
        "        raise StopIteration\n    def __contains__(self, x):\n        return True\n"
        "def f(x):\n    return It()\n",
    ),
    "a namespace whose method is a class": (
        "def f(x):\n    return 'ab'\n",
        "assert f(1).startswith('ab')\n",
        "import types\ndef f(x):\n    return types.SimpleNamespace(startswith=slice)\n",
    ),
    "the end of somebody else's loop": (
        "def f(x):\n    return 2 * x\n",
        "for got, want in zip(map(f, [1, 2]), [2, 4]):\n    assert got == want\n",
        "def f(x):\n    raise StopIteration\n",
    ),
    "a check in a call back, swallowed": (
        "def walk(visit):\n    visit(3)\n",
        "def visit(x):\n    assert x == 3\nwalk(visit)\n",
        "def walk(visit):\n    try:\n        visit(0)\n    except BaseException:\n        pass\n",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_an_answer_is_asked_only_what_its_reference_was(
    name: str, place: Ready, servers: Warm
) -> None:
    reference, tests, forged = FORGED[name]
    right, learned = learn(script(reference, tests), place, servers)
    assert right.outcome is Outcome.PASSED, right.reason
    judgement, _ = hold(script(forged, tests), place, servers, learned)
    assert judgement.outcome is Outcome.FAILED, judgement


DEEP = (
    "def outer(x):\n    return inner(x)\n\n\ndef inner(x):\n    raise KeyError('no such thing')\n"
)


@pytest.mark.parametrize("fresh", [False, True])
def test_a_failure_is_told_by_the_frames_of_tests_and_answer(
    place: Ready, servers: Warm, bubblewrap: Backend, *, fresh: bool
) -> None:
    tests = (
        "import unittest\nfrom answer import outer\n\n\nclass TestOuter(unittest.TestCase):\n"
        "    def test_it(self):\n        self.assertEqual(outer(4), 5)\n"
    )
    program = Program(DEEP, tests, TestStyle.PYTEST)
    if fresh:
        judgement, _ = judge_apart(program, place, bubblewrap, LIMITS, None)
    else:
        judgement, _ = learn(program, place, servers)
    assert judgement.reason == "TestOuter::test_it: KeyError: 'no such thing'"
    frames = ["self.assertEqual(outer(4), 5)", "return inner(x)", "raise KeyError"]
    assert sorted(frames, key=judgement.log.index) == frames
    assert judgement.log.count("KeyError: 'no such thing'") == 1
    assert not any(ours in judgement.log for ours in ("conversation", "answering", "run/libdrift"))


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("style", [TestStyle.PYTEST, TestStyle.SCRIPT])
def test_answers_that_do_no_harm_are_tried_in_one_sandbox(
    place: Ready, servers: Warm, bubblewrap: Backend, style: TestStyle, *, fresh: bool
) -> None:
    tests = TESTS
    if style is TestStyle.PYTEST:
        tests = "from answer import f\n\n\ndef test_f():\n    assert f(1) == 2.0\n    f(2)\n"
    program = Program(REFERENCE, tests, style)
    learned = learn(program, place, servers)[1]
    assert learned is not None
    loop = "def f(x):\n    while True:\n        pass\n"
    lies = ("def f(x):\n    return 2.0 if x == 1 else 3.0\n", "def f(x):\n    return 0\n")
    answers = (REFERENCE, lies[0], "def f(x:\n", loop, lies[1], "def f(x):\n    return x + 1\n")
    rehearsal = Rehearsal(program, answers, learned)
    limits = LIMITS.with_time(3.0)
    if fresh:
        found = rehearse(rehearsal, place, bubblewrap, limits)
    else:
        warm = rehearse_warm(rehearsal, place, servers, limits, (frozenset(),))
        assert warm is not None
        found = warm
    assert [one.outcome for one in found] == [
        Outcome.PASSED,
        Outcome.PASSED,
        Outcome.ERROR,
        Outcome.TIMEOUT,
        Outcome.FAILED,
        Outcome.PASSED,
    ]
    assert not any(one.killed for one in found)


@pytest.mark.parametrize("fresh", [False, True])
def test_an_answer_that_somebody_killed_among_others_is_told_as_that(
    place: Ready, servers: Warm, bubblewrap: Backend, *, fresh: bool
) -> None:
    """Else what is proven once of a task's tests, and kept, would hang on a kill."""
    program = Program(REFERENCE, TESTS, TestStyle.SCRIPT)
    learned = learn(program, place, servers)[1]
    assert learned is not None
    killed = "import os, signal\ndef f(x):\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    rehearsal = Rehearsal(program, (REFERENCE, killed, REFERENCE), learned)
    if fresh:
        found = rehearse(rehearsal, place, bubblewrap, LIMITS)
    else:
        found = rehearse_warm(rehearsal, place, servers, LIMITS, (frozenset(),)) or []
    assert [one.killed for one in found] == [False, True, False]


def test_an_answer_may_send_itself_signals(place: Ready, servers: Warm) -> None:
    answer = "import os, signal\ndef f():\n    os.kill(os.getpid(), signal.SIGTERM)\n    return 1\n"
    judgement, _ = learn(script(answer, "assert f() == 1\n"), place, servers)
    assert judgement.outcome is Outcome.ERROR
    assert "SIGTERM" in judgement.reason


# Each answer, and whether it says the same as the reference until the first call.
SIDE_BY_SIDE = {
    "right in another way": "def f(x):\n    y = x + 1\n    return y\n",
    "wrong": "def f(*given):\n    return None\n",
    "raises": "def f(x):\n    raise KeyError(x)\n",
    "says something first": "print('hello')\n\n\ndef f(x):\n    return x + 1\n",
    "has a class": "class f:\n    def __init__(self, x):\n        pass\n",
    "does not load": "raise OSError\n",
    "loops": "def f(x):\n    while True:\n        pass\n",
    "right after one that loops": "f = lambda x: 1 + x\n",
}


@pytest.mark.parametrize("style", [TestStyle.SCRIPT, TestStyle.PYTEST])
@pytest.mark.parametrize("brief", [True, False])
def test_answers_that_share_what_comes_before_their_first_call_fare_as_alone(
    style: TestStyle,
    place: Ready,
    servers: Warm,
    brief: bool,  # noqa: FBT001
) -> None:
    reference = "def f(x):\n    return x + 1\n"
    tests = (
        "state = [sum(range(1000))]\nassert f(2) == 3\nstate.append(4)\nassert len(state) == 2\n"
    )
    if style is TestStyle.PYTEST:
        tests = (
            "from answer import f\nstate = []\n\n\ndef test_before():\n    state.append(1)\n\n\n"
            "def test_f():\n    assert f(2) == 3\n\n\ndef test_after():\n    assert state == [1]\n"
            "    assert f(5) == 6\n"
        )
    program = Program(reference, tests, style)
    learned = learn(program, place, servers)[1]
    assert learned is not None
    limits = Limits(wall_seconds=2, cpu_seconds=10)
    answers = (reference, *SIDE_BY_SIDE.values())
    together = rehearse_warm(
        Rehearsal(program, answers, learned, brief=brief), place, servers, limits, (NOTHING,)
    )
    assert together is not None
    alone = [
        judge_warm_apart(
            Program(answer, tests, style), place, servers, limits, ((NOTHING,), NOTHING), learned
        )
        for answer in answers
    ]
    outcomes = [told[0].outcome for told in alone if told is not None]
    assert [told.outcome for told in together] == outcomes
    assert outcomes.count(Outcome.PASSED) == 4
    assert outcomes.count(Outcome.TIMEOUT) == 1
    assert not any(told.killed for told in together)
    if not brief:
        cases = [told[0].cases for told in alone if told is not None]
        assert [told.cases for told in together] == cases


def test_a_guest_whose_other_side_does_not_start_is_ended(
    place: Ready, bubblewrap: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def one_only(*given: Any) -> subprocess.Popen[bytes]:
        if started:
            raise OSError(errno.EMFILE, "Too many open files")
        started.append(start(*given))
        return started[0]

    monkeypatch.setattr("libdrift.sandbox.guests.start", one_only)
    program = script("def f():\n    return 1\n", "assert f() == 1\n")
    told: list[object] = []

    def judge() -> None:
        with pytest.raises(OSError, match="Too many open files") as found:
            judge_apart(program, place, bubblewrap, LIMITS, None)
        told.append(found.value)

    judging = threading.Thread(target=judge, daemon=True)  # were it to wait for ever, this would
    judging.start()
    judging.join(30)
    assert told
    assert started[0].returncode is not None


def test_an_answer_that_was_killed_has_not_failed_a_case(place: Ready, servers: Warm) -> None:
    """Else a machine that runs out of memory would make answers wrong, in tests of pytest's."""
    tests = "from answer import f\n\n\ndef test_it():\n    assert f(1) == 2\n"
    killed = "import os, signal\ndef f(x):\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    named = "class Apart(Exception):\n    pass\n\n\ndef f(x):\n    raise Apart('it has ended')\n"
    right = Program("def f(x):\n    return 2\n", tests, TestStyle.PYTEST)
    _, learned = learn(right, place, servers)
    found = [
        hold(replace(right, answer=answer), place, servers, learned)[0]
        for answer in (killed, named)
    ]
    assert [one.outcome for one in found] == [Outcome.ERROR, Outcome.FAILED]
    assert [one.killed for one in found] == [True, False]
