"""CODEMENV's pipeline: changes, a program that depends on them, inputs, both releases, labels.

The paper has a model write a program around functions that changed (one, or several for the hard
ones), then three test inputs, runs it, and lets the model mend it by the error up to three times.
Here the program must run at the release that it is written for and not do the same at the other,
each label must be gone there, and a migrated program must print what the original printed.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from functools import partial

from libdrift.build.recipes.changed import GONE, ChangesBetween
from libdrift.build.recipes.codemenv_tasks import INPUTS, MigrationTrial, MigrationWork, tasks_of
from libdrift.build.recipes.executing import told_of_run
from libdrift.build.recipes.options import HARD, RecipeOptions
from libdrift.build.recipes.places import ReleasePlaces
from libdrift.build.recipes.replies import json_object, last_function, python_code, trouble_of
from libdrift.build.recipes.steps import (
    MadeTasks,
    ModelRequest,
    Part,
    RecipeStart,
    RejectedProduct,
    ReplyFault,
    ScriptRequest,
    Steps,
    repaired,
)
from libdrift.execution.outputs import Observed, ScriptRun, same_output, unfit
from libdrift.execution.substitution import Unfit, put
from libdrift.languages.python.usage import mentions
from libdrift.records import (
    ChangeKind,
)

KINDS = frozenset({*GONE, ChangeKind.INTRODUCED})

_PROGRAM = """\
Library: {package}. The code is written for version {origin}, where it must run. It must not run \
unchanged with version {target}, because of these changes and nothing else:
{changes}

What version {origin} says of each API:
{docs}

Write one Python function, with the imports that it needs above it, which does something useful \
and calls every one of these APIs: {names}. It takes plain arguments (numbers, texts, lists, \
dictionaries), returns a value that prints the same in every run, and uses no other API of the \
library that changed between the two versions, no network, no files, no clock and no randomness. \
It catches no exceptions.

Reply with one block of Python code: the imports and the function."""

_TESTS = """\
Here is a function:
```python
{code}```

Write {count} inputs for it that differ in what they try. Reply with a JSON object \
{{"inputs": ["…", "…", "…"]}}, where each text is what stands between the parentheses of a call of \
`{name}`, such as "[1, 2], 3"."""

_REPAIR = """\
This function was written for {package} {origin}:
```python
{code}```
It is called with these inputs: {inputs}

The trouble: {why}

Mend it. It must still call {names}, run with {package} {origin}, and not do the same with \
{package} {target}. Reply with a JSON object {{"code": "…", "inputs": ["…", "…", "…"]}}: the whole \
code, and {count} argument lists."""

_MIGRATE = """\
This function works with {package} {origin}:
```python
{code}```
With {package} {target} it does not work, because of these changes:
{changes}

What version {target} has:
{docs}

Change it so that it works with {package} {target} and returns exactly the same. Keep its name and \
parameters. Reply with one block of Python code: the imports and the function."""


def starts(
    changes: ChangesBetween, places: ReleasePlaces, options: RecipeOptions
) -> list[RecipeStart]:
    """One program for each change, or for several together."""
    backward = options.backward
    fit = [
        api
        for api in changes.apis
        # What is to be gone in one release must be there in the other, under that path.
        if (api.new_path if backward else api.old_path)
        and (api.kind is ChangeKind.INTRODUCED) is backward
    ]
    size = options.calls if options.difficulty == HARD else 1
    groups = [tuple(fit[at : at + size]) for at in range(0, len(fit) - size + 1, size)]
    found = []
    for group in groups:
        name = "-".join(api.id for api in group)
        work = MigrationWork(
            f"{places.package}-{changes.old.version}-{changes.new.version}-{name}",
            group,
            places,
            options,
            changes.gone,
        )
        found.append(RecipeStart(work.id, partial(_steps, work), ", ".join(work.names)))
    return found


def _steps(work: MigrationWork) -> Steps:
    trouble = yield from _labels_hold(work)
    if trouble:
        return RejectedProduct("labels", trouble)
    prompt = _PROGRAM.format(**work.words())
    code = yield from repaired(
        "program", prompt, partial(_program, work), attempts=work.options.attempts
    )
    if isinstance(code, RejectedProduct):
        return code
    trial = yield from _inputs(work, code)
    if isinstance(trial, RejectedProduct):
        return trial
    run = yield from _run_in_both(work, trial)
    if isinstance(run, RejectedProduct):
        return run
    trial, printed = run
    moved = yield from _migrated(work, trial, printed)
    if isinstance(moved, RejectedProduct):
        return moved
    return MadeTasks(tuple(tasks_of(work, trial, printed, moved)))


# --- labels


def _resolver(paths: Sequence[str]) -> str:
    """A script that prints which paths a release has."""
    return f"""\
import importlib

for path in {list(paths)!r}:
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        try:
            for name in parts[length:]:
                found = getattr(found, name)
            print(path)
        except AttributeError:
            pass
        break
