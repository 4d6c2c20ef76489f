from __future__ import annotations

import json
import math
import tarfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.metrics import identifiers
from libdrift.metrics.identifiers import Comparison, Overlap, Tally, compare
from libdrift.metrics.modes import Mode
from tests.metrics import tallied
from tests.published import published

CODE = st.text(alphabet="ab.()\"'# \n=,é", max_size=25)
COUNTS = st.tuples(*[st.integers(0, 6)] * 3)


def comparison(tp: int, fp: int, fn: int) -> Comparison:
    overlap = Overlap(fp == fn == 0, tp, fp, fn)
    return Comparison(fp == fn == 0, overlap, overlap, 0.5)


@pytest.mark.parametrize(
    ("target", "generation", "hint", "aliases", "expected"),
    [
        # The target has the hint, or lacks it; the generation repeats it, or does not. The hint
        # itself does not count.
        ("plt.plot(x)", ".plot(x)", "plt", ["plt"], (2, 0, 0)),
        ("plt.plot(x)", "plt.plot(x)", "plt", ["plt"], (2, 0, 0)),
        (".frac(t, out)", ".frac(t, out)", "torch", [], (3, 0, 0)),
        (".frac(t, out)", "torch.frac(t, out)", "torch", [], (3, 0, 0)),
        ("rc_context(a)", "_context(a)", "rc", ["rc_context"], (2, 0, 0)),
        # What the model writes behind the expression does not count.
        ("plt.plot(x)", ".plot(x)\nplt.show()", "plt", ["plt"], (2, 0, 0)),
        ("plt.plot(x)", ".plot(x) + y", "plt", ["plt"], (2, 0, 0)),
        # On a value, the later call of an alias is not the answer.
        ("ax.plot(x)", ".plot(x)\nplt.show()", "ax", ["plt"], (2, 0, 0)),
        ("ax.plot(x)", ".bar(x)\nplt.plot()", "ax", ["plt"], (1, 1, 1)),
        # A model that talks, fences, or writes the line from its start.
        ("plt.plot(x)", "Sure:\nplt.plot(x)", "plt", ["plt"], (2, 0, 0)),
        ("plt.plot(x)", "y = plt.plot(x)", "", ["plt"], (3, 0, 0)),
        ("plt.plot(x)", "y = plt.plot(x)", "plt", ["plt"], (2, 0, 0)),
        ("plt.plot(x)", "```python\n.plot(x)\n```", "plt", ["plt"], (2, 0, 0)),
        ("plt.plot(x)", "So:\n```\ny = plt.plot(x)\n```\nDone.", "plt", ["plt"], (2, 0, 0)),
        ("plt.plot(x)", " .plot(x)", "plt", ["plt"], (2, 0, 0)),
        ("rc_context(a)", "x = rc_context(a)", "rc", ["rc_context"], (2, 0, 0)),
        ("plt.plot(\n  x)", ".plot(\r\n  x)", "plt", ["plt"], (2, 0, 0)),
        # Broken, empty or foreign answers.
        ("plt.plot(x)", ".plot(x, y", "plt", ["plt"], (2, 1, 0)),
        ("plt.plot(x)", "", "plt", ["plt"], (0, 0, 2)),
        ("plt.plot(x)", "", "", [], (0, 0, 3)),
        ("plt.plot(x)", ".foo(bar)", "plt", ["plt"], (0, 2, 2)),
        # Strings, comments, key words, placeholders.
        ("f('a', b)", "f('c', b)", "", ["f"], (2, 0, 0)),
        ("f(a)  # b", "f(a)  # c", "", ["f"], (2, 0, 0)),
        ("f(a if b else None)", "f(a, b)", "", ["f"], (3, 0, 0)),
        ('f(f"{a} b")', "f(a)", "", ["f"], (2, 0, 0)),
        ("f('x#y', b)", "f(b)", "", ["f"], (2, 0, 0)),
    ],
)
def test_fixed_mode_compares_expressions(
    target: str, generation: str, hint: str, aliases: list[str], expected: tuple[int, int, int]
) -> None:
    found = compare("y = ", target, generation, hint, aliases)
    assert (found.ids.tp, found.ids.fp, found.ids.fn) == expected
    assert found.ids == found.names


