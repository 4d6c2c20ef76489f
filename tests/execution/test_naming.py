from __future__ import annotations

import pytest

from libdrift.execution.naming import names_in_words


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("`a.b` is gone", ["a.b"]),
        ("`a.b(x)` and `c` are gone, `x = 3` is not", ["a.b", "c"]),
        ("a.b is gone in 2.0", ["a.b"]),
        ("**a.b** is gone. **Note** that.", ["a.b"]),
        ("xrange", ["xrange"]),
        ('"xrange"', ["xrange"]),
        ("- xrange\n- raw_input", ["xrange", "raw_input"]),
        ("1. xrange\n2. intern()", ["xrange", "intern"]),
        ("I cannot tell.", []),
        ("", []),
        # What is said to work did not change.
        ("None: `math.erfc` works", []),
        ("None, `RootDoc` still works in Java 11.", []),
        ("No API changed; `a.b` is still available.", []),
        ("`a.b` is not deprecated.", []),
        ("`a.b` wasn't removed, `c.d` was not renamed", []),
        ("`a.b` is unaffected", []),
        ("`a.b` was removed, but `c.d` works", ["a.b"]),
        ("`a.b` was removed; `c.d` is fine.", ["a.b"]),
        ("`a.b` does not work any more. `c.d` works fine.", ["a.b"]),
        ("`a.b` is no longer available", ["a.b"]),
        ("`a.b` doesn't exist there", ["a.b"]),
        ("`a.b` only works from 3.8 on", ["a.b"]),
        ("`a.b` is deprecated, and still works with a warning", ["a.b"]),
        ("All of the APIs are fine: `a.b`, `a.c`", []),
        # What is to be used instead did not change either.
        ("`a.b`: use `a.c`", ["a.b"]),
        ("`a.b` is deprecated, use `a.c` or `a.d` instead", ["a.b"]),
        ("a.b is deprecated in favor of a.c.", ["a.b"]),
        ("a.b was replaced by a.c", ["a.b"]),
        ("`a.b` → `a.c`", ["a.b"]),
        ("a.b has been moved to a.c.b", ["a.b"]),
        ("Use `a.c` instead of `a.b`", ["a.b"]),
        ("Do not use `a.b`", ["a.b"]),
        ("The code uses `a.b`, which was removed", ["a.b"]),
        ("You cannot use `a.b` any more; the replacement is `a.c`", ["a.b"]),
        ("The API that changed is `a.b`.", ["a.b"]),
        ("The problem is with `a.b`.", ["a.b"]),
        ("The affected API: `a.b` and `a.c`", ["a.b", "a.c"]),
        ("e.g. `a.b`", ["a.b"]),
        ("e.g. a.bc", ["a.bc"]),
    ],
)
def test_names_in_words(text: str, names: list[str]) -> None:
    assert names_in_words(text) == names
