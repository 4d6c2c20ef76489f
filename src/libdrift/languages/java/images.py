"""The classes that a JDK runs itself with: the container ``lib/modules``, read from its bytes."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path

_MAGIC = 0xCAFEDADA
_HEADER = 7 * 4
# Attributes of an entry, by number.
_MODULE, _PARENT, _BASE, _EXTENSION, _OFFSET, _COMPRESSED, _SIZE = range(1, 8)


class ImageError(ValueError):
    """A container that cannot be read; the message says why."""


def classes(path: Path) -> Iterator[tuple[str, bytes]]:
    """Every class of an image: its module, and its bytes."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
        try:
            yield from _classes(image)
        except (struct.error, IndexError) as error:
            raise ImageError(f"{path.name} ends too early") from error


def _classes(image: mmap.mmap) -> Iterator[tuple[str, bytes]]:
    order = "<" if struct.unpack_from("<I", image)[0] == _MAGIC else ">"
    magic, _, _, _, length, locations, strings = struct.unpack_from(f"{order}7I", image)
    if magic != _MAGIC:
        raise ImageError("it is no image of modules")
    offsets = struct.unpack_from(f"{order}{length}I", image, _HEADER + 4 * length)
    places = _HEADER + 8 * length
    texts = places + locations
    start = texts + strings

    def text(at: int) -> str:
        end = image.find(b"\0", texts + at)
        return image[texts + at : end].decode("utf-8", "replace")

    for offset in offsets:
        entry = _entry(image, places + offset)
        if _EXTENSION not in entry or text(entry[_EXTENSION]) != "class":
            continue
        if entry.get(_COMPRESSED):
            raise ImageError("its classes are compressed")
        at = start + entry.get(_OFFSET, 0)
        yield text(entry.get(_MODULE, 0)), image[at : at + entry.get(_SIZE, 0)]


def _entry(image: mmap.mmap, at: int) -> dict[int, int]:
    found: dict[int, int] = {}
    while kind := image[at] >> 3:
        size = (image[at] & 7) + 1
        found[kind] = int.from_bytes(image[at + 1 : at + 1 + size], "big")
        at += 1 + size
    return found
