from __future__ import annotations

import ast
import io
import re
import tokenize

import pytest

from libdrift.execution.decoys import _WORDS, decoys, sought_decoys


@pytest.mark.parametrize(
    ("source", "sites"),
    [
        ("assert f(1) == 3", 1),
        ("assert 3 == f(1)", 1),
        ("assert f(1) == [1, 'a', None]", 1),
        ("assert f(1) == pytest.approx(0.5)", 1),
        ("assert f() is True", 1),
        ("self.assertEqual(f(2), 'é')", 1),
        ("for a, b in zip(f(1), [4, 9]):\n    assert a == b", 1),
        ("np.testing.assert_allclose(f(2), [1.0, 2.0])", 1),
        ("want = {'a': 1}\nassert f(5) == want", 1),
        (
            "@pytest.mark.parametrize('x, y', [(1, 2), (3, 4)])\ndef test_f(x, y):\n    assert f(x) == y",
            2,
        ),
        # Many answers are right here, or nothing is expected: no decoy could be fair.
        ("assert f(1) != 3", 0),
        ("assert 3 in f(1)", 0),
        ("assert f(1) < 3", 0),
        ("self.assertNotEqual(f(2), 3)", 0),
        ("assert f(1) == f(2)", 0),
        ("assert f(1) == Point(3, 4)", 1),
        ("assert np.array_equal(f(1), np.array([1, 2]))", 1),
        ("want = pd.DataFrame({'a': [1]})\nassert f(5).equals(want)", 1),
        # What goes in comes out: the changed one would be the odd one out.
        ("assert decode('some text') == 'some text'", 0),
        ("assert f(f'{1}') == f'{x}'", 0),
        ("not python (", 0),
    ],
)
def test_one_expectation_is_changed_at_a_time(source: str, sites: int) -> None:
    found = decoys(source)
    assert bool(found) == bool(sites)
    assert len(found) == len(set(found)) >= sites
    for text in found:
        ast.parse(text)
        assert text != source
        assert text.count("\n") == source.count("\n")
        tokens = [list(tokenize.generate_tokens(io.StringIO(t).readline)) for t in (source, text)]
        changed = [(a, b) for a, b in zip(*tokens, strict=True) if a.string != b.string]
        assert len(changed) == 1
        assert changed[0][0].type == changed[0][1].type


def test_comments_and_layout_stay() -> None:
    source = "# a comment\n\ndef test_f():\n    assert   f(1) == 41  # here\n"
    for text in decoys(source):
        assert text.startswith("# a comment\n\ndef test_f():\n    assert   f(1) == ")
        assert text.endswith("  # here\n")


def test_what_holds_whatever_the_answer_gives_is_changed_last() -> None:
    # An answer that patches how floats compare got by this decoy one time in three.
    source = "assert len([f()]) == 1\nassert f() == 3\nassert [f()] == [4]\n"
    for _ in range(20):
        assert "== 1\n" in decoys(source)[0]
        assert "== 1\n" in decoys(source)[1]


@pytest.mark.parametrize(
    "literal",
    ["'it''s'", "'a'", '"b"', "r'\\d'", "b'ab'", "'x\\ny'", "7", "100", "0", "0.25",
     "1_000", "0x1f", "1e-3", "12.50", "True", "''"],
)  # fmt: skip
def test_a_changed_value_is_written_as_the_first_one_was(literal: str) -> None:
    source = f"assert f() == {literal}\n"
    value = ast.literal_eval(literal)
    for text in decoys(source):
        changed = text.removeprefix("assert f() == ").rstrip("\n")
        assert type(ast.literal_eval(changed)) is type(value)
        assert ast.literal_eval(changed) != value
        marks = [c if not c.isalnum() else "x" for c in literal]
        if value not in ("", True):
            assert [c if not c.isalnum() else "x" for c in changed] == marks
        zeros = len(literal) - len(literal.rstrip("0"))
        if literal.isdigit() and value:
            assert len(changed) - len(changed.rstrip("0")) == zeros, "as round as it was"


def test_another_expectation_of_the_same_tests_may_take_its_place() -> None:
    source = "assert f(1) == 'monday'\nassert f(2) == 'sunday'\n"
    found = {text for _ in range(20) for text in decoys(source)}
    assert "assert f(1) == 'sunday'\nassert f(2) == 'sunday'\n" in found


def test_a_word_becomes_another_word() -> None:
    source = "assert f() == 'Hello, wonderful people'\n"
    for text in decoys(source):
        words = re.findall("[A-Za-z]+", text.partition("==")[2])
        others = [word.lower() for word in words if word not in ("Hello", "wonderful", "people")]
        assert len(others) == 1
        assert others[0] in _WORDS


def test_a_value_that_is_said_twice_is_changed_only_if_asked_for() -> None:
    source = "assert decode('some text') == 'some text'\nassert f([7, 45]) == [7, 45]\n"
    assert decoys(source) == []
    assert decoys(source, repeated=True)


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("assert 'Total: 17' in f(1)", r"assert 'Total: (?!17)\d\d' in f\(1\)"),
        (
            "with raises(ValueError, match='2 of them'):\n    f(1)",
            r"[\s\S]*match='[13-9] of them'.*\n.*",
        ),
        ("self.assertIn('row 3', f(1))", r"self.assertIn\('row [^3]', f\(1\)\)"),
        ("assert 45 in f(1)", r"assert (?!45)\d\d in f\(1\)"),
        ("assert (f(1) == 7).any()", r"assert \(f\(1\) == [^7]\).any\(\)"),
        # Too short to be there by no chance; no number; nothing that is looked for.
        ("assert '7' in f(1)", ""),
        ("assert 'total' in f(1)", ""),
        (r"assert re.search(r'row [0-9]{2} of \d', f(1))", ""),
        ("assert f(1) in (3, 4)", ""),
        ("assert f(1) == 'row 3'", ""),
        ("not python (", ""),
    ],
)
def test_another_number_is_looked_for(source: str, changed: str) -> None:
    found = sought_decoys(source)
    assert bool(found) == bool(changed)
    assert source not in found
    assert all(re.fullmatch(changed, text) for text in found), found
