from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

import pytest

from libdrift.build.control import MASK, Window
from libdrift.build.live import compiled, compiled_proofs, rust_tasks
from libdrift.config import Settings
from libdrift.execution import Job, Options
from libdrift.records import (
    Environment,
    Outcome,
    Release,
    Surface,
    Symbol,
    Task,
    TaskKind,
    VersionNote,
)
from libdrift.sandbox import Judgement, choose
from tests.history.small import function, klass, stored, surface

EXAMPLE = "Divides it by two. And more.\n\n# Examples\n\n```\n{}\n```\n"
DAYS = {
    "1.70.0": date(2023, 6, 1),
    "1.71.0": date(2023, 7, 13),
    "1.72.0": date(2023, 8, 24),
    "1.84.0": date(2025, 1, 9),
}


def documented(where: str, code: str = "", since: str = "") -> Symbol:
    last = where.rpartition(".")[2].rpartition(":")[2]
    text = EXAMPLE.format(code or f"let x = 4;\nassert_eq!(x.{last}(), 2);")
    notes = (VersionNote("added", since),) if since else ()
    return replace(function(where, "self", doc=text), notes=notes)


def release(package: str, version: str, *symbols: Symbol) -> Surface:
    made = surface(version, klass("pkg.number:Int"), *symbols)
    return replace(made, release=Release("rust", package, version, DAYS.get(version)))


def std(*new: Symbol) -> tuple[list[Task], Counter[str]]:
    left_out: Counter[str] = Counter()
    with stored(release("rust", "1.70.0"), release("rust", "1.84.0", *new)) as store:
        window = Window("rust", "1.70.0", "1.84.0")
        return rust_tasks.generated(store, window, DAYS, left_out), left_out


def crate(old: Sequence[Symbol], new: Sequence[Symbol]) -> tuple[list[Task], Counter[str]]:
    left_out: Counter[str] = Counter()
    package = "crate:pkg"
    with stored(release(package, "1.0.0", *old), release(package, "2.0.0", *new)) as store:
        window = Window(package, "1.0.0", "2.0.0")
        return rust_tasks.migrated(store, window, {}, left_out), left_out


def test_what_came_is_asked_for_at_the_release_that_brought_it() -> None:
    (task,), _ = std(documented("pkg.number:Int.halve", since="1.72.0"))
    assert (task.kind, task.environment) == (TaskKind.GENERATE, Environment("rust", "1.72.0", ()))
    assert (task.facts.version, task.facts.from_version) == ("1.72.0", "1.71.0")
    assert task.facts.release_date == date(2023, 8, 24)
    assert f"x.{MASK}()" in task.starter
    assert "halve" not in task.id + task.title + task.problem + task.starter
    assert compiled.origin(task)["old"] == "1.71.0"


@pytest.mark.parametrize(
    ("symbol", "why"),
    [
        (documented("pkg.number:Int.halve"), "since when it is stable is not known"),
        (
            documented("pkg.number:Int.halve", "assert_eq!(Instant::now().halve(), 2);", "1.72.0"),
            "its example may give something else next time",
        ),
        (documented("pkg.number:Int.halve", "x.halve();", "1.72.0"), "its example asserts nothing"),
    ],
)
def test_what_cannot_be_asked_for_is_counted(symbol: Symbol, why: str) -> None:
    tasks, left_out = std(symbol)
    assert (tasks, dict(left_out)) == ([], {f"generate: {why}": 1})


OLD = documented("pkg.number:Int.halve", "let x = old(4);\nassert_eq!(x.halve(), 2);")
NEW = documented("pkg.number:Int.halve", "let x = fresh(4);\nassert_eq!(x.halve(), 2);")


def test_an_example_that_was_rewritten_is_a_migration_both_ways() -> None:
    tasks, _ = crate([OLD, function("pkg.number:old")], [NEW, function("pkg.number:fresh")])
    there, back = sorted(tasks, key=lambda task: task.facts.direction == "new-to-old")
    assert there.environment.requirements == ("pkg=2.0.0",)
    assert back.environment.requirements == ("pkg=1.0.0",)
    assert "old(4)" in there.starter
    assert "fresh(4)" in there.reference
    assert (back.starter, back.reference) == (there.reference, there.starter)
    assert there.wrong is not None
    assert there.wrong.environment == back.environment
    assert {there.facts.symbol, back.facts.symbol} == {"pkg::number::old"}


def test_an_example_that_is_the_same_is_none() -> None:
    spaced = documented(
        "pkg.number:Int.halve", "let x = old(4);  // four\nassert_eq!(x.halve(), 2);"
    )
    assert crate([OLD], [spaced])[0] == []


@pytest.fixture
def options(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Options:
    """A compiler for which `old` is of 1.0.0, `fresh` of 2.0.0, and `halve` of 1.72.0 on."""

    def judged(jobs: Sequence[Job], options: Options) -> Iterator[tuple[Job, Judgement]]:
        for job in jobs:
            yield job, Judgement(Outcome.PASSED if _compiles(job) else Outcome.ERROR, "", 0.0)

    monkeypatch.setattr(compiled, "run_jobs", judged)
    return Options(settings, choose("none", settings))


def _compiles(job: Job) -> bool:
    code, place = job.program.answer, job.environment
    if MASK in code or "Vec::new()\n}" in code:
        return False
    if place.requirements:
        return ("fresh" if place.requirements == ("pkg=2.0.0",) else "old") in code
    return "old" in code or place.runtime >= "1.72.0"


def test_only_what_depends_on_the_release_is_proven(options: Options) -> None:
    came, _ = std(documented("pkg.number:Int.halve", since="1.72.0"))
    # It was there before under that name, whatever the documentation says.
    known, _ = std(documented("pkg.number:Int.third", "let x = old(4);\nassert_eq!(x.third(), 2);", "1.72.0"))  # fmt: skip
    moved, _ = crate([OLD], [NEW])
    both = [
        documented("pkg.number:Int.halve", f"let x = ({one});\nassert_eq!(x.halve(), 2);")
        for one in ("old(4), fresh(4)", "fresh(4), old(4)")
    ]
    same, _ = crate(both[:1], both[1:])
    found = compiled.prove([*came, *known, *moved, *same], compiled_proofs.trials, options)
    assert [task.id for task in found.tasks] == [task.id for task in [*came, *moved]]
    assert dict(found.dropped) == {"passes one release earlier": 1, "what is given passes": 2}
