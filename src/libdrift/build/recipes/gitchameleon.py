"""GitChameleon's pipeline: a problem with starter code and a visible test, then hidden tests.

The paper's problems each turn on one change of a library, are pinned to one version, and have a
visible test; hidden tests were written later with the errors of running them fed back. Here the
answer of someone who has the other version in mind is made as well, and must fail.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from libdrift.build.recipes.changed import GONE, ChangedApi, ChangesBetween
from libdrift.build.recipes.executing import job_of, passed, told
from libdrift.build.recipes.options import RecipeOptions
from libdrift.build.recipes.places import BEFORE, ReleasePlaces, kept_place
from libdrift.build.recipes.python_tests import plain_script, script_holds, script_tests
from libdrift.build.recipes.replies import (
    json_object,
    last_function,
    names_word,
    python_code,
    trouble_of,
)
from libdrift.build.recipes.steps import (
    JudgeRequest,
    MadeTasks,
    Part,
    RecipeStart,
    RejectedProduct,
    ReplyFault,
    Steps,
    repaired,
)
from libdrift.records import (
    ChangeKind,
    Facts,
    Split,
    Task,
    TaskKind,
    Tests,
    TestStyle,
    WrongAnswer,
)

KINDS = frozenset({*GONE, ChangeKind.INTRODUCED, ChangeKind.SIGNATURE})

_PROBLEM = """\
Library: {package}, pinned to version {version}. Between {old} and {new} this changed:
- {change}

Version {old}: {old_doc}

Version {new}: {new_doc}
{examples}
Write a programming problem whose solution must use `{path}` as version {version} has it, so that \
a solution for version {other} does not work. Say in the problem what the function takes and \
returns, never which API to use: the word `{last}` is neither in the problem nor in the starter \
code. Results are the same in every run, and need no network, files, clock or randomness.

Reply with a JSON object with four texts:
"problem": what to write, in two or three sentences;
"starter": the imports, and the signature of the function, followed by nothing;
"solution": the whole program, which begins with the starter;
"test": plain assert statements on the function, a visible test."""

_HIDDEN = """\
Problem: {problem}

Solution for {package} {version}:
```python
{solution}```

Write hidden tests: at least three assert statements that try ordinary values, borders and what \
is unusual. They run in the namespace of the solution. Compare results by value, or with a \
tolerance. Reply with one block of Python code, without pytest or unittest."""

_WRONG = """\
Problem: {problem}

Solution for {package} {version}:
```python
{solution}```

Write the solution of someone who has {package} {other} installed: the same functions with the \
same results there, with the API as {other} has it:
{other_doc}

