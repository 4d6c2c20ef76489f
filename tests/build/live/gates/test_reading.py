from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift import records
from libdrift.build.live.gates.reading import grams, is_long, leak, overlap, unseen, unsteady
from libdrift.build.recipes.gates import SignGate
from libdrift.records import Environment, Facts, Split, Task, TaskKind, TestStyle


def task(starter: str, reference: str, tests: str = "", kind: TaskKind = TaskKind.MIGRATE) -> Task:
    return Task(
        id="t",
        suite="live",
        kind=kind,
        language="python",
        environment=Environment("python", "3.11", ("pkg==1.0",)),
        title="t",
        problem="",
        starter=starter,
        reference=reference,
        tests=(records.Tests(Split.HIDDEN, TestStyle.SCRIPT, tests),),
        facts=Facts("pkg", "1.0", symbol="pkg.summed"),
    )


OLD = "import pkg\n\n\ndef solution(a):\n    return pkg.total(a)\n"
NEW = "import pkg\n\n\ndef solution(a):\n    return pkg.summed(a, start=0)\n"


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("Rewrite it.", ""),
        ("Rewrite it with `summed`.", "summed"),
        ("The start is told.", "start"),
        ("It is summed_up, and restarts.", ""),
        (OLD, ""),
    ],
)
def test_what_the_prompt_gives_away(prompt: str, found: str) -> None:
    assert leak(task(OLD, NEW), prompt) == found


def test_only_the_symbol_is_secret_where_a_whole_program_is_asked_for() -> None:
    asked = task("import pkg\n", NEW, kind=TaskKind.GENERATE)
    assert leak(asked, "Write solution(a), which has a start.") == ""
    assert leak(asked, "Use summed.") == "summed"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("x = random.random()", "random"),
        ("datetime.now()", "now"),
        ("urllib.request.urlopen(a)", "urllib"),
        ("os.environ['A']", "environ"),
        ("assert f() == '<X at 0x7f0a27765d50>'", "0x7f0a27765d50"),
        ("x = knowing(1)", ""),
    ],
)
def test_what_is_another_thing_tomorrow(code: str, found: str) -> None:
    assert unsteady(task(OLD, NEW, code)) == found
    assert unsteady(task(code, NEW)) == found


def test_likeness_is_of_runs_of_tokens() -> None:
    one = grams("import pkg\ndef solution(a):\n    return pkg.total(a, start=0, end=1)")
    same = grams("import  pkg\ndef Solution(a): return pkg.total(a,start=0,end=1)")
    other = grams("def f(x, y, z):\n    return x.one(y).two(z).three(x)")
    assert overlap(one, same) == 1
    assert overlap(one, other) == 0


def test_a_long_prompt() -> None:
    assert is_long("x" * 7000)
    assert not is_long("x" * 5000)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain, é, 日本, a\ttab\r\nand a line", ""),
        ("\x1b]0;title\x07", "\x1b"),
        ("one\rtwo", "\r"),
        ("read me \u202eupwards", "\u202e"),
        ("a half \ud800", "\ud800"),
    ],
)
def test_signs_that_nobody_sees(text: str, found: str) -> None:
    plain = task(OLD, NEW, "assert True\n")
    assert unseen(plain, text) == found
    assert unseen(replace(plain, problem=text)) == found
    assert unseen(task(OLD, NEW, f"assert {text!r} and '{text}'\n")) == found
    assert SignGate()(replace(plain, starter=text)) == (
        f"it has the sign {found!r}" if found else None
    )
