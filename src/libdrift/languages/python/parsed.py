"""What one source file says, before any import is followed: small, and kept by content."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from libdrift.records import Deprecation, Signature, VersionNote


class ParsedImport(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """``from .a import b``: level 1, module "a", attribute "b"; ``import a.b``: no attribute."""

    module: str
    level: int = 0
    attribute: str = ""
    explicit: bool = False  # `as` the same name: meant to be seen
    typing: bool = False  # only a type checker runs it
    sure: bool = False  # it always runs: what it names must be there


MADE = "names made at import"  # the gap of a module that makes names that its text does not show


class Definition(msgspec.Struct, array_like=True, gc=False):
    """A function, a class or a value, as the source has it."""

    name: str
    kind: str  # function, class, property, value, alias, generic (a stub's `x = Class[…]`)
    line: int = 0
    signature: Signature | None = None
    doc: str = ""  # as written
    deprecations: tuple[Deprecation, ...] = ()
    notes: tuple[VersionNote, ...] = ()
    traits: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    value: str = ""
    annotation: str = ""
    body: str = ""
    sketch: tuple[int, ...] = ()
    alias: str = ""  # a dotted name, when the value is just that
    members: dict[str, Definition] = {}
    constructor: Signature | None = None
    fields: Signature | None = None  # of a dataclass or named tuple: what its constructor takes
    aliases: tuple[tuple[str, str], ...] = ()  # property aliases that a decorator adds
    borrowed: tuple[tuple[str, tuple[str, ...]], ...] = ()  # from a class: names, @ references
    lists: dict[str, tuple[str, ...]] = {}  # a class's lists of names, for others to refer to
    categories: tuple[str, ...] = ()  # in step with deprecations: classes whose bases decide
    typing: bool = False
    late: tuple[str, ...] = ()  # attributes that methods give to instances of a class
    gone: str = ""  # what its error says, where it can only raise one to tell that it is gone
    made: tuple[str, str] = ("", "")  # of `x = make(y, …)`: the names of both
    fillers: tuple[str, ...] = ()  # functions that a class is handed to, which may give it names
    metaclass: str = ""
    heirs: tuple[str, ...] = ()  # the same, of functions that are handed the classes below it


Bound = ParsedImport | Definition


class Lazy(msgspec.Struct, array_like=True, gc=False):
    """A module's ``__getattr__``: which names it answers to."""

    # name: where it is: "module" (which has the name), "module:attribute", "module:" (itself),
    # "=path" as the module itself writes it
    names: dict[str, str] = {}
    delegates: tuple[str, ...] = ()  # modules whose attributes it gives
    dying: dict[str, str] = {}  # names that it warns of, and what it says; "*": whatever is asked
    dead: dict[str, str] = {}  # names for which it raises an error of their own: what that says
    has_more: bool = False  # it answers to names that the file does not say


class ParsedFile(msgspec.Struct, array_like=True, gc=False):
    doc: str = ""
    stub: bool = False  # in a stub an import is not an offer
    imports: dict[str, list[ParsedImport]] = {}
    definitions: dict[str, list[Definition]] = {}
    order: dict[str, str] = {}  # name: "i" or "d", the last binding's sort
    stars: list[tuple[str, int]] = []
    # Steps that make __all__: ("=" | "+" | "-", names, modules whose __all__ they take)
    listing: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
    dynamic_listing: bool = False
    lazy: Lazy | None = None
    tombstones: dict[str, str] = {}
    # Texts for compiled things elsewhere: module, name, member, text
    documents: list[tuple[str, str, str, str]] = []
    deprecations: tuple[Deprecation, ...] = ()
    notes: tuple[VersionNote, ...] = ()
    gaps: list[str] = []
    # A table of where names of modules are now, for the `__getattr__` of these: both "module:name"
    places: dict[str, str] = {}
    answerer: str = ""  # the function that makes its own `__getattr__`
    # Names that it gives to other modules: the module, the name, what that stands for
    given: list[tuple[str, str, str]] = []


@dataclass(frozen=True, slots=True)
class ParsedReference:
    """What a name reaches: a definition, a module, something outside, or something unseen."""

    kind: str  # symbol, module, foreign, unknown
    module: str
    name: str = ""
    definition: Definition | None = None
    lazy: bool = False
    dying: str | None = None  # what is warned when the name is asked for
    origin: str = ""  # of what is warned of: the path of the thing that is given all the same

    @property
    def id(self) -> str:
        return self.module if self.kind == "module" else f"{self.module}:{self.name}"
