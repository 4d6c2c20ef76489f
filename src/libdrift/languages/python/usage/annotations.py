"""The values that annotations in the code itself promise."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from libdrift.languages.python.usage.bindings import (
    Binding,
    BindingKind,
    Items,
    Known,
    Other,
    Own,
    OwnClass,
    weaker,
)
from libdrift.languages.python.usage.scopes import Scope
from libdrift.languages.python.usage.types import SEQUENCES, WRAPPERS
from libdrift.languages.python.usage.uses import Certainty, Reason

_LONGEST = 1000  # characters of an annotation in quotes


def are_lazy(tree: ast.Module) -> bool:
    """Whether nothing runs the annotations of a module."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(item.name == "annotations" for item in node.names)
        for node in tree.body
    )


class Annotations(ABC):
    """The part of the reader of expressions that reads annotations."""

    @abstractmethod
    def value(self, node: ast.AST, scope: Scope) -> Binding:
        """What an expression stands for."""

    def annotated(self, node: ast.expr | None, scope: Scope) -> Binding:
        """An instance of what an annotation names; the names in it are read."""
        if node is None:
            return Other.UNKNOWN
        if isinstance(node, ast.Constant):
            return self._constant(node, scope)
        if isinstance(node, ast.BinOp):  # of types, only | is there
            return _one_of([self.annotated(side, scope) for side in (node.left, node.right)])
        if isinstance(node, ast.Subscript):
            return self._generic(node, scope)
        return self.instance(self.value(node, scope))

    def instance(self, binding: Binding, why: Reason = Reason.ANNOTATED) -> Binding:
        """A value of the class that something stands for."""
        if isinstance(binding, OwnClass):
            return Own(binding.definition)
        if not isinstance(binding, Known) or binding.kind is not BindingKind.THING:
            return Other.UNKNOWN
        path = self.class_path(binding)
        if not path:
            return Other.UNKNOWN
        sure = min(Certainty.LIKELY, binding.certainty)
        return Known(binding.package, BindingKind.VALUE, path, why=why, certainty=sure)

    @abstractmethod
    def class_path(self, binding: Known) -> str:
        """The path of a class; empty where it is known to be none: ``np.typing.ArrayLike``."""

    def _constant(self, node: ast.Constant, scope: Scope) -> Binding:
        if node.value is None:
            return Other.NOTHING
        if not isinstance(node.value, str) or len(node.value) > _LONGEST:
            return Other.UNKNOWN
        try:
            inner = ast.parse(node.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return Other.UNKNOWN
        for part in ast.walk(inner):  # it stands where the text does
            ast.copy_location(part, node)
        return self.annotated(inner, scope)

    def _generic(self, node: ast.Subscript, scope: Scope) -> Binding:
        last = node.value.attr if isinstance(node.value, ast.Attribute) else ""
        last = node.value.id if isinstance(node.value, ast.Name) else last
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if last == "Literal":
            return Other.UNKNOWN
        outer = self.instance(self.value(node.value, scope))
        if last == "Annotated":
            return self.annotated(inner[0], scope)
        found = [self.annotated(item, scope) for item in inner]
        if last in SEQUENCES and found:
            is_open = last not in {"tuple", "Tuple"}
            parts = tuple(found[:1] if is_open else found)
            return Items(parts) if any(not isinstance(b, Other) for b in parts) else Other.UNKNOWN
        if last in WRAPPERS and found:
            return found[0]
        if last == "Union" and found:
            return _one_of(found)
        return outer


def _one_of(found: list[Binding]) -> Binding:
    """Of several types: that of a package, where it is one; surely if nothing else may be."""
    known = [item for item in found if not isinstance(item, Other)]
    if not known or any(item != known[0] for item in known):
        return Other.UNKNOWN if Other.UNKNOWN in found or known else Other.NOTHING
    sure = Certainty.GUESSED if Other.UNKNOWN in found else Certainty.LIKELY
    return weaker(known[0], None, sure)
