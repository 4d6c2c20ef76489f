from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.errors import UserError
from libdrift.metrics import names
from libdrift.metrics.completions import LONGEST, CompletionReference, Scorer, Scores
from libdrift.metrics.core_lines import core_line
from libdrift.metrics.modes import Mode
from tests.published import published

LINE = CompletionReference(
    "line", "rows", line="x = m.rows(a, k=1)", masked="import m\n<line_mask>\nprint(x)\n"
)
BLOCK = CompletionReference(
    "block", "rows", line="x = m.rows(a, k=1)", code="import m\n\nx = m.rows(a, k=1)\n"
)
ALL = (True, True, True, True, True)
RIGHT = Scores(em=True, ism=1.0, pm=1.0, rules=ALL)


def answer(text: str) -> str:
    return f"<start>{text}<end>"


def test_a_token_has_only_an_exact_match() -> None:
    reference = CompletionReference("token", "rows")
    for mode, padded in ((Mode.FIXED, True), (Mode.RELEASED, False)):
        scorer = Scorer(reference, mode)
        assert scorer.score(answer("rows")) == Scores(em=True)
        assert scorer.score(answer(" rows\n")) == Scores(em=padded)
        assert scorer.score(answer("row")) == Scores(em=False)
        assert scorer.score(answer("row")).cdc is None
        assert scorer.score(answer("row")).without(1) is None


@pytest.mark.parametrize("reference", [LINE, BLOCK], ids=["line", "block"])
@pytest.mark.parametrize("mode", Mode)
def test_the_reference_is_right(reference: CompletionReference, mode: Mode) -> None:
    scorer = Scorer(reference, mode)
    text = reference.code or reference.line
    assert scorer.score(answer(text)) == scorer.score_answer(text) == RIGHT
    assert RIGHT.cdc is True


@pytest.mark.parametrize(
    ("reference", "text", "fixed", "released"),
    [
        (LINE, "x = m.rows(b(c, d), k=2)", (1, 1.0, 3 / 7, 1, 1, 1, 1, 1), (1, 1.0, 3 / 7, 1, 1, 1, 1, 0)),
        (LINE, "x = m.rows(", (1, 1.0, 3 / 5, 1, 0, 0, 1, 0), (1, 0.0, 1 / 5, 1, 0, 0, 1, 0)),
        (LINE, "x = my_rows(a, k=1)", (0, 0.0, 0.0, 0, 1, 0, 1, 0), (0, 1.0, 1 / 5, 0, 1, 1, 1, 1)),
        (LINE, "with m.rows(a, k=1): x", (1, 1.0, 0.0, 1, 1, 1, 0, 1), (1, 1.0, 0.0, 1, 1, 1, 0, 1)),
        (BLOCK, "  x = m.rows(a, k=1)", (1, 1.0, 1.0, 1, 1, 1, 1, 1), (1, 0.0, 0.0, 1, 0, 1, 1, 1)),
        (BLOCK, "x = m.rows(a, k=1", (1, 0.0, 0.0, 1, 0, 1, 1, 1), (1, 0.0, 0.0, 1, 0, 0, 1, 0)),
        (BLOCK, "from m import rows", (1, 1.0, 0.0, 1, 1, 0, 1, 0), (1, 1.0, 0.0, 1, 1, 0, 1, 0)),
    ],
)  # fmt: skip
def test_scores(reference: CompletionReference, text: str, fixed: Any, released: Any) -> None:
    for mode, expected in ((Mode.FIXED, fixed), (Mode.RELEASED, released)):
        found = Scorer(reference, mode).score_answer(text)
        assert (found.em, found.ism, found.pm, *(found.rules or ())) == expected


def test_released_answers_stand_between_tags() -> None:
    assert Scorer(LINE).score(LINE.line) == RIGHT
    assert not Scorer(LINE, Mode.RELEASED).score(LINE.line).em


def test_all_but_one_rule() -> None:
    found = Scorer(LINE).score_answer("x = m.rows(a, b)")
    assert found.rules == (True, True, True, True, False)
    assert (found.cdc, found.without(5), found.without(1)) == (False, True, False)


def test_equal_answers_are_scored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = Scorer(LINE)
    first = scorer.score(LINE.line)
    monkeypatch.setattr(names, "bare", lambda *_: pytest.fail("scored again"))
    assert scorer.score(LINE.line) is first
    assert scorer.score(f"```\n{LINE.line}\n```") is first


