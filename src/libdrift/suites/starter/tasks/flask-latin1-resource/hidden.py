import pytest
from answer import resource_lines
from flask import Flask


@pytest.fixture
def app(tmp_path) -> Flask:
    return Flask("demo", root_path=str(tmp_path))


@pytest.mark.parametrize(
    "lines",
    [["plain"], ["\u00fcber", "stra\u00dfe", "\u00e5ngstr\u00f6m"], ["a", "", "\u00bd"]],
)
def test_latin1_text(app, tmp_path, lines):
    (tmp_path / "words.txt").write_bytes("\n".join(lines).encode("latin-1"))
    assert resource_lines(app, "words.txt") == lines


def test_file_in_a_subfolder(app, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "one.txt").write_bytes(b"\xe9t\xe9\n")
    assert resource_lines(app, "data/one.txt") == ["\u00e9t\u00e9"]


def test_missing_file(app):
    with pytest.raises(FileNotFoundError):
        resource_lines(app, "nowhere.txt")
