"""std as its installed documentation shows it: every item once, with since when it is stable.

The pages are rustdoc's, one per item. They are read by what they mark for readers, from the
heading down to where implementations of traits begin; of those, only which traits and where.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Version = tuple[int, ...]

_KINDS = "struct enum union trait traitalias fn macro constant static type primitive derive attr"
_FILE = re.compile(rf"(?P<kind>{_KINDS.replace(' ', '|')})\.(?P<name>\w+)\.html")
CRATES = ("std", "proc_macro", "core", "alloc")
MIRRORS = ("core", "alloc")  # std has almost all of what they have
# Thousands of processors' instructions, and what no stable program can name.
LEFT_OUT = frozenset("arch core_arch core_simd simd intrinsics prelude".split())
_PART = re.compile(
    r'<(?:section|span) id="(?P<kind>method|tymethod|associatedconstant|associatedtype|variant'
    r'|structfield)\.(?P<name>[\w.]+)(?:-\d+)?" class="(?P<class>[^"]*)">'
)
_IMPLEMENTED = re.compile(
    r'<section id="impl-[^"]*" class="impl">(?P<head>.*?)</section>', re.DOTALL
)
_LENT = re.compile(r'title="(?:struct|enum|union|trait|type) (?P<path>[\w:]+)"')
_PRIMITIVE = re.compile(r'<a class="primitive" href="[^"]*primitive\.(?P<name>\w+)\.html"')
_TRAIT = re.compile(r'<a class="trait" href="[^"]*" title="trait (?P<path>[\w:]+)">')
_STABLE = re.compile(
    r'title="Stable since Rust version (?P<since>[\d.]+)(?:, const since (?P<const>[\d.]+))?'
    r'(?P<unstable>, const unstable)?"'
)
_DEPRECATED = re.compile(
    r'class="stab deprecated">.*?<span>Deprecated since (?P<since>[\d.]+)'
    r"(?:: (?P<note>.*?))?</span></div>",
    re.DOTALL,
)
_DECLARED = re.compile(r'<pre class="rust item-decl"><code>(.*?)</code></pre>', re.DOTALL)
_CODE = re.compile(r'<h[34] class="code-header">(.*?)</h[34]>|<code>(.*?)</code>', re.DOTALL)
_DOC = re.compile(r"<div class=['\"]docblock['\"]>")
_ENDS = ("trait-implementations", "implementors", "foreign-impls", "synthetic-implementations")
_NOISE = re.compile(
    r'<a class="test-arrow".*?</a>|<a [^>]*class="(?:doc-anchor|anchor|tooltip)"[^>]*>.*?</a>|<wbr>'
    r'|<span class="since.*?</span>',
    re.DOTALL,
)
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class PageItem:
    """One name of std. ``since`` is its own; where it has none, its owner's holds."""

    path: str  # dotted: std.option.Option.is_some_and
    kind: str  # struct, fn, method, variant… and module
    since: Version | None
    unstable: bool = False
    const_since: Version | None = None
    const_unstable: bool = False
    deprecated: Version | None = None
    note: str = ""
    declaration: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Implemented:
    """A trait that a type implements."""

    owner: str
    trait: str
    since: Version | None = None
    unstable: bool = False
    alias: bool = False  # the owner is but another name for it


@dataclass(frozen=True, slots=True)
class LibraryPages:
    """``names`` are paths and kinds of what core and alloc have, and std has at the same place."""

    items: tuple[PageItem, ...]
    implemented: tuple[Implemented, ...]
    names: tuple[tuple[str, str], ...]


def read(folder: Path) -> LibraryPages:
    """The documentation below ``folder``: std, proc_macro, and what else core and alloc have."""
    items: list[PageItem] = []
    implemented: list[Implemented] = []
    names: list[tuple[str, str]] = []
    for crate in CRATES:
        have = {(item.path, item.kind) for item in items}
        for path, kind, file in _files(folder, crate):
            same = f"std.{path.partition('.')[2]}"
            if crate in MIRRORS and kind != "module" and (same, kind) in have:
                names.append((path, kind))
                continue
            found, given = _page(file.read_text("utf-8", errors="replace"), path, kind)
            items.extend(found)
            implemented.extend(given)
    return LibraryPages(tuple(items), tuple(implemented), tuple(names))


def _page(text: str, path: str, kind: str) -> tuple[list[PageItem], list[Implemented]]:
    start = text.find('id="main-content"')
    if start < 0:
        return [], []  # forwards to another page
    ends = [at for end in _ENDS if (at := text.find(f'<h2 id="{end}"', start)) > 0]
    own = text[start : min(ends, default=len(text))]
    items = list(_items(own, path, kind))
    traits = text.find('<h2 id="trait-implementations"', start)
    if kind in {"trait", "type"} or traits < 0:
        return items, _lent(own, path, kind)
    until = text.find('<h2 id="synthetic-implementations"', traits)
    given = _implemented(text[traits : until if until > 0 else None], path)
    return items, [*given, *_lent(own, path, kind)]


