"""Rust: the toolchains of this machine, and what std and crates offer."""
