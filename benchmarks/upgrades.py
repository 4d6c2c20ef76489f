"""Findings of ``check`` against upgrades that people made: TimeMachine-bench's gold patches.

Each task is a repository at a commit, what its packages were on a date and what they are now, and
the patch that made its tests pass again. The versions of then are the newest of that date. Counted
are the places that the patch edits (hunks) in which ``check`` has a finding, by two rules (a
finding's own lines and name; the whole of its call and the names that an import gives, too), and
the findings in files that the patch edits, beside those elsewhere. A place that edits nothing of a
package is counted, and counted apart: it holds blank lines and comments alone, or only gives
another name to something that the project itself defines. Repositories are folders
``OWNER+NAME``, each
the tree of the task's commit; those that are not there are left out.

    .venv/bin/python benchmarks/upgrades.py --data DIR --repositories DIR [--verbose] [--only NAME]
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import json
import lzma
import os
import re
import tempfile
import textwrap
import tokenize
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import libdrift
from libdrift.advisor.pins import usual
from libdrift.advisor.versions import tables
from libdrift.errors import LibdriftError
from libdrift.languages.python.index import Listing, PackageIndex
from libdrift.records import Finding

_HUNK = re.compile(r"^@@ -(\d+)")
_LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([\w.!+-]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of the old file that a patch deletes or inserts beside, one hunk's run of them."""

    file: str
    first: int
    last: int
    text: str
    old: str  # without the new lines


def places(patch: str) -> Iterator[Place]:
    """Every run of changed lines of a unified diff, by the old file's lines."""
    file, line, run = "", 0, list[tuple[int, str]]()
    for text in [*patch.splitlines(), " "]:
        if text.startswith("--- "):
            file = text[4:].split("\t")[0].strip()
            continue
        if text.startswith("+++ "):
            continue
        found = _HUNK.match(text)
        if text[:1] == "-":
            run.append((line, text[1:]))
            line += 1
        elif text[:1] == "+":
            run.append((line, text))
        else:
            lines = [number for number, said in run if not said.startswith("+")]
            if lines:
                old = "\n".join(said for _, said in run if not said.startswith("+"))
                told = "\n".join(said for _, said in run)
                yield Place(file, lines[0], lines[-1], told, old)
            run = []
            line = int(found[1]) if found else line + 1


def tokens(text: str) -> list[tokenize.TokenInfo]:
    """What code is made of, without comments and layout; nothing of what is no code."""
    lines = iter([*textwrap.dedent(text).splitlines(keepends=True), ""])
    found: list[tokenize.TokenInfo] = []
    # Of a part of a statement, what was read of it counts.
    with contextlib.suppress(tokenize.TokenError, SyntaxError, StopIteration):
        found.extend(tokenize.generate_tokens(lambda: next(lines)))
    return [token for token in found if token.type not in _LAYOUT]


def imported_names(file: Path, patch: str) -> set[str]:
    """Names that a file imports, before the patch or after it."""
    tree = tree_of(file)
    found = {
        (alias.asname or alias.name).partition(".")[0]
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    added = re.findall(r"^\+\s*(?:from \S+ )?import (.*)", patch, re.MULTILINE)
    return found.union(*(re.findall(r"\w+", names) for names in added))


def own_names(folder: Path) -> frozenset[str]:
    """All names that the code of a project gives to something."""
    found: set[str] = set()
    for file in folder.rglob("*.py"):
        tree = tree_of(file)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
    return frozenset(found)


def is_of_a_package(place: Place, own: Collection[str], imported: Collection[str]) -> bool:
    """Whether a place edits more than layout, comments and names of the project's own."""
    new = "\n".join(line[1:] for line in place.text.splitlines() if line.startswith("+"))
    before, after = tokens(place.old), tokens(new)
    if [token.string for token in before] == [token.string for token in after]:
        return False
    if len(before) != len(after):
        return True
    pairs = [(a, b) for a, b in zip(before, after, strict=True) if a.string != b.string]
    return any(
        a.type != tokenize.NAME or a.string not in own or {a.string, b.string} & set(imported)
        for a, b in pairs
    )


class Dates:
    """The newest release of a package on a date."""

    def __init__(self) -> None:
        self._index = PackageIndex.configured(os.environ)
        self._known: dict[str, tuple[Listing, ...]] = {}

    def newest(self, package: str, day: date) -> str | None:
        if package not in self._known:
            try:
                self._known[package] = self._index.releases(package)
            except LibdriftError:
                self._known[package] = ()
        then = [
            item
            for item in self._known[package]
            if item.release.date and item.release.date <= day and not item.prerelease
        ]
        return max(then, key=lambda item: item.version).release.version if then else None


def check(task: dict[str, Any], folder: Path, dates: Dates) -> libdrift.CheckResult:
    """From what the repository pins, or the newest of that day; to the freeze of the target."""
    day = date.fromisoformat(task["reproduction_target_date"])
    pinned = {name for table in tables(folder, print) for name in table.exact}
    new = dict(_PIN.findall(task["dependency_versions"]))
    old = {name: dates.newest(name, day) for name in new if usual(name) not in pinned}
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch, "target-requirements.txt")
        target.write_text("".join(f"{name}=={new[name]}\n" for name in new), "utf-8")
        then = [f"{name}=={version}" for name, version in old.items() if version]
        before, after = (
            _minor(task[f"{side}_target_version"]) for side in ("reproduction", "migration")
        )
        options = libdrift.CheckOptions(
            to=(str(target),), old=(*then, f"python=={before}"), python=after
        )
        return libdrift.check(folder, options)


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repositories", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    with lzma.open(options.data / "timemachine" / "verified.jsonl.xz", "rt") as lines:
        tasks = [json.loads(line) for line in lines]
    dates, totals = Dates(), [0] * 7
    for task in tasks:
        name = task["repo_name"].replace("/", "+")
        folder = options.repositories / name
        if not folder.is_dir() or options.only not in name:
            continue
        result = check(task, folder, dates)
        counts = show(name, task["gold_patch"], folder, result, verbose=options.verbose)
        totals = [one + other for one, other in zip(totals, counts, strict=True)]
    gold, strict, told, inside, outside, of_packages, told_of_them = totals
    print(f"edited places {gold}, with a finding {strict}, or one whose call reaches there {told}")
    print(f"of places that edit something of a package: {told_of_them} of {of_packages}")
    print(f"findings in edited files {inside}, elsewhere {outside}")


