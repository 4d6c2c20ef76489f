"""Studies of the papers that run or rewrite programs: coverage of tests, and linted answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from libdrift import config, suites
from libdrift.analysis.coverage import SuiteCoverage, coverage
from libdrift.analysis.lint_study import STAGES, LintStudy, study
from libdrift.errors import UserError
from libdrift.jobs.auditing import refuse_texts
from libdrift.jobs.listening import Listener
from libdrift.jobs.scoring import ScoreOptions, score
from libdrift.records import Suite
from libdrift.scoring import Runner, RunOptions, read_answers
from libdrift.suites.writing import write_lines


@dataclass(frozen=True, slots=True)
class CoverageOptions:
    tasks: Sequence[str] = ()  # by default all
    data: Path | None = None
    running: RunOptions = field(default_factory=RunOptions)


def coverage_of_tests(
    suite: str | Suite, options: CoverageOptions | None = None, listener: Listener | None = None
) -> SuiteCoverage:
    """Measure which lines of references hidden tests run, by coverage.py in the sandbox."""
    options = options or CoverageOptions()
    settings = config.load(options.data)
    loaded = suite if isinstance(suite, Suite) else suites.load(suite, settings)
    refuse_texts(loaded)
    chosen = suites.select(loaded, list(options.tasks))
    with Runner(settings, options.running, listener or Listener()).open() as run_options:
        found = coverage(loaded.name, chosen, run_options)
    if not found.tasks:
        raise UserError(
            f"no task of {loaded.name} has a Python reference and pytest modules to run",
            "Choose another suite: gitchameleon, starter",
        )
    return found


def lint_study(
    suite: str | Suite,
    answers: Path,
    out: Path,
    options: ScoreOptions | None = None,
    listener: Listener | None = None,
    *,
    judge: bool = False,
) -> LintStudy:
    """Format and repair answers into ``out``, a file of answers a stage; judge them if asked to."""
    options, listener = options or ScoreOptions(), listener or Listener()
    loaded = suite if isinstance(suite, Suite) else suites.load(suite, config.load(options.data))
    refuse_texts(loaded)
    if out.exists() and not out.is_dir():  # now, not after the work
        raise UserError(f"{out} is a file, not a folder", "Choose another DIR")
    found = study(loaded, read_answers(answers, loaded).attempts)
    if not found.stages[0].answers:
        raise UserError(f"{answers} has no Python program", "Only Python programs are linted")
    out.mkdir(parents=True, exist_ok=True)
    for name, attempts in found.attempts.items():
        lines = (
            msgspec.json.encode(
                {"task_id": one.task_id, "sample": one.sample, "answer": _fenced(one.code)}
            )
            for one in attempts
        )
        write_lines(out / f"{name}.jsonl", lines)
    if not judge:
        return found
    success = {}
    for name in STAGES:
        place = replace(options, out=out / name)
        summary = score(loaded, out / f"{name}.jsonl", place, listener)
        rates = (one for one in summary.scores if one.metric == "success_rate")
        success[name] = {one.split: one.value for one in rates if one.group == "all"}
    return found.with_success(success)


def _fenced(code: str) -> str:
    """As a model writes it: a program whose texts have fences is found whole in none."""
    return code if "```" in code else f"```python\n{code}\n```"
