"""How a task of the JDK counts as proven: by the compiler, for both releases."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial

from libdrift.build.live.compiled import (
    ANOTHERS,
    MARK,
    REFERENCE,
    ProofTrial,
    fails,
    passes,
    shuffled,
)
from libdrift.build.live.java_changes import LEAVING, TOLD, compiles_cleanly, java
from libdrift.build.live.java_programs import SAMPLE
from libdrift.records import ChangeKind, Outcome, Task, TestStyle
from libdrift.sandbox import Judgement, Program
from libdrift.scoring.verdicts import program_for


def trials(task: Task, tasks: Sequence[Task]) -> list[ProofTrial]:
    """How the compiler must take a task's programs, in both releases, and what no answer may do."""
    told = task.source[MARK]
    tests = task.tests[0]
    assert task.facts.from_version is not None  # noqa: S101  (every task here has it)
    origin = java(task.facts.from_version)
    given = Program(task.starter, "", TestStyle.COMPILE)
    lines = frozenset(map(int, told["lines"].split(",")))
    at_target = partial(
        _is_at_stake, lines=lines, leaving=task.facts.change is ChangeKind.DEPRECATED
    )
    found = [
        ProofTrial("compiles where it is from", origin, given, compiles_cleanly, decisive=True),
        ProofTrial("is refused where it goes", task.environment, given, at_target, decisive=True),
        _trial(task, REFERENCE, task.reference, passes),
    ]
    if tests.style is TestStyle.LABELS:
        every = json.dumps({name: {"kind": "deprecation"} for name in told["uses"].split(",")})
        bad = {"empty answer passes": "[]", "naming everything passes": every}
    else:
        right = Program(task.reference, "", TestStyle.COMPILE)
        found.append(
            ProofTrial("reference is deprecated", task.environment, right, compiles_cleanly)
        )
        bad = {
            "empty answer passes": f"public class {SAMPLE} {{\n}}\n",
            "what is given passes": task.starter,
        }
    other = shuffled(task, tasks)
    if other:
        bad[ANOTHERS] = other
    return [*found, *(_trial(task, gate, code, fails) for gate, code in bad.items())]


def _trial(task: Task, gate: str, code: str, verdict: Callable[[Judgement], str]) -> ProofTrial:
    program = program_for(task, task.tests[0], code)
    return ProofTrial(gate, task.environment, program, verdict, task.reference)


def _is_at_stake(judgement: Judgement, lines: frozenset[int], *, leaving: bool) -> str:
    """Whether the compiler objects to the label, and to nothing else; why not, if it does not."""
    said = list(TOLD.finditer(judgement.log))
    errors = {int(one[2]) for one in said if one[1] == "error"}
    warned = {int(one[2]) for one in said if LEAVING.search(one[3])}
    if leaving and judgement.outcome is not Outcome.PASSED:
        return judgement.reason or judgement.outcome
    if not leaving and judgement.outcome is not Outcome.FAILED:
        return "it compiles there as well"
    objected = warned if leaving else errors | warned
    if not objected:
        return "nothing is said of it"
    return "" if objected <= lines else "something else changed as well"
