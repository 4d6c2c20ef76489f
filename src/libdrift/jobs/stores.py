"""What libdrift keeps on this machine, and whether it is whole.

A cache that is damaged is dropped where that is safe: it is made anew when it is needed. What is
data, or dear, or of a newer libdrift, is named with the command that repairs it.
"""

from __future__ import annotations

import errno
import hashlib
import json
import shlex
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from libdrift import kept, temporary
from libdrift.config import Settings
from libdrift.environments import checking, crate_records, store
from libdrift.errors import LibdriftError
from libdrift.execution import proofs, remembered
from libdrift.history.store import Store
from libdrift.history.store.checking import damage, quick_damage
from libdrift.jobs import run_checks
from libdrift.languages.rust import std_cache
from libdrift.mining import parse_cache
from libdrift.mining.examples import keeping
from libdrift.retrieval.passages import check_index

_DROPPED = "removed: it is built again when needed"
_PARSED, _EXAMPLES = "SELECT content FROM parsed", "SELECT data FROM runs"
_NEWER = "Update libdrift, or use another cache: LIBDRIFT_CACHE=DIR"


@dataclass(frozen=True, slots=True)
class StoreDamage:
    """``repair`` is a command, or says what was done."""

    place: Path
    why: str
    repair: str


@dataclass(frozen=True, slots=True)
class StoreState:
    """One kind of thing that is kept: how much of it there is, and what of it is damaged."""

    name: str
    place: Path
    detail: str
    damaged: tuple[StoreDamage, ...] = ()


def check_stores(
    settings: Settings,
    runs: Path,
    *,
    deep: bool,
    begin: Callable[[str, int], None] = lambda _name, _total: None,
) -> Iterator[StoreState]:
    """Look at all that is kept; ``deep`` reads all of it, else what can be read at once.

    ``begin`` is told the name of a store before it is read, and how many there are.
    """
    looks = list(_looks(settings, runs, deep=deep))
    for name, place, look in looks:
        begin(name, len(looks))
        try:
            yield look()
        except OSError as error:
            why = f"it cannot be looked at: {_first(error)}"
            fix = f"Check the permissions of {shlex.quote(str(error.filename or place))}"
            yield StoreState(name, place, "", (StoreDamage(place, why, fix),))


def _looks(
    settings: Settings, runs: Path, *, deep: bool
) -> Iterator[tuple[str, Path, Callable[[], StoreState]]]:
    cache = settings.cache
    yield "history", settings.history, lambda: _history(settings, deep=deep)
    yield "runs", runs, lambda: run_state(runs, deep=deep)
    yield "environments", settings.environments, lambda: _environments(settings, deep=deep)
    yield "crates", cache / "crates", lambda: _crates(settings)
    for name, root, pattern, read in (
        ("proofs", settings.proofs, "*/*.json", proofs.check_file),
        ("outputs", cache / "outputs", "*.json", remembered.parsed),
        ("rust documentation", cache / "rust", "std-*.json", std_cache.parsed),
    ):
        yield name, root, partial(_files, name, root, pattern, read, deep=deep)
    yield "search indexes", settings.indexes, lambda: _indexes(settings, deep=deep)
    for name, path, question, whole in (
        ("parsed files", cache / "mining" / "parsed.sqlite", _PARSED, parse_cache.whole),
        ("examples", cache / "examples.sqlite", _EXAMPLES, keeping.whole),
    ):
        yield name, path, partial(_rows, name, path, question, whole, deep=deep)
    yield "weights", cache / "models", lambda: _weights(settings, deep=deep)
    yield "crate sources", cache / "rust" / "sources", lambda: _sources(settings, deep=deep)
    yield "leftovers", cache, lambda: _leftovers(settings)


def _history(settings: Settings, *, deep: bool) -> StoreState:
    path = settings.history
    if not path.exists():
        return StoreState("history", path, "nothing is mined")
    try:
        with Store.open(path, readonly=True) as opened:
            found = damage(opened.db) if deep else quick_damage(opened.db)
            names = [] if found else opened.packages()
            packages = " ".join(_readable(opened))
    except LibdriftError as error:
        return StoreState("history", path, "", (StoreDamage(path, error.message, error.fix),))
    move = f"mv {shlex.quote(str(path))} {shlex.quote(f'{path}.damaged')}"
    repair = f"{move} && libdrift mine {packages or 'PACKAGE'}"
    detail = f"{_count(len(names), 'package')}, {_size(path)}"
    return StoreState(
        "history", path, detail, tuple(StoreDamage(path, why, repair) for why in found)
    )


def _readable(opened: Store) -> list[str]:
    """The packages of a file, as far as it tells."""
    try:
        return [shlex.quote(name) for name in opened.packages()]
    except (LibdriftError, sqlite3.DatabaseError):
        return []


def run_state(runs: Path, *, deep: bool) -> StoreState:
    """The runs below a folder, or the one that it is."""
    folders = run_checks.folders(runs)
    found = [
        StoreDamage(folder, fault.why, fault.repair)
        for folder in folders
        for fault in run_checks.faults(folder, deep=deep)
    ]
    return StoreState("runs", runs, _count(len(folders), "run"), tuple(found))


def _environments(settings: Settings, *, deep: bool) -> StoreState:
    root = settings.environments
    found = [
        StoreDamage(
            one.folder, one.why, _NEWER if one.newer else f"rm -r {shlex.quote(str(one.folder))}"
        )
        for one in checking.check(settings, deep=deep)
    ]
    count = len(list(root.glob(f"*/{store.RECORD}")))
    return StoreState("environments", root, _count(count, "environment"), tuple(found))


