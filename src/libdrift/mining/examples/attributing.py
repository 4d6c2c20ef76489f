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
_MOST = 0.6  # of the examples of a message: what so many call, may cause it
_LONGEST = 4000  # characters of an output that are kept


@dataclass(frozen=True, slots=True)
class DifferingStatement:
    """A statement of an example that differs."""

    example: DocExample
    divergence: Divergence


@dataclass(frozen=True, slots=True)
class ExampleRelease:
    """One of the two releases: its examples, and how their names are read."""

    examples: Examples
    uses: ExampleUses


class Attribution:
    def __init__(self, old: ExampleRelease, new: ExampleRelease) -> None:
        self._old, self._new = old, new

    def findings(self, shown: Iterable[DifferingStatement]) -> list[ExampleFinding]:
        every = [item for item in shown if not self._is_inner_import(item)]
        found = [
            *self._differing(_first_of_each(every)),
            *self._spelled([item for item in every if _is(item, ExampleOutcome.SPELLED)]),
            *_told_once(self._by_message([item for item in every if _is(item, *_BY_MESSAGE)])),
        ]
        # Some are of a page's own code, or of modules that are nobody's to use.
        found = [item for item in found if item.path and "._" not in f".{item.path}"]
        return sorted(found, key=lambda item: (item.outcome, item.path, item.statement))

    def _is_inner_import(self, item: DifferingStatement) -> bool:
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

    def _finding(self, item: DifferingStatement, path: str = "") -> ExampleFinding:
        example, found = item.example, item.divergence
        uses = self._uses(example)
        statement = example.statements[found.at]
        return ExampleFinding(
            found.outcome,
            path or self._path(item, uses),
            "\n".join(slice_of(example, found.at)),
            "" if found.warning else found.before.told[:_LONGEST],
            found.warning or found.after.told[:_LONGEST],
            statement.code,
            example.path or example.page,
            paths_of(uses[found.at]),
            keywords_of(uses[found.at]),
            found.warning,
            self._is_documented(item),
        )

    def _path(self, item: DifferingStatement, uses: Sequence[Sequence[Use]]) -> str:
        """What it is told of: what an error names, what is called, or whose example it is."""
        found, own = item.divergence, item.example.path
        here = uses[found.at]
        earlier = [path for some in uses[: found.at + 1] for path in paths_of(some)]
        written = (*(use.path for use in here), *paths_of(here), *earlier)
        named = _named(_said(found), written)
        if named:
            return named
        words = _words(item.example.statements[found.at].code)
        if own and (own in earlier or _last(own) in words):
            alike = [path for path in paths_of(here) if _last(path) == _last(own)]
            return min([own, *alike], key=self._old.uses.view.rank)
        calls = called(here)
        return calls[-1] if calls else self._type_path(item) or own

    def _is_documented(self, item: DifferingStatement) -> bool:
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

    def _differing(self, shown: Sequence[DifferingStatement]) -> Iterator[ExampleFinding]:
        """One for each symbol; but one alone where many show how values of a class are printed."""
        groups: dict[object, list[DifferingStatement]] = {}
        for number, item in enumerate(shown):
            before, after = item.divergence.before, item.divergence.after
            edits = None
            if self._type_path(item):  # the package's own: `True` may turn `False` anywhere
                edits = normalising.edits(before.output, after.output)
            groups.setdefault(number if edits is None else edits, []).append(item)
        alone: list[ExampleFinding] = []
        for group in groups.values():
            if len({self._finding(item).path for item in group}) < _SHARED:
                alone += map(self._finding, group)
                continue
            first = min(group, key=lambda item: len(item.divergence.before.output))
            finding = self._finding(first)
            paths = [self._finding(item).path for item in group]
            home = self._type_path(first)
            others = tuple(path for path in dict.fromkeys(paths) if path != home)
            yield replace(finding, path=home, also=others, count=len(group))
        yield from _once(alone)

    def _type_path(self, item: DifferingStatement) -> str:
        """The public path of the class of the value that is printed."""
        for kind, release in (
            (item.divergence.before.type, self._old),
            (item.divergence.after.type, self._new),
        ):
            path = _public(kind, release.uses.view)
            if path:
                return path
        return ""

    def _spelled(self, shown: Sequence[DifferingStatement]) -> Iterator[ExampleFinding]:
        """Types whose values are printed otherwise: each once, if it is the package's own."""
        groups: dict[str, list[DifferingStatement]] = {}
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

    # --- errors and warnings

    def _by_message(self, shown: Sequence[DifferingStatement]) -> Iterator[ExampleFinding]:
        """What is said, once for its cause, however many examples meet it."""
        groups: dict[tuple[ExampleOutcome, str], list[DifferingStatement]] = {}
        for item in shown:
            said = re.sub(r"\d+|\w+\.(?=\w)", "", _message(item.divergence))
            groups.setdefault((item.divergence.outcome, said), []).append(item)
        for (outcome, _), group in groups.items():
            found = [self._finding(item) for item in group]
            paths = Counter(item.path for item in found)
            home = self._cause(group, paths)
            if not home and outcome is not ExampleOutcome.WARNS:
                yield from _once(found)  # an error as it may occur anywhere
                continue
            home = home or paths.most_common(1)[0][0]
            first = next((item for item in found if item.path == home), found[0])
            others = tuple(path for path in paths if path != home)
            yield replace(first, path=home, also=others, count=len(group))

    def _cause(self, group: Sequence[DifferingStatement], paths: Counter[str]) -> str:
        """The one symbol that all examples of a message are about, if there is one."""
        if len(paths) == 1:
            return next(iter(paths))
        words = _words(_message(group[0].divergence))
        named = [path for path in paths if _last(path) in words]
        if named:
            return named[0]
        calls = Counter(path for item in group for path in set(self._calls(item)))
        shared = [path for path, count in calls.items() if count >= _MOST * len(group)]
        if len(group) < _SHARED or not shared:
            return ""
        return min(shared, key=lambda path: (self._frequency(_last(path)), path))

    def _calls(self, item: DifferingStatement) -> list[str]:
        uses = self._uses(item.example)[: item.divergence.at + 1]
        return [path for some in uses for path in called(some)]

    def _frequency(self, name: str) -> int:
        """Examples that have a name: one that all have explains nothing."""
        word = re.compile(rf"\b{re.escape(name)}\b")
        found = self._old.examples.found
        return sum(any(word.search(code) for code in key) for key in found)


