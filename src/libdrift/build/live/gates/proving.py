"""Gates that run: what is right passes every time, and what is wrong never does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from libdrift.build.live.before import place_before, place_elsewhere
from libdrift.build.live.gates.likeness import KnownTasks
from libdrift.build.live.gates.reading import PromptMaker, is_long, leak, unseen, unsteady
from libdrift.build.live.gates.scripts import ScriptJob, ScriptOutcome, run_scripts
from libdrift.build.live.mutants import Mutant, MutationScore, mutants_of, scored
from libdrift.build.live.tasking import SUITE
from libdrift.execution import Job, Options, Silent, run_jobs
from libdrift.languages.python.usage import parsed
from libdrift.records import UNPROVEN, Environment, Outcome, Split, Task, Tests, TestStyle
from libdrift.sandbox import Judgement
from libdrift.scoring.verdicts import program_for

_MUTANTS = 6
_NEIGHBOURS = 5  # other tasks whose answers must not pass
_LEAST_TOLD = 0.5  # of the mutants
_NOTHING = "pass\n"
_SHUFFLED = "shuffled"
_HOLLOW = {"empty": "an empty answer", "echo": "the code as it is given"}
_RIGHT = {"reference", "again", "fresh"}  # roles of a task's reference

_Outcome = Judgement | ScriptOutcome
_Judged = Mapping[tuple[str, ...], _Outcome]
_Answer = tuple[str, Environment, str]  # its role, where it runs, and its code


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """What the gates say of a task: ``gate`` is the one that drops it, empty where none does."""

    task: Task
    gate: str = ""
    why: str = ""
    mutation: MutationScore | None = None
    transient: bool = False  # the machine's trouble: neither proven nor refuted


@dataclass(frozen=True, slots=True)
class GateKeeper:
    """All gates. ``known`` has the tasks that were kept so far."""

    options: Options
    prompt: PromptMaker
    known: KnownTasks = field(default_factory=KnownTasks)

    def judge(self, tasks: Sequence[Task]) -> list[GateVerdict]:
        """A verdict for each, in their order; of doubles, the first is kept."""
        found: dict[str, GateVerdict] = {}
        left: list[Task] = []
        for task in tasks:
            if task.id in found:
                continue
            objection = self._read(task)
            found[task.id] = GateVerdict(task, *objection)
            if not objection[0]:
                left.append(task)
        judged = self._run(left)
        for task in left:
            found[task.id] = self._proven(task, judged)
        for task in left:
            if not found[task.id].gate:
                if self.known.is_double(task):
                    found[task.id] = GateVerdict(task, "duplicate", "of another task")
                else:
                    self.known.add(task)
        return list(found.values())

    def _read(self, task: Task) -> tuple[str, str]:
        prompt = self.prompt(task)
        given = leak(task, prompt)
        if given:
            return "leak", f"the prompt says {given!r}"
        if is_long(prompt):
            return "length", "the prompt is long"
        sign = unseen(task, prompt)
        if sign:
            return "signs", f"it has the sign {sign!r}"
        outside = unsteady(task)
        if outside:
            return "steadiness", f"depends on {outside!r}"
        if self.known.is_published(task):
            return "published", "a published benchmark has it"
        if not task.reference.strip() or not task.tests:
            return "reference", "there is none, or no tests"
        return "", ""

    def _run(self, tasks: Sequence[Task]) -> dict[tuple[str, ...], _Outcome]:
        """References in forks of warm processes, proven, and in fresh ones; the rest beside tests.

        A reference that does not pass ends it.
        """
        first = _judged([job for task in tasks for job in _references(task)], self.options)
        passing = [task for task in tasks if _passes(first, task)]
        again = [_reference(task, _hidden(task), "fresh", proven=False) for task in passing]
        # Nobody counts along: a bar for each of the few would only flicker.
        fresh = replace(self.options, fresh=True, progress=Silent())
        judged = first | _judged(again, fresh)
        return judged | self._answered(
            (task, answer)
            for place, task in enumerate(passing)
            for answer in _answers(task, neighbours(task, passing, place))
        )

    def told_apart(self, tasks: Sequence[Task]) -> list[Task]:
        """Those of a whole file whose tests no answer to another of its tasks passes.

        Each step's tasks were tried on one another before. In the file, where `audit` looks, they
        have other neighbours.
        """
        kept = list(tasks)
        passes: dict[tuple[str, str], bool] = {}
        while True:
            around = {task.id: neighbours(task, kept, place) for place, task in enumerate(kept)}
            wanted = {
                (task.id, f"{_SHUFFLED} {number}"): (task, code)
                for task in kept
                for number, code in enumerate(around[task.id])
                if (task.id, code) not in passes
            }
            judged = self._answered(
                (task, (role, task.environment, code)) for (_, role), (task, code) in wanted.items()
            )
            for (name, role, *_), found in judged.items():
                passes[name, wanted[name, role][1]] = found.outcome is Outcome.PASSED
            left = [
                task
                for task in kept
                if not any(passes.get((task.id, code)) for code in around[task.id])
            ]
            if len(left) == len(kept):
                return kept
            kept = left

    def _answered(self, answers: Iterable[tuple[Task, _Answer]]) -> dict[tuple[str, ...], _Outcome]:
        """Answers, each by its task's hidden tests."""
        scripts: list[ScriptJob] = []
        others: list[Job] = []
        for task, (role, environment, code) in answers:
            tests = _hidden(task)
            key = (task.id, role, tests.split)
            if tests.style is TestStyle.SCRIPT:
                scripts.append(ScriptJob(key, environment, code, tests.code))
            else:
                others.append(Job(key, environment, program_for(task, tests, code)))
        return {**_judged(others, self.options), **run_scripts(scripts, self.options)}

    def _proven(self, task: Task, judged: _Judged) -> GateVerdict:
        mine = {key[1:]: found for key, found in judged.items() if key[0] == task.id}
        trouble = [found for (role, _), found in mine.items() if _is_of_the_machine(role, found)]
        if trouble:
            return GateVerdict(task, "machine", trouble[0].reason, transient=True)
        gate, why = _objection(task, mine)
        score = _mutation(task, mine)
        if not gate and score.share is not None and score.share < _LEAST_TOLD:
            gate, why = "mutants", f"{score.told_apart} of {score.mutants} are told apart"
        if not gate and _is_needless(task, mine):
            gate, why = "mutants", "without what is asked for it passes as well"
        return GateVerdict(task, gate, why, score)


