from __future__ import annotations

import pytest

from libdrift.languages.java import usage
from tests.languages.java.building import built
from tests.languages.java.test_assembly import surface

CODE = """
package p;
import java.util.*;
import java.util.jar.Pack200;
import static java.lang.Math.abs;
import com.sun.javadoc.AnnotatedType;

class Helper {}

public class Worker extends Thread {
    private AnnotatedType kind;
    Map.Entry<String, Integer> entry;

    void work(Thread thread, Helper own) throws Exception {
        thread.stop();
        this.kind.typeName();
        entry.getKey();
        destroy();
        abs(1);
        super.suspend();
        own.help();
        var day = new Date(1, 2, 3);
        day.getYear();
        Pack200.Packer packer = Pack200.newPacker();
        new Observable().notifyObservers();
        java.util.Vector<String> all = null;
        Runnable later = Thread::yield;
        ((StringBuffer) null).reverse();
    }
}
"""


def test_names_in_code() -> None:
    found = usage.read(CODE)
    assert (found.parses, found.main) == (True, "Worker")
    assert found.uses >= {
        "com.sun.javadoc.AnnotatedType",
        "com.sun.javadoc.AnnotatedType.typeName",
        "java.lang.Math.abs",
        "java.lang.StringBuffer.reverse",
        "java.lang.Thread.destroy",
        "java.lang.Thread.stop",
        "java.lang.Thread.suspend",
        "java.lang.Thread.yield",
        "java.util.Date.getYear",
        "java.util.Map.Entry.getKey",
        "java.util.Observable.notifyObservers",
        "java.util.Vector",
        "java.util.jar.Pack200.Packer",
        "java.util.jar.Pack200.newPacker",
    }
    assert (found.methods, found.overrides) == (frozenset({"work"}), frozenset())
    assert not {name for name in found.uses if "Helper" in name or "help" in name}


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("Thread.stop", "java.lang.Thread.stop"),
        ("thread.stop()", "java.lang.Thread.stop"),
        ("Thread#stop", "java.lang.Thread.stop"),
        ("stop", "java.lang.Thread.stop"),
        ("`AnnotatedType`", "com.sun.javadoc.AnnotatedType"),
        ("new Date(int, int, int)", "java.util.Date"),
        ("Pack200$Packer", "java.util.jar.Pack200.Packer"),
        ("Map.Entry<K, V>.getKey", "java.util.Map.Entry.getKey"),
        ("java.util.Observable", "java.util.Observable"),
        ("Worker.work", "Worker.work"),
        ("nothing", "nothing"),
        ("", ""),
        ("(((", ""),
    ],
)
def test_names_as_answers_write_them(name: str, full: str) -> None:
    assert usage.resolve(name, CODE) == full


def test_a_surface_tells_which_package_a_name_is_from() -> None:
    code = "import a.*; import b.*; class C { Thing thing; }"
    known = surface(built("b/Thing"))
    assert usage.resolve("Thing", code) == "Thing"
    assert usage.resolve("Thing", code, known) == "b.Thing"


@pytest.mark.parametrize("code", ["", "class {", "import ;", "\x00\udcff", "class A { void f( }"])
def test_code_that_does_not_parse(code: str) -> None:
    assert usage.resolve("Thread.stop", code) == "java.lang.Thread.stop"
    assert usage.read("class {").parses is False
