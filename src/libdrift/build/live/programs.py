"""An example as a function of its inputs: what it starts from is passed, what it shows is returned.

A fixed program has one output, which can be printed without the library. A function is asked for
other arguments as well.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from libdrift.build.live.starting_values import literals_of
from libdrift.languages.python.usage import all_imported, parsed
from libdrift.mining.examples.extracting import DocExample
from libdrift.mining.examples.uses import names_in

FUNCTION = "solution"
_MOST_INPUTS = 8  # literals that are tried as arguments
_LONGEST = 40  # lines of an example
_KNOWN = 2000  # statements whose names are remembered
# Names of the parameters of what is called so, where they are known.
ParameterNames = Callable[[str], Sequence[str]]
# How a value that is not plain is returned all the same.
FORMS = {
    "value": "{}",
    "item": "{}.item()",
    "tolist": "{}.tolist()",
    "dict": "dict({})",
    "tuple": "tuple({})",
    "set": "set({})",
    "list": "list({})",
    "text": "str({})",
}
_STAR = re.compile(r"from [\w.]+ import \*")
_KINDS = {int: "number", float: "number", str: "text", dict: "mapping"}


@dataclass(frozen=True, slots=True)
class ProgramInput:
    """A literal of the example that may become an argument, wherever it stands."""

    name: str
    source: str
    places: tuple[tuple[int, int, int], ...]  # statement, and where in it: begin, end
    is_assigned: bool = False  # the statement says nothing else


@dataclass(frozen=True, slots=True)
class ExampleProgram:
    """A function, made of the statements of an example."""

    imports: tuple[str, ...]
    statements: tuple[str, ...]  # the last one is the expression whose value is wanted
    inputs: tuple[ProgramInput, ...]
    form: str = "value"

    def lifted(self, names: Sequence[str]) -> ExampleProgram:
        """With only these as arguments, numbered anew; the others stay as they are written."""
        kept = [one for one in self.inputs if one.name in names]
        taken = _used("\n".join((*self.imports, *self.statements)))
        taken |= {one.name for one in kept if one.is_assigned}
        found = []
        for one in kept:
            name = one.name
            if not one.is_assigned:
                name = _numbered(re.sub(r"_\d+$", "", name), taken)
                taken.add(name)
            found.append(replace(one, name=name))
        return replace(self, inputs=tuple(found))

    @property
    def code(self) -> str:
        lines: list[str] = []
        for number, statement in enumerate(self._statements()):
            is_last = number == len(self.statements) - 1
            if is_last:
                lines += self._returned(statement).splitlines()
            elif statement:
                lines += statement.splitlines()
        body = "\n".join(f"    {line}" if line.strip() else "" for line in lines)
        names = ", ".join(one.name for one in self.inputs)
        head = "\n".join(self.imports)
        start = f"{head}\n\n\n" if head else ""
        return f"{start}def {FUNCTION}({names}):\n{body}\n"

    @property
    def own(self) -> tuple[str, ...]:
        return tuple(one.source for one in self.inputs)

    def _statements(self) -> Iterator[str]:
        for number, statement in enumerate(self.statements):
            spans = sorted(
                ((begin, end, one) for one in self.inputs for at, begin, end in one.places
                 if at == number), key=lambda span: span[0], reverse=True,
            )  # fmt: skip
            text = statement
            for begin, end, one in spans:
                text = text[:begin] + one.name + text[end:]
            assigned = any(one.is_assigned and one.places[0][0] == number for one in self.inputs)
            yield "" if assigned else text

    def _returned(self, text: str) -> str:
        inner = text
        if self.form != "value" and self.form in {"item", "tolist"} and not _is_primary(text):
            inner = f"({text})"
        written = FORMS[self.form].format(inner)
        return f"return ({written})" if "\n" in written else f"return {written}"


def _used(code: str) -> set[str]:
    tree = ast.parse(code)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {item.name for item in all_imported(tree.body)} | set(dir(builtins))


def _numbered(wanted: str, taken: Container[str]) -> str:
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def called_with(arguments: Sequence[str]) -> str:
    return f"{FUNCTION}({', '.join(arguments)})"


def needed_by(example: DocExample, at: int) -> list[int]:
    """The statements that one needs, and itself: those before that bind or change what it names.

    A name that is bound anew needs nothing of what was there before.
    """
    codes = [statement.code for statement in example.statements[: at + 1]]
    known = [_names_in(code) for code in codes]
    modules = {name for code in codes for name in _imported_names(code)}
    needed = set(known[at][0])
    kept = [at]
    for number in range(at - 1, -1, -1):
        loaded, bound = known[number]
        # What stands alone is there for what it does: `graph.add_edge(1, 2)`, `set_options(…)`.
        acts = not bound and not example.statements[number].shown
        takes_all = bool(_STAR.match(codes[number]))
        if (
            takes_all
            or bound & needed
            or (acts and ((loaded & needed) - modules or loaded <= modules))
        ):
            if _binds_anew(codes[number]):
                needed -= bound
            needed |= loaded
            kept.append(number)
    return kept[::-1]


# Asked of every statement for each one behind it.
@lru_cache(_KNOWN)
def _names_in(code: str) -> tuple[frozenset[str], frozenset[str]]:
    loaded, bound = names_in(code)
    return frozenset(loaded), frozenset(bound)


@lru_cache(_KNOWN)
def _imported_names(code: str) -> frozenset[str]:
    tree = parsed(code)
    return frozenset(item.name for item in all_imported([*tree.body] if tree else []))


def _binds_anew(code: str) -> bool:
    tree = parsed(code)
    match tree.body if tree else []:
        case [ast.Assign(targets=[ast.Name(id=name)], value=value)]:
            inner = (node.id for node in ast.walk(value) if isinstance(node, ast.Name))
            return name not in inner
        case _:
            return False


def program_of(
    example: DocExample, at: int, names: ParameterNames = lambda _: ()
) -> ExampleProgram | str:
    """The function that returns what statement ``at`` shows; or why there is none, in a few words.

    All of its literals that may be arguments are. ``names`` tells how they are called.
    """
    text = "\n".join(example.statements[number].code for number in needed_by(example, at))
    tree = parsed(text)
    if tree is None or not tree.body or not text.isascii():
        return "it is not plain Python"
    if text.count("\n") >= _LONGEST:
        return "it is long"
    shown = _shown(tree.body[-1])
    if shown is None:
        return "it shows no value"
    objection = _objection(tree, shown)
    if objection:
        return objection
    source = _Source(text)
    before = tree.body[:-1]
    imports = [node for node in before if isinstance(node, ast.Import | ast.ImportFrom)]
    others = [node for node in before if not isinstance(node, ast.Import | ast.ImportFrom)]
    statements = [*map(source.statement, others), source.segment(shown)]
    if any("\n" in text and ('"""' in text or "'''" in text) for text in statements):
        return "it has a text of several lines"
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    lifter = _Lifter(source, [*others, ast.Expr(shown)], names, _bound(tree))
    return ExampleProgram(
        tuple(dict.fromkeys(filter(None, (_needed(node, source, used) for node in imports)))),
        tuple(statements),
        tuple(lifter.found()),
    )


