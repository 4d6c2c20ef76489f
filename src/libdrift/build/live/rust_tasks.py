"""Tasks from releases of Rust and of crates: examples of their documentation, run in two releases.

- *generate*: an example of an API that a release brought, in which its name is missing. It passes
  at that release, and not at the one before.
- *migrate*: an example as the documentation of the older release has it, to be made work with the
  newer one, or the other way round. Its reference is what the other documentation has in its place,
  and tells the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest

from libdrift.build import control, rust_examples
from libdrift.build.control import CRATE, RUST, Window, environment_of
from libdrift.build.lifecycles import Lifecycle
from libdrift.build.live.compiled import (
    ANOTHERS,
    REFERENCE,
    ProofTrial,
    fails,
    marked,
    mentions,
    passes,
    shuffled,
)
from libdrift.build.live.records import LiveFamily
from libdrift.build.results import veiled
from libdrift.history import versions
from libdrift.history.differences import compare
from libdrift.history.paths import public_paths
from libdrift.history.store import Store
from libdrift.history.views import View
from libdrift.records import (
    ChangeKind,
    Environment,
    Facts,
    Split,
    Surface,
    Task,
    TaskKind,
    Tests,
    TestStyle,
    WrongAnswer,
)
from libdrift.sandbox import Judgement
from libdrift.scoring.verdicts import program_for

SUITE = "live-rust"
_EMPTY = f"pub fn {rust_examples.FUNCTION}() -> Vec<String> {{\n    Vec::new()\n}}\n"
# What gives something else at another time, or in another place.
_UNSTEADY = re.compile(
    r"\b(?:Instant|SystemTime|UNIX_EPOCH|sleep|thread_rng|random|RandomState|TcpStream|TcpListener"
    r"|UdpSocket|File|fs|env|process|stdin|available_parallelism|Utc|Local|now|as_ptr|addr_of)\b"
    r"|\{:p\}"
)
_EARLIER = "passes one release earlier"
_WORD = re.compile(r"[A-Za-z_]\w*")
_BREAKING = {
    ChangeKind.REMOVED,
    ChangeKind.RENAMED,
    ChangeKind.MOVED,
    ChangeKind.SIGNATURE,
    ChangeKind.DEPRECATED,
    ChangeKind.INTRODUCED,
}

Days = Mapping[str, date | None]  # of all releases of a package, when each came


def generated(store: Store, window: Window, days: Days, left_out: Counter[str]) -> list[Task]:
    """Of everything that came between two mined releases, an example without its name."""
    ordered = sorted(days, key=versions.order)
    found: list[Task] = []
    for api in control.apis_of(store, window, Counter()):
        if api.lifecycle is not Lifecycle.INTRODUCED:
            continue
        step = _step(api, window, ordered)
        if step is None:
            left_out["generate: since when it is stable is not known"] += 1
            continue
        made = control.task_for(api, step, days)
        why = made if isinstance(made, str) else _unfit(made, api.last)
        if isinstance(made, str) or why:
            left_out[f"generate: {why}"] += 1
            continue
        found.append(_labelled(made, step, days))
    return control.apart(found, left_out)


def _step(api: control.RustApi, window: Window, ordered: Sequence[str]) -> Window | None:
    """The release that brought an API, and the one before; of a crate, the two that are known."""
    if window.package != RUST:
        return window
    since = next((note.version for note in api.symbol.notes if note.kind == "added"), "")
    if since not in ordered or not ordered.index(since):
        return None
    return Window(RUST, ordered[ordered.index(since) - 1], since)


def _unfit(task: Task, name: str) -> str:
    if _UNSTEADY.search(task.reference):
        return "its example may give something else next time"
    if mentions(task.problem, name) or mentions(task.starter, name):
        return "its name is in what is shown"
    return ""


def _labelled(task: Task, step: Window, days: Days) -> Task:
    facts = replace(
        task.facts,
        release_date=days.get(step.new),
        change=ChangeKind.INTRODUCED,
        changed_in=step.new,
        direction=None,
        from_version=step.old,
        from_date=days.get(step.old),
        tags=(SUITE, LiveFamily.GENERATE.value),
    )
    named = replace(
        task, id=_id(step, LiveFamily.GENERATE, task.reference), suite=SUITE, facts=facts, source={}
    )
    return _told(named, step, LiveFamily.GENERATE)


def _told(task: Task, step: Window, family: LiveFamily) -> Task:
    return marked(
        task,
        family=family.value,
        package=step.package,
        old=step.old,
        new=step.new,
        symbol=task.facts.symbol or "",
    )


def _id(step: Window, family: LiveFamily, content: str) -> str:
    package = step.package.replace(":", "-")
    return f"{package}-{step.new}-{family.value}-{veiled(content)}"


# --- migrations


@dataclass(frozen=True, slots=True)
class _Pair:
    """One example as two releases document it."""

    path: str
    old: rust_examples.RustExample
    new: rust_examples.RustExample


def migrated(store: Store, window: Window, days: Days, left_out: Counter[str]) -> list[Task]:
    """Examples that the two releases of a crate document differently, both ways."""
    if window.package == RUST:
        return []  # of one toolchain there is but one documentation
    before, after = store.surfaces(window.package, (window.old, window.new))
    changes = _changed_names(before, after)
    found: dict[str, Task] = {}
    for pair in _pairs(before, after, left_out):
        for forward in (True, False):
            task = _migration(pair, window, changes, days, forward=forward)
            found.setdefault(task.id, task)
    return list(found.values())


def _pairs(before: Surface, after: Surface, left_out: Counter[str]) -> Iterator[_Pair]:
    """Examples of the same name at the same place that are not the same."""
    old, new = View(before), View(after)
    seen: set[tuple[str, str]] = set()
    for target, (path, _) in sorted(public_paths(after).items(), key=lambda item: item[1]):
        symbol = old.symbol(path)
        if symbol is None:
            continue
        blocks = (rust_examples.blocks(one.doc) for one in (symbol, new.symbols[target]))
        for one, other in zip_longest(*blocks, fillvalue=""):
            if not one or not other or _squeezed(one) == _squeezed(other) or (one, other) in seen:
                continue
            seen.add((one, other))
            told = rust_examples.told(one), rust_examples.told(other)
            bad = next((why for why in told if isinstance(why, str)), "")
            if bad:
                left_out[f"migrate: {bad}"] += 1
            elif _UNSTEADY.search(one + other):
                left_out["migrate: its example may give something else next time"] += 1
            elif not isinstance(told[0], str) and not isinstance(told[1], str):
                yield _Pair(path, told[0], told[1])


def _squeezed(code: str) -> str:
    return re.sub(r"//[^\n]*|[\s,;]+", "", code)


def _changed_names(before: Surface, after: Surface) -> dict[str, tuple[str, ChangeKind]]:
    """Last names of what changed, with the whole path and how: the telling kinds win."""
    found: dict[str, tuple[str, ChangeKind]] = {}
    for change in compare(before, after):
        if change.kind in _BREAKING:
            found.setdefault(change.path.rpartition(".")[2], (change.path, change.kind))
    return found


def _migration(
    pair: _Pair,
    window: Window,
    changes: Mapping[str, tuple[str, ChangeKind]],
    days: Days,
    *,
    forward: bool,
) -> Task:
    library = window.package.removeprefix(CRATE)
    there, here = (window.old, window.new) if forward else (window.new, window.old)
    given, wanted = (pair.old, pair.new) if forward else (pair.new, pair.old)
    starter, reference = rust_examples.program(given), rust_examples.program(wanted)
    symbol, kind = _at_stake(pair, changes)
    task = Task(
        id=_id(window, LiveFamily.MIGRATE, starter + reference),
        suite=SUITE,
        kind=TaskKind.MIGRATE,
        language="rust",
        environment=environment_of(library, here),
        title=f"{library} {there} to {here}",
        problem=(
            f"This function works with {library} {there}. Change it so that it works with "
            f"{library} {here}, and gives the same as before. Answer with the whole function "
            f"`{rust_examples.FUNCTION}`."
        ),
        starter=starter,
        reference=reference,
        tests=(Tests(Split.HIDDEN, TestStyle.RUST, rust_examples.tests(wanted)),),
        facts=Facts(
            library=library,
            version=here,
            release_date=days.get(here),
            change=kind,
            symbol=control.written(symbol),
            changed_in=window.new,
            direction="old-to-new" if forward else "new-to-old",
            source="documentation",
            scenario="realistic",
            from_version=there,
            from_date=days.get(there),
            tags=(SUITE, LiveFamily.MIGRATE.value),
        ),
        wrong=WrongAnswer(
            starter, environment_of(library, there), f"as the documentation of {there} has it"
        ),
    )
    return _told(task, window, LiveFamily.MIGRATE)


def _at_stake(
    pair: _Pair, changes: Mapping[str, tuple[str, ChangeKind]]
) -> tuple[str, ChangeKind | None]:
    """What changed of the names that only one of the two programs has; else whose example it is."""
    old, new = (set(_WORD.findall("\n".join(one.lines))) for one in (pair.old, pair.new))
    for name in (*sorted(old - new), *sorted(new - old), pair.path.rpartition(".")[2]):
        if name in changes:
            return changes[name]
    return pair.path, None


# --- proofs


def trials(task: Task, tasks: Sequence[Task]) -> list[ProofTrial]:
    """How a task's programs must end, here and in the other release."""
    tests = task.tests[0]
    here, right = task.environment, task.reference

    def trial(gate: str, code: str) -> ProofTrial:
        return ProofTrial(gate, here, program_for(task, tests, code), fails, right)

    found = [
        ProofTrial(REFERENCE, here, program_for(task, tests, right), _uses, right, decisive=True),
        trial("empty answer passes", _EMPTY),
    ]
    migrates = task.wrong is not None
    echo = program_for(task, tests, task.starter)
    found.append(ProofTrial("what is given passes", here, echo, fails, right, decisive=migrates))
    other = shuffled(task, tasks)
    if other:
        found.append(trial(ANOTHERS, other))
    if task.wrong is not None:
        wrong = program_for(task, tests, task.wrong.code)
        found.append(ProofTrial("fails in its own release", task.wrong.environment, wrong, passes))
    else:
        before = _before(task)
        program = program_for(task, tests, right)
        found.append(ProofTrial(_EARLIER, before, program, fails, decisive=True))
    return found


def _uses(judgement: Judgement) -> str:
    return passes(judgement) or ("it uses another of that name" if judgement.uses is False else "")


def _before(task: Task) -> Environment:
    assert task.facts.from_version is not None  # noqa: S101  (every task here has it)
    library = task.facts.library
    return environment_of(library, task.facts.from_version)
