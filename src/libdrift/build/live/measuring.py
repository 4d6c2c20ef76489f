"""Programs run in two releases: what functions return for which arguments, as plain data."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from libdrift.build.live.programs import FORMS
from libdrift.build.live.records import Side
from libdrift.config import Settings
from libdrift.environments import Ready
from libdrift.errors import InfrastructureError
from libdrift.mining.examples.comparing import ExampleRun, StatementRun, read_run, reason_of
from libdrift.mining.examples.extracting import DocExample, DocStatement
from libdrift.mining.examples.keeping import KeptRuns, key_of
from libdrift.mining.examples.places import PairOfPlaces
from libdrift.mining.examples.running import Runs
from libdrift.sandbox import Backend
from libdrift.sandbox.examples import ExampleServer

_NEAR = 5e-7  # half of what tests allow
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


Measured = list[list[CallOutcome]]


@dataclass(frozen=True, slots=True)
class ExampleModules:
    """What is imported ahead: the package's own modules, and others that examples use."""

    roots: tuple[str, ...]
    imports: tuple[str, ...]


class Bench:
    """Runs examples and programs in the two places; what ran before is not run again.

    Servers stay warm from one question to the next, until ``close``.
    """

    def __init__(
        self, settings: Settings, backend: Backend, places: PairOfPlaces, modules: ExampleModules
    ) -> None:
        self.places = places
        self._backend, self._modules = backend, modules
        self._kept = KeptRuns(settings.cache / "examples.sqlite")
        self._servers: dict[tuple[Side, int], ExampleServer] = {}
        self.runs = 0  # that were not known

    def close(self) -> None:
        for server in self._servers.values():
            server.close()
        self._servers.clear()
        self._kept.close()

    def run(self, asked: Sequence[tuple[Side, int]], examples: Sequence[DocExample]) -> list[Runs]:
        """What came of all examples on each side, with each seed."""
        found: list[Runs] = []
        waiting: list[tuple[Side, int, list[DocExample]]] = []
        for side, seed in asked:
            keys = {self._key(side, seed, example): example for example in examples}
            known = self._kept.get(list(keys))
            found.append({keys[key].key: read_run(told) for key, told in known.items()})
            left = [example for key, example in keys.items() if key not in known]
            waiting.append((side, seed, left))
        servers = [self._server(side, seed) if left else None for side, seed, left in waiting]
        with ThreadPoolExecutor(max(1, len(asked))) as pool:
            told = pool.map(_run_all, servers, [left for _, _, left in waiting])
        for runs, (side, seed, left), outcomes in zip(found, waiting, told, strict=True):
            for example, outcome in zip(left, outcomes, strict=True):
                self.runs += 1
                self._kept.put(self._key(side, seed, example), outcome)
                runs[example.key] = read_run(outcome)
        return found

    def measure(self, side: Side, trials: Sequence[ProgramTrial], seed: int = 0) -> Measured:
        """Of each program what each of its calls gives there."""
        distinct = {trial: trial.example for trial in trials}
        runs = self.run([(side, seed)], list(distinct.values()))[0]
        return [_told(trial, runs[distinct[trial].key]) for trial in trials]

    def _place(self, side: Side) -> Ready:
        return self.places.old if side is Side.OLD else self.places.new

    def _key(self, side: Side, seed: int, example: DocExample) -> str:
        return key_of(self._place(side).environment.key, seed, example.job)

    def _server(self, side: Side, seed: int) -> ExampleServer:
        if (side, seed) not in self._servers:
            self._servers[side, seed] = self._started(side, seed)
        return self._servers[side, seed]

    def _started(self, side: Side, seed: int) -> ExampleServer:
        """With all modules that examples use; with the package alone, if that does not go."""
        given = (self._place(side), self._backend, self._modules.roots)
        server = ExampleServer(*given, self._modules.imports, seed=seed)
        try:
            server.start()
        except InfrastructureError:
            server = ExampleServer(*given, seed=seed)
            server.start()
        roots = self._modules.roots
        if all(root in server.failed for root in roots):
            server.close()
            reason = server.failed[roots[0]] if roots else "it has no modules"
            raise InfrastructureError(f"{side} release cannot be imported: {reason}")
        return server


def _run_all(
    server: ExampleServer | None, examples: Sequence[DocExample]
) -> list[Mapping[str, Any]]:
    return [server.run(example.job) for example in examples] if server is not None else []


def are_same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether values, as source, are the same but for the last digits of fractions."""
    if len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    return all(a == b or _is_close(ast.literal_eval(a), ast.literal_eval(b)) for a, b in pairs)


def _is_close(one: Any, other: Any) -> bool:  # noqa: ANN401  (plain data of any kind)
    if type(one) is not type(other):
        return False
    match one:
        case float():
            return bool(abs(one - other) <= _NEAR * max(1.0, abs(one), abs(other)))
        case list() | tuple():
            return len(one) == len(other) and all(map(_is_close, one, other))
        case dict():
            return one.keys() == other.keys() and all(_is_close(one[k], other[k]) for k in one)
        case _:
            return bool(one == other)


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
    if form not in FORMS or not _is_literal(value):
        return CallOutcome(form="none", error="", message="no plain data")
    return CallOutcome(form, value)


def _is_literal(text: str) -> bool:
    """Whether a text is one value, and nothing else.

    A library shares its process with what tells its values: it can say what it likes, and a test
    would hold it.
    """
    if len(text) > LONGEST or not text.isprintable():
        return False
    try:
        ast.literal_eval(text)
        (_,) = ast.literal_eval(f"[{text}]")  # neither two values, nor one and a comment
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True