It must fail with {package} {version}. Reply with one block of Python code."""


@dataclass(frozen=True, slots=True)
class _Work:
    id: str
    api: ChangedApi
    places: ReleasePlaces
    options: RecipeOptions

    @property
    def words(self) -> dict[str, str]:
        places = self.places
        uses = "".join(f"\nExample:\n{code}\n" for code in self.api.examples[:2])
        return {
            "package": places.package,
            "version": places.new.version,
            "other": places.old.version,
            "old": places.old.version,
            "new": places.new.version,
            "change": self.api.sentence,
            "path": self.api.new_path,
            "last": self.api.new_path.rpartition(".")[2],
            "old_doc": self.api.told(newer=False),
            "new_doc": self.api.told(newer=True),
            "other_doc": self.api.told(newer=False),
            "examples": uses,
        }

    @property
    def has_wrong(self) -> bool:
        """Whether the other release has a way to do the same that is gone here."""
        return self.api.kind is not ChangeKind.INTRODUCED


def starts(
    changes: ChangesBetween, places: ReleasePlaces, options: RecipeOptions
) -> list[RecipeStart]:
    """One problem for each change that leaves something to use at the newer release."""
    found = []
    for api in changes.apis:
        if not api.new_path or (api.kind is ChangeKind.SIGNATURE and not api.change.breaking):
            continue
        work = _Work(f"{places.package}-{changes.new.version}-{api.id}", api, places, options)
        found.append(RecipeStart(work.id, partial(_steps, work), api.new_path))
    return found


def _steps(work: _Work) -> Steps:
    attempts = work.options.attempts
    task = yield from repaired(
        "problem",
        _PROBLEM.format(**work.words),
        partial(_problem, work),
        _visible_holds,
        attempts=attempts,
    )
    if isinstance(task, RejectedProduct):
        return task
    told_of = {**work.words, "problem": task.problem, "solution": task.reference}
    hidden = yield from repaired(
        "hidden tests",
        _HIDDEN.format(**told_of),
        script_tests,
        partial(script_holds, task),
        attempts=attempts,
    )
    if isinstance(hidden, RejectedProduct):
        return hidden
    task = replace(task, tests=(Tests(Split.HIDDEN, TestStyle.SCRIPT, hidden), *task.tests))
    if not work.has_wrong:
        source = {**task.source, BEFORE: kept_place(work.places.before)}
        return MadeTasks((replace(task, source=MappingProxyType(source)),))
    wrong = yield from repaired(
        "wrong-version answer",
        _WRONG.format(**told_of),
        python_code,
        partial(_wrong_holds, work, task),
        attempts=attempts,
    )
    if isinstance(wrong, RejectedProduct):
        return wrong
    note = f"right for {work.places.old}"
    return MadeTasks((replace(task, wrong=WrongAnswer(wrong, work.places.before, note)),))


def _problem(work: _Work, reply: str) -> Task | ReplyFault:
    told_in = json_object(reply, ("problem", "starter", "solution", "test"))
    if isinstance(told_in, ReplyFault):
        return told_in
    fault = _problem_trouble(work, told_in)
    if fault:
        return fault
    test = plain_script(told_in["test"])
    if isinstance(test, ReplyFault):
        return test
    api, places = work.api, work.places
    return Task(
        id=work.id,
        suite=work.options.suite,
        kind=TaskKind.GENERATE,
        language="python",
        environment=places.after,
        title=f"{places.package} {places.new.version} · {work.id}",
        problem=told_in["problem"].strip(),
        starter=f"{told_in['starter'].rstrip()}\n",
        reference=f"{told_in['solution'].strip()}\n",
        tests=(Tests(Split.VISIBLE, TestStyle.SCRIPT, test),),
        facts=Facts(
            library=places.package,
            version=places.new.version,
            release_date=places.new.date,
            change=api.kind,
            symbol=api.new_path,
            changed_in=places.new.version,
            direction="new",
            source="generated",
            from_version=places.old.version,
            from_date=places.old.date,
        ),
        source=MappingProxyType({"recipe": "gitchameleon", "change": api.sentence}),
    )


def _problem_trouble(work: _Work, told_in: dict[str, Any]) -> ReplyFault | None:
    solution, starter = told_in["solution"], told_in["starter"]
    last = work.words["last"]
    for name in ("problem", "starter"):
        if names_word(told_in[name], last):
            return ReplyFault(f"the {name} says {last}, which gives the solution away")
    fault = trouble_of(solution)
    if fault:
        return ReplyFault(f"solution: {fault.reason}")
    function = last_function(solution)
    if function is None:
        return ReplyFault("the solution has no function at its top level")
    if not names_word(starter, function.name):
        return ReplyFault(f"the starter does not have the signature of {function.name}")
    if not names_word(solution, last):
        return ReplyFault(f"the solution does not use {last}")
    fault = trouble_of(told_in["test"])
    return ReplyFault(f"test: {fault.reason}") if fault else None


def _visible_holds(task: Task) -> Part[str]:
    return (yield from script_holds(task, task.tests[0].code, split=Split.VISIBLE))


def _wrong_holds(work: _Work, task: Task, code: str) -> Part[str]:
    hidden = next(tests for tests in task.tests if tests.split is Split.HIDDEN)
    jobs = [job_of((task.id, "here"), task, hidden, code)]
    jobs += [
        job_of((task.id, "there", tests.split), task, tests, code, work.places.before)
        for tests in task.tests
    ]
    found = yield JudgeRequest("wrong-version answer", tuple(jobs))
    for key, judgement in found.items():
        if key[1] == "here" and passed(judgement):
            return f"it passes with {work.places.new} too"
        if key[1] == "there" and not passed(judgement):
            return f"it fails with {work.places.old}: {told(judgement)}"
    return ""
