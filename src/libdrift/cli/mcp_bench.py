from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.mcp.measuring import ServerMeasurement

_ROWS = (
    ("states_version", "says which version it serves"),
    ("version_right", "serves the requested version"),
    ("signature_right", "gives that version's signature"),
    ("absence_told", "says so if the version lacks the symbol"),
    ("right", "entirely right"),
    ("wrong_on_changed", "wrong, for symbols that changed since"),
)


def mcp_bench_command(
    server: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND…", help="Commands that start servers, or http addresses of servers."
        ),
    ],
    adapter: Annotated[
        str,
        typer.Option(help="Tools to call: libdrift, context7, docs-mcp-server, or a YAML file."),
    ] = "libdrift",
    samples: Annotated[int, typer.Option(min=1, help="Number of questions.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed for choosing questions.")] = 0,
    package: Annotated[
        list[str] | None, typer.Option("--package", help="Only this package (repeatable).")
    ] = None,
    as_json: common.JsonOption = False,
    store: Annotated[
        Path | None,
        typer.Option("--store", help="History file. [default: the file in the data folder]"),
    ] = None,
) -> None:
    """Measure how version-exact documentation servers are, on mined releases.

    The servers are asked, through their own tools, for symbols at older releases. No model grades
    the answers.
    """
    import anyio

    from libdrift.jobs.histories import open_history
    from libdrift.mcp.measuring import load_adapter, measure, sample_cases

    chosen = load_adapter(adapter)
    with open_history(store) as history:
        cases = sample_cases(history, samples, seed, package or ())
    found = []
    with common.progress_bar() as bar:
        line = bar.add_task("questions", total=len(cases) * len(server), note="")
        for command in server:
            bar.update(line, note=command[:40])
            found.append(anyio.run(measure, command, chosen, cases, lambda _: bar.advance(line)))
    if as_json:
        common.print_json({"servers": [item.to_json() for item in found]})
    else:
        _print(found)


def _print(found: list[ServerMeasurement]) -> None:
    for item in found:
        data = item.to_json()
        asked = counted(data["questions"], "question")
        print(f"{item.server} ({asked}, {data['changed']} changed since)")
        for key, words in _ROWS:
            value = data[key]
            print(f"  {'–' if value is None else f'{100 * value:.1f} %':>8}  {words}")
        print(
            f"  {data['seconds_median']:.3f} s median, {data['seconds_p95']:.3f} s p95;"
            f" {data['tokens_median']:.0f} tokens median; {data['failed']} failed"
        )
