"""Import statements: names that come from elsewhere, and imports that are added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from libdrift.advisor.editing.templates import dotted

Statement = cst.Import | cst.ImportFrom


@dataclass(frozen=True, slots=True)
class AliasChange:
    """Where an imported name comes from now; without a path the import goes."""

    path: str
    asname: str = ""

    @property
    def module(self) -> str:
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


def _name_node(path: str) -> cst.Name | cst.Attribute:
    node = cst.parse_expression(path)
    if not isinstance(node, cst.Name | cst.Attribute):
        raise TypeError(f"{path} is no dotted name")
    return node


def _changed(alias: cst.ImportAlias, name: str, asname: str) -> cst.ImportAlias:
    if alias.asname is not None and asname:
        kept: cst.AsName | None = alias.asname
    else:
        kept = cst.AsName(name=cst.Name(asname)) if asname else None
    return alias.with_changes(name=_name_node(name), asname=kept)


def _ended(aliases: Sequence[cst.ImportAlias], last: cst.ImportAlias) -> list[cst.ImportAlias]:
    """The last of them ends as the last of all did: with its comma, or without."""
    if not aliases or aliases[-1].comma is last.comma:
        return list(aliases)
    return [*aliases[:-1], aliases[-1].with_changes(comma=last.comma)]


def changed_import(
    original: cst.Import, updated: cst.Import, changes: Mapping[cst.ImportAlias, AliasChange]
) -> list[Statement]:
    kept = []
    for was, now in zip(original.names, updated.names, strict=True):
        change = changes.get(was)
        if change is None:
            kept.append(now)
        elif change.path:
            kept.append(_changed(now, change.path, change.asname))
    if not kept:
        return []
    return [updated.with_changes(names=_ended(kept, updated.names[-1]))]


def changed_import_from(
    original: cst.ImportFrom,
    updated: cst.ImportFrom,
    changes: Mapping[cst.ImportAlias, AliasChange],
) -> list[Statement]:
    """The statement with what stays in its module, and one more for each other module."""
    if isinstance(original.names, cst.ImportStar) or isinstance(updated.names, cst.ImportStar):
        return [updated]
    module = dotted(original.module) if original.module else ""
    groups: dict[str, list[cst.ImportAlias]] = {}
    modules: list[Statement] = []
    for was, now in zip(original.names, updated.names, strict=True):
        change = changes.get(was)
        if change is None:
            groups.setdefault(module, []).append(now)
        elif change.module:
            made = _changed(now, change.name, change.asname)
            groups.setdefault(change.module, []).append(made)
        elif change.path:  # a module of its own
            made = _changed(now, change.name, change.asname)
            modules.append(cst.Import(names=[made.with_changes(comma=cst.MaybeSentinel.DEFAULT)]))
    made_statements: list[Statement] = []
    first = module if module in groups else next(iter(groups), "")
    for name in [first, *(other for other in groups if other != first)] if groups else []:
        if name == first:
            node = updated.module if name == module else _name_node(name)
            names = _ended(groups[name], updated.names[-1])
            made_statements.append(updated.with_changes(module=node, names=names))
        else:
            plain = [alias.with_changes(comma=cst.MaybeSentinel.DEFAULT) for alias in groups[name]]
            made_statements.append(cst.ImportFrom(module=_name_node(name), names=plain))
    return [*made_statements, *modules]


class ImportChanger(cst.CSTTransformer):
    """Changes the aliases of import statements; new statements follow the old ones."""

    def __init__(self, changes: Mapping[cst.ImportAlias, AliasChange]) -> None:
        super().__init__()
        self._changes = changes

    def _touched(self, line: cst.SimpleStatementLine | cst.SimpleStatementSuite) -> bool:
        return any(
            alias in self._changes
            for item in line.body
            if isinstance(item, cst.Import | cst.ImportFrom)
            and not isinstance(item.names, cst.ImportStar)
            for alias in item.names
        )

    def _small(
        self,
        original: cst.SimpleStatementLine | cst.SimpleStatementSuite,
        updated: cst.SimpleStatementLine | cst.SimpleStatementSuite,
    ) -> list[cst.BaseSmallStatement]:
        made: list[cst.BaseSmallStatement] = []
        for was, now in zip(original.body, updated.body, strict=True):
            if isinstance(was, cst.Import) and isinstance(now, cst.Import):
                made += changed_import(was, now, self._changes)
            elif isinstance(was, cst.ImportFrom) and isinstance(now, cst.ImportFrom):
                made += changed_import_from(was, now, self._changes)
            else:
                made.append(now)
        return made

    def line(
        self, original: cst.SimpleStatementLine, updated: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel | cst.FlattenSentinel[cst.BaseStatement]:
        if not self._touched(original):
            return updated
        made = self._small(original, updated)
        if not made:
            return cst.RemoveFromParent()
        if len(original.body) > 1 or len(made) == 1:
            return updated.with_changes(body=_separated(made))
        first = updated.with_changes(body=made[:1])
        more = [cst.SimpleStatementLine(body=[item]) for item in made[1:]]
        return cst.FlattenSentinel([first, *more])

    def suite(
        self, original: cst.SimpleStatementSuite, updated: cst.SimpleStatementSuite
    ) -> cst.SimpleStatementSuite:
        if not self._touched(original):
            return updated
        made = self._small(original, updated) or [cst.Pass()]
        return updated.with_changes(body=_separated(made))


def _separated(items: Sequence[cst.BaseSmallStatement]) -> list[cst.BaseSmallStatement]:
    plain = cst.Semicolon(whitespace_after=cst.SimpleWhitespace(" "))
    found = []
    for item in items[:-1]:
        is_ended = isinstance(item.semicolon, cst.Semicolon)
        found.append(item if is_ended else item.with_changes(semicolon=plain))
    return [*found, items[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)]


def with_imports(module: cst.Module, statements: Iterable[str]) -> cst.Module:
    """Each statement beside the imports of its package, or after the first block of imports."""
    body = list(module.body)
    for text in dict.fromkeys(statements):
        line = cst.parse_statement(f"{text}\n", config=module.config_for_parsing)
        at = _place(body, text.split()[1].partition(".")[0])
        if at == 0 and body and isinstance(body[0], cst.SimpleStatementLine):
            line = line.with_changes(leading_lines=[])
        body.insert(at, line)
    return module.with_changes(body=body)


def _place(body: Sequence[cst.BaseStatement | cst.BaseSmallStatement], root: str) -> int:
    beside = end = 0
    is_head = True
    for at, statement in enumerate(body, 1):
        small = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        roots = [name for item in small for name in _roots(item)]
        if root in roots:
            beside = at
        is_head = is_head and (bool(roots) or (at == 1 and _is_docstring(small)))
        end = at if is_head else end
    return beside or end


def _roots(item: cst.BaseSmallStatement) -> list[str]:
    if isinstance(item, cst.ImportFrom):
        return [dotted(item.module).partition(".")[0] if item.module else "."]
    if isinstance(item, cst.Import):
        return [dotted(alias.name).partition(".")[0] for alias in item.names]
    return []


def _is_docstring(small: Sequence[cst.BaseSmallStatement]) -> bool:
    first = small[0] if small else None
    return isinstance(first, cst.Expr) and isinstance(
        first.value, cst.SimpleString | cst.ConcatenatedString
    )
