"""Static extraction by griffe and by libdrift, of the same unpacked wheels, in one run.

Each tool reads each package in a fresh process, twice, in turn; the better run counts. The files
are in the system's cache. Measured are the processor seconds from the tool's being imported to the
package's being loaded (with re-exports followed), and the process's peak memory then. What either
found is held against the truth by import, by the rules of ``truth.py``: *recall* is the share of
public paths and members (those of bases outside of the package apart).

    .venv/bin/python benchmarks/mining.py [PACKAGE…] [--runs 2]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import surface as surfaces
from surface import SET, TESTS, Case, Listing, compare, last_line, rate

FASTER, MEMORY = 3.0, 1 << 30
TOOLS = ("griffe", "libdrift")


@dataclass(frozen=True, slots=True)
class Run:
    seconds: float
    memory: int  # bytes
    found: Listing

    @property
    def paths(self) -> int:
        return len(self.found.names) + len(self.found.members) + len(self.found.instance)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("packages", nargs="*", help="only these (default: the whole set)")
    parser.add_argument("--runs", type=int, default=2, help="of each tool; the best counts")
    parser.add_argument("--tool", choices=TOOLS, help=argparse.SUPPRESS)  # in the fresh process
    options = parser.parse_args()
    if options.tool:
        worker(options.tool, *options.packages)
        return 0
    ours = f"{'libdrift':>9}"
    print(
        f"{'release':22}{'griffe s':>9}{ours}{'ratio':>7} │{'griffe MB':>10}{ours}"
        f" │{'griffe paths':>13}{ours} │{'griffe recall':>14}{ours}"
    )
    failures: list[str] = []
    totals = dict.fromkeys(TOOLS, 0.0)
    for case in SET:
        if options.packages and case.package not in options.packages:
            continue
        measured = measure(case, options.runs)
        failures += judged(case, *measured)
        for tool, (run, _) in zip(TOOLS, measured, strict=True):
            totals[tool] += run.seconds
    ratio = totals["griffe"] / totals["libdrift"]
    print(f"{'all':22}{totals['griffe']:9.2f}{totals['libdrift']:9.2f}{ratio:7.2f}")
    if ratio < FASTER:
        failures.append(f"over the set only {ratio:.2f} times faster")
    print("\n".join(failures))
    return 1 if failures else 0


Measured = tuple[Run, float]  # and its recall


def measure(case: Case, runs: int) -> list[Measured]:
    ready = surfaces.ready_for(case)
    site = surfaces.site_packages(ready)
    files = surfaces.files_of(ready, case.package)
    for path in files:
        (site / path).read_bytes()
    best: dict[str, Run] = {}
    for _ in range(runs):
        for tool in TOOLS:
            run = fresh(tool, site, case, files)
            if tool not in best or run.seconds < best[tool].seconds:
                best[tool] = run
    true = surfaces.truth(case, ready)
    return [(best[tool], recall(best[tool].found, true)) for tool in TOOLS]


def recall(found: Listing, true: Listing) -> float:
    figures, _ = compare(found, true)
    return rate(figures.all)


def judged(case: Case, theirs: Measured, ours: Measured) -> Iterator[str]:
    (griffe, griffe_recall), (libdrift, libdrift_recall) = theirs, ours
    print(
        f"{case!s:22}{griffe.seconds:9.2f}{libdrift.seconds:9.2f}"
        f"{griffe.seconds / libdrift.seconds:7.2f} │{griffe.memory >> 20:10}"
        f"{libdrift.memory >> 20:9} │{griffe.paths:13}{libdrift.paths:9} │"
        f"{griffe_recall:14.4f}{libdrift_recall:9.4f}",
        flush=True,
    )
    if libdrift.seconds > griffe.seconds:
        yield f"{case}: slower than griffe"
    if libdrift_recall < griffe_recall:
        yield f"{case}: less recall than griffe"
    if libdrift.memory > MEMORY:
        yield f"{case}: {libdrift.memory >> 20} MiB of memory"


def fresh(tool: str, site: Path, case: Case, files: Collection[str]) -> Run:
    """One extraction in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, str(site), case.imported, "--tool", tool],
        input=json.dumps(sorted(files)),
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    if done.returncode:
        sys.exit(f"{tool} on {case}: {last_line(done.stderr)}")
    found = json.loads(done.stdout)
    names, members = frozenset(found["names"]), frozenset(found["members"])
    listing = Listing(names, members, frozenset(), frozenset(found["instance"]))
    return Run(found["seconds"], found["memory"], listing)


