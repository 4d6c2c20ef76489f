from __future__ import annotations

import pytest

from libdrift.languages.python.wording import alternative_in, replacement_in, tidy


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("use `items` instead", "items"),
        ("use items instead", "items"),
        ("Use the items method instead.", "items"),
        ("use ``method`` instead", "method"),
        ('linear is deprecated, use which="linear"', "which"),
        ("This has been renamed to rolling.", "rolling"),
        ("superseded by :class:`pkg.Thing`", "pkg.Thing"),
        (
            "Use of `old` to make one is deprecated. Instead switch to using the new p.make function.",
            "p.make",
        ),
        (
            "Please use the standard library tempfile.TemporaryDirectory",
            "tempfile.TemporaryDirectory",
        ),
        ("please use MetaTensor data type and p.New instead", "p.New"),
        ("splitting is now taken care of by :func:`pkg.split`", "pkg.split"),
        ("Check pkg.have_it() directly.", "pkg.have_it"),
        ("Instead, use the FORMAT attribute on the corresponding Reader.", "Reader.FORMAT"),
        (tidy("use L{pkg.pages.page} instead"), "pkg.pages.page"),
        # Words of the sentence.
        ("Use the constructor instead", ""),
        ("Use public APIs instead.", ""),
        ("NA values will be ordered last instead of set to -1.", ""),
        ("use names instead of numbers", ""),
        ("use a different value", ""),
    ],
)
def test_replacement_in_a_sentence(sentence: str, expected: str) -> None:
    assert replacement_in(sentence) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("new", "new"),
        ("`.Axes.plot`", "Axes.plot"),
        (":meth:`~pkg.Axes.plot` with a colour", "pkg.Axes.plot"),
        ("the `plot` method", "plot"),
        ("textbbox or textlength", "textbbox"),
        ("Figure.clear()", "Figure.clear"),
        ("something of your own", ""),
    ],
)
def test_first_name_of_an_alternative(said: str, expected: str) -> None:
    assert alternative_in(said) == expected
