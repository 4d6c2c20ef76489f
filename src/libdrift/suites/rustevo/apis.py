"""Full paths of the API that a record is about.

A record has a module (often a private one: ``core::num::int_macros``), a name, and of methods not
the type. So a path is put together from what is known of the standard library, which does not
change: the types of each module, and the traits. Where several could be meant all are given: any
of them is the API. A method of a primitive has no crate before it: ``slice::first_chunk``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from libdrift.languages.rust.calls import Implementation
from libdrift.suites.rustevo.crates import written
from libdrift.suites.rustevo.records import Api

_SIGNED = ("i8", "i16", "i32", "i64", "i128", "isize")
_UNSIGNED = ("u8", "u16", "u32", "u64", "u128", "usize")
_RANGES = ("Range", "RangeFrom", "RangeFull", "RangeInclusive", "RangeTo", "RangeToInclusive")
# Types by the module that defines them (its file, often private), as paths that users write.
_TYPES: dict[str, tuple[str, ...]] = {
    "alloc::borrow": ("alloc::borrow::Cow", "alloc::borrow::ToOwned"),
    "alloc::boxed": ("alloc::boxed::Box",),
    "alloc::collections::binary_heap": (
        "alloc::collections::BinaryHeap",
        "alloc::collections::binary_heap::PeekMut",
    ),
    "alloc::collections::btree::map": ("alloc::collections::BTreeMap",),
    "alloc::collections::btree::map::entry": (
        "alloc::collections::btree_map::Entry",
        "alloc::collections::btree_map::OccupiedEntry",
        "alloc::collections::btree_map::VacantEntry",
    ),
    "alloc::collections::btree::set": ("alloc::collections::BTreeSet",),
    "alloc::collections::linked_list": ("alloc::collections::LinkedList",),
    "alloc::collections::vec_deque": ("alloc::collections::VecDeque",),
    "alloc::ffi::c_str": ("alloc::ffi::CString",),
    "alloc::rc": ("alloc::rc::Rc", "alloc::rc::Weak"),
    "alloc::slice": ("slice",),
    "alloc::str": ("str",),
    "alloc::string": ("alloc::string::String", "alloc::string::ToString"),
    "alloc::sync": ("alloc::sync::Arc", "alloc::sync::Weak"),
    "alloc::task": ("alloc::task::Wake",),
    "alloc::vec": ("alloc::vec::Vec",),
    "alloc::vec::into_iter": ("alloc::vec::IntoIter",),
    "alloc::vec::drain": ("alloc::vec::Drain",),
    "core::alloc::layout": ("core::alloc::Layout",),
    "core::any": ("core::any::TypeId", "core::any::Any"),
    "core::array": ("array",),
    "core::array::iter": ("core::array::IntoIter",),
    "core::bool": ("bool",),
    "core::cell": (
        "core::cell::Cell",
        "core::cell::RefCell",
        "core::cell::UnsafeCell",
        "core::cell::Ref",
        "core::cell::RefMut",
    ),
    "core::cell::lazy": ("core::cell::LazyCell",),
    "core::cell::once": ("core::cell::OnceCell",),
    "core::char": ("char",),
    "core::char::methods": ("char",),
    "core::clone": ("core::clone::Clone",),
    "core::cmp": ("core::cmp::Ord", "core::cmp::PartialOrd", "core::cmp::Ordering"),
    "core::ffi::c_str": ("core::ffi::CStr",),
    "core::fmt": ("core::fmt::Formatter", "core::fmt::Arguments", "core::fmt::Write"),
    "core::fmt::builders": (
        "core::fmt::DebugStruct",
        "core::fmt::DebugTuple",
        "core::fmt::DebugSet",
        "core::fmt::DebugList",
        "core::fmt::DebugMap",
    ),
    "core::hash": ("core::hash::Hash", "core::hash::Hasher", "core::hash::BuildHasher"),
    "core::iter::adapters::peekable": ("core::iter::Peekable",),
    "core::iter::sources::repeat_n": ("core::iter::RepeatN",),
    "core::iter::traits::double_ended": ("core::iter::DoubleEndedIterator",),
    "core::iter::traits::exact_size": ("core::iter::ExactSizeIterator",),
    "core::iter::traits::iterator": ("core::iter::Iterator",),
    "core::mem::manually_drop": ("core::mem::ManuallyDrop",),
    "core::mem::maybe_uninit": ("core::mem::MaybeUninit",),
    "core::net::ip_addr": (
        "core::net::IpAddr",
        "core::net::Ipv4Addr",
        "core::net::Ipv6Addr",
    ),
    "core::net::socket_addr": (
        "core::net::SocketAddr",
        "core::net::SocketAddrV4",
        "core::net::SocketAddrV6",
    ),
    "core::num": (*_SIGNED, *_UNSIGNED),
    "core::num::f32": ("f32",),
    "core::num::f64": ("f64",),
    "core::num::int_macros": _SIGNED,
    "core::num::nonzero": ("core::num::NonZero",),
    "core::num::saturating": ("core::num::Saturating",),
    "core::num::uint_macros": _UNSIGNED,
    "core::num::wrapping": ("core::num::Wrapping",),
    "core::ops::control_flow": ("core::ops::ControlFlow",),
    "core::ops::range": tuple(f"core::ops::{name}" for name in _RANGES),
    "core::option": ("core::option::Option",),
    "core::panic::location": ("core::panic::Location",),
    "core::panic::panic_info": ("core::panic::PanicInfo",),
    "core::pin": ("core::pin::Pin",),
    "core::ptr::const_ptr": ("const_ptr",),
    "core::ptr::mut_ptr": ("mut_ptr",),
    "core::ptr::non_null": ("core::ptr::NonNull",),
    "core::result": ("core::result::Result",),
    "core::slice": ("slice",),
    "core::slice::ascii": ("slice",),
    "core::slice::iter": (
        "core::slice::Iter",
        "core::slice::IterMut",
        "core::slice::ChunkBy",
        "core::slice::ChunkByMut",
    ),
    "core::str": ("str",),
    "core::str::lossy": ("core::str::Utf8Chunk", "core::str::Utf8Chunks"),
    "core::sync::atomic": (
        "core::sync::atomic::AtomicBool",
        "core::sync::atomic::AtomicPtr",
        *(f"core::sync::atomic::AtomicI{bits}" for bits in (8, 16, 32, 64, "size")),
        *(f"core::sync::atomic::AtomicU{bits}" for bits in (8, 16, 32, 64, "size")),
    ),
    "core::task::poll": ("core::task::Poll",),
    "core::task::wake": ("core::task::Waker", "core::task::Context", "core::task::RawWaker"),
    "core::time": ("core::time::Duration",),
    "core::unicode": ("char",),
    "std::collections::hash::map": ("std::collections::HashMap",),
    "std::collections::hash::set": ("std::collections::HashSet",),
    "std::error": ("core::error::Error",),
    "std::f32": ("f32",),
    "std::f64": ("f64",),
    "std::ffi::os_str": ("std::ffi::OsStr", "std::ffi::OsString"),
    "std::fs": (
        "std::fs::File",
        "std::fs::OpenOptions",
        "std::fs::Metadata",
        "std::fs::DirEntry",
        "std::fs::FileTimes",
        "std::fs::FileType",
    ),
    "std::hash::random": ("std::hash::RandomState", "std::hash::DefaultHasher"),
    "std::io": ("std::io::Write", "std::io::Read", "std::io::BufRead", "std::io::Seek"),
    "std::io::buffered::bufreader": ("std::io::BufReader",),
    "std::io::buffered::bufwriter": ("std::io::BufWriter",),
    "std::io::buffered::linewriter": ("std::io::LineWriter",),
    "std::io::cursor": ("std::io::Cursor",),
    "std::io::error": ("std::io::Error", "std::io::ErrorKind"),
    "std::io::stdio": (
        "std::io::Stdin",
        "std::io::Stdout",
        "std::io::Stderr",
        "std::io::StderrLock",
        "std::io::StdinLock",
        "std::io::StdoutLock",
    ),
    "std::path": ("std::path::Path", "std::path::PathBuf"),
    "std::process": (
        "std::process::Command",
        "std::process::Child",
        "std::process::ExitCode",
        "std::process::ExitStatus",
        "std::process::Stdio",
    ),
    "std::sync::barrier": ("std::sync::Barrier",),
    "std::sync::lazy_lock": ("std::sync::LazyLock",),
    "std::sync::mpsc": ("std::sync::mpsc::Sender", "std::sync::mpsc::Receiver"),
    "std::sync::mutex": ("std::sync::Mutex",),
    "std::sync::once_lock": ("std::sync::OnceLock",),
    "std::sync::poison": ("std::sync::PoisonError", "std::sync::TryLockError"),
    "std::sync::rwlock": ("std::sync::RwLock",),
    "std::thread": ("std::thread::Builder", "std::thread::JoinHandle", "std::thread::Thread"),
    "std::thread::local": ("std::thread::LocalKey",),
    "std::time": ("std::time::Instant", "std::time::SystemTime"),
}
# Traits that are called by name. Those that syntax reaches (operators, formatting, loops) are not
# here: nobody can tell from the names in an answer whether it uses them.
_TRAITS = {
    "AsRef": "core::convert::AsRef",
    "Borrow": "core::borrow::Borrow",
    "BufRead": "std::io::BufRead",
    "Clone": "core::clone::Clone",
    "Default": "core::default::Default",
    "Error": "core::error::Error",
    "ExactSizeIterator": "core::iter::ExactSizeIterator",
    "Extend": "core::iter::Extend",
    "From": "core::convert::From",
    "FromIterator": "core::iter::FromIterator",
    "FromStr": "core::str::FromStr",
    "Hash": "core::hash::Hash",
    "Hasher": "core::hash::Hasher",
    "IntoRawHandle": "std::os::windows::io::IntoRawHandle",
    "IntoRawSocket": "std::os::windows::io::IntoRawSocket",
    "Read": "std::io::Read",
    "Seek": "std::io::Seek",
    "TryFrom": "core::convert::TryFrom",
    "Write": "std::io::Write",
}
# What calls a trait's method for its caller: `"1".parse()`, `value.into()`, `collect()`.
_CALLERS = {
    "From": ("core::convert::Into::into",),
    "FromIterator": ("core::iter::Iterator::collect",),
    "FromStr": ("str::parse",),
    "TryFrom": ("core::convert::TryInto::try_into",),
}
# Types that macros of a module write the implementations for.
_MACRO_TYPES = {
    "core::char": ("ToLowercase", "ToUppercase"),
    "core::slice::iter::macros": ("Iter", "IterMut"),
}
_POINTERS = {"*mut", "*const"}
# Traits whose methods are no calls in the middle form, and what the compiler does by itself.
_SILENT = {"Copy", "Drop", "Fn", "FnMut", "FnOnce", "Send", "Sync", "Sized", "Unpin"}
_BUILT_IN = {("Box", "Deref"), ("Box", "DerefMut")}
# Modules that have functions of their own beside their types.
_FREE = {
    "alloc::alloc",
    "core::any",
    "core::array",
    "core::char",
    "core::cmp",
    "core::fmt",
    "core::slice",
    "core::str",
    "std::fs",
    "std::io",
    "std::process",
    "std::sync::mpsc",
    "std::thread",
}
# Modules of crates that users write: the same name one module up is something else.
_OPEN = {
    "hyper::client::conn",
    "hyper::client::conn::http1",
    "hyper::client::conn::http2",
    "hyper::client::connect",
    "hyper::server::conn",
}
_IMPL = re.compile(r"^(?:unsafe\s+)?impl\b\s*")
_HEAD = re.compile(r"!?\s*(?:\w+::)*(\w+)")


def paths(api: Api) -> tuple[str, ...]:
    """Full paths, the likeliest first, any of which is the API; none where its use has no name."""
    if api.crate is not None:
        return _of_crate(api.crate, api.module, api.name)
    if api.type not in {"method", "function"}:
        own = [path for path in _TYPES.get(api.module, ()) if path.endswith(f"::{api.name}")]
        return tuple(dict.fromkeys([*own, *_upwards(api.module, api.name)]))
    subject = _subject(api.signature)
    if subject is not None:
        return _of_impl(api, *subject)
    members = _members(api)
    is_free = api.module in _FREE and "self" not in api.signature
    if members and not (is_free and api.type == "function"):
        return members
    # Of a module that is not in the table, some type's method, or a function of its own.
    unknown = Implementation(api.module, "_", "_", api.name)
    return (*_upwards(api.module, api.name), *([] if is_free else [str(unknown)]))


def symbol(api: Api) -> str:
    """The one path that stands for the API where people read it."""
    plain = (path for path in paths(api) if not Implementation.of(path))
    return next(plain, f"{api.module}::{api.name}")


def access(api: Api) -> str:
    """On a value (``x.get()``) or by a path of its own."""
    return "indirect" if api.type == "method" else "direct"


def _members(api: Api) -> tuple[str, ...]:
    if api.module.rpartition("::")[2][:1].isupper():  # `std::ptr::NonNull` is a type, no module
        return (f"{api.module}::{api.name}",)
    kinds = _TYPES.get(api.module, ())
    if "self" not in api.signature:
        # What a constructor gives tells whose it is: `new() -> Weak<T>`.
        given = set(re.findall(r"\w+", api.signature.partition("->")[2]))
        kinds = tuple(kind for kind in kinds if kind.rpartition("::")[2] in given) or kinds
    return tuple(f"{kind}::{api.name}" for kind in kinds)


def _of_crate(crate: str, module: str, name: str) -> tuple[str, ...]:
    """A crate's modules follow its files; what users write is often shorter."""
    inside = module.removeprefix("backend::libc::").removesuffix("::types")
    root = written(crate)
    place = f"{root}::{inside}".removesuffix("::")
    found = [*_upwards(place, name)]
    if place not in _OPEN:
        found.append(f"{root}::{name}")
    if crate == "libc":
        found.reverse()  # whatever the platform's file, all names are the crate's own
    elif _words(inside.rpartition("::")[2]) == _words(name) and len(found) > 1:
        found[0], found[1] = found[1], found[0]  # `month::Month` is a file of its own
    return tuple(dict.fromkeys(found))


