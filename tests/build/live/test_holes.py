from __future__ import annotations

import pytest

from libdrift.build.live.holes import Hole, Introduction, hole_in, shown_without
from libdrift.records import Change, ChangeKind


def asked(path: str, parameter: str = "") -> Introduction:
    kind = ChangeKind.SIGNATURE if parameter else ChangeKind.INTRODUCED
    return Introduction(path, parameter, Change("pkg", "1.0", "2.0", kind, path, "function"))


def program(*lines: str, head: str = "import pkg") -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"{head}\n\n\ndef solution(a, b):\n{body}"


def hole(code: str, wanted: Introduction, form: str = "value") -> Hole:
    found = hole_in(code, form, wanted)
    assert isinstance(found, Hole), found
    return found


NEW = asked("pkg.new")


@pytest.mark.parametrize(
    ("lines", "form", "text", "told", "ends"),
    [
        (["return pkg.new(a, k=1)"], "value", "pkg.new(a, k=1)", ("", ("a", "k=1")), "value"),
        (["return list(pkg.new(a))"], "value", "pkg.new(a)", ("", ("a",)), "list"),
        (["return pkg.new(a).tolist()"], "tolist", "pkg.new(a)", ("", ("a",)), "tolist"),
        (["x = pkg.sub.new()", "return str(x)"], "text", "pkg.sub.new()", ("", ()), "text"),
        (["return a.b.new(2)"], "value", "a.b.new(2)", ("a.b", ("2",)), "value"),
        (["return a.new"], "value", "a.new", ("a", None), "value"),
    ],
)
def test_calls_that_a_function_ends_in(
    lines: list[str],
    form: str,
    text: str,
    told: tuple[str, tuple[str, ...] | None],
    ends: str,
) -> None:
    code = program(*lines)
    found = hole(code, NEW, form)
    assert code[found.begin : found.end] == text
    assert (found.receiver, found.arguments) == told
    assert found.is_last or found.follows
    assert found.form == ends


@pytest.mark.parametrize(
    ("lines", "fills"),
    [
        (["return len(pkg.new(a))"], False),
        (["return pkg.new(a) + 1"], False),
        (["x = pkg.new(a)", "return x.y"], True),
        (["x = pkg.new(a)", "x.z()", "return x"], True),
        (["with pkg.new(a):", "    b = 1", "return b"], False),
    ],
)
def test_calls_with_something_around(lines: list[str], *, fills: bool) -> None:
    found = hole(program(*lines), NEW)
    assert found.fills_statement is fills
    assert not found.is_last
    assert not found.follows


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["return a"], "its use cannot be told"),
        (["x = pkg.new(a)", "return pkg.new(x)"], "it is used more than once"),
        (["def f():", "    return pkg.new(a)", "return f()"], "it is used in a definition"),
    ],
)
def test_no_single_place(lines: list[str], reason: str) -> None:
    assert hole_in(program(*lines), "value", NEW) == reason


def test_a_parameter_is_found_by_its_keyword() -> None:
    wanted = asked("pkg.f", "most")
    found = hole(program("y = pkg.f(b)", "return pkg.f(a, y, most=3)"), wanted)
    assert (found.arguments, found.value) == (("a", "y"), "3")
    assert hole_in(program("return pkg.f(a, 3)"), "value", wanted) == "its use cannot be told"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("import pkg", "import pkg"),
        ("from pkg import new", ""),
        ("from pkg import new, old", "from pkg import old"),
        ("import os\nfrom pkg.sub import new as n", "import os"),
        ("import pkg.new\nimport os", "import os"),
    ],
)
def test_imports_do_not_tell(head: str, expected: str) -> None:
    code = program("return 1", head=head)
    begin = code.index("return")
    shown = shown_without(code, (begin, begin + len("return 1")), "...", NEW)
    start = f"{expected}\n\n\n" if expected else ""
    assert shown == f"{start}def solution(a, b):\n    ...\n"


def test_another_name_of_the_import_is_followed() -> None:
    code = program("return n(a)", head="from pkg import new as n")
    found = hole(code, NEW)
    assert code[found.begin : found.end] == "n(a)"
