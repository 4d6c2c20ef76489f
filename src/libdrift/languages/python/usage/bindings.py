"""What names stand for while code is read: things of a package, values from it, or neither."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from libdrift.languages.python.usage.types import Given
from libdrift.languages.python.usage.uses import Certainty, Guard, Reason


class BindingKind(Enum):
    THING = "thing"  # a module, class or function itself, by its path
    VALUE = "value"  # what came out of a call; its class is the path, if that is known
    MEMBER = "member"  # an attribute or method of such a value


@dataclass(frozen=True, slots=True)
class Known:
    """Something of a package."""

    package: str
    kind: BindingKind
    path: str = ""
    parts: tuple[Given | None, ...] = ()  # of a tuple or sequence, as of ``Given``
    open: bool = False
    why: Reason = field(default=Reason.IMPORTED, compare=False)
    certainty: Certainty = field(default=Certainty.CERTAIN, compare=False)
    origin: str = field(default="", compare=False)  # the call that gave a value of unknown class
    guard: Guard = field(default=Guard.NONE, compare=False)  # that the import stands under
    # What another module of the project imported: that it is there is told at that import.
    borrowed: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Plain:
    """A value of Python's own that a call gave, or a member of one."""

    package: str
    origin: str


@dataclass(frozen=True, slots=True)
class Own:
    """An instance of a class that the code itself defines: ``self``."""

    definition: ast.ClassDef


@dataclass(frozen=True, slots=True)
class OwnClass:
    definition: ast.ClassDef


@dataclass(frozen=True, slots=True)
class OwnFunction:
    definition: ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class OwnModule:
    """Another module of the project that the code is in, by the place of its file."""

    place: Path


@dataclass(frozen=True, slots=True)
class Parent:
    """``super()`` in a class that the code itself defines."""

    definition: ast.ClassDef


@dataclass(frozen=True, slots=True)
class Items:
    """What a list, tuple or dictionary holds. Without keys, any of them is what is first."""

    parts: tuple[Binding, ...]
    keys: tuple[object, ...] = ()


class Other(Enum):
    UNKNOWN = "unknown"
    NOTHING = "nothing"  # None, until something is there
    FOREIGN = "foreign"  # imported, and of no package of interest
    FLAG = "flag"  # a truth value that tells versions apart: `HAS_X = hasattr(pkg, "x")`
    ELSEWHERE = "elsewhere"  # a value that came out of such, or one of Python's own


Binding = Known | Plain | Own | OwnClass | OwnFunction | OwnModule | Parent | Items | Other


def merged(one: Binding, other: Binding) -> Binding:
    """What a name stands for where two ways meet: ``None`` waits for something to come."""
    if one is Other.NOTHING or one == other:
        return other
    if other is Other.NOTHING:
        return one
    # One import or, where that fails, another: the first that matters.
    if _is_import(one) and _is_import(other):
        first = weaker(other if one is Other.FOREIGN else one)
        # Of two names of packages, one is of some versions, and the other of the others.
        several = isinstance(one, Known) and isinstance(other, Known)
        return replace(first, guard=Guard.VERSION) if several else first  # type: ignore[type-var]
    return _of_one_package(one, other)


def _of_one_package(one: Binding, other: Binding) -> Binding:
    """Values of one package, of several classes: of any class of it."""
    both = [item for item in (one, other) if isinstance(item, Known)]
    if len({item.package for item in both}) != 1 or len(both) != 2:  # noqa: PLR2004
        return Other.UNKNOWN
    if any(item.kind is not BindingKind.VALUE or item.parts for item in both):
        return Other.UNKNOWN
    sure = Certainty.GUESSED
    return Known(both[0].package, BindingKind.VALUE, why=Reason.UNKNOWN, certainty=sure)


def likened(default: Binding) -> Binding:
    """A value of which nothing is known but what takes its place where there is none."""
    if isinstance(default, Known) and default.kind is BindingKind.VALUE and default.path:
        return weaker(default, None, Certainty.GUESSED)
    return Other.UNKNOWN


def _is_import(binding: Binding) -> bool:
    return binding is Other.FOREIGN or (
        isinstance(binding, Known)
        and binding.kind is BindingKind.THING
        and binding.why is Reason.IMPORTED
    )


