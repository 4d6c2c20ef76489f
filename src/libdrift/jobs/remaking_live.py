"""Live tasks made again from a manifest, hash by hash."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from libdrift import config
from libdrift.errors import UserError
from libdrift.execution.runs import provenance
from libdrift.jobs.building_live import LiveFile, processor_seconds, workshop_with
from libdrift.jobs.listening import Listener
from libdrift.jobs.live_surfaces import UnreadStep, surfaces_of
from libdrift.jobs.remaking_compiled import remade
from libdrift.reading import read_small
from libdrift.records import Task
from libdrift.scoring import Runner, RunOptions
from libdrift.suites import recipes, task_files
from libdrift.suites.recipes.manifest import PYTHON

if TYPE_CHECKING:
    from libdrift.build.live.manifests import ManifestMatch
    from libdrift.suites.recipes.manifest import PairEntry, TaskManifest


def build_manifest(
    named: str | Path,
    out: Path | None = None,
    store: Path | None = None,
    running: RunOptions | None = None,
    listener: Listener | None = None,
    *,
    force: bool = False,
) -> LiveFile:
    """The tasks of a manifest (a built-in one by its name, or a file), made again hash by hash.

    Who is interrupted runs it again: pairs of releases that are made are not made twice.
    """
    listener, running = listener or Listener(), running or RunOptions()
    manifest = _manifest(named)
    path = out or Path(f"{manifest.name}{task_files.ENDING}")
    if path.exists() and not force:  # be it by a name that the manifest chose
        raise UserError(f"{path} already exists", "Choose another --out, or add --force")
    result = LiveFile(path, manifest.name)
    parts = _PartsMade(manifest)
    tasks = parts.known()
    started, spent = time.monotonic(), processor_seconds()
    for match in _made(parts, parts.missing, store, running, listener):
        tasks += match.tasks
        result.differing += match.differing
        result.steps += 1
    for line in result.differing:
        listener.warn(line)
    if not tasks:
        raise UserError(f"no task of {manifest.name} could be made", "See the reasons above")
    tasks.sort(key=lambda task: task.id)
    result.families.update(task.facts.tags[1] for task in tasks)
    result.packages.update(task.facts.library for task in tasks)
    result.tasks = task_files.write(path, f"{manifest.name}-built", manifest.title, tasks,
                                    provenance())  # fmt: skip
    if not result.differing:
        parts.forget()
    result.seconds = time.monotonic() - started
    result.processor_seconds = processor_seconds() - spent
    return result


def _made(
    parts: _PartsMade,
    pairs: Sequence[PairEntry],
    store: Path | None,
    running: RunOptions,
    listener: Listener,
) -> Iterator[ManifestMatch]:
    """Make the tasks of pairs of releases, and keep them."""
    manifest = msgspec.structs.replace(parts.manifest, pairs=tuple(pairs))
    make = remade_of_python if manifest.language == PYTHON else remade
    made = zip(pairs, make(manifest, store, running, listener), strict=True)
    for number, (pair, (line, match)) in enumerate(made, start=1):
        parts.keep(pair, match)
        listener.note(f"{line} ({number} of {len(pairs)} pairs of releases)")
        yield match


class _PartsMade:
    """Tasks of pairs of releases that are made, while others are not: a file each."""

    def __init__(self, manifest: TaskManifest) -> None:
        self.manifest = manifest
        self._folder = config.load().cache / "live" / f"{manifest.name}-{manifest.digest}.parts"
        self._known = {pair.key: self._read(pair) for pair in manifest.pairs}

    @property
    def missing(self) -> tuple[PairEntry, ...]:
        return tuple(pair for pair in self.manifest.pairs if not self._known[pair.key])

    def known(self) -> list[Task]:
        return [task for tasks in self._known.values() for task in tasks]

    def keep(self, pair: PairEntry, match: ManifestMatch) -> None:
        """What is made whole; the rest is tried again by who asks again."""
        if not match.differing:
            name, title = self.manifest.name, self.manifest.title
            task_files.write(self._file(pair), name, title, match.tasks, provenance())

    def forget(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _file(self, pair: PairEntry) -> Path:
        number = self.manifest.pairs.index(pair)
        return self._folder / f"{number}{task_files.ENDING}"

    def _read(self, pair: PairEntry) -> tuple[Task, ...]:
        """The tasks of a pair, if all are there and have the manifest's hashes."""
        from libdrift.build.live.manifests import matched

        file = self._file(pair)
        if not file.is_file():
            return ()
        entries = [entry for entry in self.manifest.tasks if entry.pair == pair.key]
        try:
            match = matched(entries, task_files.read(file).tasks)
        except UserError:  # torn, or of another format: made anew
            return ()
        return () if match.differing else match.tasks


