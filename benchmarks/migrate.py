"""Repairs of PCBench's snippets: those that break, or change, from one release to the next.

A repair counts as right by signatures when each argument of the edited call reaches at the new
release the parameter that it reached at the old one, and only arguments are left out whose
parameter is gone. With --run N, a random sample is run for real: the original at the old release,
the edited snippet at the new one, in exact environments, sandboxed.

    python benchmarks/migrate.py [--library pandas] [--limit 50] [--risky] [--run 100]
"""

from __future__ import annotations

import argparse
import ast
import json
import lzma
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from check import Case

from libdrift import config
from libdrift.advisor.loading import Releases
from libdrift.advisor.migrating import CodeMigrator
from libdrift.advisor.packages import CheckedPackages
from libdrift.advisor.releases import ReleasePair
from libdrift.advisor.takes import Takes
from libdrift.advisor.versions import VersionStep
from libdrift.environments import Failed, Ready, build
from libdrift.errors import LibdriftError
from libdrift.languages.python import usage
from libdrift.records import Environment, Finding, FindingLevel, ParameterKind
from libdrift.sandbox.commands import Ended

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "pcbench" / "cases.jsonl.xz"


@dataclass(frozen=True, slots=True)
class Repair:
    snippet: Case
    after: str
    verdict: str


def snippets(path: Path) -> Iterator[Case]:
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield Case(**json.loads(line))


# --- by signatures


class Judge:
    """Whether arguments of the edited call reach what they reached."""

    def __init__(self, pair: ReleasePair) -> None:
        self._pair = pair
        self._packages = CheckedPackages([pair])

    def verdict(self, snippet: Case, after: str) -> str:
        last = snippet.api.rpartition(".")[2]
        before = self._calls(snippet.code, last, is_new=False)
        made = self._calls(after, last, is_new=True)
        if not before or len(before) != len(made):
            return "call not found"
        for (old_path, old), (new_path, new) in zip(before, made, strict=True):
            trouble = self._compared(old_path, old, new_path, new)
            if trouble:
                return trouble
        return "right"

    def _calls(self, code: str, last: str, *, is_new: bool) -> list[tuple[str, ast.Call]]:
        tree = ast.parse(code)
        types = self._pair.new_types if is_new else self._pair.old_types
        uses = usage.read(tree, self._packages, lambda _: types).uses
        spans = {
            (use.call.line, use.call.column, use.call.end_line, use.call.end_column): use.path
            for use in uses
            if use.call is not None and use.path
        }
        return [
            (spans.get(_place(node), ""), node)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and _last(node.func) == last
        ]

    def _compared(self, old_path: str, old: ast.Call, new_path: str, new: ast.Call) -> str:
        before = self._pair.old.symbol(old_path) if old_path else None
        after = self._pair.new.symbol(new_path or old_path) if old_path else None
        if before is None or after is None or not before.signature or not after.signature:
            return "signature not known"
        calls = self._pair.calls(old_path)
        renamed = calls.renamed if calls else {}
        takes = Takes.of(after.signature)
        given = _reached(Takes.of(before.signature), old)
        got = _reached(takes, new)
        if given is None or got is None:
            return "does not bind"
        was = Takes.of(before.signature).named
        for name, value in given.items():
            target = name
            if name not in takes.named and renamed.get(name) not in was:
                target = renamed.get(name, name)
            if target in got:
                if got[target] != value and name in takes.named:
                    return f"{name} has another value"
            elif target in takes.named and target not in given:
                return f"{name} was lost"
        extra = got.keys() - given.keys() - set(renamed.values())
        return f"{', '.join(sorted(extra))} came from nowhere" if extra else ""


