"""RustEvo²'s numbers beside success: coverage, API usage accuracy, before and after a cut-off.

*Coverage* is the mean share of its tests that an answer passes; one that does not compile passes
none. *API usage accuracy* is the share of answers that really use the API at stake, as the verdict
has it resolved (``api_usage``; where it could not be, the answer is left out, and
``api_usage_unknown`` is their share), or that have its name anywhere in their text
(``api_usage_released``, as published). For a deprecation the API at stake is the one to leave: by
the rule of each kind of change (``api_usage_by_rule``) an answer is right there that does without
it, and uses what the record says to use instead, where it says so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import date
from functools import partial

from libdrift.metrics import api_usage
from libdrift.metrics.modes import Mode
from libdrift.metrics.rates import Rate, rate_at_k, success_rate
from libdrift.metrics.uncertainty import clustered_error
from libdrift.records import Attempt, ChangeKind, Outcome, Score, Split, Suite, Task, Verdict
from libdrift.sandbox import Judgement
from libdrift.scoring.groups import side_of
from libdrift.scoring.measures import AnswerMeasures

_TEST = re.compile(r"#\[\s*(?:\w+\s*::\s*)*test\b")
_PASSED = "passed"
_PATH = r"[\[`]{1,2}([A-Za-z_]\w*(?:::\w+)*)"
_INSTEAD = re.compile(
    rf"\buse {_PATH}[^.]*?\binstead\b|\binstead,? use {_PATH}|\bin favou?r of {_PATH}"
    rf"|\b(?:replaced|superseded) (?:by|with) {_PATH}",
    re.IGNORECASE,
)

Grouped = defaultdict[str, defaultdict[str, list[float]]]  # by group, then by task
_Measure = Callable[[Verdict], float | None]


def rust_scores(
    suite: Suite,
    attempts: Iterable[Attempt],
    verdicts: Iterable[Verdict],
    ks: Sequence[int] = (),
    cutoff: date | None = None,
) -> list[Score]:
    """Each number over all tasks, by category, library, origin, and the day of the release.

    ``category`` is the kind of change. ``cutoff`` tells what was released up to that day from what
    came after, and ``origin`` the standard library from crates. That group ``execution.scores``
    does not have: its success rate, and pass@k for each of ``ks``, are here too.
    """
    graded = [verdict for verdict in verdicts if verdict.outcome.graded]
    measures = _measures(suite, attempts, graded)
    found = []
    for split in dict.fromkeys(verdict.split for verdict in graded):
        mine = [verdict for verdict in graded if verdict.split is split]
        for metric, measure in measures.items():
            groups = _grouped(suite, mine, measure, cutoff)
            for group, values in groups.items():
                found.append(_mean(values).score(metric, split.value, group))
        passes = _grouped(suite, mine, _success, cutoff)
        for group, values in passes.items():
            if group.startswith("origin="):  # other groups' are execution's own
                found += _successes(values, ks, (split.value, group))
    return found


def answer_measures(
    suite: Suite, attempts: Iterable[Attempt], verdicts: Iterable[Verdict]
) -> list[AnswerMeasures]:
    """The same of single answers, on their hidden tests."""
    graded = [v for v in verdicts if v.outcome.graded and v.split is Split.HIDDEN]
    measures = _measures(suite, attempts, graded)
    found = []
    for verdict in graded:
        told = {name: measure(verdict) for name, measure in measures.items()}
        values = {name: value for name, value in told.items() if value is not None}
        facts = {"origin": origin(suite.tasks[verdict.task_id])}
        found.append(AnswerMeasures(verdict.task_id, verdict.sample, values, facts))
    return found


def _measures(
    suite: Suite, attempts: Iterable[Attempt], graded: Sequence[Verdict]
) -> dict[str, _Measure]:
    answers = {(attempt.task_id, attempt.sample): attempt for attempt in attempts}
    telling = frozenset(verdict.task_id for verdict in graded if verdict.uses is not None)
    used = partial(_rated, uses_api, suite, answers, telling)
    return {
        "coverage": lambda verdict: coverage(suite.tasks[verdict.task_id], verdict),
        "api_usage": used,
        "api_usage_unknown": lambda verdict: float(used(verdict) is None),
        "api_usage_released": partial(_named, suite, answers),
        "api_usage_by_rule": partial(_rated, keeps_rule, suite, answers, telling),
    }


def origin(task: Task) -> str:
    """The standard library, or a crate."""
    return "std" if task.facts.library == "std" else "crate"


def coverage(task: Task, verdict: Verdict) -> float | None:
    """The share of a verdict's tests that passed; ``None`` where there are none to pass."""
    tests = [tests for tests in task.tests if tests.split is verdict.split]
    # An answer that does not compile, or is stopped, has no cases: those of the source count.
    written = sum(len(_TEST.findall(_code(one.code))) for one in tests)
    cases = max(written, len(verdict.cases))
    if not cases:
        return None
    return sum(case.outcome == _PASSED for case in verdict.cases) / cases


