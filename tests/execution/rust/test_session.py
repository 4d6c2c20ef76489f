"""The judge of Rust as a whole, in few runs: each starts a compiler."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace

import pytest

from libdrift.config import Settings
from libdrift.errors import InfrastructureError
from libdrift.execution import Job, Options
from libdrift.execution.rust import run_jobs
from libdrift.execution.rust.places import toolchain_for
from libdrift.languages.rust import toolchains
from libdrift.records import Environment, Outcome, TestStyle
from libdrift.sandbox import Backend, Judgement, Limits, Program
from libdrift.sandbox.hostile_rust import TASKS, corpus
from tests.published import published

PLACE = Environment("rust", "1.81.0", ())
RIGHT = "pub fn total(values: &[i64]) -> i64 {\n    values.iter().sum()\n}\n"
TESTS = """
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small() {
        assert_eq!(total(&[1, 2]), 3);
    }

    #[test]
    fn empty() {
        assert_eq!(total(&[]), 0);
    }
}
"""
BODY = "values.iter().sum()"
APIS = ("core::iter::Iterator::sum",)
ANSWERS = {
    "right": RIGHT,
    "same": RIGHT,
    "also right": RIGHT.replace(BODY, "{ let mut all = 0; for one in values { all += one } all }"),
    "wrong": RIGHT.replace(BODY, "values.len() as i64"),
    "half": RIGHT.replace(BODY, "0"),
    "stub": RIGHT.replace(BODY, "todo!()"),
    "too new": RIGHT.replace(BODY, "values.iter().sum::<i64>() + i64::from(Some(1).is_none_or(|x| x > 1))"),
    "not a type": RIGHT.replace(BODY, '"three"'),
    "prose": "The answer is to add the values.",
    "nothing": "",
    "old edition": RIGHT + "\npub fn same(it: Box<Fn(i64) -> i64>) -> i64 { it(1) }\n",
    "oldest edition": "mod own { pub fn async() {} }\nmod other { use own::async; }\n" + RIGHT,
    "unsafe": RIGHT.replace(BODY, "unsafe { values.iter().map(|v| *(v as *const i64)).sum() }"),
    "whole crate": "#![allow(dead_code)]\n" + RIGHT.replace(BODY, "crate::add(values)")
    + "fn add(values: &[i64]) -> i64 { values.iter().sum() }\n",
    "own tests": RIGHT + "#[test]\nfn mine() { panic!() }\n" + TESTS,
    "too new for a constant": RIGHT.replace(BODY, "{ const N: [i64; 2] = { let mut a = [1, 2]; "
    "a.reverse(); a }; N[0] + values.len() as i64 }"),
    "slow": RIGHT.replace(BODY, "{ std::thread::sleep(std::time::Duration::from_secs(60)); 3 }"),
}  # fmt: skip
# A quick cut; benchmarks/rust_execution.py --hostile runs all.
ATTACKS = (
    "coin_of_addresses",
    "coin_of_hashes",
    "coin_of_nanoseconds",
    "coin_that_garbles",
    "compiler_configuration",
    "memory_of_cached_pages",
    "exit_with_one_forged_failure",
    "always_equal",
    "include_own_file",
    "last_words",
    "own_version",
)


@pytest.fixture(scope="module", autouse=True)
def _rust() -> None:
    try:
        newest = toolchains.newest()
    except InfrastructureError as error:
        pytest.skip(str(error))
    if newest.clippy_driver is None:
        pytest.skip("Rust has no clippy here")


@pytest.fixture(scope="module")
def options(settings: Settings, bubblewrap: Backend) -> Options:
    return Options(settings, bubblewrap, Limits().with_time(1.0))


@pytest.fixture(scope="module")
def judged(options: Options) -> Mapping[str, Judgement]:
    hostile = {attack.name: attack.against("total") for attack in corpus()}
    answers = ANSWERS | {name: hostile[name] for name in ATTACKS}
    jobs = [
        Job((name,), PLACE, Program(answer, TESTS, TestStyle.RUST, apis=APIS), RIGHT)
        for name, answer in answers.items()
    ]
    vacuous = Program(RIGHT, "// no test at all", TestStyle.RUST)
    macro_tests, macro_right = TASKS["macro"]
    seen = Program(hostile["comments_tell"], macro_tests, TestStyle.RUST)
    borrowing = "pub fn one() -> HashMap<u8, u8> { HashMap::new() }"
    lending = "use std::collections::HashMap;\n#[test]\nfn t() { assert!(one().is_empty()); }"
    elsewhere = replace(PLACE, runtime="99.0.0")
    jobs += [
        Job(("vacuous",), PLACE, vacuous, RIGHT),
        Job(("comments_tell",), PLACE, seen, macro_right),
        Job(("borrowing",), PLACE, Program(borrowing, lending, TestStyle.RUST), borrowing),
        Job(("no such Rust",), elsewhere, Program(RIGHT, TESTS, TestStyle.RUST), RIGHT),
    ]
    return {job.key[0]: judgement for job, judgement in run_jobs(jobs, options)}


@pytest.mark.parametrize(
    ("name", "outcome", "reason"),
    [
        ("right", Outcome.PASSED, ""),
        ("same", Outcome.PASSED, ""),
        ("also right", Outcome.PASSED, ""),
        ("wrong", Outcome.FAILED, "tests::small: assertion `left == right` failed"),
        ("stub", Outcome.FAILED, "tests::empty: not yet implemented"),
        ("too new", Outcome.FAILED, "uses is_none_or"),
        ("too new for a constant", Outcome.FAILED, "uses reverse(), stable since 1.90"),
        ("not a type", Outcome.ERROR, "does not compile: line 2: mismatched types [E0308]"),
        ("prose", Outcome.ERROR, "does not compile: line 1"),
        ("nothing", Outcome.ERROR, "does not compile: in the tests, line 8: cannot find"),
        ("old edition", Outcome.PASSED, ""),
        ("oldest edition", Outcome.PASSED, ""),
        ("unsafe", Outcome.PASSED, ""),
        ("whole crate", Outcome.PASSED, ""),
        ("own tests", Outcome.PASSED, ""),
        ("slow", Outcome.TIMEOUT, "over the time limit of 1 s"),
        ("vacuous", Outcome.FAILED, "no test ran"),
        ("borrowing", Outcome.PASSED, ""),
        ("no such Rust", Outcome.INFRASTRUCTURE, "needs Rust 99.0.0, and the newest here is"),
    ],
)
def test_verdicts(
    judged: Mapping[str, Judgement], name: str, outcome: Outcome, reason: str
) -> None:
    assert judged[name].reason.startswith(reason)
    assert judged[name].outcome is outcome


@pytest.mark.parametrize("name", [*ATTACKS, "comments_tell"])
def test_no_attack_passes(judged: Mapping[str, Judgement], name: str) -> None:
    assert judged[name].outcome in (Outcome.FAILED, Outcome.ERROR)


def test_plain_coins_do_not_pass_either(options: Options) -> None:
    """Once in four times, for one small number, if they were run once."""
    tests, reference = TASKS["one"]
    coins = [one for one in corpus() if one.name.startswith("coin_of_")]
    jobs = [
        Job((f"{coin.name} {n}",), PLACE, Program(text, tests, TestStyle.RUST), reference)
        for coin in coins
        for n in range(8)
        for text in [f"{coin.against('total')}// {n}\n"]
    ]
    found = [judgement.outcome for _, judgement in run_jobs(jobs, options)]
    assert not {Outcome.PASSED, Outcome.INFRASTRUCTURE} & set(found)


def test_one_case_for_each_test(judged: Mapping[str, Judgement]) -> None:
    cases = {case.name: case.outcome for case in judged["half"].cases}
    assert cases == {"tests::small": "failed", "tests::empty": "passed"}
    assert {case.name for case in judged["own tests"].cases} == set(cases)


@pytest.mark.parametrize(
    ("name", "uses"),
    [("right", True), ("also right", False), ("too new", True), ("vacuous", None)],
)
def test_whether_the_api_is_used(
    judged: Mapping[str, Judgement], name: str, *, uses: bool | None
) -> None:
    assert judged[name].uses is uses


def test_who_could_forge_is_tried_on_decoys(judged: Mapping[str, Judgement]) -> None:
    assert judged["right"].proof is None, "it is plain"
    assert str(judged["unsafe"].proof).startswith("decoys(")


def test_closing_stops_the_rest(options: Options) -> None:
    waits = RIGHT.replace(BODY, "{ loop { std::thread::park() } }")
    jobs = [
        Job((str(n),), PLACE, Program(f"// {n}\n{waits}", TESTS, TestStyle.RUST), RIGHT)
        for n in range(2)
    ]
    before = threading.active_count()
    bad = Job(("bad",), replace(PLACE, runtime="x"), Program("", "", TestStyle.RUST), "")
    with closing(run_jobs([bad, *jobs], options)) as results:
        job, judgement = next(results)
        assert (job.key, judgement.outcome) == (("bad",), Outcome.INFRASTRUCTURE)
    assert threading.active_count() == before


def test_toolchains() -> None:
    assert toolchain_for(PLACE) == (toolchains.find("1.81.0") or toolchains.newest())
    with pytest.raises(InfrastructureError, match="not a version of Rust"):
        toolchain_for(replace(PLACE, runtime="latest"))


@pytest.mark.published
def test_published_references(options: Options) -> None:
    tasks = json.loads(published("rustevo", "tasks.json").read_text())
    records = json.loads(published("rustevo", "api_docs.json").read_text())
    pairs = [(t, r) for t, r in zip(tasks, records, strict=True) if not r.get("crate")][10:22]
    jobs = [
        Job(
            (str(task["task_idx"]),),
            Environment("rust", record["to_version"], ()),
            Program(task["code"], task["test_program"], TestStyle.RUST),
            task["code"],
        )
        for task, record in pairs
        if "INCORRECT" not in task["test_program"]
    ]
    told = [judgement.outcome for _, judgement in run_jobs(jobs, options)]
    assert told.count(Outcome.PASSED) >= 0.9 * len(jobs)
