"""What a recipe asks for, one thing at a time, and how a reply is repaired until it holds."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from libdrift.execution import Job
from libdrift.execution.outputs import Observed, ScriptRun
from libdrift.records import Task
from libdrift.sandbox import Judgement

_Value = TypeVar("_Value")
_SHOWN = 3000  # characters of an error or a reply that a model is shown again

SYSTEM = (
    "You write material for a benchmark of code that must work with exactly one version of a "
    "library. Keep to the form that you are asked for, and add nothing around it."
)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A question for the model, sent its reply as a text."""

    stage: str
    prompt: str
    attempt: int = 0  # of this stage: from 1 on it is a repair
    fault: str = ""  # of the reply before, which is to be repaired


@dataclass(frozen=True, slots=True)
class ScriptRequest:
    """Scripts to run in their environments, sent what each of them did."""

    stage: str
    runs: tuple[ScriptRun, ...]


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """Programs to judge by their tests, sent the judgement of each by its key."""

    stage: str
    jobs: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class ReplyFault:
    """What is wrong with a reply, in words that the model is told."""

    reason: str


@dataclass(frozen=True, slots=True)
class RejectedProduct:
    """Why nothing came of a start; ``stage`` is where it ended."""

    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class MadeTasks:
    tasks: tuple[Task, ...]


Request = ModelRequest | ScriptRequest | JudgeRequest
Steps = Generator[Request, Any, MadeTasks | RejectedProduct]
Part = Generator[Request, Any, _Value]


@dataclass(frozen=True, slots=True)
class RecipeStart:
    """One thing that a recipe makes tasks of. Its ``id`` is the same in every run."""

    id: str
    begin: Callable[[], Steps] = field(compare=False, repr=False)
    about: str = ""  # for people: which API, which example


class Executor(Protocol):
    """Who runs programs for recipes and gates."""

    def observe(self, runs: tuple[ScriptRun, ...]) -> Mapping[ScriptRun, Observed]: ...

    def judge(
        self, jobs: tuple[Job, ...], *, fresh: bool = False
    ) -> Mapping[tuple[str, ...], Judgement]:
        """``fresh``: each in a process of its own, and not in a fork of a warm one."""
        ...


class MachineTrouble(Exception):  # noqa: N818  (not the recipe's error, and not the model's)
    """Nothing could be run: what is being made is neither good nor bad."""


def accepted(_value: object) -> Part[str]:
    """A check of nothing more than what the reading did."""
    return ""
    yield  # a generator, as all checks are


def repaired(
    stage: str,
    prompt: str,
    read: Callable[[str], _Value | ReplyFault],
    check: Callable[[_Value], Part[str]] = accepted,
    attempts: int = 3,
) -> Part[_Value | RejectedProduct]:
    """Ask until a reply can be read and holds; each time with what was wrong the time before."""
    asked, why = prompt, ""
    for attempt in range(attempts + 1):
        reply: str = yield ModelRequest(stage, asked, attempt, why)
        value = read(reply)
        if isinstance(value, ReplyFault):
            why = value.reason
        else:
            why = yield from check(value)
            if not why:
                return value
        asked = f"{prompt}\n\n{again(reply, why)}"
    return RejectedProduct(stage, why)


def again(reply: str, why: str) -> str:
    """What follows a prompt whose last reply did not do."""
    return (
        f"Your last reply was:\n<reply>\n{shortened(reply)}\n</reply>\n\n"
        f"It cannot be used: {shortened(why)}\n"
        "Mend this, and give the whole reply again in the form that was asked for."
    )


def shortened(text: str) -> str:
    """A text with its middle left out where it is long: errors stand at its ends."""
    if len(text) <= _SHOWN:
        return text
    half = _SHOWN // 2
    return f"{text[:half]}\n[…]\n{text[-half:]}"
