"""Documents that a suite was published with: what is searched, and what is right to find."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from libdrift.records import Task
from libdrift.retrieval.dense import Embedder
from libdrift.retrieval.documents import readable, shortened
from libdrift.retrieval.index import IndexEntry, ReleaseContents
from libdrift.retrieval.passages import Made, Passages
from libdrift.retrieval.words import lead


@dataclass(frozen=True, slots=True)
class SuiteDocument:
    """One document of a release. ``name`` is unique there: an API's path, or a file's."""

    package: str
    version: str
    name: str
    text: str
    signature: str = ""
    parameters: tuple[str, ...] = ()
    # Whose documents it is of; of none, it is right for tasks that turn on the API of its name.
    tasks: frozenset[str] = field(default_factory=frozenset)


class PublishedPassages(Passages):
    """Over a suite's own documents. A release without any is one in which nothing is found."""

    def __init__(
        self, documents: Iterable[SuiteDocument], folder: Path, embedder: Embedder | None = None
    ) -> None:
        super().__init__(folder, embedder)
        self._releases: dict[tuple[str, str], dict[str, SuiteDocument]] = defaultdict(dict)
        for item in documents:
            self._releases[item.package, item.version].setdefault(item.name, item)

    def right(self, task: Task, symbols: Callable[[], frozenset[str]]) -> frozenset[str]:
        del symbols  # what is mined has no say
        known = self._releases.get((task.facts.library, task.facts.version), {})
        own = frozenset(name for name, item in known.items() if task.id in item.tasks)
        symbol = (task.facts.symbol or "").strip().removesuffix("()")
        told = known.get(symbol)
        return own or (frozenset({symbol}) if told and not told.tasks else frozenset())

    def _made(self, package: str, version: str) -> Made:
        documents = self._releases.get((package, version), {}).values()
        entries = tuple(map(_entry, documents))
        found = hashlib.sha256()
        for entry in entries:
            found.update(f"{entry.path}\0{entry.text}\0{entry.parameters}\0".encode())
        return found.hexdigest()[:20], lambda: ReleaseContents(entries)


def _entry(item: SuiteDocument) -> IndexEntry:
    around, _, own = item.name.rpartition(".")
    text = readable(item.text)
    header = f"{item.package} {item.version}: {item.signature or item.name}"
    return IndexEntry(
        item.name,
        item.version,
        f"{header}\n{shortened(text)}" if text else header,
        own=own,
        around=around,
        lead=lead(text),
        parameters=" ".join(item.parameters),
        body=text,
    )
