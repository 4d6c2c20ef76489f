"""The page as a file: self-contained, with a strict policy, cut to its size."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from libdrift.cli.app import app
from libdrift.errors import UserError
from libdrift.jobs.exploring import write_explorer
from libdrift.reports.explorer import page as pages

ASSETS = files("libdrift.reports.explorer") / "assets"


def unpacked(html: str, name: str) -> dict[str, Any]:
    (packed,) = re.findall(rf'id="{name}">([A-Za-z0-9+/=]+)</script>', html)
    found: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed)))
    return found


@pytest.fixture(scope="module")
def html(runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "page.html"
    write_explorer(runs, path)
    return path.read_text(encoding="utf-8")


def test_it_loads_nothing_and_runs_only_its_own_script(html: str) -> None:
    assert not re.search(r"<(?:link|img|iframe|object|embed|base)\b|@import|url\(", html)
    assert not re.search(r"\s(?:src|srcset|action|on\w+)=", html.partition("<script")[0])
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy.startswith("default-src &#39;none&#39;")
    assert "unsafe" not in policy
    for element in ("script", "style"):
        (text,) = re.findall(rf"<{element}>(.*?)</{element}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"sha256-{digest}" in policy


def test_its_script_has_no_way_to_make_markup_of_text() -> None:
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|setHTML"
    )
    for asset in ASSETS.iterdir():
        if asset.name.endswith(".js"):
            assert not re.search(forbidden, asset.read_text(encoding="utf-8")), asset.name


def test_rows_of_a_run_and_a_task_stand_together(html: str) -> None:
    rows = unpacked(html, "numbers")["rows"]
    places = list(zip(rows["run"], rows["task"], rows["sample"], strict=True))
    assert places == sorted(places)


def test_without_script_a_reader_has_the_runs(html: str) -> None:
    (without,) = re.findall(r"<noscript>(.*?)</noscript>", html, re.DOTALL)
    assert "vendor/alpha, greedy" in without
    assert "<td>40</td><td>80</td>" in without


def test_a_page_that_would_be_too_large_cuts_its_texts(
    runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "_LARGEST", 1000)
    written = write_explorer(runs, tmp_path / "page.html")
    assert written.limit == 400
    assert written.cut > 0
    texts = unpacked((tmp_path / "page.html").read_text(encoding="utf-8"), "texts")
    longest = max(len(one["problem"]) for one in texts["tasks"])
    assert longest == 400
    assert {one["problem_length"] for one in texts["tasks"] if "problem_length" in one}


def test_the_command_says_what_it_wrote(runs: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    arguments = ["report", *map(str, runs), "--html", str(out), "--where", "difficulty=easy"]
    done = CliRunner().invoke(app, [*arguments, "--json"], catch_exceptions=False)
    told = json.loads(done.stdout)
    assert (told["runs"], told["bytes"]) == (2, out.stat().st_size)
    facts = unpacked(out.read_text(encoding="utf-8"), "numbers")["facts"]
    assert facts["difficulty"]["values"] == ["easy"]
    with pytest.raises(UserError, match="cannot write"):
        write_explorer(runs, tmp_path / "no" / "folder.html")
