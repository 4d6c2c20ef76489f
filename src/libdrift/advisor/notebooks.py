"""Notebooks as one program whose cells can be told apart again, and back."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from libdrift.advisor.magics import is_of_another_language, magics_of, problem_of

_CELL = re.compile(r"^# libdrift-cell (\d+)$")
_HELD = re.compile(r"^\s*pass  # libdrift-line (\d+)$")
_INDENT = re.compile(r"^\{\n([ \t]+)\"")


@dataclass(frozen=True, slots=True)
class NotebookCode:
    """``code`` has a comment before each cell, and `pass` for what only a notebook understands."""

    data: dict[str, Any]
    code: str
    held: tuple[str, ...]  # lines that `pass` stands for

    @classmethod
    def of(cls, text: str) -> NotebookCode:
        """``ValueError``, ``KeyError``, ``TypeError`` or ``AttributeError`` for what is none."""
        data = json.loads(text)
        lines: list[str] = []
        held: list[str] = []
        for number, cell in enumerate(data["cells"], 1):
            if cell.get("cell_type") != "code":
                continue
            source = cell_source(cell)
            magics = magics_of(source)
            cell_lines = source.split("\n")
            plain = (
                f"{magics[at]}pass" if at in magics else one for at, one in enumerate(cell_lines)
            )
            if is_of_another_language(source) or problem_of("\n".join(plain)):
                continue  # it stays as it is
            lines.append(f"# libdrift-cell {number}")
            for at, line in enumerate(cell_lines):
                if _CELL.match(line) or _HELD.match(line):
                    raise ValueError(f"cell {number} has a line that libdrift marks cells with")
                if at in magics:
                    lines.append(f"{magics[at]}pass  # libdrift-line {len(held)}")
                    held.append(line)
                else:
                    lines.append(line)
        return cls(data, "\n".join(lines) + "\n", tuple(held))

    def place(self, line: int) -> tuple[int, int]:
        """Cell and line in it of a line of the code."""
        lines = self.code.split("\n")
        for at in range(line - 1, -1, -1):
            match = _CELL.match(lines[at])
            if match:
                return int(match[1]), line - 1 - at
        return 0, line

    def cells(self, code: str) -> dict[int, str]:
        """The cells of an edited code, by number."""
        found: dict[int, list[str]] = {}
        lines = code.removesuffix("\n").split("\n")
        current: list[str] = []
        for line in lines:
            match = _CELL.match(line)
            if match:
                current = found.setdefault(int(match[1]), [])
                continue
            held = _HELD.match(line)
            current.append(self.held[int(held[1])] if held else line)
        return {number: "\n".join(text) for number, text in found.items()}

    def written(self, text: str, code: str) -> str | None:
        """The notebook's text with the cells of an edited code; None if its layout is unusual."""
        layout = _layout(text, self.data)
        cells = self.cells(code)
        if layout is None or cells.keys() != self.cells(self.code).keys():
            return None
        data = json.loads(text)
        for number, source in cells.items():
            cell = data["cells"][number - 1]
            if cell_source(cell) != source:
                is_list = isinstance(cell["source"], list)
                cell["source"] = source.splitlines(keepends=True) if is_list else source
        return layout.text(data)


@dataclass(frozen=True, slots=True)
class _Layout:
    indent: str | None
    is_ascii: bool
    end: str

    def text(self, data: dict[str, Any]) -> str:
        separators = (",", ": ") if self.indent else None
        made = json.dumps(
            data, indent=self.indent, ensure_ascii=self.is_ascii, separators=separators
        )
        return made + self.end


def _layout(text: str, data: dict[str, Any]) -> _Layout | None:
    """How the text is written, where that can be done again to the letter."""
    match = _INDENT.match(text)
    end = text[len(text.rstrip()) :]
    for is_ascii in (False, True):
        layout = _Layout(match[1] if match else None, is_ascii, end)
        if layout.text(data) == text:
            return layout
    return None


def cell_source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)
