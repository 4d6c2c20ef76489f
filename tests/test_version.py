"""The commit that a libdrift is of, read from a build or from git's own files."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from libdrift import version

ROOT = Path(__file__).parent.parent


def test_the_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["version"] == version.__version__


def git(folder: Path, *arguments: str) -> str:
    own = ["-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", "-C", str(folder), *own, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one commit, as version.py would see it."""
    root = tmp_path / "checkout"
    module = root / "src/libdrift/version.py"
    module.parent.mkdir(parents=True)
    module.touch()
    (root / "pyproject.toml").touch()
    git(tmp_path, "init", "-q", "-b", "main", str(root))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    monkeypatch.setattr(version, "__file__", str(module))
    return root


def test_of_a_checkout(checkout: Path) -> None:
    head = git(checkout, "rev-parse", "HEAD")
    assert version.commit() == head
    git(checkout, "pack-refs", "--all")
    assert version.commit() == head
    git(checkout, "checkout", "-q", "--detach")
    assert version.commit() == head


def test_of_a_work_tree(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = checkout.parent / "beside"
    git(checkout, "worktree", "add", "-q", "-b", "other", str(beside))
    git(beside, "commit", "-q", "--allow-empty", "-m", "second")
    monkeypatch.setattr(version, "__file__", str(beside / "src/libdrift/version.py"))
    assert (
        version.commit() == git(beside, "rev-parse", "HEAD") != git(checkout, "rev-parse", "HEAD")
    )


def test_of_a_build(checkout: Path) -> None:
    (checkout / "src/libdrift/commit.txt").write_text("abc\n", "utf-8")
    assert version.commit() == "abc"


@pytest.mark.parametrize("break_it", ["no git", "no project", "no commit", "odd"])
def test_where_nobody_knows_it_is_empty(checkout: Path, break_it: str) -> None:
    match break_it:
        case "no git":
            (checkout / ".git").rename(checkout / "gone")
        case "no project":
            (checkout / "pyproject.toml").unlink()
        case "no commit":
            git(checkout, "checkout", "-q", "--orphan", "empty")
        case "odd":
            (checkout / ".git/HEAD").write_bytes(b"ref: \xff")
    assert version.commit() == ""
