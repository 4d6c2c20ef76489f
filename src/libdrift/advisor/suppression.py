"""Findings that somebody decided to live with: comments, settings, a file of known ones."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from libdrift.errors import UserError
from libdrift.reading import read_small
from libdrift.records import Finding

_COMMENT = re.compile(r"#\s*libdrift:\s*(ignore|skip-file)\b(?:\[([^\]]*)\])?")
_LINE_END = re.compile(r"\r\n?|\n")  # as Python counts lines: not at form feeds
_SETTINGS = {"to", "from", "ignore", "exclude"}


class Suppressions:
    """The comments of one program: ``# libdrift: ignore``, ``ignore[numpy.float_, deprecated]``."""

    def __init__(self, code: str) -> None:
        self._lines: dict[int, tuple[str, ...]] = {}
        self._whole = False
        if "libdrift:" not in code:
            return
        for number, line in enumerate(_LINE_END.split(code), 1):
            match = _COMMENT.search(line)
            if match and match[1] == "skip-file":
                self._whole = True
            elif match:
                names = [
                    name.strip() for name in ("*" if match[2] is None else match[2]).split(",")
                ]
                self._lines[number] = tuple(filter(None, names))

    def takes(self, finding: Finding) -> bool:
        if self._whole:
            return True
        lines = range(finding.line, finding.end_line + 1)
        return any(is_meant(finding, self._lines.get(line, ())) for line in lines)


def is_meant(finding: Finding, names: Iterable[str]) -> bool:
    """Whether one of some names means it: a symbol or its last parts, a pattern, a kind."""
    return any(
        fnmatchcase(finding.symbol, name)
        or finding.symbol.endswith(f".{name}")
        or name == finding.kind.value
        for name in names
    )


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """``[tool.libdrift]`` of pyproject.toml."""

    file: str = ""
    to: tuple[str, ...] = ()
    old: tuple[str, ...] = ()  # from
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def project_settings(start: Path) -> ProjectSettings:
    """The settings of the project that a path is in; none if it has none."""
    folder = start.resolve() if start.is_dir() else start.resolve().parent
    for place in (folder, *folder.parents):
        file = place / "pyproject.toml"
        if file.is_file():
            return _read(file)
    return ProjectSettings()


def _read(file: Path) -> ProjectSettings:
    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(f"{file} cannot be read: {error}") from error
    tool = data.get("tool", {})
    own = tool.get("libdrift", {}) if isinstance(tool, dict) else {}
    if not isinstance(own, dict):
        raise UserError(f"{file}: [tool.libdrift] is not a table")
    unknown = sorted(own.keys() - _SETTINGS)
    if unknown:
        raise UserError(
            f"{file}: [tool.libdrift] has no setting '{unknown[0]}'",
            f"Known: {', '.join(sorted(_SETTINGS))}",
        )
    to, old, ignore, exclude = (
        _texts(own.get(key, []), key, file) for key in ("to", "from", "ignore", "exclude")
    )
    return ProjectSettings(str(file), to, old, ignore, exclude)


def _texts(value: Any, key: str, file: Path) -> tuple[str, ...]:  # noqa: ANN401  (of a file)
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise UserError(f"{file}: {key} of [tool.libdrift] is not a list of texts")


# --- a file of known findings

BASELINE_FORMAT = 1
_NO_BASELINE = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
)


def _key(finding: Finding, base: Path) -> tuple[str, str, str, str]:
    """Without lines, which change with every edit above."""
    path = Path(finding.file).resolve()
    file = path.relative_to(base).as_posix() if path.is_relative_to(base) else finding.file
    return file, finding.symbol, finding.kind.value, finding.parameter


def baseline_text(findings: Sequence[Finding], base: Path) -> str:
    counts = Counter(_key(item, base.resolve()) for item in findings)
    rows = [
        {"file": file, "symbol": symbol, "kind": kind, "parameter": parameter, "count": count}
        for (file, symbol, kind, parameter), count in sorted(counts.items())
    ]
    return json.dumps({"schema_version": BASELINE_FORMAT, "findings": rows}, indent=1) + "\n"


def without_baseline(findings: Sequence[Finding], file: Path) -> Iterator[Finding]:
    """Those that a file of known findings does not have, or has fewer of."""
    try:
        data = json.loads(read_small(file))
        if data.get("schema_version", BASELINE_FORMAT) != BASELINE_FORMAT:
            raise UserError(
                f"{file} was written by a newer libdrift (format {data['schema_version']!s:.20}, "
                f"this one knows {BASELINE_FORMAT})",
                f"Update libdrift, or write it again with --write-baseline {file}",
            )
        left = Counter(
            {
                (row["file"], row["symbol"], row["kind"], row["parameter"]): int(row["count"])
                for row in data["findings"]
            }
        )
    except OSError as error:
        raise UserError(
            f"{file} cannot be read: {error.strerror}", f"Write it with --write-baseline {file}"
        ) from error
    except _NO_BASELINE as error:
        raise UserError(f"{file} is not a libdrift baseline: {error}") from error
    base = file.resolve().parent
    for item in findings:
        key = _key(item, base)
        if left[key] > 0:
            left[key] -= 1
        else:
            yield item
