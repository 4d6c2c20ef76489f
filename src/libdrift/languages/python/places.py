"""Where the files of an archive would be in site-packages."""

from __future__ import annotations

import configparser
import re
from collections.abc import Collection, Mapping
from typing import Any

from packaging.utils import canonicalize_name

from libdrift.reading import toml_of

_KEPT = (".py", ".pyi", ".so", ".pyd", ".pyx", "/py.typed")
# What tells, in an sdist, where its packages are.
_HINTS = ("top_level.txt", "setup.cfg", "pyproject.toml", "setup.py")
# PyYAML keeps one tree for each Python: the newer counts.
_USUAL = ("", "src", "lib3", "lib", "python")
_NOISE = frozenset(
    "test tests testing doc docs example examples demo demos sample samples script scripts tool"
    " tools benchmark benchmarks asv_bench build_tools ci bin build dist contrib requirements"
    " utils vendor third_party".split()
)
_TOOLS = frozenset(
    "setup setupegg setup_cython conftest versioneer ez_setup distribute_setup noxfile tasks"
    " fabfile bootstrap runtests conf site_scons".split()
)


def kept(name: str) -> bool:
    """Is this a file that surfaces are read from, or that says what they lack?"""
    return name.endswith(_KEPT)


def hint(name: str) -> bool:
    """Does this file say, near the root of an sdist, where its packages are?"""
    folder, _, base = name.rpartition("/")
    if base == "top_level.txt":
        return folder.endswith(".egg-info") and name.count("/") <= 4  # noqa: PLR2004
    return base in _HINTS and name.count("/") <= 1


def wheel_path(name: str) -> str | None:
    """A member's place in site-packages; None for what an installer puts elsewhere."""
    first, _, rest = name.partition("/")
    if first.endswith(".dist-info"):
        return None
    if first.endswith(".data"):
        scheme, _, inner = rest.partition("/")
        return inner if scheme in {"purelib", "platlib"} and kept(inner) else None
    return name if kept(name) else None


def sdist_paths(names: Collection[str], hints: Mapping[str, bytes], package: str) -> dict[str, str]:
    """Places in site-packages of an sdist's members, as its build would put them there."""
    top = _common_top(names)
    paths = {name: name.removeprefix(top) for name in names}
    texts = {
        name.removeprefix(top): content.decode("utf-8", "replace")
        for name, content in hints.items()
    }
    tree = _Tree([path for name, path in paths.items() if kept(name)])
    base, tops = _base(tree, texts, package)
    prefix = f"{base}/" if base else ""
    found = {}
    for name, path in paths.items():
        if kept(name) and path.startswith(prefix):
            inner = path.removeprefix(prefix)
            if inner.partition("/")[0].partition(".")[0] in tops:
                found[name] = inner
    return found


class _Tree:
    """The importable names of each folder: packages (which hold Python files) and modules."""

    def __init__(self, paths: Collection[str]) -> None:
        self.packages: dict[str, set[str]] = {}
        self.modules: dict[str, set[str]] = {}
        self.folders: dict[str, set[str]] = {}  # with Python files somewhere below
        for path in paths:
            *folders, base = path.split("/")
            stem = base.partition(".")[0]
            where = "/".join(folders)
            if stem == "__init__" and folders:
                self.packages.setdefault("/".join(folders[:-1]), set()).add(folders[-1])
            elif stem.isidentifier() and base != "py.typed":
                self.modules.setdefault(where, set()).add(stem)
            for depth in range(len(folders)):
                self.folders.setdefault("/".join(folders[:depth]), set()).add(folders[depth])

    def names(self, base: str) -> set[str]:
        return self.packages.get(base, set()) | self.modules.get(base, set())


def _base(tree: _Tree, texts: Mapping[str, str], package: str) -> tuple[str, set[str]]:
    """The folder that a build takes packages from, and the names that it takes."""
    said = _said(texts)
    bases = list(dict.fromkeys([*said, *_USUAL]))
    declared = _declared(texts, package)
    if declared:
        reach = {
            base: len(declared & (tree.names(base) | tree.folders.get(base, set())))
            for base in bases
        }
        best = max(bases, key=lambda base: reach[base])  # of equals the first
        if reach[best]:
            return best, declared
    own = canonicalize_name(package).replace("-", "_")
    wanted = {own, own.partition("_")[0]}
    for base in bases:
        if own in {name.lower() for name in tree.packages.get(base, ())}:
            return base, _tops(tree, base)
    for base in bases:
        match = {name for name in tree.modules.get(base, ()) if name.lower() == own}
        if match:
            return base, match | (tree.packages.get(base, set()) - _NOISE)
    for base in [*said, "src", "lib3", "lib", "python", ""]:
        if _tops(tree, base):
            return base, _tops(tree, base)
    for base in bases:  # a namespace: its outer folder has no __init__
        match = {name for name in tree.folders.get(base, ()) if name.lower() in wanted}
        if match:
            return base, match
    return "", set()


def _tops(tree: _Tree, base: str) -> set[str]:
    """What is installed from a folder where nothing says so: packages, else modules."""
    packages = tree.packages.get(base, set())
    if base:
        return packages | tree.modules.get(base, set())
    return (packages - _NOISE) or (tree.modules.get(base, set()) - _TOOLS)


def _declared(texts: Mapping[str, str], package: str) -> set[str]:
    own = canonicalize_name(package)
    for path, text in texts.items():
        folder, _, base = path.rpartition("/")
        name = folder.rpartition("/")[2].removesuffix(".egg-info")
        if base == "top_level.txt" and canonicalize_name(name) == own:
            return {line.strip().partition("/")[0] for line in text.splitlines() if line.strip()}
    return set()


def _said(texts: Mapping[str, str]) -> list[str]:
    """The folders that the build's settings name as holding the packages."""
    found = [
        *_said_toml(texts.get("pyproject.toml", "")),
        *_said_cfg(texts.get("setup.cfg", "")),
        *_said_code(texts.get("setup.py", "")),
    ]
    return [clean for text in found if (clean := text.strip().strip("./")) or text.strip() == "."]


def _said_toml(text: str) -> list[str]:
    try:
        tool: Any = toml_of(text).get("tool", {})
        setuptools = tool.get("setuptools", {})
        where = [setuptools.get("package-dir", {}).get("", "")]
        packages = setuptools.get("packages", {})
        if isinstance(packages, dict):
            where += packages.get("find", {}).get("where", [])
        where += [item.get("from", "") for item in tool.get("poetry", {}).get("packages", [])]
        where += [tool.get("maturin", {}).get("python-source", "")]
    except (ValueError, AttributeError, TypeError):
        return []
    return [item for item in where if isinstance(item, str)]


def _said_cfg(text: str) -> list[str]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return []
    where = [parser.get("options.packages.find", "where", fallback="")]
    for line in parser.get("options", "package_dir", fallback="").splitlines():
        name, _, folder = line.partition("=")
        if not name.strip():
            where.append(folder)
    return where


def _said_code(text: str) -> list[str]:
    patterns = (
        r"package_dir\s*=\s*\{\s*(?:''|\"\")\s*:\s*['\"]([\w./-]+)['\"]",
        r"find_(?:namespace_)?packages\(\s*(?:where\s*=\s*)?['\"]([\w./-]+)['\"]",
    )
    return [match for pattern in patterns for match in re.findall(pattern, text)]


def _common_top(names: Collection[str]) -> str:
    tops = {name.partition("/")[0] for name in names if "/" in name}
    return f"{tops.pop()}/" if len(tops) == 1 else ""