@pytest.mark.parametrize(
    ("target", "generation", "hint", "aliases", "expected"),
    [
        # The target lacks the hint, the prediction has it.
        (".frac(t)", ".frac(t)", "torch", [], (2, 1, 0)),
        # Twice the hint.
        ("plt.plot(x)", "plt.plot(x)", "plt", ["plt"], (2, 1, 1)),
        # The later call, which starts with an alias, is taken for the answer.
        ("ax.plot(x)", ".plot(x)\nplt.show()", "ax", ["plt"], (0, 2, 3)),
        # A `#` in a string cuts the rest, the closing quote too.
        ("f('x#y', b)", "f(b)", "", [], (1, 1, 1)),
        ("f(a if b else c)", "f(a, b)", "", [], (3, 0, 3)),
    ],
)
def test_released_mode_has_the_defects(
    target: str, generation: str, hint: str, aliases: list[str], expected: tuple[int, int, int]
) -> None:
    found = compare("y = ", target, generation, hint, aliases, Mode.RELEASED).ids
    assert (found.tp, found.fp, found.fn) == expected


def test_key_words_of_the_two_released_programs() -> None:
    code = "x = lambda y: y if True else None"
    assert identifiers.released_identifiers(code) == [*"x lambda y y if True else None".split()]
    assert identifiers.released_identifiers(code, keywords=False) == ["x", "y", "y", "True"]
    found = compare("", code, "x = y", mode=Mode.RELEASED)
    assert (found.ids.tp, found.ids.fn) == (2, 5)
    assert (found.names.tp, found.names.fn) == (2, 1)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a 'b\\' c' d", "a d"),
        ("a 'b\\\nc' d", "a b c d"),  # a joined line is not seen as one string
        ("a 'b\nc' d", "a d"),
        ("3d _x x3 été", "_x x3"),
        ('f("it\'s", b)', "f b"),
        ("", ""),
    ],
)
def test_released_identifiers(code: str, expected: str) -> None:
    assert identifiers.released_identifiers(code) == expected.split()


def test_equal_lines_and_equal_lists() -> None:
    spaced = compare("", "f(a,b)", "f(a, b)", aliases=["f"])
    assert (spaced.em, spaced.ids.same) == (False, True)
    assert 0.8 < spaced.similarity < 1
    swapped = compare("", "f(a, b)", "f(b, a)", aliases=["f"])
    assert (swapped.em, swapped.ids.same, swapped.ids.f1) == (False, False, 1.0)
    lines = compare("", "f(a,\n  b)", "f(a,\n\n b)", aliases=["f"])
    assert lines.em is True


@given(CODE, CODE)
@settings(max_examples=100, deadline=None)
def test_ranges_and_swapped_sides(first: str, second: str) -> None:
    for mode in Mode:
        found = compare("", first, second, "a", ["ab"], mode)
        for overlap in (found.ids, found.names):
            assert 0 <= overlap.f1 <= 1
            assert min(overlap.precision, overlap.recall) <= overlap.f1 + 1e-12
            assert overlap.f1 <= max(overlap.precision, overlap.recall) + 1e-12
        assert 0 <= found.similarity <= 1
    one, other = compare("", first, second).ids, compare("", second, first).ids
    assert (one.tp, one.fp, one.fn, one.same) == (other.tp, other.fn, other.fp, other.same)
    assert (one.precision, one.f1) == (other.recall, other.f1)


@given(CODE)
@settings(max_examples=60, deadline=None)
def test_a_text_equals_itself(code: str) -> None:
    found = compare("", code, code, "a", ["ab"])
    assert (found.em, found.ids.same, found.ids.fp, found.ids.fn) == (True, True, 0, 0)
    assert found.similarity == 1
    assert tallied.macro([found]).f1.value == 1
    assert tallied.micro([found]).f1.value in {1.0, None}


def test_micro_sums_first_and_macro_averages() -> None:
    answers = [comparison(4, 0, 0), comparison(0, 1, 1)]
    micro, macro = tallied.micro(answers), tallied.macro(answers)
    assert (micro.precision.value, micro.recall.value, micro.f1.value) == (4 / 5, 4 / 5, 8 / 10)
    assert (macro.precision.value, macro.recall.value, macro.f1.value) == (1 / 2, 1 / 2, 1 / 2)
    assert (macro.em.value, macro.similarity.value, micro.f1.n) == (1 / 2, 1 / 2, 2)


