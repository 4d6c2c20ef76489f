"""What can be asked of the store: a symbol's life and documents, differences, counts."""

from libdrift.history.questions.asking import check_version
from libdrift.history.questions.counting import Counts, stats
from libdrift.history.questions.diffs import Diff, DiffFilter, diff
from libdrift.history.questions.documents import Document, document
from libdrift.history.questions.lives import Held, Life, Told, life
from libdrift.history.questions.suggestions import suggest

__all__ = [
    "Counts",
    "Diff",
    "DiffFilter",
    "Document",
    "Held",
    "Life",
    "Told",
    "check_version",
    "diff",
    "document",
    "life",
    "stats",
    "suggest",
]
