"""How paths are written: with dots in the store, as the language does for people."""

from __future__ import annotations

RUST = frozenset({"rust", "crates"})  # ecosystems
_COLONS = "::"
_WITH_RUST = frozenset({"rust", "std", "core", "alloc", "proc_macro"})
_FACADES = frozenset({"core", "alloc"})  # what std offers is theirs, and is told of std alone
_PRIMITIVES = frozenset(
    "array bool char f16 f32 f64 f128 fn i8 i16 i32 i64 i128 isize never pointer reference slice"
    " str tuple u8 u16 u32 u64 u128 unit usize".split()
)
_WITH_JAVA = frozenset({"jdk", "java", "javax"})


def dotted(path: str) -> str:
    """A path as the store has it: ``std::vec::Vec::push`` is ``std.vec.Vec.push``."""
    return path.replace(_COLONS, ".")


def is_rust(path: str) -> bool:
    return _COLONS in path


def alternatives(path: str) -> tuple[str, ...]:
    """A path, and how else the history may have it: ``str::trim``, ``core::mem::swap``."""
    root, colons, rest = path.partition(_COLONS)
    if colons and root in _FACADES:
        return path, f"std::{rest}"
    if colons and root in _PRIMITIVES:
        return path, f"std::primitive::{path}"
    return (path,)


def mined_as(library: str, language: str) -> str:
    """What the history calls a library that others, and paths, call by its plain name."""
    if language == "rust":
        return "rust" if library in _WITH_RUST | _PRIMITIVES else f"crate:{library}"
    if language == "java" and library in _WITH_JAVA:
        return "jdk"
    return library


def spelled(path: str, package: str) -> str:
    """A path as code writes it that uses the package."""
    rust = package == "rust" or package.startswith("crate:")
    return path.replace(".", _COLONS) if rust else path


def is_typed(package: str) -> bool:
    """Whether code that uses the package is held to its types by a compiler."""
    return package in {"rust", "jdk"} or package.startswith(("crate:", "maven:"))
