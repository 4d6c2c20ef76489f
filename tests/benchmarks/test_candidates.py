"""The candidates of benchmarks/execution.py, made from small functions of our own."""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"

pytestmark = pytest.mark.skipif(not BENCHMARKS.exists(), reason="the benchmarks are not shipped")

MODULES = ("rewriting", "additions", "candidates")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """The three modules, imported as the benchmark imports them."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield SimpleNamespace(**{name: importlib.import_module(name) for name in MODULES})
    for name in MODULES:
        sys.modules.pop(name, None)


# A program, and calls with what they give: the values, or the type of what is raised.
PROGRAMS: dict[str, tuple[str, list[tuple[str, Any]]]] = {
    "loops": (
        "def squares(values):\n    found = []\n    for value in values:\n"
        "        found.append(value * value)\n    return found\n",
        [("squares([1, 2, 3])", [1, 4, 9]), ("squares(())", []), ("squares(None)", TypeError)],
    ),
    "comprehensions": (
        "import math as m\n"
        "def roots(values, least=0):\n    values = [m.sqrt(v) for v in values if v >= 0 if v != 4]\n"
        "    return [v for v in values if v > least]\n",
        [("roots([1, 4, 9, -1])", [1.0, 3.0]), ("roots(least=2, values=[1, 9])", [3.0])],
    ),
    "a name inside and outside of a comprehension": (
        "def pairs(x):\n    y = [x for x in range(x)]\n    return y, x\n",
        [("pairs(3)", ([0, 1, 2], 3))],
    ),
    "choices": (
        "def sign(x):\n    if x < 0:\n        return -1\n    elif x == 0:\n        return 0\n    else:\n"
        "        y = x\n    return 1 if y else None\n",
        [("sign(-3)", -1), ("sign(0)", 0), ("sign(2)", 1), ("sign('a')", TypeError)],
    ),
    "keywords and imports": (
        "import json\nfrom json import dumps as write\nimport os.path as p\n"
        "def text(value, *, indent=None):\n    '''Write it.'''\n"
        "    return p.basename('a/b') + write(value, indent=indent, sort_keys=True)\n",
        [("text({'b': 1, 'a': 2})", 'b{"a": 2, "b": 1}'), ("text([1], indent=1)", "b[\n 1\n]")],
    ),
    "a keyword that a comprehension binds": (
        "def tables(rows):\n    return [dict(a=row, b=1) for row in rows]\n",
        [("tables([1])", [{"a": 1, "b": 1}])],
    ),
    "state": (
        "COUNT = 0\ndef step(by=1):\n    global COUNT\n    COUNT = COUNT + by\n    return COUNT\n",
        [("(step(), step(by=2), COUNT)", (1, 3, 3))],
    ),
    "closures": (
        "def counter(start):\n    total = start\n    def add(n):\n        nonlocal total\n"
        "        total += n\n        return total\n    return add\n",
        [("(lambda f: (f(1), f(2)))(counter(5))", (6, 8))],
    ),
    "generators": (
        "def upto(n):\n    i = 0\n    while i < n:\n        yield i\n        i += 1\n",
        [("list(upto(3))", [0, 1, 2])],
    ),
    "classes": (
        "class Box:\n    size = 2\n    def __init__(self, value):\n        self.value = value\n"
        "    def doubled(self):\n        result = self.value * self.size\n        return result\n"
        "class Big(Box):\n    def doubled(self):\n        return super().doubled() + 1\n"
        "    @property\n    def name(self):\n        kept = [c for c in 'big']\n"
        "        for c in kept:\n            last = c\n        return last\n",
        [("Big(3).doubled()", 7), ("Box(2).doubled()", 4), ("Big(1).name", "g")],
    ),
    "names as values": (
        "def here(a):\n    b = a + 1\n    return sorted(locals())\n",
        [("here(1)", ["a", "b"])],
    ),
    "a loop variable that stays": (
        "def last(values):\n    found = []\n    for value in values:\n        found.append(value)\n"
        "    return found, value\n",
        [("last([1, 2])", ([1, 2], 2))],
    ),
    "what is caught": (
        "def safe(x):\n    try:\n        y = 1 / x\n    except ZeroDivisionError as e:\n"
        "        return str(e)\n    finally:\n        x = None\n    return y\n",
        [("safe(0)", "division by zero"), ("safe(2)", 0.5)],
    ),
    "no function at all": ("import math\nvalue = math.floor(2.5)\n", [("value", 2)]),
}


def run(code: str, calls: list[tuple[str, Any]]) -> list[Any]:
    """What each call gives, in one module."""
    space: dict[str, Any] = {"__name__": "answer"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "answer.py", "exec", dont_inherit=True), space)
        found = []
        for call, _ in calls:
            try:
                found.append(eval(call, space))
            except Exception as error:  # noqa: BLE001
                found.append(type(error))
    return found


def ways(made: SimpleNamespace) -> list[Any]:
    return [*made.rewriting.REWRITINGS, *made.additions.ADDITIONS, made.additions.print_much]


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_rewriting_keeps_the_meaning(name: str, made: SimpleNamespace) -> None:
    code, calls = PROGRAMS[name]
    expected = [value for _, value in calls]
    assert run(code, calls) == expected
    for way in ways(made):
        for seed in range(4):
            tree = ast.parse(code)
            changed = way(tree, random.Random(seed))
            text = ast.unparse(ast.fix_missing_locations(tree))
            assert run(text, calls) == expected, f"{way.__name__}\n{text}"
            assert changed == (text != ast.unparse(ast.parse(code))), way.__name__


def test_every_rewriting_finds_something_in_some_program(made: SimpleNamespace) -> None:
    for way in ways(made):
        trees = [ast.parse(code) for code, _ in PROGRAMS.values()]
        assert any([way(tree, random.Random(0)) for tree in trees]), way.__name__  # noqa: C419


@pytest.mark.parametrize("name", PROGRAMS)
def test_rewritings_in_a_row_keep_the_meaning(name: str, made: SimpleNamespace) -> None:
    code, calls = PROGRAMS[name]
    texts = set()
    for seed in range(40):
        tree = ast.parse(code)
        made.candidates.rewrite(tree, random.Random(seed))
        text = ast.unparse(ast.fix_missing_locations(tree))
        texts.add(text)
        assert run(text, calls) == [value for _, value in calls], text
    assert len(texts) > (10 if "def " in code and "locals" not in code else 1)


CONSTRUCTS = {
    "comprehensions_for_loops": ("loops", "[value * value for value in values]"),
    "loops_for_comprehensions": ("comprehensions", ".append("),
    "return_early": ("choices", "if y:"),
    "import_inside": ("keywords and imports", "from os import path as "),
    "spread_keywords": ("keywords and imports", "'sort_keys': True}"),
    "call_partially": ("keywords and imports", "functools.partial(write, indent=indent"),
    "name_results": ("keywords and imports", "return p.basename"),
}


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_what_a_rewriting_writes(name: str, made: SimpleNamespace) -> None:
    program, expected = CONSTRUCTS[name]
    tree = ast.parse(PROGRAMS[program][0])
    getattr(made.rewriting, name)(tree, random.Random(0))
    text = ast.unparse(ast.fix_missing_locations(tree))
    # Results that have a name are not returned as they are made.
    assert (expected in text) == (name != "name_results"), text


REFERENCE = PROGRAMS["keywords and imports"][0]
OLDER = "def text(value):\n    return value.as_text()\n"


def test_answers_are_different_and_the_same_for_the_same_seed(made: SimpleNamespace) -> None:
    for code, _ in PROGRAMS.values():
        found = made.candidates.answers("task", code, 10, seed=3)
        assert len({answer.code for answer in found}) == 10
        assert found == made.candidates.answers("task", code, 10, seed=3)
    found = made.candidates.answers("task", REFERENCE, 10, seed=3)
    assert found != made.candidates.answers("task", REFERENCE, 10, seed=4)
    assert found != made.candidates.answers("other", REFERENCE, 10, seed=3)
    # More answers begin with the same ones: number 0 is the same in every measurement.
    assert found[0] == made.candidates.answers("task", REFERENCE, 1, seed=3)[0]


def test_the_mix(made: SimpleNamespace) -> None:
    names = [f"task-{number}" for number in range(60)]
    tasks = [made.candidates.answers(name, REFERENCE, 10, other=OLDER) for name in names]
    kinds = Counter(answer.kind for task in tasks for answer in task)
    right = {made.candidates.Kind.RIGHT, made.candidates.Kind.CHATTY}
    assert set(kinds) == set(made.candidates.Kind) - {made.candidates.Kind.ENDLESS}
    assert 0.32 < sum(kinds[kind] for kind in right) / kinds.total() < 0.52
    # Some tasks are easy, and some are too hard.
    solved = Counter(sum(answer.kind in right for answer in task) for task in tasks)
    assert solved[0] + solved[1] > 8
    assert solved[9] + solved[10] > 5


# By kind, what becomes of the two calls of the reference; None: it does not even load.
SPOILT: dict[str, list[Any] | None] = {
    "RIGHT": ['b{"a": 2, "b": 1}', "b[\n 1\n]"],
    "CHATTY": ['b{"a": 2, "b": 1}', "b[\n 1\n]"],
    "VERSION": [AttributeError, TypeError],
    "ATTRIBUTE": [AttributeError, AttributeError],
    "KEYWORD": [TypeError, TypeError],
    "ONE_CASE": ['b{"a": 2, "b": 1', "b[\n 1\n"],
    "NOTHING": [None, None],
    "UNWRITTEN": [NotImplementedError, NotImplementedError],
    "SYNTAX": None,
}


@pytest.mark.parametrize("kind", SPOILT)
def test_what_each_kind_does(kind: str, made: SimpleNamespace) -> None:
    wanted, expected = made.candidates.Kind[kind], SPOILT[kind]
    calls = PROGRAMS["keywords and imports"][1]
    for seed in range(10):
        code = made.candidates.write(wanted, REFERENCE, random.Random(seed), OLDER)
        if expected is None:
            with pytest.raises(SyntaxError):
                compile(code, "answer.py", "exec")
        else:
            assert run(code, calls) == expected, code


def test_imports_of_what_does_not_exist(made: SimpleNamespace) -> None:
    calls = [("text(1)", None)]
    outcomes: Counter[str] = Counter()
    for seed in range(30):
        code = made.candidates.write(
            made.candidates.Kind.IMPORT, REFERENCE, random.Random(seed), None
        )
        try:
            outcomes[str(run(code, calls)[0])] += 1
        except ImportError:
            outcomes["at load"] += 1
    assert set(outcomes) == {"at load", str(ImportError)}


def test_what_never_ends(made: SimpleNamespace) -> None:
    answer = made.candidates.endless("task", REFERENCE)
    assert "while True:" in answer.code
    assert made.candidates.endless("task", PROGRAMS["no function at all"][0]) is None
