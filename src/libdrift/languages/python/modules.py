"""Which modules a release has, told from the paths of its files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

# In a wheel; in an sdist, what it will be compiled from.
_COMPILED = re.compile(r"^(\w+)(?:\.[\w-]+)*\.(?:so|pyd|pyx)$")
# Folders that careless wheels have beside their package.
_NOT_PACKAGES = set(
    "tests test testing doc docs examples example benchmarks benchmark tools scripts build bin "
    "dist ci setup conftest noxfile tasks versioneer fabfile licenses share etc".split()
)
_NOT_MODULES = {"__main__", "conftest"}
_STUBS = "-stubs"
# The special names that users of a package read.
VERSIONS = frozenset({"__version__", "__version_info__"})


@dataclass(slots=True)
class ModuleFiles:
    name: str
    code: str = ""  # path of its .py
    stub: str = ""  # path of its .pyi
    compiled: bool = False
    package: bool = False
    silent: bool = False  # a folder without __init__: offered only where it is used
    children: dict[str, str] = field(default_factory=dict)  # label: module


@dataclass(slots=True)
class Modules:
    roots: tuple[str, ...]
    all: dict[str, ModuleFiles]


def is_public(name: str) -> bool:
    return not name.startswith("_")


def is_offered(module: str, name: str) -> bool:
    """Whether a name is for users: a public one, or the version that a package tells."""
    return is_public(name) or (name in VERSIONS and "." not in module)


def read(paths: Iterable[str]) -> Modules:
    """The importable modules among the files; tests of the package are none of its interface."""
    found: dict[str, ModuleFiles] = {}
    for path in paths:
        parts = _parts(path)
        if parts and "tests" not in parts[1:] and parts[-1] not in _NOT_MODULES:
            _add(found, parts, path)
    _drop_test_folders(found)
    roots = _roots(found)
    return Modules(tuple(sorted(roots)), _reachable(found, roots))


def _parts(path: str) -> list[str]:
    """The parts of the module that a file is; none where it is none."""
    *folders, name = path.split("/")
    if name.endswith((".py", ".pyi")):
        label = name.rpartition(".")[0]
    else:
        match = _COMPILED.match(name)
        label = match[1] if match else ""
    if folders and folders[0].endswith(_STUBS):
        folders[0] = folders[0].removesuffix(_STUBS)
    parts = folders if label == "__init__" else [*folders, label]
    return parts if parts and all(part.isidentifier() for part in parts) else []


def _add(found: dict[str, ModuleFiles], parts: list[str], path: str) -> None:
    name = ".".join(parts)
    module = found.setdefault(name, ModuleFiles(name))
    module.package = module.package or path.endswith(("__init__.py", "__init__.pyi"))
    if path.endswith(".py"):
        module.code = path
    elif path.endswith(".pyi"):
        module.stub = path
    else:
        module.compiled = True


def _drop_test_folders(found: dict[str, ModuleFiles]) -> None:
    """A folder named ``test`` is dropped where it holds tests (``django.test`` holds none)."""
    for name in [name for name in found if name.endswith(".test")]:
        inner = [m for m in found if m.startswith(f"{name}.")]
        if any(m.rpartition(".")[2].startswith("test_") for m in inner):
            for gone in (name, *inner):
                found.pop(gone, None)


def _roots(found: dict[str, ModuleFiles]) -> list[str]:
    tops = {name.partition(".")[0] for name in found}
    regular = [top for top in tops if top in found and top not in _NOT_PACKAGES]
    # A namespace has no file of its own: `google` of google-cloud-storage.
    packages = {n.partition(".")[0] for n, m in found.items() if m.package and "." in n}
    namespaces = [top for top in packages if top not in found and top not in _NOT_PACKAGES]
    public = [top for top in (*regular, *namespaces) if is_public(top)]
    return public or regular or [top for top in tops if top in found]


def _reachable(found: dict[str, ModuleFiles], roots: list[str]) -> dict[str, ModuleFiles]:
    """The modules below the roots, each package with its children.

    A folder without ``__init__`` inside a package can be imported, but is offered only where
    something imports from it: it may as well hold examples.
    """
    kept: dict[str, ModuleFiles] = {}
    namespaces = {root for root in roots if root not in found}
    tops = set(roots) | {n for n in found if "." not in n and not is_public(n)}
    for name in sorted(found):
        top, *rest = name.split(".")
        if top not in tops:
            continue
        parents = [".".join([top, *rest[:depth]]) for depth in range(len(rest))]
        for parent in parents:
            if parent not in found:
                silent = top not in namespaces
                kept.setdefault(parent, ModuleFiles(parent, package=True, silent=silent))
        kept[name] = found[name]
    for name in kept:
        parent, _, label = name.rpartition(".")
        if parent in kept:
            kept[parent].children[label] = name
    return kept
