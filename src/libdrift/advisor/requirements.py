"""What a project says that it needs, by the files that it has; none of them is run."""

from __future__ import annotations

import ast
import configparser
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

from libdrift.advisor.pins import read_file
from libdrift.errors import UserError

_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", "Pipfile.lock")
_GROUPS = ("test", "tests", "testing", "dev")
_OF_SETUP = ("install_requires", "tests_require")


def project_root(place: Path) -> Path:
    """The folder that a project is in: of its repository, its pyproject.toml, or the place."""
    folder = place.resolve() if place.is_dir() else place.resolve().parent
    for above in (folder, *folder.parents):
        if any((above / name).exists() for name in (".git", "pyproject.toml", "setup.py")):
            return above
    return folder


def project_requirements(root: Path) -> list[str]:
    """Of the lock file; else of requirements files, pyproject.toml, setup.cfg and setup.py."""
    for name in _LOCKS:
        if (root / name).is_file():
            exact = read_file(root / name).exact
            # Read again: what a file calls a name or a version could be an option, or an address.
            return [text for text in (_requirement(f"{p}=={v}") for p, v in exact.items()) if text]
    lines: list[str] = []
    for path in sorted(root.glob("*requirements*.txt")):
        if path.is_file():
            lines += path.read_text("utf-8", errors="replace").splitlines()
    readers = {
        "pyproject.toml": _of_pyproject,
        "setup.cfg": _of_setup_cfg,
        "setup.py": _of_setup_py,
    }
    for name, read in readers.items():
        if (root / name).is_file():
            lines += read(root / name)
    return list(dict.fromkeys(text for text in map(_requirement, lines) if text))


def _of_pyproject(path: Path) -> Iterator[str]:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(f"{path} cannot be read: {error}") from error
    project = _table(data, "project")
    yield from _listed(project, "dependencies")
    for table in (_table(project, "optional-dependencies"), _table(data, "dependency-groups")):
        for name in _GROUPS:
            yield from _listed(table, name)


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}


def _listed(table: Mapping[str, Any], name: str) -> Iterator[str]:
    found = table.get(name)
    yield from (
        item for item in (found if isinstance(found, list) else ()) if isinstance(item, str)
    )


def _of_setup_cfg(path: Path) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(path.read_text("utf-8", errors="replace"))
    except configparser.Error as error:
        raise UserError(f"{path} cannot be read: {error}") from error
    for name in _OF_SETUP:
        yield from parser.get("options", name, fallback="").splitlines()
    for name in _GROUPS:
        yield from parser.get("options.extras_require", name, fallback="").splitlines()


def _of_setup_py(path: Path) -> Iterator[str]:
    """Lists that are written out, in the call of `setup` or under a name."""
    try:
        tree = ast.parse(path.read_text("utf-8", errors="replace"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # of Python 2: whatever it needs, it is not for today's environments
    named = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        for keyword in call.keywords:
            value = named.get(getattr(keyword.value, "id", ""), keyword.value)
            if keyword.arg in _OF_SETUP:
                yield from _texts(value)
            elif keyword.arg == "extras_require" and isinstance(value, ast.Dict):
                for key, item in zip(value.keys, value.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value in _GROUPS:
                        yield from _texts(named.get(getattr(item, "id", ""), item))


def _texts(node: ast.expr) -> Iterator[str]:
    for item in node.elts if isinstance(node, ast.List | ast.Tuple) else ():
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            yield item.value


def _requirement(line: str) -> str:
    text = line.partition(" #")[0].strip()
    if not text or text.startswith(("#", "-")):
        return ""
    try:
        found = Requirement(text.partition(" --")[0].rstrip("\\ "))
    except InvalidRequirement:
        return ""
    if found.url or (found.marker and not found.marker.evaluate()):
        return ""
    extras = f"[{','.join(sorted(found.extras))}]" if found.extras else ""
    return f"{found.name}{extras}{found.specifier}"
