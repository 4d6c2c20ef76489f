"""Honest programs get the verdict that plain pytest would give them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from libdrift.environments import Ready
from libdrift.records import Outcome, TestStyle
from libdrift.sandbox import Backend, Judgement, Limits, Program, judge
from libdrift.sandbox.guests import GuestRun, Output
from libdrift.sandbox.judge import _conclude
from libdrift.sandbox.reports import GuestReport

PASSED, FAILED, ERROR = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR

# name: (answer, tests, outcome)
PYTEST = {
    "function": ("def f(x):\n    return x + 1", "from answer import f\ndef test_f():\n    assert f(1) == 2", PASSED),
    "wrong": ("def f(x):\n    return x", "from answer import f\ndef test_f():\n    assert f(1) == 2", FAILED),
    "one of two wrong": (
        "def f(x):\n    return 2",
        "from answer import f\ndef test_a():\n    assert f(1) == 2\ndef test_b():\n    assert f(2) == 3",
        FAILED,
    ),
    "star import": ("def f():\n    return 1", "from answer import *\ndef test_f():\n    assert f() == 1", PASSED),
    "fixture named like a test": (
        "def f(x):\n    return x",
        "import pytest\nfrom answer import f\n@pytest.fixture\ndef test_client():\n    yield 3\n"
        "def test_f(test_client):\n    assert f(test_client) == 3",
        PASSED,
    ),
    "early return": (
        "def f():\n    return 1",
        "from answer import f\ndef test_f():\n    if f() == 1:\n        return\n    assert False",
        PASSED,
    ),
    "raises": (
        "def f():\n    raise KeyError('x')",
        "import pytest\nfrom answer import f\ndef test_f():\n    with pytest.raises(KeyError):\n        f()",
        PASSED,
    ),
    "capture and tmp_path": (
        "def f(path):\n    print('hello')\n    path.write_text('x')",
        "from answer import f\ndef test_f(capsys, tmp_path):\n    f(tmp_path / 'a')\n"
        "    assert capsys.readouterr().out == 'hello\\n'\n    assert (tmp_path / 'a').read_text() == 'x'",
        PASSED,
    ),
    "unittest with setUp and subTest": (
        "def f(x):\n    return -x",
        "import unittest\nfrom answer import f\nclass Case(unittest.TestCase):\n"
        "    def setUp(self):\n        self.values = [1, 2]\n    def test_f(self):\n"
        "        for v in self.values:\n            with self.subTest(v=v):\n                self.assertEqual(f(v), -v)",
        PASSED,
    ),
    "declared skip": (
        "def f():\n    return 1",
        "import pytest\nfrom answer import f\ndef test_f():\n    assert f() == 1\n"
        "@pytest.mark.skip(reason='elsewhere')\ndef test_g():\n    assert False",
        PASSED,
    ),
    "declared xfail": (
        "def f():\n    return 1",
        "import pytest\nfrom answer import f\ndef test_f():\n    assert f() == 1\n"
        "@pytest.mark.xfail\ndef test_g():\n    assert f() == 2",
        PASSED,
    ),
    "helper class with a test-like method": (
        "def f(x):\n    return x.test_it()",
        "from answer import f\nclass Helper:\n    def __init__(self, n):\n        self.n = n\n"
        "    def test_it(self):\n        return self.n\ndef test_f():\n    assert f(Helper(4)) == 4",
        PASSED,
    ),
    "approx and mock on the test's side": (
        "def f():\n    return 0.1 + 0.2",
        "import pytest\nfrom unittest import mock\nfrom answer import f\ndef test_f():\n"
        "    assert f() == pytest.approx(0.3)\n    assert [f(), 1] == [mock.ANY, 1]",
        PASSED,
    ),
    "own class with a sane __eq__": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n    def __eq__(self, other):\n"
        "        return isinstance(other, P) and self.x == other.x\n    __hash__ = None\n",
        "from answer import P\ndef test_p():\n    assert P(1) == P(1)\n    assert P(1) != P(2)",
        PASSED,
    ),
    "dataclass and namedtuple": (
        "from collections import namedtuple\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass D:\n    x: int\nN = namedtuple('N', 'a b')\n",
        "from answer import D, N\ndef test_d():\n    assert D(1) == D(1) and N(1, 2) == (1, 2)",
        PASSED,
    ),
    "logging, warnings, signature, format_exc": (
        "import inspect, logging, traceback, warnings\ndef f():\n    logging.warning('x')\n"
        "    warnings.warn('y')\n    try:\n        1 / 0\n    except ZeroDivisionError:\n"
        "        text = traceback.format_exc()\n    return text.count('ZeroDivisionError'), str(inspect.signature(f))",
        "from answer import f\ndef test_f():\n    assert f() == (1, '()')",
        PASSED,
    ),
    "library that compiles itself on first use": (
        # As networkx does: the function that tests call swaps its own code when first called.
        "import sys, types\nlazy = types.ModuleType('lazy')\n"
        "exec(compile('def g():\\n    def h():\\n        return 1\\n    g.__code__ = h.__code__\\n"
        "    return g()', '/lib/lazy.py', 'exec'), lazy.__dict__)\nsys.modules['lazy'] = lazy\n",
        "from lazy import g\ndef test_g():\n    assert g() == 1\n    assert g() == 1",
        PASSED,
    ),
    "library that replaces a neighbour of what tests use": (
        "import sys, types, warnings\nlazy = types.ModuleType('lazy')\n"
        "exec(compile('import warnings\\ndef quiet(*a, **k):\\n    return str()\\nwarnings.formatwarning = quiet', '/lib/lazy.py', 'exec'), lazy.__dict__)\n",
        "import warnings\nimport answer\ndef test_g():\n    with warnings.catch_warnings():\n"
        "        warnings.simplefilter('error')\n        assert True",
        PASSED,
    ),
    "mocks of the test's own": (
        "import json\ndef f(x):\n    return json.dumps(x)",
        "from unittest.mock import MagicMock, patch\nimport answer\ndef test_f():\n"
        "    with patch('answer.json') as fake:\n        fake.dumps.return_value = MagicMock()\n"
        "        result = answer.f(1)\n        assert result is fake.dumps.return_value\n"
        "        assert fake.dumps.mock_calls[0].args == (1,)\n        assert result.mock_calls == []",
        PASSED,
    ),
    "function named like a builtin": (
        "def eval():\n    return 5", "from answer import eval\ndef test_f():\n    assert eval() == 5", PASSED,
    ),
    "tests need a name that is not there": ("x = 1", "from answer import f\ndef test_f():\n    assert f()", ERROR),
    "syntax error": ("def f(:", "from answer import f\ndef test_f():\n    assert f()", ERROR),
    "missing import": ("import no_such_module", "import answer\ndef test_f():\n    assert True", ERROR),
    "no tests at all": ("x = 1", "import answer\n", FAILED),
}  # fmt: skip


SCRIPT = {
    "main block runs": ("done = []\nif __name__ == '__main__':\n    done.append(1)", "assert done == [1]", PASSED),
    "wrong": ("x = 1", "assert x == 2", FAILED),
    "starter's imports": ("import math\ndef f():\n    return math.pi", "assert math.isclose(f(), 3.14159265, rel_tol=1e-6)", PASSED),
    "raises": ("x = 1", "raise ValueError('no')", FAILED),
    "unicode": ("s = 'naïve ✓'", "assert s == 'naïve ✓'", PASSED),
}  # fmt: skip


CASES = [(TestStyle.PYTEST, name, *case) for name, case in PYTEST.items()]
CASES += [(TestStyle.SCRIPT, name, *case) for name, case in SCRIPT.items()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[1]}")
def test_honest_programs(
    case: tuple[TestStyle, str, str, str, Outcome], place: Ready, bubblewrap: Backend
) -> None:
    style, _, answer, tests, expected = case
    judgement = judge(Program(answer, tests, style), place, bubblewrap, Limits())
    assert judgement.outcome is expected, (judgement.reason, judgement.log)


def test_cases_and_log_tell_what_happened(place: Ready, bubblewrap: Backend) -> None:
    tests = (
        "import pytest\nfrom answer import f\n"
        "@pytest.mark.parametrize('x', [1, 2])\ndef test_f(x):\n    assert f(x) == 1\n"
    )
    program = Program(
        "def f(x):\n    print('called with', x)\n    return x\n", tests, TestStyle.PYTEST
    )
    judgement = judge(program, place, bubblewrap, Limits())
    assert [(case.name, case.outcome) for case in judgement.cases] == [
        ("test_f[1]", "passed"),
        ("test_f[2]", "failed"),
    ]
    assert "called with 2" in judgement.log
    assert "compared 2 with 1" in judgement.log
    assert "assert f(x) == 1" in judgement.log


@pytest.mark.parametrize("runtime", ["3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13"])
def test_every_supported_python_is_judged_alike(
    runtime: str, place_for: Callable[..., Ready], bubblewrap: Backend
) -> None:
    tests = "from answer import f\ndef test_a():\n    assert f(1) == 2\ndef test_b():\n    assert f([]) == 2\n"
    answers = {
        "def f(x):\n    return 2\n": PASSED,
        "def f(x):\n    return 3\n": FAILED,
        "import os; os._exit(0)\n": ERROR,
        "class E:\n    def __eq__(self, o):\n        return True\ndef f(x):\n    return E()\n": FAILED,
        "import sys\ndef f(x):\n    return sys._getframe(1).f_code.co_consts[-1] or 2\n": FAILED,
        "import _pytest.python as p\np.Function.runtest = lambda self: None\ndef f(x):\n    return 0\n": FAILED,
    }  # fmt: skip
    place = place_for(runtime)
    for answer, expected in answers.items():
        program = Program(answer, tests, TestStyle.PYTEST)
        judgement = judge(program, place, bubblewrap, Limits())
        assert judgement.outcome is expected, (answer, judgement.reason, judgement.log)


def test_an_environment_without_pytest_is_infrastructure(
    bubblewrap: Backend, settings: object
) -> None:
    from libdrift.config import Settings
    from libdrift.environments import build
    from libdrift.sandbox.conformance import PLAIN

    assert isinstance(settings, Settings)
    place = build(PLAIN, settings)
    assert isinstance(place, Ready)
    program = Program("x = 1", "def test_x():\n    assert True", TestStyle.PYTEST)
    judgement = judge(program, place, bubblewrap, Limits())
    assert judgement.outcome is Outcome.INFRASTRUCTURE
    assert "pytest" in judgement.reason


def test_the_unprotected_backend_gives_the_same_verdicts(place: Ready) -> None:
    from libdrift.sandbox import Unprotected

    for value, expected in ((2, PASSED), (3, FAILED)):
        program = Program(
            f"def f():\n    return {value}\n",
            "from answer import f\ndef test_f():\n    assert f() == 2\n",
            TestStyle.PYTEST,
        )
        assert judge(program, place, Unprotected(), Limits()).outcome is expected


def cut_short(*phases: tuple[str, str], stopped_by: str = "", gone: bool = False) -> Judgement:
    report = GuestReport(functions=["test_a", "test_b"], loaded=True)
    report.phases += [(name, "call", "failed" if note else "passed", note) for name, note in phases]
    report.trouble = ("gone", "the answer's process has ended") if gone else ("", "")
    run = GuestRun(report, Output(1000), threading.Event(), stopped_by=stopped_by)
    run.answer_status = -signal.SIGKILL
    return _conclude(run, Program("", "", TestStyle.PYTEST), Limits(), "test_canary")


@pytest.mark.parametrize("cut", [{"stopped_by": "time"}, {"gone": True}], ids=["waits", "dies"])
def test_who_was_wrong_gets_no_second_try(cut: dict[str, Any]) -> None:
    """It could guess, notice that it was wrong, and end: to guess again."""
    wrong = cut_short(("test_a", "AssertionError"), ("test_b", "judged apart: it has ended"), **cut)
    assert (wrong.outcome, wrong.reason) == (FAILED, "test_a: AssertionError")
    assert not wrong.killed
    for phases in (
        [("test_a", "")],
        [("test_a", "judged apart: it has ended"), ("test_b", "OSError")],
    ):
        other = cut_short(*phases, **cut)
        assert other.outcome in (ERROR, Outcome.TIMEOUT)
        assert other.killed is ("gone" in cut)
