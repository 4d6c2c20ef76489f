"""Class files to order, without a compiler."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

PUBLIC, PROTECTED, STATIC, VARARGS, INTERFACE, SYNTHETIC = 0x1, 0x4, 0x8, 0x80, 0x200, 0x1000


@dataclass(frozen=True)
class Member:
    name: str
    descriptor: str
    access: int = PUBLIC
    since: str | None = None  # deprecated, and since when
    removal: bool = False
    signature: str = ""
    constant: int | str | None = None
    preview: bool = False


class Pool:
    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self._known: dict[bytes, int] = {}

    def add(self, entry: bytes) -> int:
        if entry not in self._known:
            self.entries.append(entry)
            self._known[entry] = len(self.entries)
        return self._known[entry]

    def text(self, text: str) -> int:
        data = text.encode()
        return self.add(b"\x01" + struct.pack(">H", len(data)) + data)

    def named(self, text: str, tag: int = 7) -> int:
        return self.add(struct.pack(">BH", tag, self.text(text)))

    def value(self, value: int | str) -> int:
        if isinstance(value, str):
            return self.named(value, 8)
        return self.add(struct.pack(">Bi", 3, value))

    def member(self, owner: str, name: str, descriptor: str) -> int:
        pair = self.add(struct.pack(">BHH", 12, self.text(name), self.text(descriptor)))
        return self.add(struct.pack(">BHH", 10, self.named(owner), pair))


def attribute(pool: Pool, name: str, content: bytes) -> bytes:
    return struct.pack(">HI", pool.text(name), len(content)) + content


def facts(pool: Pool, given: Member) -> bytes:
    found = []
    if given.since is not None:
        values = struct.pack(">HcH", pool.text("since"), b"s", pool.text(given.since))
        values += struct.pack(">HcH", pool.text("forRemoval"), b"Z", pool.value(int(given.removal)))
        note = struct.pack(">HHH", 1, pool.text("Ljava/lang/Deprecated;"), 2) + values
        found.append(attribute(pool, "Deprecated", b""))
        found.append(attribute(pool, "RuntimeVisibleAnnotations", note))
    if given.preview:
        note = struct.pack(">HHH", 1, pool.text("Ljdk/internal/javac/PreviewFeature;"), 0)
        found.append(attribute(pool, "RuntimeInvisibleAnnotations", note))
    if given.signature:
        text = struct.pack(">H", pool.text(given.signature))
        found.append(attribute(pool, "Signature", text))
    if given.constant is not None:
        number = struct.pack(">H", pool.value(given.constant))
        found.append(attribute(pool, "ConstantValue", number))
    return struct.pack(">H", len(found)) + b"".join(found)


def built(
    name: str,
    *members: Member,
    access: int = PUBLIC,
    supers: Sequence[str] = ("java/lang/Object",),
    nests: Sequence[tuple[str, str, str, int]] = (),
    calls: Sequence[tuple[str, str, str]] = (),
    **about: Any,
) -> bytes:
    """A class; ``nests`` are of its InnerClasses, ``about`` is as for members."""
    pool = Pool()
    for call in calls:
        pool.member(*call)
    body = struct.pack(">HHHH", access, pool.named(name), pool.named(supers[0]), len(supers) - 1)
    body += b"".join(struct.pack(">H", pool.named(item)) for item in supers[1:])
    for group in (
        [item for item in members if "(" not in item.descriptor],
        [item for item in members if "(" in item.descriptor],
    ):
        body += struct.pack(">H", len(group))
        for item in group:
            head = (item.access, pool.text(item.name), pool.text(item.descriptor))
            body += struct.pack(">HHH", *head) + facts(pool, item)
    count, own = (
        struct.unpack(">H", (text := facts(pool, Member("", "", **about)))[:2])[0],
        text[2:],
    )
    if nests:
        rows = b"".join(
            struct.pack(">HHHH", pool.named(inner), pool.named(outer), pool.text(label), flags)
            for inner, outer, label, flags in nests
        )
        count, own = (
            count + 1,
            own + attribute(pool, "InnerClasses", struct.pack(">H", len(nests)) + rows),
        )
    return _whole(pool, body + struct.pack(">H", count) + own)


def module(name: str, exports: Sequence[str], **about: Any) -> bytes:
    pool = Pool()
    body = struct.pack(">HHHHHH", 0x8000, pool.named("module-info"), 0, 0, 0, 0)
    content = struct.pack(">HHHHH", pool.named(name, 19), 0, 0, 0, len(exports))
    for package in exports:
        content += struct.pack(">HHH", pool.named(package.replace(".", "/"), 20), 0, 0)
    content += struct.pack(">HHH", 0, 0, 0)
    text = facts(pool, Member("", "", **about))
    count = struct.unpack(">H", text[:2])[0]
    whole = struct.pack(">H", count + 1) + text[2:] + attribute(pool, "Module", content)
    return _whole(pool, body + whole)


def _whole(pool: Pool, body: bytes) -> bytes:
    head = struct.pack(">IHHH", 0xCAFEBABE, 0, 61, len(pool.entries) + 1)
    return head + b"".join(pool.entries) + body
