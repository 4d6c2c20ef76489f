"""Samples as they are published, and the three tasks that each of them is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Any

import msgspec
from packaging.version import InvalidVersion, Version

from libdrift.execution import labels
from libdrift.execution.labels import LabelQuestion
from libdrift.metrics.accuracies import ChangeExplanation, api_name
from libdrift.records import (
    ChangeKind,
    Environment,
    Facts,
    Split,
    Task,
    TaskKind,
    Tests,
    TestStyle,
    WrongAnswer,
)
from libdrift.suites.codemenv import changes, environments
from libdrift.suites.codemenv.files import NAME
from libdrift.suites.finding import Oddities
from libdrift.suites.releases import released

OLD_TO_NEW, NEW_TO_OLD = "OLD2NEW", "NEW2OLD"
_PACKAGE = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")
_LOCATE = (
    "Some of the APIs that this code uses do not work with the installed version of {what}, or "
    "should not be used with it any more: they were added later, deprecated, removed, or moved to "
    "another place. Which ones?"
)
_EXPLAIN = _LOCATE.removesuffix(" Which ones?") + (
    " Which ones, what happened to each, in which version, and what takes its place in the "
    "installed version?"
)
_MIGRATE = (
    "Change this code so that it works with the installed version of {what}, and does the same as "
    "before."
)


class _Python(msgspec.Struct, kw_only=True):
    """What all Python samples have. A field that is not named here is of no use to a task."""

    code_id: str
    solution_function: str
    package: str
    origin_version: str
    compare_version: str  # the target
    solution_function_script: str
    message: str
    # Not `import`, which is a word of Python's.
    imported: str = msgspec.field(default="", name="import")


class _Easy(_Python, kw_only=True):
    signature: str
    update: str
    update_type: str
    compare_signature: str | None = None


class _Hard(_Python, kw_only=True):
    signature_list: list[str]
    update_list: list[str]


class _Java(msgspec.Struct, kw_only=True):
    code_id: str
    java_code: str
    signature: str
    update: str
    update_type: str


_KINDS: dict[str, type[_Easy | _Hard | _Java]] = {"easy": _Easy, "hard": _Hard, "java": _Java}


@dataclass(frozen=True, slots=True)
class _Sample:
    """What the tasks of a sample have in common."""

    id: str
    language: str
    code: str
    what: str  # the library's name in a sentence
    imports: str  # what the code needs and does not say
    labels: Mapping[str, ChangeExplanation]
    told: Mapping[str, str]  # the sentences on them
    target: Environment
    origin: Environment
    facts: Facts
    source: Mapping[str, Any]
    script: str = ""
    message: str = ""


def tasks_of(kind: str, item: dict[str, Any], where: str, odd: Oddities) -> list[Task] | str:
    """The tasks of one line of a file, or why it has none. What is merely odd is noted."""
    try:
        read = msgspec.convert(item, _KINDS[kind])
    except msgspec.ValidationError as error:
        return str(error)
    if not read.code_id.strip():
        return "no code_id"
    source = MappingProxyType(item)
    sample = (
        _java(read, source) if isinstance(read, _Java) else _python(read, kind, source, where, odd)
    )
    if isinstance(sample, str):
        return sample
    return [_asked(sample, TaskKind.LOCATE), _asked(sample, TaskKind.EXPLAIN), _migration(sample)]


def script_of(text: str) -> str:
    """The runnable script, as the published harness cleans it."""
    return text.replace("```", "").replace("python", "")


def direction_of(origin: str, target: str) -> str | None:
    """By the versions, as versions; equal ones count as a way back, as published."""
    try:
        before, after = (Version(environments.plain_version(one)) for one in (origin, target))
    except InvalidVersion:
        return None
    return OLD_TO_NEW if before < after else NEW_TO_OLD


def _python(
    read: _Easy | _Hard, difficulty: str, source: Mapping[str, Any], where: str, odd: Oddities
) -> _Sample | str:
    labels_of = _labels(read)
    if isinstance(labels_of, str):
        return labels_of
    package = read.package.strip().lower()
    versions = (read.origin_version, read.compare_version)
    direction = direction_of(*versions)
    if not _PACKAGE.fullmatch(package):
        return f"no package: {read.package!r}"
    if direction is None:
        return f"no versions: {versions[0]!r}, {versions[1]!r}"
    for version in versions:
        if not environments.is_known(package, version):
            odd.add("versions whose release is a guess", f"{package} {version} at {where}")
    origin, target = (environments.environment_for(package, version) for version in versions)
    between = _between(direction, *map(environments.plain_version, versions))
    found = {name: replace(one, between=between) for name, one in labels_of.items()}
    facts = replace(
        _facts(found, _sentences(read)),
        library=package,
        version=(installed := _installed(package, read.compare_version, target)),
        release_date=_released(package, installed),
        from_version=(before := _installed(package, read.origin_version, origin)),
        from_date=_released(package, before),
        direction=direction,
        difficulty=difficulty,
        # As published: two labels of one name are two.
        incompatibilities=len(read.signature_list) if isinstance(read, _Hard) else 1,
        tags=_tags(package, versions),
    )
    standard = environments.is_standard(package)
    return _Sample(
        id=read.code_id.strip(),
        language="python",
        code=read.solution_function,
        what="Python" if standard else package,
        imports="" if read.imported.strip() in {"", "python"} else read.imported.strip() + "\n",
        labels=found,
        told=_sentences(read),
        target=target,
        origin=origin,
        facts=facts,
        source=source,
        script=script_of(read.solution_function_script),
        message=read.message,
    )


def _between(direction: str, origin: str, target: str) -> tuple[str, str]:
    """The older and the newer: what happened, happened after the one, and by the other."""
    return (origin, target) if direction == OLD_TO_NEW else (target, origin)


def _java(read: _Java, source: Mapping[str, Any]) -> _Sample | str:
    name = api_name(read.signature)
    if not name:
        return "a label without a name"
    # Where a sentence has a number, it is the replacement's, not that of the change.
    between = (environments.JAVA_FROM, environments.JAVA_TO)
    told = replace(changes.from_prose(name, read.update), version=None, between=between)
    found = {name: changes.from_fields(told, read.update_type, None)}
    facts = replace(
        _facts(found, {name: read.update}),
        library="jdk",
        version=environments.JAVA_TO,
        release_date=released("jdk", environments.JAVA_TO),
        from_version=environments.JAVA_FROM,
        from_date=released("jdk", environments.JAVA_FROM),
        direction=OLD_TO_NEW,
    )
    return _Sample(
        id=read.code_id.strip(),
        language="java",
        code=read.java_code,
        what="Java",
        imports="",
        labels=found,
        told={name: read.update},
        target=environments.java(environments.JAVA_TO),
        origin=environments.java(environments.JAVA_FROM),
        facts=facts,
        source=source,
    )


def _labels(read: _Easy | _Hard) -> dict[str, ChangeExplanation] | str:
    if isinstance(read, _Easy):
        name = api_name(read.signature)
        told = changes.from_prose(name, read.update)
        found = {name: changes.from_fields(told, read.update_type, read.compare_signature)}
    else:
        if len(read.signature_list) != len(read.update_list) or not read.signature_list:
            return "signature_list and update_list do not go together"
        names = map(api_name, read.signature_list)
        pairs = zip(names, read.update_list, strict=True)
        found = {}
        for name, text in pairs:
            told = changes.from_prose(name, text)
            # One that stands there twice may have another's sentence.
            if name not in found or told.kind:
                found[name] = told
    return found if all(found) else "a label without a name"


def _sentences(read: _Easy | _Hard) -> dict[str, str]:
    if isinstance(read, _Easy):
        return {api_name(read.signature): read.update}
    return dict(zip(map(api_name, read.signature_list), read.update_list, strict=True))


def _facts(found: Mapping[str, ChangeExplanation], told: Mapping[str, str]) -> Facts:
    """What the labels tell: of several, only what they have in common."""
    kinds = {changes.kind_of(one) for one in found.values()}
    versions = {one.version for one in found.values()}
    kind = kinds.pop() if len(kinds) == 1 else ""
    words: set[ChangeKind | None] = {changes.change_of(kind, text) for text in told.values()}
    return Facts(
        library="",
        version="",
        change=words.pop() if len(words) == 1 else None,
        symbol=next(iter(found)) if len(found) == 1 else None,
        changed_in=versions.pop() if len(versions) == 1 else None,
        category=kind or None,
        api_calls=tuple(found),
        incompatibilities=len(found),
    )


def _installed(package: str, version: str, environment: Environment) -> str:
    """The exact release; of the standard library, the Python that is meant."""
    pins = dict(pin.split("==") for pin in environment.requirements)
    return pins.get(package, environments.plain_version(version))


def _released(package: str, version: str) -> date | None:
    return released("python" if environments.is_standard(package) else package, version)


def _tags(package: str, versions: tuple[str, str]) -> tuple[str, ...]:
    pairs = ((version, environments.stand_in(package, version)) for version in versions)
    return tuple(f"Python {version} is run on {other}" for version, other in pairs if other)


# --- tasks


def _asked(sample: _Sample, kind: TaskKind) -> Task:
    explain = kind is TaskKind.EXPLAIN
    question = LabelQuestion(sample.labels, explain, sample.imports + sample.code, sample.language)
    wanted = labels.written(sample.labels, explain=explain)
    if isinstance(wanted, dict):
        wanted = {name: _told(one, sample.told[name]) for name, one in sample.labels.items()}
    reference = json.dumps(wanted, ensure_ascii=False)
    tests = Tests(Split.HIDDEN, TestStyle.LABELS, question.to_tests())
    return _task(sample, kind, reference, tests)


def _told(label: ChangeExplanation, text: str) -> dict[str, str | list[str] | None]:
    """A right answer, for people, and for models as judges: by the newer version, if not before."""
    by = label.between[1] if label.between else None
    return {
        "kind": changes.kind_of(label) or None,
        "version": label.version or by,
        "replacement": label.replacement,
        "text": text,
    }


def _migration(sample: _Sample) -> Task:
    if sample.language == "java":
        tests = Tests(Split.HIDDEN, TestStyle.COMPILE, sample.code)
    else:
        tests = Tests(Split.HIDDEN, TestStyle.OUTPUT, sample.script, sample.message)
    was = f"{sample.facts.library} {sample.facts.from_version}"
    wrong = WrongAnswer(sample.code, sample.origin, f"the code as it was, for {was}")
    return replace(_task(sample, TaskKind.MIGRATE, "", tests), wrong=wrong)


def _task(sample: _Sample, kind: TaskKind, reference: str, tests: Tests) -> Task:
    facts = sample.facts
    ask = {TaskKind.LOCATE: _LOCATE, TaskKind.EXPLAIN: _EXPLAIN, TaskKind.MIGRATE: _MIGRATE}
    return Task(
        id=f"{sample.id}/{kind}",
        suite=NAME,
        kind=kind,
        language=sample.language,
        environment=sample.target,
        title=f"{facts.library} {facts.from_version} to {facts.version} · {kind}",
        problem=ask[kind].format(what=sample.what),
        starter=sample.code,
        reference=reference,
        tests=(tests,),
        facts=facts,
        source=sample.source,
    )
