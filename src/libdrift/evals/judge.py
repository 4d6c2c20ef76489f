"""What a model as judge is asked, of answers and of tasks, and how its verdict is read.

A question gets yes, no, or no verdict: what cannot be read as one of the first two is the last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from libdrift.evals import prompts
from libdrift.evals.asking import AskedSample
from libdrift.evals.ledger import digest
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import unwrapped
from libdrift.records import Task, TaskKind
from libdrift.scoring.answers import refusal

_LONGEST = 16_000  # characters of a text that a judge is shown
_REASON = 500  # characters of a reason that are kept
# A line that is a verdict, with what may stand around it: "**Verdict:** no, because …".
_WORD = re.compile(
    r"[\s*_#>`]*(?:(?:(?:so|therefore|my|the|final)\W+)*(?:answer|verdict|judge?ment)\W+(?:is\W+)?)?"
    r"(yes|no)\s*(?:$|[^\w\s].*)",
    re.IGNORECASE,
)

_SAME = "Does the answer say the same as the expected one?"
_LOCATE = (
    "It does if it names the same APIs as the ones that changed, no more and no fewer. The order, "
    "arguments, and usual short names of modules (np, pd, tf) make no difference."
)
_EXPLAIN = (
    "It does if it tells, for every API expected, the same kind of change, the same replacement, "
    "and the same version wherever the expected answer names one. The wording makes no difference; "
    "a statement that contradicts the expected answer does."
)
_COMPLETION = (
    "It does if, put where something is missing, it makes the code do the same with the given "
    "versions as the expected one. Layout, and names that it makes up itself, make no difference."
)
_PROGRAM = (
    "It does if it is a whole program that does what the task asks for with the given versions, "
    "with the same results as the expected one. It may well be written in another way."
)


# What CODEMENV's program asks, in our words: a list of every name is right by the first.
_RELEASED = {
    TaskKind.LOCATE: (
        "Are the expected APIs among those that the answer names? They are if it names each of "
        "them, whatever else it names. Arguments, and usual short names of modules, make no "
        "difference."
    ),
    TaskKind.EXPLAIN: (
        "Does the answer name each of the expected APIs, and is what it says of their change, "
        "taken loosely, what is expected? It is if the two are related, or differ in a little; it "
        "is not if they have nothing to do with each other."
    ),
}


class Rules(StrEnum):
    """What a judge goes by."""

    OWN = "own"  # the same as the expected answer, no more and no less
    RELEASED = "released"  # CODEMENV's lenient ones, for locating and explaining


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing to ask of a task, and which reply speaks for the task."""

    name: str
    question: str
    good: bool = True


ASPECTS = (
    Aspect(
        "clear",
        "Is the statement clear: could a good programmer tell from it what the code must do?",
    ),
    Aspect(
        "solvable",
        "Is the task solvable from what candidates are given, so that an answer which does what "
        "it says would do the same as the expected one?",
    ),
    Aspect(
        "gives itself away",
        "Does what candidates are given tell them the answer, such as the very call that the "
        "expected answer turns on?",
        good=False,
    ),
    Aspect(
        "version-sensitive",
        "Is the task version-sensitive: would code that is right for some other release of the "
        "library be wrong for the one given here, in just what this task asks for?",
    ),
)


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """What a judge is asked, and what stands beside its verdict."""

    place: AskedSample  # the sample is an answer's number, or an aspect's
    prompt: Prompt
    about: str = ""  # the aspect of a task
    strict: bool | None = None  # what libdrift's own rules say
    settled: str = ""  # why the verdict is no, without asking

    @property
    def digest(self) -> str:
        return digest([self.prompt.system, self.prompt.user])


# --- questions


def has_rules(task: Task, rules: Rules) -> bool:
    """Whether such rules say anything of a task's answers: they all need an expected one."""
    return bool(task.reference.strip()) and (rules is Rules.OWN or task.kind in _RELEASED)


