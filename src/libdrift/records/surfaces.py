"""What a release offers to its users: symbols, the names that reach them, and how that is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum


class SymbolKind(StrEnum):
    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    METHOD = "method"
    PROPERTY = "property"
    ATTRIBUTE = "attribute"  # of a class or of its instances
    CONSTANT = "constant"  # a module's value
    UNKNOWN = "unknown"  # known to be there, by name alone


class ParameterKind(StrEnum):
    POSITIONAL_ONLY = "positional-only"
    POSITIONAL = "positional"  # or by keyword
    VARIADIC = "variadic"  # *args
    KEYWORD_ONLY = "keyword-only"
    KEYWORDS = "keywords"  # **kwargs


BY_PLACE = frozenset({ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL})
ANY_NUMBER = frozenset({ParameterKind.VARIADIC, ParameterKind.KEYWORDS})


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kind: ParameterKind
    default: str | None = None  # as the source writes it; None where there is none
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """Without ``self`` and ``cls``: what a caller passes."""

    parameters: tuple[Parameter, ...] = ()
    returns: str = ""

    def __str__(self) -> str:
        parts: list[str] = []
        previous: ParameterKind | None = None
        starred = False
        for item in self.parameters:
            if previous is ParameterKind.POSITIONAL_ONLY and item.kind is not previous:
                parts.append("/")
            if item.kind is ParameterKind.KEYWORD_ONLY and not starred:
                parts.append("*")
                starred = True
            starred = starred or item.kind is ParameterKind.VARIADIC
            parts.append(_written(item))
            previous = item.kind
        if previous is ParameterKind.POSITIONAL_ONLY:
            parts.append("/")
        returns = f" -> {self.returns}" if self.returns else ""
        return f"({', '.join(parts)}){returns}"


def _written(item: Parameter) -> str:
    stars = {ParameterKind.VARIADIC: "*", ParameterKind.KEYWORDS: "**"}.get(item.kind, "")
    text = stars + item.name + (f": {item.annotation}" if item.annotation else "")
    if item.default is None:
        return text
    return f"{text} = {item.default}" if item.annotation else f"{text}={item.default}"


class Provenance(StrEnum):
    STATIC = "static"  # read in a .py file
    STUB = "stub"  # read in a .pyi file
    RUNTIME = "runtime"  # seen by import, in the exact environment
    CARRIED = "carried"  # seen by import in another release of the same minor series


@dataclass(frozen=True, slots=True)
class Deprecation:
    """One piece of evidence that a symbol, or one of its parameters, is on its way out."""

    source: str  # decorator, warning, docstring, shim
    message: str = ""
    since: str = ""
    replacement: str = ""  # as the message writes it
    parameter: str = ""  # empty: the symbol itself
    conditional: bool = False  # the warning depends on how it is called
    # What the code does instead, over its own parameters and with names as its module has them:
    # `{self}.items({...})`, as `records.Replacement` writes it.
    template: str = ""


@dataclass(frozen=True, slots=True)
class VersionNote:
    """A directive of the documentation: added, changed, deprecated or removed in a version."""

    kind: str
    version: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Symbol:
    """One thing that is defined once, whatever many names reach it.

    ``id`` is where it is defined: ``pandas.core.frame:DataFrame.append``; for a module its path.
    ``bases`` are ids of this package (with a colon) or paths outside of it (without).
    """

    id: str
    kind: SymbolKind
    signature: Signature | None = None
    doc: str = ""
    deprecations: tuple[Deprecation, ...] = ()
    notes: tuple[VersionNote, ...] = ()
    bases: tuple[str, ...] = ()
    # classmethod, staticmethod, async, instance, external, overloaded, raises (it can only raise)
    traits: tuple[str, ...] = ()
    value: str = ""  # of a constant, as the source writes it
    annotation: str = ""
    body: str = ""  # a hash of the code without layout and documentation
    sketch: tuple[int, ...] = ()  # the least hashes of its lines, for likeness
    provenance: tuple[Provenance, ...] = (Provenance.STATIC,)

    @property
    def deprecation(self) -> Deprecation | None:
        """That of the symbol itself, if it is deprecated: certain evidence before conditional."""
        own = [item for item in self.deprecations if not item.parameter]
        return min(own, key=lambda item: item.conditional, default=None)


class Binding(StrEnum):
    """How a name comes to be where it is."""

    DEFINED = "defined"
    LISTED = "listed"  # in __all__
    REEXPORTED = "reexported"  # imported by a package's __init__, or `import x as x`
    IMPORTED = "imported"  # a module's own import of a sibling: there, but by accident
    UNLISTED = "unlisted"  # defined, and left out of __all__: there, but not offered
    SUBMODULE = "submodule"
    LAZY = "lazy"  # through a module's __getattr__ or a lazy loader


@dataclass(frozen=True, slots=True)
class Name:
    """One name in a module or a class, and the id of the symbol that it reaches."""

    target: str
    binding: Binding = Binding.DEFINED
    provenance: tuple[Provenance, ...] = (Provenance.STATIC,)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a surface comes from and how far it can be trusted to be whole."""

    artifact: str = ""  # the file's name: numpy-2.0.2-….whl
    digest: str = ""  # sha256 of the whole file, or how its members were verified
    runtime: str = ""  # the release that was imported: its own version, a carried one, or none
    python: str = ""  # the Python that conditions were read for
    files: int = 0
    unread: tuple[str, ...] = ()  # file: why
    gaps: tuple[str, ...] = ()  # module: what static reading cannot see there
    reader: str = ""  # the code of libdrift's that read the files: another may read them otherwise

    @property
    def complete(self) -> bool:
        return not self.unread and (bool(self.runtime) or not self.gaps)


