"""Imports that answer and tests both write."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.imports import without_repeated

MAP = "use std::collections::HashMap;\n"


@pytest.mark.parametrize(
    ("answer", "tests", "expected"),
    [
        (MAP, MAP + "fn t() {}", "\nfn t() {}"),
        (MAP, "use std::collections::{HashMap, HashSet};\nx", None),
        ("use std::{fmt, fmt::Write as W};", "use std::fmt::{self};", ""),
        # Another thing by the same name is the error that it was.
        ("use mine::HashMap;", MAP, MAP),
        # It may not be there at all.
        ("#[cfg(windows)]\n" + MAP, MAP, MAP),
        ("#[allow(unused)]\npub(crate) use ::core::fmt;", "#[rustfmt::skip]\nuse std::fmt;", "\n"),
        # Of another module, which does not clash.
        (MAP, "mod tests { use std::collections::HashMap; }", None),
        ("use a::*;", "use a::*;", "use a::*;"),
        ("fn f() {}", MAP, MAP),
    ],
)
def test_without_repeated(answer: str, tests: str, expected: str | None) -> None:
    left = without_repeated(tests, answer)
    if expected is not None:
        assert left == expected
    elif "{HashMap" in tests:
        assert left == "use std::collections::HashSet as HashSet;\nx"
    else:
        assert left == tests


def test_lines_stay_where_they_are() -> None:
    tests = "use std::{\n    fmt,\n    rc::Rc,\n};\nfn t() {}"
    assert without_repeated(tests, "use std::fmt;").split("\n")[4] == "fn t() {}"
