from __future__ import annotations

import json
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.errors import UserError
from libdrift.metrics import trees
from tests.published import published

LANGUAGES = ["python", "java", "csharp", "c#", "javascript", "rust"]


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", "x = np.sum(a, axis=None)  # b", "x np sum a axis"),
        ("python", "f'{name!r:{width}} word' + 'other'", "name width"),
        ("python", "def f(self, *args): return self.y if True else z", "f self args self y z"),
        ("python", "plt.plot(x, ", "plt plot x"),
        ("python", "match = type\nprint(match)", "match type print match"),
        ("python", "été = café()", "été café"),
        (
            "java",
            'class A { int x; List<B> y; /* c */ void f() { this.y.add("d"); } }',
            "A x List B y f y add",
        ),
        ("java", "list.stream().map(String::valueOf)", "list stream map String valueOf"),
        ("csharp", 'var x = $"{y.Z} w"; // v', "x y Z"),
        ("c#", "await foo.BarAsync(int.Parse(s));", "foo BarAsync Parse s"),
        ("C#", "using System.Text;", "System Text"),
        ("javascript", "const {a, b: c} = `d ${e.f}`; // g", "a b c e f"),
        ("javascript", "this.#p = {q, r: 1}", "#p q r"),
        (
            "rust",
            "let x: Vec<u8> = y.iter().map(|z| z + 1).collect(); // w",
            "x Vec u8 y iter map z z collect",
        ),
        (
            "rust",
            'println!("{}", u32::midpoint(a, b)); S { c, d: 1 }',
            "println u32 midpoint a b S c d",
        ),
        ("rust", "fn f<'t>(s: &'t str) -> Option<T> {}", "f t s t str Option T"),
    ],
)
def test_names_in_their_order(language: str, code: str, expected: str) -> None:
    assert trees.identifiers(code, language) == expected.split()


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", "x = 1\n", True),
        ("python", "", True),
        ("python", "x = (1", False),
        ("python", "def f(:\n    x\n", False),
        ("python", "'a\0'", False),
        ("python", "x = 1\n" * 20_000, False),  # too long to be told
        ("java", "class A { void f() {} }", True),
        ("java", "class A { void f() { }", False),
        ("csharp", "class A { int X => 1; }", True),
        ("csharp", "class A { int X => ; }", False),
        ("javascript", "const x = a => a?.b;", True),
        ("javascript", "const = 1", False),
        ("rust", "fn f() -> u8 { 1 }", True),
        ("rust", "fn f( -> u8 { 1 }", False),
    ],
)
def test_what_parses(language: str, code: str, expected: bool) -> None:  # noqa: FBT001
    assert trees.parses(code, language) is expected


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "code", ["", "\0", "\ud800x\udfff y", "\r\n\r", "((((", "'", "🙂 z", "def é(:\n\tx", "\\" * 50]
)
def test_no_text_is_too_odd(language: str, code: str) -> None:
    assert all(name in code for name in trees.identifiers(code, language))
    assert trees.parses(code, language) in {True, False}


@pytest.mark.parametrize("language", LANGUAGES)
def test_depth_is_no_limit(language: str) -> None:
    assert trees.identifiers("(" * 3000 + "x" + ")" * 3000, language) == ["x"]


def test_only_the_start_of_a_huge_text_is_read() -> None:
    assert len(trees.identifiers("name = 1\n" * 600_000, "python")) == trees.LIMIT // 9
    assert trees.identifiers("x" * 5_000_000, "rust") == ["x" * trees.LIMIT]


def test_an_unknown_language_is_named_with_the_fix() -> None:
    with pytest.raises(UserError, match=r"'cobol'.*python"):
        trees.identifiers("x", "cobol")


def test_threads_do_not_share_a_parser() -> None:
    code = "\n".join(f"name{i} = call{i}(x)" for i in range(300))
    expected = trees.identifiers(code, "python")
    wrong: list[int] = []

    def read() -> None:
        wrong.extend(i for i in range(5) if trees.identifiers(code, "python") != expected)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@given(st.text(max_size=60), st.sampled_from(LANGUAGES))
@settings(max_examples=60, deadline=None)
def test_names_stand_in_the_text_in_that_order(code: str, language: str) -> None:
    at = 0
    for name in trees.identifiers(code, language):
        found = code.find(name, at)
        assert found >= at
        at = found + len(name)


@pytest.mark.published
def test_names_of_published_rust_code() -> None:
    tasks = json.loads(published("rustevo", "tasks.json").read_text("utf-8"))
    for task in tasks[:40]:
        assert trees.identifiers(task["code"], "rust")
