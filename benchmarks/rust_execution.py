"""The judge of Rust against one plain ``rustc --test`` for each candidate, in one run.

The baseline is what the published harness does: answer and tests in one file, ``rustc --test``, and
the binary is run; two workers, no sandbox, nothing checked but the exit status. libdrift does the
same work with two workers, sandbox included, and also tells what is too new for the task's version.
(Imports that tests repeat are left out for both: half a dozen references would not compile.)

Candidates are the published references of std tasks, or a few of our own where the data is absent,
each with wrong ones beside it: literals changed, comparisons turned round, bodies that are stubs.
Verdicts must be the same; where libdrift sees more (an API that the version lacks, tests in which
no test is), the difference is printed with its reason.

    .venv/bin/python benchmarks/rust_execution.py [--data DIR] [--tasks 100]
    .venv/bin/python benchmarks/rust_execution.py --hostile [--rounds 10]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from libdrift import config
from libdrift.execution.jobs import Options
from libdrift.execution.plan import Job
from libdrift.execution.rust import run_jobs
from libdrift.execution.rust.imports import without_repeated
from libdrift.execution.rust.lexing import closing, tokens
from libdrift.languages.rust import toolchains
from libdrift.records import Environment, Outcome, TestStyle
from libdrift.sandbox import Judgement, Limits, Program, choose
from libdrift.sandbox.hostile_rust import ENTRY, TASKS, corpus

WORKERS = 2
SECONDS = 30.0
HONEST = "an honest answer"
OWN = [
    (
        "1.82.0",
        """
pub fn over(limit: Option<i32>, value: i32) -> bool {
    limit.is_none_or(|most| value > most + 1)
}
""",
        """
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none() {
        assert!(over(None, 3));
    }

    #[test]
    fn some() {
        assert_eq!(over(Some(3), 9), true);
        assert!(!over(Some(3), 4));
    }
}
""",
    ),
    (
        "1.84.0",
        """
use std::collections::HashMap;

pub fn count(words: &[&str]) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for word in words {
        *found.entry(word.to_string()).or_insert(0) += 1;
    }
    found
}
""",
        """
use std::collections::HashMap;

