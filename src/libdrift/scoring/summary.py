"""The summary of a run: counts, scores, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from libdrift.records import Outcome, Score, Split, Suite, TaskKind, TestStyle, Verdict
from libdrift.scoring.answers import Answers
from libdrift.scoring.descriptions import tasks_left_out
from libdrift.scoring.rates import part_of
from libdrift.scoring.text_runs import TextRun
from libdrift.showing import counted

_LISTED = 1000
TEXT = "text"  # the part of answers that are judged by their text


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in numbers. ``to_json`` has the shape of the command contract."""

    run: str
    suite: str
    tasks: int
    attempts: int
    outcomes: dict[str, dict[str, int]]  # split → outcome → count
    scores: tuple[Score, ...]
    left_out: tuple[dict[str, Any], ...]  # of very many, the first thousand
    unanswered: tuple[str, ...]  # of very many, the first thousand
    reasons: tuple[str, ...] = ()  # why attempts did not pass, a line each
    proofs: dict[str, int] | None = None  # passes of programs by how they are proven
    without_truth: int = 0  # answers whose ground truth calls nothing: in no fixed API hit rate
    unverified: dict[str, int] | None = None  # answers and tasks that --verified set aside
    left_out_count: int = 0
    unanswered_count: int = 0
    odd: dict[str, int] | None = None  # answers that cannot be right: empty, binary, too long
    few: dict[int, int] | None = None  # k → tasks with fewer samples
    # Of somebody's own file or folder: the tasks that could not be used, and their number.
    bad_tasks: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "suite": self.suite,
            "tasks": self.tasks,
            "attempts": self.attempts,
            # Per attempt, on the hidden tests; the other splits stand below.
            "outcomes": self._primary(),
            "outcomes_by_split": self.outcomes,
            "scores": [asdict(score) for score in self.scores],
            "left_out": list(self.left_out),
            "left_out_count": self.left_out_count,
            "unanswered": list(self.unanswered),
            "unanswered_count": self.unanswered_count,
            "proofs": self.proofs,
            "without_api_truth": self.without_truth,
            "unverified": self.unverified,
            "odd_answers": self.odd,
            "tasks_with_fewer_samples": self.few,
            **(self.bad_tasks or {}),
        }

    def _primary(self) -> dict[str, int]:
        for primary in (Split.HIDDEN.value, TEXT):
            if primary in self.outcomes:
                return self.outcomes[primary]
        counts: Counter[str] = Counter()
        for found in self.outcomes.values():  # kinds of tasks, each attempt in one of them
            counts.update(found)
        return dict(counts)

    @property
    def bad_task_count(self) -> int:
        return int((self.bad_tasks or {}).get("tasks_left_out_count", 0))

    @property
    def trouble(self) -> list[str]:
        """The reasons that are the machine's, or of environments that cannot be had."""
        return [line for line in self.reasons if f": {Outcome.INFRASTRUCTURE.value}: " in line]

    def count(self, outcome: Outcome) -> int:
        return sum(counts.get(outcome, 0) for counts in self.outcomes.values())

    def rate(self, split: str) -> Score | None:
        return self.metric("success_rate", split)

    def metric(self, metric: str, split: str = "", group: str = "all") -> Score | None:
        """A metric over all tasks, or a group of them; ``None`` if the run has none."""
        wanted = (metric, split, group)
        return next((s for s in self.scores if (s.metric, s.split, s.group) == wanted), None)


def summarise(
    run: str,
    suite: Suite,
    answers: Answers,
    verdicts: Sequence[Verdict],
    scores: Sequence[Score],
    without_truth: int = 0,
) -> Summary:
    aside = answers.set_aside
    return Summary(
        run=run,
        suite=suite.name,
        tasks=len({attempt.task_id for attempt in answers.attempts}),
        attempts=len(answers.attempts),
        outcomes=_outcomes(verdicts, part_of(suite)),
        scores=tuple(scores),
        left_out=tuple(asdict(item) for item in answers.left_out),
        left_out_count=len(answers.left_out),
        unanswered=answers.unanswered,
        unanswered_count=len(answers.unanswered),
        reasons=_reasons(verdicts),
        proofs=_proofs(verdicts),
        without_truth=without_truth,
        bad_tasks=tasks_left_out(suite),
        unverified={"answers": len(aside), "tasks": len({a.task_id for a in aside})}
        if aside
        else None,
    )


def _outcomes(
    verdicts: Sequence[Verdict], part: Callable[[Verdict], str]
) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        counts.setdefault(part(verdict), Counter())[verdict.outcome.value] += 1
    order = [*Split, TaskKind.LOCATE, TaskKind.EXPLAIN, *TaskKind, TestStyle.COMPILE]
    return {
        name: {o.value: found[o.value] for o in Outcome if found[o.value]}
        for name, found in sorted(counts.items(), key=lambda item: order.index(item[0]))
    }


def _reasons(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Each reason once, with the first that it is of, and how many others."""
    alike: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.outcome is not Outcome.PASSED:
            # Environments fail for one reason, such as a network that is down.
            what = verdict.reason
            key = what.partition(": ")[2] if what.startswith("no environment for ") else what
            alike.setdefault((verdict.outcome.value, key), []).append(verdict)
    lines = []
    for (outcome, _), group in alike.items():
        first = group[0]
        others = f" and {counted(len(group) - 1, 'other')}" if len(group) > 1 else ""
        lines.append(f"{first.task_id} ({first.split.value}){others}: {outcome}: {first.reason}")
    return tuple(lines)


def _proofs(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """Passes by how they are proven, decoys however many taken together."""
    passed = (v.proof for v in verdicts if v.outcome is Outcome.PASSED)
    ways = (proof.partition("(")[0] for proof in passed if proof is not None)
    return dict(sorted(Counter(ways).items(), reverse=True))


def summarise_texts(
    run: str, suite: Suite, found: TextRun, verdicts: Sequence[Verdict] = ()
) -> Summary:
    """Of answers that were judged by their text: an exact match has passed.

    ``verdicts`` are those on tasks that have tests beside.
    """
    unanswered = (name for name in suite.tasks if name not in found.answered)
    outcomes = {"passed": found.right, "failed": found.attempts - found.right}
    return Summary(
        run=run,
        suite=suite.name,
        tasks=found.tasks,
        attempts=found.attempts,
        outcomes={
            TEXT: {name: count for name, count in outcomes.items() if count},
            **_outcomes(verdicts, part_of(suite)),
        },
        scores=found.scores,
        left_out=tuple(asdict(item) for item in found.left_out),
        left_out_count=found.left_out_count,
        unanswered=tuple(islice(unanswered, _LISTED)),
        unanswered_count=len(suite.tasks) - len(found.answered),
        odd=dict(found.odd) or None,
        few=dict(found.few) or None,
        reasons=_reasons(verdicts),
        proofs=_proofs(verdicts),
        bad_tasks=tasks_left_out(suite),
    )
