"""One file while its edits are planned: the tree, its names, and what is to change."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

import libcst as cst

from libdrift.advisor.editing.applying import NodeChange, TreeChanger
from libdrift.advisor.editing.imports import AliasChange, with_imports
from libdrift.advisor.editing.located import LocatedTree
from libdrift.advisor.editing.outcomes import Refusal, ReleaseKnowledge
from libdrift.advisor.editing.scoping import ImportedName, NameBlock, NamesOfFile
from libdrift.advisor.editing.spelling import PathSpeller
from libdrift.advisor.editing.unused import without_unused
from libdrift.records import Finding

_TAKEN = Refusal("another edit changes the same code")


@dataclass(slots=True)
class EditSession:
    source: str
    tree: LocatedTree
    names: NamesOfFile
    knowledge: ReleaseKnowledge
    is_risky: bool = False
    is_package_face: bool = False  # an `__init__.py`: what it imports is for others
    shown: frozenset[str] = frozenset()  # names that other files take from this one
    changes: dict[cst.CSTNode, NodeChange] = field(default_factory=dict)
    aliases: dict[cst.ImportAlias, AliasChange] = field(default_factory=dict)
    leaving: list[ImportedName] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    _why: dict[cst.CSTNode, str] = field(default_factory=dict)

    @classmethod
    def of(cls, source: str, knowledge: ReleaseKnowledge) -> EditSession:
        tree = LocatedTree.of(source)
        return cls(source, tree, NamesOfFile(ast.parse(source)), knowledge)

    @property
    def speller(self) -> PathSpeller:
        return PathSpeller(self.names, self.knowledge)

    def block_of(self, finding: Finding) -> NameBlock:
        return self.names.block_of(finding.line, finding.column)

    def change(self, node: cst.CSTNode, key: str, change: NodeChange) -> Refusal | None:
        """Plan a change; the same one twice is one."""
        if node in self.changes:
            return None if self._why[node] == key else _TAKEN
        self.changes[node], self._why[node] = change, key
        return None

    def change_alias(self, node: cst.ImportAlias, change: AliasChange) -> Refusal | None:
        if self.aliases.get(node, change) != change:
            return _TAKEN
        self.aliases[node] = change
        return None

    def done(self) -> str:
        if not self.changes and not self.aliases:
            return self.source
        made = self.tree.module.visit(TreeChanger(self.changes, self.aliases))
        code = with_imports(made, self.imports).code
        return code if self.is_package_face else without_unused(self.names, code, self.shown)
