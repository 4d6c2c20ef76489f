"""All that is seen of two releases: their examples, each run in both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from libdrift.build.live.manual import Manual
from libdrift.build.live.measuring import Bench, ExampleModules
from libdrift.build.live.records import PairEvidence, Side
from libdrift.config import Settings
from libdrift.environments import Ready, build
from libdrift.errors import LibdriftError
from libdrift.history.differences import compare as compare_surfaces
from libdrift.mining import probing
from libdrift.mining.examples import comparing, extracting
from libdrift.mining.examples.comparing import ComparedExample, Versions
from libdrift.mining.examples.extracting import DocExample, Examples
from libdrift.mining.examples.pages import pages_of, with_prompts
from libdrift.mining.examples.places import PairOfPlaces, build_pair
from libdrift.mining.examples.replacing import MakeRewriter
from libdrift.mining.examples.running import ExampleSession, Runs, aliases
from libdrift.mining.examples.uses import ExampleUses
from libdrift.records import Environment, Surface
from libdrift.sandbox import Backend

_SEEDS = (1,)  # beside 0: they show whether a difference is steady

Pair = tuple[Surface, Surface]
Places = tuple[Environment, Environment]


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where and how releases are looked at."""

    settings: Settings
    backend: Backend
    rewriters: MakeRewriter | None = None  # of code of one release, for another

    def evidence(self, pair: Pair, known: Places | None = None) -> PairEvidence | str:
        """What is seen of a pair; or why nothing is, in a line.

        ``known`` are the environments of an earlier time, so that its tasks can be made again.
        """
        texts = [pages_of(surface.release, self.settings) for surface in pair]
        manual, pages = Manual.of(texts[1]), [with_prompts(one) for one in texts]
        both = _read(pair, pages)
        if not both[0].found and not both[1].found:
            return "there are no examples (`>>>`) in the documentation of either release"
        modules = tuple(dict.fromkeys((*both[0].imports, *both[1].imports)))
        places = self._places(pair, modules, known)
        if isinstance(places, str):
            return f"no environment can be built: {places}"
        roots = tuple(dict.fromkeys((*probing.own_roots(pair[0]), *probing.own_roots(pair[1]))))
        try:
            if both[0].unknown | both[1].unknown:
                session = ExampleSession(places.old, 0, (), probing.own_roots(pair[0]))
                both = _read(pair, pages, aliases(session, self.backend))
            bench = Bench(self.settings, self.backend, places, ExampleModules(roots, modules))
        except LibdriftError as error:
            return str(error)
        try:
            return self._seen(pair, both, bench, manual)
        except LibdriftError as error:
            bench.close()
            return str(error)

    def _places(
        self, pair: Pair, modules: Sequence[str], known: Places | None
    ) -> PairOfPlaces | str:
        if known is None:
            return build_pair(pair[0].release, pair[1].release, modules, self.settings)
        built = [build(place, self.settings, wheels_only=True) for place in known]
        if all(isinstance(place, Ready) for place in built):
            old, new = (place for place in built if isinstance(place, Ready))
            return PairOfPlaces(pair[0].release.package, old, new)
        return "; ".join(place.reason for place in built if not isinstance(place, Ready))

    def _seen(
        self, pair: Pair, both: tuple[Examples, Examples], bench: Bench, manual: Manual
    ) -> PairEvidence:
        every = {**both[1].found, **both[0].found}
        first = bench.run([(Side.OLD, 0), (Side.NEW, 0)], list(every.values()))
        versions = Versions(pair[0].release.version, pair[1].release.version)
        compared = _compared(every, [[first[0]], [first[1]]], versions, both[0])
        doubtful = [every[key] for key, found in compared.items() if found.divergences]
        sides = [(side, seed) for side in Side for seed in _SEEDS]
        more = bench.run(sides, doubtful)
        count = len(_SEEDS)
        again = {item.key: item for item in doubtful}
        compared |= _compared(
            again, [[first[0], *more[:count]], [first[1], *more[count:]]], versions, both[0]
        )
        make = self.rewriters
        return PairEvidence(
            old=pair[0],
            new=pair[1],
            places=bench.places,
            examples_old=both[0],
            examples_new=both[1],
            runs_old=first[0],
            runs_new=first[1],
            compared=MappingProxyType(compared),
            changes=tuple(compare_surfaces(*pair)),
            forward=make(*pair) if make else None,
            backward=make(pair[1], pair[0]) if make else None,
            uses_old=ExampleUses(pair[0]),
            uses_new=ExampleUses(pair[1]),
            bench=bench,
            manual=manual,
        )


def _compared(
    examples: Mapping[tuple[str, ...], DocExample],
    runs: Sequence[Sequence[Runs]],
    versions: Versions,
    older: Examples,
) -> dict[tuple[str, ...], ComparedExample]:
    return {
        key: comparing.compare(
            example,
            [run[key] for run in runs[0]],
            [run[key] for run in runs[1]],
            versions,
            is_newer=key not in older.found,
        )
        for key, example in examples.items()
    }


def _read(
    pair: Pair, pages: Sequence[Mapping[str, str]], known: Mapping[str, str] = MappingProxyType({})
) -> tuple[Examples, Examples]:
    return (
        extracting.of_surface(pair[0], known, pages[0]),
        extracting.of_surface(pair[1], known, pages[1]),
    )
