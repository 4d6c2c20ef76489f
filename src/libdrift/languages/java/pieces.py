"""One class as a piece of a surface: its symbol, its members, one name for each overload.

A method is reached by its bare name. Where a class has several of a name, that symbol has the
trait ``overloaded``, lists them in its documentation, and each has a name of its own as well:
``stop(Throwable)``. Constructors are members by the name of their class, as javadoc has them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from libdrift.languages.java import classfile, types
from libdrift.languages.java.classfile import ClassFile, ClassFileError, ClassMember, Deprecated
from libdrift.records import (
    Deprecation,
    Name,
    Parameter,
    ParameterKind,
    Signature,
    Symbol,
    SymbolKind,
)

_SOURCE = "annotation"
FOR_REMOVAL = "for-removal"


@dataclass(frozen=True, slots=True)
class Piece:
    """``id`` and others as in a surface: ``java.util:Map.Entry``."""

    symbol: Symbol
    outer: str
    visible: bool  # by itself; its package and the classes around it have a say too
    names: dict[str, Name]
    symbols: dict[str, Symbol]  # of the members

    @property
    def id(self) -> str:
        return self.symbol.id

    @property
    def package(self) -> str:
        return self.symbol.id.partition(":")[0]


def class_id(name: str) -> str:
    """``java/util/Map.Entry`` as ``java.util:Map.Entry``; without a package ``:Main``."""
    package, _, label = name.rpartition("/")
    return f"{package.replace('/', '.')}:{label}"


def piece(found: ClassFile) -> Piece:
    """``ClassFileError`` where the types of its members are none."""
    try:
        return _piece(found)
    except (IndexError, ValueError, RecursionError) as error:
        raise ClassFileError("a member of it has a type that is none") from error


def _piece(found: ClassFile) -> Piece:
    identity = class_id(found.name)
    names: dict[str, Name] = {}
    symbols: dict[str, Symbol] = {}

    def add(label: str, symbol: Symbol) -> None:
        names[label] = Name(symbol.id)
        symbols[symbol.id] = symbol

    for field in found.fields:
        if not field.facts.preview:
            add(field.name, _field(identity, field))
    for label, overloads in _methods(found).items():
        # A field and a method may share a name: the method is what people mean, and has more to
        # tell.
        if len(overloads) == 1:
            add(label, _method(f"{identity}.{label}", found, overloads[0]))
            continue
        named = _labelled(label, found, overloads)
        parts = {
            text: _method(f"{identity}.{text}", found, member) for text, member in named.items()
        }
        add(label, _group(f"{identity}.{label}", parts))
        for text, symbol in parts.items():
            add(text, symbol)
    symbol = Symbol(
        identity,
        SymbolKind.CLASS,
        deprecations=_deprecations(found.facts.deprecated),
        bases=_bases(found),
        traits=_traits(_sorts(found.access), found.facts.deprecated),
    )
    shown = bool(found.access & (classfile.PUBLIC | classfile.PROTECTED))
    hidden = found.local or found.facts.preview or bool(found.access & classfile.SYNTHETIC)
    outer = class_id(found.outer) if found.outer else ""
    return Piece(symbol, outer, shown and not hidden, names, symbols)


def _bases(found: ClassFile) -> tuple[str, ...]:
    """Not Object of interfaces: they have only some of its names, and it says nothing of them."""
    bases = tuple(class_id(name) for name in found.supers)
    return bases[1:] if found.access & classfile.INTERFACE else bases


def deprecation(told: Deprecated) -> Deprecation:
    since = f"since {told.since}" if told.since else ""
    removal = "for removal" if told.for_removal else ""
    said = ", ".join(filter(None, (since, removal)))
    return Deprecation(_SOURCE, f"deprecated {said}" if said else "", told.since)


def _deprecations(told: Deprecated | None) -> tuple[Deprecation, ...]:
    return (deprecation(told),) if told else ()


def _traits(sorts: Iterable[str], told: Deprecated | None) -> tuple[str, ...]:
    return (*sorts, FOR_REMOVAL) if told and told.for_removal else tuple(sorts)


def _sorts(access: int) -> list[str]:
    if access & classfile.ANNOTATION:
        return ["annotation"]
    if access & classfile.INTERFACE:
        return ["interface"]
    found = ["enum"] if access & classfile.ENUM else []
    found += ["abstract"] if access & classfile.ABSTRACT else []
    return found + (["protected"] if access & classfile.PROTECTED else [])


def _field(owner: str, field: ClassMember) -> Symbol:
    sorts = ["static"] if field.access & classfile.STATIC else []
    sorts += ["protected"] if field.access & classfile.PROTECTED else []
    return Symbol(
        f"{owner}.{field.name}",
        SymbolKind.ATTRIBUTE,
        deprecations=_deprecations(field.facts.deprecated),
        traits=_traits(sorts, field.facts.deprecated),
        value=field.facts.constant,
        annotation=types.of_field(field.facts.signature or field.descriptor),
    )


def _methods(found: ClassFile) -> dict[str, list[ClassMember]]:
    own = found.name.rpartition("/")[2].rpartition(".")[2]
    groups: dict[str, list[ClassMember]] = defaultdict(list)
    for method in found.methods:
        if method.facts.preview or method.access & classfile.BRIDGE or method.name == "<clinit>":
            continue
        groups[own if method.name == "<init>" else method.name].append(method)
    return groups


def _labelled(
    label: str, found: ClassFile, overloads: Sequence[ClassMember]
) -> dict[str, ClassMember]:
    """By what javadoc calls them; by whole names where simple ones are not enough."""
    named: dict[str, list[ClassMember]] = defaultdict(list)
    for method in overloads:
        plain = types.of_method(method.descriptor).parameters[_hidden(found, method) :]
        # A variable number of arguments is an array here: dots would be read as those of a path.
        named[f"{label}({','.join(plain)})"].append(method)
    exact: dict[str, ClassMember] = {}
    for text, methods in named.items():
        for method in methods:
            whole = f"{label}{method.descriptor.partition(')')[0]})"
            exact[text if len(methods) == 1 else whole] = method
    return exact


def _hidden(found: ClassFile, method: ClassMember) -> int:
    """How many parameters no caller writes: an inner class's instance of the class around it."""
    static = found.access & (classfile.STATIC | classfile.INTERFACE)
    if method.name != "<init>" or not found.outer or static:
        return 0
    return int(method.descriptor.startswith(f"(L{found.outer.replace('.', '$')};"))


