"""Ledgers of live tasks: a line that is none is a step that was not finished."""

from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.build.live.compiled_ledger import PackageLedger, PackageTasks
from libdrift.build.live.ledger import StepLedger

BAD = (b"{", b"\xff", b'{"more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", b'{"step": "\\ud800"}')


@pytest.mark.parametrize("line", BAD)
def test_bad_lines_are_passed_over(tmp_path: Path, line: bytes) -> None:
    out = tmp_path / "live.jsonl"
    first = PackageLedger(out, "all")
    first.add(PackageTasks("pkg 1 2", "all"))
    first.path.write_bytes(line + b"\n" + first.path.read_bytes())
    again = PackageLedger(out, "all")
    assert again.get("pkg 1 2") == PackageTasks("pkg 1 2", "all")
    first.path.write_bytes(line + b"\n")
    steps = StepLedger(out, ("migrate",))
    steps.read()
    assert steps.known == {}
