"""Versions that files and environments name: lock files, requirements, what is installed.

Each reader takes the text of a file and gives exact versions by the package's usual name. Ranges
are read too, as their lowest version, but apart: they are a promise, not what is installed.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from packaging.markers import InvalidMarker, Marker

from libdrift.errors import UserError

_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#]*)")
_EXACT = re.compile(r"={2,3}\s*v?(\d[\w.+!-]*)(?<!\.)(?!\*)\s*(?:$|[\s,)\\])")
_LOWEST = re.compile(r"(?:>=|~=|\^|~|==)\s*v?(\d+(?:\.\d+)*)")
_CONDA = re.compile(
    r"^\s*-\s*[\"']?(?:[\w-]+::)?([\w.-]+)\s*={1,2}\s*(\d[\w.]*)(?:=[\w.]+)?[\"']?\s*$"
)
_INCLUDE = re.compile(r"^\s*(?:-r|--requirement|-c|--constraint)[\s=]+(\S+)")
_PYTHONS = tuple(f"3.{minor}" for minor in range(6, 16))
_MOST_FILES = 50  # that one requirements file leads to


@dataclass(frozen=True, slots=True)
class VersionTable:
    """Versions by package, and where they were read."""

    source: str
    exact: Mapping[str, str] = field(default_factory=dict)
    lowest: Mapping[str, str] = field(default_factory=dict)  # of ranges
    is_range: bool = False  # what is told as exact is the bound of a range


def usual(name: str) -> str:
    """A package's name as the index writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_file(path: Path) -> VersionTable:
    """The versions that a file names; its name says of which kind it is."""
    reader = _reader(path)
    if reader is None:
        raise UserError(
            f"{path}: not a known kind of lock or requirements file",
            "Name uv.lock, poetry.lock, pylock.toml, Pipfile.lock, environment.yml, "
            "requirements.txt or pyproject.toml",
        )
    try:
        exact, lowest = reader(path)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(f"{path} is not well formed: {error}") from error
    return VersionTable(path.name, exact, lowest)


Versions = tuple[dict[str, str], dict[str, str]]  # exact, lowest


def _reader(path: Path) -> Callable[[Path], Versions] | None:
    name = path.name.lower()
    if name == "pipfile.lock":
        return _pipenv
    if name.endswith(".lock") or re.fullmatch(r"pylock(?:\..+)?\.toml", name):
        return _locked
    if name == "pyproject.toml":
        return _project
    if name.endswith((".yml", ".yaml")):
        return _conda
    return _requirements if name.endswith((".txt", ".in")) else None


def _locked(path: Path) -> Versions:
    """uv, poetry, pdm and the standard's own: tables of packages."""
    data = tomllib.loads(path.read_text("utf-8"))
    listed = [*data.get("package", []), *data.get("packages", [])]
    exact = {
        usual(item["name"]): str(item["version"])
        for item in listed
        if "version" in item and not _is_local(item)
    }
    return exact, {}


def _is_local(item: Mapping[str, Any]) -> bool:
    source = item.get("source")
    return isinstance(source, dict) and bool({"virtual", "editable", "directory"} & source.keys())


def _pipenv(path: Path) -> Versions:
    data = json.loads(path.read_text("utf-8"))
    exact: dict[str, str] = {}
    for part in ("develop", "default"):
        for name, item in data.get(part, {}).items():
            if str(item.get("version", "")).startswith("=="):
                exact[usual(name)] = item["version"].lstrip("=")
    return exact, {}


def _conda(path: Path) -> Versions:
    """By lines: `- numpy=1.24.4`, and below `- pip:` requirements."""
    exact: dict[str, str] = {}
    for line in path.read_text("utf-8").splitlines():
        match = _CONDA.match(line)
        if match:
            exact[usual(match[1])] = match[2]
    return exact, {}


def _requirements(path: Path) -> Versions:
    exact: dict[str, str] = {}
    lowest: dict[str, str] = {}
    for line in _lines(path, set()):
        _add(line, exact, lowest)
    return exact, lowest


def _lines(path: Path, seen: set[Path]) -> Iterator[str]:
    if path.resolve() in seen or len(seen) > _MOST_FILES:
        return
    seen.add(path.resolve())
    for line in path.read_text("utf-8").splitlines():
        included = _INCLUDE.match(line)
        if included:
            inner = path.parent / included[1]
            if inner.is_file():
                yield from _lines(inner, seen)
        elif not line.lstrip().startswith(("#", "-")):
            yield line


def _add(text: str, exact: dict[str, str], lowest: dict[str, str]) -> None:
    match = _REQUIREMENT.match(text)
    if not match:
        return
    name, wanted = usual(match[1]), match[2].strip()
    if _is_of_no_python(text.partition("#")[0].partition(" --")[0].partition(";")[2]):
        return
    pinned, least = _EXACT.search(wanted), _LOWEST.search(wanted)
    if pinned:
        exact[name] = pinned[1]
    elif least:
        lowest[name] = least[1]


def _is_of_no_python(marker: str) -> bool:
    """Whether a requirement is for Pythons alone that no code of today is written for."""
    try:
        wanted = Marker(marker.rstrip("\\ \n")) if "python" in marker else None
    except InvalidMarker:
        return False
    return wanted is not None and not any(
        wanted.evaluate({"python_version": minor, "python_full_version": f"{minor}.0"})
        for minor in _PYTHONS
    )


def _project(path: Path) -> Versions:
    data = tomllib.loads(path.read_text("utf-8"))
    project, tool = data.get("project", {}), data.get("tool", {})
    exact: dict[str, str] = {}
    lowest: dict[str, str] = {}
    groups = [project.get("dependencies", []), *project.get("optional-dependencies", {}).values()]
    groups += data.get("dependency-groups", {}).values()
    for text in (item for group in groups for item in group if isinstance(item, str)):
        _add(text, exact, lowest)
    for name, wanted in tool.get("poetry", {}).get("dependencies", {}).items():
        text = wanted.get("version", "") if isinstance(wanted, dict) else wanted
        if isinstance(text, str):
            _add(f"{name} {'==' if text[:1].isdigit() else ''}{text}", exact, lowest)
    if project.get("requires-python"):
        _add(f"python {project['requires-python']}", exact, lowest)
    return exact, lowest


def installed(folder: Path) -> VersionTable:
    """What an environment has: a folder with ``lib/python3.x/site-packages``."""
    from importlib.metadata import distributions

    places = [*folder.glob("lib/python3*/site-packages"), *folder.glob("Lib/site-packages")]
    exact: dict[str, str] = {}
    for found in distributions(path=[str(place) for place in places]):
        name = found.metadata["Name"] if found.metadata else None
        if name and found.version:
            exact[usual(name)] = found.version
    python = re.search(r"^version(?:_info)?\s*=\s*(\d+\.\d+)", _settings(folder), re.MULTILINE)
    if python:
        exact["python"] = python[1]
    return VersionTable(f"the environment {folder.name}", exact)


def _settings(folder: Path) -> str:
    try:
        return (folder / "pyvenv.cfg").read_text("utf-8", errors="replace")
    except OSError:
        return ""
