"""RustEvo²'s pipeline: an API's change, its uses, a query, a solution, tests, more tests, a judge.

The paper has a model write, from an API's documentation and from code of crates that use it, a
query that needs the API without naming it, a solution, and tests; tests are added until they
cover the solution, and a judge decides whether the query is any good. What fails is written again.
Here the solution must compile with the API's release and really call it, its tests must fail on
functions without bodies, and of what a release introduced the release before must not do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from libdrift.build.control import written
from libdrift.build.recipes.changed import ChangedApi, ChangesBetween
from libdrift.build.recipes.executing import job_of, passed, told
from libdrift.build.recipes.options import RecipeOptions
from libdrift.build.recipes.places import place_before
from libdrift.build.recipes.reached import reached
from libdrift.build.recipes.replies import json_object, names_word, rust_code
from libdrift.build.recipes.rust_usages import CrateUse
from libdrift.build.recipes.rustevo_judge import objection
from libdrift.build.recipes.steps import (
    JudgeRequest,
    MadeTasks,
    Part,
    RecipeStart,
    RejectedProduct,
    ReplyFault,
    Steps,
    again,
    repaired,
    shortened,
)
from libdrift.records import (
    ChangeKind,
    Environment,
    Facts,
    Split,
    SymbolKind,
    Task,
    TaskKind,
    Tests,
    TestStyle,
)
from libdrift.suites.rustevo.audit import stub

RUST, CRATE = "rust", "crate:"
_TOOLCHAIN = "1.84.0"  # for crates, as the paper has it
_USES = 2  # of crates, that a model is shown
CATEGORIES = {
    ChangeKind.INTRODUCED: "stabilized",
    ChangeKind.SIGNATURE: "signature",
    ChangeKind.BEHAVIOUR: "implicit",
    ChangeKind.DEPRECATED: "deprecated",
}
KINDS = frozenset(CATEGORIES)

_QUERY = """\
This API of {library} {version} is new, or changed since {old}: {change}

{doc}
{uses}
Write a programming task whose natural solution calls this API in its form of {version}. Tell of \
a realistic situation and of what the function must do; its solution must not compile with {old}, \
where the API is not there or another. Do not use the word `{last}`, and do not \
quote the documentation.

Reply with a JSON object with two texts:
"query": the task, in two to four sentences;
"signature": the signature of one public function, such as "pub fn total(values: &[u32]) -> u32"."""

_SOLUTION = """\
Task: {query}
Signature: {signature}

Solve it for {library} {version} with this API:
{doc}

Reply with one block of Rust code: the function with exactly this signature and the `use` lines \
that it needs, without tests and without main."""

_TESTS = """\
Task: {query}

Solution:
```rust
{code}```

Write a test module for it: `#[cfg(test)] mod tests {{ use super::*; … }}` with several #[test] \
functions that try ordinary values, borders and what is unusual. Results must be the same in every \
run. Reply with one block of Rust code: the module alone."""

_MORE = """\
Solution:
```rust
{code}```

Its tests:
```rust
{tests}```

