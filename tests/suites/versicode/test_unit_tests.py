from __future__ import annotations

import pytest

from libdrift.records import TestStyle
from libdrift.suites.versicode.unit_tests import looked_at, made_of

REFERENCE = "import math\n\n\ndef task_function(x):\n    return math.floor(x)\n"
# In the form of the paper's Figure 11.
UNIT = """import unittest


class Cases(unittest.TestCase):
    def test_floor(self):
        result = task_function(1.5)
        self.assertEqual(result, 1)


if __name__ == "__main__":
    unittest.main()
"""


def test_a_test_that_takes_the_answer_for_granted_imports_it() -> None:
    (tests,) = made_of(UNIT, REFERENCE)
    assert tests.style is TestStyle.PYTEST
    assert tests.code == "from answer import task_function\n" + UNIT


@pytest.mark.parametrize(
    ("program", "first"),
    [
        # What it imports or binds itself stays as it is.
        ("from answer import task_function\n\ndef test_it():\n    task_function(1)\n", None),
        ("def test_it():\n    x = 1\n    assert x\n", None),
        # What the answer does not have is nobody's to import.
        ("def test_it():\n    assert other(1)\n", None),
        # An import of the answer's is one of its names.
        ("def test_it():\n    assert math.pi\n", "from answer import math"),
        (
            '"""Of it."""\nfrom __future__ import annotations\n\n\n'
            "def test_it():\n    assert task_function(1.5) == 1\n",
            '"""Of it."""\nfrom __future__ import annotations\nfrom answer import task_function',
        ),
    ],
)
def test_only_what_is_missing_is_imported(program: str, first: str | None) -> None:
    (tests,) = made_of(program, REFERENCE)
    assert tests.code == program if first is None else tests.code.startswith(first)


def test_a_script_goes_on_in_the_answers_own_namespace() -> None:
    (tests,) = made_of("assert task_function(1.5) == 1\n", REFERENCE)
    assert (tests.style, tests.code) == (TestStyle.SCRIPT, "assert task_function(1.5) == 1\n")
    assert made_of("  \n", REFERENCE) == ()


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        (UNIT, "value"),
        ("self.assertIsInstance(task_function(1), int)\n", "type"),
        ("assert isinstance(task_function(1), int)\n", "type"),
        ("with self.assertRaises(ValueError):\n    task_function(-1)\n", "exception"),
        ("with pytest.raises(ValueError):\n    task_function(-1)\n", "exception"),
        ("mock.assert_called_once_with(1)\n", "call"),
        ("assert isinstance(x, int)\nassert x == 1\n", "type+value"),
        ("task_function(1)\n", None),
        ("no python at all (", None),
        ("", None),
    ],
)
def test_what_tests_look_at(program: str, kind: str | None) -> None:
    assert looked_at(program) == kind


def test_what_is_published_comes_first() -> None:
    assert looked_at(UNIT, "Return Value") == "return value"
