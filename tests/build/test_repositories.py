from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.build import repositories
from libdrift.build.repositories import Repository
from libdrift.errors import UserError
from tests.build.repos import write


def test_one_repository_or_a_folder_of_them(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a/requirements.txt": "x==1", "b/.git/HEAD": "", "c/main.py": "", ".hidden/x.py": ""},
    )
    assert [r.name for r in repositories.find(tmp_path).repositories] == ["a", "b", "c"]
    assert repositories.find(tmp_path / "a").repositories == (Repository("a", tmp_path / "a"),)


def test_a_list_of_folders(tmp_path: Path) -> None:
    write(tmp_path, {"x/one/m.py": "", "y/one/m.py": "", "two/m.py": ""})
    names = "# some\nx/one\ny/one  # again\n\ntwo\n./two\nnowhere\n"
    write(tmp_path, {"list.txt": names})
    found = repositories.find(tmp_path / "list.txt")
    assert [item.name for item in found.repositories] == ["x/one", "y/one", "two"]
    assert found.missing == ("nowhere: no such folder",)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none", "does not exist"),
        ("empty.txt", "lists no repository"),
        ("bytes.txt", "cannot read"),
        ("bare", "is not a repository and contains none"),
    ],
)
def test_what_is_no_place_of_repositories(tmp_path: Path, name: str, message: str) -> None:
    write(tmp_path, {"empty.txt": "# nothing\n", "bytes.txt": b"\xff\xfe\xff", "bare/file": ""})
    with pytest.raises(UserError, match=message):
        repositories.find(tmp_path / name)


def test_only_its_own_sources_and_in_order(tmp_path: Path) -> None:
    kept = ["build/__init__.py", "build/steps.py", "main.py", "src/b.py", "tests/a.py"]
    passed = [
        ".git/hook.py",
        ".tox/x.py",
        "dist/copy.py",
        "venv/lib/x.py",
        "odd/pyvenv.cfg",
        "odd/x.py",
        "web/node_modules/y.py",
        "lib/python3.11/site-packages/z.py",
        "src/__pycache__/b.py",
        "p.egg-info/x.py",
        "notes.txt",
    ]
    folder = write(tmp_path / "repo", dict.fromkeys([*kept, *passed], "x = 1\n"))
    outside = write(tmp_path / "outside", {"m.py": "x = 1\n"})
    (folder / "linked").symlink_to(outside)
    (folder / "linked.py").symlink_to(outside / "m.py")
    (folder / "broken.py").symlink_to(outside / "none.py")
    found = [name for name, _ in repositories.sources(Repository("repo", folder))]
    assert found == sorted(kept, key=lambda name: ("/" in name, name))
