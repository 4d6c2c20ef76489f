"""Examples as they are published, and the tasks that they are."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import Any

import msgspec

from libdrift.records import Environment, Facts, Gap, Task, TaskKind
from libdrift.suites.libevolutioneval import sets
from libdrift.suites.libevolutioneval.files import NAME
from libdrift.suites.libevolutioneval.sets import ExampleSet
from libdrift.suites.releases import released

_NOTHING: MappingProxyType[str, Any] = MappingProxyType({})
_MASK = "<fill>"


class Example(msgspec.Struct):
    """The fields that a task needs. The others repeat them, or the documentation."""

    prompt: str
    target: str
    right_context: str
    right_context_few_lines: str | None = None
    code_str: str | None = None
    imports: list[str] | str | None = None
    api: str | None = None
    API_Call: str | None = None
    API_Name: str | None = None

    @property
    def symbol(self) -> str:
        return self.api or self.API_Call or self.API_Name or ""

    @property
    def aliases(self) -> tuple[str, ...]:
        """A few examples have them as one text: ``torch, torch.nn``."""
        named = self.imports.split(",") if isinstance(self.imports, str) else self.imports or []
        return tuple(stripped for name in named if (stripped := name.strip()))


_DECODER = msgspec.json.Decoder(Example)


def is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def task_of(line: bytes, group: str, version: str, number: int) -> Task | str:
    """The task that a line is, or why it is none."""
    try:
        example = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return str(error)
    if not example.symbol:
        return "no API named"
    if not example.target:
        return "nothing to answer with"
    known = _set(group)
    release = sets.version_of(version)
    mask = _mask(example)
    return Task(
        id=f"{group}/{version}/{number}",
        suite=NAME,
        kind=TaskKind.COMPLETE,
        language="python",
        environment=_environment(known.library, release),
        title=_title(group, release),
        problem="",
        starter=f"{example.prompt}{mask}{example.right_context}",
        reference=example.target,
        tests=(),
        facts=_facts(known, release, example.symbol),
        gap=Gap(
            token=example.symbol.rpartition(".")[2],
            mask=mask,
            hint=example.code_str or "",
            aliases=example.aliases,
            near=example.right_context_few_lines or "",
        ),
        source=_NOTHING,
    )


def _facts(known: ExampleSet, release: str, symbol: str) -> Facts:
    return Facts(
        library=known.library,
        version=release,
        release_date=released(known.library, release),
        change=known.change,
        symbol=symbol,
        granularity="middle",
        category=known.category,
        scenario=known.scenario,
        access=known.access,
        lifecycle=known.lifecycle,
    )


def _mask(example: Example) -> str:
    """A mark that the code does not have: the gap is where it first stands."""
    mask, number = _MASK, 1
    while mask in example.prompt or mask in example.right_context:
        number += 1
        mask = f"{_MASK[:-1]}{number}>"
    return mask


# Thousands of examples share what follows.
@cache
def _set(group: str) -> ExampleSet:
    return sets.parse(group)


@cache
def _environment(library: str, release: str) -> Environment:
    return Environment("python", "", (f"{library}=={release}",))


@cache
def _title(group: str, release: str) -> str:
    return f"{_set(group).library} {release} · {group}"
