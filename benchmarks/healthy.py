"""Findings of ``check`` in code that works: popular packages against all versions that they allow.

Each package's newest release is checked from the lowest versions of its requirements to the
highest, and back. It is said to work with both, so what is told is read by a person: this prints a
random sample, the same for the same seed, with the line that each finding is of. Folders of
packages and all findings are kept in ``--work``; ``--sample`` reads them again without a check.

    .venv/bin/python benchmarks/healthy.py --work DIR [--package NAME]… [--sample 100 --seed 1]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from email.parser import Parser
from pathlib import Path

from packaging.requirements import Requirement

import libdrift
from libdrift import config
from libdrift.advisor.loading import Releases
from libdrift.environments import uv
from libdrift.errors import LibdriftError
from libdrift.languages.python.index import PackageIndex
from libdrift.records import FindingLevel

PACKAGES = (
    "altair black cookiecutter dash fastapi flask httpx mkdocs nbconvert requests seaborn sphinx"
    " starlette tox xarray"
).split()
Pins = list[tuple[str, str, str]]  # package, lowest, highest


def installed(name: str, folder: Path) -> Path:
    """The files of a package's newest release, without what it requires."""
    if not folder.is_dir():
        command = [uv.binary(), "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--python-version", "3.12", "--target", str(folder), name]
        subprocess.run(command, check=True)
    return folder


def pins(folder: Path, index: PackageIndex) -> Iterator[tuple[str, str, str]]:
    """The lowest and the highest version of each requirement that names a lowest one."""
    meta = next(folder.glob("*.dist-info/METADATA")).read_text("utf-8")
    for text in Parser().parsestr(meta).get_all("Requires-Dist") or []:
        wanted = Requirement(text)
        if wanted.marker and ("extra" in str(wanted.marker) or not wanted.marker.evaluate()):
            continue
        if not any(item.operator in {">=", "~=", "=="} for item in wanted.specifier):
            continue
        offered = [item for item in index.releases(wanted.name) if not item.prerelease]
        allowed = [
            item.release.version
            for item in sorted(offered, key=lambda item: item.version)
            if wanted.specifier.contains(str(item.version))
        ]
        if len(allowed) > 1:
            yield wanted.name, allowed[0], allowed[-1]


def mined(wanted: Pins) -> Pins:
    """Those whose releases can be had; nothing between them is asked for."""
    settings = config.load()
    releases = Releases(settings, settings.history)
    found = []
    for name, low, high in wanted:
        try:
            releases.ensure(name, (low, high))
        except LibdriftError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        found.append((name, low, high))
    return found


def checked(name: str, folder: Path, wanted: Pins) -> list[dict[str, object]]:
    found = []
    for way in ("up", "down"):
        low = tuple(f"{package}=={version}" for package, version, _ in wanted)
        high = tuple(f"{package}=={version}" for package, _, version in wanted)
        options = libdrift.CheckOptions(
            to=high if way == "up" else low,
            old=low if way == "up" else high,
            level=FindingLevel.INFO,
            exclude=("*.dist-info", "bin", "tests", "testing"),
            offline=True,
        )
        result = libdrift.check(folder, options)
        print(f"{name} {way}: {result.lines} lines, {len(result.findings)} findings", flush=True)
        found += [asdict(item) | {"checked": name, "way": way} for item in result.findings]
    return found


def show(found: list[dict[str, object]], number: int, seed: int, level: str) -> None:
    counts = Counter((str(item["way"]), str(item["level"])) for item in found)
    for (way, rank), count in sorted(counts.items()):
        print(f"{way} {rank}: {count}")
    chosen = [item for item in found if level in {"", item["level"]}]
    random.Random(seed).shuffle(chosen)  # noqa: S311  (a sample)
    for at, item in enumerate(chosen[:number], 1):
        lines = Path(str(item["file"])).read_text("utf-8", errors="replace").splitlines()
        line = int(str(item["line"]))
        print(f"{at}. {item['checked']} {item['way']} {item['old']} -> {item['new']}", end=" ")
        print(f"{item['level']} {item['kind']} {item['confidence']}: {item['message']}")
        print(f"    {item['file']}:{line}: {lines[line - 1].strip()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--package", action="append", default=[])
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default="", help="of the sample: error, warning or info")
    options = parser.parse_args()
    index = PackageIndex.configured(os.environ)
    options.work.mkdir(parents=True, exist_ok=True)
    for name in () if options.sample else options.package or PACKAGES:
        folder = installed(name, options.work / name)
        told = checked(name, folder, mined(list(pins(folder, index))))
        text = "".join(json.dumps(item) + "\n" for item in told)
        (options.work / f"{name}.jsonl").write_text(text, "utf-8")
    files = [options.work / f"{name}.jsonl" for name in options.package] or sorted(
        options.work.glob("*.jsonl")
    )
    found = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    show(found, options.sample or 100, options.seed, options.level)


if __name__ == "__main__":
    main()
