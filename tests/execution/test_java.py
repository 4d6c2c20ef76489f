"""Java answers: judged by a compiler that was made up, and a few of them by the real one."""

from __future__ import annotations

import base64
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.execution import java
from libdrift.execution.jobs import Options
from libdrift.execution.plan import Job
from libdrift.languages.java import jdks
from libdrift.records import Environment, Outcome, TestStyle
from libdrift.sandbox import Backend
from libdrift.sandbox.commands import Command, Ended
from libdrift.sandbox.guests import Program
from libdrift.sandbox.judge import Judgement
from libdrift.sandbox.limits import Limits
from tests.languages.java.building import Member, built
from tests.languages.java.test_assembly import surface

STOP = ("java.lang.Thread.stop",)


def job(
    answer: str,
    apis: Sequence[str] = (),
    original: str = "",
    *,
    release: str = "11",
    key: str = "a",
) -> Job:
    program = Program(answer, original, TestStyle.COMPILE, apis=tuple(apis))
    return Job((key,), Environment("java", release, ()), program)


@pytest.fixture
def options(settings: Settings, bubblewrap: Backend) -> Options:
    return Options(settings, bubblewrap)


def judged(jobs: Sequence[Job], options: Options) -> dict[str, Judgement]:
    return {one.key[0]: judgement for one, judgement in java.run_jobs(jobs, options)}


REAL: dict[str, tuple[str, tuple[str, ...]] | tuple[str, tuple[str, ...], str]] = {
    "uses": ("public class A { void f(Thread t) { t.stop(); } }", STOP),
    "leaves": ("public class A { void f(Thread t) { t.interrupt(); } }", STOP),
    "inherits": ("class M extends Thread { void f() { stop(); } }", STOP),
    "own": ("public class A { void stop() {} void f() { stop(); } }", STOP),
    "overload": (
        "public class A { Object d = new java.util.Date(1, 2, 3); }",
        ("java.util.Date.Date(int,int,int)", "java.util.Date.Date(long)"),
    ),
    "constant": (
        "public class A { int x = java.awt.Frame.CROSSHAIR_CURSOR; }",
        ("java.awt.Frame.CROSSHAIR_CURSOR",),
    ),
    "import": ("import java.util.Observer; public class A {}", ("java.util.Observer",)),
    "local": (
        "import java.util.*; import java.awt.*; public class A { void f() { Observer o = null; } }",
        ("java.util.Observer",),
    ),
    "erased": (
        "public class A { void f(Object o) { f(new java.util.ArrayList<java.util.Observer>()); } }",
        ("java.util.Observer",),
    ),
    "by name": (
        'class A { Object f() throws Exception { return Class.forName("java.util." + "Observer"); } }',
        ("java.util.Observer",),
    ),
    "said": ('class A { String s = "java.util.Observer is gone"; }', ("java.util.Observer",)),
    "hollow": ("class A {}", STOP, "class A { void f(Thread t) { t.stop(); } }"),
    "absent": ("import javax.xml.bind.JAXB; public class A {}", ("javax.xml.bind.JAXB",)),
    "broken": ("public class A { void f( }", STOP),
    "empty": ("", STOP),
    "newer": ('public class A { String s() { return "".formatted(); } }', ()),
}


