from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.metrics.critical_diff import (
    Fixed,
    ReleasedRules,
    Rules,
    Surroundings,
    ablated,
    together,
    without,
)

ALL = (True, True, True, True, True)


def kept(rules: Rules) -> str:
    return "".join(str(i) if held else "-" for i, held in enumerate(rules, start=1))


@pytest.mark.parametrize(
    ("line", "output", "expected"),
    [
        ("x = foo(1, k=2)", "y = foo(a, k=b)", "12345"),
        ("x = foo(1, k=2)", "x = foo(a, my_k=b)", "1234-"),
        ("x = foo(1, k=2)", "x = foo(k=a, j=b)", "12345"),
        ("x = foo(bar(1, 2), k=3)", "x = foo(bar(9), k=3)", "12345"),
        ("x = foo(bar(1, 2), k=3)", "x = foo(bar(1, 2))", "12-4-"),
        ("x = foo([1, 2, 3])", "x = foo([1])", "12345"),
        ("x = foo(s='a,b')", "x = foo(s='ab')", "12345"),
        ("x = foo(a == 1)", "x = foo(b == 1)", "12345"),
        ("x = foo(*a, **b)", "x = foo(c, d)", "12345"),
        ("x = foo(i for i in a)", "x = foo(lambda p, q: p)", "12345"),
        ("x = foo(1)", "x = myfoo(1)", "-2-4-"),
        ("x = foo(1)", "x = foo", "12-4-"),
        ("x = foo()", "x = foo", "12-4-"),
        ("x = foo", "x = foo", "12345"),
        ("x = foo", "x = foo()", "12-45"),
        ("x = foo", "x = foo(1)", "12-45"),
        ("x = foo", "x = foo; y = foo()", "12345"),
        ("from m import foo", "x = m.foo()", "12345"),  # of an import only the name counts
        ("from m import foo", "# foo", "-2-45"),
        ("from m import foo", "x = 'foo'", "-2-45"),
        ("from m import foo", "f'{foo}'", "12345"),
        ("# foo", "x = 'foo'", "12345"),
        ("x = foo(1)", "x = foo()  # or foo(1)", "12-45"),
        ("x = foo(1, k=2)", "y = foo() or foo(2, k=3)", "12345"),  # the best of several
        ("x = foo(1, k=2)", "from m import foo as f; f(1, k=2)", "12345"),
        ("x = foo(1, k=2)", "import foo as f; a.f(1, k=2)", "12-4-"),
        ("x = foo", "x = bar", "-2-45"),
        ("x = a.foo(1).foo()", "x = foo(1)", "12345"),  # the first call
        ("x = foo(foo())", "x = foo(1)", "12345"),
        ("print(f'{foo(1)}')", "foo(2)", "12345"),
        ("withdraw = foo(1)", "y = foo(1)", "12345"),
        ("foo(1", "foo(1", "12345"),  # the reference does not compile: nor need an answer
        ("foo(1, k=", "foo(2, k=3", "12345"),
        ("foo(1, k=", "foo(2", "12-4-"),
        ("x = foo(1)", "x = foo(1", "1-345"),
        ("x = foo(1)", "    x = foo(1)", "12345"),
        ("x = foo(1)", "import foo\nx = foo(1)", "12345"),
        ("x = foo(1)", "if y:\n    x = foo(1)\nelse:\n    x = 2", "12345"),
        ("x = foo(1)", "", "-2-4-"),
    ],
)  # fmt: skip
def test_fixed_rules_of_a_line(line: str, output: str, expected: str) -> None:
    assert kept(Fixed("foo", line, Surroundings("<mask>", "<mask>")).rules(output)) == expected


