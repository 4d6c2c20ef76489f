"""RustEvo²'s recipe, with a judge that reads programs as a compiler would."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.build.recipes import rustevo
from libdrift.build.recipes.changed import changes_between
from libdrift.build.recipes.options import RecipeOptions
from libdrift.build.recipes.rust_usages import CONTEXT, CrateUse, uses_of
from libdrift.build.recipes.steps import RecipeStart, RejectedProduct
from libdrift.execution import Job
from libdrift.records import Outcome, Release, Surface, Symbol, TestStyle
from libdrift.sandbox import Judgement
from tests.build.recipes.local import driven, made, objections
from tests.history.small import function, klass, stored, surface

QUERY = {
    "query": "A shop may have a limit. Say whether a value is allowed; no limit allows all.",
    "signature": "pub fn allowed(limit: Option<u32>, value: u32) -> bool",
}
YES = {"clear": "yes", "needs the API": "Yes", "gives it away": "no", "fits": "yes", "reason": ""}
CODE = """```rust
pub fn allowed(limit: Option<u32>, value: u32) -> bool {
    if limit.is_none_or(|most| value <= most) { true } else { false }
}
```"""
MODULE = "```rust\n#[cfg(test)]\nmod tests {{\n    use super::*;\n\n    #[test]\n    fn it_is() {{\n        {}\n    }}\n}}\n```"
ONE = MODULE.format("assert!(allowed(None, 1)); // reaches true")
BOTH = MODULE.format("assert!(!allowed(Some(0), 1)); // reaches true, false")
GOOD = {
    "query": [json.dumps(QUERY)],
    "judge": [json.dumps(YES)],
    "solution": [CODE],
    "tests": [BOTH],
}


class Compiler:
    """Passes what a test's comment says it reaches, from 1.82.0 on."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def judge(
        self, jobs: tuple[Job, ...], *, fresh: bool = False
    ) -> Mapping[tuple[str, ...], Judgement]:
        del fresh
        self.jobs += jobs
        return {job.key: self._judged(job) for job in jobs}

    def _judged(self, job: Job) -> Judgement:
        code, tests = job.program.answer, job.program.tests
        passes = Judgement(Outcome.PASSED, "", 0.0, uses="is_none_or" in code)
        fails = Judgement(Outcome.ERROR, "error[E0599]: no method", 0.0)
        if "is_none_or" in code and job.environment.runtime < "1.82":
            return fails
        if "fn compiles" in tests:
            return fails if "broken" in code else passes
        if "fn allowed" not in code or "wrong" in tests:
            return fails
        if "unimplemented" in code or "// …" in code:
            return fails
        if "not reached" in code:
            stopped = code.partition("not reached")[2]
            block = stopped.lstrip('");').lstrip().partition(" ")[0]
            missed = block in {"true", "false"} and block not in tests.partition("reaches")[2]
            return passes if missed else fails
        return passes


def rust(version: str, *symbols: Symbol) -> Surface:
    made_of = surface(version, klass("std.option:Option"), *symbols)
    return replace(made_of, roots=("std",), release=Release("rust", "rust", version))


def releases() -> list[Surface]:
    new = function("std.option:Option.is_none_or", "self", "f", doc="Whether it is none, or fits.")
    return [rust("1.81.0"), rust("1.84.0", new)]


def start(options: RecipeOptions | None = None, *uses: CrateUse) -> RecipeStart:
    with stored(*releases()) as store:
        changes = changes_between(store, "rust", "1.81.0", "1.84.0", rustevo.KINDS)
    options = options or RecipeOptions("rustevo-rust")
    (found,) = rustevo.starts(changes, options, lambda _: uses)
    return found


def test_a_query_a_solution_and_tests() -> None:
    compiler = Compiler()
    result, asked = driven(start().begin(), GOOD, compiler)
    (task,) = made(result)
    assert [one.stage for one in asked] == list(GOOD)
    assert start().about == task.facts.symbol == "std::option::Option::is_none_or"
    assert task.facts.category == "stabilized"
    assert task.source["coverage"] == 1.0
    assert task.tests[0].style is TestStyle.RUST
    assert "is_none_or" not in task.problem + task.starter
    assert objections(task, compiler) is None