def _upwards(module: str, name: str) -> Iterator[str]:
    """The name in its module, and in those around it, which offer what private ones define."""
    yield f"{module}::{name}"
    while module.count("::") > 1 and module not in _OPEN:
        module = module.rpartition("::")[0]
        yield f"{module}::{name}"


def _words(name: str) -> str:
    return name.replace("_", "").lower()


def _of_impl(api: Api, trait: str, kind: str) -> tuple[str, ...]:
    if not trait:
        return tuple(_upwards(api.module, f"{kind}::{api.name}"))
    if trait == "Write" and api.module.startswith("core::fmt"):
        return (f"core::fmt::Write::{api.name}",)
    known = _TRAITS.get(trait)
    if known:
        return (f"{known}::{api.name}", *_CALLERS.get(trait, ()))
    return tuple(_implementations(api, trait, kind))


def _implementations(api: Api, trait: str, kind: str) -> Iterator[str]:
    """A trait's method for one type, where the compiler's middle form has it as a call."""
    kinds = _MACRO_TYPES.get(api.module, ()) if kind.startswith("$") else (kind,)
    for one in kinds:
        name = "NonZero" if re.fullmatch(r"NonZero[IU]\w+", one) else one
        nameable = one[:1].isupper() or one in _POINTERS
        if nameable and trait not in _SILENT and (name, trait) not in _BUILT_IN:
            yield str(Implementation(api.module, name, trait, api.name))


