"""Functions of one source file: signature, evidence of deprecation, and a print of the code."""

from __future__ import annotations

import ast
import hashlib
import re
import zlib
from inspect import cleandoc

from libdrift.languages.python import (
    deprecations,
    directives,
    making,
    raising,
    shims,
    spellings,
)
from libdrift.languages.python.deprecations import DeprecationEvidence
from libdrift.languages.python.expressions import called, signature
from libdrift.languages.python.parsed import Definition, ParsedImport

Function = ast.FunctionDef | ast.AsyncFunctionDef

EXTENDS = "extends"  # the trait of a method that calls the one of a base

_SKETCH = 12
_OF_SELF = re.compile(r"\b(?:self|cls)\.([A-Za-z]\w*)\s*(?=[,:]|$)")
_SET_BY_NAME = re.compile(r"setattr\(self, [\"']([A-Za-z]\w*)[\"']")
_PROPERTIES = {"property", "cached_property", "lazyproperty", "cache_readonly", "abstractproperty"}
_PROPERTIES |= {"hybrid_property", "memoized_property", "lazy_property", "reify", "classproperty"}
_CLASSES = {"cls", "klass"}  # what a function calls a class that it is handed
_MAKERS = {"__new__", "__init__"}  # their first parameter is called as one likes
_TRAITS = {"classmethod", "staticmethod", "overload", "abstractmethod", "final"}


