"""What CODEMENV's pipeline works on, and the three tasks that a program of it becomes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from libdrift.build.recipes.changed import ChangedApi
from libdrift.build.recipes.options import RecipeOptions
from libdrift.build.recipes.places import ReleasePlaces
from libdrift.build.recipes.replies import last_function
from libdrift.execution import labels
from libdrift.execution.labels import LabelQuestion
from libdrift.metrics.accuracies import ADDITION, DEPRECATION, REPLACEMENT, ChangeExplanation
from libdrift.records import (
    ChangeKind,
    Environment,
    Facts,
    Release,
    Split,
    Task,
    TaskKind,
    Tests,
    TestStyle,
    WrongAnswer,
)

INPUTS = 3

_LOCATE = (
    "Some of the APIs that this code uses are not in the installed version of {package}. Which "
    "ones?"
)
_EXPLAIN = (
    "Some of the APIs that this code uses are not in the installed version of {package}. Which "
    "ones, what happened to each, in which version, and what takes its place in the installed one?"
)
_MOVE = (
    "Change this code so that it works with the installed version of {package}, and does the same "
    "as before."
)


@dataclass(frozen=True, slots=True)
class MigrationWork:
    """What all stages of one program know."""

    id: str
    apis: tuple[ChangedApi, ...]
    places: ReleasePlaces
    options: RecipeOptions
    gone: frozenset[str]  # all that changed

    @property
    def origin(self) -> tuple[Release, Environment]:
        return self.places.side(newer=self.options.backward)

    @property
    def target(self) -> tuple[Release, Environment]:
        return self.places.side(newer=not self.options.backward)

    def path(self, api: ChangedApi) -> str:
        return api.new_path if self.options.backward else api.old_path

    @property
    def names(self) -> list[str]:
        return [self.path(api) for api in self.apis]

    def words(self, **more: str) -> dict[str, str]:
        newer = self.options.backward
        return {
            "package": self.places.package,
            "origin": self.origin[0].version,
            "target": self.target[0].version,
            "changes": "\n".join(f"- {api.sentence}" for api in self.apis),
            "names": ", ".join(self.names),
            "docs": "\n\n".join(api.told(newer=newer) for api in self.apis),
            "count": str(INPUTS),
            **more,
        }


@dataclass(frozen=True, slots=True)
class MigrationTrial:
    """A function and the inputs that it is run with."""

    code: str
    inputs: tuple[str, ...]

    @property
    def name(self) -> str:
        found = last_function(self.code)
        return found.name if found else ""

    @property
    def script(self) -> str:
        cases = "".join(f"    ({one.rstrip().rstrip(',')},),\n" for one in self.inputs)
        return (
            f"{self.code}\n\ncases = [\n{cases}]\n"
            f"for case in cases:\n    print(repr({self.name}(*case)))\n"
        )


def tasks_of(
    work: MigrationWork, trial: MigrationTrial, printed: str, moved: str
) -> Iterator[Task]:
    found = {work.path(api): _explanation(work, api) for api in work.apis}
    (origin, before), (target, place) = work.origin, work.target
    facts = Facts(
        library=work.places.package,
        version=target.version,
        release_date=target.date,
        change=work.apis[0].kind if len(work.apis) == 1 else None,
        symbol=work.names[0] if len(work.names) == 1 else None,
        api_calls=(),
        direction="NEW2OLD" if work.options.backward else "OLD2NEW",
        difficulty=work.options.difficulty,
        source="generated",
        from_version=origin.version,
        from_date=origin.date,
        incompatibilities=len(work.apis),
    )
    base = Task(
        id=work.id,
        suite=work.options.suite,
        kind=TaskKind.MIGRATE,
        language="python",
        environment=place,
        title=f"{work.places.package} {origin.version} to {target.version}",
        problem=_MOVE.format(package=work.places.package),
        starter=trial.code,
        reference=moved,
        tests=(Tests(Split.HIDDEN, TestStyle.OUTPUT, trial.script, printed),),
        facts=facts,
        wrong=WrongAnswer(trial.code, before, f"the code as it was, for {origin}"),
        source=MappingProxyType({"recipe": "codemenv", "apis": work.names}),
    )
    yield replace(base, id=f"{work.id}/migrate")
    for kind, problem in ((TaskKind.LOCATE, _LOCATE), (TaskKind.EXPLAIN, _EXPLAIN)):
        explain = kind is TaskKind.EXPLAIN
        question = LabelQuestion(found, explain, trial.code, "python")
        yield replace(
            base,
            id=f"{work.id}/{kind}",
            kind=kind,
            problem=problem.format(package=work.places.package),
            reference=json.dumps(_answer(found, explain=explain)),
            tests=(Tests(Split.HIDDEN, TestStyle.LABELS, question.to_tests()),),
            wrong=None,
        )


def _answer(found: Mapping[str, ChangeExplanation], *, explain: bool) -> object:
    if not explain:
        return list(found)
    told = labels.written(found, explain=True)
    assert isinstance(told, dict)  # noqa: S101  (as it was asked for)
    by = {name: one.between[1] if one.between else None for name, one in found.items()}
    return {name: {**one, "version": by[name]} for name, one in told.items()}


def _explanation(work: MigrationWork, api: ChangedApi) -> ChangeExplanation:
    between = (work.places.old.version, work.places.new.version)
    if api.kind is ChangeKind.INTRODUCED:
        return ChangeExplanation(ADDITION, None, None, between)
    moved = api.change.replacement or ""
    return ChangeExplanation(REPLACEMENT if moved else DEPRECATION, moved or None, None, between)
