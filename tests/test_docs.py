"""Every `libdrift` command shown in the documentation is run, as shown, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
# A block with a file's name behind its language is that file, for the commands that follow.
FILE = re.compile(r"```\w+ (\S+)\n(.*?)```", re.DOTALL)


def commands(page: Path) -> list[str]:
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


def files(page: Path) -> dict[str, str]:
    return dict(FILE.findall(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_run_as_shown(page: Path, tmp_path: Path) -> None:
    environ = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "LIBDRIFT_HISTORY": str(tmp_path / "history.sqlite"),
    }
    found = commands(page)
    assert found, "a page without a command to try"
    for name, content in files(page).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for command in found:
        if command == "make demo":
            command = "libdrift demo --json"  # noqa: PLW2901  (the same job, without the setup)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def test_the_demo_shown_is_what_the_demo_gives(tmp_path: Path) -> None:
    """The figures in the README are those of the shipped suite and corpus."""
    from libdrift import config, suites
    from libdrift.sandbox.hostile import corpus

    suite = suites.load("starter", config.load())
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    head = f"{len(suite.tasks)} tasks in {len(suite.environments)} exact-version environments"
    assert head in text
    assert f"│ hostile       │ {len(corpus())} │ 0.0" in text
    assert f"has {len(corpus())} programs" in (ROOT / "docs/verdicts.md").read_text("utf-8")


def test_every_field_of_a_task_is_told() -> None:
    from dataclasses import fields

    from libdrift.records import Environment, Facts, Task, Tests, TestStyle, WrongAnswer
    from libdrift.suites.task_folders import SHEET_FIELDS, SUITE_FIELDS, WRONG_FIELDS

    text = (ROOT / "docs/tasks.md").read_text(encoding="utf-8")
    names = {
        field.name for kind in (Task, Environment, WrongAnswer, Facts) for field in fields(kind)
    }
    names |= {field.name for field in fields(Tests)} - {"expected"}  # of CODEMENV's style
    names |= SHEET_FIELDS | WRONG_FIELDS | SUITE_FIELDS
    missing = {name for name in [*names, *TestStyle] if not re.search(rf"`\[?{name}\]?`", text)}
    assert not missing


def test_links_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]:
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_site_has_every_page() -> None:
    """A new page gets a line in mkdocs.yml: building the site would warn, and so fail."""
    import yaml

    def pages(entries: list[Any]) -> Iterator[str]:
        for entry in entries:
            for what in entry.values():
                if isinstance(what, str):
                    yield what
                else:
                    yield from pages(what)

    named = list(pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]))
    there = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert set(named) == there
    assert len(named) == len(there)