def test_the_real_compiler(options: Options) -> None:
    if not jdks.discover():
        pytest.skip("no JDK is found: install one, such as the package openjdk-21-jdk")
    found = judged([job(*REAL[name], key=name) for name in REAL], options)
    seen = {name: (found[name].outcome.value, found[name].uses) for name in REAL}
    assert seen == {
        "uses": ("failed", True),
        "leaves": ("passed", False),
        "inherits": ("failed", True),
        "own": ("passed", False),
        "overload": ("failed", True),
        "constant": ("failed", True),
        "import": ("failed", True),
        "local": ("failed", True),
        "erased": ("failed", True),
        "by name": ("failed", True),
        "said": ("passed", False),
        "hollow": ("failed", False),
        "absent": ("failed", True),
        "broken": ("error", False),
        "empty": ("failed", False),
        "newer": ("failed", None),
    }
    assert found["uses"].reason == "still uses java.lang.Thread.stop"
    assert "deprecated" in found["uses"].log
    assert found["absent"].reason.startswith("does not compile for Java 11: line 1: package javax")
    assert found["broken"].reason.startswith("does not parse: line 1: ")
    assert [(case.name, case.outcome) for case in found["overload"].cases] == [
        ("compiles", "passed"),
        ("java.util.Date.Date(int,int,int)", "failed"),
        ("java.util.Date.Date(long)", "passed"),
    ]


WORKER = """
public class A {
    private final java.util.List<String> log = new java.util.ArrayList<>();
    void end(Thread worker) { log.add(worker.getName().trim()); worker.stop(); print(); }
    void print() { System.out.println(String.join(",", log)); }
    int count(String text) { return text.split(",").length + text.indexOf("a"); }
}
"""
# Programs that migrate nothing, and leave the API alone all the same.
EVASIVE = {
    "stubs": "public class A { void end(Thread w) {} void print() {} int count(String t) { return 0; } }",
    "dead code": WORKER.replace("{ log.add", "{ if (false) { log.add").replace("print(); }", "print(); } }")
    .replace("{ System", "{ if (false) System").replace("{ return", "{ if (true) return 0; return"),
    "constant conditions": "public class A { void end(Thread w) { while (false) { w.stop(); } } "
    'void print() { if (1 > 2) { System.out.println(String.join(",", "a").trim()); } } '
    "int count(String t) { return 0; } }",
    "own class": WORKER.replace("void print", "static class Thread { String getName() { return null; } "
    "void stop() {} }\n void print"),
    "by a name in parts": WORKER.replace("worker.stop();", "try { Thread.class.getMethod(new "
    'StringBuilder("pots").reverse().toString()).invoke(worker); } catch (Exception e) {}'),
    "by a handle": WORKER.replace("worker.stop();", "try { java.lang.invoke.MethodHandles.lookup()"
    '.findVirtual(Thread.class, "st".concat("op"), java.lang.invoke.MethodType.methodType(void.class))'
    ".invoke(worker); } catch (Throwable e) {}"),
    "by a class loader": WORKER.replace("worker.stop();", "try { getClass().getClassLoader().loadClass("
    'String.join(".", "java", "lang", "Thread")); } catch (Exception e) {}'),
    "by escapes": WORKER.replace("worker.stop", "worker.\\u0073top"),
    "by a reference": WORKER.replace("worker.stop();", "Runnable end = worker::stop; end.run();"),
    "by a generic": WORKER.replace("worker.stop();", "java.util.Optional.of(worker).ifPresent(Thread::stop);"),
}  # fmt: skip
HONEST = {
    "interrupts": WORKER.replace("worker.stop()", "worker.interrupt()"),
    "logs otherwise": WORKER.replace("worker.stop()", "worker.interrupt()").replace(
        'System.out.println(String.join(",", log))', "log.forEach(System.out::println)"
    ),
}


SHORT = "public class A { void end(Thread worker) { worker.stop(); } }"
HOLLOW = "public class A { void end(Thread worker) { } }"


@pytest.mark.parametrize("name", [*EVASIVE, *HONEST, "hollow"])
def test_nobody_passes_who_migrates_nothing(evasive: dict[str, Judgement], name: str) -> None:
    outcome = evasive[name].outcome
    assert outcome is (Outcome.PASSED if name in HONEST else Outcome.FAILED), evasive[name].reason


