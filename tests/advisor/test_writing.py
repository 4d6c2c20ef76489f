"""Files are read as Python reads them, and written whole or not at all."""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path

import pytest

from libdrift.advisor.writing import SourceFile, refuse_dirty, write_all, write_whole
from libdrift.errors import UserError


@pytest.mark.parametrize(
    "content",
    [
        b"x = 1\n",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1",
        "\ufeffx = 'ü'\n".encode(),
        "# -*- coding: latin-1 -*-\nx = 'ü'\n".encode("latin-1"),
        "# vim: set fileencoding=cp1252 :\nx = '€'\n".encode("cp1252"),
    ],
)
def test_nothing_but_the_edit_changes(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_bytes(content)
    path.chmod(0o755)
    file = SourceFile.read(path)
    write_whole(file, file.text.replace("x =", "z ="))
    assert path.read_bytes() == content.replace(b"x =", b"z =")
    assert path.stat().st_mode & 0o777 == 0o755
    assert list(tmp_path.iterdir()) == [path]


def test_a_letter_that_the_encoding_has_not_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_bytes(b"# coding: latin-1\nx = 1\n")
    file = SourceFile.read(path)
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "# coding: latin-1\nx = '€'\n")
    assert path.read_bytes() == file.content
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_text("x = 1\n")
    link.symlink_to(real)
    write_whole(SourceFile.read(link), "x = 2\n")
    assert link.is_symlink()
    assert real.read_text() == "x = 2\n"


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_text("x = 1\n")
    file = SourceFile.read(path)
    path.write_text("x = 3\n")
    with pytest.raises(UserError, match="changed in the meantime"):
        write_whole(file, "x = 2\n")
    assert path.read_text() == "x = 3\n"


def test_no_file_is_written_if_one_changed_meanwhile(tmp_path: Path) -> None:
    paths = [tmp_path / "a.py", tmp_path / "b.py"]
    for path in paths:
        path.write_text("x = 1\n")
    files = [SourceFile.read(path) for path in paths]
    paths[1].write_text("x = 3\n")
    with pytest.raises(UserError, match=r"b\.py changed in the meantime"):
        write_all([(file, "x = 2\n") for file in files])
    assert [path.read_text() for path in paths] == ["x = 1\n", "x = 3\n"]


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True)


def test_a_dirty_tree_is_refused(tmp_path: Path) -> None:
    path, other = tmp_path / "file.py", tmp_path / "other.py"
    path.write_text("x = 1\n")
    refuse_dirty([path])  # no repository: nothing is known
    git(tmp_path, "init", "-q")
    with pytest.raises(UserError, match=r"file\.py .* has uncommitted changes"):
        refuse_dirty([path])
    git(tmp_path, "add", "file.py")
    git(tmp_path, "commit", "-q", "-m", "one")
    refuse_dirty([path])
    other.write_text("y = 1\n")
    refuse_dirty([path])  # another file that git does not know is none of this
    path.write_text("x = 2\n")
    with pytest.raises(UserError, match="--force"):
        refuse_dirty([path])


@pytest.mark.parametrize("is_bare", [True, False])
def test_git_runs_nothing_that_a_project_names(is_bare: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Neither the repository's own settings, nor those of a folder made to look like one."""
    folder, trap = tmp_path / "work", tmp_path / "trap"
    subprocess.run(["git", "init", "-q", *(["--bare"] if is_bare else []), folder], check=True)
    git = folder if is_bare else folder / ".git"
    with (git / "config").open("a") as config:
        config.write(f'[core]\n\tfsmonitor = "touch {trap};"\n\tworktree = {folder}\n')
        config.write("\tbare = false\n")
    (folder / "code.py").write_text("x = 1\n")
    with contextlib.suppress(UserError):
        refuse_dirty([folder / "code.py"])
    assert not trap.exists()
