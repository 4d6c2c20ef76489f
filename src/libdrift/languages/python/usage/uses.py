"""The nouns of a reading: one use of a package at one place, and how it is known."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


class UseKind(StrEnum):
    IMPORT = "import"
    READ = "read"
    CALL = "call"
    KEYWORD = "keyword"  # an argument that is passed by its name; the path is what is called


class Certainty(IntEnum):
    """More is surer."""

    GUESSED = 1  # from names alone
    LIKELY = 2  # from what annotations and classes promise
    CERTAIN = 3  # from imports and assignments


class Reason(StrEnum):
    """How it is known what a name stands for."""

    IMPORTED = "imported"
    STAR = "imported with all of its module"
    ASSIGNED = "assigned"
    CONSTRUCTED = "made by its class"
    RETURNED = "what the call returns"
    ANNOTATED = "annotated"
    NARROWED = "tested by isinstance"
    HELD = "held by an attribute"
    INHERITED = "inherited"
    CLASS_NAME = "made by what is named as a class"
    MEMBER_NAME = "one class alone has such a member"
    UNKNOWN = "on a value of unknown class"


class Guard(StrEnum):
    """Why a use may be meant for some versions only."""

    NONE = ""
    TRY = "try"  # the error that a missing name raises is caught, or this is what is done then
    HASATTR = "hasattr"
    GETATTR = "getattr"  # with a default
    VERSION = "version"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines count from 1, columns from 0 and in bytes, as the syntax tree has them."""

    line: int
    column: int
    end_line: int
    end_column: int


def span_of(node: ast.expr | ast.stmt | ast.alias | ast.keyword) -> Span:
    return Span(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)


@dataclass(frozen=True, slots=True)
class Arguments:
    """How a call is made."""

    positional: int = 0
    keywords: tuple[str, ...] = ()
    stars: bool = False  # `*args` or `**kwargs` among them
    # Places of what is written out as a list, or a tuple.
    listed: tuple[int, ...] = field(default=(), compare=False)
    # By position, a method hands on to the one that it overrides what it is itself given.
    is_handed_on: bool = False
    # What the call gives gets a name, or is asked for more.
    is_taken: bool = field(default=False, compare=False)


_LISTS = (ast.List, ast.Tuple, ast.ListComp)


def arguments_of(call: ast.Call) -> Arguments:
    places = sum(not isinstance(item, ast.Starred) for item in call.args)
    keywords = tuple(item.arg for item in call.keywords if item.arg)
    stars = len(call.args) + len(call.keywords) > places + len(keywords)
    listed = tuple(at for at, item in enumerate(call.args) if isinstance(item, _LISTS))
    return Arguments(places, keywords, stars, listed)


def is_handed_on(call: ast.Call, method: ast.FunctionDef | ast.AsyncFunctionDef | None) -> bool:
    """``super().draw(x, y)`` in ``def draw(self, x, y)``: who calls that decides the order."""
    match call.func:
        case ast.Attribute(ast.Call(ast.Name("super"), []), name) if method is not None:
            own = [item.arg for item in (*method.args.posonlyargs, *method.args.args)][1:]
            given = [item.id if isinstance(item, ast.Name) else "" for item in call.args]
            return name == method.name and name[:2] != "__" and given == own[: len(given)] != []
    return False


@dataclass(frozen=True, slots=True)
class Use:
    package: str
    path: str  # as imports lead there: numpy.linalg.norm; empty on a value of unknown class
    kind: UseKind
    span: Span  # of the name with all that it is an attribute of; of an alias; of a keyword
    name: str  # the last name, as written
    certainty: Certainty
    why: Reason
    canonical: str = ""  # the most public path, where the release is known
    guard: Guard = Guard.NONE
    is_missing: bool = False  # the release is known, and has no such path
    is_member: bool = False  # of a value, not by the import: `frame.append`
    arguments: Arguments | None = None  # of a call
    call: Span | None = None  # the whole of it
    written: str = ""  # as the code has it, without what stands in brackets
    root: str = ""  # what the expression begins with: plt, ax, self.model; empty for a bare name
    chain: int = field(default=0, compare=False)  # the expression that it is a link of
    is_quoted: bool = False  # inside an f-string
    origin: str = ""  # of a member of a value of unknown class: the call that gave that
    is_inert: bool = False  # in an annotation, or for type checkers alone: nothing runs it
    borrowed: str = ""  # of what another module of the project imported: what that was


@dataclass(frozen=True, slots=True)
class Reading:
    uses: tuple[Use, ...]  # in the order of the file
    aliases: Mapping[str, tuple[str, ...]]  # of each package: the names that imports give it
    # Members of values of which nothing is known, or only which call gave a plain one: of no
    # package, as far as the code tells.
    loose: tuple[Use, ...] = ()
    # Members of a package's values that the code gives a value of its own.
    assigned: tuple[Use, ...] = ()
