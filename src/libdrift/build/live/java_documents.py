"""What a JDK's own documentation says to use in the place of what is deprecated."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tree_sitter import Node

from libdrift.languages.java import jdks
from libdrift.metrics import trees

_DEPRECATED = re.compile(r"@deprecated\b(.*?)(?=\n\s*\*\s*@\w|\*/)", re.DOTALL)
# A link directly behind a word that says what it is for.
_INSTEAD = re.compile(
    r"(?:\b[Uu]se|[Rr]eplaced by|[Ss]uperseded by|in favou?r of|[Pp]refer)\s+"
    r"(?:(?:the|static|factory|method|methods|constructor|class|either|instead)\s+)*"
    r"\{@link(?:plain)?\s+([\w.$]*(?:#[\w$]+)?(?:\([^)]*\))?)"
)
_MEMBERS = {"method_declaration", "constructor_declaration"}
_TYPES = {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}


@dataclass(frozen=True, slots=True)
class JavaLink:
    """``Thread#threadId()``: class and member, each of which may be empty."""

    owner: str
    member: str


class JdkSources:
    """The sources that the JDKs of this machine ship, the newest first."""

    def __init__(self) -> None:
        found = (jdk.home / "lib" / "src.zip" for jdk in jdks.discover())
        self._archives = [_Archive(path) for path in found if path.is_file()]

    def __bool__(self) -> bool:
        return bool(self._archives)

    def instead(self, path: str) -> tuple[JavaLink, ...]:
        """What to use in the place of a member or class, as the newest that has it says."""
        for archive in self._archives:
            text = archive.deprecation(path)
            if text is not None:
                return tuple(dict.fromkeys(_links(text)))
        return ()


def _links(text: str) -> Iterator[JavaLink]:
    plain = re.sub(r"\n\s*\*\s?", " ", text)
    for match in _INSTEAD.finditer(plain):
        owner, _, member = match[1].partition("(")[0].partition("#")
        yield JavaLink(owner, member)


class _Archive:
    def __init__(self, path: Path) -> None:
        self._file = zipfile.ZipFile(path)
        self._names = {name.partition("/")[2]: name for name in self._file.namelist()}
        # Members of one class are mostly asked for one after the other.
        self._read = lru_cache(64)(self._parsed)

    def deprecation(self, path: str) -> str | None:
        """The words behind ``@deprecated``; nothing where it is not there, or not deprecated."""
        plain, bracket, rest = path.partition("(")
        parts = plain.split(".")
        for depth in range(len(parts), 0, -1):
            name = self._names.get(f"{'/'.join(parts[:depth])}.java")
            if name is not None:
                wanted = rest.removesuffix(")").split(",") if rest != ")" and bracket else []
                inner = ".".join(parts[depth - 1 :])
                return _found(self._read(name), inner, wanted if bracket else None)
        return None

    def _parsed(self, name: str) -> tuple[Node, bytes]:
        source = self._file.read(name)
        return trees.root(source, "java"), source


def _found(parsed: tuple[Node, bytes], inner: str, wanted: list[str] | None) -> str | None:
    root, source = parsed
    for path, comment, types in _declared(root, source, ""):
        if path != inner or (wanted is not None and types != wanted):
            continue
        said = _DEPRECATED.search(comment)
        if said:
            return said[1]
    return None


def _declared(node: Node, source: bytes, within: str) -> Iterator[tuple[str, str, list[str]]]:
    """Each type and member with its path from the file's class on, its comment, its parameters."""
    comment = ""
    for child in node.named_children:
        if child.type == "block_comment":
            comment = _text(child, source)
            continue
        name = child.child_by_field_name("name")
        if child.type in _TYPES and name is not None:
            path = f"{within}.{_text(name, source)}".removeprefix(".")
            yield path, comment, []
            body = child.child_by_field_name("body")
            if body is not None:
                yield from _declared(body, source, path)
        elif child.type in _MEMBERS and name is not None:
            yield f"{within}.{_text(name, source)}", comment, list(_parameters(child, source))
        elif child.type == "field_declaration":
            one = child.child_by_field_name("declarator")
            label = one.child_by_field_name("name") if one is not None else None
            if label is not None:
                yield f"{within}.{_text(label, source)}", comment, []
        elif child.type == "enum_body_declarations":
            yield from _declared(child, source, within)
        comment = ""


def _parameters(method: Node, source: bytes) -> Iterator[str]:
    """Simple names of types, without what is erased."""
    listed = method.child_by_field_name("parameters")
    for one in listed.named_children if listed is not None else ():
        kind = one.child_by_field_name("type")
        if one.type == "spread_parameter":
            text = _text(one, source).partition("...")[0]
            yield _erased(text) + "[]"
        elif kind is not None:
            dimensions = one.child_by_field_name("dimensions")
            yield _erased(_text(kind, source)) + ("[]" if dimensions is not None else "")


def _erased(text: str) -> str:
    while (shorter := re.sub(r"<[^<>]*>", "", text)) != text:
        text = shorter
    plain = text.split()[-1] if text.split() else ""
    return plain.rpartition(".")[2]


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")
