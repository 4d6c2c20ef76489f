"""The nouns: frozen records that every room shares. Imports nothing of libdrift."""

from libdrift.records.answers import Attempt, Case, LeftOut, Outcome, Split, Verdict
from libdrift.records.changes import ChangeKind
from libdrift.records.environment import Environment
from libdrift.records.scores import Score
from libdrift.records.tasks import Facts, Suite, Task, TaskKind, Tests, TestStyle, WrongAnswer

__all__ = [
    "Attempt",
    "Case",
    "ChangeKind",
    "Environment",
    "Facts",
    "LeftOut",
    "Outcome",
    "Score",
    "Split",
    "Suite",
    "Task",
    "TaskKind",
    "TestStyle",
    "Tests",
    "Verdict",
    "WrongAnswer",
]
