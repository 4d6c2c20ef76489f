"""Which answers are too plain to forge anything, by their text alone.

Forging a verdict takes something that honest answers hardly use: looking at frames, replacing
what the tests judge with, objects with operators of their own, code made of text. An answer with
nothing of the kind, and nothing that leads there, need not be tried on decoys: it is judged by its
tests, with all the other guards. The list says what is plain; whatever is not on it is not.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

# Roots of the standard library that give no hold on the process.
_HARMLESS = frozenset(
    (
        "abc base64 bisect calendar cmath collections contextlib copy csv dataclasses datetime "
        "decimal enum fractions functools hashlib heapq io itertools json math numbers random re "
        "statistics string textwrap time typing typing_extensions uuid warnings xml zoneinfo"
    ).split()
)
# Names that lead out of the plain, wherever they stand: as a name, an attribute or a keyword.
_LEADING = frozenset(
    (
        "breakpoint breakpointhook builtins code codeop compile ctypes currentframe delattr dir "
        "displayhook eval excepthook exec exit faulthandler from_string gc get_stack getattr "
        "globals importlib input inspect lambdify load loads locals marshal meta_path metaclass "
        "mock modules monkeypatch open operator os parse_expr patch pickle platform print_stack "
        "pty pytest query quit read_pickle register_at_fork render_template_string runpy setattr "
        "setprofile settrace shelve site socket subprocess sympify sys template test testing "
        "threading traceback types unittest unraisablehook vars walk_stack weakref"
    ).split()
)
# The insides of frames, tracebacks, generators, coroutines and code.
_INSIDES = re.compile(r"(?:f|tb|gi|cr|ag|co)_[a-z]+")
_PRIVATE = frozenset({"__name__", "__init__", "__main__", "_"})


def is_plain(code: str, *known: str) -> bool:
    """Whether a program uses nothing but harmless modules, itself, and the libraries of ``known``.

    Those are the programs of its task, reference and tests, which say what it is about.
    """
    try:
        tree = ast.parse(code)
        library = frozenset(root for text in known for root in _libraries(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(_plain(node, library) for node in ast.walk(tree))


def _libraries(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.append(node.module)
        for root in (module.split(".")[0] for module in modules):
            if root not in sys.stdlib_module_names and root not in _LEADING:
                yield root


def _plain(node: ast.AST, library: frozenset[str]) -> bool:
    match node:
        case ast.Import(names=names):
            return all(_module(alias.name, library) for alias in names)
        case ast.ImportFrom(module=module, names=names, level=0):
            return _module(module or "", library) and all(_word(alias.name) for alias in names)
        case ast.ImportFrom():
            return False
        case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
            return _word(name)
        case ast.ClassDef(name=name, keywords=keywords):
            return _word(name) and not keywords
        case ast.Attribute(attr=name, ctx=ast.Load()):
            return _word(name)
        case ast.Attribute():
            return False  # replaces a part of something, perhaps of what the tests judge with
        case ast.keyword(arg=name):
            return name is None or _word(name)
        case ast.Constant(value=str() as text):
            return "__" not in text or text in _PRIVATE
        case ast.Constant(value=bytes() as data):
            return len(data) < 64  # noqa: PLR2004  (no room for a pickle, or for code)
        case ast.AsyncFunctionDef() | ast.Global() | ast.Nonlocal() | ast.Delete():
            return False
    return True


def _module(dotted: str, library: frozenset[str]) -> bool:
    root, *parts = dotted.split(".")
    return (root in _HARMLESS or root in library) and all(map(_word, parts))


def _word(name: str) -> bool:
    if name in _PRIVATE:
        return True
    if name.startswith("_") or name.lower() in _LEADING:
        return False
    return not _INSIDES.fullmatch(name)
