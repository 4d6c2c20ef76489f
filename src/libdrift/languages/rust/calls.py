"""Whose method a program calls, read from the compiler's middle form (``--emit=mir``).

Operators, formatting and loops call methods of traits that code does not name, and ``x.next()``
does not say whose ``next`` it is. In the middle form each is a call in full:
``<std::num::Saturating<u16> as std::ops::BitAnd>::bitand(move _3, move _4)``. A trait's method for
one type is written here as ``<module::Type as Trait>::method``, by the module that defines it; a
method of which only that module is known, as ``<module::_ as _>::method``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_WRITTEN = re.compile(
    r"<(?P<module>\w+(?:::\w+)*)::(?P<kind>\w+|\*mut|\*const) as (?P<trait>\w+)>::(?P<method>\w+)"
)
# Nobody's program has more; who makes it so is not worth the time.
_FORM_LIMIT = 1024 * 1024
_LINE_LIMIT = 3000
_STANDARD = frozenset({"std", "core", "alloc"})
_PATH = re.compile(r"\w+(?:::\w+)+")
_REFERENCE = re.compile(r"(?:&(?:'\w+ )?(?:mut )?)+")
_LOCAL = re.compile(r"\b(_\d+): (.*?)(?=, _\d+: |\) -> |;$)")
_OPERAND = re.compile(r"(?:move|copy|&mut|&) \(*\*?\(*(_\d+)|&\(*\*?\(*(_\d+)")
_FORMATTED = re.compile(r"\bArgument::<'_>::new_(\w+?)(?:_noop)?::<(.*)>\(")
_MEMBER = re.compile(r"::(\w+)")
_OBJECT = re.compile(r" as &(?:mut )?dyn (?:\w+::)*(\w+)")
_DECLARED = re.compile(r"\b(?:struct|enum|union|type)\s+(\w+)")
# What references do by themselves, and not by what they refer to.
_OF_REFERENCES = frozenset({"IntoIterator", "Pointer"})
_COMPARING = {"eq": "Eq", "ne": "Ne", "lt": "Lt", "le": "Le", "gt": "Gt", "ge": "Ge"}


@dataclass(frozen=True, slots=True)
class Implementation:
    """A trait's method, for one type."""

    module: str
    kind: str  # the type's own name, or `*mut` and `*const`
    trait: str
    method: str

    @classmethod
    def of(cls, text: str) -> Implementation | None:
        """``None`` for what is no such method, but a path of its own."""
        match = _WRITTEN.fullmatch(text)
        return cls(**match.groupdict()) if match else None

    @property
    def is_nameless(self) -> bool:
        """Whether nothing but the module is known."""
        return self.kind == "_"

    def __str__(self) -> str:
        return f"<{self.module}::{self.kind} as {self.trait}>::{self.method}"

    def is_type(self, text: str) -> bool:
        """Whether a type, as the compiler writes it, is this one (by its public path)."""
        if self.kind.startswith("*"):
            return text.startswith(f"{self.kind} ")
        *place, name = text.partition("<")[0].split("::")
        if name != self.kind or not place:
            return False
        own = self.module.split("::")
        same = place[0] in _STANDARD if own[0] in _STANDARD else place[0] == own[0]
        # Public modules are above private ones: hash_map::Drain is defined in hash::map.
        return same and set(_words(place[1:])) <= set(_words(own))

    def is_in(self, text: str) -> bool:
        """Whether a type is, or has a part that is, this one."""
        if self.kind.startswith("*"):
            return f"{self.kind} " in text
        return any(self.is_type(path) for path in _PATH.findall(text))


def calls(form: str, code: str, api: Implementation) -> bool | None:
    """Whether code calls a method, by its middle form; ``None`` if nobody can tell.

    That is so where a value of the type goes to code that may call it: to a function, another
    method of the trait, an object of the trait, or where types are open.
    """
    if len(form) > _FORM_LIMIT:
        return None
    if api.is_nameless:
        return _calls_by_name(form, api)
    own = frozenset(_DECLARED.findall(code))
    doubt = False
    for line, types in _lines(form):
        found = _in_line(line, types, api, own) if len(line) <= _LINE_LIMIT else None
        if found:
            return True
        doubt = doubt or found is None
    return None if doubt else False


def _calls_by_name(form: str, api: Implementation) -> bool | None:
    """Whether something by the method's name is called, and that of a type of its module.

    A private module is often named after its type, and types of other modules are seen beside it:
    only a type that its module is named after is certain.
    """
    named = re.compile(rf"\b{api.method}\b")
    lines = [line for line, _ in _lines(form) if named.search(line)]
    paths = (path for line in lines for path in _PATH.findall(_without_arguments(line)))
    if any(_is_of_module(path, api) for path in paths):
        return True
    return None if lines else False


