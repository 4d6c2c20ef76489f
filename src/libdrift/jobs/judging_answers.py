"""Which questions a judge is asked of answers, and what its verdicts say beside a run's own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from libdrift import suites
from libdrift.analysis.strict import Answered, Rated, rated
from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.evals import judging
from libdrift.evals.judge import JudgeQuestion, has_rules, of_answer
from libdrift.evals.judging import JudgeResult, ModelJudge
from libdrift.evals.session import ANSWERS
from libdrift.execution import RunFolder
from libdrift.execution.runs import command_of, not_a_run, why_not
from libdrift.jobs.judging_plans import JudgingPlan, JudgingSummary, agreed
from libdrift.metrics.agreement import agreement
from libdrift.metrics.rates import Rate, success_rate
from libdrift.showing import counted, relative


def plan_answers(
    path: Path, judge: ModelJudge, settings: Settings, limit: int | None, tasks: Path | None
) -> JudgingPlan:
    """The answers of a run, each beside the run's own verdict."""
    run = RunFolder(path)
    described = run.describe()
    if not isinstance(described.get("suite"), str):
        why = why_not(path, FileNotFoundError())
        raise not_a_run(path, f"{why}; add --tasks to judge the tasks of a suite")
    name = described["suite"]
    if tasks is None and name not in suites.names():
        raise UserError(
            f"{path} answers {name}, which is a file of tasks", "Give the file with --suite"
        )
    suite = suites.load(str(tasks or name), settings)
    if suite.name != name:
        raise UserError(f"{path} answers {name}, not {suite.name}", "Give that suite with --suite")
    file, sha256 = _answers_file(path, described)
    found = rated(file, suite, run, limit)
    if sha256 not in {None, found.sha256}:
        raise UserError(
            f"{file} has changed since {path} was made",
            f"Run it again: {command_of(described)}",
        )
    if not found.answers:
        why = next(iter(found.without), "none can be read")
        raise UserError(f"{path} has no answer to judge: {why}", f"Run: {command_of(described)}")
    judged = _judgeable(path, found, judge)
    kinds = {(item.task.id, item.sample): item.task.kind.value for item in judged}
    notes = [
        f"not judged: {counted(count, 'answer')}: {why}" for why, count in found.without.items()
    ]
    if found.left_out:
        first = found.left_out[0]
        notes.append(
            f"left out: {counted(len(found.left_out), 'answer')} ({first.where}: {first.message})"
        )
    questions = [
        of_answer(item.task, item.sample, item.text, strict=item.right, rules=judge.rules)
        for item in judged
    ]
    folder = RunFolder(path / judge.name)

    def conclude(sitting: JudgeResult) -> JudgingSummary:
        return {
            "run": relative(path),
            "suite": name,
            "rules": judge.rules.value,
            "groups": _groups(questions, sitting, kinds),
            "judges": list(_others(path, folder.path, sitting)),
            "not_judged": dict(found.without),
            "left_out": len(found.left_out),
        }

    return JudgingPlan(questions, folder, conclude, notes)


def _judgeable(path: Path, found: Rated, judge: ModelJudge) -> list[Answered]:
    """The answers that the judge's rules say something of; the others are counted."""
    judged = [item for item in found.answers if has_rules(item.task, judge.rules)]
    if not judged:
        raise UserError(
            f"the {judge.rules} rules do not apply to the answers in {path}",
            "Other rules may: --judge released is for tasks that locate or explain a change",
        )
    if len(judged) < len(found.answers):
        why = f"the {judge.rules} rules do not apply to them"
        found.without[why] += len(found.answers) - len(judged)
    return judged


def _answers_file(path: Path, described: JudgingSummary) -> tuple[Path, str | None]:
    """The run's answers, and what hash they must have, if the run does not keep them itself."""
    own = path / ANSWERS
    if own.is_file():
        return own, None
    named = described.get("answers")
    if not isinstance(named, dict) or "path" not in named:
        raise UserError(f"{path} has no answers", "Ask for them first, with `libdrift eval`")
    file = Path(named["path"])
    if not file.exists():
        raise UserError(
            f"{path} judged {file}, which is not there",
            f"Run this where the answers were scored, or make it again: {command_of(described)}",
        )
    return file, named.get("sha256")


def _groups(
    questions: Sequence[JudgeQuestion], sitting: JudgeResult, kinds: dict[tuple[str, int], str]
) -> list[JudgingSummary]:
    """Strict and judged, side by side: of each kind of task, and of all."""
    members: defaultdict[str, list[JudgeQuestion]] = defaultdict(list)
    for question in questions:
        members[kinds[question.place.task_id, question.place.sample]].append(question)
    groups = dict(sorted(members.items())) if len(members) > 1 else {}
    return [_group(name, mine, sitting) for name, mine in {**groups, "all": questions}.items()]


def _group(name: str, questions: Sequence[JudgeQuestion], sitting: JudgeResult) -> JudgingSummary:
    strict: defaultdict[str, list[bool]] = defaultdict(list)
    judged: defaultdict[str, list[bool]] = defaultdict(list)
    verdicts: list[bool | None] = []
    no_verdict = 0
    for question in questions:
        task_id = question.place.task_id
        if question.strict is not None:
            strict[task_id].append(question.strict)
        found = sitting.judgements.get((task_id, question.place.sample))
        verdict = found.verdict if found is not None else None
        no_verdict += found is not None and verdict is None
        if verdict is not None:
            judged[task_id].append(verdict)
        verdicts.append(verdict)
    both = agreement([question.strict for question in questions], verdicts)
    return {
        "group": name,
        "answers": len(questions),
        "strict": _rate(success_rate(strict)),
        "judge": _rate(success_rate(judged)),
        "no_verdict": no_verdict,
        **agreed(both, "strict", "judge"),
    }


def _rate(rate: Rate) -> JudgingSummary:
    return {"value": rate.value, "stderr": rate.stderr, "n": rate.n}


def _others(run: Path, mine: Path, sitting: JudgeResult) -> Iterator[JudgingSummary]:
    """How far other judges of the same answers agree with this one."""
    for path in sorted(run.glob("judge-*")):
        if path == mine or not path.is_dir():
            continue
        pairs = [
            (ours.verdict, theirs.verdict)
            for key, theirs in judging.read(path).items()
            if (ours := sitting.judgements.get(key)) is not None
            and ours.question == theirs.question
        ]
        if pairs:
            found = agreement([ours for ours, _ in pairs], [theirs for _, theirs in pairs])
            name = RunFolder(path).describe().get("judge", path.name)
            yield {"judge": name, **agreed(found, "this", "that")}
