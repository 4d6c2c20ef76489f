"""How paths are written: with dots in the store, as the language does for people."""

from __future__ import annotations

RUST = frozenset({"rust", "crates"})  # ecosystems
_COLONS = "::"
_WITH_RUST = frozenset({"rust", "std", "core", "alloc"})
_WITH_JAVA = frozenset({"jdk", "java", "javax"})


def dotted(path: str) -> str:
    """A path as the store has it: ``std::vec::Vec::push`` is ``std.vec.Vec.push``."""
    return path.replace(_COLONS, ".")


def is_rust(path: str) -> bool:
    return _COLONS in path


def mined_as(library: str, language: str) -> str:
    """What the history calls a library that others, and paths, call by its plain name."""
    if language == "rust":
        return "rust" if library in _WITH_RUST else f"crate:{library}"
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
