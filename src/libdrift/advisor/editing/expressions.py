"""Replacements that are another expression: templates, methods that are attributes, and back."""

from __future__ import annotations

import libcst as cst

from libdrift.advisor.editing.arguments import TIGHT
from libdrift.advisor.editing.calls import (
    MORE_KEYWORDS,
    UNKNOWN_PLACE,
    GivenArgument,
    given_arguments,
)
from libdrift.advisor.editing.defaults import is_literal
from libdrift.advisor.editing.outcomes import CallSignatures, Refusal
from libdrift.advisor.editing.session import EditSession
from libdrift.advisor.editing.spelling import Spelled
from libdrift.advisor.editing.templates import (
    RECEIVER,
    REST,
    ExpressionTemplate,
    dotted,
    fitted,
    guarded,
)
from libdrift.advisor.takes import Takes
from libdrift.records import Finding, Replacement, Signature


def call_of(session: EditSession, node: cst.CSTNode) -> cst.Call | None:
    """The call of what a node names."""
    above = session.tree.parents.get(node)
    return above if isinstance(above, cst.Call) and above.func is node else None


def plan_attribute(session: EditSession, node: cst.Name | cst.Attribute) -> Refusal | None:
    """A method that is an attribute now."""
    call = call_of(session, node)
    if call is None:
        return Refusal("it is not called here")
    if call.args:
        return Refusal("it is an attribute now, and takes no arguments")
    return session.change(call, "attribute", lambda updated: fitted(updated.func, updated, None))


def plan_called(session: EditSession, node: cst.Name | cst.Attribute) -> Refusal | None:
    """An attribute that is a method now."""
    if call_of(session, node) is not None:
        return Refusal("it is called here already")
    above = session.tree.parents.get(node)
    if isinstance(above, cst.AssignTarget | cst.AugAssign | cst.Del | cst.AnnAssign):
        return Refusal("it is a method now, and cannot be assigned")
    return session.change(node, "call", lambda updated: cst.Call(func=guarded(updated)))


def plan_template(
    session: EditSession, finding: Finding, how: Replacement, node: cst.Name | cst.Attribute
) -> Refusal | None:
    if not how.template:
        return Refusal(
            f"{how.path or 'something else'} takes its place, and how is for a person to say"
        )
    template = ExpressionTemplate.of(how.template)
    if template is None:
        return Refusal(f"the replacement {how.template} is not an expression")
    return _TemplateEdit(session, finding, template, node).planned()


