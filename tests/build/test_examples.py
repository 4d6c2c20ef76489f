from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.build.examples import examples, summary
from libdrift.languages.python.usage import parsed


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("Give the sum.", "Give the sum."),
        ("\n    Give the\n    sum.\n\n    More.\n", "Give the sum."),
        ("add(x1, x2, /)\n\nAdd arguments.", "Add arguments."),  # as compiled code is documented
        ("add(x1,\n    x2) -> int\n\nAdd arguments.", "Add arguments."),
        (".. deprecated:: 1.0\n   Use sum.\n\nAdd arguments.", "Add arguments."),
        (">>> add(1)\n1\n\nAdd arguments.", "Add arguments."),
        (
            "See :meth:`~pkg.Axes.plot` and :ref:`a page <page>`, :class:`Line`.",
            "See plot and a page, Line.",
        ),
        ("Give values::\n\n  a b\n", "Give values:"),
        ("Parameters\n----------\nx : int\n\nThe number.", ""),
        ("", ""),
        (" \n\n ", ""),
    ],
)
def test_the_summary_is_the_first_paragraph_of_prose(doc: str, expected: str) -> None:
    assert summary(doc) == expected


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        # prompts: outputs go, continuations stay, what prose divides is still one example
        (
            """Sum.

            >>> x = [1,
            ...      2]
            >>> total(x)  # doctest: +SKIP
            3

            Of nothing:

            >>> total([])
            0
            ...
            """,
            ["x = [1,\n     2]\ntotal(x)\ntotal([])"],
        ),
        (
            ">>> for x in y:\n...     print(x)\n...\n1\n>>> f()\n",
            ["for x in y:\n    print(x)\n\nf()"],
        ),
        (">>>\n>>> f()", ["f()"]),
        (">>> f(\n", []),  # no Python
        (">>> x\n1\n", []),  # nothing is done
        # fences
        ("Use it:\n\n```python\nf(1)\n```\n\n~~~\ng(2)\n~~~\n", ["f(1)", "g(2)"]),
        ("```\n>>> f(1)\n1\n```", ["f(1)"]),
        ("```console\nf(1)\n```", []),
        ("```python\nf(1)\n", []),  # it has no end
        # blocks that are set in
        ("Use it::\n\n    f(1)\n\n    g(2)\n\nand so on: h(3)", ["f(1)\n\ng(2)"]),
        ("\n.. code-block:: python\n   :linenos:\n\n   f(1)\n", ["f(1)"]),
        ("\n.. plot::\n\n   f(1)\n", ["f(1)"]),
        ("\n.. code-block:: bash\n\n   f(1)\n", []),
        ("\n.. note::\n\n   f(1)\n", []),
        ("\nSuch as::\n\n    a list of words\n", []),
        ("\nSuch as::\n\n    word\n", []),
        ("\nSuch as::\n\n    $ pip install f(1)\n", []),
        ("", []),
    ],
)
def test_code_of_examples(doc: str, expected: list[str]) -> None:
    assert list(examples(doc)) == expected


def test_warnings_of_an_example_are_its_own() -> None:
    r"""Tests run with warnings as errors: an odd escape must not raise."""
    assert examples(r">>> f('\d')") == (r"f('\d')",)


@pytest.mark.parametrize("code", ["f(", "\0", "(" * 5000 + ")" * 5000, "\ud800"])
def test_what_is_no_python_has_no_tree(code: str) -> None:
    assert parsed(code) is None


_LINES = st.sampled_from(
    "|text|text::|>>> f(1)|... g|...|    >>> h(|```|```python|~~~|.. code::|    x = 1|  :option:|"
    "\tf()|\ud800|----|In [1]: f()|>>> '''|``` `|\f|\u2028|:a:`b`".split("|")
)


@given(st.lists(_LINES, max_size=12).map("\n".join))
@settings(max_examples=150)
def test_any_docstring_can_be_read(doc: str) -> None:
    assert "\n" not in summary(doc)
    for code in examples(doc):
        assert parsed(code) is not None
        assert not code.startswith(("\n", ">>>"))
        code.encode()