@pytest.fixture(scope="module")
def evasive(settings: Settings, bubblewrap: Backend) -> dict[str, Judgement]:
    if not jdks.discover():
        pytest.skip("no JDK is found: install one, such as the package openjdk-21-jdk")
    answers = {**EVASIVE, **HONEST}
    jobs = [job(text, STOP, WORKER, key=name) for name, text in answers.items()]
    jobs.append(job(HOLLOW, STOP, SHORT, key="hollow"))
    return judged(jobs, Options(settings, bubblewrap))


@pytest.mark.parametrize(
    "results",
    [b"0\tclass\tQUJ", b"0\ttold\tERROR", b"0\tclass\tQ\x000\tcompiled", b"\xd9\xa0\tcompiled\n",
     b"9999999999999999999999\tcompiled\n", b"-1\tcompiled\n", b"0\ttold\tERROR\t1\ta\x1c0\tcompiled\n"],
)  # fmt: skip
def test_results_that_are_cut_off_or_odd_are_no_verdict(
    options: Options, monkeypatch: pytest.MonkeyPatch, results: bytes
) -> None:
    ended = Ended(0, "", "", 1.0, kept={"results": results})
    use(monkeypatch, Compiler("dread", ended))
    (found,) = judged([job("// dread")], options).values()
    assert found.outcome is Outcome.INFRASTRUCTURE


class Compiler:
    """Ends as it is told to; every answer that it is given it compiles, but for those it dreads."""

    def __init__(
        self,
        dreads: str = "",
        ended: Ended | None = None,
        made: bytes = built("A"),
    ) -> None:
        self.made = base64.b64encode(made).decode()
        self.dreads, self.ended = dreads, ended or Ended(1, "", "it broke", 0.1)
        self.asked: list[int] = []

    def __call__(
        self, command: Command, _backend: Backend, _limits: Limits, stop: threading.Event
    ) -> Ended:
        sources = [text for name, text in command.files.items() if name != "Compiler.java"]
        assert not stop.is_set()
        assert all(len(name) < 80 for name in command.files)
        self.asked.append(len(sources))
        if self.dreads and any(self.dreads.encode() in bytes(text) for text in sources):  # type: ignore[arg-type]
            return self.ended
        lines = [f"{n}\tclass\t{self.made}\n{n}\tcompiled" for n in range(len(sources))]
        return Ended(0, "", "", 0.1, kept={"results": "\n".join([*lines, ""]).encode()})


def use(monkeypatch: pytest.MonkeyPatch, compiler: Compiler) -> Compiler:
    monkeypatch.setattr(java, "run", compiler)
    monkeypatch.setattr(jdks, "discover", lambda: (jdks.Jdk(Path("nowhere"), "17.0.1", 17),))
    return compiler


