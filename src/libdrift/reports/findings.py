"""Findings of a check for people, programs, code scanning and GitHub."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from libdrift.records import Finding, FindingKind, FindingLevel
from libdrift.showing import in_a_line
from libdrift.version import __version__

_SARIF = {FindingLevel.ERROR: "error", FindingLevel.WARNING: "warning", FindingLevel.INFO: "note"}
_GITHUB = {
    FindingLevel.ERROR: "error",
    FindingLevel.WARNING: "warning",
    FindingLevel.INFO: "notice",
}
_RULES = {
    FindingKind.GONE: "The name is not there any more.",
    FindingKind.RENAMED: "The name has another name now.",
    FindingKind.MOVED: "The name is in another place now.",
    FindingKind.PARAMETER_GONE: "The parameter is not there any more.",
    FindingKind.PARAMETER_RENAMED: "The parameter has another name now.",
    FindingKind.REORDERED: "An argument by position reaches another parameter now.",
    FindingKind.KEYWORD_ONLY: "The parameter must be given by name now.",
    FindingKind.TOO_MANY: "More arguments are given than are taken now.",
    FindingKind.TOO_FEW: "A parameter must be given now.",
    FindingKind.DEFAULT: "The default of a parameter that is not given changed.",
    FindingKind.RETURN: "The call gives something else now.",
    FindingKind.BEHAVIOUR: "The name is used in another way now.",
    FindingKind.DEPRECATED: "The name or parameter is on its way out.",
    FindingKind.NOT_YET: "The older release does not have it yet.",
}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def lines(findings: Sequence[Finding]) -> Iterator[str]:
    """One line a finding: where, how grave, what, since when."""
    for item in findings:
        cell = f"cell {item.cell}:" if item.cell else ""
        where = f"{item.file}:{cell}{item.line}:{item.column + 1}"
        since = f" ({since_when(item)})" if item.since and item.since != item.new else ""
        # One line whatever a file is called: a log's reader may obey a line of its own.
        yield in_a_line(f"{where}: {item.level} {item.kind}: {item.message}{since}")


def since_when(item: Finding) -> str:
    """Releases between two mined ones may treat it so already: "since" would be too exact."""
    if not item.last_fine:
        return f"since {item.since}"
    fine = f"; {item.last_fine} is fine" if item.last_fine != item.old else ""
    return f"by {item.since}{fine}"


def summary(findings: Sequence[Finding], files: int) -> str:
    counts = Counter(item.level for item in findings)
    parts = [f"{counts[level]} {_plural(level, counts[level])}" for level in FindingLevel]
    return f"{', '.join(parts)} in {files} file{'' if files == 1 else 's'}"


def _plural(level: FindingLevel, count: int) -> str:
    return {"error": "error", "warning": "warning", "info": "note"}[level] + "s" * (count != 1)


def to_json(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    return [_row(item) for item in findings]


def _row(item: Finding) -> dict[str, Any]:
    row = asdict(item)
    row["path"], row["from"], row["to"] = row.pop("file"), row.pop("old"), row.pop("new")
    row["fixable"] = row.pop("is_fixable")
    first = ("path", "line", "column", "symbol", "kind", "level", "package", "from", "to", "since")
    return {key: row[key] for key in (*first, *(key for key in row if key not in first))}


def github(findings: Iterable[Finding]) -> Iterator[str]:
    """Workflow commands, which GitHub shows beside the lines of a change."""
    for item in findings:
        place = f"file={_escaped(_relative(item.file), in_property=True)}"
        if not item.cell:
            place += f",line={item.line},endLine={item.end_line},col={item.column + 1}"
        title = _escaped(f"libdrift: {item.kind}", in_property=True)
        yield f"::{_GITHUB[item.level]} {place},title={title}::{_escaped(item.message)}"


def _escaped(text: str, *, in_property: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if in_property else text


def _relative(file: str) -> str:
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()


def sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    """A log in the static analysis results interchange format, version 2.1.0."""
    kinds = list(dict.fromkeys(item.kind for item in findings))
    rules = [
        {
            "id": kind.value,
            "shortDescription": {"text": _RULES[kind]},
        }
        for kind in kinds
    ]
    driver = {"name": "libdrift", "version": __version__, "rules": rules}
    results = [_result(item, kinds.index(item.kind)) for item in findings]
    run = {"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(item: Finding, rule: int) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(item.file)}}
    if not item.cell:  # lines of a notebook's file are not those of its code
        place["region"] = {
            "startLine": item.line,
            "startColumn": item.column + 1,
            "endLine": item.end_line,
            "endColumn": item.end_column + 1,
        }
    known = {
        "symbol": item.symbol,
        "package": item.package,
        "from": item.old,
        "to": item.new,
        "since": item.since,
        "last_fine": item.last_fine,
        "replacement": item.replacement,
        "cell": item.cell,
    }
    return {
        "ruleId": item.kind.value,
        "ruleIndex": rule,
        "level": _SARIF[item.level],
        "message": {"text": item.message},
        "locations": [{"physicalLocation": place}],
        "properties": {key: value for key, value in known.items() if value},
    }


def _uri(file: str) -> str:
    from urllib.parse import quote

    relative = _relative(file)
    return Path(file).as_uri() if Path(relative).is_absolute() else quote(os.fsencode(relative))
