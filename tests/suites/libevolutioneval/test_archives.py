"""Archives that are made to harm."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.suites.libevolutioneval import files


def packed(path: Path, size: int, **more: object) -> None:
    with tarfile.open(path, "w:gz", format=tarfile.GNU_FORMAT) as archive:
        info = tarfile.TarInfo("eval_examples/set/v_1.jsonl")
        info.size = size
        for name, value in more.items():
            setattr(info, name, value)
        archive.addfile(info, io.BytesIO(bytes(size)))


def test_a_member_that_would_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_LARGEST", 1 << 16)
    packed(tmp_path / "eval_examples.tar.gz", 1 << 20)
    with pytest.raises(UserError, match="would unpack to 1048576 bytes"):
        list(files.sheets(tmp_path, files.EXAMPLES))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_what_is_no_file_is_not_read(tmp_path: Path, kind: bytes) -> None:
    packed(tmp_path / "eval_examples.tar.gz", 0, type=kind, linkname="/etc/passwd")
    assert list(files.sheets(tmp_path, files.EXAMPLES)) == []
