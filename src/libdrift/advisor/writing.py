"""Source files as they are on disk: read with their encoding, and written whole or not at all."""

from __future__ import annotations

import codecs
import io
import os
import shutil
import subprocess
import tempfile
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from libdrift.errors import UserError

# A repository's own settings name programs that git would run, and a folder of a project may be
# made to look like a repository; names of files are no patterns.
_HARMLESS = (
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "safe.bareRepository=explicit",
)

_STATUS = ("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")


@dataclass(frozen=True, slots=True)
class SourceFile:
    path: Path
    content: bytes
    text: str
    encoding: str  # that of Python's tokenizer: utf-8-sig has a mark in front

    @classmethod
    def read(cls, path: Path) -> SourceFile:
        """What cannot be read raises OSError, SyntaxError, UnicodeDecodeError or LookupError."""
        content = path.read_bytes()
        if path.suffix == ".ipynb":
            encoding = "utf-8-sig" if content.startswith(codecs.BOM_UTF8) else "utf-8"
        else:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return cls(path, content, content.decode(encoding), encoding)

    def encoded(self, text: str) -> bytes:
        """``UnicodeEncodeError`` where the file's encoding has no such letter."""
        return text.encode(self.encoding)


def write_all(files: Sequence[tuple[SourceFile, str]]) -> None:
    """Replace files by texts; none of them if one has changed since it was read."""
    for file, _ in files:
        _refuse_changed(file)
    for file, text in files:
        write_whole(file, text)


def _refuse_changed(file: SourceFile) -> None:
    if file.path.resolve().read_bytes() != file.content:
        raise UserError(f"{file.path} changed in the meantime", "Run the command again")


def write_whole(file: SourceFile, text: str) -> None:
    """Replace a file in one step, with its mode; a link stays a link."""
    data = file.encoded(text)
    real = file.path.resolve()
    _refuse_changed(file)
    handle, name = tempfile.mkstemp(prefix=f".{real.name}.", dir=real.parent)
    aside = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        shutil.copymode(real, aside)
        aside.replace(real)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def refuse_dirty(files: Iterable[Path]) -> None:
    """Refuse to edit files that git could not give back; without git, nothing is known."""
    by_folder: dict[Path, list[Path]] = {}
    for file in files:
        by_folder.setdefault(file.resolve().parent, []).append(file.resolve())
    seen: set[str] = set()
    for folder, here in by_folder.items():
        top = _git(folder, "rev-parse", "--show-toplevel")
        if top is None:
            continue
        if top not in seen:
            seen.add(top)
            changed = _git(Path(top), *_STATUS) or ""
            if changed:
                raise _dirty(top, changed.splitlines()[0][3:])
        loose = _git(folder, "ls-files", "--others", "--", *map(str, here)) or ""
        if loose:
            raise _dirty(top, loose.splitlines()[0])


def _dirty(top: str, name: str) -> UserError:
    return UserError(
        f"{name} in {top} has uncommitted changes",
        "Commit or stash them, or add --force",
    )


def _git(folder: Path, *arguments: str) -> str | None:
    """What git says, without its last line end; None where there is no git or no repository."""
    command: Sequence[str] = ["git", *_HARMLESS, "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="surrogateescape", check=False
        )
    except FileNotFoundError:
        return None
    return done.stdout.rstrip("\n") if done.returncode == 0 else None
