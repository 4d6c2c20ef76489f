"""Pages as rustdoc lays them out, of a small library with a history."""

from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError, UserError
from libdrift.history.differences.diff import compare
from libdrift.languages.rust import pages, std, toolchains
from libdrift.languages.rust.toolchains import Toolchain
from libdrift.records import Surface, SymbolKind

STABLE = '<span class="since" title="Stable since Rust version {}">x</span>'
UNSTABLE = (
    '<span class="item-info"><div class="stab unstable"><span>nightly-only</span></div></span>'
)
GONE = (
    '<span class="item-info"><div class="stab deprecated"><span class="emoji">x</span>'
    "<span>Deprecated since 1.3.0: use <code>mem::take</code> instead</span></div></span>"
)
RELEASES = """\
Version 1.3.0 (2015-09-17)
==========================

Stabilized APIs
---------------
* [`Cell::take`](https://host/std/cell/struct.Cell.html#method.take)

Version 1.2.1 (2015-08-08)
==========================
Version 1.2.0 (2015-08-07)
==========================
Version 1.0.0 (2015-05-15)
==========================
Version 0.12.0 (2014-10-09)
==========================
"""


def _source(module: str) -> str:
    return f'<a class="src" href="../../src/{module}.rs.html#1">Source</a>'


def _head(name: str, since: str, declared: str = "", source: str = "core/cell") -> str:
    stable = STABLE.format(since) if since else ""
    code = f'<pre class="rust item-decl"><code>{declared}</code></pre>' if declared else ""
    return (
        f'<section id="main-content"><h1>{name}</h1>{stable} {_source(source)}{code}'
        f"{'' if since else UNSTABLE}"
        '<div class="docblock"><p>About <code>it</code>.</p><div>more</div></div>'
    )


def _method(name: str, since: str, head: str, info: str = "", source: str = "core/cell") -> str:
    stable = STABLE.format(since) if since else ""
    code = f'<h4 class="code-header">{head}</h4>'
    return (
        f'<section id="method.{name}" class="method">{stable}{_source(source)}{code}</section>'
        f'{info}<div class="docblock"><p>Does {name}.</p></div>'
    )


CELL = (
    _head("Cell", "1.0.0", "pub struct Cell&lt;T&gt; { }")
    + '<h2 id="implementations">x</h2>'
    + _method("new", "1.0.0, const since 1.2.0", "pub const fn new(value: T) -> Cell&lt;T&gt;")
    + _method("take", "1.3.0", 'pub fn <a href="#">take</a>(&amp;self) -> T')
    + _method("old", "1.0.0", "pub fn old(&amp;self)", GONE)
    + _method("soon", "", "pub fn soon(&amp;self)", UNSTABLE)
    + '<h2 id="trait-implementations">x</h2>'
    + f'<section id="impl-Clone" class="impl">{STABLE.format("1.2.0")}<h3 class="code-header">impl '
    '<a class="trait" href="x" title="trait std::clone::Clone">Clone</a> for Cell</h3></section>'
    + f'<section id="method.clone" class="method trait-impl">{_source("core/cell/copies")}</section>'
    + '<h2 id="synthetic-implementations">x</h2>'
)
CLONE = _head("Clone", "1.0.0", "pub trait Clone { }", "core/clone") + _method(
    "clone", "1.0.0", "fn clone(&amp;self) -> Self", source="core/clone"
)
ALIAS = _head(
    "Named", "1.0.0",
    'pub type Named = <a class="struct" href="x" title="struct std::cell::Late">Late</a>;',
)  # fmt: skip
LATE = _head("Late", "1.3.0", "pub struct Late") + _method("go", "1.2.0", "pub fn go(&amp;self)")
SIGNED = _head("i8", "1.0.0", "", "core/num/mod") + _method(
    "abs", "1.0.0", "pub const fn abs(self) -> i8", source="core/num/mod"
)
PAGES = {
    "std/index.html": _head("std", "1.0.0"),
    "std/macro.vec.html": _head("vec", "1.0.0", "macro_rules! vec { () =&gt; { ... }; }"),
    "std/vec/index.html": _head("vec", "1.0.0"),
    "std/primitive/index.html": _head("primitive", "1.2.0"),
    "std/primitive.i8.html": SIGNED,
    "std/cell/index.html": _head("cell", "1.0.0"),
    "std/cell/struct.Cell.html": CELL,
    "std/cell/struct.Late.html": LATE,
    "std/cell/type.Named.html": ALIAS,
    "std/cell/fn.moved.html": "<html>forwards elsewhere</html>",
    "std/clone/index.html": _head("clone", "1.0.0"),
    "std/clone/trait.Clone.html": CLONE,
    "std/fresh/index.html": _head("fresh", ""),
    "std/fresh/fn.f.html": _head("f", "1.0.0", "pub fn f()"),
    "core/index.html": _head("core", "1.2.0"),
    "core/cell/index.html": _head("cell", "1.2.0"),
    "core/cell/struct.Cell.html": "not looked at",
    "core/macro.vec.html": "not looked at",
    "core/cell/struct.Own.html": _head("Own", "1.3.0", "pub struct Own;"),
    "core/arch/fn.add.html": "not looked at",
    "releases.md": RELEASES,
}


def _write(folder: Path) -> Path:
    for name, text in PAGES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(autouse=True)
def _library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain = Toolchain("stable", "1.3.0", nightly=False, sysroot=tmp_path)
    loaded = std.load(_write(tmp_path / "html"), toolchain, tmp_path / "cache")
    monkeypatch.setattr(std, "_library", lambda: loaded)


