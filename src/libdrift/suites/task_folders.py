"""Tasks in folders: a ``task.toml`` each, with programs beside it, as the starter suite has them.

A folder of tasks may have a ``suite.toml``. Tasks stand in it directly, or deeper: in ``tasks``, or
in groups. A task's id is its folder's name.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from packaging.utils import canonicalize_name

from libdrift.errors import UserError
from libdrift.reading import toml_of
from libdrift.records import Facts, LeftOutTask, Split, Suite, Task, TestStyle
from libdrift.showing import in_a_line
from libdrift.suites.own_tasks import (
    GUIDE,
    LANGUAGES,
    SUITE_NAME,
    BadTaskError,
    meant,
    pinned,
    refuse_if_none,
    task_of,
)

SHEET = "task.toml"
ABOUT = "suite.toml"
_ENDINGS = {"python": ".py", "rust": ".rs", "java": ".java"}
_NEEDED = ("reference", "hidden")
_PROGRAMS = (*_NEEDED, "visible", "starter", "wrong", "prefix", "suffix")
_STYLES = {
    "python": {"hidden": TestStyle.PYTEST, "visible": TestStyle.SCRIPT},
    "rust": {"hidden": TestStyle.RUST, "visible": TestStyle.RUST},
}
_RUNNER = "pytest==8.3.5"
_LAST_RUNNERS = {"3.7": "pytest==7.4.4"}  # of interpreters that the usual one does not run on
_LARGEST = 1 << 20  # bytes of a file: a program that a person wrote has thousands
_DEEPEST = 3  # folders within each other
_MOST = 20_000  # folders that are looked through: a home or a disk is no suite

_PLACE = {"python", "runtime", "requirements", "as_of"}
_FACTS = {field.name for field in fields(Facts)}
# As .jsonl has them; the rest of a task is told by the names of its files.
_SAME = {"title", "problem", "language", "kind", "module"}
SHEET_FIELDS = frozenset(_PLACE | _FACTS | _SAME | {"wrong", "tests"})
WRONG_FIELDS = frozenset(_PLACE | {"note"})
SUITE_FIELDS = frozenset({"name", "title", "as_of"})


def is_folder(name: str) -> bool:
    """Whether a folder stands in the place of a suite's name."""
    return name.endswith(("/", os.sep)) or Path(name).is_dir()


def read(folder: Path, taken: Collection[str] = ()) -> Suite:
    """The tasks below a folder. A bad one is named, and leaves the others usable.

    The suite has the folder's name, or a longer one where that is ``taken`` by another.
    """
    if not folder.is_dir():
        raise UserError(f"no folder {folder}", f"`libdrift build init {folder}` makes one")
    root = folder.resolve()
    about = _about(root, taken)
    tasks: dict[str, Task] = {}
    left_out: list[LeftOutTask] = []
    closed: list[OSError] = []
    places = sorted(_places(root, closed.append), key=lambda found: (found.name, str(found)))
    for error in closed:  # what is below is not known: it may be a task
        fault = BadTaskError(f"cannot be read: {error.strerror}", "Check its permissions")
        left_out.append(fault.left_out(str(error.filename)))
    for place in places:
        try:
            task = _checked(place, root, about)
            if task.id in tasks:
                raise BadTaskError(f"repeats task {task.id!r}", "Give its folder another name")  # noqa: TRY301
            tasks[task.id] = task
        except BadTaskError as fault:
            where = folder / place.relative_to(root)
            left_out.append(fault.left_out(str(where), place.name))
    if not tasks and not left_out:
        raise _nothing(folder)
    refuse_if_none(folder, tasks, left_out)
    return Suite(
        about.name,
        about.title or about.name,
        str(folder),
        MappingProxyType(tasks),
        path=str(folder),
        left_out=tuple(left_out),
    )


@dataclass(frozen=True, slots=True)
class _About:
    """What ``suite.toml`` says."""

    name: str
    title: str = ""
    as_of: date | None = None


def _about(root: Path, taken: Collection[str]) -> _About:
    usual = re.sub(r"[^\w .+-]+", "-", root.name).strip(" .+-") or "tasks"
    usual = f"{usual}-tasks" if usual in taken else usual
    for place in (root, root / "tasks"):
        try:
            told = _toml(place / ABOUT, root) if (place / ABOUT).exists() else None
            if told is not None:
                return _About(**{"name": usual, **_suite_fields(told)})
        except BadTaskError as fault:
            raise UserError(f"{place / ABOUT}: {fault}", fault.fix) from fault
        except ValueError as error:
            raise UserError(f"{place / ABOUT}: {error}", "Write smaller numbers") from error
    return _About(usual)


