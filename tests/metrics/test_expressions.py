from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from libdrift.metrics import expressions, trees

CODE = st.text(alphabet="ab.()[]\"'#\\/ \n:=,é", max_size=40)


@pytest.mark.parametrize(
    ("code", "aliases", "expected"),
    [
        ("plt.figure()\n    ax = 1", ["plt"], "plt.figure()"),
        ("x = plt.figure()\ny = 2", ["plt"], "plt.figure()"),
        ("return f(plt.figure(1), 2)", ["plt"], "plt.figure(1)"),
        ("plt.figure().add_subplot(1)[0]\n", ["plt"], "plt.figure().add_subplot(1)"),
        ("torch.ones(\n  3)\n+ 1", ["torch"], "torch.ones(\n  3)"),
        ("é = 'é'\ntorch.foo(a)\ny", ["torch"], "torch.foo(a)"),
        ("été.x(1)", ["été"], "été.x(1)"),
        ("torchvision.models()", ["torch"], None),
        ("ax.plot(x)", ["plt"], None),
        ("'plt.figure()'  # plt.figure()", ["plt"], None),
        ("plt.x = 1", ["plt"], None),
        ("x.plt.figure()", ["plt"], None),
        ("torch.foo(a", ["torch"], None),
        ("Sure! Here it is:\nplt.plot(x)\n", ["plt"], "plt.plot(x)"),
        ("", ["plt"], None),
        ("plt.a()", [], None),
        ("plt.a('\ud800')", ["plt"], "plt.a('?')"),
    ],
)
def test_the_first_call_of_the_api(code: str, aliases: list[str], expected: str | None) -> None:
    found = (True, expected) if expected is not None else (False, code)
    assert expressions.api_call(code, aliases) == found


@pytest.mark.parametrize(
    ("code", "imports", "expected"),
    [
        ("torchvision.models()", ["torch"], "torchvision.models()"),
        ("x = plt.figure()\nplt.show()", ["plt"], "plt.show()"),
        ("plt.x = plt.figure()", ["plt"], "plt.x = plt.figure()"),
        ("if a:\n    plt.b()\nplt.c()", ["plt"], "plt.b()"),
        ("f(plt.figure())", ["plt"], None),
        # Two bytes for one letter: the slice starts a character too far right.
        ("é\nx.foo(a)\ny", ["x"], None),
        ("é\nx.foo(a)\ny", [".foo"], ".foo(a)\n"),
        ("torch.foo(a", ["torch"], None),
        ("plt.a('\ud800')", ["plt"], None),
        ("plt.a()", [], None),
    ],
)
def test_the_released_search_for_a_call(
    code: str, imports: list[str], expected: str | None
) -> None:
    found = (True, expected) if expected is not None else (False, code)
    assert expressions.released_api_call(code, imports) == found


# What both modes cut alike.
CUTS = [
    ("x = ", "torch.ones(3)\ny = 2\n", "torch.ones(3)"),
    ("x = ", "torch.ones(\n  3)\ny = 2", "torch.ones(\n  3)"),
    ("x = ", "torch.ones(3)  \n\ny = 2", "torch.ones(3)"),
    ("x = ", "torch.ones(3)", "torch.ones(3)"),
    ("x = ", "", ""),
    ("x = ", "f('''a\n'''\n)\ny", "f('''a\n'''\n)"),
    ("x = ", "a + \\\n  b\nc", "a + \\\n  b"),
    ("x = ", "f('a)')\nb", "f('a)')"),
    ("x = ", "f(1)\r\nb", "f(1)"),
    ("def f():\n    ", "return a\n    b = 1\n", "return a"),
    ("if a:\n    ", "x = (1\n", "x = (1\n"),
    ("y = foo(\n", "a)\nz\n", "a)"),
    ("y = foo('(', # (\n", "a)\nz\n", "a)"),
]


@pytest.mark.parametrize(("prompt", "completion", "expected"), CUTS)
def test_a_cut_behind_the_first_statement(prompt: str, completion: str, expected: str) -> None:
    assert expressions.truncated(prompt, completion) == expected
    assert expressions.released_truncated(prompt, completion) == expected


