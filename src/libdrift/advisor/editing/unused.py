"""Imports that an edit left without a use."""

from __future__ import annotations

import ast
from collections.abc import Collection

import libcst as cst

from libdrift.advisor.editing.applying import TreeChanger
from libdrift.advisor.editing.imports import AliasChange
from libdrift.advisor.editing.located import LocatedTree
from libdrift.advisor.editing.scoping import ImportedName, NamesOfFile


def without_unused(before: NamesOfFile, source: str, shown: Collection[str] = ()) -> str:
    """Remove imports that the edited source does not use, and the source before it did."""
    after = NamesOfFile(ast.parse(source))
    needed = after.quoted.union(shown)
    was_used = {_key(one) for one in before.imports if before.is_used(one)}
    idle = [
        one
        for one in after.imports
        if _key(one) in was_used and not after.is_used(one) and one.local not in needed
    ]
    if not idle:
        return source
    located = LocatedTree.of(source)
    changes = {}
    for one in idle:
        alias = located.at(located.spot_of(one.alias), cst.ImportAlias)
        if alias is not None:
            changes[alias] = AliasChange("")
    return located.module.visit(TreeChanger({}, changes)).code


def _key(one: ImportedName) -> tuple[str, str, str]:
    return one.local, one.path, one.module
