"""What the mined history tells of a task's libraries, in words.

Everything is of exactly the versions that the task has installed, or says of which versions it
is. What is not known is said, too: a model must not take silence for an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from packaging.utils import canonicalize_name

from libdrift.errors import LibdriftError, UserError
from libdrift.history import versions
from libdrift.history.differences import compare
from libdrift.history.questions import Life, document, life, suggest
from libdrift.history.spelling import alternatives, dotted, spelled
from libdrift.history.store import Store
from libdrift.records import Change, Symbol, Task
from libdrift.retrieval.documents import described
from libdrift.retrieval.releases import release_of
from libdrift.retrieval.searching import search

_HITS = 8
_NEAR = 5
_CHANGES = 30
_SUMMARY = 160  # characters
_DIFFERENCES = 8  # between releases: a benchmark's tasks of one release come together


class Lookups:
    """Questions about the packages that a task has installed. Any text is a question."""

    def __init__(self, task: Task, history: Path, indexes: Path) -> None:
        self._history = history
        self._indexes = indexes  # a cache
        self._library, self._version = release_of(task)
        pins = (pin.partition("==") for pin in task.environment.requirements)
        self._pins = {str(canonicalize_name(name)): version for name, _, version in pins if version}
        if task.language == "rust":  # whose library comes with it, whatever a task is about
            self._pins["rust"] = task.environment.runtime
        self._pins[canonicalize_name(self._library)] = self._version

    def documentation(self, name: str) -> str:
        """A symbol as of the installed version."""
        return self._told(name, self._documentation)

    def search(self, words: str) -> str:
        """What the installed version has on some words."""
        return self._told(words, self._search)

    def history(self, name: str) -> str:
        """Since when a symbol is there, its deprecation and end, its signatures."""
        return self._told(name, self._life)

    def changes(self, word: str) -> str:
        """What the installed version changed, as against the mined release before it."""
        return self._told(word, self._changes)

    def _told(self, asked: str, answer: Callable[[Store, str], str]) -> str:
        if not self._history.is_file():
            return _sentence(_missing(self._library, self._version))
        try:
            with Store.open(self._history, readonly=True) as store:
                return answer(store, _tidy(asked))
        except LibdriftError as error:
            # Without the fix: it is a command for a person.
            return _sentence(error.message.replace(str(self._history), "what is known here"))

    # --- one symbol

    def _documentation(self, store: Store, name: str) -> str:
        package, version = self._place(store, name)
        try:
            found = document(store, name, version)
        except UserError as error:
            near = self._near(store, package, version, name)
            more = f" In {package} {version} there are: {', '.join(near)}." if near else ""
            return _sentence(error.message) + more
        return described(package, version, name, found.symbol)

    def _near(self, store: Store, package: str, version: str, name: str) -> list[str]:
        """Names like it, and names about the same, that this very release has."""
        alike = [
            path
            for path in suggest(store, dotted(name))
            if store.package_of(path) == package and _has(store, path, version)
        ]
        last = dotted(name).rpartition(".")[2]
        hits = search(store, (package, version), last, self._indexes, _NEAR)
        near = dict.fromkeys([*alike, *(hit.path for hit in hits)])
        return [spelled(path, package) for path in near][:_NEAR]

    def _life(self, store: Store, name: str) -> str:
        found = life(store, name)
        return "\n".join([*_life_lines(found), *self._here(store, found)])

    def _here(self, store: Store, found: Life) -> Iterator[str]:
        version = self._pins.get(canonicalize_name(found.package))
        if version is None:
            return
        try:
            document(store, found.path, version)
        except UserError as error:
            yield f"installed: {_sentence(error.message)}"
        else:
            yield f"installed: {found.package} {version}, which has it."

    # --- a whole release

    def _search(self, store: Store, words: str) -> str:
        package, version = self._release(store, self._library)
        hits = search(store, (package, version), words, self._indexes, _HITS)
        if not hits:
            return f"Nothing in {package} {version} is about that."
        lines = [f"Of {package} {version}:"]
        lines += [
            f"- {spelled(hit.path, package)}{_called(hit.symbol)}{_about(hit.symbol)}"
            for hit in hits
        ]
        return "\n".join(lines)

    def _changes(self, store: Store, word: str) -> str:
        other = store.package_of(word) or ""
        known = canonicalize_name(other) in self._pins
        package, version = self._release(store, other if known else self._library)
        mined = store.versions(store.number(package))
        position = mined.index(version)
        if position == 0:
            return f"No release of {package} before {version} is at hand to compare it with."
        before = mined[position - 1]
        changes = _between(self._history, package, before, version)
        found = [change for change in changes if _is_about(change, word)]
        title = f"{package} {before} → {version}: {_counted(len(changes), 'change')}"
        if word:
            title += f", {len(found)} on {word}"
        shown = sorted(found, key=lambda change: not change.breaking)[:_CHANGES]
        lines = [title, *(f"- {_change(change)}" for change in shown)]
        rest = len(found) - len(shown)
        return "\n".join([*lines, *([f"… and {rest} more: ask for a name"] if rest else [])])

    # --- which release

    def _place(self, store: Store, name: str) -> tuple[str, str]:
        """The package that a name is of, and its installed version as the store writes it."""
        package = next(filter(None, map(store.package_of, alternatives(name))), None)
        if package is None:
            library, version = self._release(store, self._library)
            raise UserError(
                f"{name} is of no package that is known here; names of {library} {version} are "
                f"written in full, as after `import`"
            )
        return self._release(store, package)

    def _release(self, store: Store, package: str) -> tuple[str, str]:
        version = self._pins.get(canonicalize_name(package))
        if version is None:
            raise UserError(f"{package} is not among what is installed: its version is not known")
        number = store.number(package)
        for mined in store.versions(number):
            if versions.same(mined, version):
                return package, mined
        # Another release's documentation would be worse than none.
        raise UserError(_missing(package, version))


def _has(store: Store, path: str, version: str) -> bool:
    try:
        document(store, path, version)
    except UserError:
        return False
    return True


def _missing(package: str, version: str) -> str:
    return f"the documentation of {package} {version} is not at hand"


@lru_cache(maxsize=_DIFFERENCES)
def _between(history: Path, package: str, before: str, after: str) -> tuple[Change, ...]:
    with Store.open(history, readonly=True) as store:
        old, new = store.surfaces(package, (before, after))
        return tuple(compare(old, new))


def _is_about(change: Change, word: str) -> bool:
    wanted = dotted(word).lower()
    names = (change.path, change.replacement, change.parameter, *change.aliases)
    return any(wanted in name.lower() for name in names)


def _change(change: Change) -> str:
    detail = f": {' '.join(change.detail.split())}" if change.detail else ""
    new = change.replacement
    use = f" Use {spelled(new, change.package)}." if new not in {"", *detail.split()} else ""
    breaks = " (can break code)" if change.breaking else ""
    return f"{change.kind.value} {spelled(change.path, change.package)}{detail}{breaks}{use}"


def _life_lines(found: Life) -> Iterator[str]:
    first, last = found.mined
    yield f"{found.path} of {found.package}; releases {first} to {last} are known"
    before = " or before" if found.introduced_before else ""
    yield f"there since: {found.introduced}{before}"
    for gap in found.gaps:
        yield f"gone in {gap.removed}, back in {gap.back}"
    for told in found.told:
        what = f"parameter {told.parameter} deprecated" if told.parameter else "deprecated"
        when = told.first if told.first == told.last else f"{told.first} to {told.last}"
        yield f"{what}: {when} {' '.join(told.message.split())}".rstrip()
    yield f"removed: {found.removed or 'no'}"
    for version in found.unsure:
        yield f"not certain: {version} could not be read whole and may have it, too"
    if found.replacement:
        yield f"use instead: {found.replacement}"
    for held in found.signatures:
        when = held.first if held.first == held.last else f"{held.first} to {held.last}"
        yield f"signature in {when}: {held.text}"


def _called(symbol: Symbol) -> str:
    return str(symbol.signature) if symbol.signature is not None else f" ({symbol.kind.value})"


def _about(symbol: Symbol) -> str:
    summary = next((line.strip() for line in symbol.doc.splitlines() if line.strip()), "")
    return f": {summary[:_SUMMARY]}" if summary else ""


def _tidy(asked: str) -> str:
    """A name as models write it: with quotes, a call's parentheses, or halves of characters."""
    text = asked.encode("utf-8", "replace").decode().strip().strip("`'\"").strip()
    return text.partition("(")[0] if text.endswith(")") else text


def _sentence(message: str) -> str:
    # Not with a capital: many begin with a name.
    return f"{message.rstrip('.')}."


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
