"""How paths are written: with dots in the store, as the language does for people."""

from __future__ import annotations

RUST = frozenset({"rust", "crates"})  # ecosystems
_COLONS = "::"


def dotted(path: str) -> str:
    """A path as the store has it: ``std::vec::Vec::push`` is ``std.vec.Vec.push``."""
    return path.replace(_COLONS, ".")


def is_rust(path: str) -> bool:
    return _COLONS in path


def spelled(path: str, package: str) -> str:
    """A path as code writes it that uses the package."""
    rust = package == "rust" or package.startswith("crate:")
    return path.replace(".", _COLONS) if rust else path


def is_typed(package: str) -> bool:
    """Whether code that uses the package is held to its types by a compiler."""
    return package in {"rust", "jdk"} or package.startswith(("crate:", "maven:"))
