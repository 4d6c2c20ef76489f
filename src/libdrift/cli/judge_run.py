"""`libdrift judge` at work: questions are asked, and what came of it is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import typer

from libdrift.cli import common
from libdrift.evals import judging
from libdrift.evals.judge import Question
from libdrift.evals.judging import Judge, Sitting
from libdrift.execution import RunFolder
from libdrift.metrics.agreement import Agreement

if TYPE_CHECKING:
    from libdrift.config import Settings

Summary = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bench:
    """What is to be judged, and what to make of the verdicts."""

    questions: list[Question]
    folder: RunFolder
    conclude: Callable[[Sitting], Summary]
    show: Callable[[Summary], None]
    notes: list[str] = field(default_factory=list)  # of what is not judged


def estimate(bench: Bench, judge: Judge, *, as_json: bool) -> None:
    """What judging would ask, and what that would cost, without asking."""
    found = judging.estimate(judge, bench.questions)
    if as_json:
        common.print_json({"judge": judge.model, **found.to_json()})
        return
    print(f"{found.tasks} tasks, {found.answers} verdicts, at most {found.calls} requests")
    print(f"about {found.tokens_in:,} tokens in, at most {found.tokens_out:,} out")
    if found.cost is None:
        common.note(f"no price is known for {judge.model}: give it with --price IN,OUT")
    else:
        print(f"about ${found.cost:,.2f}, if every reply is as long as it may be")
    common.note("an estimate: four characters a token; what was judged before costs nothing")


def run(bench: Bench, judge: Judge, settings: Settings, *, as_json: bool) -> None:
    """Ask, and print what came of it."""
    with _progress(len(bench.questions)) as watch:
        sitting = judging.sit(judge, bench.questions, bench.folder, settings, watch)
    totals = sitting.totals
    summary = {
        "judge": judge.model,
        **bench.conclude(sitting),
        "missing": sitting.missing,
        "cut": sum(one.cut for one in sitting.judgements.values()),
        "usage": totals.usage(sitting.reused),
        "troubles": totals.open_troubles(lambda _: True),
    }
    bench.folder.write_description({**judge.description(), "summary": summary})
    if as_json:
        common.print_json(summary)
    else:
        bench.show(summary)
        print(f"judgements: {common.relative(bench.folder.path / judging.JUDGEMENTS)}")
    _tell(bench, summary)
    if sitting.missing:
        raise typer.Exit(3)


def _tell(bench: Bench, summary: Summary) -> None:
    for text in bench.notes:
        common.note(text)
    if summary["cut"]:
        common.note(f"{summary['cut']} verdicts rest on part of a long text")
    if summary["usage"]["retries"]:
        common.note(f"{summary['usage']['retries']} requests were tried again")
    for kind, found in summary["troubles"].items():
        common.note(f"{found['count']} questions without a reply, {kind}: {found['last']}")
    if summary["missing"]:
        common.note(
            f"{summary['missing']} verdicts are missing: they are in no number; "
            "the same command asks for them again"
        )


class _Watching:
    def __init__(self, bar: Any, total: int) -> None:  # noqa: ANN401  (rich's, which is not loaded)
        self._bar = bar
        self._line = bar.add_task("judged", total=total, note="")
        self._weights: Any = None
        self._counts: Counter[str] = Counter()

    def judged(self, verdict: str) -> None:
        self._counts[verdict] += 1
        note = " ".join(f"{name} {count}" for name, count in sorted(self._counts.items()))
        self._bar.update(self._line, advance=1, note=note)

    def fetched(self, done: int, total: int) -> None:
        """Bytes of a model's weights."""
        if self._weights is None:
            self._weights = self._bar.add_task("weights, MB", total=total >> 20, note="")
        self._bar.update(self._weights, completed=done >> 20)


@contextmanager
def _progress(total: int) -> Iterator[_Watching]:
    with common.progress_bar() as bar:
        yield _Watching(bar, total)


def title(summary: Summary) -> str:
    from rich.markup import escape

    return escape(f"{summary['suite']}, judged by {summary['judge']}")


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def agreed(found: Agreement, first: str, second: str) -> Summary:
    """An agreement, with the names of who agrees."""
    plain = found.to_json()
    plain[f"only_{first}"] = plain.pop("only_first")
    plain[f"only_{second}"] = plain.pop("only_second")
    return plain