def test_a_block_without_a_given_line_has_its_core_line() -> None:
    reference = CompletionReference("block", "rows", code="from m import rows\ny = rows(1)\n")
    assert Scorer(reference).score_answer("y = rows(2)").cdc is True
    # As released it is the first of all, an import here, and the answer's the same if it has it.
    assert Scorer(reference, Mode.RELEASED).score_answer(reference.code).rules == (*ALL[:4], False)


@pytest.mark.parametrize(
    ("language", "line", "text", "expected"),
    [
        ("java", "T x = m.rows(a, b);", "T y = m.rows(c, d(e, f));", (1, 1.0, 1 / 8, 1, 1, 1, 1, 1)),
        ("C#", "var x = m.rows(a, k: 1);", "/* so\nx */ var x = m.rows(a, k: 2);", (1, 1.0, 1.0, 1, 1, 1, 1, 1)),
        ("javascript", "const x = m.rows('a', b);", "const x = m.rows(`a, ${b}`)", (1, 1.0, 1.0, 1, 1, 0, 1, 1)),
    ],
)  # fmt: skip
def test_other_languages(language: str, line: str, text: str, expected: Any) -> None:
    reference = CompletionReference("block", "rows", line=line, code=line, language=language)
    assert Scorer(reference).score_answer(line) == RIGHT
    found = Scorer(reference).score_answer(text)
    assert (found.em, found.ism, found.pm, *(found.rules or ())) == expected
    # The released program reads them with Python's tokeniser, and does not compile them.
    found = Scorer(reference, Mode.RELEASED).score_answer(line)
    assert (found.ism, found.pm, found.cdc) == (1.0, 1.0, False)


def test_an_unknown_language_or_granularity_is_named() -> None:
    with pytest.raises(UserError, match="cobol"):
        Scorer(CompletionReference("block", "rows", code="rows", language="cobol"))
    with pytest.raises(ValueError, match="'file'"):
        Scorer(CompletionReference("file", "rows"))  # type: ignore[arg-type]


