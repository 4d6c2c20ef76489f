"""Live tasks of compiled languages made again from a manifest, hash by hash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift import config
from libdrift.errors import LibdriftError
from libdrift.jobs.compiled_steps import (
    RUST,
    CompiledOptions,
    days_of,
    java_drafts,
    rust_drafts,
)
from libdrift.jobs.listening import Listener
from libdrift.records import Task
from libdrift.scoring import Runner, RunOptions

if TYPE_CHECKING:
    from libdrift.build.live.manifests import ManifestMatch
    from libdrift.execution import Options
    from libdrift.suites.recipes.manifest import PairEntry, TaskManifest


def remade(
    manifest: TaskManifest, store: Path | None, running: RunOptions, listener: Listener
) -> Iterator[tuple[str, ManifestMatch]]:
    """Of every pair of releases what is the same, and what is not. Nothing is proven again."""
    from libdrift.build.live.manifests import matched

    options = CompiledOptions(manifest.language, date.min, store=store, running=running)
    with Runner(config.load(), running, listener).open() as run_options:
        for pair in manifest.pairs:
            entries = [entry for entry in manifest.tasks if entry.pair == pair.key]
            families = sorted({entry.family for entry in entries})
            trouble, made = "", []
            try:
                made = _drafts(pair, families, options, run_options)
            except LibdriftError as error:
                trouble = str(error)
            match = matched(entries, {task.id: task for task in made}, trouble)
            step = f"{pair.package} {pair.old} → {pair.new}"
            yield f"{step}: {len(match.tasks)} of {len(entries)} tasks", match


def _drafts(
    pair: PairEntry, families: list[str], options: CompiledOptions, run_options: Options
) -> list[Task]:
    from libdrift.build.control import Window
    from libdrift.build.live.java_documents import JdkSources

    left_out: Counter[str] = Counter()
    if options.language == RUST:
        window = Window(pair.package, pair.old, pair.new)
        return rust_drafts(window, days_of(pair.package), families, options, left_out)
    step = (pair.old, pair.new)
    return java_drafts(step, JdkSources(), families, options, run_options, pair.most, left_out)
