from __future__ import annotations

import pytest

from libdrift.languages.rust import deprecation


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("use `mem::MaybeUninit` instead", "mem.MaybeUninit"),
        ("renamed to `foo_bar`", "foo_bar"),
        ("`a` was renamed to `b`", "b"),
        ("Use `crate::time::now()` instead", "time.now"),
        ("`new` should be used", "new"),
        ("use the `vec!` macro", "vec"),
        ("replaced by std::sync::Once", "std.sync.Once"),
        ("use get_mut() instead", "get_mut"),
        ("use the Display impl", ""),
        ("no longer needed", ""),
        ("", ""),
    ],
)
def test_the_name_that_a_note_advises(note: str, expected: str) -> None:
    found = deprecation.read("1.2.0", note)
    assert (found.replacement, found.since, found.source) == (expected, "1.2.0", "attribute")
