from __future__ import annotations

import io
import json
import random
import sys
import tokenize
import warnings
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from libdrift.metrics import names as module
from libdrift.metrics.names import (
    bare,
    compiles,
    names,
    names_by_line,
    occurs,
    released_names,
    released_occurs,
)
from tests.published import published

# Pieces that tokenisers differ about, and ordinary ones.
PIECES = [
    *"()[]{}.,:;=+-*@!$?`\\\"'#\n\r\t\f\v\0 ", "'''", '"""', "\r\n", "\\\n", "\n    ", "\n  ", "  ",
    "x", "foo", "if ", "async ", "def f():\n", "lambda x: ", "0", "1", "07", "1_0", "1e", "1e-5",
    "1.e5", ".5", "1..real", "0xfor", "0xf", "1if", "1j", "...", "!=", "->", ":=", "<>", "f'", 'f"',
    "rb'", "f'{x}'", "b'é'", "x'", "r\\'", "é", "名", "\u2028", "\xa0", "\x1c", "\x85", "\ufeff",
    "# coding: utf-8\n", "# coding: latin-1\n", "# coding: x\n", "'a'", '"""b\n"""', "# c\n",
]  # fmt: skip
CODE = '''import numpy as np
from m import (a,
    b as c)


@wraps(f, updated=())
def apply(x, *rest, key=None, **more):
    """Of many
    lines: it's long."""
    if x is not None and key[0] != 0x1F:  # why not
        for i, item in enumerate(x):
            yield {"a": item.first, 'b': [y ** 2.5e-3 for y in rest if y]}
\telse:
        print(f"{x!r:>{width}} is {np.mean(x):.2f}", r'\\d', b"x", end='')
    return lambda z: z.real + 1.0
'''


def tokenised(code: str) -> list[str] | str | None:
    """What the standard library says, in its own words."""
    try:
        tokens = tokenize.tokenize(io.BytesIO(code.encode()).readline)
    except Exception as error:  # noqa: BLE001
        return type(error).__name__
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [token.string for token in tokens if token.type == tokenize.NAME]
    except Exception:  # noqa: BLE001
        return None


def released(code: str) -> list[str] | str | None:
    try:
        return released_names(code)
    except Exception as error:  # noqa: BLE001
        return type(error).__name__


def mutilated(code: str, dice: random.Random) -> str:
    for _ in range(dice.randint(1, 3)):
        first, last = sorted((dice.randrange(len(code) + 1), dice.randrange(len(code) + 1)))
        change = dice.choice(["cut", "put", "put", "drop", "rest"])
        if change == "cut":
            code = code[:last]
        elif change == "put":
            code = code[:first] + dice.choice(PIECES) + code[first:]
        elif change == "drop":
            code = code[:first] + code[last:]
        else:
            code = code[first:]
    return code


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("")
@example("   ")
@example("x\n   ")
@example("\n\n  x\n y")
@example("x.0xc->y()")
@example(".1.e5")
@example("x '\\'")
@example("rows \udc80")
def test_released_names_are_the_tokenisers(code: str) -> None:
    assert released(code) == tokenised(code)


@settings(max_examples=150)
@given(st.randoms(use_true_random=False))
def test_released_names_of_mutilated_code(dice: random.Random) -> None:
    code = mutilated(CODE, dice)
    assert released(code) == tokenised(code)
    for line in code.split("\n"):
        assert released(line) == tokenised(line)


