"""Notebooks: cells edited, everything else to the letter."""

from __future__ import annotations

import json

import pytest

from libdrift.advisor.notebooks import NotebookCode

CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# Überschrift"]},
    {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "source": ["%matplotlib inline\n", "import lib"],
    },
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["%%bash\n", "ls"]},
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": "if 1:\n    !ls\n    lib.a()"},
]
BOOK = {"cells": CELLS, "metadata": {"x": 0.5}, "nbformat": 4}


@pytest.mark.parametrize("indent", [1, 2, "\t", None])
@pytest.mark.parametrize("is_ascii", [True, False])
def test_only_the_edited_cell_changes(indent: int | str | None, is_ascii: bool) -> None:  # noqa: FBT001
    text = json.dumps(BOOK, indent=indent, ensure_ascii=is_ascii) + "\n"
    book = NotebookCode.of(text)
    assert book.written(text, book.code) == text
    edited = book.written(text, book.code.replace("lib.a()", "lib.b()"))
    assert edited == text.replace("lib.a()", "lib.b()")


def test_magics_do_not_hide_the_code() -> None:
    book = NotebookCode.of(json.dumps(BOOK))
    compile(book.code, "book", "exec")
    assert "bash" not in book.code
    assert book.cells(book.code) == {
        2: "%matplotlib inline\nimport lib",
        4: "if 1:\n    !ls\n    lib.a()",
    }


def test_a_cell_that_is_no_python_stays_and_the_others_are_read() -> None:
    sources = ["files = !ls", "this is ( broken", "lib.a()"]
    cells = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=1)
    book = NotebookCode.of(text)
    compile(book.code, "book", "exec")
    edited = book.written(text, book.code.replace("lib.a()", "lib.b()"))
    assert edited == text.replace("lib.a()", "lib.b()")


def test_places_are_of_cells() -> None:
    book = NotebookCode.of(json.dumps(BOOK))
    line = book.code.split("\n").index("    lib.a()") + 1
    assert book.place(line) == (4, 3)


def test_an_added_line_is_of_its_cell() -> None:
    text = json.dumps(BOOK, indent=1)
    book = NotebookCode.of(text)
    edited = book.written(text, book.code.replace("import lib\n", "import lib\nimport more\n"))
    assert edited is not None
    assert json.loads(edited)["cells"][1]["source"] == [
        "%matplotlib inline\n",
        "import lib\n",
        "import more",
    ]


def test_an_unusual_layout_is_refused() -> None:
    text = json.dumps(BOOK).replace("0.5", "5e-1")
    book = NotebookCode.of(text)
    assert book.written(text, book.code.replace("lib.a()", "lib.b()")) is None


@pytest.mark.parametrize("line", ["# libdrift-cell 2", "    pass  # libdrift-line 0"])
def test_a_cell_that_looks_like_a_mark_is_refused(line: str) -> None:
    """Its lines would be written to another cell."""
    cells = [*CELLS, {"cell_type": "code", "source": f"if 1:\n{line}\n    x = 1"}]
    with pytest.raises(ValueError, match="cell 5"):
        NotebookCode.of(json.dumps({"cells": cells}))
