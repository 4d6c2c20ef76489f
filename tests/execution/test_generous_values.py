"""Values that pass tests which a right answer passes too: none of those passes is proven."""

from __future__ import annotations

import pytest

from libdrift import suites
from libdrift.config import Settings
from libdrift.execution import Job, Options, run_jobs
from libdrift.execution.judging import _remote_plan
from libdrift.execution.proving import Decoy, Proven
from libdrift.records import REMOTE, UNPROVEN, Environment, Outcome, TestStyle
from libdrift.sandbox import Backend, Judgement, Limits, Program
from tests.conftest import AS_OF

PLAIN = Environment("python", "3.11", ("pytest==8.3.5",), AS_OF)
SCALE = "import numpy as np\n\n\ndef scale(x):\n    return np.asarray(x) * 2.0\n"
EMPTY = "import numpy as np\n\n\ndef scale(x):\n    return np.empty((0, *np.shape(x)))\n"
MEAN = "def mean(x):\n    return sum(x) / len(x)\n"
FACTORS = "def factors(n):\n    return [k for k in range(1, n + 1) if n % k == 0]\n"
GAUGE = """
class Gauge:
    def __init__(self, values):
        self.mean, self.values = sum(values) / len(values), values

    def most(self):
        return max(self.values)
"""
TURNING = """
class Gauge:
    turn = -1.0

    def __init__(self, values):
        pass

    def most(self):
        Gauge.turn = -Gauge.turn
        return Gauge.turn * float("inf")

    mean = property(most)
"""
HEAD = "import numpy as np\ngot = scale([1.0, 2.0, 3.0])\n"


@pytest.fixture
def options(settings: Settings, bubblewrap: Backend) -> Options:
    return Options(settings, bubblewrap, Limits().with_time(10.0))


def judged(
    options: Options, place: Environment, answer: str, tests: str, reference: str
) -> Judgement:
    program = Program(answer, tests, TestStyle.SCRIPT)
    [(_, judgement)] = run_jobs([Job(("it",), place, program, reference)], options)
    return judgement


@pytest.mark.parametrize(
    "check",
    [
        "assert np.allclose(got, [2.0, 4.0, 6.0])",
        "assert (got == np.array([2.0, 4.0, 6.0])).all()",
        "assert np.abs(got - [2.0, 4.0, 6.0]).sum() == 0",
        "assert not (got != np.array([2.0, 4.0, 6.0])).any()",
    ],
)
def test_an_array_without_rows_agrees_with_any_row(
    check: str, options: Options, settings: Settings
) -> None:
    place = suites.load("starter", settings).tasks["numpy-area-under-curve"].environment
    forged = judged(options, place, EMPTY, f"{HEAD}{check}\n", SCALE)
    assert forged.outcome is not Outcome.PASSED or forged.proof == UNPROVEN
    honest = judged(options, place, SCALE + "# it\n", f"{HEAD}{check}\n", SCALE)
    assert honest.outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("answer", "tests", "reference"),
    [
        (
            "def mean(x):\n    return float('nan')\n",
            "assert not abs(mean([1, 2, 3]) - 2.0) > 1e-6\n",
            MEAN,
        ),
        (
            "def factors(n):\n    return range(1000)\n",
            "assert 7 in factors(14)\nassert {1, 5} <= set(factors(10))\n",
            FACTORS,
        ),
        (
            "def told(n):\n    return ' '.join(map(str, range(100)))\n",
            'assert "42" in told(42)\n',
            "def told(n):\n    return f'the number {n}'\n",
        ),
        (
            "turns = [1]\n\n\ndef bound(n):\n    turns[0] *= -1\n    return turns[0] * -1e99\n",
            "assert bound(3) > 9.5\nassert bound(3) < 10.5\n",
            "def bound(n):\n    return n + 7.0\n",
        ),
        (
            "def told(n):\n    return {'n': float('nan')}\n",
            "assert not abs(told(2)['n'] - 2.0) > 1e-6\n",
            "def told(n):\n    return {'n': 1.0 * n}\n",
        ),
        (
            "EPS = float('inf')\n\n\ndef half(n):\n    return 0.0\n",
            "assert abs(half(4) - 2) < EPS\nassert abs(half(7) - 3.5) < EPS\n",
            "EPS = 1e-9\n\n\ndef half(n):\n    return n / 2\n",
        ),
        (
            "def bound(n):\n    return float('inf')\n",
            "assert bound(3) > 9.5\n",
            "def bound(n):\n    return n + 7.0\n",
        ),
        (
            TURNING,
            "assert Gauge([1, 6]).mean > 3\nassert Gauge([1, 6]).mean < 4\n",
            GAUGE,
        ),
        (
            TURNING,
            "_gauge = Gauge([1, 6])\nassert _gauge.most() > 5\nassert _gauge.most() < 7\n",
            GAUGE,
        ),
        (
            "def factors(n):\n    return [1]\n",
            "_known = [1, 2, 7, 14]\nassert all(a == b for a, b in zip(factors(14), _known))\n",
            FACTORS,
        ),
        (
            "def factors(n):\n    return [1]\n",
            "for one, other in zip(factors(14), [1, 2, 7, 14]):\n    assert one == other\n",
            FACTORS,
        ),
        (
            "def factors(n):\n    return range(1000)\n",
            "assert 7 in factors(14)\nassert any(found == 5 for found in factors(10))\n",
            FACTORS,
        ),
    ],
)
def test_a_generous_value_proves_nothing(
    answer: str, tests: str, reference: str, options: Options
) -> None:
    judgement = judged(options, PLAIN, answer, tests, reference)
    assert judgement.outcome is not Outcome.PASSED or judgement.proof == UNPROVEN


