"""One pass of the compiler over a crate: its errors, what newer APIs it uses, and its binary.

The compiler is clippy's, which is rustc with more lints: so the program that is run is the very
one that was checked.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from packaging.version import Version

from libdrift.environments.crates import Crates
from libdrift.languages.rust.toolchains import Toolchain
from libdrift.sandbox import Backend, Limits
from libdrift.sandbox.commands import Command, Ended, run
from libdrift.sandbox.limits import MIB

BINARY = "tests"
EDITIONS = ("2021", "2018", "2015")
_NEWER = "clippy::incompatible_msrv"
_KINDS = ("method", "type", "macro")
_USED = tuple(f"clippy::disallowed_{kind}s" for kind in _KINDS)
_USE_OF = re.compile(r"use of a disallowed (?:method|type|macro) `(?P<path>[^`]+)`")
_SINCE = re.compile(r"stable (?:in a `const` context )?since `(?P<since>[\d.]+)`")
# Since when clippy can be told to look at code that calls itself a test.
_IN_TESTS = Version("1.90")
_ALONE_SECONDS = 60.0
_MEMBER_SECONDS = 0.5  # more for each member of a crate
_UNRESOLVED = re.compile(r"`(?P<path>[^`]+)` does not refer to")


@dataclass(frozen=True, slots=True)
class Message:
    """What the compiler says of a place; ``file`` is empty where it names none."""

    level: str
    code: str
    text: str
    file: str
    line: int
    source: str  # the words at that place
    rendered: str

    def __str__(self) -> str:
        return f"{self.text} [{self.code}]" if self.code else self.text


@dataclass(frozen=True, slots=True)
class Compiled:
    ended: Ended
    messages: tuple[Message, ...]

    @property
    def done(self) -> bool:
        return self.ended.status == 0

    @property
    def errors(self) -> list[Message]:
        return [m for m in self.messages if m.level == "error" or m.level.startswith("error:")]

    def used(self, *files: str) -> frozenset[str]:
        """The APIs looked for that some files really use."""
        found = (_USE_OF.match(m.text) for m in self.messages if m.file in files)
        return frozenset(match["path"] for match in found if match)

    def too_new(self, *files: str) -> tuple[str, str] | None:
        """The first API in files that their version does not have, and since when there is one."""
        for message in self.messages:
            since = _SINCE.search(message.text)
            if message.file in files and message.code == _NEWER and since:
                return message.source, since["since"]
        return None


@dataclass(frozen=True, slots=True)
class Compiler:
    toolchain: Toolchain
    crates: Crates
    backend: Backend
    limits: Limits
    stop: threading.Event

    @property
    def checks(self) -> bool:
        """Whether it tells of APIs that are too new, and of those that are used."""
        return self.toolchain.clippy_driver is not None

    def compile(
        self,
        files: Mapping[str, str],
        root: str,
        edition: str,
        folder: Path,
        config: str,
        members: int = 1,
        *,
        check: bool = False,
    ) -> Compiled:
        """Make ``folder/BINARY`` of a crate's files, or only ``check`` them."""
        driver = self.toolchain.clippy_driver or self.toolchain.rustc
        argv = [
            *(str(driver), "--test", "--edition", edition, "--crate-name", "answers", root),
            *("-o", str(folder / BINARY), "--error-format=json", "--cap-lints=warn"),
            *("-A", "warnings", "-C", "debuginfo=0", "-C", "strip=symbols"),
            *self.crates.arguments,
        ]
        if check:
            argv.append("--emit=metadata")
        if self.checks and not check:
            argv += [part for lint in (_NEWER, *_USED) for part in ("--force-warn", lint)]
        command = Command(
            argv=tuple(argv),
            environ={"CLIPPY_CONF_DIR": ".", "CLIPPY_DISABLE_DOCS_LINKS": "1"},
            read=(self.toolchain.sysroot, *self.crates.folders),
            write=(folder,),
            files={**files, "clippy.toml": config},
        )
        seconds = _ALONE_SECONDS if members == 1 else _ALONE_SECONDS / 2 + _MEMBER_SECONDS * members
        ended = run(command, self.backend, generous(self.limits, seconds), self.stop)
        return Compiled(ended, tuple(_messages(ended.stderr)))

    def config(self, version: str | None, apis: Sequence[str]) -> str:
        """What clippy is to look for: APIs newer than ``version``, and these."""
        lines = [f'msrv = "{version}"'] if version else []
        if Version(self.toolchain.version.partition("-")[0]) >= _IN_TESTS:
            lines.append("check-incompatible-msrv-in-tests = true")
        lines += [f"disallowed-{kind}s = {json.dumps(sorted(set(apis)))}" for kind in _KINDS]
        return "\n".join(lines)

    def resolvable(self, apis: Sequence[str]) -> frozenset[str]:
        """Those of some paths that there are, as functions, types or macros."""
        if not apis or not self.checks:
            return frozenset()
        driver = self.toolchain.clippy_driver
        loads = "\n".join(f"extern crate {name};" for name in sorted(self.crates.names))
        command = Command(
            argv=(
                *(str(driver), "--crate-type=lib", "--edition=2021", "main.rs"),
                *("--emit=metadata", "-o", "main.rmeta", "--error-format=json", "-A", "unused"),
                *self.crates.arguments,
            ),
            environ={"CLIPPY_CONF_DIR": "."},
            read=(self.toolchain.sysroot, *self.crates.folders),
            files={"main.rs": loads, "clippy.toml": self.config(None, apis)},
        )
        ended = run(command, self.backend, generous(self.limits, _ALONE_SECONDS), self.stop)
        if ended.status != 0:
            return frozenset()
        missing: dict[str, int] = {}
        for message in _messages(ended.stderr):
            match = _UNRESOLVED.match(message.text)
            path = match["path"] if match else message.source.strip('"')
            missing[path] = missing.get(path, 0) + 1
        return frozenset(path for path in apis if missing.get(path, 0) < len(_KINDS))


