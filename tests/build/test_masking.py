from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from libdrift.build.masking import (
    BLOCK,
    LINE,
    MASKS,
    TOKEN,
    block_mask,
    hide,
    line_mask,
    token_mask,
)

# Pieces that masks are about: names in and beside each other, all ends of lines, indentation.
_PIECES = st.sampled_from(
    "plot|plt|_plot|plot_|é|f|.|(|)| |    |\t|\n|\r\n|\r|\f|#|'|<|mask>|token_|\u2028|=|,".split(
        "|"
    )
)
_CODE = st.lists(_PIECES, max_size=30).map("".join)


@pytest.mark.parametrize(
    ("code", "token", "masked"),
    [
        ("plt.plot(x)\n", "plot", f"plt.{TOKEN}(x)\n"),
        ("a.plot(plot)  # plot it", "plot", f"a.{TOKEN}({TOKEN})  # {TOKEN} it"),
        ("replot(plots, _plot, plot2)", "plot", "replot(plots, _plot, plot2)"),
        ("été = té", "té", f"été = {TOKEN}"),
        ("x = 1", "", "x = 1"),
        ("a[0]", "a[0]", TOKEN),
    ],
)
def test_a_token_is_masked_wherever_it_is_a_whole_name(code: str, token: str, masked: str) -> None:
    found = token_mask(code, token)
    assert (found.code, found.answer) == (masked, token)


@pytest.mark.parametrize(
    ("code", "number", "masked", "answer"),
    [
        ("a\n  b(1)\nc", 2, f"a\n  {LINE}\nc", "b(1)"),
        ("a\r\n\tb \r\nc", 2, f"a\r\n\t{LINE} \r\nc", "b"),
        ("a", 1, LINE, "a"),
        ("a\n\nc", 2, f"a\n{LINE}\nc", ""),
        ("a\x0cb\u2028\nc", 1, f"{LINE}\u2028\nc", "a\x0cb"),
    ],
)
def test_a_line_keeps_its_indentation_and_end(
    code: str, number: int, masked: str, answer: str
) -> None:
    found = line_mask(code, number)
    assert (found.code, found.answer) == (masked, answer)


def test_a_block_is_masked_once() -> None:
    found = block_mask("def f():\n    a\n    if b:\n        c\n    d\n", 2, 4)
    assert found.code == f"def f():\n    {BLOCK}\n    d\n"
    assert found.answer == "a\n    if b:\n        c"
    assert found.filled("pass") == "def f():\n    pass\n    d\n"


@pytest.mark.parametrize(("first", "last"), [(0, 1), (2, 1), (1, 3), (-1, -1)])
def test_lines_that_are_not_there_are_refused(first: int, last: int) -> None:
    with pytest.raises(ValueError, match="no lines"):
        block_mask("a\nb\n", first, last)


@pytest.mark.parametrize("mask", MASKS)
def test_code_that_has_a_mask_is_refused(mask: str) -> None:
    """It could not be filled again."""
    with pytest.raises(ValueError, match="already"):
        token_mask(f"print('{mask}')", "print")
    with pytest.raises(ValueError, match="already"):
        line_mask(f"print('{mask}')", 1)


@pytest.mark.parametrize(
    ("text", "name", "hidden"),
    [
        ("Plotting a plot.", "plot", "[API_NAME] a [API_NAME]."),
        ("`pkg.plot_it` replots", "Plot", "`pkg.[API_NAME]` [API_NAME]"),
        ("Nothing of it", "plot", "Nothing of it"),
        ("Die Straße", "STRASSE", "Die [API_NAME]"),
    ],
)
def test_prose_is_left_without_a_name(text: str, name: str, hidden: str) -> None:
    assert hide(text, name) == hidden


@given(code=_CODE, token=st.sampled_from(["plot", "plt", "f", "_plot", "é"]))
@settings(max_examples=150)
def test_filling_a_token_gives_the_code_back(code: str, token: str) -> None:
    assume(not any(mask in code for mask in MASKS))
    found = token_mask(code, token)
    assert found.filled(found.answer) == code
    assert not re.search(rf"(?<!\w){token}(?!\w)", found.code)


@given(code=_CODE, data=st.data())
@settings(max_examples=150)
def test_filling_lines_gives_the_code_back(code: str, data: st.DataObject) -> None:
    assume(code and not any(mask in code for mask in MASKS))
    count = len(re.findall(r"\r\n|\r|\n", code)) + (code[-1] not in "\r\n")
    first = data.draw(st.integers(1, count))
    last = data.draw(st.integers(first, count))
    for found in (line_mask(code, first), block_mask(code, first, last)):
        assert found.filled(found.answer) == code
        assert found.code.count(found.mask) == 1
