"""A folder of documents: ``FOLDER/PACKAGE/VERSION/…`` are those of that release.

What lies directly in ``FOLDER/PACKAGE`` is for every version of the package. Text, Markdown,
reStructuredText and HTML are read, and cut into passages under their headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from packaging.utils import canonicalize_name

from libdrift.errors import UserError
from libdrift.history import versions
from libdrift.retrieval.documents import LONGEST, readable, shortened
from libdrift.retrieval.index import IndexEntry, ReleaseContents
from libdrift.retrieval.words import lead

_ENDINGS = {".txt", ".md", ".rst", ".html", ".htm"}
_BIGGEST = 20_000_000  # bytes of a file; more is data, not a document
_EVERY = ""  # the version of what is for every version
_HEADING = re.compile(r"#{1,6}\s+(.+?)\s*#*")
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+])\1{2,}")
_HIDDEN = {"script", "style", "nav", "head"}
_BLOCKS = {"p", "div", "li", "pre", "br", "tr", "dt", "dd", "section", "table", "ul", "ol"}


@dataclass(frozen=True, slots=True)
class FolderFile:
    package: str  # as an index takes it
    version: str  # as its folder is called
    name: str  # below that folder
    path: Path


def listed(folder: Path) -> list[FolderFile]:
    """All documents of a folder, in the order of their paths."""
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "is not there"
        raise UserError(f"{folder} {what}", "Name a folder with PACKAGE/VERSION/… in it")
    found: list[FolderFile] = []
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if len(parts) > 1 and path.suffix.lower() in _ENDINGS and path.is_file():
            version = parts[1] if len(parts) > 2 else _EVERY  # noqa: PLR2004
            name = "/".join(parts[2:] or parts[1:])
            found.append(FolderFile(canonicalize_name(parts[0]), version, name, path))
    if not found:
        raise UserError(
            f"{folder} has no documents",
            f"Put them into {folder}/PACKAGE/VERSION: {' '.join(sorted(_ENDINGS))}",
        )
    return found


def contents(
    files: Sequence[FolderFile], package: str, version: str
) -> tuple[ReleaseContents, tuple[str, ...]]:
    """The passages on a release, and the files that could not be read."""
    entries: list[IndexEntry] = []
    skipped: list[str] = []
    usual = canonicalize_name(package)
    for file in files:
        if file.package != usual or not _fits(file.version, version):
            continue
        text = _read(file.path)
        if isinstance(text, OSError):
            skipped.append(f"{file.path}: {text.strerror}")
            continue
        entries += _entries(file, package, version if file.version else _EVERY, text)
    return ReleaseContents(tuple(entries)), tuple(skipped)


def naming(entries: Sequence[IndexEntry], symbols: frozenset[str]) -> frozenset[str]:
    """The passages that are about some symbols: those titled so, else those that name one whole."""
    titled: set[str] = set()
    named: set[str] = set()
    for symbol in symbols:
        last = symbol.rpartition(".")[2]
        title = re.compile(rf"(?:[\w.]*\.)?{re.escape(last)}\b(?![\w.])")
        whole = re.compile(rf"(?<![\w.]){re.escape(symbol)}(?!\w|\.\w)")
        for entry in entries:
            if title.match(entry.own.strip("` ")):
                titled.add(entry.path)
            elif whole.search(entry.body):
                named.add(entry.path)
    return frozenset(titled or named)


def passages_of(path: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Names and texts of the passages of one file in a folder; of another kind of file, none."""
    if path.suffix.lower() not in _ENDINGS or not path.is_file():
        return
    text = _read(path)
    if isinstance(text, OSError):
        raise UserError(f"{path} cannot be read: {text.strerror}", "Remove or fix it")
    name = path.relative_to(folder).as_posix()
    for at, (title, passage) in enumerate(_passages(readable(text)), 1):
        yield f"{name}#{at}", f"{title}\n\n{passage}" if title else passage


def _read(path: Path) -> str | OSError:
    """The text of a file, of a page what is shown of it; or why there is none."""
    try:
        if path.stat().st_size > _BIGGEST:
            return OSError(0, f"over {_BIGGEST // 1_000_000} MB")
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        return error
    return _text_of(text) if path.suffix.lower() in {".html", ".htm"} else text


def _fits(folder: str, version: str) -> bool:
    return folder == _EVERY or versions.same(folder, version)


def _entries(file: FolderFile, package: str, version: str, text: str) -> Iterator[IndexEntry]:
    release = f"{package} {version}" if version else f"{package}, every version"
    for at, (title, passage) in enumerate(_passages(readable(text)), 1):
        path = f"{file.name}#{at}"
        header = f"{release}: {path}{f' {title}' if title else ''}"
        yield IndexEntry(
            path,
            version,
            f"{header}\n{passage}",
            own=title,
            around=file.name,
            lead=lead(passage),
            body=passage,
        )


def _passages(text: str) -> Iterator[tuple[str, str]]:
    """Title and text of each: a section, or as many of its paragraphs as fit."""
    for title, paragraphs in _sections(text):
        held = ""
        for paragraph in paragraphs:
            if held and len(held) + len(paragraph) > LONGEST:
                yield title, held
                held = ""
            held = f"{held}\n\n{paragraph}" if held else shortened(paragraph)
        if held:
            yield title, held


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    title = ""
    paragraphs: list[str] = []
    for block in re.split(r"\n[ \t]*\n", text):
        lines = block.strip("\n").splitlines()
        found = _title(lines)
        if found is not None:
            if paragraphs:
                yield title, paragraphs
            title, used = found
            lines, paragraphs = lines[used:], []
        if any(line.strip() for line in lines):
            paragraphs.append("\n".join(lines).rstrip())
    if paragraphs or title:
        yield title, paragraphs or [title]


def _title(lines: Sequence[str]) -> tuple[str, int] | None:
    """The heading that a paragraph begins with, and how many lines it takes."""
    match = _HEADING.fullmatch(lines[0].strip()) if lines else None
    if match:
        return match[1], 1
    ruled = [bool(_UNDERLINE.fullmatch(line.strip())) for line in lines[:3]]
    if len(ruled) > 1 and ruled[1] and not ruled[0]:
        return lines[0].strip(), 2
    if len(ruled) > 2 and ruled[0] and ruled[2]:  # noqa: PLR2004
        return lines[1].strip(), 3
    return None


class _Reader(HTMLParser):
    """The text of a page, its headings as Markdown has them."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._hidden += tag in _HIDDEN
        if re.fullmatch(r"h[1-6]", tag):
            self.parts.append(f"\n\n{'#' * int(tag[1])} ")
        elif tag in _BLOCKS:
            self.parts.append("\n" if tag == "br" else "\n\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in _HIDDEN))
        if tag in _BLOCKS or re.fullmatch(r"h[1-6]", tag):
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)


def _text_of(page: str) -> str:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    lines = "".join(reader.parts).splitlines()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines))
