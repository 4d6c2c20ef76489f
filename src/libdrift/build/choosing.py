"""Which repositories are taken: by their licences, and by their stars, where those are told."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from libdrift.build.licences import is_under
from libdrift.build.repositories import Repository
from libdrift.errors import UserError

OTHER_LICENCE = "repository: under none of the licences asked for"
FEW_STARS = "repository: too few stars, or none told"
_NAMES = ("repository", "repo", "name", "full_name")
_STARS = ("stars", "stargazers", "stargazers_count", "star")


@dataclass(frozen=True, slots=True)
class RepositoryFilter:
    licences: frozenset[str] = frozenset()  # SPDX identifiers; none: any licence, or none at all
    stars: Path | None = None  # a CSV file: repository, stars
    least_stars: int = 0


def chosen(
    found: Sequence[Repository], wanted: RepositoryFilter, left_out: Counter[str]
) -> list[Repository]:
    """The repositories that hold, in their order."""
    stars = read_stars(wanted.stars) if wanted.stars else {}
    kept = []
    for one in found:
        if wanted.licences and not is_under(one.folder, wanted.licences):
            left_out[OTHER_LICENCE] += 1
        elif wanted.least_stars and stars_of(one, stars) < wanted.least_stars:
            left_out[FEW_STARS] += 1
        else:
            kept.append(one)
    return kept


def stars_of(repository: Repository, stars: Mapping[str, int]) -> int:
    """By the repository's name as it is listed, or by its folder's; 0 where nobody tells."""
    parts = repository.folder.resolve().parts
    names = [repository.name, "/".join(parts[-2:]), parts[-1]]
    return next((stars[name.lower()] for name in names if name.lower() in stars), 0)


def read_stars(path: Path) -> dict[str, int]:
    """Stars by name; ``owner/name`` counts under ``name`` as well, unless two share it."""
    fix = "Write a CSV file with the columns repository and stars"
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"cannot read stars from {path}: {error}", fix) from error
    found: dict[str, int] = {}
    short: dict[str, list[int]] = {}
    for number, row in enumerate(rows, start=2):
        plain = {(key or "").strip().lower(): (value or "") for key, value in row.items()}
        name = next((plain[key] for key in _NAMES if plain.get(key)), "")
        count = next((plain[key] for key in _STARS if key in plain), "")
        if not name or not str(count).strip().isdecimal():
            raise UserError(f"{path}:{number}: no repository with a number of stars", fix)
        key = str(name).strip().lower().rstrip("/")
        found[key] = int(count)
        short.setdefault(key.rpartition("/")[2], []).append(int(count))
    return {**{name: counts[0] for name, counts in short.items() if len(counts) == 1}, **found}
