from __future__ import annotations

from libdrift.retrieval.mentioned import mentioned

RUST = """use core::mem::swap;
use std::collections::{BTreeMap, HashMap as Map};

fn other(x: Vec<u8>) {}

pub fn fill<T, F>(option: &mut Option<T>, map: BTreeMap<u32, T>, part: &[T]) -> Result<T, String>
where
    F: Fn(u8) -> T,
{
    std::fs::read("x");
"""
JAVA = """import java.util.Date;

class A {
    void f(Thread worker, Date when) {
        worker.stop();
        when.getYear();
    }
}
"""


def test_rust_names_paths_and_the_types_of_the_last_function() -> None:
    found = mentioned(RUST, "rust")
    assert found.aliases["swap"] == "std.mem.swap"  # as users are offered it
    assert found.aliases["BTreeMap"] == "std.collections.BTreeMap"
    assert found.used == ("std.collections.BTreeMap", "std.fs.read")
    assert found.types == ("Option", "std.collections.BTreeMap", "u32", "slice")
    assert found.returned == ("Result", "String")


def test_java_names_imports_members_and_the_types_of_variables() -> None:
    found = mentioned(JAVA, "java")
    assert found.aliases == {"Date": "java.util.Date"}
    assert {"java.lang.Thread.stop", "java.util.Date.getYear"} <= set(found.used)
    assert set(found.types) == {"Thread", "java.util.Date"}


def test_any_text_is_code() -> None:
    for language in ("python", "rust", "java", "cobol"):
        assert mentioned("(\0 fn ->", language).types == ()
