"""Manifests come from anybody: what they name leads nowhere else, and what is no manifest is told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import libdrift
from libdrift.errors import UserError
from libdrift.suites.recipes.manifest import parse

PLAIN = {"schema_version": 1, "name": "mine", "title": "", "pairs": [], "tasks": []}


def test_a_plain_manifest() -> None:
    assert parse(json.dumps(PLAIN).encode(), "m.json").name == "mine"


@pytest.mark.parametrize(
    "name", ["../evil", "/tmp/evil", "a/b", "", ".hidden", "a\nb", "\x1b[31m", "-rf"]
)
def test_names_that_are_no_file_of_their_own_are_refused(name: str) -> None:
    with pytest.raises(UserError, match="no name for a suite"):
        parse(json.dumps({**PLAIN, "name": name}).encode(), "m.json")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"name": "\\ud800"}',
        b'{"more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"more": ' + b'{"a":' * 100_000,
    ],
)
def test_what_is_no_manifest_is_told_in_a_line(data: bytes) -> None:
    with pytest.raises(UserError, match="is not a manifest of tasks"):
        parse(data, "m.json")


def test_a_manifest_does_not_choose_a_file_to_overwrite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.jsonl").write_text("dear to somebody")
    (tmp_path / "m.json").write_text(json.dumps(PLAIN))
    with pytest.raises(UserError, match="already exists"):
        libdrift.build_manifest("m.json")
    assert (tmp_path / "mine.jsonl").read_text() == "dear to somebody"


def test_a_manifest_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "m.json")
    with pytest.raises(UserError, match="there is no manifest"):
        libdrift.build_manifest(tmp_path / "m.json")