@dataclass(frozen=True, slots=True)
class Release:
    ecosystem: str  # pypi, python, crates, maven, jdk
    package: str
    version: str
    date: date | None = None

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


@dataclass(frozen=True, slots=True)
class Surface:
    """The public names of a release.

    ``scopes`` has, for the id of each module and class, its own names. A class's inherited names
    are found through ``Symbol.bases``; those of bases outside of the package are in ``outside``,
    as are, for the id of a module, its private names and those that it imports from elsewhere for
    its own use (``numpy.*`` for all that a module has), and for that of a class the attributes that
    methods other than its constructor give to ``self``.
    A module that has two paths is one scope: names that point at a module are edges.
    ``tombstones`` are paths, and ids, of which only an error is left: what that says.
    ``places`` are file and line of symbols, by their ids, where they were read from sources: where
    a thing stands is no part of what it is.
    """

    release: Release
    roots: tuple[str, ...]
    symbols: Mapping[str, Symbol]
    scopes: Mapping[str, Mapping[str, Name]]
    outside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tombstones: Mapping[str, str] = field(default_factory=dict)
    origin: Origin = Origin()
    places: Mapping[str, str] = field(default_factory=dict, compare=False)

    def resolve(self, path: str) -> Symbol | None:
        """The symbol that a path reaches, as Python would go: modules, classes, their bases."""
        parts = path.split(".")
        for length in range(len(parts), 0, -1):  # a root may be a namespace's `google.cloud`
            head = ".".join(parts[:length])
            if head in self.roots:
                return self._descend(head, parts[length:])
        return None

    def _descend(self, start: str, parts: list[str]) -> Symbol | None:
        current = start
        for part in parts:
            name = self.lookup(current, part)
            if name is None:
                return None
            current = name.target
        return self.symbols.get(current)

    def lookup(self, scope: str, name: str) -> Name | None:
        """A name in a module or class, inherited ones too."""
        own = self.scopes.get(scope, {}).get(name)
        if own is not None or ":" not in scope:
            return own
        for base in self.lineage(scope)[1:]:
            found = self.scopes.get(base, {}).get(name)
            if found is not None:
                return found
        return None

    def lineage(self, class_id: str) -> tuple[str, ...]:
        """A class and its bases within the package, in the order in which Python looks.

        Depth first, and a base that several classes share after the last of them: what Python does
        wherever its own order exists.
        """
        known: dict[str, list[str]] = {}

        def ordered(current: str, below: frozenset[str]) -> list[str]:
            if current in known:
                return known[current]
            if current not in self.symbols or current in below:
                return []
            line = [current]
            for base in self.symbols[current].bases:
                if ":" in base:
                    line += ordered(base, below | {current})
            known[current] = list(dict.fromkeys(reversed(line)))[::-1]
            return known[current]

        return tuple(ordered(class_id, frozenset()))

    def members(self, class_id: str) -> dict[str, Name]:
        """All names of a class, the nearest definition of each."""
        found: dict[str, Name] = {}
        for scope in self.lineage(class_id):
            for name, target in self.scopes.get(scope, {}).items():
                found.setdefault(name, target)
        return found

    def inherited_from_outside(self, class_id: str) -> dict[str, str]:
        """Names that bases outside of the package give to a class: name to base."""
        own = self.members(class_id)
        found: dict[str, str] = {}
        for scope in self.lineage(class_id):
            for base in self.symbols[scope].bases:
                for name in self.outside.get(base, ()) if base not in self.symbols else ():
                    if name not in own:
                        found.setdefault(name, base)
        return found

    def walk(self) -> Iterator[tuple[str, Name]]:
        """Every public path down to module level, nearest first; members are reached by class.

        Names under a module are given once: under its own path where that is public, else under
        the nearest public name that reaches it.
        """
        seen = set(self.roots)
        waiting: list[tuple[str, str]] = []
        for root in self.roots:
            yield root, Name(root, Binding.SUBMODULE)
            waiting.append((root, root))
        late: list[tuple[str, str]] = []
        while waiting or late:
            if not waiting:
                # Only names are left that reach modules whose own path is private.
                path, module = late.pop(0)
                if module not in seen:
                    seen.add(module)
                    waiting.append((path, module))
                continue
            path, module = waiting.pop(0)
            for label, name in self.scopes.get(module, {}).items():
                inner = f"{path}.{label}"
                yield inner, name
                if ":" in name.target or name.target not in self.scopes or name.target in seen:
                    continue
                if inner == name.target:
                    seen.add(name.target)
                    waiting.append((inner, name.target))
                else:
                    late.append((inner, name.target))