No test reaches these lines: {lines}. Add tests that do. Reply with one block of Rust code: the \
whole test module, with the tests that are there and the new ones."""


@dataclass(frozen=True, slots=True)
class _Work:
    id: str
    api: ChangedApi
    path: str  # as Rust writes it
    changes: ChangesBetween
    place: Environment
    options: RecipeOptions
    find_uses: Callable[[str], Sequence[CrateUse]]

    @property
    def library(self) -> str:
        package = self.changes.new.package
        return "std" if package == RUST else package.removeprefix(CRATE)

    @property
    def last(self) -> str:
        return self.path.rpartition("::")[2]

    def words(self, **more: str) -> dict[str, str]:
        return {
            "library": self.library,
            "version": self.changes.new.version,
            "old": self.changes.old.version,
            "change": self.api.sentence,
            "doc": self.api.told(newer=True),
            "last": self.last,
            "path": self.path,
            **more,
        }


def starts(
    changes: ChangesBetween,
    options: RecipeOptions,
    find_uses: Callable[[str], Sequence[CrateUse]] = lambda _: (),
) -> list[RecipeStart]:
    """One task for each change of something that is called."""
    found = []
    for api in changes.apis:
        if not api.new_path or api.new is None or api.new.kind is SymbolKind.CLASS:
            continue
        if api.kind is ChangeKind.DEPRECATED and api.new_path == api.old_path:
            continue  # nothing takes its place
        release = changes.new
        work = _Work(
            f"{release.package.replace(':', '-')}-{release.version}-{api.id}",
            api,
            written(api.new_path),
            changes,
            rust_place(release.package, release.version),
            options,
            find_uses,
        )
        found.append(RecipeStart(work.id, partial(_steps, work), work.path))
    return found


def rust_place(package: str, version: str) -> Environment:
    if package == RUST:
        return Environment("rust", version, ())
    return Environment("rust", _TOOLCHAIN, (f"{package.removeprefix(CRATE)}={version}",))


def _steps(work: _Work) -> Steps:
    uses = yield from _compiling_uses(work)
    asked = yield from _good_query(work, uses)
    if isinstance(asked, RejectedProduct):
        return asked
    query, signature = asked
    words = work.words(query=query, signature=signature)
    base = _task(work, query, signature)
    task = yield from repaired(
        "solution",
        _SOLUTION.format(**words),
        partial(_solution, base, signature),
        _compiles,
        attempts=work.options.attempts,
    )
    if isinstance(task, RejectedProduct):
        return task
    prompt = _TESTS.format(**{**words, "code": task.reference})
    tests = yield from repaired(
        "tests", prompt, _tests, partial(_tests_hold, task), attempts=work.options.attempts
    )
    if isinstance(tests, RejectedProduct):
        return tests
    covered = yield from _augmented(work, task, tests)
    return covered if isinstance(covered, RejectedProduct) else MadeTasks((covered,))


# --- uses


def _compiling_uses(work: _Work) -> Part[list[str]]:
    """What crates write with the API: whole functions that compile first, else their lines."""
    found = list(work.find_uses(work.path))
    alone = [use for use in found if use.function]
    good: list[str] = []
    if alone:
        task = _task(work, "", "")
        nothing = Tests(Split.HIDDEN, TestStyle.RUST, _ONE_TEST)
        jobs = tuple(
            job_of((work.id, str(number)), task, nothing, f"{use.function}\n")
            for number, use in enumerate(alone)
        )
        judged = yield JudgeRequest("uses", jobs)
        good = [
            use.function
            for number, use in enumerate(alone)
            if passed(judged.get((work.id, str(number))))
        ]
    return [*good, *(use.context for use in found if use.function not in good)][:_USES]


_ONE_TEST = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn compiles() {}\n}\n"


# --- the query


def _good_query(work: _Work, uses: Sequence[str]) -> Part[tuple[str, str] | RejectedProduct]:
    """A query that the judge lets pass; written again with what was wrong until then."""
    shown = "".join(f"\nCode of a crate that uses it:\n{shortened(code)}\n" for code in uses)
    prompt = _QUERY.format(**work.words(uses=shown))
    asked, why = prompt, ""
    for round_ in range(work.options.attempts + 1):
        stage = "query" if not round_ else f"query, written again {round_}"
        found = yield from repaired(
            stage, asked, partial(_query, work), attempts=work.options.attempts
        )
        if isinstance(found, RejectedProduct) or not work.options.judged:
            return found
        why = yield from objection(work.words(query=found[0], signature=found[1]), round_)
        if not why:
            return found
        asked = f"{prompt}\n\n{again(' / '.join(found), why)}"
    return RejectedProduct("judge", why)


def _query(work: _Work, reply: str) -> tuple[str, str] | ReplyFault:
    told_in = json_object(reply, ("query", "signature"))
    if isinstance(told_in, ReplyFault):
        return told_in
    query = told_in["query"].strip()
    signature = told_in["signature"].strip().rstrip("{; ").strip()
    for name, text in (("query", query), ("signature", signature)):
        if names_word(text, work.last):
            return ReplyFault(f"the {name} names {work.last}")
    if not re.search(r"\bfn\s+\w+", signature):
        return ReplyFault("the signature is not that of a function: pub fn …")
    return query, signature


# --- solution and tests


def _solution(base: Task, signature: str, reply: str) -> Task | ReplyFault:
    code = rust_code(reply)
    if isinstance(code, ReplyFault):
        return code
    name = re.search(r"\bfn\s+(\w+)", signature)
    if name is None or not re.search(rf"\bfn\s+{name[1]}\b", code):
        return ReplyFault("the code does not have the function that was asked for")
    return replace(base, reference=code)


def _compiles(task: Task) -> Part[str]:
    nothing = Tests(Split.HIDDEN, TestStyle.RUST, _ONE_TEST)
    jobs = [job_of((task.id, "solution"), task, nothing, task.reference)]
    earlier = place_before(task)
    if earlier is not None:
        jobs.append(job_of((task.id, "before"), task, nothing, task.reference, earlier))
    judged = yield JudgeRequest("solution", tuple(jobs))
    found = judged[task.id, "solution"]
    if not passed(found):
        return f"it does not compile: {told(found)}"
    if found.uses is False:
        return f"it does not call {task.facts.symbol}"
    if passed(judged.get((task.id, "before"))):
        return f"it compiles with {task.facts.from_version} too: use what is new of the API"
    return ""


def _tests(reply: str) -> str | ReplyFault:
    code = rust_code(reply)
    if isinstance(code, ReplyFault):
        return code
    if "#[test]" not in code or not re.search(r"\bassert", code):
        return ReplyFault("the code has no #[test] function that asserts something")
    return code


def _tests_hold(task: Task, code: str) -> Part[str]:
    tests = Tests(Split.HIDDEN, TestStyle.RUST, code)
    jobs = (
        job_of((task.id, "reference"), task, tests, task.reference),
        job_of((task.id, "stub"), task, tests, stub(task.reference)),
    )
    found = yield JudgeRequest("tests", jobs)
    reference = found[task.id, "reference"]
    if not passed(reference):
        return f"the solution does not pass these tests: {told(reference)}"
    if passed(found[task.id, "stub"]):
        return "a function without a body passes these tests"
    return ""


def _augmented(work: _Work, task: Task, code: str) -> Part[Task | RejectedProduct]:
    """The task with tests that reach enough of its reference; more are asked for until they do."""
    tests = Tests(Split.HIDDEN, TestStyle.RUST, code)
    for attempt in range(work.options.attempts + 1):
        seen = yield from reached(task, tests)
        if seen.share >= work.options.coverage:
            kept = {**task.source, "coverage": round(seen.share, 3)}
            return replace(task, tests=(tests,), source=MappingProxyType(kept))
        if attempt == work.options.attempts:
            break
        lines = ", ".join(f"{one.line}–{one.end_line}" for one in seen.missed)
        prompt = _MORE.format(code=task.reference, tests=tests.code, lines=lines)
        more = yield from repaired(
            f"more tests {attempt + 1}",
            prompt,
            _tests,
            partial(_tests_hold, task),
            attempts=work.options.attempts,
        )
        if isinstance(more, RejectedProduct):
            return more
        tests = replace(tests, code=more)
    return RejectedProduct("coverage", f"tests reach {seen.share:.0%} of the solution's blocks")


def _task(work: _Work, query: str, signature: str) -> Task:
    api, new, old = work.api, work.changes.new, work.changes.old
    return Task(
        id=work.id,
        suite=work.options.suite,
        kind=TaskKind.GENERATE,
        language="rust",
        environment=work.place,
        title=f"{work.library} {new.version} · {work.id}",
        problem=query,
        starter=f"{signature} {{\n    // …\n}}\n" if signature else "",
        reference="",
        tests=(),
        facts=Facts(
            library=work.library,
            version=new.version,
            release_date=new.date,
            change=api.kind,
            symbol=work.path,
            changed_in=new.version,
            category=CATEGORIES.get(api.kind),
            api_calls=(work.path,),
            source="generated",
            from_version=old.version,
            from_date=old.date,
        ),
        source=MappingProxyType(
            {
                "recipe": "rustevo",
                "api": {
                    "name": work.last,
                    "signature": f"{work.path}{api.new.signature or ''}" if api.new else work.path,
                    "documentation": api.told(newer=True),
                },
            }
        ),
    )
