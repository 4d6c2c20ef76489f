"""Exact versions that a repository pins, and which of its imports they are for."""

from __future__ import annotations

import ast
import configparser
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from libdrift.history import versions
from libdrift.history.store import Store
from libdrift.reading import toml_of

# Problems of requirement files, as they are counted.
BROKEN_LINE = "pin: requirement line that does not parse"
BROKEN_FILE = "pin: requirement file that cannot be read"
CONFLICT = "pin: conflicts with another file, which wins"
SEVERAL = "pin: several versions in one lock file"
OUTSIDE = "pin: included file that is not in the repository"


@dataclass(frozen=True, slots=True)
class Pins:
    """Canonical names of distributions to exact versions, and what was wrong on the way."""

    versions: Mapping[str, str]
    problems: Mapping[str, int]


def files(folder: Path) -> list[Path]:
    """The requirement files of a repository, those that win first."""
    found = [folder / name for name in _LOCKS]
    found.append(folder / "requirements.txt")
    for pattern in ("requirements*.txt", "requirements/*.txt", "constraints*.txt"):
        found += sorted(folder.glob(pattern))
    found += [folder / name for name in _DECLARED]
    return [path for path in dict.fromkeys(found) if path.is_file()]


def read(folder: Path, python: str) -> Pins:
    """All exact pins for Linux and a version of Python such as 3.11."""
    found: dict[str, str] = {}
    problems: Counter[str] = Counter()
    for path in files(folder):
        reading = _Reading(folder, python, problems)
        own: dict[str, list[str]] = {}
        for name, version in reading.pins(path):
            own.setdefault(name, []).append(version)
        for name, known in own.items():
            if path.name in _LOCKS and not _agree(known):
                # One for each platform or Python, as a rule. Which is ours cannot be told.
                problems[SEVERAL] += 1
            elif not _agree([found.setdefault(name, known[0]), *known]):
                problems[CONFLICT] += 1
    return Pins(found, problems)


def _agree(known: list[str]) -> bool:
    return all(versions.same(version, known[0]) for version in known)


class _Reading:
    """One requirement file with all that it includes."""

    def __init__(self, folder: Path, python: str, problems: Counter[str]) -> None:
        self.folder = folder
        self.python = python
        self.problems = problems
        self.seen: set[Path] = set()

    def pins(self, path: Path) -> Iterator[tuple[str, str]]:
        try:
            yield from self._pins(path)
        except (OSError, ValueError, SyntaxError, configparser.Error, AttributeError, TypeError):
            # ValueError: broken JSON, TOML or text; the last two: of another shape than it has.
            self.problems[BROKEN_FILE] += 1
        except (RecursionError, MemoryError):
            self.problems[BROKEN_FILE] += 1

    def _pins(self, path: Path) -> Iterator[tuple[str, str]]:
        reader = _LOCKS.get(path.name) or _DECLARED.get(path.name)
        lines = reader(_text(path)) if reader else self._requirements(path)
        for line in lines:
            try:
                pin = exact(line, self.python)
            except ValueError:  # of packaging: a requirement, a version or a marker that is none
                self.problems[BROKEN_LINE] += 1
                continue
            if pin:
                yield pin

    def _requirements(self, path: Path) -> Iterator[str]:
        """The lines of a requirements file and of the files that it names."""
        place = path.resolve()
        if place in self.seen:
            return
        self.seen.add(place)
        if not place.is_relative_to(self.folder.resolve()) or not place.is_file():
            self.problems[OUTSIDE] += 1
            return
        text = re.sub(r"\\\r?\n", "", _text(path))
        for written in text.splitlines():
            line = re.sub(r"(?:^|\s)#.*", "", written).strip()
            included = _INCLUDED.fullmatch(line)
            if included:
                yield from self._requirements(path.parent / included[1].strip())
            elif line and not line.startswith("-"):
                yield re.split(r"\s--?[a-z]", line)[0]  # hashes and other options


_INCLUDED = re.compile(r"(?:-r|-c|--requirement|--constraint)[=\s]*(\S.*)")


_ADDRESS = re.compile(r"[\w+]+://|\.{0,2}/")


def exact(requirement: str, python: str) -> tuple[str, str] | None:
    """The name and version of an exact pin, if it is one and counts for a Python on Linux."""
    if _ADDRESS.match(requirement):
        return None
    parsed = Requirement(requirement)
    if parsed.marker and not parsed.marker.evaluate(_environment(python)):
        return None
    pinned = [
        spec.version
        for spec in parsed.specifier
        if spec.operator in {"==", "==="} and not spec.version.endswith(".*")
    ]
    if len(pinned) != 1:
        return None
    return canonicalize_name(parsed.name), Version(pinned[0]).public


def _environment(python: str) -> dict[str, str]:
    """What markers are asked of: the same on every machine."""
    return {
        "extra": "",
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "os_name": "posix",
        "platform_machine": "x86_64",
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": "Linux",
        "platform_version": "",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }


# --- files, each as requirement lines


def _text(path: Path) -> str:
    data = path.read_bytes()
    # Some shells write UTF-16 where a list is sent to a file.
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return data.decode("utf-16" if wide else "utf-8-sig")


def _lock(text: str) -> Iterator[str]:
    """poetry.lock, uv.lock: the project itself is among the packages, without a registry."""
    for package in toml_of(text).get("package", ()):
        source = package.get("source") or {}
        if "version" in package and not {"editable", "virtual", "directory"} & source.keys():
            yield f"{package['name']}=={package['version']}"


