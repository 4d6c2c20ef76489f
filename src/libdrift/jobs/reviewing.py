"""A person's decisions on tasks: kept line by line beside their file, and undone the same way.

``FILE.review.jsonl`` is only ever appended to. The last line on a task counts; a line with the
decision ``undo`` takes the one before it back. A decision is on one text: a task that was changed
since has none.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

import msgspec

from libdrift import config, suites
from libdrift.errors import InfrastructureError, UserError
from libdrift.execution.runs import mend, provenance
from libdrift.jobs.listening import Listener
from libdrift.records import Suite, Task
from libdrift.scoring import Runner, RunOptions
from libdrift.suites import task_files

ENDING = ".review.jsonl"


class ReviewDecision(StrEnum):
    ACCEPT = "accept"
    REJECT = "reject"
    UNDO = "undo"


class ReviewLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the file of decisions."""

    task_id: str
    decision: ReviewDecision
    task: str  # a hash of the task that was looked at
    reason: str = ""
    who: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class TaskEvidence:
    """What a person is shown of a task: how its programs fare, in which release."""

    title: str
    verdict: str


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    tasks: int
    accepted: int
    rejected: int

    @property
    def open(self) -> int:
        return self.tasks - self.accepted - self.rejected

    def to_json(self) -> dict[str, int]:
        return {
            "tasks": self.tasks,
            "accepted": self.accepted,
            "rejected": self.rejected,
            "open": self.open,
        }


class TaskReview:
    """The tasks of a file with the decisions on them."""

    def __init__(self, path: Path, who: str = "") -> None:
        self.suite: Suite = suites.read_own(str(path))
        self.path = path
        place = path.resolve() if path.is_dir() else path  # `.` has a name then
        self.decisions_file = place.with_name(place.name.removesuffix(task_files.ENDING) + ENDING)
        self._who = who
        self._hashes = {name: _hash(task) for name, task in self.suite.tasks.items()}
        self._lines: list[ReviewLine] = self._read()

    def _read(self) -> list[ReviewLine]:
        found: list[ReviewLine] = []
        mend(self.decisions_file)
        with contextlib.suppress(FileNotFoundError), self.decisions_file.open("rb") as file:
            for number, text in enumerate(file, start=1):
                try:
                    found.append(_DECODER.decode(text))
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    raise UserError(
                        f"{self.decisions_file}:{number}: not a decision ({error})",
                        "Fix or delete this line",
                    ) from error
        return found

    @property
    def decisions(self) -> dict[str, ReviewLine]:
        """The decision on each task that has one, as the lines stand now."""
        stacks: dict[str, list[ReviewLine]] = {}
        for line in self._lines:
            stack = stacks.setdefault(line.task_id, [])
            if line.decision is ReviewDecision.UNDO:
                stack[-1:] = []
            else:
                stack.append(line)
        return {
            name: stack[-1]
            for name, stack in stacks.items()
            if stack and stack[-1].task == self._hashes.get(name)
        }

    def waiting(self) -> Iterator[Task]:
        """The tasks without a decision, in the file's order."""
        decided = self.decisions
        return (task for task in self.suite.tasks.values() if task.id not in decided)

    def decide(self, task_id: str, decision: ReviewDecision, reason: str = "") -> None:
        line = ReviewLine(
            task_id,
            decision,
            self._hashes[task_id],
            reason,
            self._who,
            datetime.now(UTC).isoformat(timespec="seconds"),
        )
        try:
            with self.decisions_file.open("ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")
        except OSError as error:
            raise InfrastructureError(
                f"cannot write to {self.decisions_file}: {error.strerror}", "Free some space"
            ) from error
        self._lines.append(line)

    def undo(self) -> str:
        """Take the last decision that stands back; whose it was, empty where there is none."""
        standing = self.decisions
        for line in reversed(self._lines):
            if standing.get(line.task_id) is line:
                self.decide(line.task_id, ReviewDecision.UNDO)
                return line.task_id
        return ""

    @property
    def counts(self) -> ReviewCounts:
        found = [line.decision for line in self.decisions.values()]
        return ReviewCounts(
            len(self.suite.tasks),
            found.count(ReviewDecision.ACCEPT),
            found.count(ReviewDecision.REJECT),
        )

    def export(self, path: Path, *, force: bool = False) -> int:
        """Write the tasks that were accepted, one by one, as a file of tasks."""
        if path.suffix != task_files.ENDING:
            raise UserError(f"{path} does not end in .jsonl", "Write it like accepted.jsonl")
        if path.exists() and not force:
            raise UserError(f"{path} already exists", "Choose another file, or add --force")
        decided = self.decisions
        accepted = [
            task
            for task in self.suite.tasks.values()
            if task.id in decided and decided[task.id].decision is ReviewDecision.ACCEPT
        ]
        if not accepted:
            raise UserError("no task was accepted", f"Run: libdrift build review {self.path}")
        about = {**provenance(), "reviewed": str(self.path), **self.counts.to_json()}
        return task_files.write(path, self.suite.name, self.suite.title, accepted, about)


def review_tasks(path: str | Path, who: str = "") -> TaskReview:
    """The tasks of a file with the decisions that people made on them, to be gone on with."""
    return TaskReview(Path(path), who)


_DECODER = msgspec.json.Decoder(ReviewLine)


def _hash(task: Task) -> str:
    return sha256(repr(task).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def evidence(
    task: Task, running: RunOptions | None = None, listener: Listener | None = None
) -> list[TaskEvidence]:
    """How a task's reference and its wrong-version answer fare, here and there, by running them."""
    from libdrift.build.recipes.executing import job_of
    from libdrift.build.recipes.places import place_before
    from libdrift.execution import run_jobs

    jobs = []
    for tests in task.tests:
        if task.reference.strip():
            jobs.append(job_of(("reference", tests.split), task, tests, task.reference))
        if task.wrong is not None:
            for title, place in (("here", None), ("there", task.wrong.environment)):
                key = (f"wrong-version answer {title}", tests.split)
                jobs.append(job_of(key, task, tests, task.wrong.code, place))
        earlier = place_before(task)
        if earlier is not None:
            key = (f"reference at {task.facts.from_version}", tests.split)
            jobs.append(job_of(key, task, tests, task.reference, earlier))
    if not jobs:
        return [TaskEvidence("judged by its text", "nothing is run")]
    runner = Runner(config.load(), running or RunOptions(), listener or Listener())
    with runner.open() as options, contextlib.closing(run_jobs(jobs, options)) as results:
        found = {
            job.key: f"{judged.outcome}{f': {judged.reason}' if judged.reason else ''}"
            for job, judged in results
        }
    return [TaskEvidence(f"{key[0]} ({key[1]})", found[key]) for key in (job.key for job in jobs)]
