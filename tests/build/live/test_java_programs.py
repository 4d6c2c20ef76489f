from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from libdrift.build.live.java_programs import TypeNames, name_of, program_of, use_of
from libdrift.records import Symbol, SymbolKind
from tests.build.live.java_surfaces import klass, method, surface

SURFACE = surface(
    "25",
    date(2025, 9, 16),
    klass("java.lang:Thread"),
    klass("java.lang:Integer"),
    klass("java.util:List"),
    klass("java.awt:List"),
    klass("java.util:Map.Entry"),
    klass("java.security.interfaces:ECPublicKey"),
    klass("a.b:Twice"),
    klass("a.c:Twice"),
)
NAMES = TypeNames(SURFACE)


@pytest.mark.parametrize(
    ("name", "near", "full"),
    [
        ("List", "java.util.Map", "java.util.List"),
        ("List", "java.awt.Frame", "java.awt.List"),
        ("List", "java.net.URL", "java.util.List"),
        ("Entry", "java.util.Map", "java.util.Map.Entry"),
        ("Thread", "java.util.Map", "java.lang.Thread"),
        ("Twice", "java.util.Map", ""),
        ("T", "java.util.Map", ""),
    ],
)
def test_a_simple_name_means_what_is_near(name: str, near: str, full: str) -> None:
    assert NAMES.meant(name, near) == full


@pytest.mark.parametrize(
    ("symbol", "path", "expression", "returns"),
    [
        (method("x:y", returns="long"), "java.lang.Thread.getId", "thread.getId()", "long"),
        (
            method("x:y", "int", "int[]", returns="void", static=True),
            "java.lang.Thread.f(int,int[])",
            "Thread.f(i, is)",
            "void",
        ),
        (method("x:y", "int"), "java.lang.Integer.Integer(int)", "new Integer(i)", "Integer"),
        (
            Symbol("x:y", SymbolKind.ATTRIBUTE, traits=("static",), annotation="int"),
            "java.lang.Integer.MAX_VALUE",
            "Integer.MAX_VALUE",
            "int",
        ),
        (klass("x:y"), "java.lang.Thread", "String.valueOf(thread)", "String"),
        (
            method("x:y", returns="ECPublicKey"),
            "java.security.interfaces.ECPublicKey.me",
            "ecPublicKey.me()",
            "ECPublicKey",
        ),
    ],
)
def test_an_api_is_used_in_a_method(
    symbol: Symbol, path: str, expression: str, returns: str
) -> None:
    use = use_of(path, symbol, NAMES)
    assert use is not None
    assert (use.expression, use.returns) == (expression, returns)


@pytest.mark.parametrize(
    "symbol",
    [
        method("x:y", "T"),
        method("x:y", returns="Map<K, V>"),
        method("x:y", "Twice"),
        replace(method("x:y"), signature=None),
    ],
)
def test_types_that_cannot_be_written_are_no_use(symbol: Symbol) -> None:
    assert use_of("java.lang.Thread.f", symbol, NAMES) is None


def test_a_program_knows_whose_lines_are_whose() -> None:
    uses = [
        use_of("java.util.Map.Entry", klass("x:y"), NAMES),
        use_of("java.lang.Thread.getId", method("x:y", returns="long"), NAMES),
    ]
    program = program_of([use for use in uses if use])
    assert program is not None
    lines = program.code.splitlines()
    assert lines[0] == "import java.util.Map.Entry;"
    assert program.lines["java.util.Map.Entry"] == {1, 4, 5}
    assert [lines[at - 1].strip() for at in sorted(program.lines["java.lang.Thread.getId"])] == [
        "static long useGetId(Thread thread) throws Exception {",
        "return thread.getId();",
    ]


def test_two_types_of_one_name_do_not_go_together() -> None:
    one, other = (
        use_of(f"{path}.f", method("x:y"), NAMES) for path in ("java.util.List", "java.awt.List")
    )
    assert one is not None
    assert other is not None
    assert program_of([one, other]) is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("java.lang.Thread.getId", "java.lang.Thread.getId"),
        ("java.lang.Runtime.exec(String)", "java.lang.Runtime.exec"),
        ("java.lang.Integer.Integer(int)", "java.lang.Integer"),
        ("java.lang.Thread", "java.lang.Thread"),
    ],
)
def test_an_api_is_named_as_people_name_it(path: str, name: str) -> None:
    assert name_of(path) == name
