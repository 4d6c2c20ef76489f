"""The control set: APIs of Rust, or of a crate, that did not change over a window of releases.

Beside them, by the same recipe, those that the window introduced, so that the two compare. Each is
asked for by an example of its documentation in which its name is missing, and an answer is judged
by running it. Every task is proven: its reference passes, and without the name it does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from random import Random
from types import MappingProxyType

from libdrift.build import rust_examples
from libdrift.build.lifecycles import CHANGES, Lifecycle
from libdrift.build.masking import hide
from libdrift.build.results import Built, veiled
from libdrift.errors import UserError
from libdrift.execution import Job, Options, run_jobs
from libdrift.history import versions
from libdrift.history.paths import public_paths
from libdrift.history.store import Store
from libdrift.history.views import View
from libdrift.records import (
    Environment,
    Facts,
    Outcome,
    Split,
    Symbol,
    SymbolKind,
    Task,
    TaskKind,
    Tests,
    TestStyle,
)
from libdrift.scoring.verdicts import program_for
from libdrift.suites.rustevo.dates import published

SUITE = "control"
MASK = "____"
RUST = "rust"
CRATE = "crate:"
TOOLCHAIN = "1.84.0"  # for crates, as RustEvo² has it
_NUMBER = re.compile(r"[iuf](?:\d+|size)|(?:.*::)?(?:Atomic[IU]\w+|NonZero\w*|Saturating|Wrapping)")
_SENTENCE = re.compile(r".*?[.!?](?=\s|$)", re.DOTALL)
_SHORT = 3  # letters
_CALLED = {SymbolKind.FUNCTION, SymbolKind.METHOD}


@dataclass(frozen=True, slots=True)
class Window:
    """Two mined releases of ``rust``, or of ``crate:NAME``."""

    package: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class RustApi:
    path: str  # dotted
    symbol: Symbol
    lifecycle: Lifecycle

    @property
    def last(self) -> str:
        return self.path.rpartition(".")[2]


def control(
    store: Store, window: Window, options: Options, *, limit: int | None = None, seed: int = 0
) -> Built:
    """Proven tasks of both kinds: at most ``limit`` of each, which ``seed`` decides on."""
    left_out: Counter[str] = Counter()
    release = _checked(store, window)
    days = {item.release.version: item.release.date for item in store.releases(window.package)}
    tasks: list[Task] = []
    counts: dict[str, int] = {}
    found: dict[Lifecycle, list[Task]] = {Lifecycle.UNCHANGED: [], Lifecycle.INTRODUCED: []}
    for api in apis_of(store, release, left_out):
        made = task_for(api, release, days)
        if isinstance(made, str):
            left_out[made] += 1
        else:
            found[api.lifecycle].append(made)
    for lifecycle, made_of_it in found.items():
        Random(f"{seed} {lifecycle}").shuffle(made_of_it)  # noqa: S311
        some = apart(made_of_it, left_out)
        proven = _proven(some, limit, options, left_out)
        counts[lifecycle.value] = len(proven)
        tasks += sorted(proven, key=lambda task: task.id)
    return Built(tuple(tasks), MappingProxyType(dict(left_out)), MappingProxyType(counts))


def _checked(store: Store, window: Window) -> Window:
    """The window with versions as the store writes them."""
    if window.package != RUST and not window.package.startswith(CRATE):
        raise UserError(
            f"{window.package} is not a Rust package",
            "Write --package rust, or --package crate:NAME",
        )
    old, new = (store.version(window.package, text) for text in (window.old, window.new))
    if versions.order(old) >= versions.order(new):
        raise UserError(f"{old} is not before {new}", "Write it like --from 1.71.0 --to 1.84.0")
    return Window(window.package, old, new)


def apis_of(store: Store, window: Window, left_out: Counter[str]) -> Iterator[RustApi]:
    """Callables of the newer release that are the same in the older one, or not in it at all."""
    before = View(store.surface(window.package, window.old))
    after = View(store.surface(window.package, window.new))
    for target, (path, _) in sorted(public_paths(after.surface).items(), key=lambda x: x[1]):
        symbol = after.symbols[target]
        if symbol.kind not in _CALLED:
            continue
        old = before.symbol(path)
        if symbol.deprecation or "unstable" in symbol.traits:
            left_out["deprecated or unstable"] += 1
        elif old is None:
            yield RustApi(path, symbol, Lifecycle.INTRODUCED)
        elif _same(old, symbol):
            yield RustApi(path, symbol, Lifecycle.UNCHANGED)
        else:
            left_out["changed in the window"] += 1


def _same(old: Symbol, new: Symbol) -> bool:
    return not old.deprecation and (old.kind, old.signature, old.traits, old.annotation) == (
        new.kind,
        new.signature,
        new.traits,
        new.annotation,
    )


def task_for(api: RustApi, window: Window, days: Mapping[str, date | None]) -> Task | str:
    """The task that asks for an API, or why there is none."""
    if not api.symbol.doc.strip():
        return "no documentation"
    example = _example(api)
    if isinstance(example, str):
        return example
    code = rust_examples.program(example)
    library = "std" if window.package == RUST else window.package.removeprefix(CRATE)
    title = f"{'Rust' if library == 'std' else library} {window.new}"
    since = next((note.version for note in api.symbol.notes if note.kind == "added"), None)
    path = written(api.path)
    return Task(
        id=f"{window.package.replace(':', '-')}-{window.new}-{veiled(api.path)}",
        suite=SUITE,
        kind=TaskKind.GENERATE,
        language="rust",
        environment=environment_of(library, window.new),
        title=f"{title} · {api.lifecycle}",
        problem=_problem(api, title),
        starter=_masked(code, api.last),
        reference=code,
        tests=(Tests(Split.HIDDEN, TestStyle.RUST, rust_examples.tests(example)),),
        facts=Facts(
            library=library,
            version=window.new,
            release_date=_day(library, since, days) if since else None,
            change=CHANGES.get(api.lifecycle),
            symbol=path,
            changed_in=since if api.lifecycle is Lifecycle.INTRODUCED else None,
            category="stabilized" if api.lifecycle is Lifecycle.INTRODUCED else "stable",
            api_calls=_calls(path),
            source="library_source_code",
            scenario="controlled",
            access="indirect" if api.symbol.kind is SymbolKind.METHOD else "direct",
            lifecycle=api.lifecycle.value,
            from_version=window.old,
        ),
        source=MappingProxyType(
            {
                "api": {
                    "name": api.last,
                    "signature": f"{path}{api.symbol.signature or ''}",
                    "documentation": _prose(api.symbol.doc),
                }
            }
        ),
    )


def written(path: str) -> str:
    """As Rust has it; a primitive's methods have no crate before them."""
    head, found, rest = path.partition(".primitive.")
    return (rest if found and "." not in head else path).replace(".", "::")


