"""Documents for tasks: of exactly the versions that they have, or, on purpose, of others."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self

from libdrift.config import Settings
from libdrift.errors import LibdriftError, UserError
from libdrift.evals.local.embedders import embedding_model
from libdrift.evals.options import Docs, EvalOptions
from libdrift.evals.troubles import ProviderTrouble, Trouble
from libdrift.history.store import Store
from libdrift.metrics import retrieval
from libdrift.records import Task
from libdrift.retrieval.dense import Embedder
from libdrift.retrieval.documents import Document
from libdrift.retrieval.gold import gold
from libdrift.retrieval.passages import FolderPassages, MinedPassages, Passages, Way
from libdrift.retrieval.queries import query_for
from libdrift.retrieval.releases import (
    import_mined,
    mine_missing,
    missing,
    other_release,
    release_of,
    undocumented,
)
from libdrift.showing import counted

logger = logging.getLogger(__name__)

Said = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RetrievedDocuments:
    """Documents on a task, the best first, and how good they are where that is known."""

    documents: tuple[Document, ...]
    measured: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


class DocumentSource:
    """Searches for tasks, in a thread of its own: the history is open there, and nothing waits."""

    def __init__(self, settings: Settings, ways: EvalOptions, said: Said = lambda _: None) -> None:
        self._settings = settings
        self._ways = ways
        self._said = said
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="shelf")
        self._held = contextlib.ExitStack()
        self._way = Way(ways.retriever)
        self._store: Store | None = None
        self._passages: Passages | None = None
        self._unmined: dict[tuple[str, str], str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.submit(self._held.close).result()
        self._pool.shutdown()

    async def mine(self, tasks: Iterable[Task]) -> None:
        """Have the releases of some tasks in the history, and those that they differ from."""
        await self._run(self._mine, list(tasks), Docs.OTHER)

    async def fill(self, tasks: Iterable[Task]) -> None:
        """Have what searching for some tasks takes."""
        await self._run(self._fill, list(tasks))

    async def find(self, task: Task) -> RetrievedDocuments:
        """The documents on a task; a ``Trouble`` where its release cannot be had."""
        found: RetrievedDocuments = await self._run(self._find, task)
        return found

    async def _run(self, work: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401
        return await asyncio.wrap_future(self._pool.submit(work, *arguments))

    # --- in the thread

    def _fill(self, tasks: list[Task]) -> None:
        model = self._embedder() if self._way is not Way.BM25 else None
        cache = self._settings.indexes
        if self._ways.docs_folder:
            if self._ways.docs == Docs.OTHER:
                raise UserError(
                    "documents of another version come from the mined history",
                    "Leave out -S docs_folder",
                )
            folder = Path(self._ways.docs_folder).expanduser()
            self._passages = FolderPassages(folder, cache, model)
        else:
            self._mine(tasks, self._ways.docs)
            self._passages = MinedPassages(self._open(), cache, model)
        self._held.callback(self._passages.close)
        if self._way is not Way.BM25:
            self._embed(tasks)

    def _open(self) -> Store:
        if self._store is None:
            self._store = self._held.enter_context(Store.open(self._settings.history))
        return self._store

    def _mine(self, tasks: list[Task], docs: str) -> None:
        store = self._open()
        other = docs == Docs.OTHER
        needed = missing(tasks, store, other=other)
        if needed:
            self._said(f"mining {counted(len(needed), 'release')}")
            for item in mine_missing(needed, store, self._settings):
                self._unmined[item.package, item.version] = item.reason
                logger.warning("%s %s is not mined: %s", item.package, item.version, item.reason)
        dark = undocumented(tasks, store, other=other)
        if dark:
            self._said(f"importing {counted(len(dark), 'release')} for what reading cannot tell")
            for item in import_mined(dark, store, self._settings):
                logger.warning("%s %s: %s", item.package, item.version, item.reason)

    def _embed(self, tasks: list[Task]) -> None:
        """Vectors of all releases, now: they take their time."""
        releases = dict.fromkeys(self._release(task) for task in tasks)
        for number, release in enumerate(releases, start=1):
            if release is not None and self._passages is not None:
                self._said(f"vectors of release {number} of {len(releases)}")
                with contextlib.suppress(UserError):  # said again for each of its tasks
                    self._passages.prepare(*release, self._way)

    def _embedder(self) -> Embedder:
        if not self._ways.embedder:
            raise UserError(
                f"-S retriever={self._ways.retriever} needs an embedding model",
                "Give -S embedder=smollm2, gguf/FILE, or a server's address as URL#MODEL",
            )
        return self._held.enter_context(embedding_model(self._ways.embedder, self._settings))

    def _release(self, task: Task) -> tuple[str, str] | None:
        if self._ways.docs == Docs.OTHER:
            other = other_release(task, self._open())
            return (release_of(task)[0], other) if other else None
        return release_of(task)

    def _find(self, task: Task) -> RetrievedDocuments:
        if self._passages is None:
            raise RuntimeError("the shelf is not filled")
        release = self._release(task)
        name = f"{task.facts.library} {task.facts.version}"
        if release is None:
            raise Trouble(ProviderTrouble.DOCUMENTS, f"no other release than {name} is mined")
        query = replace(query_for(task), version=release[1])
        try:
            found = self._passages.search(query, self._ways.documents, self._way)
        except LibdriftError as error:
            why = self._unmined.get(release_of(task), error.message)
            raise Trouble(ProviderTrouble.DOCUMENTS, why) from error
        return RetrievedDocuments(tuple(found), self._measured(task, found))

    def _measured(self, task: Task, found: list[Document]) -> dict[str, float]:
        """How good a search was, where the right documents are known. No prompt has it."""
        if self._store is None or self._ways.docs == Docs.OTHER:
            return {}
        wanted = gold(task, self._store)
        k, paths = self._ways.documents, [document.path for document in found]
        numbers = {
            "precision": retrieval.precision_at(k, paths, wanted),
            "recall": retrieval.recall_at(k, paths, wanted),
            "mrr": retrieval.reciprocal_rank(paths, wanted),
        }
        return {name: value for name, value in numbers.items() if value is not None}
