"""An answer in a script: what of it is kept, and what of the script nobody can change."""

from __future__ import annotations

import pytest

from libdrift.execution.substitution import Unfit, case_count, put

SCRIPT = """\
import math

def helper(x):
    return x

def twice(x):
    return math.pow(helper(x), 1) * 2

# Input data
test_data = [
    1,
    2,  # two
]

for item in test_data:
    try:
        print(twice(item))
    except Exception as e:
        print("error:", e)
"""
PYTHON_2 = SCRIPT.replace("print(twice(item))", "print twice(item)").replace(
    'except Exception as e:\n        print("error:", e)',
    'except Exception, e:\n        print "error:", e',
)
ANSWER = "def twice(x):\n    return x + x\n"


def printed(answer: str, script: str = SCRIPT) -> list[str]:
    """What the script prints with an answer in it."""
    lines: list[str] = []

    def keep(*values: object) -> None:
        lines.append(" ".join(map(str, values)))

    exec(compile(put(answer, script), "script.py", "exec"), {"print": keep, "__name__": "there"})
    return lines


@pytest.mark.parametrize(
    "answer",
    [
        ANSWER,
        "def twice(x):\n\treturn 2 * x\n",
        ANSWER.replace("\n", "\r\n"),
        "    def twice(x):\n        return x + x\n",
        "import operator\n\ndef twice(x):\n    return operator.add(x, x)\n",
        "def add(a, b):\n    return a + b\n\ndef twice(x):\n    return add(x, x)\n",
        "FACTOR: int = 2\ndef twice(x):\n    return x * FACTOR\n",
        "a, (b, c) = 1, (1, 2)\ndef twice(x):\n    return x * (a + b) * c // 2\n",
        "class Two:\n    value = 2\n\ndef twice(x):\n    return x * Two.value\n",
        "twice = lambda x: x + x\n",
        "import functools\n@functools.lru_cache(maxsize=None)\ndef twice(x):\n    return x + x\n",
        "try:\n    import nothing_of_the_kind as m\nexcept ImportError:\n    m = None\n"
        "def twice(x):\n    return x + x if m is None else 0\n",
        "import sys\nif sys.version_info[0] > 1:\n    def twice(x):\n        return x + x\n",
        "from __future__ import annotations\nimport sys\ndef twice(x: int) -> int:\n    return x*2\n",
        "def twice(x):\n    return 0\n\ndef twice(x):\n    return x + x\n",
        "# -*- coding: utf-8 -*-\n# zwei ∙ x\ndef twice(x):\n    return x + x  # ∙\n",
        # A whole script of its own, with examples, prints and data.
        SCRIPT.replace("return math", "return 0 + math").replace("1,\n    2,", "8,\n    9,"),
        f"{ANSWER}\nprint('an example:', twice(4))\nassert twice(1) == 3\nraise SystemExit\n",
        f"{ANSWER}\nif __name__ == '__main__':\n    print(twice(1))\n",
        f"{ANSWER}\nif __name__ == 'there':\n    print(twice(1))\n    import os\n",
        f"{ANSWER}\nfor n in range(3):\n    print(n)\n\nwhile True:\n    break\n",
        f"test_data = []\n{ANSWER}",
        f"{ANSWER}\ndef print(*values):\n    pass\n",
        f"{ANSWER}\nException = item = print = None\n",
    ],
)
def test_what_drives_stays_the_scripts(answer: str) -> None:
    assert [line.replace(".0", "") for line in printed(answer)] == ["2", "4"]


@pytest.mark.parametrize(
    "line",
    [
        "os.environ['A_SETTING'] = '1'",
        "os.environ.setdefault('A_SETTING', '1')",
        "os.one = os.two = 1",
        "from_os()",
    ],
)
def test_what_sets_a_library_up_is_kept(line: str) -> None:
    answer = f"import os\nfrom os import getcwd as from_os\n{line}\n{ANSWER}\n{line}\n"
    assert put(answer, SCRIPT).count(line) == 2


SET_UP = """
import os
import operator as _operator
_cache = {"k": 0}
_factor = 1
_steps = []
result = 2
KEYS = ("a", "b")
_doubled = {key: len(KEYS) for key in KEYS}

def _patch():
    _cache["patched"] = 1

def twice(x):
    item = result  # the script's by the time that it is called
    return x * len(_steps) if _cache["k"] and _factor == 2 and _doubled else 0

%s
"""


@pytest.mark.parametrize(
    "lines",
    [
        '_cache["k"] = 1',
        '_cache["k"] += 1',
        "_patch()",
        "setattr(os, 'a_setting', 1)",
        "delattr(_operator, 'nothing')",
        "os.environ['A_SETTING'] = '1'",
        "twice.note = 1",
        "_steps.append(1)",
        "_factor += 1",
        "if os.name:\n    _patch()\nelse:\n    _cache['k'] = 2",
        "for key in KEYS:\n    _steps.append(key)",
        "while not _steps:\n    _steps.append(1)",
        "try:\n    os.nothing()\nexcept AttributeError:\n    pass",
        "with os.popen('') as _pipe:\n    _cache['k'] = _pipe",
        "for key in KEYS:\n    if key:\n        setattr(os, key, 1)",
        "try:\n    import nothing as n\nexcept ImportError:\n    import os as n\nn.setting = 1",
    ],
)
def test_what_sets_the_answer_up_is_kept(lines: str) -> None:
    made = put(SET_UP % lines, SCRIPT)
    assert lines in made
    assert made.index(lines) < made.index("test_data")
    for line in ("result = 2", "KEYS =", "_doubled =", "_factor = 1"):
        assert line in made