def test_released_figures_are_rounded_before_f1() -> None:
    micro = tallied.micro([comparison(1, 2, 0), comparison(1, 0, 5)], Mode.RELEASED)
    assert (micro.precision.value, micro.recall.value) == (50.0, 28.57)
    assert micro.f1.value == 2 * (50.0 * 28.57) / (50.0 + 28.57)
    # 3 of 800 is 0.375 per cent, and the released divisor is a grain larger.
    assert tallied.micro([comparison(3, 797, 0)], Mode.RELEASED).precision.value == 0.37
    nothing = tallied.micro([comparison(0, 0, 2)], Mode.RELEASED)
    assert (nothing.precision.value, nothing.recall.value, nothing.f1.value) == (0, 0, 0)


def test_released_similarity_sums_whole_numbers() -> None:
    overlap = Overlap(same=True, tp=1, fp=0, fn=0)
    shares = [41, 63, 100, 51, 76, 55, 21, 0]
    answers = [
        Comparison(em=True, ids=overlap, names=overlap, similarity=share / 100) for share in shares
    ]
    assert tallied.micro(answers, Mode.RELEASED).similarity.value == 50.88


def test_line_ends_make_no_difference() -> None:
    found = compare("y = ", "plt.plot(\n  x)", ".plot(\r\n  x)", "plt", ["plt"])
    assert (found.em, found.similarity) == (True, 1.0)


def test_no_data_is_none() -> None:
    for summary in (tallied.micro([]), tallied.macro([], Mode.RELEASED)):
        assert (summary.f1.value, summary.f1.stderr, summary.em.value) == (None, None, None)
    assert tallied.micro([comparison(0, 0, 2)]).precision.value is None
    assert tallied.micro([comparison(0, 0, 2)]).f1.stderr is None


@given(st.lists(st.tuples(st.sampled_from("xyz"), COUNTS), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_a_tally_is_the_figures_of_its_sums(
    answers: list[tuple[str, tuple[int, int, int]]],
) -> None:
    tally = Tally()
    for name in {task for task, _ in answers}:
        tally.add([comparison(*counts) for task, counts in answers if task == name])
    tp, fp, fn = (sum(counts[i] for _, counts in answers) for i in range(3))
    micro = tally.micro()
    assert micro.f1.value == (2 * tp / (2 * tp + fp + fn) if tp + fp + fn else None)
    assert micro.f1.n == len(answers)
    clusters = {}
    for task, (a, b, c) in answers:
        above, below = clusters.get(task, (0, 0))
        clusters[task] = (above + 2 * a, below + 2 * a + b + c)
    if len(clusters) > 1 and micro.f1.value is not None:
        squares = sum((a - micro.f1.value * b) ** 2 for a, b in clusters.values())
        k = len(clusters)
        expected = math.sqrt(k / (k - 1) * squares) / (2 * tp + fp + fn)
        assert micro.f1.stderr == pytest.approx(expected, abs=1e-7)
    else:
        assert micro.f1.stderr is None


def test_answers_to_one_task_count_as_one() -> None:
    apart, together = Tally(), Tally()
    good, bad = comparison(4, 0, 0), comparison(1, 3, 3)
    for answers in ([good] * 10, [bad] * 5, [bad] * 5):
        together.add(answers)
        for answer in answers:
            apart.add([answer])
    assert apart.micro().f1.value == together.micro().f1.value
    assert together.micro().f1.stderr > apart.micro().f1.stderr


@pytest.mark.published
def test_every_published_target_against_itself() -> None:
    fixed = []
    archive = published("libevolutioneval", "eval_examples.tar.xz")
    with tarfile.open(archive) as files:
        for member in files:
            content = files.extractfile(member) if member.name.endswith(".jsonl") else None
            if content is None:
                continue
            # All targets take ten seconds: each set of the controlled ones is sampled.
            lines = content.read().splitlines()
            for line in lines[:: 1 if len(lines) < 100 else 12]:
                task = json.loads(line)
                target, hint = task["target"], task["code_str"]
                rest = target.removeprefix(hint)
                aliases = task.get("imports", [])
                fixed.append(compare(task["prompt"], target, rest, hint, aliases))
    assert len(fixed) > 1500
    assert all(one.em and one.ids.same and one.similarity == 1 for one in fixed)
    assert not any(one.ids.fp or one.ids.fn for one in fixed)
    assert tallied.micro(fixed).f1.value == tallied.macro(fixed).f1.value == 1
