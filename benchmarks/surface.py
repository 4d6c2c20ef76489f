"""Surfaces against the truth: what libdrift says a release offers, and what import finds there.

``truth.py`` lists, by importing the installed package, its public paths two levels deep and the
members of its classes; its first lines have the rules. libdrift's surface of the same release is
read by the same rules, once as files alone give it (static) and once with import (auto).

*Recall*: how much of the truth is in the surface. *Precision*: how much of the surface is there
in truth; a path that no list has but that can be reached (through ``__getattr__``) counts as true.
``all`` are names and members; a member counts for each class that has it. In ``distinct`` it counts
once, where it is first defined: one name that a base gets at import is one miss, not one for each
of a hundred classes. By import both must reach the figures, by files alone the latter. Members that
bases outside of the package give are counted apart (``+outside``). Attributes that only instances
have cannot be seen by import: they are left out of precision.

    .venv/bin/python benchmarks/surface.py [PACKAGE…] [--static] [--verbose PACKAGE] [--show 40]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import Distribution, distributions
from pathlib import Path

from libdrift import config
from libdrift.environments import Ready, build
from libdrift.languages.python import merging, runtime, static
from libdrift.languages.python.archives import ArchiveMember
from libdrift.mining.probing import question
from libdrift.records import Binding, Environment, Name, Release, Surface, SymbolKind
from libdrift.sandbox import choose
from libdrift.sandbox.probes import probe

RECALL, PRECISION, RECALL_STATIC = 0.98, 0.98, 0.92
TESTS = ("tests", "test", "conftest")
DJANGO = "from django.conf import settings; settings.configure(); import django; django.setup()"


@dataclass(frozen=True, slots=True)
class Case:
    package: str
    version: str
    as_of: date  # its dependencies are as of then
    root: str = ""  # as imported, where that is not the package's name
    setup: str = ""

    @property
    def imported(self) -> str:
        return self.root or self.package

    @property
    def environment(self) -> Environment:
        return Environment("python", "3.11", (f"{self.package}=={self.version}",), self.as_of)

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


SET = (
    Case("numpy", "1.26.4", date(2024, 5, 1)),
    Case("numpy", "2.0.2", date(2024, 9, 15)),
    Case("pandas", "1.5.3", date(2023, 3, 1)),
    Case("pandas", "2.2.3", date(2024, 10, 15)),
    Case("scipy", "1.11.4", date(2024, 1, 15)),
    Case("matplotlib", "3.8.3", date(2024, 3, 15)),
    Case("flask", "3.0.0", date(2023, 11, 15)),
    Case("networkx", "3.1", date(2023, 5, 15)),
    Case("sympy", "1.13.0", date(2024, 8, 1)),
    Case("jinja2", "3.1.4", date(2024, 6, 1)),
    Case("django", "4.2.11", date(2024, 4, 1), setup=DJANGO),
    Case("sqlalchemy", "2.0.29", date(2024, 4, 15)),
)


# --- what there is


@dataclass(frozen=True, slots=True)
class Listing:
    """Paths two levels deep, and members of the classes there (as paths too)."""

    names: frozenset[str]
    members: frozenset[str]
    outside: frozenset[str]
    instance: frozenset[str] = frozenset()  # members that only instances have
    made: frozenset[str] = frozenset()  # names that, it says, are no imports
    unknown: tuple[str, ...] = ()  # modules that cannot be imported here
    there: frozenset[str] = frozenset()  # of the paths that were asked for
    homes: Mapping[str, str] = field(default_factory=dict)  # members: the class that has it first

    @property
    def size(self) -> int:
        return len(self.names) + len(self.members)

    def without(self, modules: Collection[str]) -> Listing:
        """Nothing is known of modules that cannot be imported: neither right nor wrong."""
        prefixes = tuple(f"{module}." for module in modules)

        def kept(paths: frozenset[str]) -> frozenset[str]:
            found = (path for path in paths if path not in modules)
            return frozenset(path for path in found if not path.startswith(prefixes))

        if not prefixes:
            return self
        return Listing(
            kept(self.names),
            kept(self.members),
            kept(self.outside),
            kept(self.instance),
            kept(self.made),
        )


Questions = tuple[list[str], list[str]]


def truth(case: Case, ready: Ready, asked: Questions = ([], [])) -> Listing:
    """Import the package with its own interpreter, and list what is there."""
    script = Path(__file__).with_name("truth.py")
    setup = [case.setup] if case.setup else []
    done = subprocess.run(
        [str(ready.python), "-B", str(script), case.imported, *setup],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )
    if done.returncode:
        sys.exit(f"truth of {case}: {last_line(done.stderr)}")
    found = json.loads(done.stdout)
    homes = {
        f"{path}.{label}": f"{home}.{label}" if home else ""
        for path, members in found["members"].items()
        for label, home in members.items()
    }
    return Listing(
        frozenset(found["paths"]),
        frozenset(member for member, home in homes.items() if home),
        frozenset(member for member, home in homes.items() if not home),
        unknown=tuple(found["unknown"]),
        there=frozenset(found["there"]),
        homes=homes,
    )


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it says nothing"])[-1]


def listing(surface: Surface, root: str, packages: Collection[str]) -> Listing:
    """A surface, read by the rules of ``truth.py``. ``packages``: modules that hold modules."""
    names = {root}
    made: set[str] = set()
    classes: dict[str, str] = {}
    for path, name in two_levels(surface, root, packages):
        names.add(path)
        if name.binding is Binding.DEFINED:
            made.add(path)
        symbol = surface.symbols.get(name.target)
        if symbol is not None and symbol.kind is SymbolKind.CLASS and ":" in name.target:
            classes[path] = name.target
    members: set[str] = set()
    outside: set[str] = set()
    instance: set[str] = set()
    cache: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for path, target in classes.items():
        if target not in cache:
            cache[target] = members_of(surface, target)
        for found, into in zip(cache[target], (members, outside, instance), strict=True):
            into.update(f"{path}.{label}" for label in found)
    return Listing(
        frozenset(names),
        frozenset(members),
        frozenset(outside),
        frozenset(instance),
        frozenset(made),
    )


def two_levels(
    surface: Surface, root: str, packages: Collection[str]
) -> Iterator[tuple[str, Name]]:
    for label, name in public(surface, root, packages):
        yield f"{root}.{label}", name
        if ":" not in name.target:
            for inner, below in public(surface, name.target, packages):
                yield f"{root}.{label}.{inner}", below


def public(surface: Surface, module: str, packages: Collection[str]) -> Iterator[tuple[str, Name]]:
    for label, name in surface.scopes.get(module, {}).items():
        if label.startswith("_") or name.binding is Binding.UNLISTED:
            continue
        if ":" not in name.target:
            # Rule 3: a module that a plain module imported is not its own.
            own = module in packages or name.binding is Binding.LISTED
            if own and label not in TESTS:
                yield label, name
        elif not from_outside(surface, name):
            yield label, name


def from_outside(surface: Surface, name: Name) -> bool:
    """Rule 3: imported from the standard library, or by a module from a third party."""
    symbol = surface.symbols.get(name.target)
    if symbol is None or "external" not in symbol.traits or name.binding is Binding.LISTED:
        return False
    home = name.target.partition(":")[0].partition(".")[0]
    return name.binding is Binding.IMPORTED or home in sys.stdlib_module_names


def members_of(surface: Surface, class_id: str) -> tuple[list[str], list[str], list[str]]:
    own: list[str] = []
    instance: list[str] = []
    for label, name in surface.members(class_id).items():
        if not label.startswith("_"):
            symbol = surface.symbols.get(name.target)
            only = symbol is not None and "instance" in symbol.traits
            (instance if only else own).append(label)
    outside = surface.inherited_from_outside(class_id)
    return own, [label for label in outside if not label.startswith("_")], instance


# --- how they compare


Share = tuple[float, int]  # hits, of how many


@dataclass(frozen=True, slots=True)
class Figures:
    names: Share
    members: Share
    outside: Share  # members, with those that bases outside give
    once: Share = (0, 0)  # members, each where it is first defined
    misses: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()

    @property
    def all(self) -> Share:
        return self.names[0] + self.members[0], self.names[1] + self.members[1]

    @property
    def distinct(self) -> Share:
        return self.names[0] + self.once[0], self.names[1] + self.once[1]


def compare(found: Listing, true: Listing) -> tuple[Figures, Figures]:
    """Recall and precision; ``true`` knows the answers to ``questions(found, true)``."""
    found = found.without(true.unknown)
    known = found.members | found.outside | found.instance
    everything = true.members | true.outside
    right = true.names | everything | true.there
    missing = sorted(true.names - found.names) + sorted(true.members - known)
    extra = sorted(found.names - right) + sorted(found.members - right)
    recall = Figures(
        share(true.names, found.names),
        share(true.members, known),
        share(everything, known),
        once(true, known),
        misses=tuple(missing),
    )
    precision = Figures(
        share(found.names, right),
        share(found.members, right),
        share(found.members | found.outside, right),
        extras=tuple(extra),
    )
    return recall, precision


def questions(found: Listing, true: Listing) -> Questions:
    """What libdrift has and no list has: is it there all the same?"""
    found = found.without(true.unknown)
    listed = true.names | true.members | true.outside
    extra = (found.names | found.members | found.outside) - listed
    return sorted(extra - found.made), sorted(extra & found.made)


def share(part: frozenset[str], whole: frozenset[str]) -> Share:
    return len(part & whole), len(part)


def once(true: Listing, known: frozenset[str]) -> Share:
    """Of each definition, the share of the classes that have it where it was found."""
    classes = Counter(true.homes[member] for member in true.members)
    hits = Counter(true.homes[member] for member in true.members & known)
    return sum(hits[home] / count for home, count in classes.items()), len(classes)


def rate(pair: Share) -> float:
    return pair[0] / pair[1] if pair[1] else 1.0


# --- libdrift's side


def site_packages(ready: Ready) -> Path:
    return next((ready.folder / "venv" / "lib").glob("python*/site-packages"))


def distribution(ready: Ready, package: str) -> Distribution:
    for found in distributions(path=[str(site_packages(ready))]):
        if found.metadata["Name"].lower().replace("_", "-") == package:
            return found
    sys.exit(f"{package} is not in {ready.folder}")


def files_of(ready: Ready, package: str) -> dict[str, ArchiveMember]:
    """The wheel's files, as they lie in the environment."""
    site = site_packages(ready)
    kept = (".py", ".pyi", ".so")
    paths = (str(path) for path in distribution(ready, package).files or ())
    return {
        path: ArchiveMember(path, (site / path).stat().st_size, 0)
        for path in paths
        if path.endswith(kept) and not path.startswith("..") and (site / path).is_file()
    }


