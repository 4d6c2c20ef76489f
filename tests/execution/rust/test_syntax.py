"""Items of Rust, as a tree has them."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.syntax import all_items, items, parses

SOURCE = (
    '// ü\n#[cfg(test)] // why\n#[doc = "ä"]\nmod m { #[tokio::test] async fn f() {} }\nfn g();\n'
)


def test_items_with_what_is_before_them() -> None:
    module, function = items(SOURCE)
    assert (module.name, module.attributes) == ("m", [["cfg", "test"], ["doc"]])
    assert (module.is_test, module.is_conditional) == (False, True)
    assert SOURCE[module.start :].startswith("#[cfg")
    assert SOURCE[module.head : module.end] == "mod m { #[tokio::test] async fn f() {} }"
    assert [one.is_test for one in module.inner() if one.name] == [True]
    assert function.body is None


def test_items_within_others() -> None:
    assert [item.name for item in all_items(SOURCE) if item.name] == ["m", "f", "g"]


@pytest.mark.parametrize(
    ("source", "whole"),
    [
        ("", True),
        (SOURCE, True),
        ("fn f() {", False),
        ("fn f() {} /*", False),
        ("#\u200e[no_mangle] fn f() {}", False),
        ("fn f() { 1 +; }", False),
        ("prose, and no more", False),
        ("\0fn f() {}", False),
        ("fn f() {}\n" * 10_000, False),  # too long to be read
    ],
)
def test_what_is_rust_from_end_to_end(source: str, *, whole: bool) -> None:
    assert parses(source) is whole