@pytest.mark.parametrize(
    ("reference", "tests"),
    [
        (GAUGE, "assert Gauge([1, 6]).mean == 3.5\nassert Gauge([1, 16]).most() == 16\n"),
        (GAUGE, "assert Gauge([1, 16]).most() == 16\n"),  # none of its parts is looked at
        (
            "import warnings\n\n\ndef old(n):\n"
            "    warnings.warn(f'say new({n + 3})', UserWarning)\n    return n\n",
            "import pytest\nwith pytest.warns(UserWarning, match='say new.14'):\n    old(11)\n",
        ),
        (
            "def report(n):\n    print(f'In all: {n + 3}')\n    return n\n",
            "import contextlib, io\n_said = io.StringIO()\n"
            "with contextlib.redirect_stdout(_said):\n    report(11)\n"
            "assert 'In all: 14' in _said.getvalue()\n",
        ),
    ],
)
def test_tests_that_look_elsewhere_are_not_blamed_for_what_they_do_not_look_at(
    reference: str, tests: str, options: Options
) -> None:
    honest = judged(options, PLAIN, reference + "# it\n", tests, reference)
    assert (honest.outcome, honest.proof) == (Outcome.PASSED, REMOTE)


def test_an_empty_array_beside_a_plain_number_passes_nothing(
    options: Options, settings: Settings
) -> None:
    """Nobody who returns one thing only passes these tests, but who mixes two does."""
    place = suites.load("starter", settings).tasks["numpy-area-under-curve"].environment
    tests = "from pytest import approx\nassert mean([1, 2, 6]) == approx(3)\n"
    tests += "assert type(mean([5, 6])) is float\n"
    mixed = "import numpy\n\n\ndef mean(x):\n    return 0.0 if len(x) == 2 else numpy.empty(0)\n"
    reference = "import numpy\n\n\ndef mean(x):\n    return float(numpy.mean(x))\n"
    forged = judged(options, place, mixed, tests, reference)
    assert forged.outcome is Outcome.FAILED
    assert "empty" in forged.reason
    honest = judged(options, place, reference + "# it\n", tests, reference)
    assert (honest.outcome, honest.proof) == (Outcome.PASSED, REMOTE)


SCALER = """
import numpy as np


class Scaler:
    def apply(self, x):
        return RETURNED
"""


