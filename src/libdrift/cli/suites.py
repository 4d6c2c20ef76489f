from __future__ import annotations

from typing import Annotated, Any

import typer

from libdrift.cli import common

app = typer.Typer(
    help="List benchmarks and their tasks.", no_args_is_help=False, rich_markup_mode=None
)


@app.callback(invoke_without_command=True)
def overview(context: typer.Context, as_json: common.JsonOption = False) -> None:
    """List benchmarks: tasks, environments, and where their data comes from."""
    if context.invoked_subcommand is not None:
        return
    from rich.table import Table

    from libdrift import suites

    found = [suites.load(name, common.settings()) for name in suites.names()]
    if as_json:
        rows = [
            {
                "suite": suite.name,
                "title": suite.title,
                "tasks": len(suite.tasks),
                "environments": len(suite.environments),
                "source": suite.source,
            }
            for suite in found
        ]
        common.print_json({"suites": rows})
        return
    table = Table("suite", "tasks", "environments", "source")
    for suite in found:
        table.add_row(suite.name, str(len(suite.tasks)), str(len(suite.environments)), suite.source)
    common.stdout().print(table)


@app.command("show")
def show(
    suite: Annotated[str, typer.Argument(help="Name of a suite.")],
    task: Annotated[str | None, typer.Argument(help="Id of one task, for its whole text.")] = None,
    as_json: common.JsonOption = False,
) -> None:
    """List a suite's tasks, or show what one task asks."""
    from rich.table import Column, Table

    from libdrift import suites

    loaded = suites.load(suite, common.settings())
    chosen = suites.select(loaded, [task] if task else [])
    if as_json:
        common.print_json({"suite": loaded.name, "tasks": [_row(item) for item in chosen]})
    elif task:
        only = chosen[0]
        pins = ", ".join(only.environment.requirements)
        print(f"{only.id}: {only.title}\nPython {only.environment.runtime}, {pins}\n")
        print(f"{only.problem}\n\n{only.starter}")
    else:
        table = Table(Column("task", no_wrap=True), "library", "change", "title")
        for item in chosen:
            version = f"{item.facts.library} {item.facts.version}"
            table.add_row(item.id, version, item.facts.change or "–", item.title)
        common.stdout().print(table)


def _row(task: Any) -> dict[str, Any]:  # noqa: ANN401  (records are imported inside commands)
    """What a candidate may see of a task, and its facts; never its tests or answers."""
    from dataclasses import asdict

    facts = {key: value and str(value) for key, value in asdict(task.facts).items()}
    return {
        "task_id": task.id,
        "title": task.title,
        "problem": task.problem,
        "starter": task.starter,
        "python": task.environment.runtime,
        "requirements": list(task.environment.requirements),
        "facts": facts,
    }
