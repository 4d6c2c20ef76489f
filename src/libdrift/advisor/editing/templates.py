"""Expressions with slots, filled with the code that they take the place of."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from libdrift.advisor.editing.calls import in_brackets

_SLOT = re.compile(r"\{(\.\.\.|[^\W\d]\w*)\}")
_MARK = "_libdrift_slot_"
REST, RECEIVER = "...", "self"
# What binds tighter than any operator: nothing has to stand around it.
_PRIMARY = (
    cst.Name,
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    cst.List,
    cst.Dict,
    cst.Set,
    cst.ListComp,
    cst.DictComp,
    cst.SetComp,
    cst.SimpleString,
    cst.FormattedString,
)
# Around these an expression of any kind can stand.
_FREE = (
    cst.Arg,
    cst.Element,
    cst.DictElement,
    cst.Index,
    cst.Expr,
    cst.Assign,
    cst.AnnAssign,
    cst.Return,
)


@dataclass(frozen=True, slots=True)
class ExpressionTemplate:
    tree: cst.BaseExpression
    slots: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> ExpressionTemplate | None:
        """None where the text is no expression."""
        slots = tuple(dict.fromkeys(_SLOT.findall(text)))
        marked = _SLOT.sub(lambda match: _MARK + match[1].replace("...", "rest_"), text)
        try:
            return cls(cst.parse_expression(marked), slots)
        except (cst.ParserSyntaxError, ValueError, RecursionError):
            return None

    @property
    def is_call(self) -> bool:
        return isinstance(self.tree, cst.Call)

    @property
    def named_slots(self) -> tuple[str, ...]:
        return tuple(slot for slot in self.slots if slot not in (REST, RECEIVER))

    def count(self, slot: str) -> int:
        counter = _Counter(_MARK + slot)
        self.tree.visit(counter)
        return counter.found

    def paths(self) -> list[str]:
        """The full paths that it names, to be spelled as the file spells them."""
        found = _Paths()
        self.tree.visit(found)
        return [path for path in dict.fromkeys(found.paths) if _is_path(path, found.bound)]

    def filled(
        self,
        values: Mapping[str, cst.BaseExpression | None],
        rest: Sequence[cst.Arg],
        spelled: Mapping[str, str],
    ) -> cst.BaseExpression:
        """A slot without a value is of an argument that is not given: its keyword goes too."""
        done = self.tree.visit(_Filler(values, rest, spelled))
        if not isinstance(done, cst.BaseExpression):
            raise TypeError("a template is an expression")
        return done


def _is_path(path: str, bound: set[str]) -> bool:
    root = path.partition(".")[0]
    return root not in bound and not hasattr(builtins, root)


class _Counter(cst.CSTVisitor):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._name, self.found = name, 0

    def visit_Name(self, node: cst.Name) -> None:
        self.found += node.value == self._name


class _Paths(cst.CSTVisitor):
    """Dotted names from their root on; names that the expression itself binds are not."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[str] = []
        self.bound: set[str] = set()

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        path = dotted(node)
        if path and not path.startswith(_MARK):
            self.paths.append(path)
        elif not path:
            node.value.visit(self)
        return False

    def visit_Name(self, node: cst.Name) -> None:
        if not node.value.startswith(_MARK):
            self.paths.append(node.value)

    def visit_Arg(self, node: cst.Arg) -> bool:
        node.value.visit(self)
        return False

    def visit_Param(self, node: cst.Param) -> bool:
        self.bound.add(node.name.value)
        return False

    def visit_CompFor(self, node: cst.CompFor) -> None:
        if isinstance(node.target, cst.Name):
            self.bound.add(node.target.value)


def dotted(node: cst.BaseExpression) -> str:
    """`a.b.c`, where an expression is nothing but names and dots."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        head = dotted(node.value)
        return f"{head}.{node.attr.value}" if head else ""
    return ""


class _Filler(cst.CSTTransformer):
    def __init__(
        self,
        values: Mapping[str, cst.BaseExpression | None],
        rest: Sequence[cst.Arg],
        spelled: Mapping[str, str],
    ) -> None:
        super().__init__()
        self._values, self._rest, self._spelled = values, rest, spelled
        self._above: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        self._above.append(node)
        return super().on_visit(node)

    def on_leave(
        self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT
    ) -> cst.CSTNodeT | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNodeT]:
        self._above.pop()
        return super().on_leave(original_node, updated_node)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        return dotted(node) not in self._spelled  # else it is replaced as a whole

    def visit_Attribute_attr(self, node: cst.Attribute) -> None:
        del node

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        text = self._spelled.get(dotted(original_node))
        return cst.parse_expression(text) if text else updated_node

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        above = self._above[-1] if self._above else None
        if isinstance(above, cst.Attribute) and above.attr is original_node:
            return updated_node
        if isinstance(above, cst.Arg) and above.keyword is original_node:
            return updated_node
        name = original_node.value
        if not name.startswith(_MARK):
            text = self._spelled.get(name)
            return cst.parse_expression(text) if text else updated_node
        value = self._values.get(name.removeprefix(_MARK))
        if value is None:
            return updated_node
        value = in_brackets(value)
        return guarded(value) if above is not None and not isinstance(above, _FREE) else value

    def leave_Arg(
        self, original_node: cst.Arg, updated_node: cst.Arg
    ) -> cst.Arg | cst.RemovalSentinel | cst.FlattenSentinel[cst.Arg]:
        value = original_node.value
        if not isinstance(value, cst.Name) or not value.value.startswith(_MARK):
            return updated_node
        slot = value.value.removeprefix(_MARK)
        if slot == "rest_":
            return cst.FlattenSentinel(self._rest)
        if self._values.get(slot) is None:
            return cst.RemoveFromParent()
        return updated_node

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        del original_node
        plain = [
            item.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=_NOTHING)
            for item in updated_node.args
        ]
        return updated_node.with_changes(args=plain)


_NOTHING = cst.SimpleWhitespace("")


def guarded(value: cst.BaseExpression) -> cst.BaseExpression:
    """An expression that can stand beside a dot, a call's bracket or an operator."""
    if isinstance(value, _PRIMARY) or value.lpar:
        return value
    return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def fitted(
    made: cst.BaseExpression, was: cst.BaseExpression, above: cst.CSTNode | None
) -> cst.BaseExpression:
    """What takes the place of an expression, with its brackets or such as it needs there."""
    if was.lpar:
        return made.with_changes(lpar=[*was.lpar, *made.lpar], rpar=[*made.rpar, *was.rpar])
    return made if above is None or isinstance(above, _FREE) else guarded(made)