def _is_of_the_machine(role: str, found: _Outcome) -> bool:
    """A reference gave its values in time before: now others are at work, too."""
    late = found.outcome is Outcome.TIMEOUT and role in _RIGHT
    return late or found.outcome is Outcome.INFRASTRUCTURE


def _references(task: Task) -> Iterator[Job]:
    """A proof is made for the tests that decide."""
    hidden = _hidden(task)
    for tests in task.tests:
        if tests is hidden or not set(tests.code.splitlines()) <= set(hidden.code.splitlines()):
            yield _reference(task, tests, "reference", proven=tests is hidden)


def _reference(task: Task, tests: Tests, role: str, *, proven: bool) -> Job:
    program = program_for(task, tests, task.reference)
    reference = task.reference if proven else ""
    return Job((task.id, role, tests.split), task.environment, program, reference)


def _hidden(task: Task) -> Tests:
    return next((one for one in task.tests if one.split is Split.HIDDEN), task.tests[0])


def _answers(task: Task, others: Sequence[str]) -> Iterator[_Answer]:
    """Every other answer: its role, and where it runs."""
    here, before, elsewhere = task.environment, place_before(task), place_elsewhere(task)
    yield "again", here, task.reference
    yield "empty", here, _NOTHING
    if task.wrong is not None:
        yield "wrong", here, task.wrong.code
        yield "there", task.wrong.environment, task.wrong.code
        if elsewhere is not None:
            yield "elsewhere", elsewhere, task.wrong.code
    if before is not None:
        yield "before", before, task.reference
    if task.starter.strip() and (task.wrong is None or task.starter != task.wrong.code):
        yield "echo", here, task.starter
    for number, other in enumerate(others):
        yield f"{_SHUFFLED} {number}", here, other
    if _hidden(task).style is not TestStyle.LABELS:
        for number, mutant in enumerate(mutants_of(task.reference, _MUTANTS)):
            yield f"mutant {number}", here, mutant.code