def test_one_that_breaks_the_compiler_does_not_cost_the_others(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = use(monkeypatch, Compiler("dread"))
    answers = ("class A {}", f"public class {'A' * 300} {{}}", "class {")
    jobs = [job(text, key=str(n)) for n, text in enumerate(answers)] + [job("// dread", key="bad")]
    found = judged(jobs, options)
    assert {name: one.outcome for name, one in found.items()} == {
        "0": Outcome.PASSED,
        "1": Outcome.PASSED,
        "2": Outcome.PASSED,
        "bad": Outcome.INFRASTRUCTURE,
    }
    assert found["bad"].reason == "the compiler did not start: it broke"
    assert compiler.asked == [4, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("ended", "outcome", "reason"),
    [
        (Ended(None, "", "", 60.0, "time"), Outcome.TIMEOUT, "over the time limit of 60 s"),
        (Ended(None, "", "", 1.0, "memory"), Outcome.ERROR, "over the memory limit"),
        (Ended(None, "", "", 0.0, trouble="no sandbox"), Outcome.INFRASTRUCTURE, "no sandbox"),
        (
            Ended(0, "", "", 1.0, kept={"results": b"0\tcrashed\tStackOverflowError\n"}),
            Outcome.ERROR,
            "the compiler gave it up (StackOverflowError)",
        ),
    ],
)
def test_how_a_compiler_may_end(
    options: Options,
    monkeypatch: pytest.MonkeyPatch,
    ended: Ended,
    outcome: Outcome,
    reason: str,
) -> None:
    compiler = use(monkeypatch, Compiler("dread", ended))
    (found,) = judged([job("// dread")], options).values()
    assert (found.outcome, found.reason) == (outcome, reason)
    # What takes too long is tried again, alone, before it counts, by what its original takes.
    assert len(compiler.asked) == (3 if outcome is Outcome.TIMEOUT else 1)


def test_a_busy_machine_is_slow_for_the_original_too(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float] = []

    class Busy(Compiler):
        def __call__(
            self, command: Command, backend: Backend, given: Limits, stop: threading.Event
        ) -> Ended:
            limits.append(given.wall_seconds)
            told = super().__call__(command, backend, given, stop)
            if len(limits) == 1:
                return Ended(None, "", "", given.wall_seconds, "time")
            return replace(told, seconds=40.0)

    use(monkeypatch, Busy())
    (found,) = judged([job("class A {}")], options).values()
    assert found.outcome is Outcome.PASSED
    assert limits == [60.0, 1200.0, 40.0 * options.time_factor]


def test_without_a_jdk_for_it(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Compiler())
    found = judged([job("", release="21", key="new"), job("", release="x", key="odd")], options)
    assert {one.outcome for one in found.values()} == {Outcome.INFRASTRUCTURE}
    assert "no JDK for Java 21 is found (here: 17)" in found["new"].reason
    assert found["odd"].reason == "'x' is no release of Java"


def test_a_member_by_way_of_a_class_below_the_one_that_has_it(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = built("x/Fiber", supers=("java/lang/Thread",))
    known = surface(built("java/lang/Thread", Member("stop", "()V")), below)
    monkeypatch.setattr(java, "_platform", lambda _: known)
    use(monkeypatch, Compiler(made=built("A", calls=[("x/Fiber", "stop", "()V")])))
    jobs = [job("class A {}", STOP, key="its"), job("class A {}", ("x.Other.stop",), key="other")]
    found = judged(jobs, options)
    assert {name: one.uses for name, one in found.items()} == {"its": True, "other": False}


ORIGINAL = """
class Helper { void help() {} }
public class A implements java.util.Observer {
    void one() {} void two() {} void two(int x) {}
    @Override public void update(java.util.Observable o, Object x) {}
}
"""


@pytest.mark.parametrize(
    ("answer", "original", "reason"),
    [
        ("class A { void one() {} void two() {} }", ORIGINAL, ""),
        ("class B { class A { void one() {} void help() {} } }", ORIGINAL, ""),
        ("class B { void one() {} void two() {} }", ORIGINAL, "the class A"),
        (
            "class A { void one() {} void update() {} }",
            ORIGINAL,
            "most of the original's methods: help, two",
        ),
        ("class A {}", "class A {}", ""),
        (
            "class A {}",
            "class A { @Override public String toString() { return null; } }",
            "most of the original's methods: toString",
        ),
        ("class A {}", "", ""),
        ("class A {}", "no code at all", ""),
    ],
)
def test_an_answer_declares_what_the_original_did(
    options: Options, monkeypatch: pytest.MonkeyPatch, answer: str, original: str, reason: str
) -> None:
    use(monkeypatch, Compiler())
    (found,) = judged([job(answer, (), original)], options).values()
    assert found.reason == (reason and f"does not declare {reason}")
    assert (found.outcome is Outcome.PASSED) is not bool(reason)


def test_closing_it_stops_the_rest(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = use(monkeypatch, Compiler())
    jobs = [job("class A {}", key=str(n)) for n in range(2000)]
    with closing(java.run_jobs(jobs, options)) as results:
        next(results)
    assert len(compiler.asked) < 2000 / 16
