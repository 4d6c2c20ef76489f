"""What `libdrift judge` shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from libdrift.cli import common
from libdrift.cli.tables import print_table
from libdrift.showing import counted, relative

if TYPE_CHECKING:
    from libdrift.evals.estimates import Estimate
    from libdrift.jobs.judging import Judged

_SHOWN = 20  # tasks that fail


def show(found: Judged, *, tasks: bool, as_json: bool) -> None:
    """The numbers on stdout, and on stderr what is to be known beside them."""
    if as_json:
        common.print_json(found.summary)
    else:
        (print_tasks if tasks else print_answers)(found.summary)
        print(f"judgements: {relative(found.judgements)}")
    tell(found)


def show_estimate(found: Estimate, model: str, *, as_json: bool) -> None:
    if as_json:
        common.print_json({"judge": model, **found.to_json()})
        return
    asked = f"{counted(found.tasks, 'task')}, {counted(found.answers, 'verdict')}"
    asked += f", at most {counted(found.calls, 'request')}"
    common.print_estimate(found, model, asked, "answers judged before cost nothing")


def tell(found: Judged) -> None:
    summary = found.summary
    for text in found.notes:
        common.note(text)
    if summary["cut"]:
        common.note(f"on part of a long text: {counted(summary['cut'], 'verdict')}")
    if summary["usage"]["retries"]:
        common.note(f"transient failures: {counted(summary['usage']['retries'], 'request')}")
    for kind, trouble in summary["troubles"].items():
        common.note(
            f"{counted(trouble['count'], 'question')} without a reply, {kind}: {trouble['last']}"
        )
    if summary["missing"]:
        common.note(
            f"missing, and not counted: {counted(summary['missing'], 'verdict')}; "
            "the same command asks again"
        )


def print_answers(summary: dict[str, Any]) -> None:
    from rich.table import Table

    columns = ("tasks", "answers", "strict %", "judge %", "agreement %", "kappa", "no verdict")
    table = Table(*columns, title=_title(summary))
    for group in summary["groups"]:
        table.add_row(
            group["group"],
            str(group["answers"]),
            _percent(group["strict"]["value"]),
            _percent(group["judge"]["value"]),
            _percent(group["agreement"]),
            _number(group["kappa"]),
            str(group["no_verdict"]),
        )
    print_table(table)
    whole = summary["groups"][-1]
    print(
        f"both yes {whole['both_yes']}, both no {whole['both_no']}, "
        f"only strict {whole['only_strict']}, only the judge {whole['only_judge']}"
    )
    for other in summary["judges"]:
        print(
            f"with {other['judge']}: agreement {_percent(other['agreement'])} % "
            f"of {other['n']}, kappa {_number(other['kappa'])}"
        )


def print_tasks(summary: dict[str, Any]) -> None:
    from rich.table import Table

    from libdrift.evals.judge import ASPECTS
    from libdrift.evals.judging import JUDGEMENTS

    table = Table(
        "question",
        "pass",
        "fail",
        "no verdict",
        title=_title(summary),
    )
    wanted = {aspect.name: aspect.good for aspect in ASPECTS}
    for row in summary["questions"]:
        name = row["question"]
        shown = name if wanted.get(name, True) else f"{name} (no is a pass)"
        table.add_row(shown, str(row["pass"]), str(row["fail"]), str(row["no_verdict"]))
    print_table(table)
    for item in summary["failing"][:_SHOWN]:
        print(f"{item['task_id']}: {item['question']}: {item['reason']}")
    if len(summary["failing"]) > _SHOWN:
        more = len(summary["failing"]) - _SHOWN
        print(f"… and {more} more in {summary['run']}/{JUDGEMENTS}")
    if summary["audit"] is not None:
        audit = summary["audit"]
        print(
            f"with the audit: agreement {_percent(audit['agreement'])} % of {audit['n']}, "
            f"kappa {_number(audit['kappa'])}"
        )


def _title(summary: dict[str, Any]) -> str:
    return f"{summary['suite']}, judged by {summary['judge']}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
