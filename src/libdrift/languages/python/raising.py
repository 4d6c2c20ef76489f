"""Code that can only raise: what is left of a name to say that it is gone, and what it says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from libdrift.languages.python.expressions import called, dotted, message, text

AS_BASE = "^"  # a constructor that only calls that of its base ends with it
_LONGEST = 600

# Words of an error that tell of an end.
_GONE = re.compile(
    r"\b(?:removed|renamed|replaced|dropped|discontinued|retired|withdrawn|superseded|defunct)\b"
    r"|\bmoved (?:to|into|from)\b|\bno longer\b|\bobsolete|\bdeprecat|\bused to be\b"
    r"|\b(?:has|have|had) (?:been )?moved\b|\b(?:does not|doesn't) exist any ?more\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\binstead\b|\bin favou?r of\b|\bplease use\b", re.IGNORECASE)
# Words of one that waits for a subclass, or for a package that is not installed.
_UNFINISHED = re.compile(
    r"abstract|subclass|overrid|overload|implement|\binstall|\brequire|\bnot (?:yet|available)",
    re.IGNORECASE,
)
# A thing of this name ends a program or a loop, and that is its use.
_ERROR = re.compile(r"(?:Error|Exception|Warning|Deprecat\w*|Removed\w*|Unsupported\w*)$")
_SAYS = re.compile(r"(?:^|[._])(?:warn|log|debug|info|print|deprecat)", re.IGNORECASE)
_HARMLESS = re.compile(
    r"(?:property|classmethod|staticmethod|final|wraps)$|deprecat", re.IGNORECASE
)
_MARKS = re.compile(r"%(?:\((\w+)\))?[-#0 +]*\d*(?:\.\d+)?[srdfi]")
_BRACES = re.compile(r"\{(\w*)(?:![rsa])?(?::[^{}]*)?\}")
_INSIDE = re.compile(r"\{(\w+)[^{}]*\}")
_FILLED = re.compile(r"\{[^{}]*\}|%(?:\(\w+\))?[srd]")


@dataclass(frozen=True, slots=True)
class OnlyRaises:
    """What code that can only raise says; ``told``: the words themselves tell of an end."""

    said: str
    told: bool


def ending(
    node: ast.FunctionDef | ast.AsyncFunctionDef, known: Mapping[str, ast.expr]
) -> OnlyRaises | None:
    """That of a function; None where it can do something else, or waits for a subclass."""
    if any(called(d).rpartition(".")[2].startswith("abstract") for d in node.decorator_list):
        return None
    if node.name in ("__init__", "__new__") and _only_calls_base(node.body):
        return OnlyRaises(AS_BASE, told=True)
    given = _given(node)
    found = of_block(node.body, {name: value for name, value in known.items() if name not in given})
    if found is None:
        return None
    said, error = found
    if given.intersection(_INSIDE.findall(said)):
        return None  # a tool for others to raise with: it says what it is given
    if tells(said):
        return OnlyRaises(said, told=True)
    # Without a telling word: only what is surely no tool that raises what it is given.
    plain = all(_HARMLESS.search(called(d)) for d in node.decorator_list)
    if not plain or _UNFINISHED.search(said) or error == "NotImplementedError":
        return None
    if not _ERROR.search(error) or _FILLED.sub("", said) != said:
        return None
    return OnlyRaises(said, told=False)


def _given(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The parameters of a function, but for the first of a method."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [item for item in (arguments.vararg, arguments.kwarg) if item is not None]
    return {item.arg for item in every} - {"self", "cls"}


def tells(said: str) -> bool:
    """Whether words tell that something is gone, or what to use instead of it."""
    return bool(_GONE.search(said) or (_INSTEAD.search(said) and not _UNFINISHED.search(said)))


def is_end(said: str) -> bool:
    """Whether words tell of an end that concerns a whole class: not "use create() instead"."""
    return said == AS_BASE or bool(_GONE.search(said))


def of_block(body: Sequence[ast.stmt], known: Mapping[str, ast.expr]) -> tuple[str, str] | None:
    """The words and the class of the error that a block can only end with; None else.

    What it says, imports or assigns before does not matter.
    """
    local = dict(known)
    errors: list[ast.expr] = []
    if not _ends(body, local, errors):
        return None
    said = [_said(error, local) for error in errors]
    best = next((one for one in reversed(said) if one[0]), said[-1] if said else ("", ""))
    return best[0][:_LONGEST], best[1]


def _ends(body: Sequence[ast.stmt], local: dict[str, ast.expr], errors: list[ast.expr]) -> bool:
    for statement in body:
        if isinstance(statement, ast.Raise):
            if statement.exc is None:
                return False  # of a handler
            errors.append(statement.exc)
            return True
        if isinstance(statement, ast.If):
            sides = [_ends(side, local, errors) for side in (statement.body, statement.orelse)]
            if all(sides):
                return True
            if not all(_is_quiet(s) for s in (*statement.body, *statement.orelse)):
                return False
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            local[statement.targets[0].id] = statement.value
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            if name in local:
                local[name] = ast.BinOp(local[name], statement.op, statement.value)
        elif not _is_quiet(statement):
            return False
    return False


def _is_quiet(statement: ast.stmt) -> bool:
    """Whether a statement before the error does no more than speak, name or import something."""
    if isinstance(statement, ast.Expr):
        value = statement.value
        if isinstance(value, ast.Constant):
            return True
        return isinstance(value, ast.Call) and (
            bool(_SAYS.search(called(value))) or _is_of_base(value)
        )
    if isinstance(statement, ast.If):
        return all(map(_is_quiet, (*statement.body, *statement.orelse)))
    if isinstance(statement, ast.Delete):
        return all(isinstance(target, ast.Name) for target in statement.targets)
    kinds = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Pass)
    return isinstance(statement, (*kinds, ast.Raise))


def _only_calls_base(body: Sequence[ast.stmt]) -> bool:
    rest = [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return (
        len(rest) == 1
        and isinstance(rest[0], (ast.Expr, ast.Return))
        and isinstance(rest[0].value, ast.Call)
        and _is_of_base(rest[0].value)
    )


def _is_of_base(call: ast.Call) -> bool:
    function = call.func
    return isinstance(function, ast.Attribute) and called(function.value) == "super"


def _said(error: ast.expr, local: Mapping[str, ast.expr]) -> tuple[str, str]:
    """The words of an error, and the name of its class."""
    for _ in range(3):  # error = Error("…"); raise error
        if isinstance(error, ast.Name) and error.id in local:
            error = local[error.id]
    name = called(error).rpartition(".")[2]
    if not isinstance(error, ast.Call):
        return "", name
    given = [*error.args, *(k.value for k in error.keywords)]
    said = [words(part, local) for part in given]
    return " ".join(" ".join(filter(None, said)).split()), name


def words(node: ast.expr, local: Mapping[str, ast.expr]) -> str:
    """What a text would say, with the constants that are put into it."""
    while isinstance(node, ast.Name) and node.id in local:
        # Each name once: `text = text + more` would have no end.
        name = node.id
        node, local = local[name], {key: value for key, value in local.items() if key != name}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        left = words(node.left, local)
        parts = list(node.right.elts) if isinstance(node.right, ast.Tuple) else [node.right]
        named = _pairs(node.right)
        given = iter(parts)
        return _MARKS.sub(
            lambda found: _shown(
                named.get(found[1]) if found[1] else next(given, None), found[0], local
            ),
            left,
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return words(node.left, local) + words(node.right, local)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        template = words(node.func.value, local) if node.func.attr == "format" else ""
        if template:
            return _formatted(node, template, local)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
            else _shown(getattr(part, "value", None), "", local)
            for part in node.values
        )
    if isinstance(node, ast.Subscript):
        return "{" + text(node) + "}"
    return message(node, local)


def _formatted(call: ast.Call, template: str, local: Mapping[str, ast.expr]) -> str:
    given = iter(call.args)
    named = {keyword.arg: keyword.value for keyword in call.keywords}

    def put(found: re.Match[str]) -> str:
        label = found[1]
        if label.isdigit():
            value = call.args[int(label)] if int(label) < len(call.args) else None
        else:
            value = named.get(label) if label else next(given, None)
        return _shown(value, found[0], local)

    return _BRACES.sub(put, template)


def _pairs(node: ast.expr) -> dict[str, ast.expr]:
    if not isinstance(node, ast.Dict):
        return {}
    return {
        key.value: value
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def _shown(node: ast.expr | None, mark: str, local: Mapping[str, ast.expr]) -> str:
    """A value within a text: itself where it is a constant, else its code in braces."""
    if node is None:
        return mark
    if isinstance(node, ast.Constant):
        return str(node.value)
    inner = words(node, local) if dotted(node) in local else ""
    return inner or "{" + text(node) + "}"


def table(node: ast.expr | None, known: Mapping[str, ast.expr]) -> Iterator[tuple[str, str]]:
    """A dictionary's constant keys, with what each value would say."""
    if isinstance(node, ast.Dict):
        for key, said in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, words(said, known)
