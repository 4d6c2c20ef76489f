"""How crates use an API: places in their sources, with the lines around them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tree_sitter import Node

from libdrift.languages.rust.usage import occurrences
from libdrift.metrics import trees

CONTEXT = 20  # lines around a use
_MOST_FILES = 20_000
_VERSION = re.compile(r"-\d+\..*$")  # of an unpacked crate's folder
_MOST_BYTES = 400_000  # of a file: more is generated


@dataclass(frozen=True, slots=True)
class CrateUse:
    """A use in a crate's source. ``function`` is the whole function around it, if it is short."""

    crate: str
    path: str
    line: int
    context: str
    function: str = ""


def uses_of(
    api: str, folders: Sequence[Path], limit: int, first: Sequence[Path] = ()
) -> list[CrateUse]:
    """The first uses of an API (``std::mem::take``, ``Vec::pop``) in folders of unpacked crates.

    ``first`` are crates that are looked at before all others.

    What is written by its path is found as such. A method is known by its name alone: whose it
    is, only a compiler can tell, and it will.
    """
    found: list[CrateUse] = []
    known = {api.partition("::")[0]}  # its own crate defines it, and does not use it
    for crate, file in _files(_crates(folders, first)):
        name = _VERSION.sub("", crate).replace("-", "_")
        if name in known:
            continue  # one use a crate, whichever its version: they are alike
        use = _in_file(api, crate, file)
        if use is not None:
            known.add(name)
            found.append(use)
            if len(found) >= limit:
                break
    return found


def _crates(folders: Sequence[Path], first: Sequence[Path]) -> Iterator[Path]:
    yield from first
    for folder in folders:
        if folder.is_dir():
            yield from sorted(one for one in folder.iterdir() if one.is_dir())


def _files(crates: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    count = 0
    for crate in crates:
        for place, inner, names in os.walk(crate):
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            for name in sorted(names):
                if name.endswith(".rs"):
                    count += 1
                    yield crate.name, Path(place, name)
                if count > _MOST_FILES:
                    return


def _in_file(api: str, crate: str, file: Path) -> CrateUse | None:
    _, owner, last = ("", "", *api.split("::"))[-3:]
    try:
        if file.is_symlink() or file.stat().st_size > _MOST_BYTES:
            return None
        data = file.read_bytes()
    except OSError:
        return None
    named = last.encode() in data and (owner[:1].isupper() or owner.encode() in data)
    if not named:  # as in most files: not worth a parse
        return None
    text = data.decode("utf-8", "replace")
    line = _line_of(api, last, text)
    if not line:
        return None
    lines = text.splitlines()
    half = CONTEXT // 2
    context = "\n".join(lines[max(0, line - 1 - half) : line + half])
    return CrateUse(crate, file.name, line, context, _function(text, line))


def _line_of(api: str, last: str, text: str) -> int:
    owner = api.rpartition("::")[0].rpartition("::")[2]
    if owner[:1].isupper() or (owner.islower() and "::" not in api.rpartition("::")[0]):
        found = re.search(
            rf"(?:\.|\b{re.escape(owner)}::){re.escape(last)}\s*(?:::<[^;]*?>)?\(", text
        )
        return text.count("\n", 0, found.start()) + 1 if found else 0
    wanted = api.replace("::", ".")
    places = [one for one in occurrences(text) if one.path == wanted and not one.is_import]
    return places[0].line if places else 0


def _function(text: str, line: int) -> str:
    """The free function around a line, if it is no longer than the context may be."""
    data = trees.encoded(text)
    found: Node | None = None
    for node in trees.walk(trees.root(data, "rust")):
        if node.type == "function_item" and node.start_point[0] < line <= node.end_point[0] + 1:
            found = node
    if found is None or found.end_point[0] - found.start_point[0] > CONTEXT:
        return ""
    code = data[found.start_byte : found.end_byte].decode("utf-8", "replace")
    return "" if "self" in code.partition("{")[0] else code
