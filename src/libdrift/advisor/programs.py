"""Programs to check: files below paths, code cells of notebooks, and what cannot be read."""

from __future__ import annotations

import io
import json
import os
import stat
import tokenize
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from libdrift.advisor.magics import is_of_another_language, magics_of, problem_of
from libdrift.errors import UserError

PYTHON_FILES = (".py", ".pyw", ".ipynb")
_OTHERS = frozenset({".java", ".rs"})
_LEFT_OUT = frozenset(
    "node_modules site-packages __pycache__ build dist venv env __pypackages__ .venv".split()
)
_LARGEST = 10_000_000  # bytes; a larger file is data

Complaint = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SourceProgram:
    """Code, and where its lines are from: of a notebook the cell and line of each."""

    file: str
    code: str
    places: tuple[tuple[int, int], ...] = ()  # of each line: cell and line in it
    problems: tuple[str, ...] = ()  # cells that are left out, and why

    def place(self, line: int) -> tuple[int, int]:
        if not self.places:
            return 0, line
        return self.places[min(line, len(self.places)) - 1]


def require_all(paths: Sequence[Path]) -> None:
    for path in paths:
        if not path.exists():
            raise UserError(f"{path}: no such file or folder", "Name files or folders to check")


def programs(
    paths: Sequence[Path],
    exclude: Sequence[str],
    complain: Complaint,
    suffixes: tuple[str, ...] = PYTHON_FILES,
    within: Sequence[Path] = (),
) -> Iterator[SourceProgram]:
    """Every program below some paths, each once; what cannot be read is told.

    Links may lead anywhere, or only to what is ``within`` some folders.
    """
    require_all(paths)
    seen: set[Path] = set()
    for path in paths:
        files = list(_files(path, exclude, suffixes))
        if not files:
            what = "Python file and no notebook" if suffixes == PYTHON_FILES else "file to check"
            complain(f"{path}: no {what} is there")
        for file in files:
            real = file.resolve()
            if within and not any(real.is_relative_to(folder) for folder in within):
                complain(f"{file}: a link that leads elsewhere; left out")
            elif real not in seen:
                seen.add(real)
                found = _read(file, complain)
                if found is not None:
                    for problem in found.problems:
                        complain(f"{file}: {problem}")
                    yield found


def _files(path: Path, exclude: Sequence[str], suffixes: tuple[str, ...]) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for parent, folders, names in os.walk(path):  # links to folders are not followed: no loops
        folders[:] = sorted(
            name
            for name in folders
            if name not in _LEFT_OUT
            and not name.startswith(".")
            and not _is_excluded(Path(parent, name), path, exclude)
        )
        for name in sorted(names):
            file = Path(parent, name)
            if name.endswith(suffixes) and not _is_excluded(file, path, exclude):
                yield file


def _is_excluded(file: Path, start: Path, exclude: Sequence[str]) -> bool:
    inner = file.relative_to(start).as_posix()
    return any(
        fnmatch(inner, pattern) or fnmatch(file.name, pattern) or fnmatch(inner, f"*/{pattern}")
        for pattern in (item.rstrip("/") for item in exclude)
    )


def _read(file: Path, complain: Complaint) -> SourceProgram | None:
    try:
        about = file.stat()
        if not stat.S_ISREG(about.st_mode):
            complain(f"{file}: not a regular file; left out")  # a pipe or device has no end
            return None
        if about.st_size > _LARGEST:
            complain(f"{file}: too large for a code file; left out")
            return None
        content = file.read_bytes()
        if file.suffix in _OTHERS:
            return SourceProgram(str(file), content.decode())
        return of_notebook(str(file), content) if file.suffix == ".ipynb" else _of(file, content)
    except OSError as error:
        complain(f"{file}: {error.strerror or error}")
    except (SyntaxError, UnicodeDecodeError, LookupError):
        complain(f"{file}: its encoding is unknown or not the declared one")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        complain(f"{file}: not a readable notebook: {error}")
    return None


def _of(file: Path, content: bytes) -> SourceProgram:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    code = content.decode(encoding)
    return SourceProgram(str(file), code.replace("\r\n", "\n").replace("\r", "\n"))


def of_notebook(file: str, content: bytes) -> SourceProgram:
    """All code cells of a notebook as one program.

    Magics are left out line by line, and a cell that is no Python whole.
    """
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    problems: list[str] = []
    cells = json.loads(content)["cells"]
    for number, cell in enumerate(cells, 1):
        if cell.get("cell_type") != "code":
            continue
        source = cell.get("source", "")
        text = source if isinstance(source, str) else "".join(source)
        plain = _plain(text)
        problem = problem_of(plain)
        if problem:
            problems.append(f"cell {number} left out: {problem}")
            plain = "\n" * text.count("\n")
        for at, line in enumerate(plain.split("\n"), 1):
            lines.append(line)
            places.append((number, at))
    return SourceProgram(file, "\n".join(lines) + "\n", tuple(places), tuple(problems))


def _plain(text: str) -> str:
    """A cell's code without what only a notebook understands."""
    if is_of_another_language(text):
        return "\n" * text.count("\n")
    magics = magics_of(text)
    lines = enumerate(text.split("\n"))
    return "\n".join(f"{magics[at]}pass" if at in magics else line for at, line in lines)
