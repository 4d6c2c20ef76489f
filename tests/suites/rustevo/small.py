"""A small data set of our own: tasks and APIs that belong together by their places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

REFERENCE = "fn first_two(items: &[u8]) -> Option<&[u8; 2]> {\n    items.first_chunk()\n}\n"
TESTS = """#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_enough() {
        assert_eq!(first_two(&[1, 2, 3]), Some(&[1, 2]));
    }

    #[test]
    fn too_short() {
        assert_eq!(first_two(&[1]), None);
    }
}
"""
STD: dict[str, Any] = {
    "task_idx": 4,
    "query": "The first two bytes of a slice, if it has them. ",
    "function_signature": "fn first_two(items: &[u8]) -> Option<&[u8; 2]>",
    "code": REFERENCE,
    "test_program": TESTS,
}
STD_API: dict[str, Any] = {
    "name": "first_chunk",
    "from_version": "1.76.0",
    "to_version": "1.77.0",
    "module": "core::slice",
    "type": "method",
    "signature": "pub const fn first_chunk<const N: usize>(&self) -> Option<&[T; N]>",
    "change_type": "stabilized",
    "documentation": "Returns the first `N` items.",
    "source_code": "",
}
CRATE: dict[str, Any] = {
    "task_idx": 9,
    "query": "A flag by its name.",
    "function_signature": "fn named() -> u32",
    "code": "use bitflags::Flags;\n\nfn named() -> u32 {\n    0\n}\n",
    "test_program": "use tempfile::tempdir;\n\n#[tokio::test]\nasync fn named_is_zero() {\n"
    "    assert_eq!(super::named(), 0);\n}\n",
}
CRATE_API: dict[str, Any] = {
    "crate": "bitflags",
    "name": "Flags",
    "from_version": "2.3.3",
    "to_version": "2.4.0",
    "module": "traits",
    "type": "trait",
    "signature": "trait Flags",
    "change_type": "deprecated",
    "changenote": "It has moved.",
    "documentation": None,
}


def packed(folder: Path, pairs: list[tuple[Any, Any]] | None = None) -> Path:
    return _write(folder, "tasks.json", "api_docs.json", pairs)


def release(folder: Path, pairs: list[tuple[Any, Any]] | None = None) -> Path:
    _write(folder / "Dataset", "RustEvo^2.json", "APIDocs.json", pairs)
    return folder


def _write(folder: Path, tasks: str, apis: str, pairs: list[tuple[Any, Any]] | None) -> Path:
    pairs = [(STD, STD_API), (CRATE, CRATE_API)] if pairs is None else pairs
    folder.mkdir(parents=True, exist_ok=True)
    (folder / tasks).write_text(json.dumps([task for task, _ in pairs]), encoding="utf-8")
    (folder / apis).write_text(json.dumps([api for _, api in pairs]), encoding="utf-8")
    return folder