_BY_MESSAGE = (ExampleOutcome.FAILS, ExampleOutcome.RUNS, ExampleOutcome.WARNS)


def _is(item: DifferingStatement, *outcomes: ExampleOutcome) -> bool:
    return item.divergence.outcome in outcomes


def _first_of_each(every: Sequence[DifferingStatement]) -> list[DifferingStatement]:
    """What differs later in an example may only follow from it."""
    found: dict[tuple[str, ...], DifferingStatement] = {}
    for item in every:
        if _is(item, ExampleOutcome.DIFFERS):
            found.setdefault(item.example.key, item)
    return list(found.values())


def _once(found: Iterable[ExampleFinding]) -> list[ExampleFinding]:
    """One for each path."""
    kept: dict[str, ExampleFinding] = {}
    for item in found:
        known = kept.get(item.path)
        kept[item.path] = item if known is None else replace(known, count=known.count + 1)
    return list(kept.values())


def _told_once(found: Iterable[ExampleFinding]) -> list[ExampleFinding]:
    """What runs now, once for each path: why it failed in several ways is of no interest."""
    every = list(found)
    runs = _once(item for item in every if item.outcome is ExampleOutcome.RUNS)
    return [*runs, *(item for item in every if item.outcome is not ExampleOutcome.RUNS)]


def _message(found: Divergence) -> str:
    failed = next((run for run in (found.after, found.before) if run.failed), None)
    return found.warning if failed is None else f"{failed.error[0]}: {failed.message}"


def _said(found: Divergence) -> str:
    """The name that an error misses; all of a warning."""
    failed = next((run for run in (found.after, found.before) if run.failed), None)
    if failed is None:
        return found.warning
    if not _ABSENT.intersection(failed.error):
        # Of all else it says, only what must be a name of code.
        return " ".join(re.findall(r"\w*(?:[a-z]_|[a-z][A-Z])\w*", failed.message))
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