def _suite_fields(told: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in told.items():
        if name not in SUITE_FIELDS:
            raise BadTaskError(f"no suite has a field {meant(name, SUITE_FIELDS)}")
        if not isinstance(value, date if name == "as_of" else str):
            right = "as_of = 2026-06-01" if name == "as_of" else f'{name} = "TEXT"'
            raise BadTaskError(f"{name} is {value!r}", f"Write {right}")
    if "name" in told and not SUITE_NAME.fullmatch(told["name"]):
        raise BadTaskError(
            f"not a name for a suite: {told['name']!r}", "Write letters, digits, dots and dashes"
        )
    return dict(told)


def _places(root: Path, on_error: Callable[[OSError], None]) -> Iterator[Path]:
    """Folders that are meant as tasks: they have a sheet, or the programs that belong to one."""
    looked = 0
    for top, folders, names in os.walk(root, onerror=on_error):
        looked += 1
        if looked > _MOST:
            raise UserError(f"{root} has over {_MOST:,} folders", "Give the folder of the tasks")
        here = Path(top)
        if SHEET in names or (here != root and _meant_as_task(names)):
            yield here
            folders.clear()
            continue
        depth = len(here.relative_to(root).parts)
        folders[:] = sorted(one for one in folders if not one.startswith((".", "__")))
        for name in folders:
            link = here / name
            if link.is_symlink() and (link / SHEET).exists():
                yield link  # which `os.walk` does not go into
        if depth >= _DEEPEST:
            folders.clear()


def _meant_as_task(names: list[str]) -> bool:
    programs = {f"{one}{ending}" for one in _NEEDED for ending in _ENDINGS.values()}
    return any(name.lower() == SHEET or name in programs for name in names)


def _nothing(folder: Path) -> UserError:
    files = sorted(path.name for path in folder.glob("*.jsonl"))
    if files:
        return UserError(f"{folder} has no {SHEET} below it", f"Give a file: {folder / files[0]}")
    return UserError(
        f"{folder} has no tasks: no {SHEET} is below it",
        f"`libdrift build init DIR` writes an example, and {GUIDE}",
    )


def _checked(place: Path, root: Path, about: _About) -> Task:
    if in_a_line(place.name) != place.name:
        raise BadTaskError("its name has characters that cannot be printed", "Rename the folder")
    try:
        return _task(place, root, about)
    except OSError as error:
        raise BadTaskError(f"cannot be read: {error.strerror}", "Check its permissions") from error
    except ValueError as error:  # a number of more digits than Python writes
        raise BadTaskError(f"{SHEET} cannot be used: {error}", "Write smaller numbers") from error


def _task(place: Path, root: Path, about: _About) -> Task:
    sheet = _toml(place / SHEET, root)
    for name in sheet:
        if name not in SHEET_FIELDS:
            raise BadTaskError(f"{SHEET}: no task has a field {meant(name, SHEET_FIELDS)}")
    language = sheet.get("language", "python")
    if language not in LANGUAGES:
        raise BadTaskError(
            f"{SHEET}: language is {language!r}", f"Write one of {', '.join(LANGUAGES)}"
        )
    if not str(sheet.get("problem", "")).strip():
        raise BadTaskError(f"{SHEET}: problem is missing", 'Write problem = "what is asked"')
    programs = _programs(place, root, _ENDINGS[language])
    tests = [
        {"split": split, "style": _style(sheet, language, split), "code": programs[split]}
        for split in (one.value for one in Split)
        if split in programs
    ]
    styles = {one["style"] for one in tests}
    environment = _environment(sheet, about, styles, SHEET)
    told: dict[str, Any] = {
        "id": place.name,
        **{name: sheet[name] for name in _SAME if name in sheet},
        "problem": str(sheet["problem"]).strip(),
        "environment": environment,
        "tests": tests,
        "facts": _facts(sheet, environment),
        **{name: programs[name] for name in programs if name not in {"hidden", "visible", "wrong"}},
    }
    if "wrong" in programs or "wrong" in sheet:
        told["wrong"] = _wrong(sheet, programs, about, styles)
    try:
        return task_of(told, about.name)
    except BadTaskError as fault:
        # The sheet has on top what a record has in parts.
        said = re.sub(r"`\$\.(?:environment|facts)\.", "`$.", str(fault))
        raise BadTaskError(said, fault.fix) from fault


def _style(sheet: Mapping[str, Any], language: str, split: str) -> object:
    told = sheet.get("tests", {})
    if not isinstance(told, dict) or set(told) - set(Split):
        raise BadTaskError(f"{SHEET}: [tests] is {told!r}", 'Write [tests] with hidden = "script"')
    usual = _STYLES.get(language, {}).get(split)
    if split not in told and usual is None:
        styles = f"one of {', '.join(TestStyle)}"
        raise BadTaskError(
            f"{SHEET}: no style of {split} tests", f"Write {split} = {styles} in [tests]"
        )
    return told.get(split, usual)


def _environment(
    sheet: Mapping[str, Any], about: _About, styles: set[Any], where: str
) -> dict[str, Any]:
    """Where programs run, with what runs their tests."""
    runtime = sheet.get("python", sheet.get("runtime"))
    if not isinstance(runtime, str):
        said = "is not told" if runtime is None else f"is {runtime!r}"
        raise BadTaskError(f"{where}: python {said}", 'Write python = "3.11", in quotes')
    pins = sheet.get("requirements", [])
    if not isinstance(pins, list) or not all(isinstance(pin, str) for pin in pins):
        raise BadTaskError(
            f"{where}: requirements is {pins!r}", 'Write a list: requirements = ["numpy==2.0.2"]'
        )
    runs = TestStyle.PYTEST in styles and not any(pinned(pin)[0] == "pytest" for pin in pins)
    runner = [_LAST_RUNNERS.get(runtime, _RUNNER)] if runs else []
    as_of = sheet.get("as_of", about.as_of)
    if as_of is not None and (not isinstance(as_of, date) or isinstance(as_of, datetime)):
        raise BadTaskError(f"{where}: as_of is {as_of!r}", "Write a date: as_of = 2026-06-01")
    return {"runtime": runtime, "requirements": [*pins, *runner], "as_of": as_of}


def _facts(sheet: Mapping[str, Any], environment: Mapping[str, Any]) -> dict[str, Any]:
    """What is known; the version is that of the library's pin."""
    facts = {name: sheet[name] for name in _FACTS if name in sheet}
    library = facts.get("library")
    if not isinstance(library, str) or "version" in facts:
        return facts
    if library == sheet.get("language", "python"):
        return {**facts, "version": environment["runtime"]}
    for name, version in map(pinned, environment["requirements"]):
        if canonicalize_name(name) == canonicalize_name(library):
            return {**facts, "version": version}
    raise BadTaskError(
        f"{SHEET}: library is {library!r}, and no requirement pins it",
        f'Add "{library}==VERSION" to requirements',
    )


def _wrong(
    sheet: Mapping[str, Any], programs: Mapping[str, str], about: _About, styles: set[Any]
) -> dict[str, Any]:
    told = sheet.get("wrong")
    if not isinstance(told, dict):
        raise BadTaskError(
            f"wrong is there, but {SHEET} has no [wrong]",
            "Write [wrong] with python, requirements and note: where that program is right",
        )
    if "wrong" not in programs:
        raise BadTaskError(f"{SHEET} has [wrong], but its program is missing", "Write wrong.py")
    for name in told:
        if name not in WRONG_FIELDS:
            raise BadTaskError(f"{SHEET}: [wrong] has no field {meant(name, WRONG_FIELDS)}")
    place = {**{name: sheet[name] for name in ("python", "runtime", "as_of") if name in sheet}}
    other = _environment({**place, **told}, about, styles, f"{SHEET} [wrong]")
    return {"code": programs["wrong"], "environment": other, "note": told.get("note", "")}


def _programs(place: Path, root: Path, ending: str) -> dict[str, str]:
    """The programs beside a sheet, by the names of their files."""
    there = sorted(path.name for path in place.iterdir() if path.suffix == ending)
    known = [f"{name}{ending}" for name in _PROGRAMS]
    missing = [f"{name}{ending}" for name in _NEEDED if f"{name}{ending}" not in there]
    odd = [name for name in there if name not in known]
    if missing:
        near = f"; is it {odd[0]}?" if odd else ""
        raise BadTaskError(f"{missing[0]} is missing{near}", f"Write {missing[0]} beside {SHEET}")
    if odd:
        raise BadTaskError(f"no task has a file {meant(odd[0], known)}", "Rename or remove it")
    return {name.removesuffix(ending): _text(place / name, root) for name in there}


def _toml(path: Path, root: Path) -> dict[str, Any]:
    try:
        return toml_of(_text(path, root))
    except ValueError as error:
        raise BadTaskError(f"{path.name} is not TOML ({error})", "Fix that line") from error


def _text(path: Path, root: Path) -> str:
    """What a file of a task says, if it is one: a small text within the folder of tasks."""
    try:
        if not path.resolve().is_relative_to(root):
            raise BadTaskError(f"{path.name} is a link out of the folder", "Copy what it points to")
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise BadTaskError(f"{path.name} is not a file", f"Write a text file {path.name}")
        if found.st_size > _LARGEST:
            raise BadTaskError(
                f"{path.name} has {found.st_size >> 20} MB", f"Keep it below {_LARGEST >> 20} MB"
            )
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BadTaskError(f"{path.name} is missing", f"Write {path.name}") from error
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadTaskError(f"cannot read {path.name}: {why}", "Fix the file") from error
    except UnicodeDecodeError as error:
        raise BadTaskError(f"{path.name} is not UTF-8 ({error})", "Save it as UTF-8") from error