def neighbours(task: Task, tasks: Sequence[Task], place: int) -> list[str]:
    """References of tasks that ask for something else: of its family and package first.

    What one of them gives hinges on which it is, so there are several.
    """
    around = [tasks[(place + step) % len(tasks)] for step in range(1, len(tasks))]
    near = sorted(around, key=lambda other: _key(other) != _key(task))
    found: dict[str, None] = {}
    for other in near:
        if other.tests != task.tests and other.facts.symbol != task.facts.symbol:
            found[other.reference] = None
        if len(found) == _NEIGHBOURS:
            break
    return list(found)


def _key(task: Task) -> tuple[str, ...]:
    return (task.facts.library, *task.facts.tags)


def _judged(jobs: Sequence[Job], options: Options) -> dict[tuple[str, ...], Judgement]:
    if not jobs:
        return {}
    with closing(run_jobs(jobs, options)) as results:
        return {job.key: judgement for job, judgement in results}


def _passes(judged: _Judged, task: Task) -> bool:
    mine = [found for key, found in judged.items() if key[0] == task.id]
    return bool(mine) and all(found.outcome is Outcome.PASSED for found in mine)


def _objection(task: Task, mine: _Judged) -> tuple[str, str]:
    for (role, split), found in sorted(mine.items()):
        passed = found.outcome is Outcome.PASSED
        said = f"{split}: {found.reason or found.outcome}"
        if role in _RIGHT and not passed:
            return "reference", f"does not pass ({role}, {said})"
        if role == "there" and not passed:
            return "wrong version", f"its answer fails in its own release ({said})"
        if role == "wrong" and (passed or found.outcome is Outcome.TIMEOUT):
            return "wrong version", "its answer does not fail here"
        if role == "before" and (passed or found.outcome is Outcome.TIMEOUT):
            return "wrong version", "the reference does not fail in the release before"
        if role == "elsewhere" and (passed or found.outcome is Outcome.TIMEOUT):
            return "wrong version", "the other release gives the same"
        if role in _HOLLOW and passed:
            return role, f"{_HOLLOW[role]} passes"
        if role.startswith(_SHUFFLED) and passed:
            return _SHUFFLED, "the answer to another task passes"
        if isinstance(found, Judgement) and role == "reference" and found.proof == UNPROVEN:
            return "proof", "neither decoys nor remote judging prove a pass"
    if ("fresh", Split.HIDDEN) not in mine:
        return "reference", "was not run"
    named = any(tests.style is TestStyle.LABELS for tests in task.tests)
    if task.wrong is None and task.facts.direction is not None and not named:
        return "wrong version", "there is none"
    return "", ""


def _mutation(task: Task, mine: _Judged) -> MutationScore:
    told = _told(task, mine)
    return scored([mutant for mutant, _ in told], [passed for _, passed in told])


def _told(task: Task, mine: _Judged) -> list[tuple[Mutant, bool]]:
    """The mutants that were run, and whether each passes."""
    mutants = mutants_of(task.reference, _MUTANTS)
    known = [mine.get((f"mutant {number}", Split.HIDDEN)) for number in range(len(mutants))]
    return [
        (mutant, judgement.outcome is Outcome.PASSED)
        for mutant, judgement in zip(mutants, known, strict=True)
        if judgement is not None
    ]


def _is_needless(task: Task, mine: _Judged) -> bool:
    """Whether a mutant passes that does not use at all what the task hides."""
    source = task.source.get(SUITE)
    symbol = str(source.get("symbol", "")) if isinstance(source, Mapping) else ""
    path, _, parameter = symbol.removesuffix(")").partition("(")
    name = parameter or path.rpartition(".")[2]
    if not name or uses(task.starter, name) or not uses(task.reference, name):
        return False
    return any(passed and not uses(mutant.code, name) for mutant, passed in _told(task, mine))


def uses(code: str, name: str) -> bool:
    """Whether code does more with a name than import it."""
    tree = parsed(code)
    if tree is None:
        return re.search(rf"\b{re.escape(name)}\b", code) is not None
    names = {name}
    for node in ast.walk(tree):
        if isinstance(node, ast.alias) and node.name.rpartition(".")[2] == name and node.asname:
            names.add(node.asname)
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=used) | ast.Attribute(attr=used) | ast.keyword(arg=used):
                if used in names:
                    return True
            case _:
                pass
    return False
