"""The nouns: frozen records that every room shares. Imports nothing of libdrift."""

from libdrift.records.answers import Attempt, Case, LeftOut, Outcome, Split, Verdict
from libdrift.records.changes import Change, ChangeKind
from libdrift.records.environment import Environment
from libdrift.records.scores import Score
from libdrift.records.surfaces import (
    Binding,
    Deprecation,
    Name,
    Origin,
    Parameter,
    ParameterKind,
    Provenance,
    Release,
    Signature,
    Surface,
    Symbol,
    SymbolKind,
    VersionNote,
)
from libdrift.records.tasks import Facts, Gap, Suite, Task, TaskKind, Tests, TestStyle, WrongAnswer

__all__ = [
    "Attempt",
    "Binding",
    "Case",
    "Change",
    "ChangeKind",
    "Deprecation",
    "Environment",
    "Facts",
    "Gap",
    "LeftOut",
    "Name",
    "Origin",
    "Outcome",
    "Parameter",
    "ParameterKind",
    "Provenance",
    "Release",
    "Score",
    "Signature",
    "Split",
    "Suite",
    "Surface",
    "Symbol",
    "SymbolKind",
    "Task",
    "TaskKind",
    "TestStyle",
    "Tests",
    "Verdict",
    "VersionNote",
    "WrongAnswer",
]