@pytest.mark.parametrize(
    ("masked", "line", "output", "expected"),
    [
        ("<m>\n    pass", "with foo(a):", "with foo(b):  # so", "12345"),
        ("<m>\n    pass", "with foo(a):", "with foo(b), c as d:", "12345"),
        ("<m>\n    pass", "with foo(a):", "for x in foo(b):", "123-5"),
        ("<m>\n    pass", "with foo(a):", "foo(b)", "1-3-5"),
        ("<m>\n    pass", "with a: foo(b)", "foo(b)", "12345"),
        ("async def f():\n    <m>\n        pass", "async with foo(a):", "async with foo(b):", "12345"),
        ("f(\n    <m>\n)", "x=foo(a),", "y=foo(b),", "12345"),
        ("f(\n    <m>\n)", "**foo(a),", "**foo(b, c),", "12-45"),
        ("{\n    <m>\n}", "'k': foo(a),", "'l': foo(b),", "12345"),
        ("if a:\n    b\n<m>\n    pass", "elif foo(a):", "elif foo(a, b):", "12-45"),
        ("<m>\n    a,\n    k=b,\n)", "x = foo(", "y = foo(", "12345"),
        ("<m>\n    a,\n    k=b,\n)", "x = foo(", "x = foo(a, k=b)", "1-345"),
        ("<m>\ndef f(): pass", "@foo(a)", "@foo(b)", "12345"),
        ("def f():\n    <m>\n    return x", "x = foo(a)", "y = 1\nx = foo(y)", "12345"),
        ("def f():\n    <m>\n    return x", "x = foo(a)", "y = 1\n    x = foo(y)", "12345"),
        ("def f():\n    <m>\n    return x", "x = foo(a)", "  y = 1\n  x = foo(y)", "12345"),
        ("x =\n<m>", "foo(a)", "foo(", "12-45"),
    ],
)  # fmt: skip
def test_fixed_rules_of_a_line_in_its_place(
    masked: str, line: str, output: str, expected: str
) -> None:
    assert kept(Fixed("foo", line, Surroundings(masked, "<m>")).rules(output)) == expected


BLOCK = "from m import foo\n\n\ndef f(a):\n    return foo(\n        a,\n        k=1,\n    )\n"


@pytest.mark.parametrize(
    ("line", "output", "expected"),
    [
        ("return foo(", BLOCK, "12345"),
        ("return foo(", "x = foo(y, k=2)", "12345"),
        ("return foo(", "x = foo(\n    y,\n    k=2)", "12345"),
        ("return foo(", "x = foo(\n    y, k=2\n", "1-345"),
        ("return foo(", "    x = foo(y, k=2)\n    z\n", "12345"),
        ("return foo(", "from m import foo", "12-4-"),
        ("return foo(", "return 1", "---4-"),
        ("from m import foo", BLOCK, "12345"),
        ("from m import foo", "from m import foo\nx = foo(1)", "12345"),  # it has that line
        ("from m import foo", "import m\nx = m.foo(1)", "12345"),
        ("from m import foo", "import m\n# m.foo(1)", "-2-45"),
        ("return foo(", "y = foo()\nx = foo( y, k=1 )", "12345"),
        ("return foo(", "from m import foo as f\nx = f(y, k=1)", "12345"),
        ("return foo(", "from m import foo as f\nx = f(y)", "12-4-"),
        ("return foo(", '"""\nreturn foo(\n"""\ny = foo()', "12-4-"),
        ("return foo(", "y = foo()\nx = foo(y, k=1)\nprint y", "1-345"),  # line by line
        ("", BLOCK, "12345"),
        ("", "x = foo(y, z)", "1234-"),
    ],
)
def test_fixed_rules_of_a_block(line: str, output: str, expected: str) -> None:
    assert kept(Fixed("foo", BLOCK, line=line).rules(output)) == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("with (\n    foo(b),\n    bar(),\n):\n    pass\n", "12345"),
        ("with foo(b) as c, bar(): pass", "12345"),
        ("with bar():\n    foo(b)\n", "123-5"),
        ("x = (\n    foo(b),\n    bar(),\n)\n", "123-5"),
    ],
)
def test_with_in_a_block(output: str, expected: str) -> None:
    reference = "with foo(a), bar():\n    pass\n"
    assert kept(Fixed("foo", reference).rules(output)) == expected


