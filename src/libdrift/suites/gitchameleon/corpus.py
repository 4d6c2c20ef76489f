"""The documents of each problem, where they lie beside the data: ``documents/NUMBER/…``.

The authors' release names their addresses; whoever has the pages saves them there. All documents
of problems of one release are searched together, and a problem's own are the right ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from libdrift.config import Settings
from libdrift.errors import MissingDataError
from libdrift.retrieval import folders
from libdrift.retrieval.published import SuiteDocument
from libdrift.suites.gitchameleon import files
from libdrift.suites.gitchameleon.problems import Problem

DOCUMENTS = "documents"


def documents(settings: Settings) -> list[SuiteDocument]:
    folder = files.find(settings)
    place = folder / DOCUMENTS
    found: dict[tuple[str, str, str], SuiteDocument] = {}
    for record in files.read(folder).records:
        for item in _own(record.problem, place):
            # Problems may share a page: it is right for each of them.
            key = (item.package, item.version, item.text)
            known = found.get(key, item)
            found[key] = replace(known, tasks=known.tasks | item.tasks)
    if not found:
        raise MissingDataError(
            f"no documents of problems in {place}",
            f"Save the pages that a problem names into {place}/NUMBER/",
        )
    return list(found.values())


def _own(problem: Problem, place: Path) -> Iterator[SuiteDocument]:
    own = place / problem.example_id
    for path in sorted(own.rglob("*")) if own.is_dir() else ():
        for name, text in folders.passages_of(path, own):
            yield SuiteDocument(
                problem.library,
                problem.version,
                f"{problem.example_id}/{name}",
                text,
                tasks=frozenset({problem.example_id}),
            )
