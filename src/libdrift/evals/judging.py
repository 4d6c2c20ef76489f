"""Judging by a model: each question asked once, its verdict kept beside the strict rules'."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.evals.asking import Asker, Channel, Sampling
from libdrift.evals.costs import Price, price_of, tokens
from libdrift.evals.estimates import Estimate
from libdrift.evals.judge import JudgeQuestion, Rules, verdict_in
from libdrift.evals.ledger import Ledger, Totals, digest
from libdrift.evals.models import Opened, opened
from libdrift.evals.running import ProviderLimits, retries
from libdrift.evals.troubles import Trouble
from libdrift.execution import RunFolder
from libdrift.execution.runs import provenance
from libdrift.suites.writing import write_lines

JUDGEMENTS = "judgements.jsonl"


class ModelJudgement(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of ``judgements.jsonl``."""

    task_id: str
    sample: int
    verdict: bool | None
    reason: str
    question: str  # its digest: another question makes the judgement void
    about: str = ""
    strict: bool | None = None
    cut: bool = False  # the judge was not shown everything

    @property
    def key(self) -> tuple[str, int]:
        return self.task_id, self.sample


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """Who judges, and what that may cost."""

    model: str
    base_url: str | None = None
    price: Price | None = None
    max_cost: float | None = None
    max_tokens: int = 2048
    patience: ProviderLimits = field(default_factory=ProviderLimits)
    rules: Rules = Rules.OWN

    @property
    def fingerprint(self) -> str:
        other = [] if self.rules is Rules.OWN else [self.rules.value]
        return digest(["judge", self.model, self.base_url, *other])[:12]

    @property
    def name(self) -> str:
        """Of its folder."""
        label = re.sub(r"[^\w.-]+", "-", self.model)[-40:].strip("-.")
        other = "" if self.rules is Rules.OWN else f"{self.rules}-"
        return f"judge-{other}{label}-{self.fingerprint[:8]}"

    @property
    def prices(self) -> Price:
        return self.price or price_of(self.model)

    def description(self) -> dict[str, Any]:
        """What ``run.json`` says of its folder."""
        return {
            "fingerprint": self.fingerprint,
            "judge": self.model,
            "rules": self.rules.value,
            "base_url": self.base_url,
            "max_tokens": self.max_tokens,
            "provenance": provenance(),
        }


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """What came of asking."""

    judgements: dict[tuple[str, int], ModelJudgement]
    totals: Totals
    reused: int  # replies that an earlier session had asked for
    missing: int  # questions without a reply
    over: Trouble | None  # what ended it early


class JudgeWatch(Protocol):
    """Who wants to know how far it is."""

    def judged(self, verdict: str) -> None: ...

    def fetched(self, done: int, total: int) -> None: ...


class UnwatchedJudge:
    def judged(self, verdict: str) -> None:
        pass

    def fetched(self, done: int, total: int) -> None:
        pass


def estimate(judge: ModelJudge, questions: Sequence[JudgeQuestion]) -> Estimate:
    """What judging would take, were nothing known yet."""
    asked = [question for question in questions if not question.settled]
    tokens_in = sum(tokens(question.prompt.user) for question in asked)
    tokens_out = len(asked) * judge.max_tokens
    return Estimate(
        tasks=len({question.place.task_id for question in questions}),
        answers=len(questions),
        calls=len(asked),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=judge.prices(tokens_in, tokens_out),
    )


def sit(
    judge: ModelJudge,
    questions: Sequence[JudgeQuestion],
    folder: RunFolder,
    settings: Settings,
    watch: JudgeWatch,
) -> JudgeResult:
    """Ask every question that the folder has no judgement of; what came back is kept there."""
    ledger = Ledger(folder.path)
    channel = Channel(judge.model, ledger, judge.prices, judge.max_cost)
    known = read(folder.path)
    found: dict[tuple[str, int], ModelJudgement] = {}
    waiting: list[JudgeQuestion] = []

    def keep(judgement: ModelJudgement | None) -> None:
        if judgement is not None:
            found[judgement.key] = judgement
        watch.judged(_word(judgement))

    for question in questions:
        judgement = _settled(question, known)
        if judgement is None:
            waiting.append(question)
        else:
            keep(judgement)
    # The model first: a name that is none leaves no folder behind.
    with _open(judge, settings, waiting, watch) as model, folder.open(judge.description()):
        ledger.open(lambda _line: True)
        before = retries()
        try:
            if model is not None:
                asyncio.run(_ask(channel, judge, model, waiting, keep))
        finally:
            ledger.close(retries() - before)
            every = {**read(folder.path), **found}
            write_lines(folder.path / JUDGEMENTS, map(msgspec.json.encode, every.values()))
    missing = len(questions) - len(found)
    return JudgeResult(found, ledger.totals, ledger.reused, missing, channel.over)


@contextlib.contextmanager
def _open(
    judge: ModelJudge, settings: Settings, waiting: Sequence[JudgeQuestion], watch: JudgeWatch
) -> Iterator[Opened | None]:
    """The model, if there is something to ask it."""
    if not waiting:
        yield None
        return
    with opened(judge.model, settings, base_url=judge.base_url, progress=watch.fetched) as model:
        yield model


def _settled(
    question: JudgeQuestion, known: dict[tuple[str, int], ModelJudgement]
) -> ModelJudgement | None:
    """What need not be asked: nothing to judge, or judged before."""
    if question.settled:
        return _judgement(question, verdict=False, reason=question.settled)
    before = known.get((question.place.task_id, question.place.sample))
    if before is None or before.question != question.digest:
        return None
    return msgspec.structs.replace(before, strict=question.strict)


def _judgement(question: JudgeQuestion, *, verdict: bool | None, reason: str) -> ModelJudgement:
    return ModelJudgement(
        task_id=question.place.task_id,
        sample=question.place.sample,
        verdict=verdict,
        reason=reason,
        question=question.digest,
        about=question.about,
        strict=question.strict,
        cut=question.prompt.cut,
    )


async def _ask(
    channel: Channel,
    judge: ModelJudge,
    model: Opened,
    questions: Iterable[JudgeQuestion],
    keep: Callable[[ModelJudgement | None], None],
) -> None:
    at_once = judge.patience.number(model)
    channel.use(judge.patience.made(model))
    sampling = Sampling(temperature=0.0, top_p=1.0, max_tokens=judge.max_tokens, seed=0)
    left = iter(questions)

    async def work() -> None:
        for question in left:
            if channel.over is not None:
                return
            asker = Asker(channel, question.place, sampling)
            try:
                output = await asker.ask(question.prompt, schema=model.structured)
            except Trouble:
                keep(None)  # the ledger has it, with its reason
                continue
            verdict, reason = verdict_in(output.completion)
            keep(_judgement(question, verdict=verdict, reason=reason))

    await asyncio.gather(*(work() for _ in range(at_once)))


def _word(judgement: ModelJudgement | None) -> str:
    if judgement is None:
        return "missing"
    return {True: "yes", False: "no", None: "no verdict"}[judgement.verdict]


def read(folder: Path) -> dict[tuple[str, int], ModelJudgement]:
    """The judgements in a judge's folder."""
    path = folder / JUDGEMENTS
    if not path.is_file():
        return {}
    try:
        decoder = msgspec.json.Decoder(ModelJudgement)
        found = [decoder.decode(line) for line in path.read_bytes().splitlines()]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(
            f"{path}: not lines of judgements ({error})",
            f"Delete {path}: the same command writes it again and repeats no request",
        ) from error
    return {one.key: one for one in found}
