"""Surfaces from classes: what is for users, what is inherited, and how overloads are named."""

from __future__ import annotations

import pytest

from libdrift.history.differences.diff import compare
from libdrift.languages.java.assembly import assemble
from libdrift.languages.java.classfile import ClassFile, ClassFileError, parse
from libdrift.languages.java.pieces import Piece, piece
from libdrift.records import Origin, Release, Surface, SymbolKind
from tests.languages import conformance
from tests.languages.java.building import (
    INTERFACE,
    PROTECTED,
    PUBLIC,
    STATIC,
    VARARGS,
    Member,
    built,
)


def piece_of(data: bytes) -> Piece:
    found = parse(data)
    assert isinstance(found, ClassFile)
    return piece(found)


def surface(*classes: bytes, version: str = "1", exported: set[str] | None = None) -> Surface:
    release = Release("jdk", "jdk", version)
    return assemble(release, [piece_of(data) for data in classes], exported, Origin())


STOP = Member("stop", "()V", since="1.2")
STOP_WITH = Member("stop", "(Ljava/lang/Throwable;)V", since="1.2", removal=True)


def test_one_method_is_its_name_and_several_have_names_of_their_own() -> None:
    found = surface(built("java/lang/Thread", STOP, STOP_WITH, Member("run", "()V")))
    both = found.resolve("java.lang.Thread.stop")
    assert both is not None
    assert (both.signature, both.traits, both.doc) == (
        None,
        ("overloaded",),
        "stop()\nstop(Throwable)",
    )
    assert both.deprecation is not None
    assert (both.deprecation.since, both.deprecation.conditional) == ("1.2", False)
    one = found.resolve("java.lang.Thread.stop(Throwable)")
    assert one is not None
    assert (str(one.signature), one.traits) == ("(p0: Throwable, /) -> void", ("for-removal",))
    assert found.resolve("java.lang.Thread.run()") is None
    run = found.resolve("java.lang.Thread.run")
    assert run is not None
    assert run.id == "java.lang:Thread.run"


def test_a_name_of_which_some_overloads_are_deprecated_says_which() -> None:
    found = surface(built("a/B", STOP, Member("stop", "(I)V"))).resolve("a.B.stop")
    assert found is not None
    assert found.deprecation is not None
    assert found.deprecation.conditional
    assert found.deprecation.message == "stop(): deprecated since 1.2"


def test_constructors_constants_and_variable_arguments() -> None:
    found = surface(
        built(
            "a/B",
            Member("<init>", "(I)V"),
            Member("<init>", "()V", access=PROTECTED),
            Member("LIMIT", "I", access=PUBLIC | STATIC, constant=5),
            Member("all", "([Ljava/lang/String;)V", access=PUBLIC | VARARGS),
        )
    )
    assert set(found.scopes["a:B"]) == {"B", "B(int)", "B()", "LIMIT", "all"}
    limit, every = found.resolve("a.B.LIMIT"), found.resolve("a.B.all")
    assert limit is not None
    assert (limit.kind, limit.value, limit.annotation) == (SymbolKind.ATTRIBUTE, "5", "int")
    assert every is not None
    assert str(every.signature) == "(*p0: String) -> void"


def test_overloads_that_differ_by_package_alone_are_told_apart() -> None:
    found = surface(built("a/B", Member("f", "(Lx/Date;)V"), Member("f", "(Ly/Date;)V")))
    assert set(found.scopes["a:B"]) == {"f", "f(Lx/Date;)", "f(Ly/Date;)"}


def test_an_inner_class_is_made_without_the_instance_around_it() -> None:
    nests = [("a/B$C", "a/B", "C", PUBLIC)]
    inner = built("a/B$C", Member("<init>", "(La/B;I)V"), nests=nests)
    found = surface(built("a/B"), inner).resolve("a.B.C.C")
    assert found is not None
    assert str(found.signature) == "(p0: int, /)"


HIDDEN = built("a/Base", Member("size", "()I"), Member("<init>", "()V"), access=0)


def test_members_of_a_hidden_base_are_those_of_the_class_below_it() -> None:
    found = surface(HIDDEN, built("a/List", supers=("a/Base",)))
    assert found.resolve("a.Base") is None
    assert found.resolve("a.List.size") is not None
    assert found.resolve("a.List.Base") is None


def test_only_public_classes_of_exported_packages_can_be_named() -> None:
    nests = [("a/In$Nested", "a/In", "Nested", PUBLIC)]
    found = surface(
        built("a/Out"),
        built("a/In", access=0),
        built("a/In$Nested", nests=nests),
        built("b/Internal"),
        built("a/Tried", preview=True),
        exported={"a"},
    )
    assert found.roots == ("a",)
    assert set(found.scopes["a"]) == {"Out"}


def test_bases_within_and_outside() -> None:
    found = surface(
        built("a/I", access=PUBLIC | INTERFACE, supers=("java/lang/Object", "java/lang/Runnable")),
        built("a/B", supers=("java/lang/Object", "a/I")),
    )
    assert found.symbols["a:I"].bases == ("java.lang.Runnable",)
    assert found.symbols["a:B"].bases == ("a:I",)


def test_a_member_with_a_type_that_is_none() -> None:
    with pytest.raises(ClassFileError, match="type that is none"):
        piece_of(built("a/B", Member("f", "(Lx/Y")))


def lines(old: Surface, new: Surface) -> list[tuple[str, str]]:
    return [(change.kind.value, change.path) for change in compare(old, new)]


def test_changes_within_nested_classes_are_seen_once() -> None:
    nests = [("a/B$C", "a/B", "C", PUBLIC | STATIC)]
    before = surface(built("a/B"), built("a/B$C", Member("f", "()V"), nests=nests))
    after = surface(built("a/B"), built("a/B$C", Member("g", "()I"), nests=nests), version="2")
    assert lines(before, after) == [("removed", "a.B.C.f"), ("introduced", "a.B.C.g")]
    assert lines(before, surface(built("a/B"), version="2")) == [("removed", "a.B.C")]
    assert lines(before, surface(built("x/Y"), version="2"))[0] == ("removed", "a")


def test_an_overload_that_goes_and_one_that_comes() -> None:
    three = [Member("f", "()V"), Member("f", "(I)V"), Member("f", "(J)V")]
    before, after = surface(built("a/B", *three)), surface(built("a/B", *three[:2]), version="2")
    assert lines(before, after) == [("removed", "a.B.f(long)")]
    assert lines(after, before) == [("introduced", "a.B.f(long)")]


def test_it_conforms() -> None:
    found = surface(
        built("java/lang/Object"),
        built("java/lang/Thread", STOP, STOP_WITH, Member("run", "()V")),
    )
    assert not list(conformance.faults(found))