def _crates(settings: Settings) -> StoreState:
    root = settings.cache / "crates"
    found, count = [], 0
    for folder in sorted(root.glob("[!.]*")):
        count += 1
        try:
            crate_records.read_record(_content(folder / crate_records.RECORD))
        except kept.NewerFileError as error:
            found.append(StoreDamage(folder, str(error), _NEWER))
        except (OSError, ValueError):
            why = f"its {crate_records.RECORD} cannot be read"
            found.append(StoreDamage(folder, why, f"rm -r {shlex.quote(str(folder))}"))
    return StoreState("crates", root, _count(count, "set"), tuple(found))


def _files(
    name: str, root: Path, pattern: str, read: Callable[[bytes], object], *, deep: bool
) -> StoreState:
    """A folder of small files. Not all are read unless that is asked for."""
    found, count = [], 0
    for path in sorted(root.glob(pattern)):
        count += 1
        if not deep and path.is_file():
            continue
        try:
            read(_content(path))
        except kept.NewerFileError as error:
            found.append(StoreDamage(path, str(error), _NEWER))
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            found.append(StoreDamage(path, _first(error), _drop(path)))
    return StoreState(name, root, _count(count, "file"), tuple(found))


def _indexes(settings: Settings, *, deep: bool) -> StoreState:
    root, found, count = settings.indexes, [], 0
    for path in sorted((*root.glob("index-*.sqlite"), *root.glob("vectors-*.sqlite"))):
        count += 1
        try:
            if path.name.startswith("vectors-"):
                _look(path, "SELECT data FROM vectors", bool, deep=deep)
            elif deep or not path.is_file():
                check_index(path)
        except (OSError, sqlite3.DatabaseError) as error:
            found.append(StoreDamage(path, _first(error), _drop(path)))
    return StoreState("search indexes", root, _count(count, "file"), tuple(found))


def _rows(
    name: str, path: Path, question: str, whole: Callable[[object], bool], *, deep: bool
) -> StoreState:
    """A database that is only a cache."""
    if not path.exists():
        return StoreState(name, path, "none")
    try:
        _look(path, question, whole, deep=deep)
    except (OSError, sqlite3.DatabaseError) as error:
        return StoreState(name, path, "", (StoreDamage(path, _first(error), _drop(path)),))
    return StoreState(name, path, _size(path))


def _look(path: Path, question: str, whole: Callable[[object], bool], *, deep: bool) -> None:
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=10)) as db:
        db.execute(f"{question} LIMIT 1").fetchone()
        if not deep:
            return
        told = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if told != "ok":
            raise sqlite3.DatabaseError(str(told))
        bad = sum(not whole(row) for (row,) in db.execute(question))
    if bad:
        raise sqlite3.DatabaseError(f"{_count(bad, 'row')} not as stored")


def _leftovers(settings: Settings) -> StoreState:
    """What killed processes left. It is removed here."""
    import shutil
    import tempfile

    place = Path(tempfile.gettempdir())
    folders = temporary.leftovers(place)
    roots = [settings.proofs, settings.indexes, settings.cache / "outputs", settings.cache / "rust"]
    roots += sorted(settings.proofs.glob("*"))
    files = [one for root in roots for one in kept.leftovers(root)]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    for file in files:
        file.unlink(missing_ok=True)
    for workshop in (settings.environments, settings.cache / "crates"):
        store.sweep(workshop / store.BUILDING)
    count = len(folders) + len(files)
    return StoreState(
        "leftovers", place, f"{_count(count, 'leftover')} of killed processes removed"
    )


def _weights(settings: Settings, *, deep: bool) -> StoreState:
    """Files of models, each known by its content."""
    from libdrift.evals.local.weights import SMOLLM2

    path = SMOLLM2.path(settings)
    if not path.exists():
        return StoreState("weights", path.parent, "none")
    if (deep or not path.is_file()) and not _is(path, SMOLLM2.sha256):
        bad = StoreDamage(path, "its content does not match its checksum", _drop(path))
        return StoreState("weights", path, "", (bad,))
    return StoreState("weights", path.parent, _size(path))


def _sources(settings: Settings, *, deep: bool) -> StoreState:
    """Unpacked crates, by the sums that cargo keeps beside each."""
    root, found, count = settings.cache / "rust" / "sources", [], 0
    for folder in sorted(root.glob("*/")):
        sums = folder / ".cargo-checksum.json"
        if folder.name.startswith((".", "libdrift-of-")):
            continue
        count += 1
        try:
            files = json.loads(_content(sums))["files"] if deep else {}
            bad = [name for name, sum_ in files.items() if not _is_within(folder, name, sum_)]
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            bad = [sums.name]
        if bad:
            repair = f"rm -r {shlex.quote(str(folder))}"
            found.append(StoreDamage(folder, f"not as it was unpacked: {bad[0]}", repair))
    return StoreState("crate sources", root, _count(count, "crate"), tuple(found))


def _content(path: Path) -> bytes:
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise OSError(errno.EINVAL, "it is not a file", str(path))
    return path.read_bytes()


def _is_within(folder: Path, name: str, sum_: str) -> bool:
    """A list of sums may name anything; what is not in the folder is not looked at."""
    return (folder / name).resolve().is_relative_to(folder.resolve()) and _is(folder / name, sum_)


def _is(path: Path, sum_: str) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sum_
    except OSError:
        return False


def _drop(path: Path) -> str:
    try:
        if path.is_dir():
            return f"rm -r {shlex.quote(str(path))}"  # nothing of ours: a person should look
        parse_cache.drop(path)
    except OSError as error:
        return f"rm {shlex.quote(str(path))} ({error.strerror})"
    return _DROPPED


def _first(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:,.1f} MB"
