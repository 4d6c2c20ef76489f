"""Building environments through uv: resolved as of a date, aside, and renamed into place."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from filelock import FileLock

from libdrift.config import Settings
from libdrift.environments import archives, interpreters, store, system, uv
from libdrift.environments.recipes import Recipe, SystemPiece, recipe_for
from libdrift.errors import InfrastructureError, LibdriftError, UserError, write_failure
from libdrift.records import Environment
from libdrift.version import __version__

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ready:
    """An environment that can be used now."""

    environment: Environment
    folder: Path
    interpreter: str
    interpreter_prefix: Path
    resolution: tuple[str, ...]
    fresh: bool

    @property
    def python(self) -> Path:
        return self.folder / "venv" / "bin" / "python"


@dataclass(frozen=True, slots=True)
class Failed:
    """An environment that cannot be had, and why, in one line."""

    environment: Environment
    reason: str
    log: str = ""
    transient: bool = False  # by trouble of the machine: another time it may be had


Built = Ready | Failed


def build_all(
    environments: Iterable[Environment],
    settings: Settings,
    *,
    workers: int = 2,
    on_done: Callable[[Built], None] = lambda _: None,
) -> dict[Environment, Built]:
    """Build each distinct environment once; ``on_done`` is told of each as it ends."""
    distinct = list(dict.fromkeys(environments))
    results: dict[Environment, Built] = {}
    with ThreadPoolExecutor(max_workers=max(1, workers)) as pool:
        futures = [pool.submit(build, environment, settings) for environment in distinct]
        try:
            for future in as_completed(futures):
                built = future.result()
                results[built.environment] = built
                on_done(built)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def build(environment: Environment, settings: Settings, *, wheels_only: bool = False) -> Built:
    """Return the environment, building it if it is not there yet.

    ``wheels_only`` builds nothing from source: no code of any package runs.
    """
    if environment.language != "python":
        return Failed(environment, f"no builder for {environment.language} environments")
    try:
        recipe = replace(recipe_for(environment), wheels_only=wheels_only)
        built = _existing(recipe, settings) or _build_locked(recipe, settings)
    except (InfrastructureError, UserError) as error:
        transient = isinstance(error, InfrastructureError)
        return Failed(environment, str(error), transient=transient)
    except OSError as error:
        place = error.filename or settings.environments
        other = "point LIBDRIFT_CACHE at another folder"
        return Failed(environment, str(write_failure(place, error, other)), transient=True)
    if isinstance(built, Ready):
        lacking = system.missing(built.resolution, settings)
        if lacking:
            return _lacking(environment, lacking)
        store.touch(built.folder)
    return built


def _lacking(environment: Environment, pieces: Sequence[SystemPiece]) -> Failed:
    names = ", ".join(piece.name for piece in pieces)
    lines = "; ".join(piece.install for piece in pieces)
    return Failed(environment, f"needs {names}, missing here. Install with: {lines}")


def _existing(recipe: Recipe, settings: Settings) -> Ready | None:
    folder = store.home(settings, recipe)
    entry = store.read(folder)
    if entry is None:
        if store.newer(folder):
            fix = "Update libdrift, or use another cache: LIBDRIFT_CACHE=DIR"
            raise InfrastructureError(store.newer(folder), fix)
        return None
    ready = Ready(
        environment=recipe.environment,
        folder=folder,
        interpreter=entry.interpreter,
        interpreter_prefix=Path(entry.interpreter_prefix),
        resolution=entry.resolution,
        fresh=False,
    )
    # An interpreter that was uninstalled since leaves a dangling link: build anew.
    return ready if ready.python.exists() else None


def _build_locked(recipe: Recipe, settings: Settings) -> Built:
    root = settings.environments
    (root / store.LOCKS).mkdir(parents=True, exist_ok=True)
    with FileLock(root / store.LOCKS / f"{recipe.key}.lock"):
        existing = _existing(recipe, settings)  # another process may have built it meanwhile
        if existing:
            return existing
        unpacked = _unpacked(recipe, settings)
        if unpacked:
            return unpacked
        store.sweep(settings.environments / store.BUILDING)
        staging = root / store.BUILDING / f"{recipe.key}-{os.getpid()}"
        store.remove(staging)
        staging.mkdir(parents=True)
        try:
            return _build_aside(recipe, settings, staging)
        finally:
            store.remove(staging)


def _unpacked(recipe: Recipe, settings: Settings) -> Ready | None:
    """From the archive that somebody has packed, where there is one that is in order."""
    if settings.archives is None:
        return None
    try:
        found = archives.unpack(settings.archives, recipe.key, settings)
    except (LibdriftError, OSError) as error:
        logger.warning("%s is built instead of unpacked: %s", recipe.environment, error)
        return None
    ready = _existing(recipe, settings) if found else None
    return replace(ready, fresh=True) if ready else None


def _build_aside(recipe: Recipe, settings: Settings, staging: Path) -> Built:
    started = time.monotonic()
    lacking = system.lacking(recipe.system, settings)
    if lacking:
        return _lacking(recipe.environment, lacking)
    interpreter = interpreters.find(recipe.environment.runtime)
    for step in (_link,) if interpreter.is_old else (_resolve, _create, _install):
        failure = step(recipe, interpreter, staging)
        if failure:
            return _record_failure(recipe, settings, failure)
    resolution = _read_resolution(staging / "requirements.lock")
    entry = _entry(
        recipe,
        status="ready",
        interpreter=interpreter.version,
        interpreter_prefix=str(interpreter.prefix),
        resolution=resolution,
        fixes=tuple(fix.reason for fix in recipe.fixes),
        size=_size(staging),
        seconds=round(time.monotonic() - started, 2),
        uv=uv.run(["--version"]).stdout.strip(),
    )
    (staging / store.RECORD).write_text(entry.model_dump_json(indent=1), encoding="utf-8")
    final = store.home(settings, recipe)
    store.remove(final)  # only ever a stale one: `_existing` refused it
    if not final.is_dir():
        final.unlink(missing_ok=True)  # something else in its place
    staging.rename(final)
    store.remove(store.failures(settings) / recipe.key)
    logger.info("built %s in %.1f s", recipe.environment, entry.seconds)
    return Ready(
        environment=recipe.environment,
        folder=final,
        interpreter=interpreter.version,
        interpreter_prefix=interpreter.prefix,
        resolution=resolution,
        fresh=True,
    )


def _resolve(recipe: Recipe, interpreter: interpreters.Interpreter, staging: Path) -> str:
    lock = staging / "requirements.lock"
    arguments = ["pip", "compile", "-", "--python", str(interpreter.path)]
    arguments += ["--generate-hashes", "--no-header", "--no-annotate", "--quiet"]
    arguments += ["--output-file", str(lock), *_limits(recipe, staging)]
    if recipe.constraints:
        (staging / "constraints.txt").write_text("\n".join(recipe.constraints), encoding="utf-8")
        arguments += ["--constraints", str(staging / "constraints.txt")]
    variables = _setup(recipe, staging)
    return _failure(arguments, stdin="\n".join(recipe.requirements), variables=variables)


def _create(_recipe: Recipe, interpreter: interpreters.Interpreter, staging: Path) -> str:
    # Relocatable: the folder is renamed once it is whole, and scripts must survive that.
    arguments = ["venv", "--no-project", "--relocatable", "--quiet"]
    return _failure([*arguments, "--python", str(interpreter.path), str(staging / "venv")])


def _link(recipe: Recipe, interpreter: interpreters.Interpreter, staging: Path) -> str:
    """Python 2 alone: it finds its own library through the link, and nothing can be added."""
    if recipe.requirements:
        return f"error: nothing can be installed for Python {interpreter.version}, only run"
    python = staging / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(interpreter.path)
    return ""


def _install(recipe: Recipe, _interpreter: interpreters.Interpreter, staging: Path) -> str:
    if not recipe.requirements:
        return ""
    arguments = ["pip", "install", "--quiet", "--no-deps", "--require-hashes"]
    arguments += ["--python", str(staging / "venv"), "-r", str(staging / "requirements.lock")]
    # Compiled here: the sandbox is read-only, so a missing .pyc would be paid at every run.
    arguments += ["--link-mode", "hardlink", "--compile-bytecode", *_limits(recipe, staging)]
    return _failure(arguments, variables=_setup(recipe, staging))


def _limits(recipe: Recipe, staging: Path) -> list[str]:
    arguments = ["--no-build"] if recipe.wheels_only else []
    if recipe.environment.as_of:
        arguments += ["--exclude-newer", recipe.environment.as_of.isoformat()]
    if recipe.build_constraints:
        path = staging / "build-constraints.txt"
        path.write_text("\n".join(recipe.build_constraints), encoding="utf-8")
        arguments += ["--build-constraints", str(path)]
    return arguments


def _setup(recipe: Recipe, staging: Path) -> dict[str, str]:
    """Write the files that a source build is told of, and return the variables that tell it."""
    for name, text in recipe.setup.items():
        (staging / f"setup-{name}").write_text(text, encoding="utf-8")
    return {name: str(staging / f"setup-{name}") for name in recipe.setup}


def _failure(
    arguments: Sequence[str],
    stdin: str | None = None,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> str:
    return uv.failure(uv.run(arguments, stdin=stdin, variables=variables))


def _record_failure(recipe: Recipe, settings: Settings, log: str) -> Failed:
    """Keep the reason on disk (``libdrift env list`` shows it) and return it."""
    failed = Failed(recipe.environment, uv.reason(log), log, uv.is_momentary(log))
    folder = store.failures(settings) / recipe.key
    folder.mkdir(parents=True, exist_ok=True)
    entry = _entry(recipe, status="failed", reason=failed.reason, log=log)
    (folder / store.RECORD).write_text(entry.model_dump_json(indent=1), encoding="utf-8")
    return failed


def _entry(recipe: Recipe, **details: Any) -> store.StoredEnvironment:  # noqa: ANN401  (fields of Entry)
    environment = recipe.environment
    return store.StoredEnvironment(
        key=recipe.key,
        language=environment.language,
        runtime=environment.runtime,
        requirements=environment.requirements,
        as_of=environment.as_of,
        built=store.now(),
        libdrift=__version__,
        **details,
    )


def _read_resolution(lock: Path) -> tuple[str, ...]:
    if not lock.exists():
        return ()
    lines = (line.split(" \\")[0].strip() for line in lock.read_text("utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith(("#", "--hash")))


def _size(folder: Path) -> int:
    return sum(
        os.lstat(os.path.join(parent, name)).st_size  # noqa: PTH118  (100k files)
        for parent, _, names in os.walk(folder)
        for name in names
    )
