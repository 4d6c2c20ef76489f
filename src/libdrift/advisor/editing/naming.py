"""Names that have another name or place now: in expressions, and in the imports that bring them."""

from __future__ import annotations

import ast
import re

import libcst as cst

from libdrift.advisor.editing.imports import AliasChange
from libdrift.advisor.editing.outcomes import Refusal
from libdrift.advisor.editing.scoping import ImportedName
from libdrift.advisor.editing.session import EditSession
from libdrift.advisor.editing.spelling import Spelled
from libdrift.advisor.editing.templates import dotted, fitted
from libdrift.records import Finding, Replacement, ReplacementShape

_TYPED = re.compile(r"#\s*type:(.*)")  # annotations in comments


def plan_name(
    session: EditSession, finding: Finding, how: Replacement, node: cst.Name | cst.Attribute
) -> Refusal | None:
    """Plan another name or place of what a name or an attribute stands for."""
    found = _part(session, finding, node)
    if isinstance(found, Refusal):
        return found
    if isinstance(found, ImportedName):
        return plan_import(session, finding, how, found)
    if isinstance(found, cst.Attribute) and how.shape is ReplacementShape.RENAME:
        last = how.path.rpartition(".")[2]
        return session.change(found.attr, last, lambda updated: updated.with_changes(value=last))
    if isinstance(found, cst.Name) and how.shape is ReplacementShape.RENAME:
        last = how.path.rpartition(".")[2]  # all of its module is imported
        if session.block_of(finding).binder(last) is not None:
            return Refusal(f"the file uses the name {last} for something else")
        return session.change(found, last, lambda updated: updated.with_changes(value=last))
    return plan_path(session, finding, how.path, found)


def plan_path(
    session: EditSession, finding: Finding, path: str, node: cst.BaseExpression
) -> Refusal | None:
    """Plan a full path, as the file spells it, in place of an expression."""
    imported = _root(session, finding, node)
    if isinstance(node, cst.Attribute) and imported is None:
        return Refusal("it is called on a value, and its replacement is not")
    is_whole = imported is not None and imported.local == imported.path
    spelled = session.speller.spelled(
        path, session.block_of(finding), session.leaving, dotted=is_whole
    )
    if isinstance(spelled, Refusal):
        return spelled
    return _put(session, node, spelled)


def _put(session: EditSession, node: cst.BaseExpression, spelled: Spelled) -> Refusal | None:
    made = cst.parse_expression(spelled.text)
    above = session.tree.parents.get(node)
    refusal = session.change(node, spelled.text, lambda updated: fitted(made, updated, above))
    if refusal is None:
        session.imports += spelled.imports
    return refusal


def _root(session: EditSession, finding: Finding, node: cst.BaseExpression) -> ImportedName | None:
    local = dotted(node).partition(".")[0]
    return session.names.import_of(local, session.block_of(finding)) if local else None


def _part(
    session: EditSession, finding: Finding, node: cst.Name | cst.Attribute
) -> cst.Name | cst.Attribute | ImportedName | Refusal:
    """What of an expression the symbol is: its last name, an earlier one, or what is imported."""
    last = finding.symbol.rpartition(".")[2]
    part: cst.BaseExpression = node
    while isinstance(part, cst.Attribute):
        if part.attr.value == last:
            return part
        part = part.value
    if isinstance(part, cst.Name):
        imported = session.names.import_of(part.value, session.block_of(finding))
        if imported is not None and _is_of(imported, finding.symbol):
            return imported
        if part is node and part.value == last and session.names.stars:
            return part
    return Refusal("the name in the code is not the one that changed; it may be an alias")


def _is_of(imported: ImportedName, symbol: str) -> bool:
    """Whether a name stands for a symbol, or for something below it."""
    last, parts = symbol.rpartition(".")[2], imported.path.split(".")
    return imported.path == symbol or imported.path.startswith(symbol + ".") or last in parts


# --- statements that import