def remade_of_python(
    manifest: TaskManifest, store: Path | None, running: RunOptions, listener: Listener
) -> Iterator[tuple[str, ManifestMatch]]:
    """Of every pair of releases what is the same, and what is not. Nothing is proven again."""
    from libdrift.build.live.building import redrafted
    from libdrift.build.live.manifests import families_of, matched, places_of
    from libdrift.build.live.pairs import ReleaseStep

    del listener
    settings = config.load()
    backend = Runner(settings, running).with_progress(_silent()).backend
    workshop = workshop_with(backend, settings)
    for pair in manifest.pairs:
        entries = [entry for entry in manifest.tasks if entry.pair == pair.key]
        step = ReleaseStep(*pair.key, date.min)
        surfaces = surfaces_of(pair.package, [step], store, running.workers)[pair.key]
        if isinstance(surfaces, UnreadStep):
            made: list[Task] | str = surfaces.reason
        else:
            made = redrafted(surfaces, places_of(pair), workshop, families_of(entries))
        trouble = made if isinstance(made, str) else ""
        drafts = {} if isinstance(made, str) else {task.id: task for task in made}
        match = matched(entries, drafts, trouble)
        yield f"{step}: {len(match.tasks)} of {len(entries)} tasks", match


def _silent() -> Any:  # noqa: ANN401
    from libdrift.execution import Silent

    return Silent()


def _manifest(named: str | Path) -> TaskManifest:
    from libdrift.suites.recipes.manifest import parse

    if str(named) in recipes.names():
        return recipes.manifest_of(str(named))
    path = Path(named)
    if not path.is_file():
        shipped = ", ".join(recipes.names())
        wanted = "Name a file that `libdrift build live` wrote (NAME.manifest.json)"
        wanted += f", or one that is built in: {shipped}" if shipped else ""
        raise UserError(f"there is no manifest {named}", wanted)
    try:
        return parse(read_small(path), str(path))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", "Give another file") from error


class _ToTheLog(Listener):
    """Tells whoever waits for a suite, that does not listen itself: as suites tell."""

    def note(self, text: str) -> None:
        logging.getLogger(recipes.__name__).warning("%s", text)


def build_recipe(name: str, path: Path) -> LiveFile:
    """For a suite that is built on first use."""
    return build_manifest(name, path, listener=_ToTheLog(), force=True)


def some_of_recipe(name: str, ids: Collection[str]) -> list[Task]:
    """Tasks of a suite that is not built: of the others, only those of the same releases are made.

    What is made is kept, for who builds the whole of it.
    """
    manifest = _manifest(name)
    parts, listener = _PartsMade(manifest), _ToTheLog()
    needed = {entry.pair for entry in manifest.tasks if entry.id in ids}
    pairs = [pair for pair in parts.missing if pair.key in needed]
    tasks = parts.known()
    for match in _made(parts, pairs, None, RunOptions(), listener):
        tasks += match.tasks
        for line in match.differing:
            listener.note(line)
    return sorted((task for task in tasks if task.id in ids), key=lambda task: task.id)