ODD = {
    "nul": "rows\0(" * 9,
    "surrogate": "rows \ud800",
    "line ends": "x = rows(a)\r\ny\rz\n\r\n",
    "nesting": "rows" + "(" * 9_999,
    "chain": "rows" + ".a" * 9_999,
    "java": "public static void main(String[] rows) { int x = 'c'; }",
    "encoding": "# coding: unknown\nrows",
    "long": "rows(a)\n" * 13_000,
    "megabytes": "rows" + "\\'" * 2_500_000,
    "quotes": "rows '" + '"' * 999,
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
@pytest.mark.parametrize("mode", Mode)
def test_no_answer_is_too_odd(text: str, mode: Mode) -> None:
    for reference in (LINE, BLOCK, CompletionReference("token", "rows")):
        scorer = Scorer(reference, mode)
        for found in (scorer.score_answer(text), scorer.score(text), scorer.score(answer(text))):
            for value in (found.ism, found.pm):
                assert value is None or 0 <= value <= 1
            if mode is Mode.FIXED and len(text) > LONGEST and reference.granularity != "token":
                assert found == Scores(em=False, ism=0.0, pm=0.0, rules=(False,) * 5)


def test_as_released_the_masked_code_counts_without_a_mask_too() -> None:
    for masked, compiled in (("y = 1", True), ("", True), ("y = ", False)):
        reference = CompletionReference("line", "rows", line="rows(1)", masked=masked)
        found = Scorer(reference, Mode.RELEASED).score_answer("rows(1")
        assert found.rules == (True, compiled, False, True, False)
        assert Scorer(reference).score_answer("rows(1").rules == (True, False, True, True, True)


def test_as_released_a_block_may_have_no_core_line() -> None:
    reference = CompletionReference("block", "rows", line="N/A", code="x = rows(1)")
    found = Scorer(reference, Mode.RELEASED)
    assert found.score_answer("x = rows(1)").rules == (True, True, False, True, False)
    assert found.score_answer("rows = 1").rules == (True, True, False, True, False)


@pytest.mark.parametrize("token", ["f[", "(", "*", "a|f"])
def test_a_token_that_is_no_pattern(token: str) -> None:
    """The released program ends in an error: neither the count nor the keywords are right."""
    reference = CompletionReference("line", token, line=f"x = {token}(1)")
    found = Scorer(reference, Mode.RELEASED).score_answer(reference.line)
    assert found.rules is not None
    assert found.rules[2:] == (False, False, False)
    assert Scorer(reference).score_answer(reference.line) == RIGHT


PARTS = st.lists(
    st.sampled_from(["rows", "rows(", "a", ", ", "k=", ")", "with ", ":", "\n", "'", "#", " = ", "f'{", "1"]),
    max_size=8,
).map("".join)  # fmt: skip


@given(PARTS, PARTS)
def test_any_reference_is_right_and_no_value_is_out_of_range(text: str, output: str) -> None:
    line = CompletionReference("line", "rows", line=text, masked="if x:\n    <line_mask>\n")
    block = CompletionReference("block", "rows", code=text)
    for reference in (line, block):
        assert Scorer(reference).score_answer(text) == RIGHT
        for mode in Mode:
            found = Scorer(reference, mode).score_answer(output)
            assert found.ism is not None and 0 <= found.ism <= 1  # noqa: PT018
            assert found.pm is not None and 0 <= found.pm <= 1  # noqa: PT018
            assert found.rules is not None and found.em is found.rules[0]  # noqa: PT018


# --- the published references against themselves


def items(name: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(
        published("versicode", f"{name}.json").read_text("utf-8")
    )["data"]
    return found


def references() -> Iterator[tuple[str, CompletionReference, str]]:
    for item in items("line_completion_llama3_70b_outputs"):
        line = item["masked_line"]
        yield (
            "line",
            CompletionReference("line", item["answer"], line, masked=item["masked_code"]),
            line,
        )
    for item in items("block_completion"):
        line, code = item["masked_line"], item["code"]
        yield "block", CompletionReference("block", item["answer"], line, code), code
        yield (
            "block's line",
            CompletionReference("line", item["answer"], line, masked=item["masked_code"]),
            line,
        )
    for item in items("migration"):
        for age in ("old", "new"):
            code, token = item[f"{age}_code"], item[f"{age}_name"]
            yield age, CompletionReference("block", token, core_line(code, token), code), code


@pytest.mark.published
def test_every_published_reference_is_right_in_fixed_mode() -> None:
    wrong = []
    for kind, reference, text in references():
        scorer = Scorer(reference)
        if not scorer.score_answer(text) == scorer.score(text) == RIGHT:
            wrong.append((kind, reference.token, text))
    assert wrong == []


@pytest.mark.published
def test_published_references_in_released_mode_are_right_in_the_known_shares() -> None:
    found: dict[str, Counter[str]] = {}
    for kind, reference, text in references():
        scores = Scorer(reference, Mode.RELEASED).score_answer(text)
        rules = {f"rule {i}": held for i, held in enumerate(scores.rules or (), start=1)}
        counts = {"n": 1, "ism": scores.ism == 1, "pm": scores.pm == 1, "cdc": scores.cdc or False}
        found.setdefault(kind, Counter()).update(counts | rules)
    # Of the whole data, as the authors' programs had it.
    line = {"ism": 1292, "pm": 1413, "cdc": 1102, "rule 1": 1413, "rule 2": 1408, "rule 3": 1413}
    assert_shares(found["line"], line | {"rule 4": 1413, "rule 5": 1105}, 1413)
    assert_shares(found["block"], {"ism": 1556, "pm": 1556, "rule 2": 1556, "cdc": 1200}, 1561)
    assert_shares(found["new"], {"rule 2": 762}, 800)


def assert_shares(found: Counter[str], expected: dict[str, int], n: int) -> None:
    for name, count in expected.items():
        share = found[name] / found["n"]
        assert share == pytest.approx(count / n, abs=0 if count == n else 0.03), name


@pytest.mark.parametrize("mode", Mode)
def test_likeness_of_a_block_that_does_not_compile_is_known_too(mode: Mode) -> None:
    reference = CompletionReference("block", "rows", "x = m.rows(a)", "x = m.rows(a)\n")
    broken = Scorer(reference, mode).score_answer("x = m.rows(a)\n1 1\n")
    assert (broken.ism, broken.pm) == (0.0, 0.0)
    assert (broken.ism_unchecked, broken.pm_unchecked) == (1.0, 1.0)
    whole = Scorer(reference, mode).score_answer("x = m.rows(a)\n")
    assert (whole.ism, whole.pm) == (whole.ism_unchecked, whole.pm_unchecked) == (1.0, 1.0)
    line = CompletionReference("line", "rows", "x = m.rows(a)", masked="<line_mask>\n")
    assert Scorer(line, mode).score_answer("x = m.rows(a").ism_unchecked is None
