"""Figures as files: numbers beside them, and nothing of others is replaced."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.reports.figures.charts import Axes, BarChart, Chart, Mark, Series
from libdrift.reports.figures.files import LIST, write_figures


def chart(name: str = "bars", value: float = 0.5, label: str = "numpy") -> Chart:
    series = (Series("m", {label: Mark(value, 0.1, 0.9, 4)}),)
    return BarChart(name, "Bars", (label,), series, Axes("library", "success"))


def test_numbers_stand_beside_the_drawing(tmp_path: Path) -> None:
    (written,) = write_figures([chart()], tmp_path / "new" / "folder")
    assert written.drawing.read_bytes().startswith(b"<?xml")
    (row,) = csv.DictReader(written.numbers.read_text(encoding="utf-8").splitlines())
    assert row == {
        "series": "m", "library": "numpy", "value": "0.5", "low": "0.1", "high": "0.9", "n": "4"
    }  # fmt: skip


def test_its_own_files_are_written_again(tmp_path: Path) -> None:
    write_figures([chart(value=0.1)], tmp_path)
    write_figures([chart("other")], tmp_path, "pdf")
    (written,) = write_figures([chart(value=0.7)], tmp_path)
    assert "0.7" in written.numbers.read_text()
    assert {path.name for path in tmp_path.iterdir()} == {
        "bars.svg", "bars.csv", "other.pdf", "other.csv", LIST
    }  # fmt: skip


@pytest.mark.parametrize("name", ["bars.svg", "bars.csv"])
def test_what_is_not_libdrifts_is_kept(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(UserError, match="libdrift did not"):
        write_figures([chart()], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_what_was_changed_since_is_kept(tmp_path: Path) -> None:
    (written,) = write_figures([chart()], tmp_path)
    written.drawing.write_text("edited")
    with pytest.raises(UserError, match="was changed since"):
        write_figures([chart()], tmp_path)
    assert written.drawing.read_text() == "edited"


def test_mistakes_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Known: svg, png, pdf"):
        write_figures([chart()], tmp_path, "gif")
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is not a folder"):
        write_figures([chart()], tmp_path / "file")
    (tmp_path / LIST).write_text("[]")
    with pytest.raises(UserError, match="not a list of libdrift's figures"):
        write_figures([chart()], tmp_path)


def test_two_of_one_name_are_two_files(tmp_path: Path) -> None:
    written = write_figures([chart(), chart(value=0.1)], tmp_path)
    assert [one.drawing.name for one in written] == ["bars.svg", "bars-2.svg"]
    assert "0.1" in written[1].numbers.read_text()


def test_a_name_is_no_formula(tmp_path: Path) -> None:
    (written,) = write_figures([chart(label="=1+1")], tmp_path)
    assert "'=1+1" in written.numbers.read_text()


def test_a_list_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    folder = tmp_path / "figures"
    folder.mkdir()
    (folder / LIST).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="is a link"):
        write_figures([], folder)
    assert not (tmp_path / "elsewhere").exists()
