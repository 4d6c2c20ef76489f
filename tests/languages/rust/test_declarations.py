from __future__ import annotations

import pytest

from libdrift.languages.rust import declarations


@pytest.mark.parametrize(
    ("text", "signature", "receiver", "words"),
    [
        ("pub fn now() -> Instant", "() -> Instant", "", ()),
        ("fn len(&self) -> usize;", "() -> usize", "&self", ()),
        ("pub const fn new(a: u8, _b: &'a [T])", "(a: u8, b: &'a [T], /)", "", ("const",)),
        (
            "pub fn map<U, F>(self, f: F) -> Option<U>\nwhere\n    F: FnOnce(T) -> U,",
            "(f: F, /) -> Option<U> where F: FnOnce(T) -> U",
            "self",
            (),
        ),
        (
            # Bounds are told in one place, wherever they are written.
            "pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Option<U>",
            "(f: F, /) -> Option<U> where F: FnOnce(T) -> U",
            "self",
            (),
        ),
        (
            "pub async unsafe fn f<const N: usize>(self: Pin<&mut Self>, (a, b): (u8, [u8; N]))",
            "(arg0: (u8, [u8; N]), /) -> () where const N: usize",
            "self: Pin<&mut Self>",
            ("async", "unsafe"),
        ),
        (
            'pub unsafe extern "C" fn printf(format: *const c_char, ...) -> c_int',
            "(format: *const c_char, /, *_: ...) -> c_int",
            "",
            ("unsafe",),
        ),
        (
            "pub fn g(f: impl Fn(u8) -> u8, m: HashMap<u8, Vec<u8>>)",
            "(f: impl Fn(u8) -> u8, m: HashMap<u8, Vec<u8>>, /)",
            "",
            (),
        ),
    ],
)
def test_heads_of_functions(
    text: str, signature: str, receiver: str, words: tuple[str, ...]
) -> None:
    found = declarations.read(text)
    assert found is not None
    assert str(found.signature) == signature
    assert (found.receiver, found.words) == (receiver, words)


@pytest.mark.parametrize("text", ["", "pub struct S;", "fn", "fn broken", "pub const MAX: u32"])
def test_what_is_no_function_is_none(text: str) -> None:
    assert declarations.read(text) is None


def test_a_head_that_does_not_end_is_read_as_far_as_it_goes() -> None:
    found = declarations.read("fn f(a: Vec<u8")
    assert found is not None
    assert found.name == "f"