@pytest.mark.parametrize(
    "lines",
    [
        "print('patched')",
        "twice(3)",
        "main()",
        "value = twice(3)",
        "_cache['k'] = twice(3)",
        "_factor = main()",
        "os.abort(twice(3))",
        "os._exit(main())",
        "print.setting = 1",
        "setattr(print, 'setting', 1)",
        "test_data.append(1)",
        "if __name__ == '__main__':\n    _patch()",
        "for key in KEYS:\n    print(key)",
        "for key in twice(3):\n    _patch()",
        "for print in KEYS:\n    _patch()",
        "while True:\n    pass",
        "if os.name:\n    _patch()\n    print('patched')",
        "x = 1",  # a parameter's name is no value of the module
        "item = 1",
    ],
)
def test_what_runs_the_answer_goes(lines: str) -> None:
    made = put(f"def main():\n    print(twice(1))\n{SET_UP % lines}", SCRIPT)
    assert f"\n{lines}\n" not in made


def test_set_up_takes_effect() -> None:
    answer = SET_UP % '_cache["k"] += 1\n_factor += 1\nfor key in KEYS:\n    _steps.append(key)'
    script = SCRIPT.replace("print(twice(item))", "result = twice(item)\n        print(result)")
    assert printed(answer, script) == ["2", "4"]


def test_set_up_of_what_the_script_imports() -> None:
    assert "math.setting = 1" in put(f"math.setting = 1\n{ANSWER}", SCRIPT)


@pytest.mark.parametrize("line", ["math = None", "helper = None", "Exception = None"])
def test_what_the_script_reads_cannot_be_bound(line: str) -> None:
    script = SCRIPT.replace("test_data = [", "test_data = [math.pow(0, helper(1)),")
    answer = f"{line}\ndef twice(x):\n    return (x, math, helper, Exception)\n"
    assert line not in put(answer, script)


def test_calls_that_set_a_library_up_are_kept() -> None:
    answer = (
        "import math\nimport warnings\nwarnings.simplefilter('ignore')\nmath.pow(1, 2)\n" + ANSWER
    )
    made = put(answer, SCRIPT)
    assert "warnings.simplefilter('ignore')" in made
    assert made.index("warnings.simplefilter") < made.index("def twice")


@pytest.mark.parametrize("line", ["import operator as math", "import operator\nmath = operator"])
def test_a_module_under_the_scripts_alias_is_the_answers_to_choose(line: str) -> None:
    script = SCRIPT.replace("test_data = [", "test_data = [math.add(0, 0),")
    answer = f"import math\n{line}\ndef twice(x):\n    return math.add(x, x)\n"
    assert printed(answer, script) == ["0", "2", "4"]


def test_helpers_that_only_the_function_uses_may_be_replaced() -> None:
    answer = "def helper(x):\n    return x + x\n\ndef twice(x):\n    return helper(x)\n"
    assert printed(answer) == ["2", "4"]


@pytest.mark.parametrize(
    "answer",
    [
        "import sys\ndef twice(x):\n    print >>sys.stderr, x\n    return x * 2\n",
        "def twice(x):\n    try:\n        return x * 2\n    except ValueError, e:\n        raise\n",
        ANSWER,
    ],
)
def test_python_2(answer: str) -> None:
    made = put(answer, PYTHON_2)
    assert answer.rstrip().splitlines()[-1] in made
    assert "math.pow" not in made
    assert made.endswith('    except Exception, e:\n        print "error:", e\n')


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("def thrice(x):\n    return x\n", "the answer does not define twice"),
        ("class Solution:\n    def twice(self, x):\n        return x\n", "does not define twice"),
        ("def outer():\n    def twice(x):\n        return x\n", "does not define twice"),
        ("Use isin instead.", "does not parse: line 1: invalid syntax"),
        ("def twice(x):\n    return (x\n", "does not parse: line 2: '(' was never closed"),
        ("def twice(x:\n", "does not parse: line 1"),
        ("", "the answer does not define twice"),
        ("((((" * 3000, "does not parse"),
        (f"def twice(x):\n    return {'+'.join('x' * 9000)}\n", "does not parse: it is nested too"),
    ],
)
def test_unfit_answers(answer: str, reason: str) -> None:
    with pytest.raises(Unfit, match=r"^the answer \w+ not") as caught:
        put(answer, SCRIPT)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_script_that_calls_nothing_of_its_own() -> None:
    with pytest.raises(Unfit, match="calls no function of its own"):
        put(ANSWER, "print(len([1]))\n")


@pytest.mark.parametrize(
    ("script", "count"),
    [
        (SCRIPT, 2),
        (PYTHON_2, 2),
        ("data = [(1, 2), (3, 4), (5,)]\n", 3),
        ("data = make()\n", 0),
        ("", 0),
    ],
)
def test_case_count(script: str, count: int) -> None:
    assert case_count(script) == count