@pytest.mark.parametrize(
    ("language", "line", "output", "expected"),
    [
        ("java", "T x = a.foo(b, c);", "x = foo(new int[] {1, 2}, d(e, f));", "12345"),
        ("csharp", "T x = a.foo<T>(b);", "foo<T, U>(b);", "12345"),
        ("java", "foo(b); // c, d", 'foo("b, c");', "12345"),
        ("csharp", "foo(b, key: c);", "foo(b, key: d ? e : f);", "12345"),
        ("csharp", "foo(b, key: c);", "foo(b, c);", "1234-"),
        ("javascript", "with (a) { foo(b) }", "foo((c, d) => c)", "12345"),
        ("javascript", "foo(b)", "foo", "12-4-"),
        ("java", "x = c.foo(a, b);", "x = c.foo(new HashMap<S, T>(), /* c */ b);", "12345"),
        ("java", "x = c.foo(a, b);", "x = c.foo(a, b", "1-345"),
        ("java", "foo x = new foo(a);", "foo<S, T> x = new foo<S, T>(b);", "12345"),
        ("java", "import m.foo;", "x = m.foo(a);", "12345"),
        ("java", "import m.foo;", "// m.foo", "-2-45"),
        ("csharp", "foo(k: c);", "foo(y ? k : c);", "1234-"),
        ("csharp", "x?.foo(c);", "x.foo<S, T>(d);", "12345"),
        ("csharp", 'var x = $"{foo(a)}";', "foo(b);", "12345"),
        ("javascript", "foo(a, b)", "foo(/[,(]/, b)", "12345"),
        ("javascript", "foo(a)", "x = `${foo(b)}`", "12345"),
        ("javascript", "foo(a)", "foo(b, c); é = foo(d)", "12345"),
        ("javascript", "foo(a)", "(function () { return foo })(b)", "12-4-"),
        ("javascript", "foo(a, b)", "x = 'foo'", "-2-4-"),
        ("javascript", "x.foo", "x.foo()", "12-45"),
        ("javascript", "foo(b)", "foo(b", "1-345"),
    ],
)
def test_fixed_rules_of_other_languages(
    language: str, line: str, output: str, expected: str
) -> None:
    pytest.importorskip("tree_sitter")
    assert kept(Fixed("foo", line, language=language).rules(output)) == expected


def test_a_reference_without_the_token_is_the_only_answer() -> None:
    judge = Fixed("foo", "x = bar(1)")
    assert together(judge.rules("x = bar(1)"))
    assert not judge.rules("x = bar(2)")[0]


@given(st.lists(st.sampled_from(["foo", "foo(", "a", ", ", "k=", ")", "with ", ":", "\n", "'", "#", "    ", "=", "[", "f'{", "}"]), max_size=10))  # fmt: skip
def test_a_reference_keeps_all_rules_against_itself(parts: list[str]) -> None:
    text = "".join(parts)
    for masked in ("<m>", "if x:\n    <m>\n    y", "f(\n<m>\n)"):
        assert Fixed("foo", text, Surroundings(masked, "<m>")).rules(text) == ALL
    assert Fixed("foo", text).rules(text) == ALL
    assert Fixed("foo", text, line=text.split("\n")[-1]).rules(text) == ALL


@pytest.mark.parametrize("text", ["foo(" * 30_000, "foo " * 25_000, "foo(" + "[" * 90_000, "foo(\0)", "'\ud800'foo()", "with foo():" * 9_000])  # fmt: skip
def test_no_text_is_too_odd(text: str) -> None:
    assert len(Fixed("foo", "x = foo(1)").rules(text)) == 5
    assert len(ReleasedRules("foo", "x = foo(1)").rules(text, text)) == 5


def test_all_but_one() -> None:
    rules = (True, False, True, True, True)
    assert not together(rules)
    assert [without(rules, rule) for rule in range(1, 6)] == [False, True, False, False, False]
    for rule in (0, 6):
        with pytest.raises(ValueError, match="1 to 5"):
            without(rules, rule)


@pytest.mark.parametrize(
    ("rules", "plain", "paper"),
    [
        # Without the name there is no call to look at.
        ((False, True, False, True, False), False, True),
        ((False, False, False, True, False), False, False),
        ((False, True, False, False, False), False, False),
        # With it, the call counts.
        ((True, True, False, True, True), False, False),
        ((True, True, True, True, True), True, True),
    ],
)
def test_the_papers_ablation_of_the_first_rule(rules: Rules, *, plain: bool, paper: bool) -> None:
    assert (without(rules, 1), ablated(rules, 1)) == (plain, paper)
    assert [ablated(rules, rule) for rule in range(2, 6)] == [
        without(rules, rule) for rule in range(2, 6)
    ]