class _TemplateEdit:
    def __init__(
        self,
        session: EditSession,
        finding: Finding,
        template: ExpressionTemplate,
        node: cst.Name | cst.Attribute,
    ) -> None:
        self._session, self._finding = session, finding
        self._template, self._node = template, node
        self._imports: list[str] = []

    def planned(self) -> Refusal | None:
        spelled = self._spelled()
        if isinstance(spelled, Refusal):
            return spelled
        refusal = self._receiver()
        if refusal is not None:
            return refusal
        call = call_of(self._session, self._node)
        needs_call = bool(self._template.named_slots) or REST in self._template.slots
        signatures = self._session.knowledge.old_signature(self._finding)
        if call is None:
            if needs_call or (self._template.is_call and signatures is not None):
                return Refusal("it is not called here, and its replacement is a call")
            return self._as_expression(self._node, spelled)
        if not needs_call and not self._template.slots and not self._template.is_call:
            return self._as_expression(self._node, spelled)  # what is called has another name
        if not needs_call and signatures is None and not self._template.is_call:
            return self._as_expression(self._node, spelled)
        return self._as_call(call, signatures, spelled)

    def _spelled(self) -> dict[str, str] | Refusal:
        found: dict[str, str] = {}
        block = self._session.block_of(self._finding)
        for path in self._template.paths():
            spelled = self._session.speller.spelled(path, block, self._session.leaving)
            if isinstance(spelled, Refusal):
                return spelled
            found[path] = spelled.text
            self._imports += spelled.imports
        return found

    def _receiver(self) -> Refusal | None:
        if RECEIVER not in self._template.slots:
            return None
        if not isinstance(self._node, cst.Attribute):
            return Refusal("the object that it is called on is unknown")
        written = dotted(self._node.value)
        spelled = self._session.speller.spelled(
            self._finding.symbol.rpartition(".")[0], self._session.block_of(self._finding)
        )
        if isinstance(spelled, Spelled) and not spelled.imports and spelled.text == written:
            return Refusal("it is called on its class, not on a value")
        is_simple = bool(written)
        if self._template.count(RECEIVER) > 1 and not is_simple:
            return Refusal("what it is called on would be evaluated twice")
        return None

    def _as_expression(
        self, node: cst.Name | cst.Attribute, spelled: dict[str, str]
    ) -> Refusal | None:
        template, above = self._template, self._session.tree.parents.get(node)

        def change(updated: cst.Name | cst.Attribute) -> cst.BaseExpression:
            receiver = updated.value if isinstance(updated, cst.Attribute) else None
            made = template.filled({RECEIVER: receiver}, (), spelled)
            return fitted(made, updated, above)

        return self._change(node, change)

    def _as_call(
        self, call: cst.Call, signatures: CallSignatures | None, spelled: dict[str, str]
    ) -> Refusal | None:
        if any(_has_comment(item) for item in call.args):
            return Refusal("a comment stands among the arguments")
        old = signatures.old if signatures else Signature()
        shape = Takes.of(old)
        values = [self._session.tree.code(item.value) for item in call.args]
        given = given_arguments(call.args, values, shape)
        slots: dict[str, int] = {}
        for slot in self._template.named_slots:
            at = _index(given, slot)
            if at is None and not self._is_optional(slot, shape):
                return Refusal(f"the call does not give {slot}, which its replacement needs")
            if at is not None:
                slots[slot] = at
        rest = [at for at in range(len(given)) if at not in slots.values()]
        if rest and REST not in self._template.slots:
            return Refusal("the replacement has no place for all of the arguments")
        names = self._rest_names(given, rest, is_known=signatures is not None)
        if isinstance(names, Refusal):
            return names
        return self._replace(call, slots, names, spelled)

    def _is_optional(self, slot: str, shape: Takes) -> bool:
        old = shape.named.get(slot)
        return old is not None and old.default is not None and is_literal(old.default)

    def _rest_names(
        self, given: list[GivenArgument], rest: list[int], *, is_known: bool
    ) -> dict[int, str] | Refusal:
        """Arguments without a place of their own go by name: places may be others there."""
        names: dict[int, str] = {}
        for at in rest:
            item = given[at]
            if item.keyword or item.stars:
                names[at] = item.keyword
            elif self._keeps_places():
                names[at] = ""
            elif not is_known or item.reaches in (UNKNOWN_PLACE, MORE_KEYWORDS, "*"):
                return Refusal("what an argument by position stands for is not known")
            else:
                names[at] = item.reaches
        return names

    def _keeps_places(self) -> bool:
        """All arguments pass as they are: nothing was taken out, nothing stands before them."""
        tree = self._template.tree
        return not self._template.named_slots and isinstance(tree, cst.Call) and len(tree.args) == 1

    def _replace(
        self,
        call: cst.Call,
        slots: dict[str, int],
        names: dict[int, str],
        spelled: dict[str, str],
    ) -> Refusal | None:
        template, above = self._template, self._session.tree.parents.get(call)

        def change(updated: cst.Call) -> cst.BaseExpression:
            values: dict[str, cst.BaseExpression | None] = {
                slot: updated.args[at].value for slot, at in slots.items()
            }
            func = updated.func
            values[RECEIVER] = func.value if isinstance(func, cst.Attribute) else None
            rest = [_passed(updated.args[at], name) for at, name in names.items()]
            return fitted(template.filled(values, rest, spelled), updated, above)

        return self._change(call, change)

    def _change(self, node: cst.CSTNode, change: object) -> Refusal | None:
        key = f"template {self._finding.symbol}"
        refusal = self._session.change(node, key, change)  # type: ignore[arg-type]
        if refusal is None:
            self._session.imports += self._imports
        return refusal


def _index(given: list[GivenArgument], name: str) -> int | None:
    for at, item in enumerate(given):
        if name in (item.reaches, item.keyword) and not item.stars:
            return at
    return None


def _passed(item: cst.Arg, keyword: str) -> cst.Arg:
    if item.star or not keyword or item.keyword is not None:
        return item
    return cst.Arg(
        value=item.value,
        keyword=cst.Name(keyword),
        equal=TIGHT,
    )


def _has_comment(item: cst.Arg) -> bool:
    found = _Comments()
    item.visit(found)
    return found.any


class _Comments(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.any = False

    def visit_Comment(self, node: cst.Comment) -> None:
        del node
        self.any = True
