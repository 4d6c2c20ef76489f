"""Running compiled tests, and reading what libtest says of them."""

from __future__ import annotations

import re
import secrets
import shlex
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from libdrift.execution.rust.shapes import WHICH
from libdrift.execution.rust.units import Placed
from libdrift.records import Case, Outcome
from libdrift.sandbox import Backend, Judgement, Limits
from libdrift.sandbox.commands import Command, Ended, run

NO_TEST = "no test ran"
_TWICE = "tampered: the report has a test, or its summary, twice"
_FAILED_STATUS = 101  # libtest's own, when a test failed
_SHARED_SECONDS = 10.0  # beside others; who takes longer is run again in a sandbox of its own
_FAILURES = "\nfailures:\n"
_RESULT = re.compile(r"^test (?P<name>.+?)(?: - should panic)? \.\.\. ", re.MULTILINE)
_STATE = re.compile(r"(?P<state>ok|FAILED|ignored)(?:, .*)?$")
_SUMMARY = re.compile(
    r"^test result: (?:ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; "
    r"(?P<ignored>\d+) ignored; .*?(?:finished in (?P<seconds>[\d.]+)s)?$",
    re.MULTILINE,
)
_PANIC = re.compile(r"^thread .*? panicked at [^\n]*:\n(?P<why>[^\n]*)", re.MULTILINE)
_OUTCOMES = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
# Each program's output ends with a line that only the host can know.
_RUNNER = """
{binary} --list
echo "{mark} list $?"
run() {{
  {which}="$2" timeout -s KILL {seconds:g} {binary} --test-threads=1 "$3" 2>&1
  echo "{mark} $1 $?"
}}
"""


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """One run of one answer's tests."""

    ended: Ended
    names: tuple[str, ...]  # the tests that judge it
    listed: tuple[str, ...]  # all that the binary has for it: the canary, and the answer's own
    canary: str
    prefix: str


def listing(
    binary: Path, backend: Backend, limits: Limits, stop: threading.Event
) -> tuple[list[str], Ended]:
    """The tests in a binary, by their full names."""
    command = Command(argv=(str(binary), "--list"), read=(binary.parent,))
    ended = run(command, backend, limits, stop)
    return _listed(ended.stdout), ended


def _listed(text: str) -> list[str]:
    lines = text.splitlines()
    return [line.removesuffix(": test") for line in lines if line.endswith(": test")]


def run_one(
    binary: Path, one: Placed, backend: Backend, limits: Limits, stop: threading.Event
) -> Ended:
    """Run the tests of one answer in a sandbox of their own."""
    argv = [str(binary), "--test-threads=1", *([one.prefix] if one.prefix else [])]
    environ = {WHICH: str(one.number)}
    command = Command(argv=tuple(argv), environ=environ, read=(binary.parent,))
    return run(command, backend, limits, stop)


def run_many(
    binary: Path,
    placed: Sequence[Placed],
    backend: Backend,
    limits: Limits,
    stop: threading.Event,
) -> tuple[list[str], Mapping[Placed, Ended]]:
    """Run many answers' tests, each in its own process, in one sandbox; and list all tests.

    Who is not in the result was not heard of: the sandbox was ended before.
    """
    seconds = min(_SHARED_SECONDS, limits.wall_seconds)
    mark = secrets.token_hex(16)
    script = _RUNNER.format(
        seconds=seconds, binary=shlex.quote(str(binary)), mark=mark, which=WHICH
    )
    calls = [f"run {index} {one.number} {one.prefix}" for index, one in enumerate(placed)]
    script += "\n".join(calls)
    command = Command(argv=("/bin/sh", "-c", script), read=(binary.parent,))
    whole = limits.with_time(seconds * len(placed) + 30)
    wide = replace(whole, log_bytes=whole.output_bytes)
    heard = _divided(run(command, backend, wide, stop).stdout, mark)
    listed = _listed(heard["list"].stdout) if "list" in heard else []
    return listed, {one: heard[str(i)] for i, one in enumerate(placed) if str(i) in heard}


def _divided(text: str, mark: str) -> dict[str, Ended]:
    found = {}
    pattern = re.compile(rf"(?P<text>.*?){mark} (?P<name>\w+) (?P<status>\d+)\n", re.DOTALL)
    for match in pattern.finditer(text):
        found[match["name"]] = Ended(int(match["status"]), match["text"], "", 0.0)
    return found


