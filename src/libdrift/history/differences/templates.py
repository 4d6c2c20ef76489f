"""Expressions to write instead of an old one, over full paths of the new release.

As text: ``pandas.concat([{self}, {other}], {...})``; see ``records.Replacement``.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from libdrift.records import Signature

SELF = "self"
_ARGUMENT, _REST = "arg__", "rest__"
_OWN = f"{_ARGUMENT}{SELF}"
_BRACES = re.compile(r"\{(\w+)\}")
_CODE = re.compile(r"``?([^`]+)``?|'([^']+)'|\"([^\"]+)\"")
_BARE_CODE = re.compile(r"\b(?:[Uu]se|[Cc]all|[Tt]ry|favou?r of)\s+([A-Za-z_][\w.]*\()")
_LONG = 200  # characters of code in a message

# A dotted name as code has it to one of the new release; empty if that is not known.
Resolver = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Expression:
    """``text`` is the template; ``path`` the first name in it, if it is more than operators."""

    text: str
    path: str
    is_call: bool
    is_plain: bool  # the name alone, or called with what the old one was given


def parse(text: str) -> ast.expr | None:
    """A template's tree; arguments are names with a prefix there."""
    code = _BRACES.sub(rf"{_ARGUMENT}\1", text.replace("{...}", f"**{_REST}"))
    try:
        return ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def written(tree: ast.expr) -> str:
    code = ast.unparse(ast.fix_missing_locations(tree)).replace(f"**{_REST}", "{...}")
    return re.sub(rf"\b{_ARGUMENT}(\w+)", r"{\1}", code)


def chain(text: str, owner: str) -> str:
    """The path that a template goes from what the old one was called on: `C.names.keep`."""
    tree = parse(text) if text else None
    if isinstance(tree, ast.Call):
        tree = tree.func
    first, dot, rest = _dotted(tree).partition(".") if tree is not None else ("", "", "")
    return f"{owner}.{rest}" if owner and dot and first == _OWN else ""


def without_rest(text: str) -> str:
    """A template of something that takes no argument."""
    return re.sub(r"(?:, )?\{\.\.\.\}", "", text)


def argument(name: str) -> ast.Name:
    return ast.Name(f"{_ARGUMENT}{name}")


@dataclass(frozen=True, slots=True)
class Names:
    """What names of an expression mean.

    ``owner`` is the class whose member is replaced: what is asked of ``{self}`` is found there.
    """

    owner: str
    resolve: Resolver
    needs_instance: Callable[[str], bool]  # of a path: a method, which a class alone does not run


def settled(tree: ast.expr, names: Names) -> Expression | None:
    """The expression with names of the new release; None where one of its names is not known."""
    settler = _Settler(names, _bound(tree))
    try:
        tree = settler.visit(tree)
    except _UnknownNameError:
        return None
    is_call = isinstance(tree, ast.Call)
    if not settler.paths:  # `{self} * {other}`, but not an argument alone
        is_operation = isinstance(tree, ast.BinOp | ast.Compare | ast.UnaryOp) or _is_of_self(tree)
        return Expression(written(tree), "", is_call, is_plain=False) if is_operation else None
    return Expression(written(tree), settler.paths[0], is_call, _is_plain(tree))


def _is_of_self(tree: ast.expr) -> bool:
    """`{self}[()]`, `hash({self})`: what Python itself does with what a method is called on."""
    if isinstance(tree, ast.Subscript):
        return isinstance(tree.value, ast.Name) and tree.value.id == _OWN
    given = tree.args if isinstance(tree, ast.Call) else []
    return any(isinstance(item, ast.Name) and item.id == _OWN for item in given)


class _UnknownNameError(Exception):
    """A name of an expression is nobody's."""


