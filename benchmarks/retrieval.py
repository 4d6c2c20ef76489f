"""Whether the search finds the right symbol's document, of the right version, in its first three.

Two sets: the starter suite, whose problems are written by hand and name no API, and the controlled
completion tasks of two releases of matplotlib. Releases that the history has not are mined first,
without being imported. Every returned document is compared with what the history has for its path
in the task's own release: one that differs is of another version. The baseline is the same search
with all that a candidate sees as one text, on a sample. Latency is that of a search in a release
that is ready.

    .venv/bin/python benchmarks/retrieval.py [--store FILE] [--limit N] [--json]
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

from libdrift import config, suites
from libdrift.analysis.searches import SearchQuality, measure_searches
from libdrift.build.completion import complete
from libdrift.history.store import Store
from libdrift.records import Task
from libdrift.retrieval.gold import gold
from libdrift.retrieval.passages import MinedPassages
from libdrift.retrieval.queries import query, query_for
from libdrift.retrieval.releases import mine_missing, missing

ENOUGH = 0.9
QUICK = 0.1  # seconds
K, MORE = 3, 10
SOME = 200  # tasks of a set that the baseline is asked for
SHOWN = (
    *("hit@3", "hit@10", "precision@3", "recall@3", "mrr@3", "of_another_version"),
    *("baseline_hit@3", "milliseconds"),
)
PACKAGE, VERSIONS = "matplotlib", ("3.5.2", "3.8.3")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    settings = config.load()
    parser.add_argument("--store", type=Path, default=settings.history)
    parser.add_argument("--limit", type=int, help="completion tasks of each version")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    starter = list(suites.load("starter", settings).tasks.values())
    with Store.open(options.store) as store:
        needed = missing(starter, store)
        known = store.versions(store.number(PACKAGE))
        needed += tuple((PACKAGE, version) for version in VERSIONS if version not in known)
        if needed:
            for item in mine_missing(needed, store, settings):
                sys.exit(f"{item.package} {item.version} is not mined: {item.reason}")
        passages = MinedPassages(store, settings.indexes)
        completion = complete(store, PACKAGE, VERSIONS, limit=options.limit).tasks
        found = {
            "starter": figures(starter, passages, store),
            "completion": figures(completion, passages, store),
        }
    print(json.dumps(found, indent=1) if options.json else "\n".join(table(found)))
    return 0 if all(item["reached"] for item in found.values()) else 1


def figures(tasks: Sequence[Task], passages: MinedPassages, store: Store) -> dict[str, Any]:
    found = measure_searches(tasks, passages, store, k=K)
    seconds = [item.seconds for item in found.searches]
    return {
        "tasks": len(tasks),
        "searches": len(found.searches),
        "hit@3": rounded(found.hit),
        "hit@10": rounded(measure_searches(tasks, passages, store, k=MORE).hit),
        "precision@3": rounded(found.precision),
        "recall@3": rounded(found.recall),
        "mrr@3": rounded(found.mrr),
        "of_another_version": found.foreign,
        "baseline_hit@3": rounded(baseline(tasks, passages, store)),
        "milliseconds": {
            "mean": round(fmean(seconds) * 1000, 1),
            "95%": round(quantiles(seconds, n=20)[-1] * 1000, 1),
        },
        "reached": reached(found, seconds),
        "without_gold": list(found.without_gold),
        "misses": [
            {"task": item.task_id, "wanted": sorted(item.wanted), "found": list(item.found)}
            for item in found.searches
            if not item.hit
        ],
    }


def reached(found: SearchQuality, seconds: Sequence[float]) -> bool:
    return (found.hit or 0) >= ENOUGH and found.foreign == 0 and fmean(seconds) < QUICK


def baseline(tasks: Sequence[Task], passages: MinedPassages, store: Store) -> float:
    """The search when it is told everything at once; of many tasks, for some."""
    hits = []
    for task in tasks[:: math.ceil(len(tasks) / SOME)]:
        wanted = gold(task, store)
        if wanted:
            text = query_for(task).text
            found = passages.search(query(text, task.facts.library, task.facts.version), K)
            hits.append(any(item.path in wanted for item in found))
    return fmean(hits) if hits else 0.0


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def table(found: dict[str, dict[str, Any]]) -> list[str]:
    lines = []
    for name, item in found.items():
        lines.append(f"{name}: {item['searches']} searches of {item['tasks']} tasks")
        lines += [f"  {key:20} {item[key]}" for key in SHOWN]
        lines += [f"  missed {miss['task']}: {miss['wanted']}" for miss in item["misses"]]
    return lines


if __name__ == "__main__":
    sys.exit(main())