def _calls(path: str) -> tuple[str, ...]:
    """What documentation calls a pointer is two types."""
    kind, found, name = path.partition("::")
    if kind == "pointer" and found:
        return f"const_ptr::{name}", f"mut_ptr::{name}"
    return (path,)


def _day(library: str, version: str, days: Mapping[str, date | None]) -> date | None:
    return days.get(version) or published(library, version)


def environment_of(library: str, version: str) -> Environment:
    if library == "std":
        return Environment("rust", version, ())
    return Environment("rust", TOOLCHAIN, (f"{library}={version}",))


def _example(api: RustApi) -> rust_examples.RustExample | str:
    """The first example that calls the API and can be asked for; else why there is none."""
    why = "no example"
    call = re.compile(rf"\b{re.escape(api.last)}\s*(?:::\s*<[^;]*>)?\s*\(")
    for block in rust_examples.blocks(api.symbol.doc):
        if not call.search(block):
            continue
        if MASK in block:
            why = "its example has the mask already"
            continue
        found = rust_examples.told(block)
        if isinstance(found, str):
            why = found
        elif not call.search("\n".join(found.lines)):
            why = "its example calls it only where the answer is"
        else:
            return found
    return why


def _masked(code: str, name: str) -> str:
    return re.sub(rf"\b{re.escape(name)}\b", MASK, code)


def _problem(api: RustApi, title: str) -> str:
    prose = _prose(api.symbol.doc)
    first = _SENTENCE.match(prose)
    summary = " ".join((first[0] if first else prose).split())
    # A short name is in many words (`or` in `for`), which do not tell it.
    summary = hide(summary, api.last) if len(api.last) > _SHORT else _masked(summary, api.last)
    return (
        f"Complete this function for {title}: one name is missing, and stands as {MASK} wherever "
        f"it is used. What is called does this: {summary} "
        f"Keep everything else, and answer with the whole function `{rust_examples.FUNCTION}`."
    )


def _prose(doc: str) -> str:
    """What a documentation says before its examples."""
    text = re.split(r"(?m)^(?:#+\s*)?Examples?:?\s*$|^\s*(?:```|~~~)", doc)[0]
    return text.strip()


def apart(tasks: Sequence[Task], left_out: Counter[str]) -> list[Task]:
    """One task of each method that many types have alike: ``u8::count_ones``, ``u16::…``."""
    found: dict[str, Task] = {}
    for task in tasks:
        owner, _, name = (task.facts.symbol or "").rpartition("::")
        key = f"number::{name}" if _NUMBER.fullmatch(owner) else task.facts.symbol or ""
        if key in found:
            left_out["another type's method of that name is asked for"] += 1
        else:
            found[key] = task
    return list(found.values())


def _proven(
    tasks: Sequence[Task], limit: int | None, options: Options, left_out: Counter[str]
) -> list[Task]:
    """The tasks that hold, in their order, until there are enough."""
    wanted = len(tasks) if limit is None else limit
    found: list[Task] = []
    at = 0
    while len(found) < wanted and at < len(tasks):
        some = tasks[at : at + wanted - len(found)]
        at += len(some)
        found += _hold(some, options, left_out)
    if len(tasks) > at:
        left_out["over the limit"] += len(tasks) - at
    return found


def _hold(tasks: Sequence[Task], options: Options, left_out: Counter[str]) -> list[Task]:
    jobs = []
    for task in tasks:
        tests = task.tests[0]
        for role, code in (("reference", task.reference), ("masked", task.starter)):
            program = program_for(task, tests, code)
            jobs.append(Job((task.id, role), task.environment, program, task.reference))
    with closing(run_jobs(jobs, options)) as results:
        judged = {job.key: judgement for job, judgement in results}
    held = []
    for task in tasks:
        reference, masked = (judged[task.id, role] for role in ("reference", "masked"))
        if Outcome.INFRASTRUCTURE in {reference.outcome, masked.outcome}:
            left_out["not proven: the machine's trouble"] += 1
        elif reference.outcome is not Outcome.PASSED:
            left_out["its example does not run as it is shown"] += 1
        elif masked.outcome is Outcome.PASSED:
            left_out["it passes without the name"] += 1
        elif reference.uses is False:
            left_out["its example uses another of that name"] += 1
        else:
            held.append(task)
    return held
