"""Items as they are published, and the tasks that they are."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import date, timedelta
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

import msgspec

from libdrift.records import (
    ChangeKind,
    Environment,
    Facts,
    Gap,
    Task,
    TaskKind,
    TestStyle,
)
from libdrift.suites.finding import Oddities
from libdrift.suites.versicode import dates, unit_tests, versions
from libdrift.suites.versicode.versions import VersionClauses

NAME = "versicode"
_MASKS = ("<token_mask>", "<line_mask>", "<mask>")
_GRANULARITIES = ("token", "line", "block")
_LANGUAGES = {
    "python": "python",
    "py": "python",
    "java": "java",
    "c#": "csharp",
    "cs": "csharp",
    "csharp": "csharp",
    "javascript": "javascript",
    "js": "javascript",
}
# The data's types of change: the paper's words, and ours. Ours for "general" would be a guess.
_CHANGES = {
    "add": ("addition", ChangeKind.INTRODUCED),
    "delete": ("deprecation", ChangeKind.REMOVED),
    "general": ("general", None),
    "name_change": ("name change", ChangeKind.RENAMED),
    "name_change_new": ("name change", ChangeKind.RENAMED),
    "name_change_old": ("name change", ChangeKind.RENAMED),
}
# When each Python came out: code of a day runs on the newest one of that day.
_PYTHONS = (
    ("3.12", date(2023, 10, 2)),
    ("3.11", date(2022, 10, 24)),
    ("3.10", date(2021, 10, 4)),
    ("3.9", date(2020, 10, 5)),
    ("3.8", date(2019, 10, 14)),
    ("3.7", date.min),
)
# What is not pinned is resolved as of then: posts may be older than the release they speak of.
_GRACE = timedelta(days=365)
_NOTHING: MappingProxyType[str, Any] = MappingProxyType({})


class _Item(msgspec.Struct, kw_only=True):
    """What all items have. A field that is not named here is of no use to a task."""

    id: str | int
    dependency: str
    description: str
    language: str
    type: str | None = None
    source: str | None = None
    # Of items that can be run: the test program, under any of these names.
    test: str | None = None
    test_code: str | None = None
    unit_test: str | None = None
    test_program: str | None = None
    test_type: str | None = None
    python_version: str | None = None

    @property
    def program(self) -> str:
        return self.test or self.test_code or self.unit_test or self.test_program or ""


class _Completion(_Item, kw_only=True):
    granularity: str
    version: str
    code: str
    answer: str
    time: str | int | None = None
    masked_code: str = ""
    masked_line: str = ""


class _Migration(_Item, kw_only=True):
    edit_order: str
    old_version: str
    new_version: str
    old_code: str
    new_code: str
    old_name: str
    new_name: str
    old_time: str | int | None = None
    new_time: str | int | None = None


def task_of(item: object, where: str, odd: Oddities) -> Task | str:
    """The task that an item is, or why it is none. What is merely odd is noted."""
    if not isinstance(item, dict):
        return "not an object"
    name = str(item.get("task", "")).lower()
    kind: type[_Completion | _Migration]
    if "edit" in name or "migrat" in name:
        kind = _Migration
    elif "complet" in name:
        kind = _Completion
    else:
        return f"unknown task {name!r}" if name else "no field `task`"
    try:
        read = msgspec.convert(item, kind)
    except msgspec.ValidationError as error:
        return str(error)
    language = _LANGUAGES.get(read.language.strip().lower().replace(" ", ""))
    if language is None:
        return f"unknown language {read.language!r}"
    read.language = language
    if isinstance(read, _Migration):
        return _migration(read, where, odd)
    return _completion(read, where, odd)


def _completion(item: _Completion, where: str, odd: Oddities) -> Task | str:
    granularity = sys.intern(item.granularity.strip().lower())
    if granularity not in _GRANULARITIES:
        return f"unknown granularity {item.granularity!r}"
    mask = next((mask for mask in _MASKS if mask in item.masked_code), "")
    block = granularity == "block"
    reference = {"token": item.answer, "line": item.masked_line, "block": item.code}[granularity]
    if not item.answer or not reference:
        return "nothing to answer with"
    if not mask and not block:
        return "no mask in `masked_code`"
    wanted = _version(item.version, where, odd)
    category, change = _change(item.type, where, odd)
    facts = Facts(
        library=_library(item),
        version=sys.intern(wanted.text if wanted else item.version.strip()),
        release_date=_date(item.time, where, odd),
        change=change,
        symbol=item.answer,
        category=category,
        granularity=granularity,
        source=_interned(item.source),
    )
    gap = Gap(item.answer, item.masked_line, "" if block else mask)
    starter = "" if block else item.masked_code
    return _task(item, TaskKind.COMPLETE, starter, reference, (facts, gap, wanted))


def _migration(item: _Migration, where: str, odd: Oddities) -> Task | str:
    old = (item.old_code, item.old_name, item.old_version, item.old_time)
    new = (item.new_code, item.new_name, item.new_version, item.new_time)
    order = item.edit_order.strip().lower().replace("_", "-")
    if order not in ("old-to-new", "new-to-old"):
        return f"unknown edit_order {item.edit_order!r}"
    before, after = (old, new) if order == "old-to-new" else (new, old)
    if not all((before[0], before[1], after[0], after[1])):
        return "nothing to migrate"
    source, target = _version(before[2], where, odd), _version(after[2], where, odd)
    category, change = _change(item.type, where, odd)
    facts = Facts(
        library=_library(item),
        version=sys.intern(target.text if target else after[2].strip()),
        release_date=_date(after[3], where, odd),
        change=change,
        symbol=after[1],
        direction=sys.intern(order),
        category=category,
        granularity="block",
        source=_interned(item.source),
        from_version=sys.intern(source.text if source else before[2].strip()),
        from_date=_date(before[3], where, odd),
        step=versions.step(source, target),
    )
    gap = Gap(
        after[1],
        _core_line(after[0], after[1], item.language),
        old_line=_core_line(before[0], before[1], item.language),
    )
    return _task(item, TaskKind.MIGRATE, before[0], after[0], (facts, gap, target))


def _task(
    item: _Item,
    kind: TaskKind,
    starter: str,
    reference: str,
    known: tuple[Facts, Gap, VersionClauses | None],
) -> Task:
    facts, gap, wanted = known
    pins = (f"{facts.library}=={wanted.exact}",) if wanted and wanted.exact else ()
    filled = starter.replace(gap.mask, reference) if gap.mask else reference
    tests = unit_tests.made_of(item.program, filled)
    if tests:
        facts = replace(facts, test_type=unit_tests.looked_at(item.program, item.test_type))
        python = item.python_version or _python(facts.release_date)
        runner = ("pytest",) if tests[0].style is TestStyle.PYTEST else ()
        day = facts.release_date + _GRACE if facts.release_date else None
        environment = _environment(item.language, python, (*pins, *runner), day)
    else:
        environment = _environment(item.language, "", pins, None)
    return Task(
        id=str(item.id),
        suite=NAME,
        kind=kind,
        language=item.language,
        environment=environment,
        title=f"{facts.library} {facts.version} · {kind} {facts.granularity}",
        problem=item.description.strip(),
        starter=starter,
        reference=reference,
        tests=tests,
        facts=facts,
        gap=gap,
        source=_NOTHING,
    )


def _python(day: date | None) -> str:
    return next(name for name, since in _PYTHONS if (day or date.max) >= since)


@lru_cache(maxsize=4096)
def _core_line(code: str, token: str, language: str) -> str:
    """One example of a library's documentation stands in many pairs of its versions."""
    from libdrift.metrics.core_lines import core_line

    return core_line(code, token, language)


@cache
def _environment(
    language: str, runtime: str, requirements: tuple[str, ...], day: date | None
) -> Environment:
    """One object for all tasks of one pin: there are a hundred thousand, of a few thousand."""
    return Environment(language, runtime, requirements, day)


def _version(text: str, where: str, odd: Oddities) -> VersionClauses | None:
    wanted = versions.parse(text)
    if wanted is None:
        odd.add("versions not understood, kept as written", f"{text!r} at {where}")
    return wanted


def _date(value: str | int | None, where: str, odd: Oddities) -> date | None:
    if value is None or value == "":
        return None
    found = dates.parse(str(value))
    if found is None:
        odd.add("dates not understood", f"{value!r} at {where}")
    return found


def _change(kind: str | None, where: str, odd: Oddities) -> tuple[str | None, ChangeKind | None]:
    if not kind:
        return None, None
    known = _CHANGES.get(kind.strip().lower())
    if known is None:
        odd.add("types of change not known", f"{kind!r} at {where}")
    return known or (None, None)


def _library(item: _Item) -> str:
    return sys.intern(item.dependency.strip())


def _interned(text: str | None) -> str | None:
    return sys.intern(text) if text else None
