from __future__ import annotations

from datetime import date

from libdrift.build.live.twins import twinned, twins_alone
from libdrift.records import Environment, Facts, Task, TaskKind
from libdrift.scoring.groups import facts_of

CUTOFF = date(2024, 6, 1)
OLD, NEW = date(2023, 1, 1), date(2025, 1, 1)


def task(name: str, day: date | None, length: int = 100, **about: str) -> Task:
    kind = TaskKind(about.get("kind", "generate"))
    library = about.get("library", "pkg")
    place = Environment("python", "3.11", (f"{library}==1.0",))
    facts = Facts(library, "1.0", release_date=day, tags=("kept",))
    told = {"live": {"family": about["family"]}} if "family" in about else {}
    return Task(
        name, "live", kind, "python", place, "", "", "", "x" * length, (), facts, source=told
    )


def twins(*tasks: Task) -> dict[str, str]:
    found = twinned(tasks, CUTOFF)
    told = {one.id: facts_of(one).get("twin") for one in found.tasks}
    return {name: twin for name, twin in told.items() if twin}


def test_the_nearest_in_length_and_nobody_twice() -> None:
    some = [task("a", OLD, 100), task("b", OLD, 130), task("x", NEW, 128), task("y", NEW, 125)]
    assert twins(*some) == {"x": "b", "y": "a"}
    assert twins(*reversed(some)) == {"x": "b", "y": "a"}


def test_only_of_the_same_package_and_family() -> None:
    assert twins(task("a", OLD, library="other"), task("x", NEW)) == {}
    assert twins(task("a", OLD, kind="complete"), task("x", NEW)) == {}
    assert twins(task("a", None), task("x", NEW)) == {}
    assert twins(task("a", OLD, family="behave"), task("x", NEW, family="migrate")) == {}
    assert twins(task("a", OLD, family="behave"), task("x", NEW, family="behave")) == {"x": "a"}
    assert twins(task("a", OLD, 100), task("x", NEW, 300)) == {}, "not as difficult"


def test_counts_and_other_tags() -> None:
    tasks = [task("a", OLD), task("b", OLD), task("x", NEW), task("y", NEW, kind="complete")]
    found = twinned(tasks, CUTOFF)
    assert (found.pairs, found.alone, found.unused) == (1, 1, 1)
    assert [one.facts.tags for one in found.tasks] == [
        ("kept",),
        ("kept",),
        ("kept", "twin: a"),
        ("kept",),
    ]
    assert twinned(found.tasks, CUTOFF) == found, "a second time changes nothing"


def test_pairs_alone() -> None:
    tasks = [task("a", OLD), task("b", OLD, 101), task("x", NEW), task("y", NEW, kind="complete")]
    found = twins_alone(tasks, CUTOFF)
    assert [one.id for one in found.tasks] == ["a", "x"]
    assert (found.pairs, found.alone, found.unused) == (1, 1, 1)
