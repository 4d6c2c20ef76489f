"""What a compiler checks: types count where it does, and overloads are told once."""

from __future__ import annotations

import pytest

from libdrift.history.differences.diff import compare
from libdrift.records import (
    Binding,
    Change,
    ChangeKind,
    Deprecation,
    Name,
    Parameter,
    ParameterKind,
    Release,
    Signature,
    Surface,
    Symbol,
    SymbolKind,
)


def _method(name: str, *types: str, returns: str = "void", gone: str = "") -> Symbol:
    parameters = tuple(
        Parameter(f"p{at}", ParameterKind.POSITIONAL_ONLY, None, kind)
        for at, kind in enumerate(types)
    )
    deprecations = (Deprecation("annotation", gone),) if gone else ()
    signature = Signature(parameters, returns)
    return Symbol(f"j.a:C.{name}", SymbolKind.METHOD, signature, deprecations=deprecations)


def _set(name: str, gone: str = "") -> Symbol:
    deprecations = (Deprecation("annotation", gone),) if gone else ()
    return Symbol(
        f"j.a:C.{name}", SymbolKind.METHOD, traits=("overloaded",), deprecations=deprecations
    )


def _surface(package: str, version: str, *members: Symbol) -> Surface:
    module, owner = Symbol("j.a", SymbolKind.MODULE), Symbol("j.a:C", SymbolKind.CLASS)
    names = {one.id.partition("C.")[2]: Name(one.id, Binding.DEFINED) for one in members}
    symbols = {one.id: one for one in (module, owner, *members)}
    scopes = {"j.a": {"C": Name("j.a:C", Binding.DEFINED)}, "j.a:C": names}
    return Surface(Release("x", package, version), ("j.a",), symbols, scopes)


def _changes(package: str, old: list[Symbol], new: list[Symbol]) -> list[Change]:
    return compare(_surface(package, "1", *old), _surface(package, "2", *new))


@pytest.mark.parametrize(("package", "count"), [("jdk", 1), ("maven:g:a", 1), ("pkg", 0)])
def test_a_changed_type_counts_where_it_is_checked(package: str, count: int) -> None:
    found = _changes(package, [_method("f", "int")], [_method("f", "long")])
    assert [(one.kind, one.aspect, one.breaking) for one in found] == (
        [(ChangeKind.SIGNATURE, "type", True)] * count
    )


def test_an_overload_that_goes_is_told_and_the_one_that_stays_is_not() -> None:
    old = [_set("stop"), _method("stop()"), _method("stop(Throwable)", "Throwable")]
    found = _changes("jdk", old, [_method("stop")])
    removed = [one.path for one in found if one.kind is ChangeKind.REMOVED]
    assert removed == ["j.a.C.stop(Throwable)"]


def test_overloads_that_come_together_are_told_by_their_name() -> None:
    new = [_set("go"), _method("go()"), _method("go(int)", "int")]
    found = _changes("jdk", [], new)
    assert [one.path for one in found] == ["j.a.C.go"]


def test_what_was_deprecated_and_is_now_to_go_is_news() -> None:
    old = [_method("f", gone="deprecated since 1")]
    found = _changes("jdk", old, [_method("f", gone="deprecated since 1, for removal")])
    assert [one.kind for one in found] == [ChangeKind.DEPRECATED]


@pytest.mark.parametrize(
    ("old", "new", "breaking"),
    [
        (_method("f", "Class[]"), _method("f", "Class<?>[]"), False),
        (_method("f", "int", returns="Buffer"), _method("f", "int", returns="FloatBuffer"), False),
        (_method("f", "List<String>"), _method("f", "Set<String>"), True),
    ],
)
def test_type_arguments_and_more_exact_results_break_nothing(
    old: Symbol, new: Symbol, *, breaking: bool
) -> None:
    assert [one.breaking for one in _changes("jdk", [old], [new])] == [breaking]