def _is_of_module(path: str, api: Implementation) -> bool:
    """Whether a path is certainly that of the method, by its module and the type's name."""
    *place, name = path.split("::")
    own = api.module.split("::")
    modules = [part for part in place if part[:1].islower()]
    kinds = {part.lower() for part in place if part[:1].isupper()}
    if name != api.method or not modules or modules[0] not in _STANDARD:
        return False
    if kinds == {"impl"}:  # which stands where it is defined
        return modules[1:] == own[1:]
    words = {*own, *_words(own)}
    joined = {word.replace("_", "").lower() for word in words}
    return kinds <= joined and set(_words(modules[1:])) <= words


def _without_arguments(line: str) -> str:
    """Paths without what stands in angle brackets: ``Vec::<u8>::push`` is ``Vec::push``.

    A type without a name of its own (``num::<impl u32>::pow``) is still one: ``num::Impl::pow``.
    """
    kept: list[str] = []
    depth = start = 0
    for at, letter in enumerate(line):
        if letter == "<":
            start = start if depth else at
            depth += 1
        elif letter == ">" and line[at - 1] != "-":
            depth = max(0, depth - 1)
            if not depth and line.startswith("<impl ", start) and line.startswith("::", at + 1):
                kept.append("Impl")
        elif not depth:
            kept.append(letter)
    return "".join(kept).replace("::::", "::")


def _in_line(
    line: str, types: dict[str, str], api: Implementation, own: Collection[str]
) -> bool | None:
    doubt = False
    for kind, trait, method in [*_qualified(line), *_formats(line, api.trait)]:
        bare = kind if api.trait in _OF_REFERENCES else _REFERENCE.sub("", kind, count=1)
        told = method in {api.method, ""}
        if trait == api.trait and api.is_type(bare) and told:
            return True
        if (trait, method, api.trait) == ("ToString", "to_string", "Display") and api.is_type(bare):
            return True
        doubt = doubt or (trait == api.trait and (_is_open(bare, own) or api.is_in(kind)))
    operands = [types.get(first or second, "") for first, second in _OPERAND.findall(line)]
    operator = _COMPARING.get(api.method)
    if operator and f"= {operator}(" in line and any(map(api.is_type, operands)):
        return True  # of pointers, which the compiler compares by itself
    shown = _OBJECT.search(line)
    goes = shown is not None or " -> [" in line
    doubt = doubt or (goes and any(map(api.is_in, [line, *operands])))
    return None if doubt else False


def _lines(form: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The lines of all bodies, each with the types of its body's variables."""
    types: dict[str, str] = {}
    for line in form.splitlines():
        text = line.strip()
        if not text or text.startswith(("//", "debug ", "scope ")):
            continue
        if not line.startswith((" ", "}")):
            types = {}
        if not line.startswith(" ") or text.startswith("let "):
            types |= dict(_LOCAL.findall(text))
        else:
            yield text, types


def _qualified(line: str) -> Iterator[tuple[str, str, str]]:
    """Type, trait and method of every ``<T as Trait>::method``, however deep it stands."""
    opened: list[list[int]] = []  # where each bracket stands, and its own ` as ` (0: nowhere)
    for at, letter in enumerate(line):
        if letter == "<":
            opened.append([at, 0])
        elif not opened:
            continue
        elif letter == " " and not opened[-1][1] and line.startswith(" as ", at):
            opened[-1][1] = at
        elif letter == ">" and line[at - 1] != "-":  # which is an arrow's
            start, middle = opened.pop()
            match = _MEMBER.match(line, at + 1) if middle else None
            if match:
                trait = line[middle + 4 : at].partition("<")[0].rpartition("::")[2]
                yield line[start + 1 : middle], trait, match[1]


def _formats(line: str, trait: str) -> Iterator[tuple[str, str, str]]:
    """What formatting shows by a trait, as if it were called: its methods have no other use."""
    match = _FORMATTED.search(line)
    if match and match[1].replace("_", "") == trait.lower():
        yield match[2], trait, ""


def _is_open(kind: str, own: Collection[str]) -> bool:
    """Whether a type is a parameter, or comes of one: `T`, `impl Trait`, `<T as Trait>::Item`."""
    name = kind.partition("<")[0]
    if name.startswith(("dyn ", "impl ")) or not name:
        return True
    return name.isidentifier() and name[:1].isupper() and name not in own


def _words(parts: list[str]) -> Iterator[str]:
    for part in parts:
        yield from part.split("_")