# --- in the fresh process


def worker(tool: str, site: str, root: str) -> None:
    files = json.loads(sys.stdin.read())
    read = {"griffe": by_griffe, "libdrift": by_libdrift}[tool](Path(site), root, files)
    started = time.process_time()
    loaded = read()
    seconds = time.process_time() - started
    memory = peak()
    found = loaded()
    lists = {kind: sorted(getattr(found, kind)) for kind in ("names", "members", "instance")}
    print(json.dumps({"seconds": seconds, "memory": memory, **lists}))


def peak() -> int:
    """Bytes at most of this program; getrusage would count its parent's, before the exec, too."""
    status = Path("/proc/self/status").read_text("ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


# What reads a package; what it gives lists the package by the rules.
Reader = Callable[[], Callable[[], Listing]]


def by_libdrift(site: Path, root: str, files: Collection[str]) -> Reader:
    from libdrift.languages.python import static
    from libdrift.languages.python.archives import ArchiveMember
    from libdrift.records import Release

    members = {path: ArchiveMember(path, (site / path).stat().st_size, 0) for path in files}
    packages = surfaces.packages_in(files)

    def read() -> Callable[[], Listing]:
        surface = static.extract(
            Release("pypi", root, "0"),
            members,
            lambda paths: {path: (site / path).read_bytes() for path in paths},
        )
        return lambda: surfaces.listing(surface, root, packages)

    return read


def by_griffe(site: Path, root: str, files: Collection[str]) -> Reader:
    import griffe

    packages = surfaces.packages_in(files)

    def read() -> Callable[[], Listing]:
        package = griffe.load(
            root,
            search_paths=[site],
            submodules=True,
            allow_inspection=False,
            resolve_aliases=True,
            resolve_external=False,
        )
        return lambda: Griffe(root, packages).listing(package)

    return read


class Griffe:
    """What griffe found, read by the rules of ``truth.py``."""

    def __init__(self, root: str, packages: Collection[str]) -> None:
        self.root = root
        self.packages = packages

    def listing(self, package: Any) -> Listing:  # noqa: ANN401  (griffe has no stubs for mypy here)
        names, members, instance = {self.root}, set[str](), set[str]()
        for path, target in self.two_levels(package):
            names.add(path)
            if target is not None and target.is_class:
                for label, only_instance in self.members_of(target):
                    (instance if only_instance else members).add(f"{path}.{label}")
        return Listing(frozenset(names), frozenset(members), frozenset(), frozenset(instance))

    def two_levels(self, package: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
        for label, target in self.public(package):
            yield f"{self.root}.{label}", target
            if target is not None and target.is_module:
                for inner, below in self.public(target):
                    yield f"{self.root}.{label}.{inner}", below

    def public(self, module: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
        # An empty list is one that griffe could not read (`__all__: list[str]` of a stub).
        listed = {getattr(item, "name", item) for item in module.exports or ()} or None
        for label, member in module.members.items():
            if label.startswith("_"):
                continue
            target = self.target(member)
            a_module = target is not None and target.is_module
            if a_module and label in TESTS:
                continue
            submodule = a_module and not member.is_alias
            if listed is not None:
                if label in listed or submodule:
                    yield label, target
            elif not self.imported(module, member, a_module=a_module):
                yield label, target

    def imported(self, module: Any, member: Any, *, a_module: bool) -> bool:  # noqa: ANN401
        package = module.path in self.packages
        if a_module and member.is_alias:
            return not package
        if not member.is_alias:
            return False
        home = member.target_path.partition(".")[0]
        if home == self.root:
            return False
        return "." not in member.target_path or not package or home in sys.stdlib_module_names

    def target(self, member: Any) -> Any:  # noqa: ANN401
        if not member.is_alias:
            return member
        try:
            return member.final_target
        except Exception:  # noqa: BLE001  (it has several for what it cannot follow)
            return None

    def members_of(self, cls: Any) -> Iterator[tuple[str, bool]]:  # noqa: ANN401
        try:
            found = cls.all_members
        except Exception:  # noqa: BLE001
            found = cls.members
        for label, member in found.items():
            if not label.startswith("_"):
                labels = set() if member.is_alias else member.labels
                yield label, "instance-attribute" in labels and "class-attribute" not in labels


if __name__ == "__main__":
    sys.exit(main())
