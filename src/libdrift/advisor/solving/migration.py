"""Code moved to another release, by the surest way that there is."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from libdrift.advisor.migrating import CodeMigrator
from libdrift.advisor.releases import ReleasePair
from libdrift.advisor.solving import equivalents, mirrors, reading, rewriting
from libdrift.advisor.solving.moves import MovedLibrary
from libdrift.advisor.solving.old_syntax import for_python_2
from libdrift.advisor.solving.pythons import StandardLibrary
from libdrift.languages.python.usage import Use
from libdrift.records import Finding, FindingLevel

# From paths to definitions that stand in for them, each under ``equivalents.local_name``.
Definitions = Callable[[Sequence[str]], Mapping[str, str]]
_TWO = 2
_ROUNDS = 3  # what is defined may need something that is lost, too


@dataclass(frozen=True, slots=True)
class MovedCode:
    """What came of moving code, and how, in a few words."""

    text: str
    how: str


def moved(code: str, library: MovedLibrary, definitions: Definitions) -> MovedCode:
    """Code for the target release of a library."""
    whole = reading.with_imports(code, library.roots, library.main)
    known = reading.uses(whole, library.package, library.roots, library.types)
    mirror = mirrors.mirror_of(library) if known else None
    if mirror is not None:
        return MovedCode(mirrors.mirrored(whole, library, mirror), f"by {mirror.module}")
    lost = [use for use in known if use.path and library.lost(use.path) == use.path]
    if not lost:
        return MovedCode(whole.whole, "nothing is lost")
    text = whole.whole
    if library.is_downgrade:
        return _rebuilt(text, lost, library, definitions)
    return _upgraded(text, library, definitions)


def _upgraded(text: str, library: MovedLibrary, definitions: Definitions) -> MovedCode:
    """By edits that are sure; else by what the old release did; else by edits that are not."""
    sure = _edited(text, library, is_risky=False)
    left = _lost(sure, library)
    if not left:
        return MovedCode(sure, "edited")
    made = definitions([use.path for use in left if not use.is_member])
    carried = _with_definitions(sure, [use for use in left if use.path in made], made)
    if not _lost(carried, library):
        return MovedCode(carried, "copied from the release")
    return MovedCode(_edited(carried, library, is_risky=True), "edited, not all of it surely")


def _lost(text: str, library: MovedLibrary) -> list[Use]:
    code = reading.LibraryCode(text, ())
    known = reading.uses(code, library.package, library.roots, library.types)
    return [use for use in known if use.path and library.lost(use.path) == use.path]


def _edited(text: str, library: MovedLibrary, *, is_risky: bool) -> str:
    """Code after the edits that the history knows; only those of what fails at the target."""
    pair = ReleasePair(library.origin.surface, library.target.surface, lambda: library.between)

    def failing(_: str, findings: Sequence[Finding]) -> list[Finding]:
        return [item for item in findings if item.level is FindingLevel.ERROR]

    return CodeMigrator([pair], is_risky=is_risky, wanted=failing).migrated(text).after


def _with_definitions(text: str, uses: Sequence[Use], made: Mapping[str, str]) -> str:
    """Code that calls definitions of its own in the place of a library's names."""
    if not made:
        return text
    edits = [(use.span, equivalents.local_name(use.path)) for use in uses]
    text = rewriting.replaced(text, edits)
    text = rewriting.without_names(text, _by_module(made))
    return rewriting.placed_first(text, "".join(made.values()))


def _rebuilt(
    text: str, lost: Sequence[Use], library: MovedLibrary, definitions: Definitions
) -> MovedCode:
    """Code with older names where there are some, and definitions of its own elsewhere."""
    instead = {use.path: library.advised.get(use.path, "") for use in lost}
    there = {path: one for path, one in instead.items() if _is_function(one, library)}
    made = definitions([use.path for use in lost if use.path not in there and not use.is_member])
    names = {**there, **{path: equivalents.local_name(path) for path in made}}
    if not names:
        return MovedCode(text, "nothing is known to take the place of what is lost")
    edits = [(use.span, names[use.path]) for use in lost if use.path in names and not use.is_member]
    text = rewriting.replaced(text, edits)
    roots = {path.partition(".")[0] for path in there.values()}
    lines = "".join(f"import {root}\n" for root in sorted(roots)) + "".join(made.values())
    text = rewriting.without_names(text, _by_module(names))
    how = "older names" if there else "copied from the release"
    return MovedCode(rewriting.placed_first(text, lines), how)


def _is_function(path: str, library: MovedLibrary) -> bool:
    """Whether an older name can stand where a newer one did: not a method for a function."""
    found = library.target.symbol(path) if path else None
    owner = library.target.symbol(path.rpartition(".")[0]) if path else None
    return found is not None and owner is not None and owner.kind.value == "module"


def _by_module(paths: Mapping[str, str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in paths:
        module, _, name = path.rpartition(".")
        found.setdefault(module, set()).add(name)
    return found


def moved_python(code: str, library: StandardLibrary, definitions: Definitions) -> MovedCode:
    """Code for another Python."""
    whole, _ = library.uses(code)
    edits = library.dropped(whole)
    text = rewriting.replaced(whole.whole, edits)
    made: set[str] = set()
    for _ in range(_ROUNDS):
        text, more = _equivalent(text, library, definitions)
        if not more:
            break
        made |= more
    if not made and not edits:
        text = whole.text
    if library.target[0] == _TWO < library.origin[0] or library.is_run_on_2:
        text = for_python_2(text)
    return MovedCode(text, "definitions of its own" if made else "as it was")


def _equivalent(
    text: str, library: StandardLibrary, definitions: Definitions
) -> tuple[str, set[str]]:
    """Code with definitions of its own for what the target lacks, and what they are of."""
    lost = library.lost(text)
    known = equivalents.known()
    made = {one.path: known[one.path] for one in lost if one.path in known}
    missing = sorted({one.path for one in lost if one.path not in made})
    made |= dict(definitions(missing)) if missing else {}
    names = {path: equivalents.local_name(path) for path in made}
    edits = rewriting.called_instead(text, [one for one in lost if one.path in made], names)
    if not edits:
        return text, set()
    text = rewriting.replaced(text, edits)
    text = rewriting.without_names(text, _by_module(made))
    modules = sorted({path.partition(".")[0] for path in made} - set(dir(builtins)))
    lines = "".join(f"import {one}\n" for one in modules) + "".join(made.values())
    return rewriting.placed_first(text, lines), set(made)