"""


def _labels_hold(work: MigrationWork) -> Part[str]:
    """Whether each API is really there in one release and gone in the other, by running."""
    script = _resolver(work.names)
    runs = tuple(ScriptRun(place, script, twice=False) for _, place in (work.origin, work.target))
    seen = yield ScriptRequest("labels", runs)
    here, there = (_lines(seen[run]) for run in runs)
    for name in work.names:
        if name not in here:
            return f"{name} is not in {work.origin[0]}, whatever its sources say"
        if name in there:
            return f"{name} is in {work.target[0]} too"
    return ""


def _lines(seen: Observed) -> set[str]:
    return set(seen.ended.stdout.splitlines())


# --- the program and its inputs


def _program(work: MigrationWork, reply: str) -> str | ReplyFault:
    code = python_code(reply)
    return code if isinstance(code, ReplyFault) else _program_trouble(work, code) or code


def _program_trouble(work: MigrationWork, code: str) -> ReplyFault | None:
    if last_function(code) is None:
        return ReplyFault("the code has no function at its top level")
    told = mentions(code)
    used = {*told.used, *told.aliases.values()}
    members = {path.rpartition(".")[2] for path in told.used} | set(told.members)
    for name in work.names:
        if name not in used and name.rpartition(".")[2] not in members:
            return ReplyFault(f"the code does not use {name}")
    others = sorted((used & work.gone) - set(work.names))
    if others:
        return ReplyFault(f"the code also uses {others[0]}, which changed as well: leave it out")
    return None


def _inputs(work: MigrationWork, code: str) -> Part[MigrationTrial | RejectedProduct]:
    name = MigrationTrial(code, ()).name
    prompt = _TESTS.format(code=code, name=name, count=INPUTS)
    found = yield from repaired("inputs", prompt, _read_inputs, attempts=work.options.attempts)
    return found if isinstance(found, RejectedProduct) else MigrationTrial(code, found)


def _read_inputs(reply: str) -> tuple[str, ...] | ReplyFault:
    told = json_object(reply, (), ("inputs",))
    return told if isinstance(told, ReplyFault) else _checked_inputs(told["inputs"])


def _checked_inputs(found: Sequence[str]) -> tuple[str, ...] | ReplyFault:
    if len(found) != INPUTS:
        return ReplyFault(f"{len(found)} inputs, and not {INPUTS}")
    for one in found:
        try:
            call = ast.parse(f"call({one})", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ReplyFault(f"{one!r} is not what stands between the parentheses of a call")
        if isinstance(call, ast.Call) and call.keywords:
            return ReplyFault(f"{one!r}: give all arguments by their places, not by name")
        if not isinstance(call, ast.Call) or not call.args:
            return ReplyFault(f"{one!r} is not a list of arguments")
    return tuple(found)


def _run_in_both(
    work: MigrationWork, trial: MigrationTrial
) -> Part[tuple[MigrationTrial, str] | RejectedProduct]:
    """The program that runs in one release and not in the other, mended by its errors."""
    why = ""
    for attempt in range(work.options.attempts + 1):
        if attempt:
            words = {"code": trial.code, "inputs": json.dumps(trial.inputs), "why": why}
            prompt = _REPAIR.format(**work.words(**words))
            reply = yield ModelRequest("repair", prompt, attempt, why)
            mended = _mended(work, reply)
            if isinstance(mended, ReplyFault):
                why = mended.reason
                continue
            trial = mended
        runs = tuple(ScriptRun(place, trial.script) for _, place in (work.origin, work.target))
        seen = yield ScriptRequest("both releases", runs)
        here, there = (seen[run] for run in runs)
        why = _both_trouble(work, trial, here, there)
        if not why:
            return trial, here.ended.stdout
    return RejectedProduct("both releases", why)


def _mended(work: MigrationWork, reply: str) -> MigrationTrial | ReplyFault:
    told = json_object(reply, ("code",), ("inputs",))
    if isinstance(told, ReplyFault):
        return told
    inputs = _checked_inputs(told["inputs"])
    if isinstance(inputs, ReplyFault):
        return inputs
    code = f"{told['code'].strip()}\n"
    trouble = trouble_of(code) or _program_trouble(work, code)
    return trouble or MigrationTrial(code, inputs)


def _both_trouble(
    work: MigrationWork, trial: MigrationTrial, here: Observed, there: Observed
) -> str:
    where = work.origin[0]
    if not here.runs:
        return f"it does not run with {where}: {told_of_run(here)}"
    trouble = unfit(here, trial.script)
    if trouble:
        return f"with {where}: {trouble}"
    if there.runs and same_output(here.ended.stdout, there.ended.stdout):
        return f"it does the same with {work.target[0]}"
    return ""


# --- the migrated program


def _migrated(
    work: MigrationWork, trial: MigrationTrial, printed: str
) -> Part[str | RejectedProduct]:
    newer = not work.options.backward
    docs = "\n\n".join(api.told(newer=newer) for api in work.apis)
    prompt = _MIGRATE.format(**work.words(code=trial.code, docs=docs))

    def check(code: str) -> Part[str]:
        try:
            script = put(code, trial.script)
        except Unfit as error:
            return str(error)
        run = ScriptRun(work.target[1], script)
        seen = (yield ScriptRequest("migrated", (run,)))[run]
        if not seen.runs:
            return f"it does not run with {work.target[0]}: {told_of_run(seen)}"
        if not same_output(seen.ended.stdout, printed):
            return f"it prints\n{seen.ended.stdout}\nand must print\n{printed}"
        return ""

    return (
        yield from repaired("migrate", prompt, python_code, check, attempts=work.options.attempts)
    )
