"""Class files, as far as a user of a class sees them: flags, members, types, deprecations.

Read from the bytes alone: nothing is loaded or run. See the Java virtual machine specification,
chapter 4.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

PUBLIC, PROTECTED, STATIC, BRIDGE, VARARGS = 0x1, 0x4, 0x8, 0x40, 0x80
INTERFACE, ABSTRACT, SYNTHETIC, ANNOTATION, ENUM, MODULE = (
    0x200,
    0x400,
    0x1000,
    0x2000,
    0x4000,
    0x8000,
)

_MAGIC = 0xCAFEBABE
_UTF8 = 1
_WIDE = (5, 6)  # constants that take two places
# The sizes of the other constants, by tag.
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2}
_SIZES |= {17: 4, 18: 4, 19: 2, 20: 2}
_DEPRECATED = "Ljava/lang/Deprecated;"
_INCUBATING = 0x8  # of ModuleResolution
_DEEPEST = 32  # classes within classes: a file may say that two are within each other

_u2 = struct.Struct(">H").unpack_from
_u4 = struct.Struct(">I").unpack_from


class ClassFileError(ValueError):
    """Bytes that are no class file; the message says why."""


@dataclass(frozen=True, slots=True)
class Deprecated:
    since: str = ""
    for_removal: bool = False


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """What attributes say of a class, a field or a method."""

    deprecated: Deprecated | None = None
    signature: str = ""  # with generics; empty where the descriptor says it all
    constant: str = ""  # of a field, as Java writes it
    preview: bool = False  # not part of the release: to be switched on to be tried


@dataclass(frozen=True, slots=True)
class ClassMember:
    access: int
    name: str
    descriptor: str
    facts: ClassFacts


@dataclass(frozen=True, slots=True)
class ClassFile:
    """Names of classes are of the form ``java/util/Map.Entry``: packages, then classes."""

    name: str
    access: int  # of a nested class: as its source has it
    supers: tuple[str, ...]  # the superclass, if any, and the interfaces
    fields: tuple[ClassMember, ...]
    methods: tuple[ClassMember, ...]
    facts: ClassFacts
    outer: str = ""  # the class that it is a member of
    local: bool = False  # within a method, or without a name


@dataclass(frozen=True, slots=True)
class ModuleInfo:
    name: str
    exports: tuple[str, ...]  # packages for everybody, dotted
    deprecated: Deprecated | None = None
    incubating: bool = False


@dataclass(frozen=True, slots=True)
class ClassUses:
    """What a class's code refers to, by internal names: ``java/util/Map$Entry``."""

    classes: frozenset[str]
    members: frozenset[tuple[str, str, str]]  # owner, name, descriptor
    strings: frozenset[str]  # texts, which may be the names of what is loaded by name


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self._strings: dict[int, str] = {}
        self.places, self.end = self._pool()

    def _pool(self) -> tuple[list[int], int]:
        """Where each constant is, and where the pool ends."""
        data = self.data
        count = _u2(data, 8)[0]
        places = [0] * count
        at, index = 10, 1
        while index < count:
            tag = data[at]
            places[index] = at
            if tag == _UTF8:
                at += 3 + _u2(data, at + 1)[0]
            elif tag in _SIZES:
                at += 1 + _SIZES[tag]
                index += tag in _WIDE
            else:
                raise ClassFileError(f"a constant of the unknown kind {tag}")
            index += 1
        return places, at

    def text(self, index: int) -> str:
        known = self._strings.get(index)
        if known is None:
            at = self.places[index]
            if not at or self.data[at] != _UTF8:
                raise ClassFileError("a name that is none")
            length = _u2(self.data, at + 1)[0]
            known = self.data[at + 3 : at + 3 + length].decode("utf-8", "replace")
            self._strings[index] = known
        return known

    def named(self, index: int) -> str:
        """The name of a class, module or package; empty for none."""
        return self.text(_u2(self.data, self.places[index] + 1)[0]) if index else ""

    def attributes(self, at: int) -> tuple[dict[str, int], int]:
        """Where the content of each attribute is, and where they end."""
        found: dict[str, int] = {}
        count = _u2(self.data, at)[0]
        at += 2
        for _ in range(count):
            found[self.text(_u2(self.data, at)[0])] = at + 6
            at += 6 + _u4(self.data, at + 2)[0]
        if at > len(self.data):
            raise ClassFileError("it ends too early")
        return found, at

    def constant(self, index: int, descriptor: str) -> str:
        at = self.places[index]
        tag = self.data[at]
        if tag == 8:  # noqa: PLR2004  (a string)
            return _quoted(self.named(index))
        form = {3: ">i", 4: ">f", 5: ">q", 6: ">d"}.get(tag)
        if form is None:
            return ""
        value = struct.unpack_from(form, self.data, at + 1)[0]
        if descriptor == "Z":
            return "true" if value else "false"
        return str(value)