def uses_api(
    task: Task, code: str, judged: Verdict | Judgement, *, telling: bool = True
) -> bool | None:
    """Whether an answer uses the API at stake, as it was resolved; ``None`` if nobody can tell.

    What does not compile uses nothing; but where no answer's use can be told (``telling``), it
    counts no more than those that do compile. No lint sees constants. But they have no receiver to
    resolve: in code that compiles, the name is the constant, unless the code declares its own.
    """
    if judged.uses is not None or not judged.outcome.graded:
        return judged.uses
    record = task.source.get("api")
    constant = isinstance(record, Mapping) and record.get("type") == "constant"
    if judged.outcome in {Outcome.ERROR, Outcome.REFUSED}:
        return False if constant or (task.facts.api_calls and telling) else None
    if not constant:
        return None
    name = re.escape(_name(task))
    declared = re.search(rf"\b(?:const|static)\s+{name}\b", code)
    return not declared and api_usage.uses(code, _name(task))


def keeps_rule(task: Task, code: str, judged: Verdict, *, telling: bool = True) -> bool | None:
    """Whether an answer uses the API as the kind of its change demands; ``None`` if not known.

    What was stabilised, or has another signature or behaviour, must be used. What is deprecated
    must not be, and its replacement must, if the record names one. What does not compile uses
    nothing.
    """
    if task.facts.change is not ChangeKind.DEPRECATED:
        return uses_api(task, code, judged, telling=telling)
    if not judged.outcome.graded:
        return None
    if judged.outcome in {Outcome.ERROR, Outcome.REFUSED} or not code.strip():
        return False
    instead = replacement_of(task)
    old = api_usage.uses(code, _name(task))
    return not old and (not instead or api_usage.uses(code, instead))


def replacement_of(task: Task) -> str:
    """What a record says to use in place of its API; empty where it does not."""
    record = task.source.get("api")
    told = record if isinstance(record, Mapping) else {}
    texts = (told.get("changenote"), told.get("documentation"))
    for text in texts:
        found = _INSTEAD.search(text) if isinstance(text, str) else None
        if found:
            return next(name for name in found.groups() if name)
    return ""


def _rated(
    tells: Callable[..., bool | None],
    suite: Suite,
    answers: Mapping[tuple[str, int], Attempt],
    telling: Container[str],
    verdict: Verdict,
) -> float | None:
    """1 or 0, as ``uses_api`` or ``keeps_rule`` tell of an answer's code."""
    attempt = answers.get((verdict.task_id, verdict.sample))
    code = attempt.code if attempt else ""
    task = suite.tasks[verdict.task_id]
    found = tells(task, code, verdict, telling=verdict.task_id in telling)
    return None if found is None else float(found)


def _code(text: str) -> str:
    """Without lines that are comments: what is in them is no test."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))


def _named(
    suite: Suite, answers: Mapping[tuple[str, int], Attempt], verdict: Verdict
) -> float | None:
    attempt = answers.get((verdict.task_id, verdict.sample))
    name = _name(suite.tasks[verdict.task_id])
    if attempt is None or not name:
        return None
    return float(api_usage.uses(attempt.code, name, mode=Mode.RELEASED))


def _name(task: Task) -> str:
    """The API's name as its record has it."""
    record = task.source.get("api")
    name = record.get("name") if isinstance(record, Mapping) else None
    return str(name or (task.facts.symbol or "").rpartition("::")[2])


def _success(verdict: Verdict) -> float:
    return float(verdict.outcome is Outcome.PASSED)


def _grouped(
    suite: Suite, verdicts: Iterable[Verdict], measure: _Measure, cutoff: date | None
) -> Grouped:
    """What is measured, by group and task. A group of which nothing is known is there, empty."""
    found: Grouped = defaultdict(lambda: defaultdict(list))
    for verdict in verdicts:
        value = measure(verdict)
        for group in _groups(suite.tasks[verdict.task_id], cutoff):
            values = found[group]
            if value is not None:
                values[verdict.task_id].append(value)
    return found


def _groups(task: Task, cutoff: date | None) -> list[str]:
    facts = task.facts
    found = ["all"]
    if facts.category:
        found.append(f"category={facts.category}")
    found.append(f"library={facts.library}")
    found.append(f"origin={origin(task)}")
    side = side_of(task, cutoff) if cutoff is not None else None
    if side is not None:
        found.append(f"cutoff={side}")
    return found


def _mean(values: Mapping[str, Sequence[float]]) -> Rate:
    """The mean over tasks of each task's own mean; its error counts tasks, ``n`` answers."""
    means = [sum(of_task) / len(of_task) for of_task in values.values() if of_task]
    if not means:
        return Rate(None, None, 0)
    n = sum(len(of_task) for of_task in values.values())
    return Rate(sum(means) / len(means), clustered_error([mean] for mean in means), n)


def _successes(
    values: Mapping[str, Sequence[float]], ks: Sequence[int], where: tuple[str, str]
) -> list[Score]:
    split, group = where
    outcomes = {task_id: [bool(value) for value in of_task] for task_id, of_task in values.items()}
    rates = {"success_rate": success_rate(outcomes)}
    rates |= {f"pass@{k}": rate_at_k(outcomes, k) for k in ks}
    return [rate.score(metric, split, group) for metric, rate in rates.items()]