def version(text: str) -> Version:
    return tuple(int(part) for part in text.split("."))


def _files(folder: Path, crate: str) -> Iterator[tuple[str, str, Path]]:
    """Each page: what it is of, its kind, its place."""
    for parent, folders, files in os.walk(folder / crate):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        inner = Path(parent).relative_to(folder)
        module = ".".join(inner.parts)
        if "index.html" in files:
            yield module, "module", Path(parent, "index.html")
        for name in sorted(files):
            match = _FILE.fullmatch(name)
            if match:
                home = f"{module}.primitive" if match["kind"] == "primitive" else module
                yield f"{home}.{match['name']}", match["kind"], Path(parent, name)


def _items(text: str, path: str, kind: str) -> Iterator[PageItem]:
    parts = list(_PART.finditer(text))
    top = text[: parts[0].start()] if parts else text
    declared = _DECLARED.search(top)
    yield _item(path, kind, top, plain(declared[1]) if declared else "")
    borrowed = text.find('<h2 id="deref-methods')  # of what it derefs to: told there
    for at, part in enumerate(parts):
        if part.start() > borrowed > 0 or "trait-impl" in part["class"]:
            continue
        until = parts[at + 1].start() if at + 1 < len(parts) else len(text)
        # The next one's own wrapping belongs to it.
        mine = text[part.end() : until]
        code = _CODE.search(mine)
        if "." in part["name"]:
            continue  # a field of a variant, which shows it
        word = "method" if part["kind"] == "tymethod" else part["kind"]
        shown = plain(code[1] or code[2] or "") if code else ""
        yield _item(f"{path}.{part['name']}", word, mine, shown)


def _item(path: str, kind: str, text: str, declaration: str) -> PageItem:
    cut = _DOC.search(text)
    head = text[: cut.start()] if cut else text
    stable, gone = _STABLE.search(head), _DEPRECATED.search(head)
    return PageItem(
        path,
        kind,
        version(stable["since"]) if stable else None,
        'class="stab unstable"' in head,
        version(stable["const"]) if stable and stable["const"] else None,
        bool(stable and stable["unstable"]),
        version(gone["since"]) if gone else None,
        plain(_marked(gone["note"] or "")) if gone else "",
        declaration,
        _doc(text[cut.end() :]) if cut else "",
    )


def _doc(text: str) -> str:
    """A docblock's own text: it ends where its ``div`` is closed."""
    depth, at = 1, 0
    for tag in re.finditer(r"<(/?)div\b", text):
        depth += -1 if tag[1] else 1
        at = tag.start()
        if depth == 0:
            break
    return plain(_marked(text[:at] if depth == 0 else text))


def _marked(text: str) -> str:
    """Code between the marks that documentation in text has."""
    blocks = re.split(r"(<pre\b.*?</pre>)", text, flags=re.DOTALL)
    return "".join(
        f"```\n{block}\n```\n" if block.startswith("<pre") else re.sub("</?code>", "`", block)
        for block in blocks
    )


def plain(text: str) -> str:
    """What a reader sees, without the marks."""
    return html.unescape(_TAG.sub("", _NOISE.sub("", text))).replace("\xa0", " ").strip()


def _implemented(text: str, owner: str) -> Iterator[Implemented]:
    for match in _IMPLEMENTED.finditer(text):
        head = match["head"]
        code = _CODE.search(head)
        trait = _TRAIT.search(code[1].partition(" for ")[0]) if code and code[1] else None
        if trait:
            stable = _STABLE.search(head)
            since = version(stable["since"]) if stable else None
            path = trait["path"].replace("::", ".")
            yield Implemented(owner, path, since, 'class="stab unstable"' in head)


def _lent(text: str, owner: str, kind: str) -> list[Implemented]:
    """Where else a name's members are: at what a trait asks for, an alias stands for, or ``Deref``
    gives."""
    declared = _DECLARED.search(text)
    head = declared[1].partition("{")[0].partition("where")[0] if declared else ""
    if kind == "trait":
        wanted = re.split(r"</?\w[^>]*>: |(?<=\w): ", head, maxsplit=1)[1:]
    elif kind == "type":
        wanted = head.split(" = ", 1)[1:]
    else:
        wanted = re.findall(r'<h2 id="deref-methods.{0,400}?Target = (.{0,300})', text, re.DOTALL)
    found: list[str] = []
    for part in wanted:
        paths = [match["path"].replace("::", ".") for match in _LENT.finditer(part)]
        primitive = _PRIMITIVE.match(part)
        if primitive:
            paths = [f"std.primitive.{primitive['name']}"]
        found += paths if kind == "trait" else paths[:1]
    alias = kind == "type"
    return [Implemented(owner, path, alias=alias) for path in found if path != owner]