def of_answer(
    task: Task,
    sample: int,
    text: str,
    *,
    strict: bool | None = None,
    rules: Rules = Rules.OWN,
) -> JudgeQuestion:
    """Whether an answer says the same as the task's reference, or what other rules ask."""
    place = AskedSample(task.id, sample)
    refused = refusal(text)
    if refused:
        return JudgeQuestion(place, Prompt(""), strict=strict, settled=refused)
    prompt = _fenced(
        "judge_answer",
        {"task": _given(task), "expected": task.reference, "answer": text},
        criterion=_RELEASED[task.kind] if rules is Rules.RELEASED else _criterion(task),
    )
    return JudgeQuestion(place, prompt, strict=strict)


def of_task(task: Task) -> list[JudgeQuestion]:
    """The questions on a task's quality, one by one: a reply to several favours the first."""
    texts = {"task": _given(task), "expected": task.reference}
    return [
        JudgeQuestion(
            AskedSample(task.id, number),
            _fenced("judge_task", texts, question=aspect.question),
            aspect.name,
        )
        for number, aspect in enumerate(ASPECTS)
    ]


def _criterion(task: Task) -> str:
    if task.kind is TaskKind.LOCATE:
        return f"{_SAME} {_LOCATE}"
    if task.kind is TaskKind.EXPLAIN:
        return f"{_SAME} {_EXPLAIN}"
    return f"{_SAME} {_PROGRAM if task.gap is None or not task.gap.mask else _COMPLETION}"


def _given(task: Task) -> str:
    """What candidates are told, whichever way they are asked."""
    code = task.starter
    if task.gap is not None and task.gap.mask:
        # Of long code, what is near the gap.
        before, mask, after = code.partition(task.gap.mask)
        half = _LONGEST // 4
        code = f"{before[-half:]}{mask}{after[:half]}"
        code += f"\n\n{task.gap.mask} stands for what is missing."
    installed = prompts.versions(task, prompts.pins(task))
    parts = (task.problem.strip(), installed, code.strip("\n"))
    return "\n\n".join(part for part in parts if part)


def _fenced(template: str, texts: dict[str, str], **words: str) -> Prompt:
    """A prompt in which every text stands between marks that none of them contains."""
    shown = {name: _shown(text) for name, text in texts.items()}
    mark = digest(list(shown.values()))[:16]
    while any(mark in text for text in shown.values()):
        mark = digest([mark, *shown.values()])[:16]
    cut = any(len(text) > _LONGEST for text in texts.values())
    return Prompt(prompts.text(template, mark=mark, **shown, **words), cut=cut)


def _shown(text: str) -> str:
    """A text with what is too much for a judge left out in its middle."""
    plain = text.encode("utf-8", "replace").decode()  # data may hold what no encoding has
    if len(plain) <= _LONGEST:
        return plain
    half = _LONGEST // 2
    left_out = f"\n[{len(plain) - 2 * half:,} characters are left out here]\n"
    return plain[:half] + left_out + plain[-half:]


# --- verdicts


def verdict_in(reply: str) -> tuple[bool | None, str]:
    """Yes or no with its reason, from JSON or from words; ``None`` for all that is neither.

    A verdict stands at a reply's beginning or end. What is between may be quoted from the text
    that is judged, and two that differ are none.
    """
    whole = _said(reply)
    if whole is not None:
        return whole
    lines = [line for line in reply.splitlines() if line.strip(" `*")]
    if not lines:
        return None, "the reply is empty"
    opening, brace, _ = reply.partition("}\n")
    pieces = (lines[0], lines[-1], opening + brace, reply[reply.rfind("{") :])
    found = [said for piece in pieces if (said := _said(piece)) is not None]
    if len({verdict for verdict, _ in found}) != 1:
        return None, f"neither yes nor no: {_flat(reply)}"
    return found[0][0], next((reason for _, reason in found if reason), _flat(reply))


def _said(text: str) -> tuple[bool, str] | None:
    """The verdict that a text is, as JSON or as one line."""
    told = unwrapped(text) if text.rstrip("` \n").endswith("}") else None
    answer, reason = told or (text.strip(), "")
    match = _WORD.fullmatch(answer)
    if match is None:
        return None
    return match[1].lower() == "yes", _flat(reason if told else text)


def _flat(text: str) -> str:
    """In one line, and without what a terminal would take for a command."""
    words = " ".join(text.split())
    return "".join(filter(str.isprintable, words))[:_REASON]
