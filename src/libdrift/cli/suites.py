from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common, studies
from libdrift.cli import eval_options as o
from libdrift.cli import report_figures as parts
from libdrift.cli.groups import DescribedGroup
from libdrift.cli.tables import print_table
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.evals.options import EvalOptions
    from libdrift.records import Suite, Task

app = typer.Typer(
    cls=DescribedGroup,
    help="List benchmarks and their tasks.",
    no_args_is_help=False,
    rich_markup_mode=None,
)


class Layout(StrEnum):
    ASSISTANT = "assistant"  # a folder with one program a task


@app.callback(invoke_without_command=True)
def overview(
    context: typer.Context,
    data: common.DataOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """List benchmarks: tasks, environments, and where their data is."""
    context.obj = data
    if context.invoked_subcommand is not None:
        return
    from rich.table import Table

    from libdrift.jobs.listing import overview as listed

    rows = listed(data)
    if as_json:
        common.print_json({"suites": rows})
        return
    table = Table("suite", "tasks", "environments", "source")
    for row in rows:
        counts = [str(row[key] or "–") for key in ("tasks", "environments")]
        table.add_row(row["suite"], *counts, row.get("missing") or row["source"])
    print_table(table)


@app.command("show")
def show(
    context: typer.Context,
    suite: common.SuiteArgument,
    task: Annotated[str | None, typer.Argument(help="Id of a task, to show it in full.")] = None,
    data: common.DataOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """List a suite's tasks, or show one task."""
    from libdrift import suites
    from libdrift.jobs.listing import asks_for_changes, candidates_view
    from libdrift.scoring.descriptions import tasks_left_out

    loaded = suites.load(suite, common.settings(data or context.obj))
    chosen = suites.select(loaded, [task] if task else [])
    # What one task of a sample tells is what another of it asks for.
    asked = asks_for_changes(loaded)
    if as_json:
        rows = [candidates_view(item, asked=asked) for item in chosen]
        common.print_json({"suite": loaded.name, "tasks": rows, **tasks_left_out(loaded)})
    elif task:
        _print_task(loaded, chosen[0])
    else:
        _print_tasks(chosen, asked=asked)
    if task is None:
        common.leave_if_left_out(len(loaded.left_out))


def _print_task(suite: Suite, task: Task) -> None:
    """What is asked, as a candidate sees it."""
    pins = ", ".join(task.environment.requirements)
    language = task.language.capitalize()
    runtime = f"{language} {task.environment.runtime}" if task.environment.runtime else ""
    print(f"{task.id}: {task.title}\n{', '.join(filter(None, (runtime, pins)))}\n")
    if task.gap is None:
        print(f"{task.problem}\n\n{task.starter}")
        return
    from libdrift.suites.benchmarks import Asking
    from libdrift.suites.prompting import asked

    print("\n\n".join(message["content"] for message in asked(suite, task, Asking())["messages"]))


def _print_tasks(tasks: list[Task], *, asked: bool) -> None:
    """A line a task, none of them broken: there may be thousands, to be searched."""
    rows = [
        (
            task.id,
            f"{task.facts.library} {task.facts.version}",
            "–" if asked else task.facts.change or task.facts.lifecycle or "–",
            task.title,
        )
        for task in tasks
    ]
    rows.insert(0, ("task", "library", "change", "title"))
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        print("  ".join([*cells, row[-1]]).rstrip())


@app.command("stats")
def stats(
    context: typer.Context,
    suite: common.SuiteArgument,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown tables on stdout.")
    ] = False,
    figures: parts.FiguresOption = None,
    form: parts.FormatOption = None,
    data: common.DataOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Count a suite's tasks by library, year, kind of change, level …, "
    "and measure their lengths."""
    from libdrift.cli.stats_table import markdown, print_statistics
    from libdrift.errors import UserError
    from libdrift.jobs.listing import load_suite, suite_statistics
    from libdrift.jobs.papers import draw_statistics
    from libdrift.scoring.descriptions import tasks_left_out

    drawing = parts.figure_options(figures, form)
    if as_json and as_markdown:
        raise UserError("--json and --markdown cannot be combined", "Give one of them")
    loaded = load_suite(suite, data or context.obj)
    found = suite_statistics(loaded)
    drawn = draw_statistics(found, drawing) if drawing is not None else None
    if as_json:
        told = {**found.to_json(), **tasks_left_out(loaded)}
        common.print_json({**told, **(drawn.to_json() if drawn else {})})
    elif as_markdown:
        print(markdown(found))
    else:
        print_statistics(found)
    if drawn is not None and not as_json:
        parts.print_drawn(drawn)
    common.leave_if_left_out(len(loaded.left_out))


@app.command("export")
def export(
    context: typer.Context,
    suite: common.SuiteArgument,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder to write to; it is created if missing.")
    ],
    layout: Annotated[
        Layout,
        typer.Option(help="assistant: one program per task, for coding assistants to complete."),
    ] = Layout.ASSISTANT,
    with_problem: Annotated[
        bool,
        typer.Option(
            "--with-problem/--without-problem", help="Include the problem text in each file."
        ),
    ] = True,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files in a folder that is not empty.")
    ] = False,
    data: common.DataOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Write a suite's tasks as files to complete; `libdrift score SUITE DIR` reads them back."""
    from libdrift import suites
    from libdrift.scoring import assistant
    from libdrift.scoring.descriptions import tasks_left_out

    loaded = suites.load(suite, common.settings(data or context.obj))
    written = assistant.write(loaded, folder, with_problem=with_problem, force=force)
    if as_json:
        names = [path.name for path in written]
        result = {"suite": suite, "layout": layout.value, "folder": str(folder), "files": names}
        common.print_json({**result, **tasks_left_out(loaded)})
        common.leave_if_left_out(len(loaded.left_out))
        return
    print(f"{counted(len(written), 'task')} of {loaded.name} in {folder}")
    if len(written) < len(loaded.tasks):
        rest = len(loaded.tasks) - len(written)
        common.note(f"not written: {counted(rest, 'task')}, which `libdrift eval` can ask")
    common.note(f"complete them, then: libdrift score {loaded.argument} {shlex.quote(str(folder))}")
    common.leave_if_left_out(len(loaded.left_out))


_FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="File of JSON lines, one prompt per task.")
]
_StyleOption = Annotated[
    str, typer.Option(help="Style of in-line completions: fim, left or instruct.")
]
_FamilyOption = Annotated[
    str | None, typer.Option(help="Model whose fill-in-the-middle markers `--style fim` uses.")
]
_LimitOption = Annotated[
    int | None,
    typer.Option(
        min=1, help="Maximum tokens shown on each side of a gap in a line; the nearest are kept."
    ),
]
_RightOption = Annotated[
    str,
    typer.Option(help="Code shown after a gap: few (as published), whole, none, or N lines."),
]
_StrategyOption = Annotated[
    str,
    typer.Option("--strategy", "-s", help="greedy, or rag (with documents for the exact version)."),
]
_ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite the file.")]


