"""Tasks from releases of the JDK: programs that the compiler takes for one, and not for the next.

A program uses an API that a release brought, removed or deprecated, and others of the same package
that stayed as they were.

- *locate*: which of them changed? *explain*: how, when, and what takes its place?
- *migrate*: make the program compile for the other release without it. Its reference is what the
  JDK's documentation says to use instead, with the same arguments.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from libdrift.build.live.compiled import marked
from libdrift.build.live.java_changes import JavaLabel, JdkStep, java, labelled
from libdrift.build.live.java_documents import JavaLink, JdkSources
from libdrift.build.live.java_programs import (
    JavaProgram,
    JavaUse,
    TypeNames,
    class_of,
    name_of,
    program_of,
)
from libdrift.build.live.records import LiveFamily
from libdrift.build.results import veiled
from libdrift.execution import Options
from libdrift.execution.labels import LabelQuestion, written
from libdrift.metrics.accuracies import ADDITION, DEPRECATION, ChangeExplanation
from libdrift.records import Facts, Split, Surface, Task, TaskKind, Tests, TestStyle, WrongAnswer

SUITE = "live-java"
PACKAGE = "jdk"
_ASKED = {
    TaskKind.LOCATE: (
        "This program compiles for Java {origin}. One of the APIs that it uses does not work with "
        "Java {target}, or should not be used with it: it was added later, deprecated or removed. "
        "Which one?"
    ),
    TaskKind.EXPLAIN: (
        "This program compiles for Java {origin}. One of the APIs that it uses does not work with "
        "Java {target}, or should not be used with it: it was added later, deprecated or removed. "
        "Which one, what happened to it, in which version, and what takes its place?"
    ),
    TaskKind.MIGRATE: (
        "This program compiles for Java {origin}. One of the APIs that it uses was deprecated or "
        "removed by Java {target}. Change the program so that it compiles for Java {target} "
        "without that API, and does the same. Keep its class and its methods."
    ),
}


def drafts(
    step: JdkStep, options: Options, sources: JdkSources, left_out: Counter[str], most: int
) -> list[Task]:
    """Tasks of at most ``most`` changes of each kind."""
    return [
        task
        for label, uses in labelled(step, options, left_out, most)
        for task in _tasks(step, label, uses, sources)
    ]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the tasks of one program have in common."""

    label: JavaLabel
    program: JavaProgram
    origin: str
    target: str
    days: tuple[date | None, date | None]
    versions: tuple[str, str]


def _tasks(
    step: JdkStep, label: JavaLabel, uses: Sequence[JavaUse], sources: JdkSources
) -> Iterator[Task]:
    program = program_of(uses)
    assert program is not None  # noqa: S101  (it is one already: so the uses were chosen)
    old, new = step.versions
    origin, target = (new, old) if label.backward else (old, new)
    days = {one.release.version: one.release.date for one in (step.old, step.new)}
    asked = _Asked(label, program, origin, target, (days[origin], days[target]), step.versions)
    links = () if label.backward else sources.instead(label.use.path)
    names = TypeNames(step.new)
    linked = (_full(link, label, names, step.new) for link in links)
    # Another of the same name, with other parameters, is no answer to what stands in for it.
    replaced = [full for full in linked if full and name_of(full) != name_of(label.use.path)]
    name = name_of(label.use.path)
    told = ChangeExplanation(
        ADDITION if label.backward else DEPRECATION,
        " or ".join(replaced) if replaced else None,
        between=(old, new),
    )
    for kind in (TaskKind.LOCATE, TaskKind.EXPLAIN):
        explain = kind is TaskKind.EXPLAIN
        labels = {name: told}
        question = LabelQuestion(labels, explain, program.code, "java")
        wanted = written(labels, explain=explain)
        if isinstance(wanted, dict):
            wanted = {name: {**_plain(told), "version": new}}
        tests = Tests(Split.HIDDEN, TestStyle.LABELS, question.to_tests())
        yield _task(asked, kind, json.dumps(wanted), tests)
    reference = _rewritten(label, uses, links, names)
    if reference:
        tests = Tests(Split.HIDDEN, TestStyle.COMPILE, program.code)
        wrong = WrongAnswer(program.code, java(origin), f"as it was for Java {origin}")
        yield replace(_task(asked, TaskKind.MIGRATE, reference, tests), wrong=wrong)


def _plain(told: ChangeExplanation) -> dict[str, str | None]:
    return {"kind": told.kind, "replacement": told.replacement or None}


def _full(link: JavaLink, label: JavaLabel, names: TypeNames, surface: Surface) -> str:
    """The path of what is linked to, where the newer release has it."""
    owner = class_of(label.use.path) if label.use.path.partition("(")[0] else ""
    near = owner or label.use.path
    path = names.meant(link.owner.rpartition(".")[2], near) if link.owner else near
    full = f"{path}.{link.member}" if link.member else path
    return full if path and surface.resolve(full) is not None else ""


def _rewritten(
    label: JavaLabel, uses: Sequence[JavaUse], links: Sequence[JavaLink], names: TypeNames
) -> str:
    """The program with what the documentation links to in the place of what is deprecated."""
    use, owner = label.use, class_of(label.use.path)
    for link in links:
        kind = names.meant(link.owner.rpartition(".")[2], owner) if link.owner else owner
        simple = kind.rpartition(".")[2]
        if not link.member or not kind:
            continue
        called = f"({', '.join(use.arguments)})" if "(" in use.expression else ""
        head = f"{use.receiver if use.receiver and kind == owner else simple}."
        head = "new " if link.member == simple else head
        body = f"{head}{link.member}{called}"
        instead = use.with_expression(body, kind)
        program = program_of([instead if one is use else one for one in uses])
        if body != use.expression and program is not None:
            return program.code
    return ""


def _task(asked: _Asked, kind: TaskKind, reference: str, tests: Tests) -> Task:
    label = asked.label
    old, new = asked.versions
    path = label.use.path
    family = LiveFamily(kind.value)
    uses = [name_of(one) for one in asked.program.lines]
    task = Task(
        id=f"{PACKAGE}-{asked.target}-{family.value}-{veiled(path + asked.origin)}",
        suite=SUITE,
        kind=kind,
        language="java",
        environment=java(asked.target),
        title=f"Java {asked.origin} to {asked.target}",
        problem=_ASKED[kind].format(origin=asked.origin, target=asked.target),
        starter=asked.program.code,
        reference=reference,
        tests=(tests,),
        facts=Facts(
            library=PACKAGE,
            version=asked.target,
            release_date=asked.days[1],
            change=label.kind,
            symbol=name_of(path),
            changed_in=new,
            direction="new-to-old" if label.backward else "old-to-new",
            category=ADDITION if label.backward else DEPRECATION,
            api_calls=(path,),
            source="library_source_code",
            scenario="controlled",
            from_version=asked.origin,
            from_date=asked.days[0],
            incompatibilities=1,
            tags=(SUITE, family.value),
        ),
    )
    return marked(
        task,
        family=family.value,
        package=PACKAGE,
        old=old,
        new=new,
        symbol=path,
        lines=",".join(map(str, sorted(asked.program.lines[path]))),
        uses=",".join(uses),
    )
