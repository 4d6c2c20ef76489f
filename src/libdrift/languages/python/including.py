"""Members that a metaclass may give to a class: its own, and those of classes that it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from libdrift.languages.python.classes import PREFIX
from libdrift.languages.python.linking import Linker
from libdrift.languages.python.modules import is_public
from libdrift.languages.python.parsed import Definition, ParsedReference

_DEEP = 12  # bases above bases


def members(owner: ParsedReference, linker: Linker, depth: int = 0) -> Iterator[str]:
    """Public names of a class of the package and of its bases, as they are written."""
    item = owner.definition
    if item is None or item.kind != "class" or depth > _DEEP:
        return
    yield from filter(is_public, item.members)
    for base in item.bases:
        above = linker.dotted(owner.module, base)
        if above is not None:
            yield from members(above, linker, depth + 1)


def given(module: str, item: Definition, linker: Linker) -> Iterator[str]:
    """``rim = Include(Line, prefix="rim")``: what the other class has, perhaps with the prefix."""
    for member in item.members.values():
        other = linker.dotted(module, member.made[1]) if all(member.made) else None
        names = members(other, linker) if other is not None else ()
        before = member.lists.get(PREFIX)
        yield from (f"{before[0]}_{name}" for name in names) if before else names


def is_made(
    class_id: str,
    definitions: Mapping[str, Definition],
    bases: Mapping[str, tuple[str, ...]],
    depth: int = 0,
) -> bool:
    """Whether a metaclass makes a class, by itself or by a base."""
    item = definitions.get(class_id)
    if item is None or depth > _DEEP:
        return False
    own = item.metaclass.rpartition(".")[2] not in {"", "ABCMeta", "type"}
    return own or any(is_made(base, definitions, bases, depth + 1) for base in bases[class_id])