def all_merged(ends: list[dict[str, Binding]]) -> dict[str, Binding]:
    """The names at the end of several ways. One that some do not bind is bound by the others."""
    if len(ends) == 1:
        return ends[0]
    names = dict.fromkeys(name for end in ends for name in end)
    found: dict[str, Binding] = {}
    for name in names:
        binding: Binding = Other.NOTHING
        for end in ends:
            binding = merged(binding, end.get(name, Other.NOTHING))
        found[name] = binding
    return found


def any_of(parts: tuple[Binding, ...]) -> Binding:
    """One of several, whichever: what all of them are."""
    found: Binding = Other.NOTHING
    for part in parts:
        found = merged(found, part)
    return Other.UNKNOWN if found is Other.NOTHING else found


def weaker(
    binding: Binding, why: Reason | None = None, most: Certainty = Certainty.LIKELY
) -> Binding:
    """The same, known by a way that is less sure."""
    if not isinstance(binding, Known):
        return binding
    return replace(binding, why=why or binding.why, certainty=min(most, binding.certainty))


def given(known: Known, what: Given | None, why: Reason, most: Certainty) -> Binding:
    """What a release tells of a value that comes from something known."""
    if what is None:
        return Other.UNKNOWN
    sure = min(Certainty.GUESSED if what.is_guess else most, known.certainty)
    made = Known(known.package, BindingKind.VALUE, what.path, what.parts, what.open, why, sure)
    # What comes from one of several alternatives is of some versions, as that is.
    return replace(made, guard=known.guard) if known.guard is Guard.VERSION else made


def part_of(binding: Binding, at: int, length: int) -> Binding:
    """One of the items that a value is divided into; of a subscript, none in particular."""
    if isinstance(binding, Items):
        if binding.keys or length != len(binding.parts):
            return Other.UNKNOWN if length else any_of(binding.parts)
        return binding.parts[at]
    if not isinstance(binding, Known) or binding.kind is not BindingKind.VALUE:
        return Other.UNKNOWN
    parts = binding.parts
    whole = Known(
        binding.package, BindingKind.VALUE, why=Reason.UNKNOWN, certainty=Certainty.GUESSED
    )
    if not parts:
        return whole
    if binding.open or (not length and len(set(parts)) == 1):
        return given(binding, parts[0], binding.why, Certainty.LIKELY)
    if not length:
        return whole
    if length != len(parts):
        return Other.UNKNOWN
    return given(binding, parts[at], binding.why, Certainty.LIKELY)


def item_of(binding: Binding, key: object) -> Binding:
    """What stands under a constant in brackets."""
    if isinstance(binding, Items):
        if binding.keys:
            return binding.parts[binding.keys.index(key)] if key in binding.keys else Other.UNKNOWN
        if not isinstance(key, int) or not -len(binding.parts) <= key < len(binding.parts):
            return Other.UNKNOWN
        return binding.parts[key]
    if (
        isinstance(binding, Known)
        and isinstance(key, int)
        and not binding.open
        and 0 <= key < len(binding.parts)
    ):
        return given(binding, binding.parts[key], binding.why, Certainty.LIKELY)
    return part_of(binding, 0, 0)


def element_of(binding: Binding) -> Binding:
    """What a loop over a value takes from it, where that is known."""
    if isinstance(binding, Items):
        return Other.UNKNOWN if binding.keys else any_of(binding.parts)
    if isinstance(binding, Known) and binding.kind is BindingKind.VALUE and binding.parts:
        return weaker(part_of(binding, 0, 0))
    return Other.UNKNOWN


def assigned(binding: Binding) -> Binding:
    imported = isinstance(binding, Known) and binding.why is Reason.IMPORTED
    return weaker(binding, Reason.ASSIGNED, Certainty.CERTAIN) if imported else binding


def is_slice(node: ast.Subscript, holder: Binding) -> bool:
    has_parts = isinstance(holder, Items) or (isinstance(holder, Known) and bool(holder.parts))
    return isinstance(node.slice, ast.Slice) and has_parts
