"""Getting missing data when somebody at a terminal agrees."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from libdrift.cli import common
from libdrift.errors import MissingDataError
from libdrift.fetching import FetchListener
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.jobs.fetching import FetchedData


class TerminalFetchListener(FetchListener):
    """A bar for the bytes of each file."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._line: Any = None

    def __enter__(self) -> Self:
        self._bar = self._stack.enter_context(common.progress_bar())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def waiting(self) -> None:
        common.note("another libdrift is downloading the same data; waiting")

    def begin(self, name: str, size: int | None) -> None:
        total = None if size is None else size >> 10
        self._line = self._bar.add_task("kB", total=total, note=name)

    def bytes_there(self, done: int) -> None:
        self._bar.update(self._line, completed=done >> 10)


def print_fetched(found: FetchedData) -> None:
    how = "downloaded" if found.fresh else "there already"
    files = counted(found.files, "file")
    print(f"{found.suite}: {files}, {found.size / 1e6:.1f} MB, {how}: {found.folder}")
    print(f"  licence: {found.licence}")
    print(f"  cite: {found.citation}")


def agreed(question: str) -> bool | None:
    """What somebody at the terminal says; nothing where there is nobody."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    try:
        answer = sys.stdin.readline()
    except KeyboardInterrupt:
        return False
    return answer.strip().lower() in {"y", "yes"}


def got_missing(error: MissingDataError) -> bool:
    """Whether data that a command lacks is here now, since somebody agreed to download it."""
    from libdrift.fetching import known_sources
    from libdrift.jobs.fetching import get_data

    source = known_sources().get(error.suite)
    if source is None or not source.downloads:
        return False
    size = "" if source.size is None else f" ({source.size / 1e6:.1f} MB)"
    question = f"{error.message}. Download it from {source.repository}{size}?"
    if not agreed(question):
        return False
    with TerminalFetchListener() as listener:
        found = get_data(error.suite, listener)
    common.note(f"licence: {found.licence}; cite: {found.citation}")
    return True