def packages_in(files: Collection[str]) -> set[str]:
    """Modules that hold modules."""
    return {path.rpartition("/")[0].replace("/", ".") for path in files}


def static_surface(case: Case, ready: Ready) -> Surface:
    site = site_packages(ready)
    return static.extract(
        Release("pypi", case.package, case.version),
        files_of(ready, case.package),
        lambda paths: {path: (site / path).read_bytes() for path in paths},
    )


def auto_surface(case: Case, ready: Ready, surface: Surface) -> Surface:
    """With import, where the files leave something open: as mining does, in this environment."""
    if not surface.origin.gaps:
        return surface
    told = probe(question(surface), ready, choose("bubblewrap", config.load()))
    if isinstance(told, str):
        sys.exit(f"{case} cannot be imported: {told}")
    return merging.merge(surface, runtime.read(surface.release, told))


def ready_for(case: Case) -> Ready:
    built = build(case.environment, config.load())
    if not isinstance(built, Ready):
        sys.exit(f"{case}: {built.reason}")
    return built


# --- the table


def measure(case: Case, surface: Surface, ready: Ready) -> tuple[Figures, Figures]:
    found = listing(surface, case.imported, packages_in(files_of(ready, case.package)))
    true = truth(case, ready)
    return compare(found, truth(case, ready, questions(found, true)))