def _needed(node: ast.Import | ast.ImportFrom, source: _Source, used: Container[str]) -> str:
    """An import without names that nothing uses: they would be nobody's question."""
    kept = [
        one
        for one in node.names
        if one.name == "*" or (one.asname or one.name.partition(".")[0]) in used
    ]
    if len(kept) == len(node.names):
        return source.segment(node)
    names = ", ".join(f"{one.name} as {one.asname}" if one.asname else one.name for one in kept)
    if not names:
        return ""
    start = (
        f"from {'.' * node.level}{node.module or ''} " if isinstance(node, ast.ImportFrom) else ""
    )
    return f"{start}import {names}"


def _shown(node: ast.stmt) -> ast.expr | None:
    """What is printed or kept: `print(x)` shows `x`, and so does `y = x`."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[only], keywords=[])):
            return None if isinstance(only, ast.Starred) else only
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            return None
        case ast.Expr(value=value) | ast.Assign(targets=[ast.Name()], value=value):
            return value
        case _:
            return None


def _objection(tree: ast.Module, shown: ast.expr) -> str:
    for node in ast.walk(tree):
        match node:
            case ast.Await() | ast.AsyncFor() | ast.AsyncWith() | ast.AsyncFunctionDef():
                return "it awaits something"
            case ast.Yield() | ast.YieldFrom() | ast.Global() | ast.Nonlocal():
                return "it is not plain Python"
            case ast.Name(id="_" | "__name__" | "__file__" | "input" | "open" | "exit" | "quit"):
                return "it needs a session"
            case _:
                pass
    if not any(isinstance(node, ast.Call | ast.BinOp | ast.Compare) for node in ast.walk(tree)):
        return "it calls nothing"
    match shown:
        case ast.Call(func=ast.Name(id="help" | "dir" | "type" | "id" | "hash")):
            return "it shows no value"
        case _:
            return ""


def _is_primary(text: str) -> bool:
    tree = ast.parse(text, mode="eval").body
    return isinstance(tree, ast.Name | ast.Attribute | ast.Call | ast.Subscript)


def _bound(tree: ast.Module) -> dict[str, int]:
    """How often each name is bound."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                found[name] = found.get(name, 0) + 1
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = found.get(name, 0) + 1
            case ast.alias(name=name, asname=asname):
                label = asname or name.partition(".")[0]
                found[label] = found.get(label, 0) + 1
            case ast.Name(id=name):
                found.setdefault(name, 0)
            case _:
                pass
    return found


