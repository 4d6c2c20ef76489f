"""What to search for, made only of what a candidate may see of a task."""

from __future__ import annotations

import re
from dataclasses import dataclass

from libdrift.history.spelling import mined_as
from libdrift.languages.python.usage import Mentions
from libdrift.languages.python.usage.imports import without_imports
from libdrift.metrics.names import bare
from libdrift.records import Gap, Task, TaskKind
from libdrift.retrieval.endings import scope_of, thing_of
from libdrift.retrieval.mentioned import mentioned

_NEAR = 1500  # characters before a gap that tell what belongs there
_BEHIND = 300
_LINES = 3  # just before a gap
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n\s*\n")
_DOCSTRING = re.compile(r'"""(.*?)"""|\'\'\'(.*?)\'\'\'', re.DOTALL)
_COMMENT = re.compile(r"#+[ \t]*([^\n]*)")
_MOVES = frozenset({TaskKind.MIGRATE, TaskKind.LOCATE, TaskKind.EXPLAIN})
_SLASHES = re.compile(r"//[/!]*[ \t]*([^\n]*)")
_DEFINED = re.compile(
    r"^[ \t]*(?:(?:async|pub|const|unsafe)[ \t]+)*(?:def|fn)[ \t]+(\w+)[^(\n]*\(([^)]*)",
    re.MULTILINE,
)
_CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)", re.MULTILINE)
_PARAMETER = re.compile(r"(?:^|,)\s*\**(\w+)")
_TICKED = re.compile(r"`+(\w+)`+")
_PASSED = re.compile(r"\b([a-z_]\w*)=(?=[\w\"'\[({-])")
_PATH = re.compile(r"[^\W\d]\w*(?:\.\w+)+")


@dataclass(frozen=True, slots=True)
class Query:
    """What is wanted of one release.

    Each part is a search of its own: a document that answers to several of them comes first.
    """

    package: str
    version: str
    text: str  # all of it, for searching by meaning
    name: str = ""  # what may be its very name
    prose: str = ""  # what is to be done
    focus: str = ""  # the sentences of it that name the library
    inside: str = ""  # the function that is to be written, or has the gap
    parameters: str = ""  # of that function
    keywords: tuple[str, ...] = ()  # that the text passes: `dropna=False`
    near: str = ""  # code just before the gap
    named: tuple[str, ...] = ()  # paths that the code imports or uses
    imported: tuple[str, ...] = ()  # of these, what imports bind
    unused: tuple[str, ...] = ()  # and of these, what the code does nothing with yet
    returned: tuple[str, ...] = ()  # classes of what is to be made
    given: tuple[str, ...] = ()  # classes of what there is: their members are near at hand
    scope: str = ""  # what the answer begins with, where a gap's root tells it
    moves: bool = False  # whether the code is there, and is to work with this release
    opened: str = ""  # what the code breaks off at: a name, or a call with open parentheses


def query(text: str, package: str, version: str) -> Query:
    """Any text as a query: a question, names, an error's message."""
    prose = _without(text, package, version)
    passed = tuple(dict.fromkeys(_PASSED.findall(text)))
    return Query(
        package, version, text, prose=prose, keywords=passed, named=tuple(_PATH.findall(text))
    )


def query_for(task: Task) -> Query:
    """From the problem, the starting code, the library and its version; from nothing else."""
    library, version = task.facts.library, task.facts.version
    before, behind = _sides(task)
    seen = mentioned(task.starter, task.language)
    docs = [one or other for one, other in _DOCSTRING.findall(before)]
    comment = _COMMENT if task.language == "python" else _SLASHES
    comments = comment.findall(_DOCSTRING.sub("", before))
    if task.gap is not None:
        docs, comments = docs[-1:], comments[-_LINES:]
    name, inner = next(reversed(_DEFINED.findall(before)), ("", ""))
    parameters = _PARAMETER.findall(inner)
    # What the code calls its own values is no word of the library.
    problem = _TICKED.sub(lambda word: " " if word[1] in parameters else word[0], task.problem)
    moves = task.kind in _MOVES
    if moves:  # what is asked is the same of all code; what the code names is what matters
        problem = ""
    return Query(
        mined_as(library, task.language),
        version,
        text="\n".join([f"{library} {version}", task.problem, before, behind]).strip(),
        prose=_without(" ".join([problem, *docs, *comments]), library, version),
        focus=_without(_focus(problem, library, seen), library, version),
        inside=" ".join([name, *_CLASS.findall(before)[-1:]]),
        parameters=" ".join(parameters),
        keywords=tuple(dict.fromkeys(_PASSED.findall(problem))),
        near="\n".join(before.splitlines()[-_LINES:]) if task.gap is not None else "",
        named=tuple(dict.fromkeys([*seen.used, *seen.aliases.values()])),
        imported=tuple(seen.aliases.values()),
        unused=_unused(task.starter, seen),
        returned=seen.returned,
        given=seen.types,
        scope=_scope(task.gap, seen.aliases) or scope_of(before, seen),
        moves=moves,
        opened=thing_of(before, seen) if task.gap is None else "",
    )


def _sides(task: Task) -> tuple[str, str]:
    """The code before the gap, where there is one, with the root that is shown; and behind it."""
    gap = task.gap
    if gap is None or not gap.mask or gap.mask not in task.starter:
        return task.starter, ""
    before, _, behind = task.starter.partition(gap.mask)
    opens = "" if before.endswith(gap.hint) else gap.hint
    return before[-_NEAR:] + opens, (gap.near or behind)[:_BEHIND]


def _scope(gap: Gap | None, aliases: dict[str, str]) -> str:
    """What the gap's root stands for: ``plt`` is ``matplotlib.pyplot``.

    Where the import is cut off, one of the names that an API may start with is as good.
    """
    if gap is None or not gap.hint:
        return ""
    root, dot, rest = gap.hint.partition(".")
    return f"{aliases.get(root, root)}{dot}{rest}" if root in {*aliases, *gap.aliases} else ""


def _unused(code: str, seen: Mentions) -> tuple[str, ...]:
    """Imports that no line uses: they are there for what is to be written."""
    rest = without_imports(bare(code))
    return tuple(
        path
        for name, path in seen.aliases.items()
        if not re.search(rf"(?<![\w.]){re.escape(name.partition('.')[0])}(?!\w)", rest)
    )


def _focus(problem: str, package: str, seen: Mentions) -> str:
    """The sentences that name the library, or what the code takes from it."""
    paths = [*seen.aliases, *seen.aliases.values(), *seen.types]
    known = {path.rpartition(".")[2] for path in paths} | {package, package.rstrip("0123456789")}
    names = "|".join(re.escape(name) for name in sorted(known) if name)
    told = re.compile(rf"\b(?:{names})s?\b", re.IGNORECASE)
    return " ".join(part for part in _SENTENCE.split(problem) if told.search(part))


def _without(text: str, package: str, version: str) -> str:
    """Without the library's name and version: all of its documents have them."""
    told = [rf"\b{re.escape(package)}\b(?:'s)?"]
    if version:
        told.append(rf"(?<![\w.]){re.escape(version)}(?!\w|\.\d)")
    return re.sub("|".join(told), " ", text, flags=re.IGNORECASE)
