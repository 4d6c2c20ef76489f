"""What a run shows: its tables, and what is to be known beside them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from libdrift.cli import common
from libdrift.cli.tables import STYLES, print_table
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.metrics.modes import Mode
    from libdrift.records import Score
    from libdrift.scoring import Summary


def print_summary(summary: Summary, mode: Mode) -> None:
    _print_numbers(summary, mode)
    if summary.bad_task_count:
        print(f"tasks left out: {summary.bad_task_count} (not counted)")


def _print_numbers(summary: Summary, mode: Mode) -> None:
    if "text" in summary.outcomes:
        _print_texts(summary, mode)
    else:
        _print_programs(summary)


def _print_programs(summary: Summary) -> None:
    from rich.table import Table

    from libdrift.records import Outcome
    from libdrift.reports.score_tables import percent

    seen = [o.value for o in Outcome if summary.count(o)]
    # Only suites with a list of verified tasks have the column.
    listed = any(score.group == "verified" for score in summary.scores)
    proven = ["verified %"] if listed else []
    # pass@1 is the success rate.
    at_k = [name for name in dict.fromkeys(s.metric for s in summary.scores) if _is_at_k(name)]
    columns = [f"{metric} %" for metric in at_k]
    table = Table("split", "success %", *proven, *columns, "n", title=summary.suite)
    for outcome in seen:
        table.add_column(outcome, style=STYLES.get(outcome, ""))
    for split, counts in summary.outcomes.items():
        rate = summary.rate(split)
        rates = [percent(rate)]
        if listed:
            verified = summary.metric("success_rate", split, "verified")
            rates.append(percent(verified, error=not at_k))  # the table is wide enough
        rates += [percent(summary.metric(metric, split), error=False) for metric in at_k]
        cells = [str(counts.get(outcome, 0)) for outcome in seen]
        table.add_row(split, *rates, str(rate.n if rate else 0), *cells)
    print_table(table)
    _print_meaning(summary, at_k)
    _print_hits(summary)
    _print_use(summary)
    _print_errors(summary)
    _print_explanations(summary)
    _print_cutoff(summary)
    print(f"run: {summary.run}")
    _print_notes(summary)


def _print_meaning(summary: Summary, at_k: Sequence[str]) -> None:
    """Which standard error stands behind ±, and what is counted."""
    from libdrift.reports.score_tables import Row, Table

    rates = [rate for split in summary.outcomes if (rate := summary.rate(split)) is not None]
    if not rates:
        return
    notes = list(Table("", (), ("success_rate",), tuple(Row((), (rate,)) for rate in rates)).notes)
    few = {name: summary.metric(name, split) for name in at_k for split in summary.outcomes}
    over = [f"{name} {score.n}" for name, score in few.items() if score is not None]
    if over:
        notes.append(f"tasks that have at least k answers: {', '.join(over)}")
    print("; ".join(notes))


def _is_at_k(metric: str) -> bool:
    return metric.startswith("pass@") and metric != "pass@1"


def _print_hits(summary: Summary) -> None:
    """The API hit rate in one line, for suites that have it."""
    from libdrift.reports.score_tables import percent

    fixed, released = summary.metric("api_hit_rate"), summary.metric("api_hit_rate_released")
    if fixed is None or released is None:
        return
    print(
        f"API hit rate: {percent(fixed)} % of {counted(fixed.n, 'answer')}"
        f" (as released: {percent(released)} % of {released.n})"
    )
    if summary.without_truth:
        common.note(
            f"not in the fixed API hit rate: {counted(summary.without_truth, 'answer')}; "
            "their ground truth calls nothing"
        )


def _print_use(summary: Summary) -> None:
    """How many test cases passed, and whether the API at stake is used, where that is measured."""
    from libdrift.reports.score_tables import percent

    coverage, fixed, released = (
        summary.metric(metric, "hidden")
        for metric in ("coverage", "api_usage", "api_usage_released")
    )
    if coverage is None:
        return
    print(f"coverage: {percent(coverage)} % of the test cases")
    if fixed is not None and released is not None:
        print(
            f"API usage: {percent(fixed)} % of {counted(fixed.n, 'answer')}"
            f" (as released: {percent(released)} % of {released.n})"
        )
    ruled = summary.metric("api_usage_by_rule", "hidden")
    if ruled is not None and ruled.value is not None:
        print(f"API usage by the rule of each kind of change: {percent(ruled)} % of {ruled.n}")


def _print_errors(summary: Summary) -> None:
    from libdrift.reports.score_tables import percent

    def shares(metric: str) -> list[Score]:
        return [one for one in summary.scores if one.metric == metric and ", " not in one.group]

    found = shares("error_rate")
    if found:
        told = (f"{score.group.partition('=')[2]} {percent(score)} %" for score in found)
        print(f"of {counted(found[0].n, 'answer')} that ran: {', '.join(told)}")
    ends = shares("run_error_rate")
    if any(score.value for score in ends):
        told = (f"{score.group.partition('=')[2]} {percent(score)} %" for score in ends)
        print(f"of these, RunError: {', '.join(told)}")


def _print_explanations(summary: Summary) -> None:
    """Parts of explanations on their own, and where locating and migrating disagree."""
    from libdrift.reports.score_tables import percent

    parts = ("named", "kind", "version", "replacement")
    right = [(part, summary.metric(f"explain_{part}", "explain")) for part in parts]
    told = [f"{part} {percent(score)} %" for part, score in right if score is not None]
    if told:
        print(f"explanations right in: {', '.join(told)}")
    only = [summary.metric(f"{name}") for name in ("located_not_migrated", "migrated_not_located")]
    if all(score is not None for score in only):
        print(
            f"inconsistent: {percent(only[0])} % located and not migrated, "
            f"{percent(only[1])} % migrated and not located"
        )


def _print_cutoff(summary: Summary) -> None:
    """Releases up to a date and later ones, where --cutoff asked for that."""
    from libdrift.cli.sheets import print_sheet, print_sheets
    from libdrift.reports.tables import ReportedRun, tables

    run = ReportedRun(summary.run, summary.suite, "", summary.scores)
    if any(score.group.startswith("cutoff=") for score in summary.scores):
        print_sheets([table.sheet() for table in tables([run], ["cutoff"])], print_sheet)


def _print_notes(summary: Summary) -> None:
    from libdrift.records import Outcome

    shown = 5
    for reason in summary.reasons[:shown]:
        common.note(reason)
    if len(summary.reasons) > shown:
        rest = counted(len(summary.reasons) - shown, "other reason")
        common.note(f"… and {rest} in {summary.run}/verdicts.jsonl")
    if summary.left_out:
        common.note(f"left out: {counted(len(summary.left_out), 'answer')} (see above)")
    if summary.unverified:
        common.note(
            f"left out by --verified: {counted(summary.unverified['answers'], 'answer')} "
            f"to {counted(summary.unverified['tasks'], 'unverified task')}"
        )
    if summary.unanswered:
        names = ", ".join(summary.unanswered[:3])
        more = ", …" if len(summary.unanswered) > 3 else ""  # noqa: PLR2004
        common.note(f"{_unanswered(len(summary.unanswered))}: {names}{more}")
    if summary.proofs:
        counts = ", ".join(f"{name} {count}" for name, count in summary.proofs.items())
        common.note(f"passed tests by kind of proof: {counts} (docs/verdicts.md)")
    infrastructure = summary.count(Outcome.INFRASTRUCTURE)
    if infrastructure:
        common.note(
            f"not judged, and not counted: {counted(infrastructure, 'verdict')} (infrastructure); "
            f"reasons in {summary.run}/verdicts.jsonl; the same command tries again"
        )


def _print_texts(summary: Summary, mode: Mode) -> None:
    """The numbers over all tasks; `libdrift report` has the rest."""
    from libdrift.cli.sheets import print_sheet, print_sheets
    from libdrift.metrics.modes import Mode
    from libdrift.reports.tables import ReportedRun, whole

    run = ReportedRun(summary.run, summary.suite, "", summary.scores)
    print_sheets([table.sheet() for table in whole([run])], print_sheet)
    _print_cutoff(summary)
    print(f"run: {summary.run}")
    for reason in summary.reasons[:5]:
        common.note(reason)
    for why, count in (summary.odd or {}).items():
        common.note(f"{counted(count, 'answer')} cannot be right: {why}")
    for k, count in (summary.few or {}).items():
        what = "counted as solved, as released" if mode is Mode.RELEASED else "in no number at it"
        common.note(f"{counted(count, 'task')} with fewer than {counted(k, 'answer')}: {what}")
    if summary.unanswered_count:
        common.note(_unanswered(summary.unanswered_count))
    common.note(f"breakdowns: libdrift report {shlex.quote(summary.run)}")


def _unanswered(tasks: int) -> str:
    return "1 task has no answer" if tasks == 1 else f"{tasks} tasks have no answer"