def plan_import(
    session: EditSession, finding: Finding, how: Replacement, imported: ImportedName
) -> Refusal | None:
    """Plan that an import brings the new name or is of the new place, and its uses with it."""
    tree, names = session.tree, session.names
    alias = tree.at(tree.spot_of(imported.alias), cst.ImportAlias)
    if alias is None:
        return Refusal("the import could not be found")
    is_plain = isinstance(imported.statement, ast.Import)
    written = imported.module if is_plain else imported.path
    path = _new_path(written, finding.symbol, how)
    if path is None:
        return Refusal("the import is not of the name that changed")
    owner = path.rpartition(".")[0]
    if "." in owner and not is_plain and not session.knowledge.is_module(owner):
        return Refusal(f"{path} takes its place, which no import can bring")
    if is_plain and imported.alias.asname is None:
        return _plan_dotted(session, imported, alias, written, path)
    last = path.rpartition(".")[2]
    if imported.alias.asname is not None or last == imported.local:
        asname = imported.alias.asname or ""
        return session.change_alias(alias, AliasChange(path, asname))
    uses = names.uses_of(imported)
    if not _can_rename(session, imported, uses, last):
        return session.change_alias(alias, AliasChange(path, imported.local))
    for use in uses:
        node = tree.at(tree.spot_of(use), cst.Name)
        if node is None:
            return session.change_alias(alias, AliasChange(path, imported.local))
    refusal = session.change_alias(alias, AliasChange(path))
    for use in uses if refusal is None else ():
        node = tree.at(tree.spot_of(use), cst.Name)
        if node is not None:
            session.change(node, last, lambda updated: updated.with_changes(value=last))
    return refusal


def _can_rename(
    session: EditSession, imported: ImportedName, uses: list[ast.Name], name: str
) -> bool:
    """Whether the name in this file can follow: nobody else may know it, nor use the new one."""
    names = session.names
    local = imported.local
    is_shown = session.is_package_face or not uses or local in names.quoted | session.shown
    is_typed = any(local in re.findall(r"\w+", text) for text in _TYPED.findall(session.source))
    is_only = imported.block.bound.get(local) == 1 and not names.is_set_elsewhere(local)
    return not is_shown and not is_typed and is_only and names.is_unused_word(name)


def _new_path(written: str, symbol: str, how: Replacement) -> str | None:
    """The new path of what is imported, where a symbol in or above it has another one."""
    new = how.path
    if how.shape is ReplacementShape.RENAME and "." not in new and "." in symbol:
        new = f"{symbol.rpartition('.')[0]}.{new}"
    if written == symbol:
        return new
    if written.startswith(symbol + "."):
        return new + written[len(symbol) :]
    # The code reaches the symbol by another of its paths, under the same name.
    head, _, last = written.rpartition(".")
    if last == symbol.rpartition(".")[2]:
        is_rename = how.shape is ReplacementShape.RENAME
        return f"{head}.{new.rpartition('.')[2]}" if is_rename else new
    return None


def _plan_dotted(
    session: EditSession, imported: ImportedName, alias: cst.ImportAlias, written: str, path: str
) -> Refusal | None:
    """`import a.b` and each `a.b.…`: both get the new path."""
    tree = session.tree
    root = path.partition(".")[0]
    if root != imported.local and not session.names.is_unused_word(root):
        return Refusal(f"the file uses the name {root} for something else")
    nodes = []
    for use in session.names.uses_of(imported):
        text, attributes = session.names.chain(use)
        if not f"{text}.".startswith(f"{written}."):
            continue
        depth = written.count(".")
        part = attributes[depth - 1] if depth else use
        node = tree.at(tree.spot_of(part), cst.Attribute if depth else cst.Name)
        if node is None:
            return Refusal("a use of the module could not be found")
        nodes.append(node)
    refusal = session.change_alias(alias, AliasChange(path))
    for node in nodes if refusal is None else ():
        session.change(node, path, lambda _: cst.parse_expression(path))
    return refusal
