from __future__ import annotations

import pytest

from libdrift.suites.rustevo import apis
from libdrift.suites.rustevo.records import Api


def api(module: str, name: str, kind: str, signature: str = "", crate: str | None = None) -> Api:
    return Api(
        name=name,
        from_version="1",
        to_version="2",
        module=module,
        type=kind,
        signature=signature,
        crate=crate,
    )


@pytest.mark.parametrize(
    ("record", "paths"),
    [
        (
            api("core::option", "filter", "method", "pub fn filter<P>(self, predicate: P) -> Self"),
            ("core::option::Option::filter",),
        ),
        (api("core::str", "split_once", "method", "fn split_once(&self)"), ("str::split_once",)),
        (
            api("core::num::int_macros", "signum", "method", "pub const fn signum(self) -> Self"),
            tuple(f"{kind}::signum" for kind in ("i8", "i16", "i32", "i64", "i128", "isize")),
        ),
        (
            api("alloc::rc", "new", "function", "pub const fn new() -> Weak<T>"),
            ("alloc::rc::Weak::new",),
        ),
        (api("std::fs", "read", "function", "pub fn read(path: P)"), ("std::fs::read",)),
        (
            api("core::slice::raw", "from_mut", "function", "pub fn from_mut(s: &mut T)"),
            (
                "core::slice::raw::from_mut",
                "core::slice::from_mut",
                "<core::slice::raw::_ as _>::from_mut",
            ),
        ),
        (api("std::ptr::NonNull", "add", "method", "fn add(self)"), ("std::ptr::NonNull::add",)),
        (
            api("alloc::string", "default", "function", "impl Default for String"),
            ("core::default::Default::default",),
        ),
        (
            api("core::num", "from_str", "function", "impl FromStr for NonZero<$Int>"),
            ("core::str::FromStr::from_str", "str::parse"),
        ),
        # Operators, formatting and loops are no names that an answer has: calls tell.
        (
            api("core::num::wrapping", "bitor", "method", "impl BitOr for Wrapping<$t>"),
            ("<core::num::wrapping::Wrapping as BitOr>::bitor",),
        ),
        (
            api("alloc::boxed", "fmt", "method", "impl<T: ?Sized> fmt::Pointer for Box<T>"),
            ("<alloc::boxed::Box as Pointer>::fmt",),
        ),
        (
            api("core::slice::iter::macros", "next", "method", "impl Iterator for $name<'a, T>"),
            (
                "<core::slice::iter::macros::Iter as Iterator>::next",
                "<core::slice::iter::macros::IterMut as Iterator>::next",
            ),
        ),
        (
            api("core::ptr::mut_ptr", "eq", "method", "impl<T: ?Sized> PartialEq for *mut T"),
            ("<core::ptr::mut_ptr::*mut as PartialEq>::eq",),
        ),
        (
            api("core::num::nonzero", "bitor", "method", "impl BitOr for NonZeroU8"),
            ("<core::num::nonzero::NonZero as BitOr>::bitor",),
        ),
        # Of any type, of primitives, of what the compiler does by itself: nobody can tell.
        (api("core::iter", "into_iter", "method", "impl<I: Iterator> IntoIterator for I"), ()),
        (api("core::ops::arith", "add", "method", "impl Add for $t"), ()),
        (api("core::ops::arith", "add", "method", "impl Add for u8"), ()),
        (api("alloc::boxed", "deref", "method", "impl<T: ?Sized> Deref for Box<T>"), ()),
        (api("alloc::vec", "drop", "method", "unsafe impl<T> Drop for Vec<T>"), ()),
        (
            api("core::slice::iter", "new", "function", "impl<'a, F: Fn() -> bool> ChunkBy<'a, F>"),
            ("core::slice::iter::ChunkBy::new", "core::slice::ChunkBy::new"),
        ),
        (
            api("std::io::buffered::bufwriter", "BufWriter", "struct"),
            (
                "std::io::BufWriter",
                "std::io::buffered::bufwriter::BufWriter",
                "std::io::buffered::BufWriter",
            ),
        ),
        (
            api("a::b", "unheard_of", "method", "fn unheard_of(&self)"),
            ("a::b::unheard_of", "<a::b::_ as _>::unheard_of"),
        ),
        (
            api("unix::linux_like", "AF_X", "constant", crate="libc"),
            ("libc::AF_X", "libc::unix::AF_X", "libc::unix::linux_like::AF_X"),
        ),
        (api("month", "Month", "enum", crate="time"), ("time::Month", "time::month::Month")),
        (
            api("client::conn::http1", "Builder", "struct", crate="hyper"),
            ("hyper::client::conn::http1::Builder",),
        ),
        (
            api("backend::libc::fs::types", "Flock", "enum", crate="rustix"),
            ("rustix::fs::Flock", "rustix::Flock"),
        ),
        (api("", "Flags", "trait", crate="bitflags"), ("bitflags::Flags",)),
        (
            api("call", "open", "function", crate="redox_syscall"),
            ("syscall::call::open", "syscall::open"),
        ),
    ],
)
def test_full_paths(record: Api, paths: tuple[str, ...]) -> None:
    assert apis.paths(record) == paths
    plain = [path for path in paths if not path.startswith("<")]
    assert apis.symbol(record) == (plain or [f"{record.module}::{record.name}"])[0]


def test_access() -> None:
    assert apis.access(api("m", "f", "method")) == "indirect"
    assert apis.access(api("m", "f", "function")) == "direct"