def _place(node: ast.Call) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _reached(takes: Takes, call: ast.Call) -> dict[str, str] | None:
    """Parameter to value; None if the call cannot be bound."""
    found: dict[str, str] = {}
    for at, item in enumerate(call.args):
        if at < len(takes.places):
            found[takes.places[at].name] = ast.dump(item)
        elif takes.any_place:
            found[f"*{at}"] = ast.dump(item)
        else:
            return None
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in found:
            return None
        taken = takes.named.get(keyword.arg)
        is_taken = taken is not None and taken.kind is not ParameterKind.POSITIONAL_ONLY
        if not is_taken and not takes.any_keyword:
            return None
        found[keyword.arg] = ast.dump(keyword.value)
    missing = [p.name for p in takes.named.values() if p.default is None and p.name not in found]
    return None if missing else found


# --- the run


def repaired(rows: Sequence[Case], releases: Releases, *, risky: bool) -> Iterator[Repair]:
    groups: dict[tuple[str, str, str], list[Case]] = defaultdict(list)
    for row in rows:
        groups[row.package, row.old, row.new].append(row)
    for (package, old, new), members in sorted(groups.items()):
        try:
            _, pair = releases.pair(VersionStep(package, old, new, ""))
        except LibdriftError as error:
            print(f"{package} {old} → {new}: {error}", file=sys.stderr)
            yield from (Repair(row, row.code, "release not read") for row in members)
            continue
        migrator, judge = CodeMigrator([pair], is_risky=risky, wanted=_told), Judge(pair)
        right = 0
        started = time.process_time()
        done = [(row, migrator.migrated(row.code)) for row in members]
        spent = (time.process_time() - started) / len(members)
        for row, made in done:
            if not made.is_changed:
                reasons = [made.problem, *(one.reason for one in made.left)]
                verdict = f"not edited: {next(filter(None, reasons), 'nothing found')}"
            else:
                verdict = judge.verdict(row, made.after)
            right += verdict == "right"
            yield Repair(row, made.after, verdict)
        print(
            f"{package} {old} → {new}: {right} of {len(members)} right, {1000 * spent:.1f} ms each",
            file=sys.stderr,
        )


def _told(code: str, findings: Sequence[Finding]) -> Sequence[Finding]:
    """What the command edits: errors and warnings, the errors first."""
    del code
    found = [item for item in findings if item.level is not FindingLevel.INFO]
    return sorted(found, key=lambda item: item.level is not FindingLevel.ERROR)


def summary(repairs: Sequence[Repair]) -> None:
    for label in ("NN", "NY"):
        own = [item for item in repairs if item.snippet.label == label]
        right = sum(item.verdict == "right" for item in own)
        if own:
            print(f"{label}: {right} of {len(own)} right ({right / len(own):.4f})")
    right = sum(item.verdict == "right" for item in repairs)
    print(f"all: {right} of {len(repairs)} right ({right / max(1, len(repairs)):.4f})")
    why = Counter((item.verdict, item.snippet.library) for item in repairs)
    for (verdict, library), count in why.most_common(25):
        if verdict != "right":
            print(f"  {count:5} {library}: {verdict}")


# --- for real


def run_for_real(repairs: Sequence[Repair], options: argparse.Namespace) -> None:
    from libdrift.execution.scripts import run_script
    from libdrift.sandbox import Limits, choose

    backend = choose("bubblewrap", config.load())
    held = argparse.Namespace(backend=backend)  # all that `run_script` asks its options for
    chosen = random.Random(options.seed)  # noqa: S311  (a repeatable choice)
    sample = chosen.sample(list(repairs), min(options.run, len(repairs)))
    sample.sort(key=lambda item: (item.snippet.package, item.snippet.old))
    counts: Counter[str] = Counter()
    limits = Limits().with_time(240)
    places = Places(options)
    for item in sample:
        row = item.snippet
        found = places.of(row)
        if found is None:
            counts["no environment"] += 1
            continue
        codes = (row.code, item.after)
        before, after = (
            run_script(code, place, held, limits, programs=True)  # type: ignore[arg-type]
            for code, place in zip(codes, found, strict=True)
        )
        verdict = _compared_runs(before, after)
        counts[verdict] += 1
        agrees = (verdict == "same") == (item.verdict == "right")
        if verdict != "fails before" and not agrees:
            print(f"  {row.id}: by signatures {item.verdict}, for real {verdict}", flush=True)
    for verdict, count in counts.most_common():
        print(f"  {count:5} {verdict}")
    tried = sum(counts.values()) - counts["no environment"] - counts["fails before"]
    print(f"for real: {counts['same']} of {tried} right ({counts['same'] / max(1, tried):.4f})")


