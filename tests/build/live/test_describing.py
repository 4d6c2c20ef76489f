from __future__ import annotations

import pytest

from libdrift.build.live.describing import described, described_parameter, tells


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        (
            "Yield successive derangements of the elements in *iterable*.\n\nMore.",
            "Yield successive derangements of the elements in `iterable`.",
        ),
        (
            "This function computes the median of all ``values`` seen so far",
            "Computes the median of all `values` seen so far.",
        ),
        (
            "Iterate over non-zero values of self, row by row.",
            "Iterate over non-zero values of the object, row by row.",
        ),
        (
            "Find the local community around a node. See also :func:`x`.",
            "Find the local community around a node.",
        ),
        (
            "Sorts rows, e.g. of tables, by :class:`~pkg.Column` order [1]_.",
            "Sorts rows, e.g. of tables, by Column order.",
        ),
        (
            "Compute the `Hamming distance <https://x.org/h>`_ between two words.",
            "Compute the Hamming distance between two words.",
        ),
    ],
)
def test_words_that_stand_for_themselves(doc: str, expected: str) -> None:
    found = described(doc, ["name"])
    assert (found.text, found.objection) == (expected, "")


@pytest.mark.parametrize(
    ("doc", "objection"),
    [
        ("", "no description"),
        ("Example\n=======\n\nMore.", "no description"),
        ("Sort.", "its description says little"),
        ("Return the value.", "its description says little"),
        ("See the user guide for all of the details.", "its description leans on other texts"),
        ("Like ``other`` but with rows in reversed order.", "its description leans on other texts"),
        ("Alias for the function that sorts rows.", "its description leans on other texts"),
        ("Give all rows as follows:", "its description leans on other texts"),
        ("Give the sorted rows of a table by name.", "its description names it"),
        ("Give the sorted rows of a Name table.", "its description names it"),
        ("Returns the logarithm of rows, given by $\\log q$.", "its description is a formula"),
    ],
)
def test_what_is_no_description(doc: str, objection: str) -> None:
    found = described(doc, ["name"])
    assert (found.text, found.objection) == ("", objection)


NUMPY = """Sort rows.

Parameters
----------
rows : list
    What is sorted.
keep, drop : bool, optional
    Whether rows that are equal to an earlier row stay
    in the result.

    .. versionadded:: 2.0
"""
GOOGLE = """Sort rows.

Args:
    rows: What is sorted.
    keep (bool): Whether rows that are equal to an earlier row stay
        in the result.
    others: None.
"""
SPHINX = """Sort rows.

:param list rows: What is sorted.
:param bool keep: Whether rows that are equal to an earlier row stay
    in the result.
:returns: rows
"""


@pytest.mark.parametrize("doc", [NUMPY, GOOGLE, SPHINX])
def test_parameters_in_three_styles(doc: str) -> None:
    found = described_parameter(doc, "keep", ["keep"])
    assert found.text == "Whether rows that are equal to an earlier row stay in the result."
    assert described_parameter(doc, "missing", []).objection == "no description"


def test_a_parameter_s_own_name_is_not_told() -> None:
    doc = "Split.\n\nArgs:\n    most: If ``most`` is given, no more than `most` parts are made.\n"
    found = described_parameter(doc, "most", ["most"])
    assert found.text == "If the argument is given, no more than the argument parts are made."


def test_a_parameter_whose_name_is_a_word_of_its_description() -> None:
    doc = "Split.\n\nArgs:\n    ordered: If true, parts will be ordered by their length.\n"
    assert described_parameter(doc, "ordered", ["ordered"]).objection == "its description names it"


def test_a_parameter_that_only_prose_speaks_of() -> None:
    doc = "Split a text.\n\n>>> split(most=2)\n\nAll parts are told. The *most* parameter limits them.\n"
    found = described_parameter(doc, "most", ["most"])
    assert found.objection == "its description says little"
    doc = doc.replace("limits them", "limits how many parts a text is split into")
    found = described_parameter(doc, "most", ["most"])
    assert found.text == "The argument limits how many parts a text is split into."
    doc = doc.replace("*most* parameter", "*most* and *least* parameters")
    assert described_parameter(doc, "most", ["most"]).objection == "no description", "which one?"


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("the running median", "running_median", False),
        ("the running_median of", "running_median", True),
        ("a sorted copy", "sort", False),
        ("Sort a copy", "sort", True),
        ("use nan_to_num", "nan", True),
        ("", "x", False),
        ("x", "", False),
    ],
)
def test_names_in_texts(text: str, name: str, expected: bool) -> None:  # noqa: FBT001
    assert tells(text, name) is expected
