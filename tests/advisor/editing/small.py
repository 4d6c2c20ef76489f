"""Findings and signatures for tests, from a line each."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from libdrift.advisor.editing import CallSignatures
from libdrift.records import (
    Finding,
    FindingKind,
    FindingLevel,
    Parameter,
    ParameterKind,
    Replacement,
    ReplacementShape,
    Signature,
)


def signature(text: str) -> Signature:
    """Of `a, b=1, /, *, c=None`."""
    given = ast.parse(f"def f({text}): ...").body[0].args  # type: ignore[attr-defined]
    found: list[Parameter] = []
    places = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(places) - len(given.defaults)) + given.defaults
    for at, (one, default) in enumerate(zip(places, defaults, strict=True)):
        only = at < len(given.posonlyargs)
        kind = ParameterKind.POSITIONAL_ONLY if only else ParameterKind.POSITIONAL
        annotation = ast.literal_eval(one.annotation) if one.annotation else ""
        written = ast.unparse(default) if default else None
        found.append(Parameter(one.arg, kind, written, annotation))
    if given.vararg:
        found.append(Parameter(given.vararg.arg, ParameterKind.VARIADIC))
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        written = ast.unparse(default) if default else None
        found.append(Parameter(one.arg, ParameterKind.KEYWORD_ONLY, written))
    if given.kwarg:
        found.append(Parameter(given.kwarg.arg, ParameterKind.KEYWORDS))
    return Signature(tuple(found))


def finding(
    source: str,
    written: str,
    kind: str,
    symbol: str,
    how: Replacement | None = None,
    parameter: str = "",
    **more: object,
) -> Finding:
    """A finding at the first place where an expression, an alias or a keyword is written so."""
    node = next(
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.expr | ast.alias | ast.keyword)
        and ast.get_source_segment(source, node) == written  # type: ignore[arg-type]
    )
    place = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
    return Finding(
        "file.py",
        *place,
        FindingKind(kind),
        FindingLevel.ERROR,
        symbol.partition(".")[0],
        "1.0",
        "2.0",
        symbol,
        written,
        "",
        parameter=parameter,
        how=how,
        **more,  # type: ignore[arg-type]
    )


def renamed(path: str, **more: object) -> Replacement:
    return Replacement(ReplacementShape.RENAME, path, **more)  # type: ignore[arg-type]


def moved(path: str) -> Replacement:
    return Replacement(ReplacementShape.MOVE, path)


def template(text: str) -> Replacement:
    return Replacement(ReplacementShape.TEMPLATE, template=text)


@dataclass(frozen=True)
class Known:
    """Both signatures of everything that is called, and modules by their names."""

    old: str = ""
    new: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)
    is_callable: bool = True

    def signatures(self, finding: Finding) -> CallSignatures | None:  # noqa: ARG002
        return CallSignatures(signature(self.old), signature(self.new), self.renamed)

    def old_signature(self, finding: Finding) -> CallSignatures | None:  # noqa: ARG002
        if not self.is_callable:
            return None
        return CallSignatures(signature(self.old), signature(self.old))

    def origin(self, finding: Finding) -> str:
        return "six.taken" if finding.symbol == "lib.taken" else ""

    def is_module(self, path: str) -> bool:
        return path.rpartition(".")[2] in {"lib", "old", "new", "sub", "deep", "six", "moves"}

    def is_loaded(self, path: str) -> bool:
        return path in {"lib", "lib.sub"}