class Places:
    """Both environments of a snippet, in the first Python that has them."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._pythons, self._more = options.python.split(","), options.more or []
        self._dates = Dates()
        self._known: dict[tuple[str, str, str], tuple[Ready, Ready] | None] = {}

    def of(self, row: Case) -> tuple[Ready, Ready] | None:
        key = (row.package, row.old, row.new)
        if key not in self._known:
            tried = (self._built(row, python) for python in self._pythons)
            self._known[key] = next((found for found in tried if found), None)
            print(f"{key}: {'ready' if self._known[key] else 'none'}", file=sys.stderr, flush=True)
        return self._known[key]

    def _built(self, row: Case, python: str) -> tuple[Ready, Ready] | None:
        found = []
        for version in (row.old, row.new):
            more = [name for name in self._more if name != row.package]
            day = self._dates.of(row.package, row.new)
            wanted = Environment("python", python, (f"{row.package}=={version}", *more), day)
            place = build(wanted, config.load())
            if isinstance(place, Failed):
                return None
            found.append(place)
        return found[0], found[1]


class Dates:
    """When releases came: what they depend on is that of their day."""

    def __init__(self) -> None:
        from libdrift.mining import MiningOptions
        from libdrift.mining.sources import sources_of

        self._sources_of, self._options = sources_of, MiningOptions()
        self._known: dict[str, dict[str, date | None]] = {}

    def of(self, package: str, version: str) -> date | None:
        if package not in self._known:
            (source,) = self._sources_of([package], self._options, config.load())
            offers = source.offers(package).releases
            self._known[package] = {item.release.version: item.release.date for item in offers}
        found = self._known[package].get(version)
        return found + timedelta(days=20) if found else None


def _compared_runs(before: Ended, after: Ended) -> str:
    if before.status != 0:
        return "fails before"
    if after.status != 0:
        return "fails after: " + (after.stderr.strip().splitlines() or ["?"])[-1][:120]
    return "same" if before.stdout == after.stdout else "another output"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--library", action="append")
    parser.add_argument("--version", action="append", help="only from this old version")
    parser.add_argument("--limit", type=int, help="so many snippets of each pair of releases")
    parser.add_argument("--risky", action="store_true")
    parser.add_argument("--run", type=int, default=0)
    parser.add_argument("--python", default="3.8,3.7,3.9,3.10", help="tried one after the other")
    parser.add_argument("--with", dest="more", action="append", help="package beside the library")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", help="print repairs whose verdict has this text")
    options = parser.parse_args()
    if not options.data.is_file():
        sys.exit(f"PCBench is not at {options.data}: give its file with --data")
    chosen: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for row in snippets(options.data):
        wanted = row.label != "YY" and (not options.library or row.library in options.library)
        if wanted and (not options.version or row.old in options.version):
            chosen[row.library, row.old].append(row)
    order = random.Random(options.seed)  # noqa: S311  (a repeatable choice)
    rows = []
    for members in chosen.values():
        order.shuffle(members)
        rows += members[: options.limit]
    settings = config.load()
    repairs = list(repaired(rows, Releases(settings, settings.history), risky=options.risky))
    summary(repairs)
    if options.show:
        for item in [one for one in repairs if options.show in one.verdict][:10]:
            print(f"--- {item.snippet.id}: {item.verdict}\n{item.snippet.code}\n{item.after}")
    if options.run:
        run_for_real(repairs, options)


if __name__ == "__main__":
    main()