def parse(data: bytes) -> ClassFile | ModuleInfo:
    try:
        if _u4(data, 0)[0] != _MAGIC:
            raise ClassFileError("it does not begin as one")
        reader = _Reader(data)
        access, this, parent, count = struct.unpack_from(">HHHH", data, reader.end)
        at = reader.end + 8
        interfaces = tuple(reader.named(_u2(data, at + 2 * n)[0]) for n in range(count))
        fields, at = _members(reader, at + 2 * count)
        methods, at = _members(reader, at)
        attributes, _ = reader.attributes(at)
        if access & MODULE:
            return _module(reader, attributes)
        nests = _nests(reader, attributes)
        name = reader.named(this)
        nest = nests.get(name)
        supers = [_placed(item, nests) for item in (reader.named(parent), *interfaces) if item]
        return ClassFile(
            _placed(name, nests),
            nest.access if nest else access,
            tuple(supers),
            fields,
            methods,
            _facts(reader, attributes, ""),
            outer=_placed(nest.outer, nests) if nest else "",
            local=nest is not None and not (nest.outer and nest.label),
        )
    except (struct.error, IndexError, RecursionError) as error:
        raise ClassFileError("it ends too early") from error


def uses(data: bytes) -> ClassUses:
    """What compiled code refers to, by its constants: exactly what it needs to be linked."""
    try:
        reader = _Reader(data)
        classes: set[str] = set()
        members: set[tuple[str, str, str]] = set()
        strings: set[str] = set()
        for index, at in enumerate(reader.places):
            tag = data[at] if at else 0
            if tag == 7:  # noqa: PLR2004  (a class)
                classes.add(reader.named(index))
            elif tag == 8:  # noqa: PLR2004  (a string)
                strings.add(reader.named(index))
            elif tag in (9, 10, 11):  # a field, a method, an interface's method
                owner, pair = struct.unpack_from(">HH", data, at + 1)
                label, kind = struct.unpack_from(">HH", data, reader.places[pair] + 1)
                members.add((reader.named(owner), reader.text(label), reader.text(kind)))
            elif tag == _UTF8:
                # Types of fields, parameters, locals and annotations stand in descriptors.
                classes.update(_described(reader.text(index)))
    except (struct.error, IndexError) as error:
        raise ClassFileError("it ends too early") from error
    return ClassUses(frozenset(classes), frozenset(members), frozenset(strings))


def _described(text: str) -> list[str]:
    """The classes that a descriptor or a generic signature names."""
    if ";" not in text or "L" not in text:
        return []
    found = []
    for part in text.replace("<", ";").split(";"):
        start = part.find("L")
        if start >= 0 and part[:start].strip("()[+-*:BCDFIJSZVT") == "":
            found.append(part[start + 1 :])
    return found


def _members(reader: _Reader, at: int) -> tuple[tuple[ClassMember, ...], int]:
    count = _u2(reader.data, at)[0]
    at += 2
    found = []
    for _ in range(count):
        access, name, descriptor = struct.unpack_from(">HHH", reader.data, at)
        attributes, at = reader.attributes(at + 6)
        if access & (PUBLIC | PROTECTED) and not access & SYNTHETIC:
            kind = reader.text(descriptor)
            found.append(
                ClassMember(access, reader.text(name), kind, _facts(reader, attributes, kind))
            )
    return tuple(found), at


_NOTHING = ClassFacts()


