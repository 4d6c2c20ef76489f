"""How well documents are found for a suite's tasks, each in its own release."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libdrift import config, suites
from libdrift.analysis.searches import SearchQuality, measure_searches
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.jobs.histories import history_file
from libdrift.records import Task
from libdrift.retrieval.passages import FolderPassages, MinedPassages, Passages, Way
from libdrift.retrieval.published import PublishedPassages
from libdrift.retrieval.releases import Unmined, mine_missing, missing
from libdrift.showing import counted
from libdrift.suites.selecting import selected

Said = Callable[[str], None]
PUBLISHED = Path("published")


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    retriever: str = Way.BM25
    embedder: str = ""  # of the retrievers that search by meaning
    k: int = 3  # documents that count
    where: tuple[str, ...] = ()  # facts of the tasks
    limit: int | None = None
    # Documents instead of the mined ones: a folder of them, or the suite's own (PUBLISHED).
    documents: Path | None = None
    store: Path | None = None
    data: Path | None = None


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    suite: str
    tasks: int
    options: RetrievalOptions
    quality: SearchQuality
    unmined: tuple[Unmined, ...]

    def to_json(self) -> dict[str, Any]:
        quality = self.quality
        by_library = quality.of(lambda item: item.release[0])
        by_version = quality.of(lambda item: " ".join(item.release))
        return {
            "suite": self.suite,
            "tasks": self.tasks,
            "retriever": self.options.retriever,
            "embedder": self.options.embedder or None,
            "documents": str(self.options.documents or "mined"),
            **quality.to_json(),
            "without_gold": len(quality.without_gold),
            "not_mined": len(quality.not_mined),
            "by_library": {name: item.to_json() for name, item in by_library.items()},
            "by_version": {name: item.to_json() for name, item in by_version.items()},
            "unmined": [
                {"package": item.package, "version": item.version, "reason": item.reason}
                for item in self.unmined
            ],
        }


def measure_retrieval(
    suite: str, options: RetrievalOptions | None = None, said: Said = lambda _: None
) -> RetrievalReport:
    """Search for every task of a suite and compare with the documents that it is about.

    The right documents are those of the symbol that a task turns on, or of what its reference uses.
    In a folder, passages on these; of a suite's own documents, those that were published as right.
    """
    options = options or RetrievalOptions()
    settings = config.load(options.data)
    loaded = suites.load(suite, settings)
    tasks = list(loaded.tasks.values())
    if options.where or options.limit:
        chosen = selected(loaded, tasks, options.where, options.limit)
        tasks = list(chosen.tasks.values())
    with ExitStack() as held:
        store = held.enter_context(Store.open(history_file(options.store)))
        # First: nothing is mined in vain.
        passages = _passages(options, loaded.name, store, settings, held)
        unmined = [] if options.documents == PUBLISHED else _mined(tasks, store, settings, said)
        way = Way(options.retriever)
        quality = measure_searches(tasks, passages, store, k=options.k, way=way)
    return RetrievalReport(loaded.name, len(tasks), options, quality, tuple(unmined))


def _mined(
    tasks: Sequence[Task], store: Store, settings: config.Settings, said: Said
) -> list[Unmined]:
    needed = missing(tasks, store)
    if not needed:
        return []
    said(f"mining {counted(len(needed), 'release')} that the history has not")
    return list(mine_missing(needed, store, settings))


def _passages(
    options: RetrievalOptions,
    suite: str,
    store: Store,
    settings: config.Settings,
    held: ExitStack,
) -> Passages:
    model = None
    if options.retriever != Way.BM25:
        from libdrift.evals.local.embedders import embedding_model

        if not options.embedder:
            raise UserError(
                f"--retriever {options.retriever} needs an embedding model",
                "Add --embedder smollm2, gguf/FILE, or a server's address as URL#MODEL",
            )
        model = held.enter_context(embedding_model(options.embedder, settings))
        model.embed(["one"])  # one that does not answer is known before releases are mined
    found: Passages
    if options.documents == PUBLISHED:
        documents = suites.published_documents(suite, settings)
        found = PublishedPassages(documents, settings.indexes, model)
    elif options.documents is not None:
        found = FolderPassages(options.documents.expanduser(), settings.indexes, model)
    else:
        found = MinedPassages(store, settings.indexes, model)
    held.callback(found.close)
    return found
