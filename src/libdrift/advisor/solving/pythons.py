"""The standard library of any Python, by when its names came and went.

Mined Pythons are those of this machine. Of the others a table tells that a tool keeps which finds
the least Python for a program.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any

from libdrift.advisor.solving import reading
from libdrift.advisor.solving.reading import LibraryCode
from libdrift.advisor.solving.rewriting import LostName
from libdrift.advisor.solving.suspects import ADDITION, GONE, REPLACED, Strength, Suspect
from libdrift.history.views import View
from libdrift.languages.python.usage import ReleaseTypes, Span, Use
from libdrift.languages.python.usage.uses import span_of
from libdrift.records import Surface

_Minor = tuple[int, int]
_Since = tuple[_Minor | None, _Minor | None]  # in Python 2, and in Python 3; None: in none of it
_BUILT_IN = ("dict", "list", "str", "bytes", "set", "int", "float", "tuple", "object", "file")
_TWO = 2  # Python's old major version
# What Python 3.0 dropped of Python 2's builtins, and what it says to use instead.
_DROPPED = {
    "apply": "",
    "basestring": "str",
    "buffer": "memoryview",
    "cmp": "",
    "coerce": "",
    "dict.has_key": "in",
    "dict.iteritems": "dict.items",
    "dict.iterkeys": "dict.keys",
    "dict.itervalues": "dict.values",
    "execfile": "exec",
    "file": "open",
    "intern": "sys.intern",
    "long": "int",
    "object.__coerce__": "",
    "object.__div__": "object.__truediv__",
    "object.__getslice__": "object.__getitem__",
    "object.__hex__": "object.__index__",
    "object.__long__": "object.__int__",
    "object.__nonzero__": "object.__bool__",
    "object.__oct__": "object.__index__",
    "object.__setslice__": "object.__setitem__",
    "object.__unicode__": "object.__str__",
    "raw_input": "input",
    "reduce": "functools.reduce",
    "reload": "importlib.reload",
    "unichr": "chr",
    "unicode": "str",
    "xrange": "range",
}
_CAME = {new: old for old, new in _DROPPED.items() if new.startswith("sys.")}


def _members(name: str) -> list[str]:
    return [f"{kind}.{name}" for kind in _BUILT_IN]


def minor_of(version: str) -> _Minor:
    found = [int(part) for part in re.findall(r"\d+", version)[:2]]
    return (found[0], found[1] if len(found) > 1 else 0) if found else (3, 0)


@cache
def _table() -> Mapping[str, _Since]:
    """Since when names are there, by their paths."""
    rules: Any = importlib.import_module("vermin.rules")
    config: Any = importlib.import_module("vermin.config").Config()
    return {**rules.MOD_MEM_REQS(config), **rules.MOD_REQS(config)}


class StandardLibrary:
    """Between two Pythons; ``mined`` has the surfaces of those of this machine, by version."""

    def __init__(
        self, origin: str, target: str, mined: Mapping[str, Surface], runtime: str = ""
    ) -> None:
        self.origin, self.target = minor_of(origin), minor_of(target)
        # What stands in for a Python that is not to be had may be of another major version.
        self.is_run_on_2 = bool(runtime) and minor_of(runtime)[0] == _TWO < self.origin[0]
        self._views = {minor_of(version): View(surface) for version, surface in mined.items()}

    @property
    def is_downgrade(self) -> bool:
        return self.origin > self.target

    @cached_property
    def _reader(self) -> View | None:
        """The mined Python that is nearest to the one that the code was written for."""
        near = sorted(self._views, key=lambda one: (abs(one[0] - self.origin[0]), one))
        exact = self._views.get(self.origin)
        return exact or (self._views[near[0]] if near else None)

    def suspects(self, code: str) -> list[Suspect]:
        found = {one.path: one for one in self._every(code)}
        return list(found.values())

    def _every(self, code: str) -> Iterator[Suspect]:
        whole, known = self.uses(code)
        for use in known:
            if not (use.is_member and self._is_renamed(use.path)):
                yield from self._judged(use.path)
        for name in reading.loose_members(whole, known):
            # One is enough: nothing tells which of them the value is.
            yield from next(filter(None, (list(self._judged(p)) for p in _members(name))), [])
        for name in self._builtins(whole.whole):
            yield from self._judged(name)

    def uses(self, code: str) -> tuple[LibraryCode, list[Use]]:
        """Code with its implied imports, and what it uses of the standard library."""
        view = self._reader
        roots = frozenset(view.surface.roots) if view is not None else frozenset(())
        whole = reading.with_imports(code, roots)
        if view is None:
            return whole, []
        return whole, reading.uses(whole, "python", roots, ReleaseTypes(view))

    def lost(self, text: str) -> list[LostName]:
        """What code uses that its own Python has and the target has not, where it is written."""
        known = self.uses(text)[1]
        tree = reading.parsed(text)
        names = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute)] if tree else []
        values = {span_of(node): span_of(node.value) for node in names}
        found = [
            LostName(use.path, use.span, values.get(use.span) if use.is_member else None)
            for use in known
            if use.path
            and self.is_lost(use.path)
            and not (use.is_member and self._is_renamed(use.path))
        ]
        told = {use.span for use in known if use.path}
        for node in names:
            paths = [path for path in _members(node.attr) if self.is_lost(path)]
            if paths and span_of(node) not in told:
                found.append(LostName(paths[0], span_of(node), span_of(node.value)))
        return found

    def _is_renamed(self, path: str) -> bool:
        """Whether all that is known to be lost of a member is the name of its class."""
        return path not in _table() and self.is_lost(path.rpartition(".")[0])

    def is_lost(self, path: str) -> bool:
        return self.has(path, self.target) is False and bool(self.has(path, self.origin))

    def dropped(self, code: LibraryCode) -> list[tuple[Span, str]]:
        """Edits of builtins that Python 3 has under another name, or had when it was 2."""
        if (self.origin[0] == _TWO) == (self.target[0] == _TWO):
            return []
        names = _DROPPED if self.origin[0] == _TWO else _CAME
        tree = reading.parsed(code.whole)
        loose = reading.unbound(tree) if tree is not None else set()
        return [
            (span_of(node), new)
            for node in (ast.walk(tree) if tree is not None else ())
            if isinstance(node, ast.Name | ast.Attribute)
            and (new := names.get(ast.unparse(node), ""))
            and new.isidentifier()
            and (isinstance(node, ast.Attribute) or node.id in loose)
        ]

    def _builtins(self, code: str) -> list[str]:
        """Names that are neither bound nor imported: builtins, of some Python."""
        tree = reading.parsed(code)
        names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} if tree else set()
        unbound = reading.unbound(tree) if tree else set()
        return sorted(unbound | (names & set(dir(builtins))))

    def _judged(self, path: str) -> Iterator[Suspect]:
        if not path or not self.is_lost(path):
            return
        if self.is_downgrade:
            before = _CAME.get(path, "")
            since = self.since(path)
            yield Suspect(path, Strength.CHANGED, ADDITION, since, before, is_lost=True)
        else:
            version = f"{self.target[0]}.0" if self.origin[0] < self.target[0] else ""
            newer = version or ".".join(map(str, self.target))
            instead = _DROPPED.get(path, "")
            kind = REPLACED if instead else GONE
            yield Suspect(path, Strength.CHANGED, kind, newer, instead, is_lost=True)

    def has(self, path: str, python: _Minor) -> bool | None:
        """Whether a Python has a name; ``None`` where nobody tells."""
        view = self._views.get(python)
        if view is not None and not view.is_dark(path.partition(".")[0]):
            spelled = path if path.partition(".")[0] in view.surface.roots else f"builtins.{path}"
            return view.find(spelled) is not None
        if path in _DROPPED or path in _CAME:
            return (path in _DROPPED) == (python[0] == _TWO)
        told = _table().get(path)
        if told is not None:
            first = told[0] if python[0] == _TWO else told[1]
            return first is not None and first <= python
        return self._by_neighbours(path, python)

    def _by_neighbours(self, path: str, python: _Minor) -> bool | None:
        """A name that came between two mined Pythons was in none before them."""
        if path.partition(".")[0] not in sys.stdlib_module_names:
            return None
        later = [one for one in sorted(self._views) if one > python]
        had = [self.has(path, one) for one in later]
        return False if had and not had[0] and any(had) else None

    def since(self, path: str) -> str:
        """The first Python of the origin's major version that has a name."""
        told = _table().get(path)
        first = told[0] if told and self.origin[0] == _TWO else told[1] if told else None
        if first is None:
            first = next((one for one in sorted(self._views) if self.has(path, one)), self.origin)
        return ".".join(map(str, first))