class _Source:
    """Text by positions as the parser counts them; it is ASCII, so bytes are characters."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        line, end = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)
        begin = self._starts[line - 1] + getattr(node, "col_offset", 0)
        return begin, self._starts[end - 1] + getattr(node, "end_col_offset", 0)

    def segment(self, node: ast.AST) -> str:
        begin, end = self.span(node)
        return self._text[begin:end]

    def begin(self, node: ast.stmt) -> int:
        first = [node, *getattr(node, "decorator_list", ())]
        lines = [item.lineno for item in first]
        return self._starts[min(lines) - 1] if min(lines) < node.lineno else self.span(node)[0]

    def statement(self, node: ast.stmt) -> str:
        return self._text[self.begin(node) : self.span(node)[1]]


class _Lifter:
    """Finds the literals of statements that may be arguments, and names for them."""

    def __init__(
        self,
        source: _Source,
        nodes: Sequence[ast.stmt],
        names: ParameterNames,
        bound: dict[str, int],
    ) -> None:
        self._source, self._nodes, self._names = source, nodes, names
        self._bound = bound
        self._taken = set(bound) | {FUNCTION}

    def found(self) -> list[ProgramInput]:
        inputs: dict[str, ProgramInput] = {}
        for number, node in enumerate(self._nodes):
            inner = node.value if isinstance(node, ast.Expr) else node
            origin = self._origin(node)
            for literal, wanted in literals_of(inner, ""):
                source = self._source.segment(literal)
                begin, end = self._source.span(literal)
                place = (number, begin - origin, end - origin)
                value = ast.literal_eval(literal)
                if isinstance(literal, ast.Constant) and "\n" in source:
                    source = repr(value)  # texts side by side, which need their parentheses
                known = inputs.get(source)
                if known is not None and isinstance(value, str):
                    inputs[source] = replace(known, places=(*known.places, place))
                    continue
                if known is not None and not isinstance(value, str):
                    source = f"{source} "  # of its own, whatever its value
                    if source in inputs:
                        continue
                name, is_assigned = self._name(node, literal, wanted, value)
                inputs[source] = ProgramInput(name, source.strip(), (place,), is_assigned)
        return list(inputs.values())[:_MOST_INPUTS]

    def _origin(self, node: ast.stmt) -> int:
        if hasattr(node, "lineno"):
            return self._source.begin(node)
        assert isinstance(node, ast.Expr)  # noqa: S101  (the one that was made)
        return self._source.span(node.value)[0]

    def _name(
        self, node: ast.stmt, literal: ast.expr, wanted: str, value: object
    ) -> tuple[str, bool]:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=same) if (
                same is literal and self._bound.get(name) == 1
            ):
                return name, True
            case _:
                pass
        if ":" in wanted:  # a place in a call: of what, and which
            called, _, place = wanted.partition(":")
            known = self._names(called)
            wanted = known[int(place)] if int(place) < len(known) else ""
        wanted = wanted.lower().lstrip("_") or _KINDS.get(type(value), "values")
        return self._free(wanted), False

    def _free(self, wanted: str) -> str:
        if not wanted.isidentifier() or keyword.iskeyword(wanted) or hasattr(builtins, wanted):
            wanted = f"{wanted}_value" if wanted.isidentifier() else "value"
        name = _numbered(wanted, self._taken)
        self._taken.add(name)
        return name
