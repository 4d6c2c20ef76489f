"""Programs run in two releases: what functions return for which arguments, as plain data."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from libdrift.build.live.records import Side
from libdrift.config import Settings
from libdrift.mining.examples.comparing import ExampleRun, StatementRun, reason_of
from libdrift.mining.examples.extracting import DocExample, DocStatement
from libdrift.mining.examples.keeping import KeptRuns
from libdrift.mining.examples.places import PairOfPlaces
from libdrift.mining.examples.running import ExampleRunner, Runs, Session
from libdrift.sandbox import Backend

LONGEST = 1200  # characters of a value that a test may hold

# Runs beside the library, on any Python that libdrift knows. It tells a value as source: floats
# without the digits in which machines differ, sets in order. What is not plain data it tells by
# the first form that is: of the array its list, of the iterator its items, else its text.
_TELL = f"""
def _libdrift_plain(value, depth=0):
    kind = type(value)
    if depth > 6:
        raise ValueError
    if value is None or kind in (bool, int, str, bytes):
        return repr(value)
    if kind is float:
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError
        return repr(float("%.10g" % value))
    inner = lambda items: [_libdrift_plain(item, depth + 1) for item in items]
    if kind is list:
        return "[" + ", ".join(inner(value)) + "]"
    if kind is tuple:
        return "(" + ", ".join(inner(value)) + (",)" if len(value) == 1 else ")")
    if kind is set and value:
        return "{{" + ", ".join(sorted(inner(value))) + "}}"
    if kind is dict:
        pairs = zip(inner(value.keys()), inner(value.values()))
        return "{{" + ", ".join("%s: %s" % pair for pair in pairs) + "}}"
    raise ValueError


def _libdrift_forms(value):
    yield "value", lambda: value
    if hasattr(value, "dtype") and getattr(value, "shape", None) == ():
        yield "item", lambda: value.item()
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        yield "tolist", lambda: value.tolist()
    if isinstance(value, dict):
        yield "dict", lambda: dict(value)
    elif isinstance(value, tuple):
        yield "tuple", lambda: tuple(value)
    elif isinstance(value, set):
        yield "set", lambda: set(value)
    elif isinstance(value, list) or hasattr(value, "__next__"):
        yield "list", lambda: list(value)
    elif type(value).__name__ in ("range", "dict_keys", "dict_values", "dict_items"):
        yield "list", lambda: list(value)
    elif type(value).__str__ is not object.__str__ or type(value).__repr__ is not object.__repr__:
        yield "text", lambda: str(value)


def _libdrift_tell(value):
    for name, made in _libdrift_forms(value):
        try:
            plain = made()
            text = _libdrift_plain(plain)
        except Exception:
            if name in ("list", "tuple", "set", "dict"):
                break
            continue
        if len(text) <= {LONGEST}:
            print(name + " " + text)
            return
        break
    print("none " + type(value).__name__)
"""
_TELLER = DocStatement(_TELL.strip("\n"))
_CALL = "_libdrift_tell({})"


@dataclass(frozen=True, slots=True)
class ProgramTrial:
    """A program, and the calls of its function whose values are wanted."""

    code: str
    calls: tuple[str, ...]

    @property
    def example(self) -> DocExample:
        """As statements: an error of a call is none of the program's."""
        calls = [DocStatement(_CALL.format(call), "Traceback (") for call in self.calls]
        return DocExample("", (DocStatement(self.code), _TELLER, *calls))


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What one call gives: a value as source, and in which form; or an error's class."""

    form: str = ""
    value: str = ""
    error: str = ""
    message: str = ""
    reason: str = ""  # why it fails, in the words that are counted

    @property
    def is_plain(self) -> bool:
        return bool(self.value)


@dataclass(slots=True)
class Bench:
    """Runs examples and programs in the two places; what ran before is not run again."""

    settings: Settings
    backend: Backend
    places: PairOfPlaces
    imports: tuple[str, ...]
    roots: tuple[str, ...]
    workers: int = 2
    advance: list[int] = field(default_factory=lambda: [0])  # runs so far

    def run(self, asked: Sequence[tuple[Side, int]], examples: Sequence[DocExample]) -> list[Runs]:
        """What came of all examples on each side, with each seed."""
        if not examples:
            return [{} for _ in asked]
        with self._runner() as runner:
            return runner.run([self._session(*one) for one in asked], examples)

    def measure(
        self, side: Side, trials: Sequence[ProgramTrial], seed: int = 0
    ) -> list[list[CallOutcome]]:
        """Of each program what each of its calls gives there."""
        distinct = {trial: trial.example for trial in trials}
        runs = self.run([(side, seed)], list(distinct.values()))[0]
        return [_told(trial, runs[distinct[trial].key]) for trial in trials]

    @contextlib.contextmanager
    def _runner(self) -> Iterator[ExampleRunner]:
        kept = KeptRuns(self.settings.cache / "examples.sqlite")
        try:
            yield ExampleRunner(self.backend, kept, self.workers, self._count, lambda _: None)
        finally:
            kept.close()

    def _count(self, runs: int) -> None:
        self.advance[0] += runs

    def _session(self, side: Side, seed: int) -> Session:
        place = self.places.old if side is Side.OLD else self.places.new
        return Session(place, seed, self.imports, self.roots)


def _told(trial: ProgramTrial, run: ExampleRun) -> list[CallOutcome]:
    """Nothing of what was not reached: the program took too long, or fails when it is loaded."""
    first = run.statements[0] if run.statements else None
    if first is None or first.failed:
        told = _failure(first) if first else CallOutcome(error="none", reason=run.end or "no run")
        return [told] * len(trial.calls)
    found = [_value(one) for one in run.statements[2:]]
    missing = len(trial.calls) - len(found)
    return found + [CallOutcome(error="none", reason=run.end or "no run")] * missing


def _failure(run: StatementRun) -> CallOutcome:
    return CallOutcome(error=run.error[0], message=run.message, reason=reason_of(run))


def _value(run: StatementRun) -> CallOutcome:
    if run.failed:
        return _failure(run)
    # A program may print as well: its own words come before.
    last = run.output.rstrip("\n").rpartition("\n")[2]
    form, _, value = last.partition(" ")
    if form == "none" or not value:
        return CallOutcome(form="none", error="", message=value)
    return CallOutcome(form, value)
