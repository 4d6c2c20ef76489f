"""What a coding agent asks, answered for exactly one release: typed answers, no protocol.

Every answer says which release it was served from, why that one, and how well that release is
known. A release that is not there is read on the spot or refused: none is served in its place.
``code`` checks and edits code: it is imported where it is used, since that takes a second.
"""

from libdrift.jobs.answering.advice import CodeAnswer, CodeFinding, CodeQuestion, MigratedAnswer
from libdrift.jobs.answering.changing import ChangesAnswer, ChangesQuestion, changes
from libdrift.jobs.answering.context import AnswerContext, ServedRelease
from libdrift.jobs.answering.project import PinnedVersion, ProjectAnswer, project_versions
from libdrift.jobs.answering.searching import FoundSymbol, SearchAnswer, search_docs
from libdrift.jobs.answering.symbols import SymbolAnswer, SymbolQuestion, symbol_at

__all__ = [
    "AnswerContext",
    "ChangesAnswer",
    "ChangesQuestion",
    "CodeAnswer",
    "CodeFinding",
    "CodeQuestion",
    "FoundSymbol",
    "MigratedAnswer",
    "PinnedVersion",
    "ProjectAnswer",
    "SearchAnswer",
    "ServedRelease",
    "SymbolAnswer",
    "SymbolQuestion",
    "changes",
    "project_versions",
    "search_docs",
    "symbol_at",
]