def _pipfile_lock(text: str) -> Iterator[str]:
    content = json.loads(text)
    for section in ("default", "develop"):
        for name, facts in content.get(section, {}).items():
            yield f"{name}{facts.get('version', '')}"


def _pyproject(text: str) -> Iterator[str]:
    content = toml_of(text)
    project = content.get("project", {})
    yield from project.get("dependencies", ())
    optional = project.get("optional-dependencies", {})
    for group in (*optional.values(), *content.get("dependency-groups", {}).values()):
        yield from (item for item in group if isinstance(item, str))
    poetry = content.get("tool", {}).get("poetry", {})
    groups = [poetry, *poetry.get("group", {}).values()]
    for group in groups:
        for key in ("dependencies", "dev-dependencies"):
            yield from _poetry(group.get(key, {}))


def _poetry(dependencies: Mapping[str, Any]) -> Iterator[str]:
    """A plain version is exact to poetry; ranges of its own spelling are none for us."""
    for name, facts in dependencies.items():
        version = facts.get("version", "") if isinstance(facts, dict) else facts
        if isinstance(version, str) and re.fullmatch(r"(?:==\s*)?\d[\w.!+-]*", version):
            yield f"{name}=={version.lstrip('= ')}"


def _setup_cfg(text: str) -> Iterator[str]:
    config = configparser.ConfigParser(interpolation=None, strict=False)
    config.read_string(text)
    lists = []
    if config.has_section("options"):
        lists = [config["options"].get(key, "") for key in ("install_requires", "tests_require")]
    if config.has_section("options.extras_require"):
        lists += config["options.extras_require"].values()
    for line in "\n".join(lists).splitlines():
        if line.strip() and not line.strip().startswith(("#", "file:")):
            yield line.strip()


def _setup_py(text: str) -> Iterator[str]:
    """What ``setup`` is told in so many words; nothing is run."""
    tree = ast.parse(text)
    names = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "install_requires":
            value = names.get(node.value.id) if isinstance(node.value, ast.Name) else node.value
            items = value.elts if isinstance(value, ast.List | ast.Tuple) else ()
            for item in items:
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    yield item.value


_CONDA = re.compile(r"\s*-\s+([\w.-]+)\s*(?:==\s*(\d[\w.!+]*)|=\s*(\d[\w.!+]*)=\S+)\s*(?:#.*)?")


def _conda(text: str) -> Iterator[str]:
    """``name==1.2`` and ``name=1.2=build``; ``name=1.2`` is 1.2.* to conda."""
    for line in text.splitlines():
        match = _CONDA.fullmatch(line)
        if match:
            yield f"{_CONDA_NAMES.get(match[1], match[1])}=={match[2] or match[3]}"


_CONDA_NAMES = {"pytorch": "torch", "opencv": "opencv-python", "py-xgboost": "xgboost"}
_LOCKS: dict[str, Callable[[str], Iterator[str]]] = {
    "poetry.lock": _lock,
    "uv.lock": _lock,
    "Pipfile.lock": _pipfile_lock,
}
_DECLARED: dict[str, Callable[[str], Iterator[str]]] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "environment.yml": _conda,
    "environment.yaml": _conda,
}


# --- from imports to pins

# Modules that are not called as what is installed. A module may come in several ways.
_DISTRIBUTIONS = {
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "Crypto": "pycryptodome pycrypto",
    "cv2": "opencv-python opencv-python-headless opencv-contrib-python"
    " opencv-contrib-python-headless",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "faiss": "faiss-cpu faiss-gpu",
    "fitz": "pymupdf",
    "git": "gitpython",
    "github": "pygithub",
    "gi": "pygobject",
    "jose": "python-jose",
    "jwt": "pyjwt",
    "ldap": "python-ldap",
    "Levenshtein": "levenshtein python-levenshtein",
    "magic": "python-magic",
    "mpl_toolkits": "matplotlib",
    "MySQLdb": "mysqlclient",
    "OpenSSL": "pyopenssl",
    "past": "future",
    "PIL": "pillow",
    "pkg_resources": "setuptools",
    "pptx": "python-pptx",
    "psycopg2": "psycopg2 psycopg2-binary",
    "pylab": "matplotlib",
    "bson": "pymongo",
    "rest_framework": "djangorestframework",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "slugify": "python-slugify",
    "socks": "pysocks",
    "telegram": "python-telegram-bot",
    "tensorflow": "tensorflow tensorflow-cpu tensorflow-gpu",
    "usb": "pyusb",
    "websocket": "websocket-client",
    "win32api": "pywin32",
    "xdg": "pyxdg",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}


def distributions(module: str) -> tuple[str, ...]:
    """What a module is of that is not called like it, as is well known: PIL is of pillow."""
    return tuple(_DISTRIBUTIONS.get(module.partition(".")[0], "").split())


def canonical(name: str) -> str:
    """A distribution's name as pins have it."""
    return canonicalize_name(name)


class Libraries:
    """The pinned library that a module is of: as mined, as is well known, or by its name."""

    def __init__(self, pinned: Mapping[str, str], store: Store | None = None) -> None:
        self.versions = pinned
        self._store = store
        self._known: dict[str, str | None] = {}

    def of(self, module: str) -> str | None:
        if module not in self._known:
            self._known[module] = self._find(module)
        return self._known[module]

    def _find(self, module: str) -> str | None:
        mined = self._store.package_of(module) if self._store else None
        names = [mined] if mined else []
        names += distributions(module)
        parts = module.split(".")  # google.cloud.storage is google-cloud-storage
        names += [".".join(parts[: length + 1]) for length in range(len(parts))]
        plain = (canonicalize_name(name) for name in names)
        return next((name for name in plain if name in self.versions), None)