class Functions:
    """Reads functions of one file; its lines are stripped once, for all of them."""

    def __init__(self, written: str, *, stub: bool = False) -> None:
        self.stub = stub
        self._lines = [line.strip() for line in written.split("\n")]
        self.constants: dict[str, ast.expr] = {}  # the module's, for messages kept in names
        self.imports: dict[str, list[ParsedImport]] = {}  # the module's so far
        self.warns = "warn" in written or "eprecat" in written

    def mentions(self, node: Function, word: str) -> bool:
        """Whether a function's text has a word: far cheaper than to walk its tree."""
        return any(word in line for line in self._lines[node.lineno - 1 : node.end_lineno])

    def given_to_self(self, node: ast.ClassDef) -> list[str]:
        """Public attributes that the code of a class gives to its instances, anywhere in it."""
        found: dict[str, None] = {}
        for whole in self._lines[node.lineno - 1 : node.end_lineno]:
            line = whole.partition("): ")[2] if whole.startswith("def ") else whole
            if line.startswith(("self.", "cls.", "setattr(self,")):
                left, equals, right = line.partition("=")
                if line[0] == "s" and line.startswith("setattr"):
                    found.update(dict.fromkeys(_SET_BY_NAME.findall(line)))
                elif equals and not right.startswith("="):
                    found.update(dict.fromkeys(_OF_SELF.findall(left)))
        return sorted(found)

    def read(self, node: Function, *, bound: bool) -> Definition:
        traits: list[str] = []
        kind = "function"
        for decorator in node.decorator_list:
            last = called(decorator).rpartition(".")[2]
            if last in _TRAITS:
                traits.append("overloaded" if last == "overload" else last)
            elif last in _PROPERTIES or last.lower().endswith("property"):
                kind = "property"
            elif last in ("setter", "deleter", "getter"):
                traits.append("setter")
        if isinstance(node, ast.AsyncFunctionDef):
            traits.append("async")
        static = "staticmethod" in traits
        found = Definition(node.name, kind, node.lineno, traits=tuple(traits))
        found.signature = signature(
            node.args,
            node.returns,
            bound=bound and not static,
            surely=node.name in _MAKERS or "classmethod" in traits,
        )
        self._document(node, found)
        text = self._print(node, found)
        if "raise" in text or "super" in text:
            self._ending(node, found, text if bound else "")
        self._making(node, found, bound=bound)
        told: list[DeprecationEvidence] = []
        if node.decorator_list:
            given = spellings.told_names(node.decorator_list, found.signature)
            found.lists = {**found.lists, spellings.TOLD: given} if given else found.lists
            said = deprecations.in_decorators(node.decorator_list, self.constants, node.name)
            told += deprecations.by_position(said, {item.arg for item in node.args.kwonlyargs})
        if self.warns and ("warn" in text or "eprecat" in text):
            names = {p.name for p in found.signature.parameters}
            told += deprecations.in_body(node.body, names, self.constants, node.name)
        if told:
            if any(t.category for t in told):
                found.categories = (*(t.category for t in told), *("" for _ in found.deprecations))
            found.deprecations = (*(t.evidence for t in told), *found.deprecations)
        if found.deprecations:
            found.deprecations = shims.with_template(
                found.deprecations, node, self._imported(), bound=bound and not static
            )
        return found

    def _imported(self) -> dict[str, str]:
        """Full paths of what the module imports; what a dot stands for a file does not say."""
        return {
            name: f"{found[0].module}.{found[0].attribute}".rstrip(".")
            for name, found in self.imports.items()
            if found and not found[0].level
        }

    def _making(self, node: Function, found: Definition, *, bound: bool) -> None:
        if bound or self.stub:
            return
        text = "\n".join(("", *self._lines[node.lineno : node.end_lineno]))
        if any(word in text for word in ("wraps(", "_wrapper(", "argspec(", "signature(")):
            found.traits += (making.WRAPS,) if making.wraps(node) else ()
        if "setattr(" in text or (node.args.args and f"\n{node.args.args[0].arg}." in text):
            given = making.fills(node, self.constants)
            found.lists = {making.FILLS: given} if given else {}
        if "kwargs" in text and ".pop(" in text:
            new = spellings.renames(node, self.constants)
            found.lists = {**found.lists, spellings.RENAMES: new} if new else found.lists
        if node.args.args and node.args.args[0].arg in _CLASSES:
            found.lists = {**found.lists, making.MAY_FILL: making.may_fill(node)}

    def _ending(self, node: Function, found: Definition, text: str) -> None:
        if self.stub:
            return
        if re.search(rf"\bsuper\([^()]*\)\.{node.name}\(", text):
            found.traits += (EXTENDS,)
        ended = raising.ending(node, self.constants)
        if ended is not None and ended.told:
            found.gone = ended.said
        elif ended is not None:
            # Without a word it tells of no end; but what has one now does what it always did.
            found.traits = (*found.traits, "raises" if ended.said else "fails")

    def _document(self, node: Function | ast.ClassDef, found: Definition) -> None:
        doc = docstring(node)
        if doc:
            found.doc = doc
            if ".. " in doc or "eprecat" in doc or "DEPRECAT" in doc:
                said, notes = directives.in_documentation(cleandoc(doc), node.name)
                found.deprecations, found.notes = tuple(said), tuple(notes)

    def document(self, node: ast.ClassDef, found: Definition) -> None:
        self._document(node, found)

    def _print(self, node: Function, found: Definition) -> str:
        """Hash the code of a body, without layout, comments and documentation."""
        body = node.body[1:] if found.doc else node.body
        if not body:
            return ""
        lines = [
            line
            for line in self._lines[body[0].lineno - 1 : node.end_lineno]
            if line and line[0] != "#"
        ]
        text = "\n".join(lines)
        data = text.encode("utf-8", "surrogatepass")
        found.body = hashlib.blake2b(data, digest_size=8).hexdigest()
        if len(lines) > 2:  # noqa: PLR2004  (shorter ones are like each other by chance)
            hashes = {zlib.crc32(line.encode("utf-8", "surrogatepass")) for line in lines}
            found.sketch = tuple(sorted(hashes)[:_SKETCH])
        return text


def docstring(node: Function | ast.ClassDef) -> str:
    first = node.body[0] if node.body else None
    if type(first) is ast.Expr and type(first.value) is ast.Constant:
        value = first.value.value
        if type(value) is str:
            return value
    return ""
