"""A model judges answers, or tasks, beside libdrift's own strict verdicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from libdrift import config
from libdrift.errors import UserError
from libdrift.evals import costs, judging
from libdrift.evals.estimates import Estimate
from libdrift.evals.judge import Rules
from libdrift.evals.judging import ModelJudge
from libdrift.evals.running import ProviderLimits
from libdrift.jobs.evaluating import longest, no_price
from libdrift.jobs.judging_answers import plan_answers
from libdrift.jobs.judging_plans import JudgingPlan, JudgingSummary
from libdrift.jobs.judging_tasks import plan_tasks
from libdrift.jobs.listening import Listener


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    base_url: str | None = None
    rules: Rules = Rules.OWN  # of answers; tasks have but one set of questions
    limit: int | None = None  # only the first so many answers, or tasks
    max_cost: float | None = None  # dollars
    price: str = ""  # dollars per million tokens in and out: 0.15,0.60
    suite: Path | None = None  # the file of tasks that a run answers, if it was made from a file
    out: Path | None = None  # of tasks: the folder; by default one below ./runs
    data: Path | None = None
    patience: ProviderLimits = field(default_factory=ProviderLimits)


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of judging. ``notes`` say what is not judged, and why."""

    summary: JudgingSummary
    notes: tuple[str, ...]
    judgements: Path

    def to_json(self) -> JudgingSummary:
        return self.summary


class Judging:
    """What a model is to be asked of a run's answers, or of a suite's tasks."""

    def __init__(
        self, target: str, model: str, options: JudgeOptions | None = None, *, tasks: bool = False
    ) -> None:
        options = options or JudgeOptions()
        price = costs.read_price(options.price) if options.price else None
        self._judge = ModelJudge(
            model,
            options.base_url,
            price,
            options.max_cost,
            longest(model),
            options.patience,
            options.rules,
        )
        if options.max_cost is not None and self._judge.prices(1, 1) is None:
            raise no_price(model)
        if tasks and options.rules is not Rules.OWN:
            raise UserError(
                f"--judge {options.rules} is for answers, but --tasks judges tasks",
                "Leave one of the two out",
            )
        self._settings = config.load(options.data)
        self._plan: JudgingPlan = (
            plan_tasks(target, self._judge, self._settings, options.limit, options.out)
            if tasks
            else plan_answers(
                Path(target), self._judge, self._settings, options.limit, options.suite
            )
        )

    def estimate(self) -> Estimate:
        """What judging would ask, and what that would cost, without asking."""
        return judging.estimate(self._judge, self._plan.questions)

    def run(self, listener: Listener | None = None) -> Judged:
        """Ask; what was asked before is not asked again."""
        plan, judge = self._plan, self._judge
        with (listener or Listener()).judging(len(plan.questions)) as watch:
            sitting = judging.sit(judge, plan.questions, plan.folder, self._settings, watch)
        totals = sitting.totals
        summary = {
            "judge": judge.model,
            **plan.conclude(sitting),
            "missing": sitting.missing,
            "cut": sum(one.cut for one in sitting.judgements.values()),
            "usage": totals.usage(sitting.reused),
            "troubles": totals.open_troubles(lambda _: True),
        }
        plan.folder.write_description({**judge.description(), "summary": summary})
        path = plan.folder.path / judging.JUDGEMENTS
        return Judged(summary, tuple(plan.notes), path)


def judge_answers(
    run: str | Path,
    model: str,
    options: JudgeOptions | None = None,
    listener: Listener | None = None,
) -> Judged:
    """Let a model judge the answers of a run; how far it agrees with strict verdicts is said."""
    return Judging(str(run), model, options).run(listener)


def judge_tasks(
    suite: str, model: str, options: JudgeOptions | None = None, listener: Listener | None = None
) -> Judged:
    """Let a model judge the quality of a suite's tasks."""
    return Judging(suite, model, options, tasks=True).run(listener)
