from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.retrieval import folders
from libdrift.retrieval.documents import Document
from libdrift.retrieval.passages import FolderPassages
from libdrift.retrieval.queries import Query, query

FILES = {
    "some-pkg/1.0/guide/read.md": "# Reading\n\nRead commas.\n\n## Writing\n\nWrite commas.\n",
    "some-pkg/2.0/read.rst": "Reading\n=======\n\nRead semicolons.\n",
    "some-pkg/2.0/page.html": "<head><title>no</title></head><h2>Plots</h2><p>Draw <b>lines</b>.<script>no()</script>",
    "some-pkg/notes.txt": "Reading is slow in every version.\n",
    "some-pkg/2.0/data.json": "{}",
    "other/2.0/read.txt": "Read tabs.",
    "loose.txt": "Of no package.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "docs"


@pytest.mark.parametrize(
    ("package", "version", "text", "headers"),
    [
        (
            "some-pkg",
            "1.0",
            "reading commas",
            [
                "some-pkg 1.0: guide/read.md#1 Reading",
                "some-pkg 1.0: guide/read.md#2 Writing",
                "some-pkg, every version: notes.txt#1",
            ],
        ),
        (
            "Some_Pkg",
            "2",
            "read",
            ["Some_Pkg 2: read.rst#1 Reading", "Some_Pkg, every version: notes.txt#1"],
        ),
        ("some-pkg", "2.0", "drawing lines", ["some-pkg 2.0: page.html#1 Plots"]),
        ("some-pkg", "2.0", "commas", []),
        ("some-pkg", "3.0", "read", ["some-pkg, every version: notes.txt#1"]),
        ("third", "1.0", "read", []),
    ],
)
def test_only_documents_of_the_release_are_found(
    folder: Path, tmp_path: Path, package: str, version: str, text: str, headers: list[str]
) -> None:
    found = searched(folder, tmp_path, query(text, package, version))
    assert sorted(item.header for item in found) == sorted(headers)
    assert "no" not in "".join(item.text.split("#")[-1] for item in found if "page" in item.path)


def test_changed_files_are_read_again(folder: Path, tmp_path: Path) -> None:
    asked = query("read", "other", "2.0")
    assert "tabs" in searched(folder, tmp_path, asked)[0].text
    (folder / "other/2.0/read.txt").write_text("Read spaces.")
    assert "spaces" in searched(folder, tmp_path, asked)[0].text


def searched(folder: Path, tmp_path: Path, asked: Query) -> list[Document]:
    with closing(FolderPassages(folder, tmp_path / "cache")) as passages:
        return passages.search(asked)


def test_long_documents_are_cut_into_passages() -> None:
    paragraphs = [f"Paragraph {at}. " + "word " * 100 for at in range(20)] + ["x" * 9000]
    found = list(folders._passages("\n\n".join(paragraphs)))
    assert len(found) > 6
    assert max(len(text) for _, text in found) < 2000


def test_odd_files_are_told_and_the_rest_is_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "other/2.0/bytes.txt").write_bytes(b"read \xff\xfe\x00 bytes")
    (folder / "other/2.0/empty.md").write_bytes(b"")
    (folder / "other/2.0/big.txt").write_text("read " * 100)
    monkeypatch.setattr(folders, "_BIGGEST", 400)
    with closing(FolderPassages(folder, tmp_path / "cache")) as passages:
        assert len(passages.search(query("read", "other", "2.0"))) == 2
    assert [line.rpartition("/")[2] for line in passages.skipped] == ["big.txt: over 0 MB"]


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place, match in (
        (tmp_path / "no", "not there"),
        (tmp_path / "file", "not a folder"),
        (tmp_path, "no documents"),
    ):
        with pytest.raises(UserError, match=match):
            FolderPassages(place, tmp_path)
