"""Two releases and all their examples: run in both, compared, and what came of it kept."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from libdrift.config import Settings
from libdrift.environments import Ready
from libdrift.errors import LibdriftError
from libdrift.history.differences import compare as compare_surfaces
from libdrift.history.store import Store
from libdrift.history.store import trials as kept_trials
from libdrift.mining import probing
from libdrift.mining.examples import calibrating, comparing, extracting, replacing
from libdrift.mining.examples.attributing import Attribution, DifferingStatement, ExampleRelease
from libdrift.mining.examples.comparing import ComparedExample, Versions
from libdrift.mining.examples.extracting import DocExample, Examples
from libdrift.mining.examples.keeping import KeptRuns
from libdrift.mining.examples.pages import pages_of, with_prompts
from libdrift.mining.examples.places import PairOfPlaces, build_pair
from libdrift.mining.examples.replacing import MakeRewriter
from libdrift.mining.examples.running import ExampleRunner, ExampleSession, Runs, aliases
from libdrift.mining.examples.uses import ExampleUses
from libdrift.records import Change, ExampleFinding, ExampleTrial, Release, Surface
from libdrift.sandbox import Backend

_SEEDS = (1, 2)  # beside 0: of the runs that show whether a difference is steady

_NONE: Mapping[str, str] = MappingProxyType({})
Progress = Callable[[int, int], None]  # so many of so many runs are done


@dataclass(frozen=True, slots=True)
class TrialResult:
    trial: ExampleTrial
    findings: tuple[ExampleFinding, ...]


@dataclass(frozen=True, slots=True)
class Laboratory:
    """Where and how examples are run."""

    settings: Settings
    backend: Backend
    workers: int = 1
    progress: Progress = lambda _done, _total: None
    rewriters: MakeRewriter | None = None  # of examples, to try what replaces what they use

    def try_pair(self, old: Surface, new: Surface) -> TrialResult | str:
        """All examples of two releases in both; or why they cannot be run, in a line."""
        pages = [with_prompts(pages_of(one.release, self.settings)) for one in (old, new)]
        both = _read(old, new, pages)
        every = {**both[1].found, **both[0].found}
        if not every:
            return "there are no examples (`>>>`) in the documentation of either release"
        self.progress(0, 0)  # environments may take a while
        modules = tuple(dict.fromkeys((*both[0].imports, *both[1].imports)))
        places = build_pair(old.release, new.release, modules, self.settings)
        if isinstance(places, str):
            return f"no environment can be built: {places}"
        try:
            if both[0].unknown | both[1].unknown:
                session = ExampleSession(places.old, 0, (), probing.own_roots(old))
                known = aliases(session, self.backend)
                both = _read(old, new, pages, known)
                every = {**both[1].found, **both[0].found}
            runs = _PairRuns(self, places, (old, new), modules, frozenset(both[0].found))
            compared = runs.run(list(every.values()))
        except LibdriftError as error:
            return str(error)
        releases = (
            ExampleRelease(both[0], ExampleUses(old)),
            ExampleRelease(both[1], ExampleUses(new)),
        )
        shown = [
            DifferingStatement(every[key], divergence)
            for key, found in compared.items()
            for divergence in found.divergences
        ]
        findings = Attribution(*releases).findings(shown)
        changes = compare_surfaces(old, new)
        findings += self._replacements((old, new), changes, both[0], runs)
        tried = calibrating.tried(changes, releases, runs.first)
        return TrialResult(
            replace(
                runs.summary(every, compared),
                found=dict(Counter(item.outcome.value for item in findings)),
                reliability=calibrating.table(tried),
                confirmed=dict(Counter(t.change.kind.value for t in tried if t.confirmed)),
            ),
            tuple(findings),
        )

    def _replacements(
        self,
        surfaces: tuple[Surface, Surface],
        changes: Sequence[Change],
        examples: Examples,
        runs: _PairRuns,
    ) -> list[ExampleFinding]:
        """What examples of the older release say of replacements, written with them."""
        if self.rewriters is None or all(change.how is None for change in changes):
            return []
        rewriter = self.rewriters(*surfaces)
        tried = replacing.trials(examples.found.values(), runs.first[0], changes, rewriter)
        edited = {item.edited.key: item.edited for item in tried}
        return replacing.findings(tried, runs.first[0], runs.newer(list(edited.values())))


def _read(
    old: Surface, new: Surface, pages: Sequence[Mapping[str, str]], known: Mapping[str, str] = _NONE
) -> tuple[Examples, Examples]:
    return (
        extracting.of_surface(old, known, pages[0]),
        extracting.of_surface(new, known, pages[1]),
    )


class _PairRuns:
    """The runs of one pair of releases."""

    def __init__(
        self,
        laboratory: Laboratory,
        places: PairOfPlaces,
        surfaces: tuple[Surface, Surface],
        modules: Sequence[str],
        of_old: Collection[tuple[str, ...]],
    ) -> None:
        self._of_old = of_old
        self._laboratory, self._places, self._surfaces = laboratory, places, surfaces
        self._modules = tuple(modules)
        self.first: tuple[Runs, Runs] = ({}, {})
        self._seconds = 0.0
        self._done = self._total = self._ran = 0

    def newer(self, examples: Sequence[DocExample]) -> Runs:
        """Every example once, in the newer release alone."""
        self._total += len(examples)
        session = self._session(self._places.new, self._surfaces[1], 0)
        with self._runner() as runner:
            return runner.run([session], examples)[0] if examples else {}

    @contextlib.contextmanager
    def _runner(self) -> Iterator[ExampleRunner]:
        laboratory = self._laboratory
        kept = KeptRuns(laboratory.settings.cache / "examples.sqlite")
        try:
            yield ExampleRunner(
                laboratory.backend, kept, laboratory.workers, self._advance, self._skip
            )
        finally:
            kept.close()

    def run(self, examples: Sequence[DocExample]) -> dict[tuple[str, ...], ComparedExample]:
        """Every example once in each release, and those that differ again, otherwise seeded."""
        with self._runner() as runner:
            old, new = self._round(runner, examples, (0,))
            self.first = (old[0], new[0])
            compared = {item.key: self._compared(item, old, new) for item in examples}
            doubtful = [item for item in examples if compared[item.key].divergences]
            more_old, more_new = self._round(runner, doubtful, _SEEDS)
            for item in doubtful:
                compared[item.key] = self._compared(item, [*old, *more_old], [*new, *more_new])
            return compared

    def _round(
        self, runner: ExampleRunner, examples: Sequence[DocExample], seeds: Sequence[int]
    ) -> tuple[list[Runs], list[Runs]]:
        self._total += 2 * len(seeds) * len(examples)
        started = time.monotonic()
        sessions = [
            self._session(place, surface, seed)
            for place, surface in zip(
                (self._places.old, self._places.new), self._surfaces, strict=True
            )
            for seed in seeds
        ]
        found = runner.run(sessions, examples) if examples else [{} for _ in sessions]
        self._seconds += time.monotonic() - started
        return found[: len(seeds)], found[len(seeds) :]

    def _session(self, place: Ready, surface: Surface, seed: int) -> ExampleSession:
        return ExampleSession(place, seed, self._modules, probing.own_roots(surface))

    def _advance(self, count: int) -> None:
        self._ran += count
        self._skip(count)

    def _skip(self, count: int) -> None:
        self._done += count
        self._laboratory.progress(self._done, self._total)

    def _compared(
        self, example: DocExample, old: Sequence[Runs], new: Sequence[Runs]
    ) -> ComparedExample:
        versions = Versions(*(surface.release.version for surface in self._surfaces))
        runs = [[found[example.key] for found in side] for side in (old, new)]
        is_newer = example.key not in self._of_old
        return comparing.compare(example, runs[0], runs[1], versions, is_newer=is_newer)

    def summary(
        self,
        every: dict[tuple[str, ...], DocExample],
        compared: dict[tuple[str, ...], ComparedExample],
    ) -> ExampleTrial:
        skipped: Counter[str] = Counter()
        ran = 0
        for key, example in every.items():
            troubles = [runs[key].trouble(example) for runs in self.first]
            if all(at < 0 for at, _ in troubles):
                ran += 1
            elif all(at >= 0 for at, _ in troubles):
                skipped[troubles[1][1]] += 1
        return ExampleTrial(
            package=self._surfaces[0].release.package,
            old=self._surfaces[0].release.version,
            new=self._surfaces[1].release.version,
            python=self._places.old.interpreter,
            examples=len(every),
            ran=ran,
            statements=sum(item.statements for item in compared.values()),
            unsteady=sum(item.unsteady for item in compared.values()),
            seconds=round(self._seconds, 2),
            runs=self._ran,
            skipped=dict(skipped.most_common()),
            dependencies=self._places.differing,
        )


def try_and_keep(
    store: Store, pair: tuple[Release, Release], laboratory: Laboratory
) -> ExampleTrial | str:
    """What is known of a pair already, or what comes of it now."""
    old, new = pair
    for known in kept_trials.trials(store, old.package):
        if (known.old, known.new) == (old.version, new.version):
            return known
    found = laboratory.try_pair(
        *(store.surface(release.package, release.version) for release in pair)
    )
    if isinstance(found, str):
        return found
    kept_trials.keep(store, found.trial, found.findings)
    return found.trial
