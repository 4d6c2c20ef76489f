from __future__ import annotations

import ast

import pytest

from libdrift.execution.decoys import decoys


@pytest.mark.parametrize(
    ("source", "sites"),
    [
        ("assert f(1) == 3", 1),
        ("assert 3 == f(1)", 1),
        ("assert f(1) == [1, 'a', None]", 1),
        ("assert f(1) == pytest.approx(0.5)", 1),
        ("assert f() is True", 1),
        ("self.assertEqual(f(2), 'é')", 1),
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
        ("assert f(f'{1}') == f'{x}'", 0),
        ("not python (", 0),
    ],
)
def test_one_expectation_is_changed_at_a_time(source: str, sites: int) -> None:
    found = decoys(source)
    assert len(found) == sites
    for text in found:
        ast.parse(text)
        assert text != source
        assert text.count("\n") == source.count("\n")


def test_comments_and_layout_stay() -> None:
    source = "# a comment\n\ndef test_f():\n    assert   f(1) == 41  # here\n"
    (text,) = decoys(source)
    assert text.startswith("# a comment\n\ndef test_f():\n    assert   f(1) == ")
    assert text.endswith("  # here\n")


def test_what_holds_whatever_the_answer_gives_is_changed_last() -> None:
    # An answer that patches how floats compare got by this decoy one time in three.
    source = "assert len([f()]) == 1\nassert f() == 3\nassert [f()] == [4]\n"
    for _ in range(20):
        assert "== 1\n" not in decoys(source)[-1]
