"""Rust programs that try to pass, to see or to harm what they should not. None may succeed.

Each file beside this one is one program; its first line, a comment, says what it tries. ``ENTRY``
stands for the function that a task asks for: from a slice of numbers to their sum. The folders are
crates, whose build scripts and macros run when they are compiled.
"""

from __future__ import annotations

from importlib import resources
from types import MappingProxyType

from libdrift.sandbox.hostile import Hostile, programs

ENTRY = "total"
REFERENCE = f"pub fn {ENTRY}(values: &[i64]) -> i64 {{\n    values.iter().sum()\n}}\n"
# A task that asks for a macro lets answers see the text that it is called in.
_MACRO = """\
macro_rules! numbers {
    ($($n:expr),* $(,)?) => {{
        let all: Vec<i64> = vec![$($n),*];
        all
    }};
}
"""
_MODULE = "#[cfg(test)]\nmod tests {{\n    use super::*;\n\n{}}}\n"
_TEST = "    #[test]\n    fn {}() {{\n        {}\n    }}\n\n"
_CASES = (
    ("small", "assert_eq!(total(&[1, 2]), 3); // gives 3"),
    ("empty", 'assert_eq!(total(&[]), 0, "nothing gives 0 in all"); // gives 0'),
    ("large", "assert_eq!(total(&[1_000, 2_000]), 3_000); // gives 3_000"),
    ("signs", "assert!(total(&[-1]).is_negative()); // gives true"),
    ("words", 'assert_eq!(format!("{}", total(&[7, 4])), "11"); // gives 11'),
)


def _tests(count: int) -> str:
    return _MODULE.format("".join(_TEST.format(*case) for case in _CASES[:count]))


_MANY = _tests(len(_CASES))
# What attacks are judged by, with a right answer: one test, which is the easiest to guess, a pair,
# all kinds, and tests that are made with a macro of the answer's.
TASKS = MappingProxyType(
    {
        "one": (_tests(1), REFERENCE),
        "pair": (_tests(2), REFERENCE),
        "many": (_MANY, REFERENCE),
        "macro": (_MANY.replace("&[", "&numbers!["), _MACRO + REFERENCE),
    }
)


def corpus() -> list[Hostile]:
    return programs(resources.files(__package__), ".rs", "/")


def crates() -> list[str]:
    """The names of the hostile crates: folders beside this file."""
    folder = resources.files(__package__)
    return sorted(f.name for f in folder.iterdir() if (f / "Cargo.toml").is_file())
