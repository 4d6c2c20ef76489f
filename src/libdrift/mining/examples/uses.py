"""What the statements of an example use of its package, and which of them belong together."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from libdrift.history.views import View
from libdrift.languages.python import usage
from libdrift.languages.python.usage import Certainty, OnePackage, ReleaseTypes, Use, UseKind
from libdrift.mining.examples.extracting import DocExample
from libdrift.records import Surface


class ExampleUses:
    """Reads examples with what one release knows of its names."""

    def __init__(self, surface: Surface) -> None:
        self.view = View(surface)
        self._types = ReleaseTypes(self.view)
        self._own = OnePackage(surface.release.package, surface.roots)
        self._known: dict[tuple[str, ...], list[list[Use]]] = {}

    def of(self, example: DocExample) -> list[list[Use]]:
        """The sure uses of each statement."""
        if example.key not in self._known:
            self._known[example.key] = self._read(example)
        return self._known[example.key]

    def _read(self, example: DocExample) -> list[list[Use]]:
        lines: list[str] = []
        statement_at: dict[int, int] = {}
        for number, statement in enumerate(example.statements):
            code = statement.code if usage.parsed(statement.code) is not None else "pass"
            for line in code.splitlines():
                lines.append(line)
                statement_at[len(lines)] = number
        found: list[list[Use]] = [[] for _ in example.statements]
        tree = usage.parsed("\n".join(lines))
        if tree is None:
            return found
        try:
            reading = usage.read(tree, self._own, lambda _: self._types)
        except RecursionError:
            return found
        for use in reading.uses:
            if use.path and use.certainty > Certainty.GUESSED:
                found[statement_at[use.span.line]].append(use)
        return found


def paths_of(uses: Sequence[Use]) -> tuple[str, ...]:
    """Both as written and as most public."""
    found = [path for use in uses for path in (use.canonical, use.path) if path]
    return tuple(dict.fromkeys(found))


def called(uses: Sequence[Use]) -> list[str]:
    return [
        use.canonical or use.path for use in uses if use.kind in {UseKind.CALL, UseKind.KEYWORD}
    ]


def keywords_of(uses: Sequence[Use]) -> tuple[str, ...]:
    """Arguments that are given by name: `numpy.sum(axis)`."""
    return tuple(
        f"{path}({use.name})"
        for use in uses
        if use.kind is UseKind.KEYWORD
        for path in dict.fromkeys((use.canonical, use.path))
        if path
    )


def slice_of(example: DocExample, at: int) -> list[str]:
    """The statements that one needs, as far as names tell, and itself."""
    needed = names_in(example.statements[at].code)[0]
    kept = [example.statements[at].code]
    for statement in reversed(example.statements[:at]):
        loaded, bound = names_in(statement.code)
        # What stands alone and shows nothing is there for what it does: `graph.add_edge(1, 2)`.
        acts = not bound and not statement.shown and bool(loaded & needed)
        if bound & needed or acts:
            needed |= loaded
            kept.append(statement.code)
    return kept[::-1]


def names_in(code: str) -> tuple[set[str], set[str]]:
    """Names that a statement loads and binds; what it stores into is bound, too."""
    tree = usage.parsed(code)
    loaded: set[str] = set()
    bound: set[str] = set()
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                loaded.add(name)
            case ast.Name(id=name):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                bound |= _root(node)
            case _:
                bound.update(item.name for item in usage.imported(node))
    return loaded, bound


def _root(node: ast.expr) -> set[str]:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()
