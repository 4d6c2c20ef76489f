"""The version of this libdrift, in every artifact that it makes; and the commit that it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__version__ = "0.1.0"


def commit() -> str:
    """The commit that this was built from or is checked out at; empty where nobody knows.

    A build leaves it in ``commit.txt``. Of a checkout it is read from git's files: starting git
    would take longer than most answers.
    """
    from pathlib import Path

    here = Path(__file__).resolve()
    built = here.with_name("commit.txt")
    if built.is_file():
        return built.read_text(encoding="utf-8").strip()
    root = here.parents[2]
    if here.parents[1].name != "src" or not (root / "pyproject.toml").is_file():
        return ""
    try:
        return _head(root / ".git")
    except (OSError, UnicodeDecodeError):
        return ""


def _head(git: Path) -> str:
    if git.is_file():  # a work tree beside the checkout that it belongs to
        told = git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        git = git.parent / told
    head = (git / "HEAD").read_text(encoding="utf-8").strip()
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    common = git / "commondir"
    shared = git / common.read_text(encoding="utf-8").strip() if common.is_file() else git
    for place in (git / name, shared / name):
        if place.is_file():
            return place.read_text(encoding="utf-8").strip()
    packed = shared / "packed-refs"
    lines = packed.read_text(encoding="utf-8").splitlines() if packed.is_file() else []
    return next((line.split()[0] for line in lines if line.endswith(f" {name}")), "")
