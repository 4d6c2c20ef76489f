"""Rich's console behind the filter that plain lines go through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment

from libdrift.cli.streams import Filtered
from libdrift.showing import shown


class Terminal(Console):
    """Rich's console: its own codes are left alone, and what it is given is filtered.

    Brackets are brackets: what is shown is foreign text, or lines to paste such as
    ``pip install 'libdrift[local]'``. Colours are given as styles.
    """

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  (Rich's own)
        super().__init__(**{"markup": False, "emoji": False, **options})

    @property
    def file(self) -> Any:  # noqa: ANN401
        """The stream itself: Rich's own codes would be spelled behind the filter."""
        given = super().file
        return given.stream if isinstance(given, Filtered) else given

    @file.setter
    def file(self, new: Any) -> None:  # noqa: ANN401
        self._file = new

    def on_broken_pipe(self) -> None:
        """Like plain lines: Rich would end the command with the exit code of findings."""
        raise BrokenPipeError

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        return super()._render_buffer(
            part if part.control else Segment(shown(part.text), part.style) for part in buffer
        )
