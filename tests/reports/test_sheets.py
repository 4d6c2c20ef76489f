from __future__ import annotations

import csv
import io

import pytest

from libdrift.reports.sheets import Sheet, as_csv, escaped, latex, markdown, without_constant

SHEET = Sheet(
    "rates", ("run", "n"), (("a|b", "1"), ("c_d", "2")), 1, ("50 % & more",),
    ({"run": "=cmd()", "value": 0.5}, {"run": "b", "value": -0.5, "low": None}),
)  # fmt: skip


def test_markdown() -> None:
    assert markdown(SHEET) == (
        "\n### rates\n\n| run | n |\n| --- | --- |\n| a\\|b | 1 |\n| c_d | 2 |"
    )


def test_latex() -> None:
    assert latex(SHEET).splitlines()[2:9] == [
        r"\caption{rates. 50 \% \& more.}",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"run & n \\",
        r"\midrule",
        r"a|b & 1 \\",
        r"c\_d & 2 \\",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("96.4 ± 3.5", r"96.4 $\pm$ 3.5"),
        ("a_b^c~d#e$", r"a\_b\textasciicircum{}c\textasciitilde{}d\#e\$"),
        (">=2", r"\textgreater{}=2"),
    ],
)
def test_latex_prints_what_stands_there(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_csv_keeps_texts_texts_and_numbers_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv([SHEET]))))
    assert rows == [
        {"table": "rates", "run": "'=cmd()", "value": "0.5", "low": ""},
        {"table": "rates", "run": "b", "value": "-0.5", "low": ""},
    ]


def test_a_column_that_says_nothing_is_left_out() -> None:
    same = Sheet("t", ("run", "metric", "n"), (("r", "a", "1"), ("r", "b", "2")), 2)
    assert without_constant(same, "run").head == ("metric", "n")
    assert without_constant(same, "run").rows == (("a", "1"), ("b", "2"))
    assert without_constant(SHEET, "run") is SHEET
    assert without_constant(same, "n") is same  # a number is no label


@pytest.mark.parametrize("label", ["[low, high]", "*"])
def test_a_label_is_no_option_of_the_line_before(label: str) -> None:
    sheet = Sheet("rates", ("run", "n"), ((label, "1"),), 1, (), ())
    assert rf"{{}}{label} & 1 \\" in latex(sheet).splitlines()