@functools.cache
def tree_of(file: Path) -> ast.Module | None:
    try:
        return ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return None


def reaches(file: Path, finding: Finding) -> tuple[int, set[str]]:
    """The last line of the call that a finding is of; the names that it is known by in the file."""
    last, names = finding.end_line, {finding.symbol.rpartition(".")[2]}
    end = (finding.end_line, finding.end_column)
    tree = tree_of(file)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call):
            if (node.func.end_lineno, node.func.end_col_offset) == end:
                last = max(last, node.end_lineno or 0)
        elif isinstance(node, ast.alias) and (node.end_lineno, node.end_col_offset) == end:
            names |= {node.name.rpartition(".")[2], node.asname or ""}
    return last, names


def show(
    name: str, patch: str, folder: Path, result: libdrift.CheckResult, *, verbose: bool
) -> tuple[int, ...]:
    def file_of(finding: Finding) -> str:
        return os.path.relpath(finding.file, folder)

    def hits_itself(place: Place, finding: Finding) -> bool:
        """On its own lines, or of its very name."""
        lines = finding.line <= place.last and finding.end_line >= place.first
        name = re.escape(finding.symbol.rpartition(".")[2])
        named = re.search(rf"\b{name}\b", place.old) is not None
        return file_of(finding) == place.file and (lines or named)

    def hits(place: Place, finding: Finding) -> bool:
        """On the lines of its call, or of a name in them: imports are told where they stand."""
        if file_of(finding) != place.file:
            return False
        last, names = reaches(Path(finding.file), finding)
        if finding.line <= place.last and last >= place.first:
            return True
        return any(re.search(rf"\b{re.escape(name)}\b", place.old) for name in names if name)

    gold = list(places(patch))
    edited = {place.file for place in gold}
    told = [place for place in gold if any(hits(place, one) for one in result.findings)]
    strict = [place for place in gold if any(hits_itself(place, one) for one in result.findings)]
    inside = [one for one in result.findings if file_of(one) in edited]
    outside = len(result.findings) - len(inside)
    own = own_names(folder)
    of_packages = [
        place
        for place in gold
        if is_of_a_package(place, own, imported_names(folder / place.file, patch))
    ]
    told_of_them = [place for place in told if place in of_packages]
    print(f"{name}: {len(told)} of {len(gold)} places", end=", ")
    print(f"{len(told_of_them)} of {len(of_packages)} of packages", end=", ")
    print(f"{len(inside)} findings there, {outside} elsewhere")
    if verbose:
        for place in gold:
            if place not in told:
                print(f"  MISSED {place.file}:{place.first}\n{place.text}")
        for one in result.findings:
            mark = "+" if any(hits(place, one) for place in gold) else "?"
            print(f"  {mark} {file_of(one)}:{one.line} {one.level} {one.kind}: {one.message}")
        for problem in result.problems:
            print(f"  ! {problem}")
    counts = (len(gold), len(strict), len(told), len(inside))
    return *counts, outside, len(of_packages), len(told_of_them)


if __name__ == "__main__":
    main()
