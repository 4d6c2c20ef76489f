from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

import pytest

from libdrift.build import control
from libdrift.build.control import MASK, Window
from libdrift.build.results import Built
from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.execution import Job, Options
from libdrift.records import (
    ChangeKind,
    Deprecation,
    Outcome,
    Release,
    Surface,
    Symbol,
    TaskKind,
    TestStyle,
    VersionNote,
)
from libdrift.sandbox import Judgement, choose
from tests.history.small import function, klass, stored, surface

EXAMPLE = "Divides it by two, as `halve` does. And more.\n\n# Examples\n\n```\n{}\n```\n"


def documented(where: str, *names: str, code: str = "", since: str = "1.0.0") -> Symbol:
    last = where.rpartition(".")[2].rpartition(":")[2]
    text = EXAMPLE.format(code or f"let x = 4;\nassert_eq!(x.{last}(), 2);")
    return replace(function(where, *names, doc=text), notes=(VersionNote("added", since),))


def rust(version: str, *symbols: Symbol, package: str = "rust", day: date | None = None) -> Surface:
    made = surface(version, klass("pkg.number:Int"), *symbols)
    return replace(made, release=Release("rust", package, version, day))


def verdict(job: Job) -> Judgement:
    """As a compiler would have it: the mask is no name; one example is wrong as it is shown."""
    code = job.program.answer
    if MASK in code or "wrong" in code:
        return Judgement(Outcome.ERROR, "does not compile", 0.0)
    return Judgement(Outcome.PASSED, "", 0.0, uses="other" not in code)


@pytest.fixture
def options(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Options:
    def judged(jobs: Sequence[Job], options: Options) -> Iterator[tuple[Job, Judgement]]:
        yield from ((job, verdict(job)) for job in jobs)

    monkeypatch.setattr(control, "run_jobs", judged)
    return Options(settings, choose("none", settings))


def built(options: Options, old: Sequence[Symbol], new: Sequence[Symbol], **chosen: int) -> Built:
    releases = (
        rust("1.71.0", *old, day=date(2023, 7, 13)),
        rust("1.84.0", *new, day=date(2025, 1, 9)),
    )
    with stored(*releases) as store:
        return control.control(store, Window("rust", "1.71.0", "1.84.0"), options, **chosen)


def test_what_stayed_and_what_came(options: Options) -> None:
    kept = documented("pkg.number:Int.halve", "self")
    new = documented("pkg.number:Int.third", "self", since="1.84.0")
    found = built(options, [kept], [kept, new])
    stable, stabilized = found.tasks
    assert dict(found.counts) == {"unchanged": 1, "introduced": 1}
    assert (stable.kind, stable.language, stable.environment.runtime) == (
        TaskKind.GENERATE,
        "rust",
        "1.84.0",
    )
    assert "x.____()" in stable.starter
    assert stable.starter.replace(MASK, "halve") == stable.reference
    assert "halve" not in stable.problem + stable.starter + stable.title + stable.id
    assert (
        "What is called does this: Divides it by two, as `[API_NAME]` does. Keep" in stable.problem
    )
    assert stable.tests[0].style is TestStyle.RUST
    assert 'assert_eq!(seen[0], r#"2"#);' in stable.tests[0].code
    assert (stable.facts.library, stable.facts.category) == ("std", "stable")
    assert (stable.facts.lifecycle, stable.facts.change) == ("unchanged", None)
    assert stable.facts.api_calls == ("pkg::number::Int::halve",)
    assert stable.source["api"]["name"] == "halve"
    assert stable.source["api"]["documentation"] == "Divides it by two, as `halve` does. And more."
    facts = stabilized.facts
    assert (facts.lifecycle, facts.change) == ("introduced", ChangeKind.INTRODUCED)
    assert (facts.category, facts.changed_in) == ("stabilized", "1.84.0")
    assert (facts.release_date, stable.facts.release_date) == (date(2025, 1, 9), None)


def test_a_release_that_is_not_mined_has_its_day(options: Options) -> None:
    (task,) = built(options, [], [documented("pkg.number:Int.third", since="1.77.0")]).tasks
    assert task.facts.release_date == date(2024, 3, 21)


def test_a_pointer_is_two_types(options: Options) -> None:
    new = [klass("pkg.primitive:pointer"), documented("pkg.primitive:pointer.halve", "self")]
    (task,) = built(options, [], new).tasks
    assert task.facts.symbol == "pointer::halve"
    assert task.facts.api_calls == ("const_ptr::halve", "mut_ptr::halve")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (
            documented("pkg.number:Int.halve", "self"),
            documented("pkg.number:Int.halve", "self", "by"),
            "changed in the window",
        ),
        (
            None,
            replace(documented("pkg.number:Int.halve", "self"), deprecations=(Deprecation("x"),)),
            "deprecated or unstable",
        ),
        (None, function("pkg.number:Int.halve", "self"), "no documentation"),
        (None, function("pkg.number:Int.halve", "self", doc="Halves."), "no example"),
        (None, documented("pkg.number:Int.halve", code="assert_eq!(1, 1);"), "no example"),
        (
            None,
            documented("pkg.number:Int.halve", code="assert_eq!(2, f(1).halve());"),
            "its example calls it only where the answer is",
        ),
        (
            None,
            documented("pkg.number:Int.halve", code="let ____ = 1;\nassert!(x.halve());"),
            "its example has the mask already",
        ),
        (
            None,
            documented("pkg.number:Int.halve", code="assert!(wrong(4).halve());"),
            "its example does not run as it is shown",
        ),
        (
            None,
            documented("pkg.number:Int.halve", code="assert!(other(4).halve());"),
            "its example uses another of that name",
        ),
    ],
)
def test_what_becomes_no_task(old: Symbol | None, new: Symbol, why: str, options: Options) -> None:
    found = built(options, [old] if old else [], [new])
    assert (found.tasks, dict(found.left_out)) == ((), {why: 1})


