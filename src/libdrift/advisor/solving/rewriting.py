"""Small edits of code by where things stand in it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from libdrift.advisor.solving.reading import parsed
from libdrift.languages.python.usage import Span
from libdrift.languages.python.usage.uses import span_of


def replaced(code: str, edits: Iterable[tuple[Span, str]]) -> str:
    """Code with other text at some places, which must not overlap."""
    lines = code.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    whole = b"".join(lines)
    for span, text in sorted(edits, key=lambda item: item[0], reverse=True):
        start = starts[span.line - 1] + span.column
        end = starts[span.end_line - 1] + span.end_column
        whole = whole[:start] + text.encode() + whole[end:]
    return whole.decode()


@dataclass(frozen=True, slots=True)
class LostName:
    """A name where it is written; ``value`` is what it is a member of, where that is a value."""

    path: str
    span: Span
    value: Span | None = None


def called_instead(
    code: str, lost: Iterable[LostName], names: Mapping[str, str]
) -> list[tuple[Span, str]]:
    """Edits that call functions in the place of names; the value of a member comes first."""
    tree = parsed(code)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    by_function = {span_of(node.func): node for node in calls}
    rows = code.encode().splitlines(keepends=True)
    edits: dict[tuple[Span, bool], tuple[Span, str]] = {}
    # What is inside comes first: of two texts at one place, the last stands before.
    for one in sorted(lost, key=lambda item: (item.span.end_line, item.span.end_column)):
        span, name = one.span, names[one.path]
        call = by_function.get(span)
        if one.value is None:
            edits[span, False] = (span, name)
        elif call is not None and rows[span.end_line - 1][span.end_column :].startswith(b"("):
            comma = ", " if call.args or call.keywords else ""
            rest = Span(
                one.value.end_line, one.value.end_column, span.end_line, span.end_column + 1
            )
            head = Span(span.line, span.column, span.line, span.column)
            edits[span, False] = (head, f"{name}(")
            edits[span, True] = (rest, comma)
    return list(edits.values())


def without_names(code: str, lost: Mapping[str, Collection[str]]) -> str:
    """Code that does not import some names of some modules any more."""
    tree = parsed(code)
    edits: list[tuple[Span, str]] = []
    for node in ast.walk(tree) if tree is not None else ():
        gone = lost.get(node.module or "", ()) if isinstance(node, ast.ImportFrom) else ()
        if not gone or not isinstance(node, ast.ImportFrom):
            continue
        kept = [alias for alias in node.names if alias.name not in gone]
        if len(kept) == len(node.names):
            continue
        names = ", ".join(ast.unparse(alias) for alias in kept)
        text = f"from {node.module} import {names}" if kept else "pass"
        edits.append((_span(node), text))
    return replaced(code, edits)


def with_module(code: str, root: str, instead: str) -> str:
    """Code that imports another module in a root's place, under the same names."""
    tree = parsed(code)
    edits: list[tuple[Span, str]] = []
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import) and any(item.name == root for item in node.names):
            names = [
                f"{instead} as {item.asname or root}" if item.name == root else ast.unparse(item)
                for item in node.names
            ]
            edits.append((_span(node), f"import {', '.join(names)}"))
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_below(node.module, root):
            names = [ast.unparse(item) for item in node.names]
            module = instead + (node.module or "").removeprefix(root)
            edits.append((_span(node), f"from {module} import {', '.join(names)}"))
    return replaced(code, edits)


def _is_below(module: str | None, root: str) -> bool:
    return module is not None and (module == root or module.startswith(f"{root}."))


def _span(node: ast.stmt) -> Span:
    return Span(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)


def placed_first(code: str, lines: str) -> str:
    """Code after some lines of its own module; what must open a file stays first."""
    tree = parsed(code)
    body = tree.body if tree is not None else []
    after = 0
    for at, node in enumerate(body):
        is_doc = at == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (is_doc or is_future):
            break
        after = node.end_lineno or 0
    rows = code.splitlines(keepends=True)
    head = "".join(rows[:after])
    if head and not head.endswith("\n"):
        head += "\n"
    return head + lines + "".join(rows[after:])
