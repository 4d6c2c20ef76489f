"""Edits of real code, this project's own: nothing but what was asked for changes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import libdrift
from libdrift.advisor.editing import CallSignatures, edit
from libdrift.records import Finding, FindingKind, FindingLevel, Parameter, ParameterKind, Signature
from tests.advisor.editing.small import Known, renamed

ROOT = Path(libdrift.__file__).parent
FILES = [
    "sandbox/commands.py",
    "suites/codemenv/samples.py",
]
MOST = 12  # arguments of a call that are looked at


def found(node: ast.expr, kind: FindingKind, symbol: str, parameter: str = "") -> Finding:
    place = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
    how = renamed(f"{symbol}_new") if kind is FindingKind.RENAMED else None
    return Finding(
        "x.py", *place, kind, FindingLevel.ERROR, "lib", "1", "2", symbol, "", "",
        parameter=parameter, how=how,
    )  # fmt: skip


class _Renamer(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        node.attr += "_new"
        return node


class _Namer(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if is_plain(node):
            names = [ast.keyword(f"p{at}", item) for at, item in enumerate(node.args)]
            node.args, node.keywords = [], [*names, *node.keywords]
        return node


def is_plain(node: ast.Call) -> bool:
    is_named = isinstance(node.func, ast.Name | ast.Attribute)
    stars = any(isinstance(item, ast.Starred) for item in node.args)
    return is_named and bool(node.args) and not stars and len(node.args) <= MOST


@pytest.mark.parametrize("name", FILES)
def test_every_attribute_is_renamed(name: str) -> None:
    source = (ROOT / name).read_text("utf-8")
    tree = ast.parse(source)
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    findings = [found(node, FindingKind.RENAMED, f"lib.D.{node.attr}") for node in nodes]
    result = edit(source, findings, Known())
    assert not result.left
    assert ast.dump(ast.parse(result.source)) == ast.dump(_Renamer().visit(tree))
    assert result.source.replace("_new", "") == source.replace("_new", "")


class ByName(Known):
    """Whatever is called takes `p0, p1, …` and more, and now all by name."""

    def signatures(self, finding: Finding) -> CallSignatures | None:  # noqa: ARG002
        sides = []
        for kind in (ParameterKind.POSITIONAL, ParameterKind.KEYWORD_ONLY):
            items = [Parameter(f"p{at}", kind, "None") for at in range(MOST)]
            sides.append(Signature((*items, Parameter("more", ParameterKind.KEYWORDS))))
        return CallSignatures(*sides)


@pytest.mark.parametrize("name", FILES)
def test_every_argument_is_given_by_name(name: str) -> None:
    source = (ROOT / name).read_text("utf-8")
    tree = ast.parse(source)
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and is_plain(node)]
    findings = [found(node.func, FindingKind.KEYWORD_ONLY, "lib.f", "p0") for node in nodes]
    result = edit(source, findings, ByName())
    assert not result.left
    assert ast.dump(ast.parse(result.source)) == ast.dump(_Namer().visit(tree))
    assert len(result.source.splitlines()) == len(source.splitlines())
