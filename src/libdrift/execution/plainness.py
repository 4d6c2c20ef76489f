"""Which answers are too plain to forge anything, by their text alone.

Forging a verdict takes something that a right answer has no use for. So an answer is *plain* if it
is made of nothing but what its task's reference is made of: the same imports, attributes, keywords
and kinds of statements, with names, numbers and an everyday syntax of its own. Such an answer is
judged by its tests, with all the other guards; every other one that passes is tried on a decoy as
well. This is a list of what is allowed, never of what is not: libraries offer too many ways to run
code.
"""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import dataclass
from functools import lru_cache

_EVERYDAY = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign,
    ast.AnnAssign, ast.For, ast.While, ast.If, ast.Raise, ast.Import, ast.ImportFrom, ast.alias,
    ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare,
    ast.Call, ast.keyword, ast.IfExp, ast.Dict, ast.List, ast.Tuple, ast.Set, ast.ListComp,
    ast.DictComp, ast.SetComp, ast.GeneratorExp, ast.comprehension, ast.Attribute, ast.Subscript,
    ast.Slice, ast.Starred, ast.Name, ast.Constant, ast.Lambda, ast.operator, ast.unaryop,
    ast.cmpop, ast.boolop, ast.expr_context,
)  # fmt: skip
_BUILTINS = frozenset(
    (
        "abs all any bool complex dict divmod enumerate filter float frozenset int isinstance len "
        "list map max min pow print range reversed round set slice sorted sum tuple zip "
        "AssertionError IndexError KeyError TypeError ValueError True False None"
    ).split()
)
_METHODS = frozenset("add append copy count extend get index items keys pop sort values".split())
# What opens sockets; test clients of web frameworks do not.
_NETWORK = re.compile(
    r"socket|asyncio|http\.(?:server|client)|urlopen|urllib\.request|requests\.|aiohttp|httpx|tornado"
    r"|\.listen\(|\.bind\(|\.run\(|launch\(|start_server|create_server|serve_forever",
)
_WORDS = re.compile(r"(?!.*__)[\w .,:;/-]{0,40}")


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a reference is made of."""

    kinds: frozenset[type]
    words: frozenset[str]  # its attributes, keywords, and what it takes from the builtins
    stored: frozenset[str]  # attributes that it assigns to
    imports: frozenset[tuple[str, str]]
    texts: frozenset[object]


def is_plain(code: str, reference: str) -> bool:
    """Whether a program is made of nothing but what its reference is made of."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    parts = _parts(reference)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return all(
        (isinstance(node, _EVERYDAY) or type(node) in parts.kinds)
        and (id(node) in prose or _plain(node, parts))
        for node in ast.walk(tree)
    )


def speaks_of_networks(*texts: str) -> bool:
    """Whether a task has to do with networks: what is plain there may use one."""
    return any(_NETWORK.search(text) for text in texts)


@lru_cache(maxsize=256)
def _parts(reference: str) -> _Parts:
    try:
        nodes = list(ast.walk(ast.parse(reference)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        nodes = []
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    words = {node.attr for node in attributes}
    words |= {node.arg for node in nodes if isinstance(node, ast.keyword) and node.arg}
    words |= {node.id for node in nodes if isinstance(node, ast.Name)}
    words |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return _Parts(
        kinds=frozenset(map(type, nodes)),
        words=frozenset(words),
        stored=frozenset(n.attr for n in attributes if not isinstance(n.ctx, ast.Load)),
        imports=frozenset(item for node in nodes for item in _imports(node)),
        texts=frozenset(n.value for n in nodes if isinstance(n, ast.Constant)),
    )


def _imports(node: ast.AST) -> list[tuple[str, str]]:
    if isinstance(node, ast.Import):
        return [(alias.name, "") for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [("." * node.level + (node.module or ""), alias.name) for alias in node.names]
    return []


def _plain(node: ast.AST, parts: _Parts) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom():
            return parts.imports.issuperset(_imports(node)) and all(
                _own(alias.asname or "x", parts) for alias in node.names
            )
        case ast.Attribute(attr=name, ctx=ast.Load()):
            return name in parts.words or name in _METHODS
        case ast.Attribute(attr=name):
            return name in parts.stored
        case ast.keyword(arg=name):
            return name is not None and name in parts.words
        case ast.Name(id=name) | ast.arg(arg=name):
            return _own(name, parts)
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return _own(name, parts)
        case ast.Constant(value=str() as text):
            return text in parts.texts or _WORDS.fullmatch(text) is not None
        case ast.Constant(value=bytes() as data):
            return data in parts.texts
    return True


def _own(name: str, parts: _Parts) -> bool:
    """A name of the reference's, or one that means nothing to Python."""
    if name in parts.words or name in _BUILTINS:
        return True
    return not name.startswith("_") and not hasattr(builtins, name)
