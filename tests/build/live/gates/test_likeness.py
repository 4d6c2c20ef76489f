from __future__ import annotations

from dataclasses import replace

from libdrift.build.live.gates.likeness import KnownTasks
from tests.build.live.gates.test_reading import NEW, OLD, task

LONG = (
    "import pkg\n\n\ndef solution(a, b):\n    c = pkg.first(a, b)\n    return pkg.total(c, a, b)\n"
)


def test_a_double_is_known_by_its_text() -> None:
    known = KnownTasks()
    first = task(OLD, NEW)
    assert not known.is_double(first)
    known.add(first)
    assert known.is_double(replace(first, id="other"))
    assert not known.is_double(task(LONG, LONG.replace("total", "summed")))


def test_there_and_back_are_two() -> None:
    known = KnownTasks()
    there = task(OLD, NEW)
    there = replace(there, facts=replace(there.facts, direction="old-to-new"))
    known.add(there)
    back = replace(there, facts=replace(there.facts, direction="new-to-old"))
    assert known.is_double(there)
    assert not known.is_double(back)


def test_published_references_are_known() -> None:
    known = KnownTasks()
    known._add_published([task(OLD, LONG)])
    assert known.is_published(task(OLD, LONG.replace("a, b", "a,  b")))
    assert not known.is_published(task(OLD, NEW))