class _Settler(ast.NodeTransformer):
    def __init__(self, names: Names, bound: set[str]) -> None:
        self.names, self.bound = names, bound
        self.paths: list[str] = []

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        chain = _dotted(node)
        if not chain:
            self.generic_visit(node)
            return node
        return self._settled(chain, node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._settled(node.id, node)

    def _settled(self, chain: str, node: ast.expr) -> ast.expr:
        first, _, rest = chain.partition(".")
        if first in self.bound or chain == _REST:
            return node
        if first.startswith(_ARGUMENT):
            if first == _OWN and rest and self.names.owner:
                return self._member(rest)
            return node
        found = self.names.resolve(chain) if not hasattr(builtins, chain) else ""
        if found and self.names.needs_instance(found):
            if found.rpartition(".")[0] != self.names.owner:
                raise _UnknownNameError  # of an object that the old call does not have
            return self._member(found.rpartition(".")[2])
        if found and self._is_of_object(first, found):
            return self._member(found.removeprefix(f"{self.names.owner}."))
        if found:
            self.paths.append(found)
            return _name(found)
        known = hasattr(builtins, first) or (bool(rest) and first in sys.stdlib_module_names)
        if not known:
            raise _UnknownNameError
        return node

    def _is_of_object(self, first: str, path: str) -> bool:
        """`app.config`, of a member of `App`: what is written first stands for its object."""
        owner = self.names.owner
        is_member = bool(owner) and path.startswith(f"{owner}.")
        root = path.partition(".")[0]
        is_path = first == root or path.startswith(f"{root}.{first}.")
        return is_member and first.islower() and not is_path

    def _member(self, rest: str) -> ast.expr:
        label, dot, more = rest.partition(".")
        found = self.names.resolve(f"{self.names.owner}.{label}")
        if not found:
            raise _UnknownNameError
        self.paths.append(found)
        return _name(f"{_OWN}.{found.rpartition('.')[2]}{dot}{more}")


def _name(path: str) -> ast.expr:
    first, *rest = path.split(".")
    found: ast.expr = ast.Name(first)
    for part in rest:
        found = ast.Attribute(found, part)
    return found


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _bound(tree: ast.expr) -> set[str]:
    """Names that a comprehension makes."""
    return {
        name.id
        for node in ast.walk(tree)
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
        if isinstance(name, ast.Name)
    }


def _is_plain(tree: ast.expr) -> bool:
    if not isinstance(tree, ast.Call):
        return _is_name(tree)
    rest = [item for item in tree.keywords if item.arg is None]
    whole = len(rest) == len(tree.keywords) == 1 and not tree.args
    return whole and _is_name(tree.func)


def _is_name(tree: ast.expr) -> bool:
    """A path, or a member of what the method is called on: not `{self}.name.keep`."""
    chain = _dotted(tree)
    if not chain.startswith(_ARGUMENT):
        return bool(chain)
    first, *rest = chain.split(".")
    return first == _OWN and len(rest) == 1


def fitted(expression: Expression, old: Signature | None, new: Signature | None) -> Expression:
    """An expression that is the name alone, where arguments have the same places in both."""
    tree = parse(expression.text)
    if expression.is_plain or not isinstance(tree, ast.Call) or not _is_name(tree.func):
        return expression
    places = {item.name: at for at, item in enumerate(old.parameters)} if old else {}
    others = {item.name: at for at, item in enumerate(new.parameters)} if new else {}
    by_name = [item for item in tree.keywords if item.arg is not None]
    rest = [item for item in tree.keywords if item.arg is None]
    if [_argument(item) for item in tree.args] != [*places][: len(tree.args)]:
        return expression
    for item in by_name:
        label = item.arg or ""
        if _argument(item.value) != label or places.get(label) != others.get(label, -1):
            return expression
    named = {*[*places][: len(tree.args)], *(item.arg for item in by_name)}
    if not rest and not named.issuperset(places):
        return expression
    whole = ast.Call(tree.func, [], [ast.keyword(None, ast.Name(_REST))])
    return replace(expression, text=written(whole), is_plain=True)


def _argument(node: ast.expr) -> str:
    name = node.id if isinstance(node, ast.Name) else ""
    return name.removeprefix(_ARGUMENT) if name.startswith(_ARGUMENT) else ""


# --- code in messages


def in_message(
    message: str, signature: Signature | None, owner: str, is_name: Callable[[str], bool]
) -> Iterator[ast.expr]:
    """Expressions that a message shows, with the old one's arguments where they stand.

    ``is_name`` says whether a name is one of the package.
    """
    names = {item.name for item in signature.parameters} if signature else set()
    for code in _snippets(message):
        try:
            tree = ast.parse(code, mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            continue
        if isinstance(tree, ast.Constant | ast.Name):
            continue
        strangers = _strangers(tree, names, is_name)
        tied = _tied(strangers, signature, owner)
        found: ast.expr = _Arguments(tied | {name: name for name in names}).visit(tree)
        used = [name for name in _names(found) if name.startswith(_ARGUMENT) and name != _OWN]
        if isinstance(found, ast.Call) and not (found.args or found.keywords or used):
            found.keywords.append(ast.keyword(None, ast.Name(_REST)))
        if _stands_for_all(found, owner):
            yield found


def _stands_for_all(tree: ast.expr, owner: str) -> bool:
    """Not `concat(..., how="x")` for a method: its dots are more than the arguments."""
    names = _names(tree)
    dots = isinstance(tree, ast.Call) and _REST in names and bool(tree.args or tree.keywords[1:])
    return not (owner and dots) or _OWN in names


def _names(tree: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _strangers(tree: ast.expr, names: set[str], is_name: Callable[[str], bool]) -> list[str]:
    """Names that stand for values of which only the writer knows, in their order."""
    heads = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    heads |= {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id not in {*names, *_bound(tree)}
    ]
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    loose = [node.id for node in found if id(node) not in heads and not is_name(node.id)]
    return [name for name in dict.fromkeys(loose) if not hasattr(builtins, name)]


def _tied(strangers: list[str], signature: Signature | None, owner: str) -> dict[str, str]:
    """`concat([df, x])`, of a method with one argument: what it is called on, and that one."""
    needed = (
        [item.name for item in signature.parameters if item.default is None] if signature else []
    )
    receivers = [name for name in strangers if owner and _is_receiver(name, owner)][:1]
    others = [name for name in strangers if name not in receivers]
    if len(others) > 1 or (others and len(needed) != 1):
        return {}
    return dict.fromkeys(receivers, SELF) | dict.fromkeys(others, next(iter(needed), ""))


def _snippets(message: str) -> Iterator[str]:
    for match in _CODE.finditer(message):
        code = match[match.lastindex or 0].strip()
        if len(code) <= _LONG and re.search(r"[(\[]", code):
            yield re.sub(r"^[~.!]+", "", code)
    for match in _BARE_CODE.finditer(message):
        code = _closed(message[match.start(1) : match.start(1) + _LONG])
        if code:
            yield code


def _closed(text: str) -> str:
    """A text to the parenthesis that closes its first, and what hangs on it."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if depth == 0 and letter in ")]" and text[at + 1 : at + 2] not in ("[", "("):
            more = re.match(r"(?:\.\w+)+\(?", text[at + 1 :])
            if not more:
                return text[: at + 1]
            if not more[0].endswith("("):
                return text[: at + 1] + more[0]
    return ""


class _Arguments(ast.NodeTransformer):
    """Names of a message's code as arguments: of the old parameters, and `self`."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = {"self": SELF} | names

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        dots = [item for item in node.args if _is_dots(item)]
        if dots:
            node.args = [item for item in node.args if item not in dots]
            node.keywords.append(ast.keyword(None, ast.Name(_REST)))
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return argument(self.names[node.id]) if node.id in self.names else node


def _is_receiver(name: str, owner: str) -> bool:
    """`df` of a DataFrame, `ser` of a Series, `obj`, `self`."""
    kind = owner.rpartition(".")[2]
    initials = "".join(letter for letter in kind if letter.isupper()).lower()
    return name in {"self", "obj", "instance", initials} or kind.lower().startswith(name)


def _is_dots(node: ast.expr) -> bool:
    if isinstance(node, ast.Starred):
        node = node.value
    return isinstance(node, ast.Constant) and node.value is ...
