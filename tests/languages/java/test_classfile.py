from __future__ import annotations

import random

import pytest

from libdrift.languages.java.classfile import (
    ClassFile,
    ClassFileError,
    Deprecated,
    ModuleInfo,
    parse,
    uses,
)
from tests.languages.java.building import (
    PROTECTED,
    PUBLIC,
    STATIC,
    SYNTHETIC,
    Member,
    built,
    module,
)


def read(data: bytes) -> ClassFile:
    found = parse(data)
    assert isinstance(found, ClassFile)
    return found


def test_members_types_and_deprecations() -> None:
    found = read(
        built(
            "java/lang/Thread",
            Member("stop", "()V", since="1.2", removal=True),
            Member("name", "Ljava/lang/String;", access=PROTECTED),
            Member("MAX", "I", access=PUBLIC | STATIC, constant=10),
            Member("ON", "Z", access=PUBLIC | STATIC, constant=1),
            Member("WORD", "Ljava/lang/String;", access=PUBLIC | STATIC, constant='a"b'),
            Member("hidden", "()V", access=0),
            Member("made", "()V", access=PUBLIC | SYNTHETIC),
            Member("tried", "()V", preview=True),
            supers=("java/lang/Object", "java/lang/Runnable"),
        )
    )
    assert found.name == "java/lang/Thread"
    assert found.supers == ("java/lang/Object", "java/lang/Runnable")
    assert [method.name for method in found.methods] == ["stop", "tried"]
    assert found.methods[0].facts.deprecated == Deprecated("1.2", for_removal=True)
    assert found.methods[1].facts.preview
    assert [(field.name, field.facts.constant) for field in found.fields] == [
        ("name", ""),
        ("MAX", "10"),
        ("ON", "true"),
        ("WORD", '"a\\"b"'),
    ]


def test_a_nested_class_is_named_by_the_one_around_it_and_has_its_own_flags() -> None:
    nests = [("a/B$C", "a/B", "C", PUBLIC | STATIC), ("a/B$C$D", "a/B$C", "D", PROTECTED)]
    found = read(built("a/B$C$D", access=PUBLIC, nests=nests, supers=("a/B$C",)))
    assert (found.name, found.outer, found.access) == ("a/B.C.D", "a/B.C", PROTECTED)
    assert found.supers == ("a/B.C",)
    assert read(built("a/Odd$Name")).name == "a/Odd$Name"


def test_classes_that_say_to_be_within_each_other() -> None:
    nests = [("a/B", "a/C", "B", PUBLIC), ("a/C", "a/B", "C", PUBLIC)]
    assert read(built("a/B", nests=nests)).name.endswith(".B")


def test_modules() -> None:
    found = parse(module("java.corba", ["org.omg.CORBA"], since="9", removal=True))
    assert found == ModuleInfo(
        "java.corba", ("org.omg.CORBA",), Deprecated("9", for_removal=True), incubating=False
    )


def test_what_code_refers_to() -> None:
    data = built(
        "a/B",
        Member("f", "(Lx/Y;[Lx/Z;)V", signature="(Lx/Y<Lx/Inner;>;[Lx/Z;)V"),
        calls=[("java/lang/Thread", "stop", "()V")],
    )
    found = uses(data)
    assert ("java/lang/Thread", "stop", "()V") in found.members
    assert {"java/lang/Thread", "x/Y", "x/Z", "x/Inner", "a/B"} <= found.classes


@pytest.mark.parametrize("data", [b"", b"\xca\xfe\xba\xbe", b"PK\x03\x04 nothing of the kind"])
def test_bytes_that_are_no_class(data: bytes) -> None:
    with pytest.raises(ClassFileError):
        parse(data)


def test_damaged_bytes_are_refused_and_nothing_worse() -> None:
    whole = built("a/B", Member("f", "()V", since="1"), nests=[("a/B", "a/C", "B", PUBLIC)])
    draw = random.Random(7)
    refused = 0
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        try:
            parse(bytes(data[: draw.randint(0, len(data))]))
            uses(bytes(data))
        except ClassFileError:
            refused += 1
    assert refused > 100