#[test]
fn counts() {
    let found: HashMap<String, usize> = count(&["a", "b", "a"]);
    assert_eq!(found["a"], 2);
    assert_eq!(found.len(), 2);
}
""",
    ),
]


def cases(data: Path, limit: int) -> list[tuple[str, str, str, str]]:
    """Name, version, reference and tests of each task."""
    folder = data / "rustevo"
    if not (folder / "tasks.json").exists():
        print("the published data is not here: a few tasks of our own")
        return [(f"own{n}", *task) for n, task in enumerate(OWN)]
    tasks = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    records = json.loads((folder / "api_docs.json").read_text(encoding="utf-8"))
    found = [
        (str(task["task_idx"]), record["to_version"], task["code"], task["test_program"])
        for task, record in zip(tasks, records, strict=True)
        if not record.get("crate")
    ]
    return found[:limit]


def variants(reference: str) -> Iterator[str]:
    """Wrong answers that look like the right one."""
    parts = tokens(reference)
    numbers = [token for token in parts if token.kind == "number" and token.text.isdigit()]
    for token in numbers[:2]:
        yield reference[: token.start] + str(int(token.text) + 1) + reference[token.end :]
    turned = {"true": "false", "false": "true", "min": "max", "max": "min", "==": "!="}
    for token in parts:
        if token.text in turned and token.kind in ("word", "sign"):
            yield reference[: token.start] + turned[token.text] + reference[token.end :]
            break
    for index, token in enumerate(parts):
        brace = next((i for i in range(index, len(parts)) if parts[i].text == "{"), len(parts))
        if token.text == "fn" and closing(parts, brace) < len(parts):
            end = parts[closing(parts, brace)].start
            for body in (" unimplemented!() ", " todo!() ", " loop { panic!() } "):
                yield reference[: parts[brace].end] + body + reference[end:]
            return


def candidates(data: Path, limit: int) -> list[Job]:
    jobs = []
    for name, version, reference, tests in cases(data, limit):
        texts = dict.fromkeys([reference, *variants(reference)])
        jobs += [
            Job(
                (name, str(number)),
                Environment("rust", version, ()),
                Program(text, tests, TestStyle.RUST),
                reference,
            )
            for number, text in enumerate(texts)
        ]
    return jobs


def plainly(job: Job) -> bool:
    """Whether a candidate passes as the published harness would have it."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "main.rs"), Path(folder, "main")
        tests = without_repeated(job.program.tests, job.program.answer)
        source.write_text(f"{job.program.answer}\n{tests}", encoding="utf-8")
        rustc = str(toolchains.newest().rustc)
        argv = [rustc, "--test", "--edition=2021", str(source), "-o", str(binary)]
        made = subprocess.run(argv, capture_output=True, check=False, timeout=600)
        if made.returncode:
            return False
        try:
            ran = subprocess.run([binary], capture_output=True, check=False, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return ran.returncode == 0


def processor_seconds() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def compare(jobs: Sequence[Job], options: Options) -> int:
    rates = {}
    clock, used = time.monotonic(), processor_seconds()
    with ThreadPoolExecutor(WORKERS) as pool:
        plain = dict(zip([job.key for job in jobs], pool.map(plainly, jobs), strict=True))
    rates["plain rustc"] = (time.monotonic() - clock, processor_seconds() - used)
    clock, used = time.monotonic(), processor_seconds()
    ours: dict[tuple[str, ...], Judgement] = {j.key: v for j, v in run_jobs(jobs, options)}
    rates["libdrift"] = (time.monotonic() - clock, processor_seconds() - used)
    for name, (wall, cpu) in rates.items():
        print(
            f"{name:12} {len(jobs) / wall:7.2f} verdicts/s ({wall:.1f} s), "
            f"{1000 * cpu / len(jobs):.0f} ms of processor a verdict"
        )
    ratio = rates["plain rustc"][0] / rates["libdrift"][0]
    spent = rates["plain rustc"][1] / rates["libdrift"][1]
    print(f"ratio {ratio:.2f} by the clock, {spent:.2f} by processor time, {len(jobs)} candidates")
    differing = [key for key in plain if plain[key] != (ours[key].outcome is Outcome.PASSED)]
    for key in differing:
        told = ours[key]
        print(f"  {'/'.join(key)}: plain {plain[key]}, libdrift {told.outcome}: {told.reason}")
    print(f"{len(differing)} verdicts differ")
    return 0


def hostile(options: Options, rounds: int) -> int:
    """The whole corpus, on all its tasks, beside honest neighbours; how many got through."""
    told: defaultdict[str, list[Judgement]] = defaultdict(list)
    honest = []
    for job, judgement in run_jobs(list(attacks(rounds)), options):
        name = job.key[0]
        (honest if name == HONEST else told[name]).append(judgement)
    passed = 0
    for name, judgements in sorted(told.items()):
        through = [one for one in judgements if one.outcome is Outcome.PASSED]
        passed += len(through)
        reasons = Counter(f"{one.outcome}: {one.reason[:70]}" for one in judgements)
        flag = f"{len(through)} of {len(judgements)}" if through else "held"
        print(f"{flag:10} {name:30} {reasons.most_common(1)[0][0]}")
    wronged = sum(one.outcome is not Outcome.PASSED for one in honest)
    print(f"{passed} of {sum(map(len, told.values()))} got through, {wronged} honest ones did not")
    return 1 if passed or wronged else 0


def attacks(rounds: int) -> Iterator[Job]:
    place = Environment("rust", "1.84.0", ())
    apis = ("core::iter::Iterator::sum",)
    for task, (tests, right) in TASKS.items():
        for number in range(rounds):
            texts = {attack.name: attack.against(ENTRY) for attack in corpus()}
            # Attacks that remember do so in places of their own in each round.
            seed = f"ROUND: i64 = {secrets.randbelow(300)}"
            for name, text in {**texts, HONEST: f"{right}pub struct Own;\n"}.items():
                answer = text.replace("ROUND: i64 = 0", seed) + f"\n// {number}\n"
                program = Program(answer, tests, TestStyle.RUST, apis=apis)
                yield Job((name, task, str(number)), place, program, right)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--hostile", action="store_true", help="the hostile corpus instead")
    parser.add_argument("--rounds", type=int, default=1, help="of the hostile corpus")
    arguments = parser.parse_args()
    settings = config.load()
    limits = Limits(wall_seconds=10.0 if arguments.hostile else SECONDS)
    options = Options(settings, choose("bubblewrap", settings), limits, workers=WORKERS)
    os.environ.pop("RUST_BACKTRACE", None)
    if arguments.hostile:
        return hostile(options, arguments.rounds)
    return compare(candidates(arguments.data, arguments.tasks), options)


if __name__ == "__main__":
    sys.exit(main())
