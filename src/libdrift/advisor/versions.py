"""Between which versions code is checked: what it was written for, and what it is to run with."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from libdrift.advisor.pins import VersionTable, installed, read_file, usual
from libdrift.errors import UserError

PYTHON = "python"  # the standard library, as the history names it
_PIN = re.compile(r"^([A-Za-z0-9][\w.:-]*?)\s*={2,3}\s*v?(\d[\w.+!-]*)$")
_PIN_LIKE = re.compile(r"^([A-Za-z0-9][\w.-]*?)\s*[=<>~!@ ]+\s*v?(\d[\w.+!-]*)?")
_NUMBER = re.compile(r"^v?\d+(?:\.\d+)+\w*$")
_NAME = re.compile(r"^[A-Za-z0-9][\w.:-]*$")
_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", "Pipfile.lock")
_CONDA = ("environment.yml", "environment.yaml", "conda.yml")
_INNER = ("requirements/*.txt", "*/*requirements*.txt", ".github/workflows/*requirements*.txt")
_NOT_OWN = frozenset("node_modules site-packages venv env .venv build dist".split())
_NO_VERSION = ""
GIVEN = "--from"  # the source of what the user has said


@dataclass(frozen=True, slots=True)
class VersionStep:
    """A package, from one version to another, and where the first was read."""

    package: str
    old: str
    new: str
    source: str
    is_range: bool = False  # the old version is the bound of a range


def read_pin(text: str, option: str) -> tuple[str, str]:
    """``numpy==2.1.0``; a name alone has no version."""
    match = _PIN.match(text.strip())
    if match:
        return _named(match[1]), match[2]
    if _NUMBER.match(text.strip()):
        raise UserError(
            f"{option} {text!r} names no package", f"Write {option} NAME=={text.strip()}"
        )
    if _NAME.match(text.strip()):
        return _named(text.strip()), _NO_VERSION
    start = _PIN_LIKE.match(text.strip())
    pin = f"{start[1]}=={start[2] or 'VERSION'}" if start else "numpy==2.1.0"
    raise UserError(f"{option} {text!r} is not an exact version", f"Write {option} {pin}")


def _named(name: str) -> str:
    """As the index writes it; of other registries (``crate:serde_json``), as it is."""
    return name if ":" in name else usual(name)


def language_of(package: str) -> str:
    """The language of the code that uses a package."""
    registry = package.partition(":")[0]
    return {"jdk": "java", "maven": "java", "rust": "rust", "crate": "rust"}.get(registry, "python")


def read_pins(texts: Iterable[str], option: str) -> dict[str, str]:
    """Pins and files of them, by package; a name alone has an empty version: the newest."""
    found: dict[str, str] = {}
    for text in texts:
        path = Path(text)
        # A pin is one whatever file is called so: who owns the folder does not choose versions.
        if path.is_file() and not _PIN.match(text.strip()):
            found |= read_file(path).exact
        elif "/" in text or path.suffix in {".lock", ".txt", ".toml", ".yml", ".yaml"}:
            raise UserError(f"{option} {text}: no such file", f"Write {option} numpy==2.1.0")
        else:
            package, version = read_pin(text, option)
            found[package] = version
    return found


def tables(
    start: Path, complain: Callable[[str], None], top: Path | None = None
) -> list[VersionTable]:
    """All that tells which versions code was written for, the surest first.

    What cannot be read is complained of, and the rest goes on. Nothing above ``top`` is read.
    """
    folder = start if start.is_dir() else start.parent
    folders = list(_up(folder.resolve(), top))
    locks = [place / name for place in folders for name in (*_LOCKS, *_CONDA)]
    loose = [
        path
        for place in folders
        for path in [*sorted(place.glob("*requirements*.txt")), place / "pyproject.toml"]
    ]
    inner = [path for place in folders if _is_own(place, folder) for path in _inside(place)]
    found: list[VersionTable] = []
    ranges: list[VersionTable] = []
    others: list[VersionTable] = []
    kinds = ((found, locks), (ranges, loose), (others, [one for one in inner if one not in loose]))
    for kept, path in ((kept, path) for kept, paths in kinds for path in dict.fromkeys(paths)):
        try:
            if path.is_file():
                kept.append(read_file(path))
        except UserError as error:
            complain(str(error))
    found += [VersionTable(item.source, item.exact) for item in ranges]
    found += [installed(place) for place in _environments(folders)]
    found += [VersionTable(item.source, item.exact) for item in others]
    found += [
        VersionTable(f"the lowest that {item.source} allows", item.lowest, is_range=True)
        for item in ranges
    ]
    return found


def _is_own(place: Path, start: Path) -> bool:
    """Whether a folder is the code's, or the project's: one above them may hold other projects."""
    marked = (place / ".git").exists() or (place / "pyproject.toml").is_file()
    return marked or place == start.resolve()


def _inside(place: Path) -> Iterator[Path]:
    """Requirements of some part of a project: its tests, its documentation, what runs them."""
    for pattern in _INNER:
        for path in sorted(place.glob(pattern)):
            if not _NOT_OWN.intersection(path.relative_to(place).parts):
                yield path


def _up(folder: Path, top: Path | None) -> Iterator[Path]:
    """The folder and those above it, up to the project's own."""
    for place in (folder, *folder.parents):
        yield place
        if top is not None and place == top.resolve():
            return
        if (place / ".git").exists() or (place / "pyproject.toml").is_file():
            return
        if place == Path.home():
            return


def _environments(folders: Sequence[Path]) -> Iterator[Path]:
    named = [os.environ.get(name) for name in ("VIRTUAL_ENV", "CONDA_PREFIX")]
    places = [*(folder / ".venv" for folder in folders), *(Path(item) for item in named if item)]
    yield from (place for place in dict.fromkeys(places) if place.is_dir())


def steps(
    targets: Mapping[str, str],
    given: Mapping[str, str],
    known: Sequence[VersionTable],
) -> tuple[list[VersionStep], list[str]]:
    """What to check between, and the packages whose old version nothing tells."""
    found: list[VersionStep] = []
    untold: list[str] = []
    for package, new in targets.items():
        old, source, is_range = given.get(package, ""), GIVEN, False
        for table in known if not old else ():
            if package in table.exact:
                old, source, is_range = table.exact[package], table.source, table.is_range
                break
        if old:
            found.append(VersionStep(package, old, new, source, is_range))
        else:
            untold.append(package)
    return found, untold
