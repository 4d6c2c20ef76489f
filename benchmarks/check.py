"""`libdrift check` on PCBench: what breaks is found, what does not is left alone; beside others.

PCBench (CC BY 4.0) has programs of one call that work with an old release of a library. Its label
says what the new release makes of each: NN breaks, NY is incompatible by its parameters but runs,
YY is fine. A program is *flagged* where there is a finding of level error or warning. Nothing is
run: both releases are read, and mined first where the history has them not.

Other tools see the same programs in the same run, with the new release unpacked beside them: type
checkers by what they call an error, ruff by the rules that it has for libraries.

    python benchmarks/check.py [--data ../shared/data] [--libraries pandas,numpy]
        [--beside ty,ruff,pyright] [--misses 20]
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from libdrift import config
from libdrift.advisor.checking import CodeChecker
from libdrift.advisor.loading import Releases
from libdrift.advisor.versions import VersionStep
from libdrift.errors import LibdriftError
from libdrift.records import FindingLevel

USUAL = Path(__file__).parent.parent.parent / "shared" / "data"
# The index's names of what is imported under another name.
NAMES = {"PIL": "pillow", "sklearn": "scikit-learn", "cv2": "opencv-python", "yaml": "pyyaml"}
BARS = {"F1": 0.97, "NN": 0.97, "NY": 0.90, "YY": 0.003, "ms": 20.0}
PYTHONS = ("3.12", "3.10", "3.8", "3.7")
LABELS = ("NN", "NY", "YY")


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    library: str
    api: str
    old: str
    new: str
    label: str
    code: str

    @property
    def package(self) -> str:
        return NAMES.get(self.library, self.library)


@dataclass(slots=True)
class Tally:
    """How many of each label a tool saw and flagged, and the time that took."""

    name: str
    seen: Counter[str] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0  # of CPU
    misses: list[Case] = field(default_factory=list)

    def add(self, case: Case, *, flagged: bool) -> None:
        self.seen[case.label] += 1
        self.flagged[case.label] += flagged
        if flagged == (case.label == "YY"):
            self.misses.append(case)

    def rate(self, label: str) -> float:
        return self.flagged[label] / self.seen[label] if self.seen[label] else 0.0

    @property
    def f1(self) -> float:
        right = self.flagged["NN"] + self.flagged["NY"]
        wrong = self.flagged["YY"] + self.seen["NN"] + self.seen["NY"] - right
        return 2 * right / (2 * right + wrong) if right else 0.0

    def line(self) -> str:
        counts = "  ".join(
            f"{label} {self.flagged[label]:>5}/{self.seen[label]:<5} {self.rate(label):.4f}"
            for label in LABELS
        )
        each = 1000 * self.seconds / max(1, sum(self.seen.values()))
        spent = f"CPU {self.seconds:.1f} s, {each:.2f} ms each"
        return f"{self.name:<10} F1 {self.f1:.4f}  {counts}  {spent}"


def cases(folder: Path, libraries: Sequence[str]) -> dict[tuple[str, str, str], list[Case]]:
    found: dict[tuple[str, str, str], list[Case]] = defaultdict(list)
    with lzma.open(folder / "cases.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            case = Case(**json.loads(line))
            if not libraries or case.library in libraries:
                found[case.package, case.old, case.new].append(case)
    return dict(sorted(found.items()))


def by_libdrift(
    pairs: dict[tuple[str, str, str], list[Case]], releases: Releases
) -> tuple[Tally, float, list[str]]:
    tally, loading, failed = Tally("libdrift"), 0.0, []
    for (package, old, new), some in pairs.items():
        start = time.process_time()
        try:
            _, pair = releases.pair(VersionStep(package, old, new, "PCBench"))
        except LibdriftError as error:
            failed.append(f"{package} {old} -> {new}: {error}")
            for case in some:  # what cannot be read is not found
                tally.add(case, flagged=False)
            continue
        checker = CodeChecker([pair])
        loaded = time.process_time()
        for case in some:
            found = checker.check(case.code).findings
            tally.add(case, flagged=any(item.level is not FindingLevel.INFO for item in found))
        loading += loaded - start
        tally.seconds += time.process_time() - loaded
    return tally, loading, failed


# --- others


def by_tool(name: str, pairs: dict[tuple[str, str, str], list[Case]]) -> Tally | None:
    """What another tool flags; nothing where it cannot be started."""
    command, flags = TOOLS[name]
    started = subprocess.run(
        [*runner(name), "--version"], capture_output=True, text=True, check=False
    )
    if started.returncode:
        return None
    tally = Tally(name)
    for (package, _, new), some in pairs.items():
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            library = place / "library"
            if name != "ruff" and not unpacked(package, new, library):
                library.mkdir(exist_ok=True)  # no wheel: it sees nothing, as a user would
            programs = place / "programs"
            programs.mkdir()
            for at, case in enumerate(some):
                (programs / f"case{at}.py").write_text(case.code, "utf-8")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(
                [*runner(name), *command(programs, library)],
                capture_output=True,
                text=True,
                check=False,
                cwd=programs,
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            tally.seconds += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            marked = set(flags(done.stdout))
            for at, case in enumerate(some):
                tally.add(case, flagged=at in marked)
    return tally


def runner(name: str) -> list[str]:
    uv = Path(sys.executable).parent / "uv"
    return [str(uv) if uv.exists() else "uv", "tool", "run", "--quiet", name]


def unpacked(package: str, version: str, folder: Path) -> bool:
    """A release's wheel in a folder, for the newest Python that has one."""
    uv = runner("x")[0]
    for python in PYTHONS:
        done = subprocess.run(
            [uv, "pip", "install", "--quiet", "--target", str(folder), "--no-deps",
             "--only-binary", ":all:", "--python-version", python, f"{package}=={version}"],
            capture_output=True,
            check=False,
        )  # fmt: skip
        if done.returncode == 0:
            return True
    return False


