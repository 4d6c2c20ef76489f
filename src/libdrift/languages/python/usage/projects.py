"""The modules of one project, so that values are followed from one of its files to another.

All files are read once, each after those that it imports. What their names stand for is kept, and
what they give to each other's functions; the code itself is not.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from libdrift.languages.python.usage.bindings import Binding, Other, OwnModule, merged
from libdrift.languages.python.usage.imports import parsed
from libdrift.languages.python.usage.members import OwnDefinitions
from libdrift.languages.python.usage.statements import read
from libdrift.languages.python.usage.types import Lookup, Packages

_SUFFIXES = (".py", ".pyw")
_DEEPEST = 40  # modules that import each other in a row
_Position = tuple[Path, int, int]  # of a function: place of its module, line, column


class ProjectModules:
    """What is known of the files that were read."""

    def __init__(self, packages: Packages, release: Lookup) -> None:
        self._packages, self._release = packages, release
        self.definitions = OwnDefinitions()
        self._waiting: dict[Path, str] = {}  # code that is not read yet, by the place of its file
        self._folders: set[Path] = set()
        self._known: set[Path] = set()
        self._roots: dict[Path, None] = {}
        self._names: dict[Path, dict[str, Binding]] = {}
        self._functions: dict[ast.AST, _Position] = {}
        self._given: dict[_Position, dict[str, Binding]] = {}
        self._depth = 0

    def learn(self, files: Iterable[tuple[str, str]], roots: Collection[str] = ()) -> None:
        """Reads files, given as path and code; ``roots`` are folders that imports may start at."""
        found = {place_of_file(file): code for file, code in files if file.endswith(_SUFFIXES)}
        self._waiting = dict(found)
        self._known = set(found)
        for place in found:
            for folder in place.parents:
                if folder in self._folders:
                    break
                self._folders.add(folder)
        starts = [Path(root).absolute() for root in roots]
        self._roots = dict.fromkeys([*starts, *map(self._root_of, found)])
        for place in found:
            self._read(place)

    def seen_from(self, file: str) -> ProjectView:
        return ProjectView(self, place_of_file(file))

    def imports_some(self, file: str, modules: Iterable[str]) -> bool:
        """Whether a file imports another one of the project."""
        view = self.seen_from(file)
        return any(view.place_of(module) for module in modules)

    def _root_of(self, place: Path) -> Path:
        """The folder that the names of a file's package start at."""
        folder = place.parent
        while folder in self._known:  # it has an __init__
            folder = folder.parent
        return folder

    def _read(self, place: Path) -> None:
        code = self._waiting.get(place)
        if code is None or self._depth >= _DEEPEST:
            return
        del self._waiting[place]
        tree = parsed(code)
        if tree is None:
            return
        self._depth += 1
        view = ProjectView(self, place, is_learning=True)
        try:
            read(tree, self._packages, self._release, neighbours=view)
        except RecursionError:
            return  # nested too deep: told when it is checked
        finally:
            self._depth -= 1
        _forget_bodies(tree)

    # --- what the views ask

    def find(self, module: str, place: Path) -> Path | None:
        """The place of a module that the file at another place imports."""
        level = len(module) - len(module.lstrip("."))
        parts = [part for part in module[level:].split(".") if part]
        if level:
            start = place if place in self._folders else place.parent
            for _ in range(level - 1):
                start = start.parent
            return self._at(start, parts)
        if not parts or parts[0] in sys.stdlib_module_names:
            return None
        starts = (self._root_of(place), place.parent, *self._roots)
        return next(filter(None, (self._at(start, parts) for start in starts)), None)

    def _at(self, start: Path, parts: list[str]) -> Path | None:
        place = start.joinpath(*parts)
        return place if place in self._known or place in self._folders else None

    def names(self, place: Path) -> Mapping[str, Binding]:
        self._read(place)
        return self._names.get(place, {})

    def has(self, place: Path) -> bool:
        return place in self._known or place in self._folders

    def put(self, place: Path, name: str, binding: Binding) -> None:
        names = self._names.setdefault(place, {})
        names[name] = merged(names.get(name, Other.NOTHING), binding)

    def given(self, position: _Position) -> Mapping[str, Binding]:
        return self._given.get(position, {})

    def keep(self, place: Path, names: Mapping[str, Binding], found: OwnDefinitions) -> None:
        """What was learnt of one module."""
        mine = self._names.setdefault(place, {})
        for name, binding in names.items():
            # What others make an attribute of it, they do later.
            mine[name] = merged(binding, mine.get(name, Other.NOTHING))
        all_of = self.definitions
        all_of.attributes |= found.attributes
        all_of.returns |= found.known().returns
        all_of.bases |= found.bases
        all_of.methods |= found.methods
        for node in found.returns:
            self._functions[node] = _position(place, node)
        for node, passed in found.given.items():
            position = self._functions.get(node)
            if position is None or position[0] == place:
                continue  # what a module gives to its own functions is read with it
            known = self._given.setdefault(position, {})
            for name, binding in passed.items():
                known[name] = merged(known.get(name, Other.NOTHING), binding)


@dataclass(slots=True)
class ProjectView:
    """A project as one of its files sees it."""

    project: ProjectModules
    place: Path
    is_learning: bool = False
    definitions: OwnDefinitions = field(init=False)

    def __post_init__(self) -> None:
        self.definitions = self.project.definitions

    def place_of(self, module: str) -> Path | None:
        found = self.project.find(module, self.place)
        return None if found == self.place else found

    def names(self, place: Path) -> Mapping[str, Binding]:
        return self.project.names(place)

    def below(self, place: Path, name: str) -> Path | None:
        inner = place / name
        return inner if self.project.has(inner) else None

    def given(self, node: ast.AST) -> Mapping[str, Binding]:
        return self.project.given(_position(self.place, node))

    def put(self, place: Path, name: str, binding: Binding) -> None:
        if self.is_learning and not isinstance(binding, OwnModule):
            self.project.put(place, name, binding)

    def keep(self, names: Mapping[str, Binding], found: OwnDefinitions) -> None:
        if self.is_learning:
            self.project.keep(self.place, names, found)


def place_of_file(file: str) -> Path:
    """A file without its suffix; of a package's ``__init__``, the folder."""
    path = Path(file).absolute()
    return path.parent if path.stem == "__init__" else path.with_suffix("")


def _position(place: Path, node: ast.AST) -> _Position:
    return place, getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _forget_bodies(tree: ast.Module) -> None:
    """Definitions are kept as the keys of what is known of them; their code is not needed."""
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.body = []
