"""What has been read of one source file so far, and how a name gets into it."""

from __future__ import annotations

import ast

from libdrift.languages.python import making
from libdrift.languages.python.conditions import read_listing
from libdrift.languages.python.functions import Functions
from libdrift.languages.python.lazy_tables import table_of_module
from libdrift.languages.python.parsed import Bound, Definition, Lazy, ParsedFile, ParsedImport


class ModuleNames:
    def __init__(self, written: str, *, stub: bool, python: tuple[int, int]) -> None:
        # Every table its own: the defaults of a struct are shared.
        self.file = ParsedFile(
            stub=stub, imports={}, definitions={}, order={}, stars=[], listing=[]
        )
        self.file.tombstones, self.file.documents, self.file.gaps = {}, [], []
        self.file.given, self.file.places = [], {}
        self.stub = stub
        self.python = python
        self.functions = Functions(written, stub=stub)
        self.functions.imports = self.file.imports
        self.values: dict[str, ast.expr] = self.functions.constants
        self.tables: dict[str, list[str]] = {}  # keys that a dictionary is given later
        self.helpers: set[str] = set()  # functions of the module that change its __all__
        self.starters: dict[str, making.Function] = {}  # that import: a call may bind names here
        self.told: set[str] = set()  # variables of loops whose effect is told
        self.used: set[str] = set()  # those of them whose effect can be told
        self.typing = False
        self.trying = False  # what fails is caught
        self.own_tables: dict[str, ast.expr] = {}  # dictionaries whose names only the module has
        self.is_handed = False  # some call is told the module's name
        self.makers: set[str] = set()  # functions of the module that bind names of it
        self.alternative = False  # in a branch that may not run: earlier bindings stay first

    def bind(self, name: str, bound: Bound) -> None:
        if isinstance(bound, ParsedImport):
            table: dict[str, list[ParsedImport]] | dict[str, list[Definition]] = self.file.imports
            sort = "i"
        else:
            table = self.file.definitions
            sort = "d"
        if self.alternative and name in self.file.order:
            table.setdefault(name, []).append(bound)  # type: ignore[arg-type]
            return
        if not (self.typing and name in self.file.order):
            self.file.order[name] = sort
        table.setdefault(name, []).insert(0, bound)  # type: ignore[arg-type]

    def lazily(self, found: Lazy) -> None:
        if self.file.lazy is None:
            self.file.lazy = found
        else:
            self.file.lazy.names.update(found.names)
            self.file.lazy.dying.update(found.dying)

    def made(self, call: ast.Call) -> None:
        """``globals().update(…)``."""
        for keyword in call.keywords:
            if keyword.arg:
                self.bind(keyword.arg, Definition(keyword.arg, "value"))
        self.gap("names made at import")

    def answer_by_tables(self) -> None:
        """Names that a table gives, where something that knows the module's name asks it."""
        for name, table in self.own_tables.items() if self.is_handed else ():
            found = table_of_module(name, table)
            if found.names:
                self.lazily(found)

    def listing(self, step: str, node: ast.expr | None) -> None:
        names: list[str] = []
        modules: list[str] = []
        if not read_listing(node, names, modules, self.values):
            self.file.dynamic_listing = True
        self.file.listing.append((step, tuple(names), tuple(modules)))

    def gap(self, what: str) -> None:
        if what not in self.file.gaps:
            self.file.gaps.append(what)

    def added(self, owner: str, name: str) -> None:
        if owner == "__all__":
            self.file.listing.append(("+", (name,), ()))
        elif not owner:
            if name not in self.file.order:
                self.bind(name, Definition(name, "value"))
        else:
            known = self.file.definitions.get(owner)
            if known and known[0].kind == "class" and not name.startswith("_"):
                known[0].members.setdefault(name, Definition(name, "value"))