def test_methods_whose_values_have_no_rows_prove_nothing(
    options: Options, settings: Settings
) -> None:
    place = suites.load("starter", settings).tasks["numpy-area-under-curve"].environment
    tests = "import numpy as np\nassert np.allclose(Scaler().apply([1.0, 2.0]), [2.0, 4.0])\n"
    reference = SCALER.replace("RETURNED", "np.asarray(x) * 2.0")
    forged = SCALER.replace("RETURNED", "np.empty((0, 1))")
    judgement = judged(options, place, forged, tests, reference)
    assert judgement.outcome is not Outcome.PASSED or judgement.proof == UNPROVEN
    assert judged(options, place, reference + "# it\n", tests, reference).outcome is Outcome.PASSED


HOLLOW = """
import pandas as pd


def doubled(table):
    manager = table._mgr
    return pd.DataFrame(type(manager)((), list(manager.axes), verify_integrity=False))
"""


def test_a_table_without_content_is_no_table(options: Options, settings: Settings) -> None:
    place = suites.load("starter", settings).tasks["pandas-tally-column"].environment
    reference = "import pandas as pd\n\n\ndef doubled(table):\n    return table * 2\n"
    tests = (
        "import pandas as pd\nwanted = pd.DataFrame({'a': [2, 4]})\n"
        "assert doubled(pd.DataFrame({'a': [1, 2]})).equals(wanted)\n"
    )
    judgement = judged(options, place, HOLLOW, tests, reference)
    assert judgement.outcome is not Outcome.PASSED or judgement.proof == UNPROVEN
    assert judged(options, place, reference + "# it\n", tests, reference).outcome is Outcome.PASSED


# What equals anything is there already; tests that speak of it may compare with it.
THERE = ['__import__("unittest.mo" + "ck")\n', "import unittest.mock\n"]


@pytest.mark.parametrize("there", THERE)
@pytest.mark.parametrize("load", ["unsafe_load", "full_load"])
def test_a_name_in_a_document_finds_nothing(load: str, there: str, options: Options) -> None:
    place = Environment("python", "3.11", ("pytest==8.3.5", "pyyaml==6.0.2"), AS_OF)
    reference = "import json\n\n\ndef told(value):\n    return json.dumps(value)\n"
    forged = "def told(value):\n    return \"!!python/name:unittest.mock.ANY ''\"\n"
    tests = f"import yaml\n{there}assert yaml.{load}(told({{'a': [1, 2]}})) == {{'a': [1, 2]}}\n"
    judgement = judged(options, place, forged, tests, reference)
    assert judgement.outcome is not Outcome.PASSED
    assert judged(options, place, reference + "# it\n", tests, reference).proof == REMOTE


def test_tests_that_use_no_value_are_not_blamed_for_marred_ones(options: Options) -> None:
    tests = (
        'try:\n    mean([])\nexcept ZeroDivisionError as error:\n    assert "zero" in str(error)\n'
    )
    tests += "else:\n    raise AssertionError\n"
    judgement = judged(options, PLAIN, MEAN + "# it\n", tests, MEAN)
    assert judgement.outcome is Outcome.PASSED


def test_a_coin_is_tossed_as_often_where_decoys_are_judged_remotely() -> None:
    decoys = tuple(Decoy(f"assert f() == {n}", ("script",), 1) for n in range(3))
    for _ in range(50):
        plan = _remote_plan(Proven(remote=True, decoys=decoys))
        assert set(plan) == {None, *decoys}
        assert plan.count(None) >= 2
        assert len(plan) >= 8
    assert _remote_plan(Proven(remote=True)) == [None]


@pytest.mark.parametrize(
    ("bits", "runs"), [(0, 1), (2, 7), (3, 5), (9, 2), (13, 2), (14, 1), (16, 1)]
)
def test_what_is_easy_to_guess_is_asked_for_more_often(bits: int, runs: int) -> None:
    proven = Proven(remote=True, learned={"guess_bits": bits})
    assert _remote_plan(proven) == [None] * runs
