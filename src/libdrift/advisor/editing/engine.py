"""Findings to edits of one source text, formatting kept."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace

import libcst as cst

from libdrift.advisor.editing.arguments import rebuilt
from libdrift.advisor.editing.calls import ArgumentStep, given_arguments, plan_call
from libdrift.advisor.editing.expressions import (
    plan_attribute,
    plan_called,
    plan_template,
)
from libdrift.advisor.editing.naming import plan_import, plan_name
from libdrift.advisor.editing.outcomes import (
    SURE,
    EditResult,
    LeftFinding,
    NothingKnown,
    Refusal,
    ReleaseKnowledge,
)
from libdrift.advisor.editing.scoping import ImportedName, NamesOfFile
from libdrift.advisor.editing.session import EditSession
from libdrift.advisor.takes import Takes
from libdrift.records import Finding, FindingKind, Replacement, ReplacementShape

_OF_CALLS = {
    FindingKind.PARAMETER_GONE,
    FindingKind.PARAMETER_RENAMED,
    FindingKind.REORDERED,
    FindingKind.KEYWORD_ONLY,
    FindingKind.TOO_MANY,
    FindingKind.TOO_FEW,
    FindingKind.DEFAULT,
}
_LOST_KINDS = {FindingKind.GONE, FindingKind.MOVED, FindingKind.RENAMED}
_NOTHING_KNOWN = NothingKnown()
_LOST = Refusal("a use of the import could not be found")
_WAITS = Refusal("whether the import goes is told by its uses")


def edit(
    source: str,
    findings: Sequence[Finding],
    knowledge: ReleaseKnowledge = _NOTHING_KNOWN,
    *,
    risky: bool = False,
    is_package_face: bool = False,
    shown: Collection[str] = (),
) -> EditResult:
    """Edit what findings tell, as far as it is sure; ``risky`` what is only likely, too.

    ``shown``: names of the file that others take from it, and that it must go on to have.
    """
    if not findings:
        return EditResult(source)
    try:
        session = EditSession.of(source, knowledge)
    except (cst.ParserSyntaxError, SyntaxError, ValueError, RecursionError) as error:
        reason = f"the code cannot be parsed: {str(error).splitlines()[0]}"
        return EditResult(source, left=tuple(LeftFinding(item, reason) for item in findings))
    session.is_risky, session.is_package_face = risky, is_package_face
    session.shown = frozenset(shown)
    return _Editor(session).edited(findings)


class _Editor:
    def __init__(self, session: EditSession) -> None:
        self._session = session
        self._applied: list[Finding] = []
        self._left: list[LeftFinding] = []
        self._waiting: list[tuple[Finding, ImportedName]] = []

    def edited(self, findings: Sequence[Finding]) -> EditResult:
        calls: dict[cst.Call, list[Finding]] = {}
        for finding in findings:
            refusal = self._unsure(finding)
            if refusal is None and (finding.parameter or finding.kind in _OF_CALLS):
                call = self._call(finding)
                if call is not None:
                    calls.setdefault(call, []).append(finding)
                    continue
                refusal = Refusal("the call could not be found")
            self._note(finding, refusal or self._symbol(finding))
        for call, about in calls.items():
            self._plan_call(call, about)
        return self._done()

    def _done(self) -> EditResult:
        source = self._session.source
        try:
            made = self._session.done()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                ast.parse(made)
        except (SyntaxError, cst.CSTValidationError) as error:
            # Never seen; a file that does not parse must not be what a user is left with.
            reason = f"the edited code would not parse: {error}"
            lost = tuple(LeftFinding(item, reason) for item in self._applied)
            return EditResult(source, left=(*self._left, *lost))
        self._settle_imports(made)
        left = sorted(self._left, key=lambda one: (one.finding.line, one.finding.column))
        applied = sorted(self._applied, key=lambda one: (one.line, one.column))
        return EditResult(made, tuple(applied), tuple(left))

    def _settle_imports(self, made: str) -> None:
        """An import of what has another form now goes when its last use went."""
        if not self._waiting:
            return
        here = {(one.local, one.path) for one in NamesOfFile(ast.parse(made)).imports}
        stays = Refusal("the import brings what has another form now, and it is still used")
        for finding, imported in self._waiting:
            is_here = (imported.local, imported.path) in here
            self._note(finding, stays if is_here else None)

    def _note(self, finding: Finding, refusal: Refusal | None) -> None:
        if refusal is None:
            self._applied.append(finding)
        elif refusal is not _WAITS:
            self._left.append(LeftFinding(finding, refusal.reason, refusal.is_risky))

    def _unsure(self, finding: Finding) -> Refusal | None:
        if self._session.is_risky:
            return None
        if finding.confidence < SURE:
            return Refusal("what the name stands for is only likely", is_risky=True)
        how = finding.how
        is_of_symbol = not finding.parameter and finding.kind not in _OF_CALLS
        if is_of_symbol and how is not None and not how.is_proven and how.confidence < SURE:
            return Refusal("the replacement is only likely", is_risky=True)
        return None

    # --- names

    def _symbol(self, finding: Finding) -> Refusal | None:
        how = finding.how or _simple(finding) or self._origin(finding)
        if how is None:
            return Refusal("no replacement is known")
        tree = self._session.tree
        spot = tree.spot(finding.line, finding.column, finding.end_line, finding.end_column)
        alias = tree.at(spot, cst.ImportAlias)
        if alias is not None:
            return self._alias(finding, how, alias)
        node: cst.Name | cst.Attribute | None = tree.at(spot, cst.Attribute)
        node = node or tree.at(spot, cst.Name)
        if node is None:
            call = tree.at(spot, cst.Call)
            func = call.func if call else None
            node = func if isinstance(func, cst.Name | cst.Attribute) else None
        if node is None:
            return Refusal("it is not written as a name there")
        return self._by_shape(finding, how, node)

    def _origin(self, finding: Finding) -> Replacement | None:
        """What the package only took from another one is still there."""
        path = self._session.knowledge.origin(finding) if finding.kind in _LOST_KINDS else ""
        return Replacement(ReplacementShape.MOVE, path) if path else None

    def _by_shape(
        self, finding: Finding, how: Replacement, node: cst.Name | cst.Attribute
    ) -> Refusal | None:
        session = self._session
        if how.shape in (ReplacementShape.RENAME, ReplacementShape.MOVE):
            return plan_name(session, finding, how, node)
        if how.shape is ReplacementShape.CALL:
            return plan_called(session, node)
        if how.shape is ReplacementShape.ATTRIBUTE:
            return plan_attribute(session, node)
        if how.shape is ReplacementShape.TEMPLATE:
            return plan_template(session, finding, how, node)
        return Refusal("the replacement is for a parameter, but the code passes none")

    def _alias(self, finding: Finding, how: Replacement, alias: cst.ImportAlias) -> Refusal | None:
        tree = self._session.tree
        for imported in self._session.names.imports:
            if tree.spot_of(imported.alias) != tree.spots[alias]:
                continue
            if how.shape in (ReplacementShape.RENAME, ReplacementShape.MOVE):
                return plan_import(self._session, finding, how, imported)
            refusal = self._uses(finding, how, imported)
            if refusal is None:
                self._waiting.append((finding, imported))
            return refusal or _WAITS
        return Refusal("the import could not be found")

    def _uses(self, finding: Finding, how: Replacement, imported: ImportedName) -> Refusal | None:
        """Of a name that cannot be imported any more only the import is told: edit its uses."""
        session = self._session
        if imported.path != finding.symbol:
            return Refusal("the import is not of the name that changed")
        for use in session.names.uses_of(imported):
            node = session.tree.at(session.tree.spot_of(use), cst.Name)
            here = replace(finding, line=use.lineno, column=use.col_offset)
            refusal = self._by_shape(here, how, node) if node is not None else _LOST
            if refusal is not None:
                return refusal
        return None

    # --- calls

    def _call(self, finding: Finding) -> cst.Call | None:
        """The call of a name, of a keyword, or that stands right there."""
        tree = self._session.tree
        spot = tree.spot(finding.line, finding.column, finding.end_line, finding.end_column)
        for kind in (cst.Attribute, cst.Name):
            node = tree.at(spot, kind)
            above = tree.parents.get(node) if node is not None else None
            if isinstance(above, cst.Call) and above.func is node:
                return above
        argument = tree.at(spot, cst.Arg)
        if argument is not None:
            return tree.enclosing(argument, cst.Call)
        return tree.at(spot, cst.Call)

    def _value(self, node: cst.BaseExpression, finding: Finding) -> str:
        """The code of an argument; of a name with one value ever, that value."""
        session = self._session
        known = ""
        if isinstance(node, cst.Name):
            known = session.names.constant(node.value, session.block_of(finding))
        return known or session.tree.code(node)

    def _plan_call(self, call: cst.Call, findings: list[Finding]) -> None:
        session = self._session
        signatures = session.knowledge.signatures(findings[0])
        if signatures is None:
            for finding in findings:
                self._note(finding, Refusal("what it takes is not known in both releases"))
            return
        values = [self._value(item.value, findings[0]) for item in call.args]
        shape = Takes.of(signatures.old)
        given = given_arguments(call.args, values, shape)
        plan = plan_call(given, signatures, findings, risky=session.is_risky)
        self._left += plan.left
        steps = plan.steps
        if steps is None:
            return
        refusal = session.change(
            call, f"arguments {steps}", lambda updated: _with_arguments(updated, steps)
        )
        for finding in plan.applied:
            self._note(finding, refusal)


def _with_arguments(updated: cst.Call, steps: Sequence[ArgumentStep]) -> cst.Call:
    made = rebuilt(updated.args, steps)
    if made:
        return updated.with_changes(args=made)
    return updated.with_changes(args=[], whitespace_before_args=cst.SimpleWhitespace(""))


def _simple(finding: Finding) -> Replacement | None:
    """A successor that the finding only names, where kind and name say what to do with it."""
    path = finding.replacement
    if not path.replace(".", "").isidentifier():
        return None
    parent, _, _ = path.rpartition(".")
    if finding.kind is FindingKind.RENAMED and parent in ("", finding.symbol.rpartition(".")[0]):
        return Replacement(ReplacementShape.RENAME, path)
    is_same_name = path.rpartition(".")[2] == finding.symbol.rpartition(".")[2]
    if parent and (finding.kind is FindingKind.MOVED or is_same_name):
        return Replacement(ReplacementShape.MOVE, path)
    return None