def _method(identity: str, found: ClassFile, method: ClassMember) -> Symbol:
    sorts = ["staticmethod"] if method.access & classfile.STATIC else []
    sorts += ["protected"] if method.access & classfile.PROTECTED else []
    return Symbol(
        identity,
        SymbolKind.METHOD,
        signature=_signature(found, method),
        deprecations=_deprecations(method.facts.deprecated),
        traits=_traits(sorts, method.facts.deprecated),
    )


def _signature(found: ClassFile, method: ClassMember) -> Signature:
    plain = types.of_method(method.descriptor)
    written = list(plain.parameters[_hidden(found, method) :])
    returns = plain.returns
    if method.facts.signature:
        generic = types.of_method(method.facts.signature)
        returns = generic.returns
        if len(generic.parameters) == len(written):
            written = list(generic.parameters)
    parameters = []
    for at, kind in enumerate(written):
        variadic = bool(method.access & classfile.VARARGS) and at == len(written) - 1
        parameters.append(
            Parameter(
                f"p{at}",  # a caller knows it by its place alone; few class files have its name
                ParameterKind.VARIADIC if variadic else ParameterKind.POSITIONAL_ONLY,
                annotation=kind.removesuffix("[]") if variadic else kind,
            )
        )
    return Signature(tuple(parameters), "" if method.name == "<init>" else returns)


def _group(identity: str, parts: dict[str, Symbol]) -> Symbol:
    """The symbol of a bare name: deprecated where all overloads are, in some uses where some."""
    gone = {text: symbol for text, symbol in parts.items() if symbol.deprecation}
    told: tuple[Deprecation, ...] = ()
    if gone:
        newest = max(gone.values(), key=lambda symbol: FOR_REMOVAL not in symbol.traits)
        first = newest.deprecation
        assert first is not None  # noqa: S101  (those of ``gone`` have one)
        if len(gone) == len(parts):
            told = (first,)
        else:
            message = f"{', '.join(gone)}: {first.message or 'deprecated'}"
            told = (Deprecation(_SOURCE, message, first.since, conditional=True),)
    every = [set(symbol.traits) for symbol in parts.values()]
    return Symbol(
        identity,
        SymbolKind.METHOD,
        doc="\n".join(parts),
        deprecations=told,
        traits=(*sorted(set.intersection(*every)), "overloaded"),
    )
