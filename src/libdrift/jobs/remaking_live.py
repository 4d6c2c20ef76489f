"""Live tasks made again from a manifest, hash by hash."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from libdrift import config
from libdrift.errors import UserError
from libdrift.execution.runs import provenance
from libdrift.jobs.building_live import LiveFile, LiveOptions, surfaces_of, workshop_with
from libdrift.jobs.listening import Listener
from libdrift.reading import read_small
from libdrift.records import Task
from libdrift.scoring import Runner, RunOptions
from libdrift.suites import task_files

if TYPE_CHECKING:
    from libdrift.suites.recipes.manifest import TaskManifest


def build_manifest(
    named: str | Path,
    out: Path | None = None,
    store: Path | None = None,
    running: RunOptions | None = None,
    listener: Listener | None = None,
    *,
    force: bool = False,
) -> LiveFile:
    """The tasks of a manifest (a built-in one by its name, or a file), made again hash by hash."""
    from libdrift.build.live.building import family_of, redrafted
    from libdrift.build.live.manifests import families_of, matched, places_of
    from libdrift.build.live.pairs import ReleaseStep

    listener, running = listener or Listener(), running or RunOptions()
    manifest = _manifest(named)
    path = out or Path(f"{manifest.name}{task_files.ENDING}")
    if path.exists() and not force:  # be it by a name that the manifest chose
        raise UserError(f"{path} is there already", "Choose another --out, or add --force")
    options = LiveOptions(date.min, out=path, store=store, running=running)
    settings = config.load()
    backend = Runner(settings, running).with_progress(_silent()).backend
    workshop = workshop_with(backend, settings)
    result = LiveFile(path, manifest.name)
    tasks: list[Task] = []
    started = time.monotonic()
    for pair in manifest.pairs:
        entries = [entry for entry in manifest.tasks if entry.pair == pair.key]
        step = ReleaseStep(*pair.key, date.min)
        surfaces = surfaces_of(pair.package, [step], options).get(pair.key)
        if surfaces is None:
            made: list[Task] | str = "its releases are gone from the index"
        else:
            made = redrafted(surfaces, places_of(pair), workshop, families_of(entries))
        trouble = made if isinstance(made, str) else ""
        drafts = {} if isinstance(made, str) else {task.id: task for task in made}
        match = matched(entries, drafts, trouble)
        tasks += match.tasks
        result.differing += match.differing
        result.steps += 1
        listener.note(f"{step}: {len(match.tasks)} of {len(entries)} tasks")
    for line in result.differing:
        listener.warn(line)
    if not tasks:
        raise UserError(f"no task of {manifest.name} could be made", "See the lines above")
    tasks.sort(key=lambda task: task.id)
    result.families.update(map(family_of, tasks))
    result.packages.update(task.facts.library for task in tasks)
    result.tasks = task_files.write(path, f"{manifest.name}-built", manifest.title, tasks,
                                    provenance())  # fmt: skip
    result.seconds = time.monotonic() - started
    return result


def _silent() -> Any:  # noqa: ANN401
    from libdrift.execution import Silent

    return Silent()


def _manifest(named: str | Path) -> TaskManifest:
    from libdrift.suites import recipes
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


def build_recipe(name: str, path: Path) -> LiveFile:
    """For a suite that is built on first use."""
    return build_manifest(name, path, force=True)