@pytest.mark.parametrize(
    ("prompt", "completion", "fixed", "released"),
    [
        # A prompt that does not parse: the released program never cuts.
        ("x = = 1\ny = ", "f(1)\nz", "f(1)", "f(1)\nz"),
        # A whole statement of the prompt's, before the first line end.
        ("", "\nf(1)\ng(2)", "\nf(1)", "\nf(1)"),
        ("x = 1\n", "\n\nf(1)\ng(2)", "\n\nf(1)", ""),
        # Brackets that close too often.
        ("", "a))\nb", "a))", "a))\nb"),
        ("x = ", "'\ud800'\ny", "'\ud800'", "'\ud800'\ny"),
    ],
)
def test_where_the_two_cuts_differ(prompt: str, completion: str, fixed: str, released: str) -> None:
    assert expressions.truncated(prompt, completion) == fixed
    assert expressions.released_truncated(prompt, completion) == released


def test_the_grammar_is_of_the_time_of_the_published_numbers() -> None:
    # A `try` whose `except` is behind the gap is an error to tree-sitter's Python grammar 0.23,
    # and none to later ones. Most controlled prompts end in one.
    prompt = "def f():\n    try:\n        x = "
    completion = "torch.a(1)\n        y = 2\n"
    assert expressions.released_truncated(prompt, completion) == completion


@given(CODE, CODE)
@settings(max_examples=150, deadline=None)
@example("x = ", "f(\n1)\n\n  y\n")
def test_the_released_cut_is_as_defined(prompt: str, completion: str) -> None:
    # As the definition has it, with a fresh tree at each place: ours grow from one another.
    expected = completion
    for place in range(1, len(completion)):
        code = (prompt + completion[:place]).encode()
        nodes = trees.walk(trees.root(code, "python"))
        if completion[place] == "\n" and all(node.type != "ERROR" for node in nodes):
            expected = completion[:place].rstrip()
            break
    assert expressions.released_truncated(prompt, completion) == expected


@given(CODE, CODE)
@settings(max_examples=60, deadline=None)
def test_what_is_left_is_a_part(prompt: str, completion: str) -> None:
    assert completion.startswith(expressions.truncated(prompt, completion))
    assert expressions.api_call(completion, ["a", "ab"])[1] in completion
    once = expressions.without_comments(completion)
    assert expressions.without_comments(once) == once


@pytest.mark.parametrize(
    ("code", "fixed", "released"),
    [
        ("a = b # c", "a = b ", "a = b "),
        ("x = a // b", "x = a // b", "x = a "),
        ("f('#1', \"a # b\")  # c\ng()", "f('#1', \"a # b\")  \ng()", "f('\ng()"),
        ("'''\n# a\n'''# b", "'''\n# a\n'''", "'''\n\n'''"),
        ("a #1\nb // 2\nc", "a \nb // 2\nc", "a \nb \nc"),
        ("'it\\'s # x'", "'it\\'s # x'", "'it\\'s "),
        ("don't # x\n# y", "don't # x\n", "don't \n"),
        ("", "", ""),
    ],
)
def test_comments(code: str, fixed: str, released: str) -> None:
    assert expressions.without_comments(code) == fixed
    assert expressions.released_without_comments(code) == released


def test_five_megabytes_are_no_problem() -> None:
    huge = "f(( # it's long\n" * 310_000
    assert expressions.api_call(huge, ["plt"]) == (False, huge)
    assert expressions.released_api_call(huge, ["plt"]) == (False, huge)
    assert expressions.truncated("", huge) == huge
    assert expressions.released_truncated("x = 1\n", huge) == huge
    assert expressions.without_comments(huge) == "f(( \n" * 310_000
    assert expressions.released_without_comments(huge) == "f(( \n" * 310_000
    # One chain of calls: no step may look at all of it again.
    assert expressions.api_call("x" + "()" * 40_000, ["plt"])[0] is False
