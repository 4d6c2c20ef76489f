"""Differences against the truth: what libdrift says of two releases, and what import finds.

Both releases are installed, each in its exact environment, and ``introspection.py`` tells what is
there, three levels of names deep and with the members of classes. libdrift reads the same files
without running them, and compares the two surfaces.

*Breaking*: the share of the changes called breaking that are true: a name that is gone (or that
can only raise), a parameter that is gone, needed, moved or no longer taken by position, a class
that lost a base, a thing of another sort. What import cannot tell is left out and counted as
*unsure*. *Lost names*, *lost parameters*, *raise-only*: the share of those that import finds which
libdrift tells. What goes with its class or module counts as one; so does what several paths, or
several classes, have from one definition. A parameter counts as lost where the new one does not
take any keyword. A function that is another package's in one of the releases is left out.

    .venv/bin/python benchmarks/differences.py PACKAGE OLD NEW [PACKAGE OLD NEW…]
        [--python 3.11] [--root IMPORT_NAME] [--setup CODE] [--verbose] [--show 40]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from judged_changes import Introspected, Judge, Tally
from surface import files_of, last_line, site_packages

from libdrift import config
from libdrift.environments import Failed, Ready, build, discover
from libdrift.history.differences import compare
from libdrift.languages.python import static
from libdrift.languages.python.index import PackageIndex
from libdrift.records import Environment, Release, Surface

BARS = {"breaking": 0.993, "names": 0.993, "parameters": 0.99, "raising": 1.0}
NEWEST = ("3.11", "3.9", "3.10", "3.8", "3.12", "3.7", "3.13")  # tried in this order
AFTER = timedelta(days=7)  # dependencies are as of then


def introspect(ready: Ready, root: str, setup: str, paths: Collection[str]) -> Introspected:
    script = Path(__file__).with_name("introspection.py")
    asked = {"paths": sorted(paths), "stdlib": sorted(sys.stdlib_module_names)}
    done = subprocess.run(
        [str(ready.python), "-B", str(script), root, *([setup] if setup else [])],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )
    if done.returncode:
        sys.exit(f"introspection of {ready.folder}: {last_line(done.stderr)}")
    return Introspected(**json.loads(done.stdout))


def environments(package: str, versions: Sequence[str], python: str) -> tuple[list[Ready], str]:
    """Both releases under one interpreter: the first that can have them."""
    index = PackageIndex.configured(os.environ)
    dates = {item.release.version: item.release.date for item in index.releases(package)}
    index.close()
    there = {item.minor for item in discover()}
    reason = "no interpreter"
    for minor in [python] if python else [item for item in NEWEST if item in there]:
        built: list[Ready] = []
        for version in versions:
            day = dates.get(version)
            as_of = day + AFTER if day else None
            wanted = Environment("python", minor, (f"{package}=={version}",), as_of)
            made = build(wanted, config.load(), wheels_only=True)
            if isinstance(made, Failed) and "no usable wheels" in made.reason:
                made = build(wanted, config.load())
            if isinstance(made, Failed):
                reason = f"{package} {version}, Python {minor}: {made.reason}"
                break
            built.append(made)
        if len(built) == len(versions):
            return built, minor
    sys.exit(reason)


def surface_of(package: str, version: str, ready: Ready) -> Surface:
    site = site_packages(ready)
    return static.extract(
        Release("pypi", package, version),
        files_of(ready, package),
        lambda paths: {path: (site / path).read_bytes() for path in paths},
    )


# --- the table


COLUMNS = ("breaking", "names", "parameters", "raising")


def measure(package: str, old: str, new: str, options: argparse.Namespace) -> dict[str, Tally]:
    ready, python = environments(package, (old, new), options.python)
    root = options.root or package.replace("-", "_")
    surfaces = [surface_of(package, v, r) for v, r in zip((old, new), ready, strict=True)]
    root = root if root in surfaces[0].roots else surfaces[0].roots[0]
    changes = compare(*surfaces)
    paths = {path for change in changes for path in (change.path, *change.aliases)}
    before = introspect(ready[0], root, options.setup, paths)
    paths |= set(before.every)
    after = introspect(ready[1], root, options.setup, paths)
    judge = Judge(changes, before, after)
    found = {column: getattr(judge, column)() for column in COLUMNS}
    print(line(f"{package} {old} → {new} ({python})", found), flush=True)
    if options.verbose:
        for column, tally in found.items():
            for title, lines in (("wrong", tally.wrong), ("unsure", tally.unsure)):
                if lines:
                    print(f"  {column}, {title}: {len(lines)}")
                    print("".join(f"    {text}\n" for text in lines[: options.show]), end="")
    return found


def line(title: str, found: Mapping[str, Tally]) -> str:
    cells = "".join(f"{found[column]!s:>19}" for column in COLUMNS)
    return f"{title:44}{cells}{len(found['breaking'].unsure):>8}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("pairs", nargs="+", metavar="PACKAGE OLD NEW", help="one pair or more")
    parser.add_argument("--python", default="", help="minor version (default: the first that fits)")
    parser.add_argument("--root", default="", help="the name to import, if not the package's")
    parser.add_argument("--setup", default="", help="code to run before the package is imported")
    parser.add_argument("--verbose", action="store_true", help="show what is wrong and unsure")
    parser.add_argument("--show", type=int, default=40, help="how many of them")
    options = parser.parse_args()
    if len(options.pairs) % 3:
        parser.error("give PACKAGE OLD NEW, for each pair")
    print(f"{'':44}" + "".join(f"{column:>19}" for column in COLUMNS) + f"{'unsure':>8}")
    total = {column: Tally() for column in COLUMNS}
    for at in range(0, len(options.pairs), 3):
        package, old, new = options.pairs[at : at + 3]
        for column, tally in measure(package, old, new, options).items():
            total[column].add(tally)
    print(line("all", total))
    below = [c for c in COLUMNS if (rate := total[c].rate) is not None and rate < BARS[c]]
    if total["names"].left_out:
        print(f"Left out, gone from compiled modules: {total['names'].left_out}")
    if below:
        print(f"Below the figures: {', '.join(below)}")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