def _facts(reader: _Reader, attributes: dict[str, int], descriptor: str) -> ClassFacts:
    if not attributes:
        return _NOTHING
    data = reader.data
    at = attributes.get("Signature")
    signature = reader.text(_u2(data, at)[0]) if at else ""
    at = attributes.get("ConstantValue")
    constant = reader.constant(_u2(data, at)[0], descriptor) if at else ""
    deprecated = Deprecated() if "Deprecated" in attributes else None
    preview = False
    for kind in ("RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"):
        at = attributes.get(kind)
        for name, values in _annotations(reader, at) if at else ():
            if name == _DEPRECATED:
                since = values.get("since", "")
                deprecated = Deprecated(str(since), values.get("forRemoval") == 1)
            preview = preview or "/PreviewFeature" in name
    return ClassFacts(deprecated, signature, constant, preview)


def _annotations(reader: _Reader, at: int) -> list[tuple[str, dict[str, Any]]]:
    count = _u2(reader.data, at)[0]
    at += 2
    found = []
    for _ in range(count):
        name, values, at = _annotation(reader, at)
        found.append((name, values))
    return found


def _annotation(reader: _Reader, at: int) -> tuple[str, dict[str, Any], int]:
    name, count = struct.unpack_from(">HH", reader.data, at)
    at += 4
    values: dict[str, Any] = {}
    for _ in range(count):
        label = reader.text(_u2(reader.data, at)[0])
        values[label], at = _element(reader, at + 2)
    return reader.text(name), values, at


def _element(reader: _Reader, at: int) -> tuple[Any, int]:
    """An annotation's value: texts and numbers; of others only where they end matters."""
    data = reader.data
    tag = chr(data[at])
    if tag == "s":
        return reader.text(_u2(data, at + 1)[0]), at + 3
    if tag in "BCISZ":
        place = reader.places[_u2(data, at + 1)[0]]
        return struct.unpack_from(">i", data, place + 1)[0], at + 3
    if tag == "e":
        return None, at + 5
    if tag == "@":
        _, values, end = _annotation(reader, at + 1)
        return values, end
    if tag == "[":
        count = _u2(data, at + 1)[0]
        at += 3
        for _ in range(count):
            _, at = _element(reader, at)
        return None, at
    return None, at + 3


@dataclass(frozen=True, slots=True)
class _Nest:
    """A class within another: that one, its name there, its flags."""

    outer: str
    label: str
    access: int


def _nests(reader: _Reader, attributes: dict[str, int]) -> dict[str, _Nest]:
    """Every nested class that a class file speaks of, itself included."""
    at = attributes.get("InnerClasses")
    if not at:
        return {}
    found = {}
    for number in range(_u2(reader.data, at)[0]):
        inner, outer, label, access = struct.unpack_from(">HHHH", reader.data, at + 2 + 8 * number)
        text = reader.text(label) if label else ""
        found[reader.named(inner)] = _Nest(reader.named(outer), text, access)
    return found


def _placed(name: str, nests: dict[str, _Nest], depth: int = 0) -> str:
    """``java/util/Map$Entry`` as ``java/util/Map.Entry``; a dollar of its own is left alone."""
    nest = nests.get(name)
    if nest is None or not nest.outer or not nest.label or depth > _DEEPEST:
        return name
    return f"{_placed(nest.outer, nests, depth + 1)}.{nest.label}"


def _module(reader: _Reader, attributes: dict[str, int]) -> ModuleInfo:
    data = reader.data
    at = attributes.get("Module")
    if not at:
        raise ClassFileError("a module without its description")
    name = reader.named(_u2(data, at)[0])
    place = at + 8 + 6 * _u2(data, at + 6)[0]  # past what it requires
    exports = []
    count = _u2(data, place)[0]
    place += 2
    for _ in range(count):
        package, _, friends = struct.unpack_from(">HHH", data, place)
        place += 6 + 2 * friends
        if not friends:
            exports.append(reader.named(package).replace("/", "."))
    resolution = attributes.get("ModuleResolution")
    flags = _u2(data, resolution)[0] if resolution else 0
    facts = _facts(reader, attributes, "")
    return ModuleInfo(name, tuple(exports), facts.deprecated, incubating=bool(flags & _INCUBATING))


def _quoted(text: str) -> str:
    return '"' + text.encode("unicode_escape").decode().replace('"', '\\"') + '"'