def line(case: Case, how: str, recall: Figures, precision: Figures) -> str:
    rows = [[f.names, f.members, f.outside, f.all] for f in (recall, precision)]
    rows[0].append(recall.distinct)
    cells = ["".join(f"{rate(pair):9.4f}" for pair in row) for row in rows]
    sizes = f"{recall.names[1]:6}{recall.members[1]:8}"
    return f"{case!s:22} {how:7}{sizes} │{' │'.join(cells)}"


def passes(how: str, recall: Figures, precision: Figures) -> bool:
    if how == "static":
        return rate(recall.distinct) >= RECALL_STATIC
    least = min(rate(recall.all), rate(recall.distinct))
    return least >= RECALL and rate(precision.all) >= PRECISION


def head() -> str:
    four = f"{'names':>9}{'members':>9}{'+outside':>9}{'all':>9}"
    return (
        f"{'':22} {'':7}{'truth':>14} │{'recall':>45} │{'precision':>36}\n"
        f"{'release':22} {'how':7}{'names':>6}{'members':>8} │{four}{'distinct':>9} │{four}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("packages", nargs="*", help="only these (default: the whole set)")
    parser.add_argument("--static", action="store_true", help="leave out the surfaces by import")
    parser.add_argument("--verbose", default="", metavar="PACKAGE", help="show misses and extras")
    parser.add_argument("--show", type=int, default=40, help="how many of them")
    options = parser.parse_args()
    chosen = [c for c in SET if not options.packages or c.package in options.packages]
    print(head())
    failed = []
    for case in chosen:
        ready = ready_for(case)
        surfaces = {"static": static_surface(case, ready)}
        if not options.static:
            surfaces["auto"] = auto_surface(case, ready, surfaces["static"])
        for how, surface in surfaces.items():
            recall, precision = measure(case, surface, ready)
            good = passes(how, recall, precision)
            print(line(case, how, recall, precision) + ("" if good else "  MISSED"), flush=True)
            if not good:
                failed.append(f"{case} {how}")
            if options.verbose == case.package:
                for title, paths in (("missing", recall.misses), ("extra", precision.extras)):
                    print(f"  {title}: {len(paths)}")
                    print("".join(f"    {path}\n" for path in paths[: options.show]), end="")
    print("Attributes that only instances have are left out of precision.")
    if failed:
        print(f"Below the figures: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
