"""VersiCode's pipelines: descriptions of snippets to complete, pairs to edit, tasks to run.

The paper takes code that uses a library at a known version (from the library's own sources and
documentation, from applications, from Stack Overflow), has a model describe what each snippet does,
and masks a token, a line or a block. Pairs of snippets of one functionality at two versions are
editing tasks. Some snippets were rewritten as functions with tests of what is returned, of which
type, which exceptions are raised and what is called. All of it is run here at its release.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from libdrift.build import masking
from libdrift.build.excerpts import Level
from libdrift.build.recipes.executing import told_of_run
from libdrift.build.recipes.gates import BINDING
from libdrift.build.recipes.libevolutioneval import binding
from libdrift.build.recipes.options import EXECUTABLE, RecipeOptions
from libdrift.build.recipes.places import BEFORE, kept_place
from libdrift.build.recipes.python_tests import plain_script, script_holds
from libdrift.build.recipes.replies import json_object, last_function, names_word, trouble_of
from libdrift.build.recipes.snippets import DOWNSTREAM, Snippet
from libdrift.build.recipes.steps import (
    MadeTasks,
    Part,
    RecipeStart,
    RejectedProduct,
    ReplyFault,
    ScriptRequest,
    Steps,
    repaired,
)
from libdrift.execution.outputs import ScriptRun
from libdrift.languages.python.usage import bound, parsed
from libdrift.records import (
    Environment,
    Facts,
    Gap,
    Split,
    Task,
    TaskKind,
    Tests,
    TestStyle,
)
from libdrift.suites.versicode.unit_tests import looked_at

_FEWEST = 5  # words of a description
TEST_KINDS = ("value", "type", "exception", "call")
_NEEDED = ("value", "type")

_DESCRIBE = """\
This code is for {package} {version}:
```python
{code}```

Describe in one to three sentences what it does, so that a developer could write it from your \
words: what goes in, what is done, what comes out. Say nothing of how it is written, and do not \
use the word `{token}`.

Reply with a JSON object {{"description": "…"}}."""

_REFACTOR = """\
This code is for {package} {version}:
```python
{code}```

Make it into a task that can be run: a function that takes its data as arguments, calls \
`{symbol}` as the code does, and returns a result that can be compared. Use no network, files, \
clock or randomness. Reply with a JSON object with three texts:
"description": what the function takes and returns, without the word `{token}`;
"starter": the imports and the signature of the function, without the word `{token}`;
"solution": the whole program, which begins with the starter."""

_TESTS = """\
This function is for {package} {version}:
```python
{code}```