@pytest.mark.parametrize(
    ("stage", "fault", "told"),
    [
        ("query", "{", "not a JSON object"),
        ("query", json.dumps({**QUERY, "query": "Use is_none_or."}), "names is_none_or"),
        ("query", json.dumps({**QUERY, "signature": "a function"}), "not that of a function"),
        ("solution", "```rust\npub fn allowed( {\n```", "does not parse"),
        ("solution", CODE.replace("allowed", "permitted"), "does not have the function"),
        ("solution", CODE.replace("if limit", "// broken\n    if limit"), "no method"),
        ("solution", CODE.replace("is_none_or", "map_or"), "does not call std::option"),
        ("tests", "```rust\nfn x() {}\n```", "no #[test] function"),
        ("tests", BOTH.replace("reaches", "wrong, reaches"), "not pass these tests"),
    ],
)
def test_a_fault_goes_back_to_the_model(stage: str, fault: str, told: str) -> None:
    replies = {**GOOD, stage: [fault, GOOD[stage][0]]}
    result, asked = driven(start().begin(), replies, Compiler())
    assert made(result)
    (repair,) = [one for one in asked if one.attempt]
    assert repair.stage == stage
    assert told in repair.prompt


def test_tests_are_added_until_they_reach_enough() -> None:
    replies = {**GOOD, "tests": [ONE], "more tests 1": [BOTH]}
    result, asked = driven(start().begin(), replies, Compiler())
    assert "reaches true, false" in made(result)[0].tests[0].code
    assert "No test reaches these lines: 2–2." in asked[-1].prompt
    never = {**replies, **{f"more tests {n}": [ONE] for n in (1, 2, 3)}}
    result, _ = driven(start().begin(), never, Compiler())
    assert result == RejectedProduct("coverage", "tests reach 67% of the solution's blocks")


def test_a_query_that_the_judge_refuses_is_written_again() -> None:
    no = json.dumps({**YES, "gives it away": "yes", "reason": "It quotes the manual."})
    replies = {**GOOD, "judge": [no, GOOD["judge"][0]], "query, written again 1": GOOD["query"]}
    result, asked = driven(start().begin(), replies, Compiler())
    assert made(result)
    again = next(one for one in asked if one.stage == "query, written again 1")
    assert "a judge says no to: gives it away. It quotes the manual." in again.prompt
    options = RecipeOptions("rustevo-rust", attempts=0)
    result, _ = driven(start(options).begin(), {**GOOD, "judge": ["who knows"]}, Compiler())
    assert isinstance(result, RejectedProduct)
    assert result.stage == "judge"


def test_uses_that_compile_are_shown_first() -> None:
    context = CrateUse("a-1.0", "lib.rs", 3, "only lines")
    broken = CrateUse("b-1.0", "lib.rs", 3, "broken lines", "fn broken() {}")
    whole = CrateUse("c-1.0", "lib.rs", 3, "other lines", "fn whole() { x.is_none_or(f) }")
    _, asked = driven(start(None, context, broken, whole).begin(), GOOD, Compiler())
    prompt = asked[0].prompt
    assert prompt.index("fn whole()") < prompt.index("only lines")
    assert "fn broken" not in prompt


def test_uses_in_sources_of_crates(tmp_path: Path) -> None:
    filler = "\n".join(f"// line {number}" for number in range(40))
    method = (
        f"{filler}\nfn free(x: Option<u8>) -> bool {{\n    x.is_none_or(|y| y > 1)\n}}\n{filler}\n"
    )
    path = "use std::mem;\n\nfn swap(a: &mut u8) -> u8 {\n    mem::take(a)\n}\n"
    for crate, text in (("a-1.0", method), ("b-1.0", path), ("c-1.0", "fn nothing() {}\n")):
        (tmp_path / crate / "src").mkdir(parents=True)
        (tmp_path / crate / "src/lib.rs").write_text(text)
    (found,) = uses_of("std::option::Option::is_none_or", [tmp_path, tmp_path / "none"], 5)
    assert (found.crate, found.line) == ("a-1.0", 42)
    assert found.context.count("\n") == CONTEXT
    assert found.function.startswith("fn free(")
    (other,) = uses_of("std::mem::take", [tmp_path], 5)
    assert (other.crate, other.line) == ("b-1.0", 4)
    (tmp_path / "named/src").mkdir(parents=True)
    (tmp_path / "named/src/lib.rs").write_text(path)
    (named,) = uses_of("std::mem::take", [tmp_path], 1, [tmp_path / "named"])
    assert named.crate == "named"
    # Another version of a crate says the same, and a crate does not use what it defines.
    (tmp_path / "a-1.0").rename(tmp_path / "a-1.1")
    assert not uses_of("a::Shape::is_none_or", [tmp_path], 5)