def test_ordinary_code_needs_no_tokeniser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_tokenised", lambda code: pytest.fail(f"tokenised: {code}"))
    code = CODE.replace("\telse", "    else").replace('f"', '"')
    assert released_names(code) == tokenised(code)
    assert released_names("f(x, [1") is None
    assert released_names("if x:\n    y\n  z") is None


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="its tokeniser is none of Python's own")
def test_a_text_that_the_tokeniser_would_take_hours_for_is_an_error() -> None:
    assert released_names("x '" + "\\'" * 50_000) is None
    assert released_names("x '" + "\\'" * 50) == tokenised("x '" + "\\'" * 50)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = f(a, b=1)", "x f a b"),
        ("with tf.device('cpu'):", "with tf device"),
        ("x = 'a b' + \"c\" # d", "x"),
        ("x = 'abc g", "x"),
        ("results = task.compute(", "results task compute"),
        ("print(foo) }", "print foo"),
        ("x = '''a\nb''' + y", "x y"),
        ("x = '''a\nb", "x"),
        ("a = 1 $ b\\", "a b"),
        ("1e-5 + 1.e5 + 0xff + 1_000j + x1 + 1.0.real", "x1 real"),
        ("x.é名 + _", "x é名 _"),
        ('f"{a} b {c.d(e)!r:>{w}}"', "a c d e w"),
        ("f'{{a}} {b}' + c", "b c"),
        ("rf'\\d{a}' + fr\"{b:%Y}\"", "a b"),
        ("f'{a[\"k\"]}' + f\"{f'{b}'}\"", "a b"),
        ("f'''{a}\nb {c:{\nd}}\n''' + e", "a c d e"),
        ("f'{a' + b\nc", "a c"),
        ("f'a\nx'", "x"),
        ("f'\\N{DASH} {a}'", "a"),
        ("f'{a != b}' f'{a:=^9}'", "a b a"),
        ("f'{(lambda x: x)(y)}'", "lambda x x y"),
        ("abf'{x}'", "abf"),
        ("u'a' b'c' Rb'd' x", "x"),
    ],
)
def test_names(code: str, expected: str) -> None:
    assert names(code) == expected.split()


def test_names_by_line_know_strings_of_several_lines() -> None:
    assert names_by_line('x = """\nno\n""" + y\nz') == [("x",), (), ("y",), ("z",)]


@given(st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_text_has_names(code: str) -> None:
    shown = bare(code)
    assert [char == "\n" for char in shown] == [char == "\n" for char in code]
    assert names(code) == [name for line in names_by_line(code) for name in line]
    # Nothing is left to hide.
    assert bare(shown.replace('"', " ").replace("#", " ")).count('"') == 0


@pytest.mark.parametrize("piece", ["f'{", "f'\\N{", "'\\'", "'''", "(", "!r   ", "f'{x:"])
def test_names_take_time_with_the_length_of_the_text(piece: str) -> None:
    assert len(names(piece * 20_000)) <= 20_000


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ('x("a, b") // c', 'x("""""")     '),
        ("/* a\nb */ y", "    \n     y"),
        ("`a\n${b}` + c", '""\n""""" + c'),
        ("'\\'' + d", '"""" + d'),
    ],
)  # fmt: skip
def test_bare_code_of_other_languages(code: str, shown: str) -> None:
    assert bare(code, "java") == shown


@pytest.mark.parametrize(
    ("token", "text", "fixed", "as_released"),
    [
        ("rows", "x.rows()", True, True),
        ("rows", "my_rows rows2 ROWS", False, False),
        ("rows", "my_rows rows", True, True),
        ("rows", "érows", False, False),
        ("a.b", "x.a.b", True, True),
        ("f[", "f[1]", True, True),
        ("f[", "f[(1)]", True, False),
        ("=", "a=b", True, True),
        ("=", "a = b", True, False),
        ("", "a", True, True),
        ("", "", True, False),
    ],
)
def test_a_token_occurs(token: str, text: str, fixed: bool, as_released: bool) -> None:  # noqa: FBT001
    assert occurs(token, text) is fixed
    assert released_occurs(token, text) is as_released


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1", True),
        ("x = '\\d'; y is 1; 1if x else 2", True),  # warnings are errors in these tests
        ("return", False),
        ("x = (", False),
        ("a\0b", False),
        ("'\ud800'", False),
        ("(" * 500 + ")" * 500, False),
        ("-" * 50_000 + "1", False),
        ("x" + ".a" * 50_000, False),
        ("1" * 9999, False),
    ],
)
def test_compiles(code: str, expected: bool) -> None:  # noqa: FBT001
    before = list(warnings.filters)
    assert compiles(code) is expected
    assert list(warnings.filters) == before


def references() -> Iterator[str]:
    for name in ("line_completion_llama3_70b_outputs", "block_completion"):
        for item in json.loads(published("versicode", f"{name}.json").read_text("utf-8"))["data"]:
            yield from (item["masked_line"], item["code"])


@pytest.mark.published
def test_released_names_of_every_reference() -> None:
    dice = random.Random(5)
    texts = dict.fromkeys(references())
    lines = dict.fromkeys(line for text in texts for line in text.split("\n"))
    for text in (*texts, *lines, *(mutilated(text, dice) for text in texts)):
        assert released(text) == tokenised(text)
