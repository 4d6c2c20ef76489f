"""What running examples showed: for `mine`, and of one symbol for `history` and `docs`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from libdrift.cli import common
from libdrift.cli.tables import print_table
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.history.questions import SeenByRunning
    from libdrift.mining import MiningResult
    from libdrift.records import ExampleTrial

_OUTCOMES = ("differs", "spelled", "fails", "runs", "warns", "replaced", "refused")


def seen_json(seen: Sequence[SeenByRunning]) -> list[dict[str, Any]]:
    return [
        {
            "from": item.old,
            "to": item.new,
            "outcome": item.finding.outcome.value,
            "example": item.finding.code,
            "before": item.finding.before,
            "after": item.finding.after,
        }
        for item in seen
    ]


def seen_lines(seen: Sequence[SeenByRunning]) -> list[str]:
    return [
        f"  {'' if at else 'by running':<12} {item.old} → {item.new}  {item.text}"
        for at, item in enumerate(seen)
    ]


def trials_json(result: MiningResult) -> dict[str, Any]:
    return {
        "examples": [_trial_json(trial) for trial in result.trials],
        "examples_not_run": [
            {"package": item.package, "reason": item.reason} for item in result.untried
        ],
    }


def _trial_json(trial: ExampleTrial) -> dict[str, Any]:
    found = asdict(trial)
    rows = [{**asdict(row), "share": round(row.share, 4)} for row in trial.reliability]
    return {**found, "dependencies": list(trial.dependencies), "reliability": rows}


def show_trials(result: MiningResult) -> None:
    """For people: what was run and found, and how far the history's own word holds."""
    for item in result.untried:
        common.note(f"{item.package}: examples are not run: {item.reason}")
    for trial in result.trials:
        _show_runs(trial)
        _show_reliability(trial)


def _show_runs(trial: ExampleTrial) -> None:
    speed = trial.runs / trial.seconds if trial.seconds else 0.0
    print(
        f"\n{trial.package} {trial.old} → {trial.new}: {counted(trial.examples, 'example')},"
        f" {trial.ran:,} run completely in both with Python {trial.python};"
        f" {trial.statements:,} statements compared, {trial.unsteady:,} not steady"
    )
    if trial.runs:  # else all are from an earlier time
        print(f"  {counted(trial.runs, 'run')} in {trial.seconds:,.0f} s ({speed:.0f} a second)")
    found = [f"{trial.found[name]:,} {name}" for name in _OUTCOMES if trial.found.get(name)]
    print(f"  found: {', '.join(found) or 'nothing that differs'}")
    if trial.skipped:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in trial.skipped.items())
        print(f"  run completely in neither: {reasons}")
    if trial.dependencies:
        print(f"  other dependencies: {', '.join(trial.dependencies)}")


def _show_reliability(trial: ExampleTrial) -> None:
    from rich.table import Table

    if not trial.reliability:
        return
    table = Table("changes in the history")
    for title in ("confidence", "tried", "confirmed", "share"):
        table.add_column(title, justify="right")
    for row in trial.reliability:
        bounds = f"{row.low:.1f}" if row.low == row.high else f"{row.low:.1f} – {row.high:.1f}"
        counts = (f"{row.tried:,}", f"{row.confirmed:,}", f"{row.share:.0%}")
        table.add_row(row.kind, bounds, *counts)
    print_table(table)