@app.command("prompts")
def prompts(
    context: typer.Context,
    suite: common.SuiteArgument,
    file: _FileArgument,
    version: o.Version = True,
    imports: o.Imports = True,
    style: _StyleOption = "instruct",
    family: _FamilyOption = None,
    limit: _LimitOption = None,
    right: _RightOption = "few",
    wording: o.Prompts = "libdrift",
    strategy: _StrategyOption = "greedy",
    given: o.Set = None,
    sample: o.Sample = None,
    seed: o.SampleSeed = 0,
    per: o.Per = None,
    force: _ForceOption = False,
    data: common.DataOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Write the prompt for each task of a suite.

    Each line is {"task_id", "messages"} for a chat, or {"task_id", "prompt", "stop"} for text
    completion (styles fim and left). Give answers, as lines {"task_id": …, "answer": …}, to
    `libdrift score SUITE`. With `--strategy rag`, releases that are not mined yet are mined first.
    """
    from libdrift import suites
    from libdrift.evals.options import wording as wording_of
    from libdrift.jobs.prompting import PromptOptions, write_prompts
    from libdrift.scoring.descriptions import tasks_left_out
    from libdrift.suites.benchmarks import Asking

    loaded = suites.load(suite, common.settings(data or context.obj))
    options = PromptOptions(
        Asking(version, imports, style, family, limit, right=right),
        wording_of(wording),
        common.random_sample(sample, seed, per),
        force,
        data or context.obj,
        _searching(strategy, given or []),
    )
    lost: dict[str, str] = {}
    count = write_prompts(
        loaded, file, options, lambda line: typer.echo(line, err=True), lost.__setitem__
    )
    for task, reason in lost.items():
        common.warn(f"{task} has no prompt: {reason}")
    if as_json:
        told = {"suite": loaded.name, "file": str(file), "prompts": count}
        undocumented = {"without_documents": lost} if lost else {}
        common.print_json({**told, **undocumented, **tasks_left_out(loaded)})
    else:
        print(f"{counted(count, 'prompt')} of {loaded.name} in {file}")
        common.note(f"answer them, then: libdrift score {loaded.argument} ANSWERS")
    common.leave_if_left_out(len(loaded.left_out))
    if lost:
        raise typer.Exit(3)


def _searching(strategy: str, given: list[str]) -> EvalOptions | None:
    """How documents are searched for prompts; ``None`` where they have none."""
    from libdrift.errors import UserError

    if strategy == "greedy" and not given:
        return None  # without what strategies import
    if strategy not in {"greedy", "rag"}:
        raise UserError(
            f"--strategy {strategy}: prompts are written for greedy and rag",
            "Run: libdrift eval, which supports every strategy",
        )
    from libdrift.evals.options import EvalOptions
    from libdrift.evals.strategies import options_of

    return EvalOptions(strategy=strategy, **options_of(strategy, given))


app.command("coverage")(studies.coverage_command)
app.command("lint")(studies.lint_command)