def generous(limits: Limits, seconds: float) -> Limits:
    """A compiler is not the answer: it takes what it takes, within reason."""
    return replace(
        limits.with_time(seconds),
        cpu_seconds=int(seconds) * 4,
        memory_bytes=max(limits.memory_bytes, 8192 * MIB),
        processes=max(limits.processes, 512),
        file_bytes=max(limits.file_bytes, 512 * MIB),
        disk_bytes=max(limits.disk_bytes, 1024 * MIB),
        open_files=max(limits.open_files, 1024),
        output_bytes=max(limits.output_bytes, 64 * MIB),
        log_bytes=max(limits.log_bytes, 32 * MIB),
    )


def _messages(output: str) -> Iterator[Message]:
    for line in output.splitlines():
        if not line.startswith("{"):
            continue
        try:
            told = json.loads(line)
        except ValueError:
            continue  # cut off in the middle: the compiler was stopped, and its status says so
        if "message" in told and "level" in told:
            yield _message(told)


def _message(told: dict[str, Any]) -> Message:
    spans = [_outermost(span) for span in told["spans"] if span["is_primary"]]
    place: dict[str, Any] = spans[0] if spans else {"file_name": "", "line_start": 0, "text": []}
    lines = place["text"]
    source = lines[0]["text"] if lines else ""
    if lines and len(lines) == 1:
        source = source[lines[0]["highlight_start"] - 1 : lines[0]["highlight_end"] - 1]
    return Message(
        level=told["level"],
        code=(told["code"] or {}).get("code", ""),
        text=told["message"],
        file=place["file_name"],
        line=place["line_start"],
        source=source,
        rendered=told.get("rendered") or "",
    )


def _outermost(span: dict[str, Any]) -> dict[str, Any]:
    """Where in the text a macro was called, if a place lies within one of the library's."""
    while span["file_name"].startswith(("/", "<")) and span.get("expansion"):
        span = span["expansion"]["span"]
    return span