def test_a_limit_is_for_each_kind_and_is_filled(options: Options) -> None:
    kept = [documented(f"pkg.number:Int.{name}", "self") for name in ("a1", "b1", "c1")]
    wrong = [
        documented(f"pkg.number:Int.w{at}", code=f"assert!(wrong().w{at}());") for at in range(3)
    ]
    new = [documented(f"pkg.number:Int.{name}", "self") for name in ("d1", "e1")]
    found = built(options, [*kept, *wrong], [*kept, *wrong, *new], limit=2)
    assert dict(found.counts) == {"unchanged": 2, "introduced": 2}
    assert found.tasks == built(options, [*kept, *wrong], [*kept, *wrong, *new], limit=2).tasks


def test_numbers_are_asked_for_once(options: Options) -> None:
    types = [klass(f"pkg.primitive:{name}") for name in ("u8", "u16", "str")]
    methods = [documented(f"pkg.primitive:{name}.halve", "self") for name in ("u8", "u16", "str")]
    found = built(options, [*types, *methods], [*types, *methods])
    assert {task.facts.symbol for task in found.tasks} > {"str::halve"}
    assert dict(found.left_out) == {"another type's method of that name is asked for": 1}


def test_paths_as_rust_has_them() -> None:
    assert control.written("std.primitive.u8.pow") == "u8::pow"
    assert control.written("std.option.Option.map") == "std::option::Option::map"


@pytest.mark.parametrize(
    ("window", "message"),
    [
        (Window("pkg", "1.71.0", "1.84.0"), "pkg is not a Rust package"),
        (Window("rust", "1.84.0", "1.71.0"), "1.84.0 is not before 1.71.0"),
        (Window("rust", "1.2.0", "1.84.0"), "1.2.0"),
        (Window("crate:nope", "1.2.0", "1.84.0"), "nope"),
    ],
)
def test_refusals(window: Window, message: str, options: Options) -> None:
    with (
        stored(rust("1.71.0"), rust("1.84.0")) as store,
        pytest.raises(UserError, match=message),
    ):
        control.control(store, window, options)


def test_a_crate_is_pinned(options: Options) -> None:
    new = documented("pkg.number:Int.halve", "self")
    releases = [rust(v, new, package="crate:small") for v in ("1.0.0", "2.0.0")]
    with stored(*releases) as store:
        found = control.control(store, Window("crate:small", "1.0.0", "2.0.0"), options)
    (task,) = found.tasks
    assert task.environment.requirements == ("small=2.0.0",)
    assert (task.facts.library, task.id[:18]) == ("small", "crate-small-2.0.0-")
