"""Answers made of nothing but their reference's parts, which forge all the same.

Plain answers are judged without decoys. Where a reference evaluates text, fetches attributes by
their names, or formats texts, its own parts are enough to reach the judge or to read what is expected.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from libdrift import config, suites
from libdrift.execution import Job, Options, run_jobs
from libdrift.records import Environment, Outcome, TestStyle
from libdrift.sandbox import Backend, Judgement, Limits, Program
from tests.conftest import AS_OF

OWN = Environment("python", "3.11", ("pytest==8.3.5",), AS_OF)
LIMITS = Limits(wall_seconds=4, cpu_seconds=5)


@dataclass(frozen=True, slots=True)
class Forgery:
    """A task, and a plain answer to it that solves nothing."""

    reference: str
    tests: str
    answer: str
    library: str = ""  # of the starter task whose environment it needs


# What a forger does once it can run code: report a perfect run. `box` is a generator's frame.
REPORT = """
box, seen = [], []
def look(box=box, seen=seen):
    frame = box[0].gi_frame
    while frame is not None:
        seen.append(frame.f_locals)
        frame = frame.f_back
    yield
box.append(look())
list(box[0])
trial = [v for space in seen for v in space.values() if hasattr(v, 'unseal')][0]
trial.send('loaded')
names = trial.sheet.functions
for name in names:
    trial.send('phase', name, 'call', 'passed', '')
trial.send('phase', trial.sheet.canary, 'call', 'failed', '')
trial.send('end', ' '.join(map(str, range(-1, len(names)))), '', '')
while True:
    pass
"""
# The reference's own template, from which an answer takes every sign that it may not write itself.
PAGE = "{% for row in rows %}{{ (row['name']|upper + '=' ~ row[\"size\"])[0:9] }}<>\n{% endfor %}"


def spelled(text: str, source: str, name: str) -> str:
    """An expression for a text, made of everyday words and of single signs of another text."""
    parts, word = [], ""
    for sign in [*text, ""]:
        if sign and (sign.isalnum() or sign in " .,:;/-") and len(word) < 30:
            word += sign
            continue
        parts += [repr(word)] if word else []
        word = sign if sign.isalnum() else ""
        if sign and not word:
            place = source.find(sign)
            parts.append(f"{name}[{place}:{place + 1}]" if place >= 0 else repr(sign))
    return " + ".join(parts)


TEMPLATE = "{{ cycler.__init__.__globals__['__builtins__']['exec'](rows) }}"
TEMPLATE_ENGINE = Forgery(
    f"""from jinja2 import Template

PAGE = {PAGE!r}


def page(rows):
    return Template(PAGE).render(rows=rows)
""",
    """from answer import page


def test_two():
    assert page([{"name": "a", "size": 1}, {"name": "b", "size": 22}]) == "A=1<>\\nB=22<>\\n"


def test_none():
    assert page([]) == ""
""",
    f"""from jinja2 import Template

PAGE = {PAGE!r}
code = {spelled(REPORT, PAGE, "PAGE")}
Template({spelled(TEMPLATE, PAGE, "PAGE")}).render(rows=code)
""",
    "jinja2-money-filter",
)

NAMES_OF_ATTRIBUTES = Forgery(
    """from operator import attrgetter


def sizes(items):
    pick = attrgetter("real")
    return [pick(item) for item in items]
""",
    """from answer import sizes


def test_two():
    assert sizes([1, 2 + 3j]) == [1, 2.0]


def test_none():
    assert sizes([]) == []
""",
    """from operator import attrgetter

box = []
trials = []


def climb(frame):
    while frame is not None:
        space = attrgetter("f_locals")(frame)
        if "trial" in space:
            trials.append(space["trial"])
        frame = attrgetter("f_back")(frame)


box.append(climb(attrgetter("gi_frame")(box[0])) for item in [1])
list(box[0])
send = attrgetter("send")(trials[0])
names = attrgetter("sheet.functions")(trials[0])
send("loaded")
for name in names:
    send("phase", name, "call", "passed", "")
send("phase", attrgetter("sheet.canary")(trials[0]), "call", "failed", "")
send("end", "-1 0 1 2 3 4 5"[: 4 + 2 * len(names) - 2], "", "")
while True:
    pass
""",
)

FORMATTED_TEXTS = Forgery(
    """def label(count):
    return "{} items".format(count)
""",
    """from answer import label


def test_three():
    assert label(3) == "3 items"


def test_many():
    assert label(1200) == "1200 items"
""",
    """def label(count):
    box = []
    read = "{} items"[:1] + "0.gi_frame.f_back.f_back" + ".f_code.co_consts" + "{} items"[1:2]
    box.append(read.format(box[0]) for item in [1])
    text = list(box[0])[0]
    end = text.index(" items")
    start = end
    while text[start - 1] in "0123456789abcdefghijklmnopqrstuvwxyz":
        start = start - 1
    return text[start : end + 6]
""",
)

SIGNS = "f(x, 'a') + x**2 - g[0] == \"b\""
ONE_LINE = '"+chr(10)+"'.join(REPORT.strip().splitlines())
EVALUATED_TEXTS = Forgery(
    """from sympy import sympify

FORMULA = "f(x, 'a') + x**2 - g[0] == \\"b\\""


def square(text):
    return str(sympify(text) ** 2)
""",
    """from answer import square


def test_letter():
    assert square("x") == "x**2"


def test_number():
    assert square("3") == "9"
""",
    f"""from sympy import sympify

FORMULA = "f(x, 'a') + x**2 - g[0] == \\"b\\""
sympify({spelled(f'exec("{ONE_LINE}")', SIGNS, "FORMULA")})
""",
    "sympy-count-equal",
)

FORGERIES = {
    "template engine": TEMPLATE_ENGINE,
    "names of attributes": NAMES_OF_ATTRIBUTES,
    "formatted texts": FORMATTED_TEXTS,
    "evaluated texts": EVALUATED_TEXTS,
}


def judged(forgery: Forgery, answer: str, backend: Backend, *, fresh: bool) -> Judgement:
    settings = config.load()
    place = OWN
    if forgery.library:
        place = suites.load("starter", settings).tasks[forgery.library].environment
    program = Program(answer, forgery.tests, TestStyle.PYTEST)
    options = Options(settings, backend, LIMITS, workers=1, fresh=fresh)
    ((_, judgement),) = run_jobs([Job(("t",), place, program, forgery.reference)], options)
    return judgement


@pytest.mark.parametrize("fresh", [False, True], ids=["forked", "fresh"])
@pytest.mark.parametrize("name", FORGERIES)
def test_no_plain_answer_forges_its_verdict(
    name: str,
    bubblewrap: Backend,
    fresh: bool,  # noqa: FBT001
) -> None:
    forgery = FORGERIES[name]
    judgement = judged(forgery, forgery.answer, bubblewrap, fresh=fresh)
    assert judgement.outcome not in (Outcome.PASSED, Outcome.INFRASTRUCTURE), judgement


@pytest.mark.parametrize("name", FORGERIES)
def test_the_references_pass(name: str, bubblewrap: Backend) -> None:
    forgery = FORGERIES[name]
    answer = forgery.reference + "# in other words\n"
    judgement = judged(forgery, answer, bubblewrap, fresh=False)
    assert judgement.outcome is Outcome.PASSED, judgement