def _subject(signature: str) -> tuple[str, str] | None:
    """Trait and type of ``impl<T> fmt::Debug for Rc<T>``; no trait where it is the type's own.

    The type is empty where it has no name of its own: a reference, a tuple, any type at all.
    """
    match = _IMPL.match(signature.strip())
    if match is None:
        return None
    rest = _without_generics(signature.strip()[match.end() :])
    first, found, second = rest.partition(" for ")
    head = _HEAD.match(first.strip())
    name = head[1] if head else ""
    if not found:
        return "", name
    own = second.partition(" where ")[0].partition("\n")[0].strip()
    if own.startswith("$") or (mark := own.partition(" ")[0]) in _POINTERS:
        return name, own if own.startswith("$") else mark
    kind = _HEAD.match(own)
    given = kind[1] if kind else ""
    return name, "" if given in _parameters(signature) else given


def _parameters(signature: str) -> set[str]:
    """What ``impl<…>`` declares: a type of such a name is any type."""
    match = re.match(r"(?:unsafe\s+)?impl\s*<", signature.strip())
    if match is None:
        return set()
    depth, text = 1, ""
    for letter in signature.strip()[match.end() :]:
        depth += (letter == "<") - (letter == ">")
        if not depth:
            break
        text += letter if depth == 1 else ""
    return {part.partition(":")[0].strip() for part in text.split(",")}


def _without_generics(text: str) -> str:
    """Without all that stands in angle brackets (an arrow's is none)."""
    kept, depth = [], 0
    for before, letter in zip(" " + text, text, strict=False):
        if letter == "<":
            depth += 1
        elif letter == ">" and before != "-":
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(letter)
    return "".join(kept)
