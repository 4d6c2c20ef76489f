"""From statements that differ to findings: of what each is told, and each cause told once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from libdrift.history.views import View
from libdrift.languages.python.usage import Use, all_imported, parsed
from libdrift.mining.examples import normalising
from libdrift.mining.examples.comparing import Divergence
from libdrift.mining.examples.extracting import DocExample, Examples
from libdrift.mining.examples.uses import (
    ExampleUses,
    called,
    keywords_of,
    paths_of,
    slice_of,
)
from libdrift.records import ExampleFinding, ExampleOutcome

_SHARED = 3  # symbols whose examples show one edit: then it is how a value is printed
_ABSENT = {"AttributeError", "ImportError", "NameError"}
_LONGEST = 4000  # characters of an output that are kept


@dataclass(frozen=True, slots=True)
class Shown:
    """A statement of an example that differs."""

    example: DocExample
    divergence: Divergence


@dataclass(frozen=True, slots=True)
class Release:
    """One of the two releases: its examples, and how their names are read."""

    examples: Examples
    uses: ExampleUses


class Attribution:
    def __init__(self, old: Release, new: Release) -> None:
        self._old, self._new = old, new

    def findings(self, shown: Iterable[Shown]) -> list[ExampleFinding]:
        every = [item for item in shown if not self._is_inner_import(item)]
        found = [
            *self._differing(_first_of_each(every)),
            *self._spelled([item for item in every if _is(item, ExampleOutcome.SPELLED)]),
            *_once(self._finding(item) for item in every if _is(item, *_BY_ERROR)),
            *_by_message(self._warning(item) for item in every if _is(item, ExampleOutcome.WARNS)),
        ]
        return sorted(found, key=lambda item: (item.outcome, item.path, item.statement))

    def _is_inner_import(self, item: Shown) -> bool:
        """An import that stands in no documentation, of a module that is not for users."""
        at = item.divergence.at
        if not item.example.statements[at].is_preamble:
            return False
        view = (self._old if item.divergence.after.failed else self._new).uses.view
        paths = paths_of(self._uses(item.example)[at])
        return all(any(view.rank(path)[:2]) for path in paths)

    # --- one statement

    def _uses(self, example: DocExample) -> list[list[Use]]:
        release = self._old if example.key in self._old.examples.found else self._new
        return release.uses.of(example)

    def _finding(self, item: Shown, path: str = "") -> ExampleFinding:
        example, found = item.example, item.divergence
        uses = self._uses(example)
        statement = example.statements[found.at]
        return ExampleFinding(
            found.outcome,
            path or self._path(item, uses),
            "\n".join(slice_of(example, found.at)),
            found.before.told[:_LONGEST],
            found.after.told[:_LONGEST],
            statement.code,
            example.path,
            paths_of(uses[found.at]),
            keywords_of(uses[found.at]),
            found.warning,
            self._is_documented(item),
        )

    def _path(self, item: Shown, uses: Sequence[Sequence[Use]]) -> str:
        """What it is told of: what an error names, what is called, or whose example it is."""
        found, own = item.divergence, item.example.path
        here = uses[found.at]
        written = (*(use.path for use in here), *paths_of(here))
        named = _named(_said(found), written)
        if named:
            return named
        earlier = [path for some in uses[: found.at + 1] for path in paths_of(some)]
        words = _words(item.example.statements[found.at].code)
        if own in earlier or _last(own) in words:
            alike = [path for path in paths_of(here) if _last(path) == _last(own)]
            return min([own, *alike], key=self._old.uses.view.rank)
        calls = called(here)
        return calls[-1] if calls else self._type_path(item) or own

    def _is_documented(self, item: Shown) -> bool:
        """Whether the newer release's documentation shows what it prints, and not the old output.

        The example may be in both, with outputs that were changed.
        """
        newer = self._new.examples.found.get(item.example.key)
        if newer is None or item.divergence.after.failed:
            return False
        shown = newer.statements[item.divergence.at].shown
        before, after = item.divergence.before.output, item.divergence.after.output
        return bool(shown) and normalising.same(shown, after) and not _same(shown, before)

    # --- outputs

    def _differing(self, shown: Sequence[Shown]) -> Iterator[ExampleFinding]:
        """One for each example; but one alone for an edit that examples of many symbols share."""
        groups: dict[object, list[Shown]] = {}
        for number, item in enumerate(shown):
            before, after = item.divergence.before, item.divergence.after
            edits = None
            if not before.failed:
                edits = normalising.edits(before.output, after.output)
            groups.setdefault(number if edits is None else edits, []).append(item)
        alone: list[ExampleFinding] = []
        for group in groups.values():
            if len({item.example.path for item in group}) < _SHARED:
                alone += map(self._finding, group)
                continue
            first = min(group, key=lambda item: len(item.divergence.before.output))
            finding = self._finding(first)
            paths = [self._finding(item).path for item in group]
            home = self._type_path(first) or finding.path
            others = tuple(path for path in dict.fromkeys(paths) if path != home)
            yield replace(finding, path=home, also=others, count=len(group))
        yield from _once(alone)

    def _type_path(self, item: Shown) -> str:
        """The public path of the class of the value that is printed."""
        for kind, release in (
            (item.divergence.before.type, self._old),
            (item.divergence.after.type, self._new),
        ):
            path = _public(kind, release.uses.view)
            if path:
                return path
        return ""

    def _spelled(self, shown: Sequence[Shown]) -> Iterator[ExampleFinding]:
        """Types whose values are printed otherwise: each once, if it is the package's own."""
        groups: dict[str, list[Shown]] = {}
        for item in shown:
            before, after = (
                normalising.wrappers(run.output)
                for run in (item.divergence.before, item.divergence.after)
            )
            for written in before ^ after:
                path = self._resolved(written, item.example)
                if path:
                    groups.setdefault(path, []).append(item)
        for path, group in groups.items():
            first = min(group, key=lambda item: len(item.divergence.after.output))
            yield replace(self._finding(first, path), count=len(group))

    def _resolved(self, written: str, example: DocExample) -> str:
        """`np.float64` as a path of the package; nothing where it is another's."""
        tree = parsed("\n".join(example.key))
        head, _, rest = written.partition(".")
        names = {item.name: item.path for item in all_imported([*tree.body] if tree else [])}
        tries = [f"{names.get(head, head)}.{rest}" if rest else names.get(head, head)]
        tries += [f"{root}.{written}" for root in self._new.uses.view.surface.roots]
        view = self._new.uses.view
        return next((path for path in tries if view.find(path) is not None), "")

    # --- warnings

    def _warning(self, item: Shown) -> ExampleFinding:
        found = self._finding(item)
        return replace(found, before="", after=found.message)