def _at(version: str) -> Surface:
    ((_, found),) = std.surfaces([version])
    assert isinstance(found, Surface)
    return found


def test_one_release_a_minor_with_its_date() -> None:
    assert [(item.version, str(item.date)) for item in std.releases()] == [
        ("1.0.0", "2015-05-15"),
        ("1.2.0", "2015-08-07"),
        ("1.3.0", "2015-09-17"),
    ]
    assert [release.version for release, _ in std.surfaces()] == ["1.0.0", "1.2.0", "1.3.0"]
    assert [release.version for release, _ in std.surfaces(["1.2.1", "1.2"])] == ["1.2.0", "1.2.1"]
    with pytest.raises(UserError, match=r"from 1\.0\.0 to 1\.3\.0"):
        list(std.surfaces(["1.99"]))


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("std.cell.Cell", "1.0.0"),
        ("std.cell.Cell.new", "1.0.0"),
        ("std.cell.Cell.take", "1.3.0"),
        ("std.cell.Cell.clone", "1.2.0"),  # from when on it is a Clone
        ("std.cell.Cell.soon", ""),
        ("std.fresh.f", ""),  # in a module that is not stable
        ("std.vec", "1.0.0"),
        ("std.vec!", "1.0.0"),
        ("std.primitive.i8.abs", "1.0.0"),
        ("core.cell.Cell.new", "1.2.0"),  # of a module that came later
        ("core.cell.Own", "1.3.0"),
        ("std.cell.Own", ""),
        ("std.cell.Late", "1.3.0"),
        ("std.cell.Named.go", "1.2.0"),  # before what it stands for had a name
        ("core.arch", ""),
    ],
)
def test_a_path_is_there_from_the_release_that_made_it_stable(path: str, first: str) -> None:
    found = [version for version in ("1.0.0", "1.2.0", "1.3.0") if _at(version).resolve(path)]
    assert (found or [""])[0] == first


def test_deprecations_and_const_come_with_their_release() -> None:
    before, after = _at("1.2.0"), _at("1.3.0")
    old, new = (surface.symbols["std.cell:Cell.old"] for surface in (before, after))
    assert old.deprecation is None
    assert new.deprecation is not None
    assert (new.deprecation.since, new.deprecation.replacement) == ("1.3.0", "mem.take")
    first, later = (_at(version).symbols["std.cell:Cell.new"] for version in ("1.0.0", "1.2.0"))
    assert (first.traits, first.annotation) == (("staticmethod",), "fn new(value: T) -> Cell<T>")
    assert later.traits == ("const", "staticmethod")
    assert [(note.kind, note.version) for note in later.notes] == [
        ("added", "1.0.0"),
        ("changed", "1.2.0"),
    ]
    assert str(later.signature) == "(value: T, /) -> Cell<T>"


def test_release_notes_are_evidence_and_pages_are_documentation() -> None:
    found = _at("1.3.0").symbols["std.cell:Cell.take"]
    assert [(note.version, note.text) for note in found.notes] == [
        ("1.3.0", "release notes: Cell::take")
    ]
    assert found.doc == "Does take."
    assert _at("1.3.0").symbols["std.cell:Cell"].doc == "About `it`.more"
    assert _at("1.3.0").symbols["std:vec!"].kind is SymbolKind.FUNCTION


def test_names_of_core_are_edges_not_copies() -> None:
    found = _at("1.3.0")
    assert found.roots == ("std", "core")
    assert found.scopes["core.cell"]["Cell"].target == "std.cell:Cell"
    assert found.scopes["core"]["vec"].target == "std:vec!"
    assert "core.cell:Cell" not in found.symbols


def test_releases_differ_by_what_was_stabilised() -> None:
    found = {(change.kind.value, change.path) for change in compare(_at("1.2.0"), _at("1.3.0"))}
    assert {
        ("introduced", "std.cell.Cell.take"),
        ("deprecated", "std.cell.Cell.old"),
        ("introduced", "std.cell.Late"),
        ("introduced", "core.cell.Own"),
    } <= found


def test_what_was_read_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (kept,) = (tmp_path / "cache").iterdir()
    toolchain = Toolchain("stable", "1.3.0", nightly=False, sysroot=tmp_path)
    monkeypatch.setattr(pages, "read", lambda _: pytest.fail("read again"))
    again = std.load(tmp_path / "html", toolchain, tmp_path / "cache")
    (first,) = std.surfaces(["1.3.0"])
    assert again.surface(first[0]) == first[1]
    monkeypatch.undo()
    kept.write_text("[]", "utf-8")
    assert std.load(tmp_path / "html", toolchain, tmp_path / "cache").items


def test_no_documentation_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    std._library.cache_clear()
    bare = Toolchain("stable", "1.3.0", nightly=False, sysroot=tmp_path / "bare")
    monkeypatch.setattr(toolchains, "discover", lambda: (bare,))
    with pytest.raises(InfrastructureError, match="rustup component add rust-docs"):
        std.releases()
    monkeypatch.setattr(toolchains, "discover", tuple)
    with pytest.raises(InfrastructureError, match="rustup toolchain install stable"):
        std.releases()


def test_another_layout_is_refused(tmp_path: Path) -> None:
    folder = _write(tmp_path / "other")
    for page in (folder / "std").rglob("*.html"):
        page.write_text("<h1>another time</h1>", "utf-8")
    toolchain = Toolchain("stable", "1.3.0", nightly=False, sysroot=tmp_path)
    with pytest.raises(InfrastructureError, match="laid out in an unknown way"):
        std.load(folder, toolchain, tmp_path / "cache")