Write four tests of it, each as plain assert statements that run in its namespace, without pytest:
"value": what it returns for some arguments;
"type": of which type the result is (isinstance);
"exception": which exception wrong arguments raise (try, except, else raise AssertionError);
"call": that it calls what it should (unittest.mock), and how.
Reply with a JSON object with these four texts. Where "exception" or "call" makes no sense for \
this function, give an empty text for it."""


@dataclass(frozen=True, slots=True)
class _Work:
    snippet: Snippet
    place: Environment
    options: RecipeOptions
    before: Environment | None = None  # of a release that has not the API

    def words(self, **more: str) -> dict[str, str]:
        of = self.snippet
        return {
            "package": of.package,
            "version": of.version,
            "code": of.code,
            "token": of.token,
            "symbol": of.symbol,
            **more,
        }


def starts(
    snippets: Sequence[Snippet],
    places: Mapping[str, Environment],
    options: RecipeOptions,
    lacking: Mapping[str, Environment],
) -> list[RecipeStart]:
    """Tasks of each snippet; ``lacking`` has, by symbol, where there is no such API."""
    make = _executable if options.form == EXECUTABLE else _completion
    found = []
    for one in snippets:
        place = places.get(one.version)
        if place is not None:
            work = _Work(one, place, options, lacking.get(one.symbol))
            found.append(RecipeStart(one.id, partial(make, work), one.symbol))
    return found


# --- completion


def _completion(work: _Work) -> Steps:
    of = work.snippet
    code, script = of.code, binding(of.symbol, "")
    if of.source != DOWNSTREAM:
        found = yield from _running(of.code, of.symbol, of.version, work.place)
        if isinstance(found, RejectedProduct):
            return found
        code = script = found
    snippet = replace(of, code=code, line=of.line + code.count("\n") - of.code.count("\n"))
    text = yield from _described(work.words(code=code), work.options.attempts)
    if isinstance(text, RejectedProduct):
        return text
    tasks = tuple(_cut(replace(work, snippet=snippet), text, script))
    return MadeTasks(tasks) if tasks else RejectedProduct("masking", "nothing could be masked")


def _running(
    code: str, symbol: str, version: str, place: Environment
) -> Part[str | RejectedProduct]:
    """An example with the imports that it runs with at its release."""
    why = ""
    for whole in with_imports(code, symbol):
        run = ScriptRun(place, whole, twice=False)
        seen = (yield ScriptRequest("example", (run,)))[run]
        if seen.runs:
            return whole
        why = why or told_of_run(seen).splitlines()[0]
    return RejectedProduct("example", f"does not run at {version}: {why}")


def with_imports(code: str, symbol: str) -> list[str]:
    """An example with the imports that documentation takes for granted, in ways to be tried.

    A name that is used bare is brought by a star first: the import would tell it otherwise.
    """
    tree = parsed(code)
    if tree is None:
        return [code]
    owned = bound(tree.body) | {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - owned
    parent, _, last = symbol.rpartition(".")
    root = symbol.partition(".")[0]
    if root in read:
        return [f"import {root}\n{code}"]
    if last in read and parent:
        return [f"from {parent} import {name}\n{code}" for name in ("*", last)]
    return [code]


def _described(words: dict[str, str], attempts: int) -> Part[str | RejectedProduct]:
    prompt = _DESCRIBE.format(**words)
    return (
        yield from repaired(
            "description", prompt, partial(_description, words["token"]), attempts=attempts
        )
    )


def _description(token: str, reply: str) -> str | ReplyFault:
    told = json_object(reply, ("description",))
    if isinstance(told, ReplyFault):
        return told
    text = " ".join(told["description"].split())
    if names_word(text, token):
        return ReplyFault(f"the description names {token}")
    if len(text.split()) < _FEWEST:
        return ReplyFault(f"the description has {len(text.split())} words: say what the code does")
    return text


def _cut(work: _Work, text: str, script: str) -> Iterator[Task]:
    of = work.snippet
    lines = of.code.split("\n")
    line = lines[of.line - 1].strip()
    for level in work.options.levels:
        cut = _masked(of, level)
        if cut is None or names_word(cut.code.replace(cut.mask, ""), of.token):
            continue  # the name stands elsewhere in the code as well
        whole = level is Level.BLOCK
        yield Task(
            id=f"{of.id}:{level}",
            suite=work.options.suite,
            kind=TaskKind.COMPLETE,
            language="python",
            environment=work.place,
            title=f"{of.package} {of.version} · {of.id}",
            problem=text,
            starter=cut.code,
            reference=of.code if whole else cut.answer,
            tests=(),
            facts=_facts(of, granularity=level.value, scenario="realistic"),
            gap=Gap(token=of.token, line=line, mask="" if whole else cut.mask),
            source=_source(of, {BINDING: script}),
        )


def _masked(of: Snippet, level: Level) -> masking.Masked | None:
    if any(mask in of.code for mask in masking.MASKS):
        return None
    if level is Level.TOKEN:
        return masking.token_mask(of.code, of.token)
    if level is Level.LINE:
        return masking.line_mask(of.code, of.line)
    tree = parsed(of.code)
    body = (
        [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
        if (tree)
        else []
    )
    if level is not Level.BLOCK or not body:
        return None
    return masking.block_mask(of.code, body[0].lineno, body[-1].end_lineno or body[-1].lineno)


def _facts(of: Snippet, **more: Any) -> Facts:  # noqa: ANN401  (of whichever fact)
    return replace(
        Facts(
            library=of.package,
            version=of.version,
            release_date=of.date,
            symbol=of.symbol,
            source=of.source,
        ),
        **more,
    )


def _source(of: Snippet, more: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType({"recipe": "versicode", **of.facts, **more})


# --- tasks to run


def _executable(work: _Work) -> Steps:
    attempts = work.options.attempts
    task = yield from repaired(
        "refactoring",
        _REFACTOR.format(**work.words()),
        partial(_refactored, work),
        attempts=attempts,
    )
    if isinstance(task, RejectedProduct):
        return task
    kinds = yield from repaired(
        "tests",
        _TESTS.format(**work.words(code=task.reference)),
        _read_tests,
        partial(_kinds_hold, task),
        attempts=attempts,
    )
    if isinstance(kinds, RejectedProduct):
        return kinds
    code = "\n".join(kinds.values())
    facts = replace(task.facts, test_type="+".join(sorted(kinds)))
    tests = (Tests(Split.HIDDEN, TestStyle.SCRIPT, code),)
    return MadeTasks((replace(task, tests=tests, facts=facts),))


def _refactored(work: _Work, reply: str) -> Task | ReplyFault:
    told = json_object(reply, ("description", "starter", "solution"))
    if isinstance(told, ReplyFault):
        return told
    of = work.snippet
    for name in ("description", "starter"):
        if names_word(told[name], of.token):
            return ReplyFault(f"the {name} names {of.token}")
    fault = trouble_of(told["solution"])
    if fault:
        return fault
    function = last_function(told["solution"])
    if function is None:
        return ReplyFault("the solution has no function at its top level")
    if not names_word(told["starter"], function.name):
        return ReplyFault(f"the starter does not have the signature of {function.name}")
    if not names_word(told["solution"], of.token):
        return ReplyFault(f"the solution does not use {of.token}")
    kept = {BEFORE: kept_place(work.before)} if work.before else {}
    return Task(
        id=f"{of.id}:executable",
        suite=work.options.suite,
        kind=TaskKind.GENERATE,
        language="python",
        environment=work.place,
        title=f"{of.package} {of.version} · {of.id}",
        problem=told["description"].strip(),
        starter=f"{told['starter'].rstrip()}\n",
        reference=f"{told['solution'].strip()}\n",
        tests=(),
        facts=_facts(of, scenario="realistic"),
        source=_source(of, kept),
    )


def _read_tests(reply: str) -> dict[str, str] | ReplyFault:
    """The tests of each kind, those without a text left out."""
    told = json_object(reply, _NEEDED)
    if isinstance(told, ReplyFault):
        return told
    found = {}
    for kind in TEST_KINDS:
        text = told.get(kind)
        if not isinstance(text, str) or not text.strip():
            continue
        fault = trouble_of(text)
        code = fault or plain_script(f"{text.strip()}\n")
        if isinstance(code, ReplyFault):
            return ReplyFault(f"{kind}: {code.reason}")
        found[kind] = code
    return found


def _kinds_hold(task: Task, kinds: dict[str, str]) -> Part[str]:
    for kind, code in kinds.items():
        if kind not in (looked_at(code) or "") and kind != "exception":
            return f'the test "{kind}" does not look at that'
    return (yield from script_holds(task, "\n".join(kinds.values())))


# --- pairs


def migration_starts(
    pairs: Sequence[Task], places: Mapping[str, Environment], options: RecipeOptions
) -> list[RecipeStart]:
    """Descriptions for the pairs of ``build migration``, each side run at its own release."""
    return [
        RecipeStart(pair.id, partial(_pair, pair, places, options), pair.facts.symbol or "")
        for pair in pairs
    ]


def _pair(pair: Task, places: Mapping[str, Environment], options: RecipeOptions) -> Steps:
    facts = pair.facts
    token = pair.gap.token if pair.gap else ""
    sides = {facts.from_version or "": pair.starter, facts.version: pair.reference}
    codes: dict[str, str] = {}
    for version, code in sides.items():
        found = yield from _running(code, facts.symbol or "", version, places[version])
        if isinstance(found, RejectedProduct):
            return found
        codes[version] = found
    words = {
        "package": facts.library,
        "version": facts.version,
        "code": pair.reference,
        "token": token,
    }
    text = yield from _described(words, options.attempts)
    if isinstance(text, RejectedProduct):
        return text
    source = MappingProxyType({"recipe": "versicode", BINDING: codes[facts.version]})
    made = replace(
        pair,
        suite=options.suite,
        problem=text,
        environment=places[facts.version],
        source=source,
    )
    return MadeTasks((made,))
