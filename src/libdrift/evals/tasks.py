"""A suite as a task of Inspect's: one sample an item, however many answers are asked of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from inspect_ai import Task as InspectTask
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from libdrift.evals.asking import opening
from libdrift.evals.session import EvalSession
from libdrift.evals.strategies import StrategyAnswer
from libdrift.records import Task

_ANSWERS = "libdrift:answers"


def inspect_task(session: EvalSession, tasks: Sequence[Task]) -> InspectTask:
    name = session.room.suite.name
    return InspectTask(
        dataset=MemoryDataset([_sample(session, task) for task in tasks], name=name),
        solver=answering(session),
        scorer=judged(session),
        name=name,
    )


def _sample(session: EvalSession, task: Task) -> InspectSample:
    facts = task.facts
    known = {
        "library": facts.library,
        "version": facts.version,
        "change": facts.change.value if facts.change else None,
        "kind": task.kind.value,
    }
    return InspectSample(
        id=task.id,
        input=opening(session.strategy.shown(task)),
        metadata={name: value for name, value in known.items() if value},
    )


@solver(name="answering")
def answering(session: EvalSession) -> Solver:
    """Ask by the session's strategy."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # strategies ask by themselves: several times, or with tools
        await session.ready()
        task = session.room.suite.tasks[str(state.sample_id)]
        answers = await session.answer(task, state.epoch)
        state.metadata[_ANSWERS] = [
            {"sample": sample, "answer": one.text, **dict(one.notes)} for sample, one in answers
        ]
        first = answers[0][1].text if answers else ""
        state.output = ModelOutput.from_content(session.channel.name, first)
        state.completed = True
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]}, name="judged")
def judged(session: EvalSession) -> Scorer:
    """Run answers in their exact environments, or compare their text, as `libdrift score` does."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # references stay out of the log
        task = session.room.suite.tasks[str(state.sample_id)]
        kept: list[dict[str, Any]] = state.metadata.get(_ANSWERS, [])
        answers = [(item["sample"], StrategyAnswer(item["answer"])) for item in kept]
        values = await session.grade(task, answers)
        # The same names for every sample, as Inspect wants it; what has no value is not a number.
        known = {name: values.get(name) for name in session.metrics}
        filled = {name: math.nan if one is None else one for name, one in known.items()}
        return Score(value=filled, answer=state.output.completion)

    return score