def _ty(programs: Path, library: Path) -> list[str]:
    return ["check", "--extra-search-path", str(library), "--output-format", "concise",
            "--ignore", "unresolved-import", str(programs)]  # fmt: skip


def _pyright(programs: Path, library: Path) -> list[str]:
    settings = {"extraPaths": [str(library)], "reportMissingImports": False,
                "reportMissingModuleSource": False, "reportAttributeAccessIssue": True}  # fmt: skip
    (programs / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    return ["--project", str(programs / "pyrightconfig.json")]


def _ruff(programs: Path, library: Path) -> list[str]:
    del library
    return ["check", "--isolated", "--preview", "--select", "NPY,PD,AIR", "--output-format",
            "concise", str(programs)]  # fmt: skip


def _errors(pattern: str) -> Callable[[str], Iterator[int]]:
    def flagged(text: str) -> Iterator[int]:
        yield from (int(match) for match in re.findall(pattern, text))

    return flagged


TOOLS = {
    "ty": (_ty, _errors(r"case(\d+)\.py:\d+:\d+: error")),
    "pyright": (_pyright, _errors(r"case(\d+)\.py:\d+:\d+ - error")),
    "ruff": (_ruff, _errors(r"case(\d+)\.py:\d+:\d+: ")),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=config.load().data or USUAL)
    parser.add_argument("--libraries", default="")
    parser.add_argument("--beside", default="ty,ruff,pyright")
    parser.add_argument("--misses", type=int, default=12)
    asked = parser.parse_args()
    folder = asked.data / "pcbench" if (asked.data / "pcbench").is_dir() else asked.data
    if not (folder / "cases.jsonl.xz").is_file():
        print(f"no PCBench in {folder}: nothing is measured. Name it with --data DIR")
        return 0
    settings = config.load()
    pairs = cases(folder, [item for item in asked.libraries.split(",") if item])
    total = sum(map(len, pairs.values()))
    print(f"{total:,} programs, {len(pairs)} pairs of releases")
    tally, loading, failed = by_libdrift(pairs, Releases(settings, settings.history))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(tally.line())
    print(f"           releases loaded in {loading:.1f} s of CPU; at most {memory:.0f} MB")
    for line in failed:
        print(f"           not read: {line}")
    for name in (item for item in asked.beside.split(",") if item):
        other = by_tool(name, pairs)
        print(other.line() if other else f"{name:<10} cannot be started here", flush=True)
    wrong = Counter((c.library, c.old, c.new, c.api, c.label) for c in tally.misses)
    for (library, old, new, api, label), count in wrong.most_common(asked.misses):
        what = "flagged" if label == "YY" else "missed"
        print(f"           {count} {label} {what}: {library} {old} -> {new} {api}")
    each = 1000 * tally.seconds / max(1, total)
    held = {
        "F1": tally.f1 >= BARS["F1"],
        "NN": tally.rate("NN") >= BARS["NN"],
        "NY": tally.rate("NY") >= BARS["NY"],
        "YY": tally.rate("YY") <= BARS["YY"],
        "ms": each <= BARS["ms"],
    }
    print("bars:", ", ".join(f"{name} {'held' if ok else 'MISSED'}" for name, ok in held.items()))
    return 0 if all(held.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
