"""A dump of posts, row by row."""

from __future__ import annotations

import html
from datetime import date
from pathlib import Path

import pytest

from libdrift.build.posts import LOW, NO_ANSWER, NO_CODE, PostReader, rows
from libdrift.errors import UserError

CODE = "import pkg\n\nprint(pkg.ring(2) &lt; 3)"
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<posts>\n'


def row(**attributes: str | int) -> str:
    """As dumps write it: an end of line in an attribute is a character reference."""
    told = " ".join(f'{name}="{html.escape(str(value))}"' for name, value in attributes.items())
    ended = told.replace("\n", "&#xA;")
    return f"  <row {ended} />\n"


def dump(path: Path, *found: str) -> Path:
    path.write_text(f"{HEAD}{''.join(found)}</posts>\n", encoding="utf-8")
    return path


def answer(number: int, code: str = CODE, score: int = 5) -> str:
    body = f"<p>So:</p>\n<pre><code>{code}\n</code></pre>"
    day = "2020-05-01T10:00:00.000"
    return row(Id=number, PostTypeId=2, ParentId=1, Score=score, Body=body, CreationDate=day)


def test_answers_with_code_of_the_package(tmp_path: Path) -> None:
    question = row(
        Id=1, PostTypeId=1, AcceptedAnswerId=2, Body="<pre><code>import pkg</code></pre>"
    )
    path = dump(
        tmp_path / "Posts.xml",
        question,
        answer(2),
        answer(3, "import other\nother.ring()"),
        answer(4, score=-1),
        answer(5, "pkg is nice, import it"),
        answer(6),
    )
    reader = PostReader(path, frozenset({"pkg"}))
    first, last = reader
    assert first.code == "import pkg\n\nprint(pkg.ring(2) < 3)\n"
    assert (first.post, first.question, first.score, first.accepted) == (2, 1, 5, True)
    assert first.date == date(2020, 5, 1)
    assert (last.post, last.accepted) == (6, False)
    assert reader.left_out == {NO_ANSWER: 1, NO_CODE: 2, LOW: 1}


def test_many_rows_are_read_in_little_memory(tmp_path: Path) -> None:
    path = dump(tmp_path / "Posts.xml", *(answer(number) for number in range(3000)))
    found = iter(PostReader(path, frozenset({"pkg"})))
    assert next(found).post == 0
    assert sum(1 for _ in found) == 2999


BOMB = '<?xml version="1.0"?>\n<!DOCTYPE posts [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<posts>&b;</posts>'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BOMB, "declares a document type"),
        ("<posts><row", "is not a dump of posts"),
        ("not xml", "is not a dump of posts"),
    ],
)
def test_what_is_no_dump_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "Posts.xml"
    path.write_text(text)
    with pytest.raises(UserError, match=told):
        list(rows(path))
    with pytest.raises(UserError, match="cannot read"):
        list(rows(tmp_path / "none.xml"))


def test_a_row_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("libdrift.build.posts._LONGEST", 1 << 17)
    path = tmp_path / "Posts.xml"
    path.write_text(f'{HEAD}<row Body="{"x" * (1 << 19)}')
    with pytest.raises(UserError, match="an unfinished row"):
        list(rows(path))


@pytest.mark.parametrize("sign", ["<pre><code>", "<pre", "<pre>  <code"])
def test_blocks_without_an_end_cost_no_more_than_their_length(tmp_path: Path, sign: str) -> None:
    endless = row(Id=1, PostTypeId=2, Body=sign * 100_000)
    path = dump(tmp_path / "Posts.xml", endless, answer(2))
    assert [found.post for found in PostReader(path, frozenset({"pkg"}))] == [2]


def test_numbers_and_lines_without_an_end_are_passed_over(tmp_path: Path) -> None:
    question = row(Id=1, PostTypeId=1, AcceptedAnswerId="9" * 5000)
    long = answer(3, "import pkg;" + "a;" * 20_000)
    path = dump(tmp_path / "Posts.xml", question, long, answer(2))
    assert [found.post for found in PostReader(path, frozenset({"pkg"}))] == [2]