_BY_ERROR = (ExampleOutcome.FAILS, ExampleOutcome.RUNS)


def _is(item: Shown, *outcomes: ExampleOutcome) -> bool:
    return item.divergence.outcome in outcomes


def _first_of_each(every: Sequence[Shown]) -> list[Shown]:
    """What differs later in an example may only follow from it."""
    found: dict[tuple[str, ...], Shown] = {}
    for item in every:
        if _is(item, ExampleOutcome.DIFFERS):
            found.setdefault(item.example.key, item)
    return list(found.values())


def _once(found: Iterable[ExampleFinding]) -> list[ExampleFinding]:
    """One for each path and message; of outputs, for each path."""
    kept: dict[tuple[object, ...], ExampleFinding] = {}
    for item in found:
        said = item.message or (
            item.outcome in _BY_ERROR
            and (item.before, item.after)[item.outcome is ExampleOutcome.FAILS]
        )
        key = (item.outcome, item.path, re.sub(r"\d+", "0", str(said)))
        known = kept.get(key)
        kept[key] = item if known is None else replace(known, count=known.count + 1)
    return list(kept.values())


def _by_message(found: Iterable[ExampleFinding]) -> Iterator[ExampleFinding]:
    """A warning once, however many examples meet it, and whatever class it names."""
    groups: dict[str, list[ExampleFinding]] = {}
    for item in found:
        groups.setdefault(re.sub(r"\w+\.(?=\w)", "", item.message), []).append(item)
    for group in groups.values():
        paths = Counter(item.path for item in group)
        named = [path for path in paths if _last(path) in _words(group[0].message)]
        home = (named or [paths.most_common(1)[0][0]])[0]
        first = next(item for item in group if item.path == home)
        others = tuple(path for path in paths if path != home)
        yield replace(first, also=others, count=len(group))


def _said(found: Divergence) -> str:
    """The name that an error misses; all of a warning."""
    failed = next((run for run in (found.after, found.before) if run.failed), None)
    if failed is None:
        return found.warning
    if not _ABSENT.intersection(failed.error):
        return ""
    missing = re.search(
        r"(?:no attribute|cannot import name|No module named) '([\w.]+)'", failed.message
    )
    return missing[1] if missing else failed.message


def _named(said: str, paths: Sequence[str]) -> str:
    """The path, or the beginning of one, that a text names first: what it names later is advice."""
    ends: dict[str, str] = {}
    for path in paths:
        parts = path.split(".")
        for length in range(len(parts), 1, -1):
            ends.setdefault(parts[length - 1], ".".join(parts[:length]))
    names = (_last(name) for name in re.findall(r"\w+(?:\.\w+)*", said))
    return next((ends[name] for name in names if name in ends), "")


def _same(one: str, other: str) -> bool:
    return normalising.same(one, other)


def _public(kind: str, view: View) -> str:
    """`pandas.core.frame.DataFrame`, as Python tells it, as users write it."""
    module, _, name = kind.rpartition(".")
    path = view.best(f"{module}:{name}")
    if path:
        return path
    return kind if view.find(kind) is not None else ""


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))
