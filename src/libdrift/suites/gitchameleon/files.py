"""Finding and reading the data, in either of two layouts.

Packed: ``problems.jsonl``, ``solutions.jsonl``, ``hidden_tests.jsonl``. The authors' release:
``dataset/dataset.jsonl``, ``dataset/hidden_tests/test_sample_N.py``, and
``ground_truth_solutions.jsonl`` at the top or under ``dataset``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.suites import finding
from libdrift.suites.gitchameleon.problems import Problem, flaws

NAME = "gitchameleon"
_PACKED = "problems.jsonl"
_RELEASE = "dataset/dataset.jsonl"
_TEST = "test_sample_"


@dataclass(frozen=True, slots=True)
class Record:
    """A problem, where it stands, and the object it was read from."""

    problem: Problem
    where: str
    published: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PublishedProblem:
    folder: Path
    layout: str
    records: tuple[Record, ...]  # in the order of their numbers
    solutions: Mapping[str, str]  # by id: whole programs
    hidden: Mapping[str, str]  # by id: test modules


def find(settings: Settings) -> Path:
    """The first folder that holds the data; the caller's mistake if there is none."""
    return finding.find(
        settings,
        NAME,
        "GitChameleon",
        lambda folder: any((folder / name).is_file() for name in (_PACKED, _RELEASE)),
    )


def read(folder: Path) -> PublishedProblem:
    if (folder / _PACKED).is_file():
        return PublishedProblem(
            folder,
            "packed",
            _records(folder / _PACKED),
            _texts(folder / "solutions.jsonl", "answer", "solution"),
            _texts(folder / "hidden_tests.jsonl", "hidden_test"),
        )
    solutions = "ground_truth_solutions.jsonl"
    top = folder / solutions
    return PublishedProblem(
        folder,
        "authors' release",
        _records(folder / _RELEASE),
        _texts(top if top.is_file() else folder / "dataset" / solutions, "answer", "solution"),
        {
            path.stem.removeprefix(_TEST): _decode(path)
            for path in sorted((folder / "dataset" / "hidden_tests").glob(f"{_TEST}*.py"))
        },
    )


def _records(path: Path) -> tuple[Record, ...]:
    found: dict[str, Record] = {}
    for where, published in _objects(path):
        try:
            problem = Problem.model_validate(published)
        except ValidationError as error:
            raise _malformed(where, flaws(error.errors())) from error
        if problem.example_id in found:
            raise _malformed(where, f"repeats example_id {problem.example_id}")
        found[problem.example_id] = Record(problem, where, published)
    return tuple(sorted(found.values(), key=lambda record: record.problem.order))


def _texts(path: Path, *keys: str) -> dict[str, str]:
    """Texts by example id; a file that is not there has none."""
    found: dict[str, str] = {}
    if not path.is_file():
        return found
    for where, published in _objects(path):
        number = published.get("example_id")
        texts = [published[key] for key in keys if isinstance(published.get(key), str)]
        if type(number) not in (str, int) or not texts:
            raise _malformed(where, f'needs "example_id" and a text "{keys[0]}"')
        found[str(number)] = texts[0]
    return found


def _objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    # Lines end with \n alone: other separators occur inside the texts.
    for number, line in enumerate(_decode(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            published = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _malformed(where, f"not JSON ({error})") from error
        if not isinstance(published, dict):
            raise _malformed(where, "not a JSON object")
        yield where, published


def _decode(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise _malformed(f"{path}:{line}", "not UTF-8 text") from error


def _malformed(where: str, why: str) -> UserError:
    return UserError(f"{where}: {why}", "Get the file again from the authors' release")
