"""What can be asked of the store: a symbol's life and documents, differences, counts."""

from libdrift.history.questions.asking import check_version
from libdrift.history.questions.counting import Counts, stats
from libdrift.history.questions.diffs import Diff, DiffFilter, diff
from libdrift.history.questions.documents import SymbolDocument, document
from libdrift.history.questions.executed import SeenByRunning
from libdrift.history.questions.lives import DeprecationSpan, Life, VersionSpan, life
from libdrift.history.questions.suggestions import suggest

__all__ = [
    "Counts",
    "DeprecationSpan",
    "Diff",
    "DiffFilter",
    "Life",
    "SeenByRunning",
    "SymbolDocument",
    "VersionSpan",
    "check_version",
    "diff",
    "document",
    "life",
    "stats",
    "suggest",
]
