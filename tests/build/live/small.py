"""Two releases of a package of a few functions, and a bench that runs its examples right here."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, cast

from libdrift.advisor.proving import rewriter
from libdrift.build.live.measuring import Bench, Measured, ProgramTrial
from libdrift.build.live.records import PairEvidence, Side
from libdrift.environments import Ready
from libdrift.history.differences import compare as compare_surfaces
from libdrift.languages.python.static import of_sources
from libdrift.mining.examples import comparing, extracting
from libdrift.mining.examples.comparing import Versions, read_run
from libdrift.mining.examples.extracting import DocExample
from libdrift.mining.examples.places import PairOfPlaces
from libdrift.mining.examples.running import Runs
from libdrift.mining.examples.uses import ExampleUses
from libdrift.records import Environment

KEPT = '''
def doubled(items):
    """Give every item of a list twice.

    >>> import pkg
    >>> pkg.doubled([1, 2, 3])
    [1, 1, 2, 2, 3, 3]
    """
    return [item for item in items for _ in range(2)]


def longest(words):
    """Find the longest of some words.

    >>> import pkg
    >>> pkg.longest(["a", "bbb", "cc"])
    'bbb'
    """
    return max(words, key=len)


def negated(numbers):
    """Change the sign of all numbers.

    >>> import pkg
    >>> pkg.negated([1, -2, 3])
    [-1, 2, -3]
    """
    return [-number for number in numbers]
'''
OLD = (
    KEPT
    + '''
def summed_up(numbers):
    """Add up all numbers of a list.

    >>> import pkg
    >>> pkg.summed_up([1, 2, 3])
    6
    """
    return sum(numbers)


def parts(text, sep=" "):
    """Split a text at each separator.

    >>> import pkg
    >>> pkg.parts("a b c")
    ['a', 'b', 'c']
    """
    return text.split(sep)
'''
)
NEW = (
    KEPT
    + '''
def summed(numbers):
    """Add up all numbers of a list.

    >>> import pkg
    >>> pkg.summed([1, 2, 3])
    6
    """
    return sum(numbers)


def parts(text, sep=" ", keep=-1):
    """Split a text at each separator.

    Parameters
    ----------
    text : str
        What is split.
    keep : int
        How many separators are looked at, from the left; by default all.

    >>> import pkg
    >>> pkg.parts("a b c d", keep=2)
    ['a', 'b', 'c d']
    """
    return text.split(sep, keep)


def pairwise_sums(numbers, offset=0):
    """Add every number to the one that follows it.

    >>> from pkg import pairwise_sums
    >>> numbers = [1, 2, 3, 4]
    >>> list(pairwise_sums(numbers, offset=10))
    [13, 15, 17]
    >>> best = pairwise_sums([4, 1, 6])
    >>> max(best) - min(best)
    2
    """
    return [a + b + offset for a, b in zip(numbers, numbers[1:])]


def vague(numbers):
    """See the guide.

    >>> import pkg
    >>> pkg.vague([1, 2, 3])
    [3, 2, 1]
    """
    return numbers[::-1]
'''
)
_SOURCES = {Side.OLD: OLD, Side.NEW: NEW}


class ProcessBench:
    """As ``Bench``, without environments: the package is made of its source each time."""

    def run(self, asked: Sequence[tuple[Side, int]], examples: Sequence[DocExample]) -> list[Runs]:
        return [
            {example.key: read_run(_told(_SOURCES[side], example)) for example in examples}
            for side, _ in asked
        ]

    def measure(self, side: Side, trials: Sequence[ProgramTrial], seed: int = 0) -> Measured:
        return Bench.measure(cast("Bench", self), side, trials, seed)


def evidence() -> PairEvidence:
    old, new = (
        of_sources({"pkg/__init__.py": OLD}, "1.0", "pkg"),
        of_sources({"pkg/__init__.py": NEW}, "2.0", "pkg"),
    )
    bench = ProcessBench()
    examples = extracting.of_surface(old), extracting.of_surface(new)
    every = {**examples[1].found, **examples[0].found}
    runs = bench.run([(Side.OLD, 0), (Side.NEW, 0)], list(every.values()))
    compared = {
        key: comparing.compare(
            example,
            [runs[0][key]],
            [runs[1][key]],
            Versions("1.0", "2.0"),
            is_newer=key not in examples[0].found,
        )
        for key, example in every.items()
    }
    return PairEvidence(
        old=old,
        new=new,
        places=PairOfPlaces("pkg", _place("1.0"), _place("2.0")),
        examples_old=examples[0],
        examples_new=examples[1],
        runs_old=runs[0],
        runs_new=runs[1],
        compared=MappingProxyType(compared),
        changes=tuple(compare_surfaces(old, new)),
        forward=rewriter(old, new),
        backward=rewriter(new, old),
        uses_old=ExampleUses(old),
        uses_new=ExampleUses(new),
        bench=cast("Bench", bench),
    )


def _place(version: str) -> Ready:
    place = Environment("python", "3.11", (f"pkg=={version}",), date(2024, 1, 1))
    return Ready(
        place, Path("nowhere"), "3.11.0", Path("nowhere"), (f"pkg=={version}",), fresh=False
    )


def _told(source: str, example: DocExample) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "__main__"}
    rows = []
    with _installed(source):
        for code, may_raise in example.job:
            stream = io.StringIO()
            error = None
            with contextlib.redirect_stdout(stream):
                try:
                    form = "single" if "\n" not in code else "exec"
                    exec(compile(f"{code}\n", "<example>", form), names)
                except Exception as raised:  # noqa: BLE001  (whatever an example raises)
                    bases = [kind.__name__ for kind in type(raised).__mro__]
                    error = [bases, str(raised), ""]
            rows.append([stream.getvalue(), "", [], error, ""])
            if error is not None and not may_raise:
                break
    return {"statements": rows, "end": ""}


@contextlib.contextmanager
def _installed(source: str) -> Iterator[None]:
    module = ModuleType("pkg")
    exec(source, module.__dict__)
    sys.modules["pkg"] = module
    try:
        yield
    finally:
        del sys.modules["pkg"]
