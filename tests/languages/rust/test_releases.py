from __future__ import annotations

from datetime import date

import pytest

from libdrift.languages.rust import releases
from libdrift.records import Name, Release, Surface, Symbol, SymbolKind

NOTES = """\
% Notes

Version 1.71 (2023-07-13)
=========================

Libraries
---------
- `std::old::thing` is now deprecated.

Stabilized APIs
---------------

- [`CStr::is_empty`](https://host/stable/std/ffi/struct.CStr.html#method.is_empty)
- [`<[T]>::split_at`](https://host/std/primitive.slice.html#method.split_at)
- [`core::net`](https://host/stable/core/net/index.html)
- [`impl From<u8> for X`](https://host/std/x/struct.X.html#impl-From)
- [`Once::new`][once]

These APIs are now stable in const contexts:

- [`mem::zeroed`](https://host/std/mem/fn.zeroed.html)

Version 1.0.1 (2015-06-01)
==========================

* `not::an::api`

[once]: https://host/std/sync/struct.Once.html#method.new
"""


def test_notes_of_rust() -> None:
    found = releases.rust(NOTES)
    assert found.releases == {"1.71.0": date(2023, 7, 13), "1.0.1": date(2015, 6, 1)}
    assert [(fact.version, fact.kind, fact.name, fact.path) for fact in found.facts] == [
        ("1.71.0", "deprecated", "std.old.thing", ""),
        ("1.71.0", "added", "CStr.is_empty", "std.ffi.CStr.is_empty"),
        ("1.71.0", "added", "split_at", "std.primitive.slice.split_at"),
        ("1.71.0", "added", "core.net", "core.net"),
        ("1.71.0", "added", "impl From for X", ""),
        ("1.71.0", "added", "Once.new", "std.sync.Once.new"),
        ("1.71.0", "const", "mem.zeroed", "std.mem.zeroed"),
    ]


@pytest.mark.parametrize(
    ("heading", "version"),
    [
        ("## [2.4.0] - 2023-08-11", "2.4.0"),
        ("# 2.4.0", "2.4.0"),
        ("## v2.4.0 (August 11, 2023)", "2.4.0"),
        ("### Version 2.4", "2.4"),
        ("thing 2.4.0\n===========", "2.4.0"),
        ("## 2.0.0-rc.1", "2.0.0-rc.1"),
    ],
)
def test_headings_of_versions(heading: str, version: str) -> None:
    facts = releases.changelog(f"# Changelog\n\n{heading}\n\n- Add `Options::width`.\n")
    assert [(fact.version, fact.kind, fact.name) for fact in facts] == [
        (version, "added", "Options.width")
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- Added new methods `a_b` and `c_d`", [("added", "a_b"), ("added", "c_d")]),
        ("- [#1](http://x): Remove `Foo::bar` and\n  `Foo::baz`.", [
            ("removed", "Foo.bar"), ("removed", "Foo.baz")]),
        ("- Rename `Old` to `New`", [("renamed", "Old")]),
        ("- `Foo::bar()` is deprecated, use `Foo::baz`", [("deprecated", "Foo.bar")]),
        ("- The `iter` method has been removed", [("removed", "iter")]),
        # Not about what is named.
        ("- Add fast paths to `fill`", []),
        ("- Fix `refill` to add back lines", []),
        ("- Add support for 32 bits", []),
        ("- Add `cargo build --release` and `a + b`", []),
        ("```\n- Add `inside_code`\n```", []),
        ("text without a bullet: add `x_y`", []),
    ],
)  # fmt: skip
def test_lines_of_changelogs(line: str, expected: list[tuple[str, str]]) -> None:
    facts = releases.changelog(f"## 1.0.0\n\n{line}\n")
    assert [(fact.kind, fact.name) for fact in facts] == expected


def test_sections_tell_the_kind_where_a_line_does_not() -> None:
    text = "## [1.1.0] - 2020-02-30\n### Removed\n- `Foo::bar`, for good\n### Fixed\n- `Foo`\n"
    assert [(f.kind, f.name, f.date) for f in releases.changelog(text)] == [
        ("removed", "Foo.bar", None)  # and no such day
    ]
    assert releases.changelog("## Unreleased\n- Add `x_y`\n") == ()


def _surface() -> Surface:
    ids = {"a:Foo": SymbolKind.CLASS, "a:Foo.new": SymbolKind.METHOD, "a:new": SymbolKind.FUNCTION}
    symbols = {own: Symbol(own, kind) for own, kind in ids.items()}
    symbols["a"] = Symbol("a", SymbolKind.MODULE)
    scopes = {
        "a": {"Foo": Name("a:Foo"), "new": Name("a:new")},
        "a:Foo": {"new": Name("a:Foo.new")},
    }
    return Surface(Release("crates", "crate:a", "1.0.0"), ("a",), symbols, scopes)


def test_evidence_goes_to_the_symbol_that_is_surely_meant() -> None:
    text = (
        "## 1.0.0\n- Add `Foo::new`\n- Add `new`\n- Remove `Foo::old`, use `new`\n- Remove `Foo`\n"
    )
    found = releases.attach(_surface(), releases.changelog(text))
    assert [(note.kind, note.version) for note in found.symbols["a:Foo.new"].notes] == [
        ("added", "1.0.0")
    ]
    # `new` may be either; what is said to be gone and is there is another thing.
    assert found.symbols["a:new"].notes == ()
    assert found.symbols["a:Foo"].notes == ()
    assert found.tombstones == {"a.Foo.old": "Remove `Foo::old`, use `new`"}