def conclude(tried: AnswerRun, limits: Limits) -> Judgement:
    """What one run proves."""
    ended = tried.ended
    log = _shown(ended.stdout, tried) + ended.stderr
    if ended.trouble:
        return Judgement(Outcome.INFRASTRUCTURE, ended.trouble, ended.seconds, log=log)
    if ended.stopped_by == "request":
        return Judgement(Outcome.INFRASTRUCTURE, "interrupted", ended.seconds, log=log)
    cases, seconds = _cases(tried)
    outcome, reason = _decide(tried, cases, limits)
    report = ended.stdout.partition(_FAILURES)[0]
    broken = outcome is Outcome.ERROR and _last_summary(ended.stdout) is not None
    untrue = broken or reason == _TWICE
    # Where a program speaks as its tests, nobody knows who said what.
    heard = {} if untrue or _is_told_twice(report, tried) else cases
    shown = tuple(Case(name, heard[name]) for name in tried.names if name in heard)
    return Judgement(outcome, reason, seconds or ended.seconds, shown, log)


def _decide(tried: AnswerRun, cases: Mapping[str, str], limits: Limits) -> tuple[Outcome, str]:
    ended = tried.ended
    failed = [name for name in tried.names if cases.get(name) == "failed"]
    if failed and ended.stopped_by in ("", "time") and _last_summary(ended.stdout) is None:
        # Cut short, and wrong already: whoever guesses must not have another try by that.
        return Outcome.FAILED, f"{failed[0]}: {_why(ended.stdout, tried.prefix + failed[0])}"
    if ended.stopped_by == "time":
        return Outcome.TIMEOUT, f"over the time limit of {limits.wall_seconds:g} s"
    if ended.stopped_by:
        return Outcome.ERROR, f"over the {ended.stopped_by} limit"
    if not tried.names:
        return Outcome.FAILED, NO_TEST
    whole = set(tried.listed) == set(cases)
    if not whole or ended.status != _FAILED_STATUS or not _summed_up(ended.stdout, cases):
        return Outcome.ERROR, f"ended before its tests did ({_status(ended.status)})"
    if cases[tried.canary] != "failed":
        return Outcome.FAILED, "tampered: a test that must fail passed"
    if failed:
        return Outcome.FAILED, f"{failed[0]}: {_why(ended.stdout, tried.prefix + failed[0])}"
    if not any(cases[name] == "passed" for name in tried.names):
        return Outcome.FAILED, NO_TEST
    if _is_told_twice(ended.stdout, tried):
        return Outcome.FAILED, _TWICE
    return Outcome.PASSED, ""


def _is_told_twice(text: str, tried: AnswerRun) -> bool:
    """Whether more was said than libtest says, which names each test once, and sums up once."""
    names = [match["name"].removeprefix(tried.prefix) for match in _RESULT.finditer(text)]
    known = [name for name in names if name in tried.listed]
    return len(known) != len(set(known)) or len(_SUMMARY.findall(text)) > 1


def _cases(tried: AnswerRun) -> tuple[dict[str, str], float]:
    """How each test ended, in the order of its report; and the time that all took.

    With one thread, a test's name is printed before it runs and its state after: what programs
    print themselves may stand between the two.
    """
    text = tried.ended.stdout.partition(_FAILURES)[0]
    found = list(_RESULT.finditer(text))
    cases: dict[str, str] = {}
    for match, after in zip(found, [*found[1:], None], strict=False):
        segment = text[match.end() : after.start() if after else len(text)]
        state = _last_state(segment)
        name = match["name"].removeprefix(tried.prefix)
        if state and name not in cases:
            cases[name] = _OUTCOMES[state]
    summary = _last_summary(tried.ended.stdout)
    return cases, float(summary["seconds"] or 0.0) if summary else 0.0


def _last_state(segment: str) -> str:
    for line in reversed(segment.splitlines()):
        match = _STATE.search(line)
        if match:
            return match["state"]
    return ""


def _last_summary(text: str) -> re.Match[str] | None:
    return max(_SUMMARY.finditer(text), key=re.Match.start, default=None)


def _summed_up(text: str, cases: Mapping[str, str]) -> bool:
    """Whether the report ends with a summary, and with that of these cases."""
    summary = _last_summary(text)
    if summary is None:
        return False
    states = list(cases.values())
    counted = [states.count(state) for state in ("passed", "failed", "skipped")]
    return counted == [int(summary[part]) for part in ("passed", "failed", "ignored")]


def _why(text: str, name: str) -> str:
    """The first line of a test's panic."""
    section = text.partition(f"---- {name} stdout ----\n")[2].partition("\n---- ")[0]
    match = _PANIC.search(section)
    if match:
        return match["why"][:300]
    first = section.strip().partition("\n")[0]
    return first[:300] or "failed"


def _shown(text: str, tried: AnswerRun) -> str:
    """What is told to people: names as the tests have them, and nothing of the canary."""
    text = text.replace(tried.prefix, "") if tried.prefix else text
    lines = [line for line in text.splitlines() if tried.canary not in line]
    return "\n".join(lines)


def _status(status: int | None) -> str:
    if status is None:
        return "no exit status"
    return f"killed by signal {status - 128}" if status > 128 else f"exit status {status}"  # noqa: PLR2004
