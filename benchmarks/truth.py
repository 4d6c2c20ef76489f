"""What an installed package really offers, by importing it. Knows nothing of libdrift.

Run by the environment's own interpreter; prints JSON. The rules, for a module of the package:
1. No part of a path starts with an underscore. Modules of tests are left out.
2. Public are a module's submodules and, where it has ``__all__``, the names in it that are there.
3. Without ``__all__``: every name of ``dir``, except what it only imported. Imported are modules of
   other packages; modules of its own package, in a module that is not a package; classes,
   functions and values of the standard library; those of third parties, in a module that is not a
   package (a package's ``__init__`` re-exports them).
4. Two levels: ``package.a`` and ``package.a.b``. For each class there, the names of ``dir(class)``
   with the class of the package that has each first; none where only a base from elsewhere has it.
A module that cannot be imported here (an optional dependency, another platform) is named, and
nothing is known of it. Attributes that only instances have, and names that only ``__getattr__``
gives, cannot be listed. Whether a given path is public can be asked, on stdin: as JSON, a list of
paths that must not be imports (rule 3) and a list of paths that must only exist.

    python truth.py IMPORT_NAME [SETUP_CODE] < QUESTIONS
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import json
import pkgutil
import sys
import types
import warnings
from collections.abc import Iterator

MODULE = types.ModuleType
CALLABLES = (type, types.FunctionType, types.BuiltinFunctionType)
# Equal ones are one object: that another module has it too says little of where it is from.
PLAIN = (bool, int, str, bytes, type(None))
TESTS = ("tests", "test", "conftest")


class Truth:
    def __init__(self, package: str) -> None:
        self.package = package
        self.unknown: list[str] = []  # modules that cannot be imported
        self.paths: list[str] = [package]
        self.members: dict[str, dict[str, str]] = {}

    def collect(self) -> None:
        root = importlib.import_module(self.package)
        # All modules are imported before any is read: importing one binds it in its parent.
        for _, module in list(self.submodules(root)):
            for _ in self.submodules(module):
                pass
        modules: dict[str, MODULE] = {}
        for name, thing in self.public(root):
            path = f"{self.package}.{name}"
            self.add(path, thing)
            if isinstance(thing, MODULE) and self.inside(thing.__name__):
                modules[path] = thing
        for path, module in modules.items():
            for name, thing in self.public(module):
                self.add(f"{path}.{name}", thing)

    def add(self, path: str, thing: object) -> None:
        self.paths.append(path)
        if isinstance(thing, type) and self.inside(thing.__module__):
            self.members[path] = self.members_of(thing)

    def inside(self, module: object) -> bool:
        """A compiled function or class may not say where it is from: then it is ours."""
        return not isinstance(module, str) or module.partition(".")[0] == self.package

    def submodules(self, module: MODULE) -> Iterator[tuple[str, MODULE]]:
        for item in pkgutil.iter_modules(getattr(module, "__path__", ())):
            if item.name.startswith(("_", "test_")) or item.name in TESTS:
                continue
            path = f"{module.__name__}.{item.name}"
            imported = sys.modules.get(path) or attempt(path)
            if imported is not None:
                yield path, imported
            elif path not in self.unknown:
                self.unknown.append(path)

    def public(self, module: MODULE) -> Iterator[tuple[str, object]]:
        listed = getattr(module, "__all__", None)
        names = dict.fromkeys(listed if listed is not None else dir(module))
        for path, _ in self.submodules(module):
            names[path.rpartition(".")[2]] = None
        for name in names:
            if not isinstance(name, str) or name.startswith("_"):
                continue
            found, thing = get(module, name)
            if not found:
                found, thing = get_module(f"{module.__name__}.{name}")
            if not found or (isinstance(thing, MODULE) and name in TESTS):
                continue
            if listed is not None or not self.imported(module, name, thing):
                yield name, thing

    def imported(self, module: MODULE, name: str, thing: object) -> bool:
        """Rule 3."""
        package = hasattr(module, "__path__")
        if isinstance(thing, MODULE):
            return not package or not self.inside(thing.__name__)
        home = getattr(thing, "__module__", None) if isinstance(thing, CALLABLES) else None
        if home is None:
            home = self.home_of(name, thing)
        if home is None or self.inside(home):
            return False
        return not package or home.partition(".")[0] in sys.stdlib_module_names

    def home_of(self, name: str, thing: object) -> str | None:
        """The module outside from which a value was imported; None where it is made here."""
        if name == "TYPE_CHECKING":
            return "typing"
        if type(thing).__module__ == "__future__":
            return "__future__"
        if not isinstance(thing, PLAIN):
            return self.elsewhere.get(id(thing))
        for home, module in self.others:
            if name in listed_in(module) and vars(module).get(name) is thing:
                return home
        return None

    @functools.cached_property
    def others(self) -> list[tuple[str, MODULE]]:
        own = (self.package, "__main__")
        found = [(home, m) for home, m in sys.modules.items() if isinstance(m, MODULE)]
        return [(home, m) for home, m in found if home.partition(".")[0] not in own]

    @functools.cached_property
    def elsewhere(self) -> dict[int, str]:
        """Values of modules outside of the package, by identity: perhaps imported `as` another."""
        found: dict[int, str] = {}
        for home, module in self.others:
            for value in list(vars(module).values()):
                if not isinstance(value, PLAIN) and not (type(value) is tuple and not value):
                    found.setdefault(id(value), home)
        return found

    def members_of(self, cls: type) -> dict[str, str]:
        """Each name, and the first class that has it, from the top; nothing for one from outside.

        What a metaclass gives is the class's own.
        """
        found: dict[str, str] = {}
        for name in dir(cls):
            if not name.startswith("_"):
                homes = [base for base in cls.__mro__ if name in vars(base)] or [cls]
                ours = [base for base in homes if self.inside(base.__module__)]
                found[name] = f"{ours[-1].__module__}.{ours[-1].__qualname__}" if ours else ""
        return found

    def there(self, path: str, *, made_here: bool) -> bool:
        """Whether a path can be reached, and is no import; ``__all__`` may leave it out."""
        parts = path.split(".")
        current: object = sys.modules[self.package]
        for position, part in enumerate(parts[1:], start=1):
            found, thing = get(current, part)
            if not found:
                found, thing = get_module(".".join(parts[: position + 1]))
            if not found:
                return False
            if isinstance(current, MODULE) and part in vars(current):
                listed = made_here or part in listed_in(current)
                if not listed and self.imported(current, part, thing):
                    return False
            current = thing
        return True


def listed_in(module: MODULE) -> tuple[str, ...]:
    return tuple(getattr(module, "__all__", None) or ())


def attempt(path: str) -> MODULE | None:
    """Import a module; anything may happen in a module that is not meant for this machine."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            return importlib.import_module(path)
        except BaseException:  # noqa: BLE001
            return None


def get(thing: object, name: str) -> tuple[bool, object]:
    try:
        return True, getattr(thing, name)
    except BaseException:  # noqa: BLE001
        return False, None


def get_module(path: str) -> tuple[bool, object]:
    module = sys.modules.get(path) or attempt(path)
    return module is not None, module


def main() -> None:
    warnings.simplefilter("ignore")
    package, *setup = sys.argv[1:]
    for line in setup:
        exec(line, {})  # noqa: S102  (what Django wants before its modules can be imported)
    truth = Truth(package)
    truth.collect()
    asked = [[], []] if sys.stdin.isatty() else json.loads(sys.stdin.read() or "[[], []]")
    there = [path for path in asked[0] if truth.there(path, made_here=False)]
    there += [path for path in asked[1] if truth.there(path, made_here=True)]
    answer = {"members": truth.members, "unknown": truth.unknown, "there": there}
    sys.__stdout__.write(json.dumps({"paths": truth.paths, **answer}))  # type: ignore[union-attr]


if __name__ == "__main__":
    main()
