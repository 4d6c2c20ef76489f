"""The options of `libdrift eval`, with what its help says of each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Model = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        help="PROVIDER/NAME, smollm2 (embedded), gguf/FILE, replay/FILE or scripted/FILE.",
    ),
]
Strategy = Annotated[
    str,
    typer.Option(
        "--strategy",
        "-s",
        help="greedy, cot, sample, self-debug, rag, sek, agent, assistant, fim, left, instruct, "
        "api-info, no-info, repair or optimize; docs/strategies.md tells what each sends.",
    ),
]
BaseUrl = Annotated[
    str | None, typer.Option(help="Address of an OpenAI-compatible server, up to /v1.")
]
Samples = Annotated[
    int | None, typer.Option("--samples", "-n", min=1, max=1000, help="Answers a task.")
]
AtK = Annotated[
    str | None, typer.Option("--k", help="pass@k and metrics at these numbers: 1,5,10.")
]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first so many tasks.")]
Where = Annotated[
    list[str] | None,
    typer.Option(help="Only tasks with this fact: library=numpy (may be repeated)."),
]
Temperature = Annotated[
    float | None, typer.Option(min=0, max=2, help="The strategy's own by default.")
]
TopP = Annotated[float | None, typer.Option(min=0, max=1)]
Seed = Annotated[int, typer.Option(help="Of the first sample; the next has the next.")]
MaxTokens = Annotated[
    int | None,
    typer.Option(min=1, help="Of one answer; by default 2048, and 512 of a model served here."),
]
PromptLimit = Annotated[
    int | None, typer.Option(min=64, help="Tokens of a prompt: longer ones are cut.")
]
Structured = Annotated[
    bool | None,
    typer.Option("--structured/--plain", help="Answers as JSON; by default where it is had."),
]
Version = Annotated[
    bool, typer.Option("--tell-version/--no-tell-version", help="Tell the library's version.")
]
Imports = Annotated[
    bool, typer.Option("--imports/--no-imports", help="Show code with its imports.")
]
System = Annotated[Path | None, typer.Option(help="File with a system prompt in place of ours.")]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "-S",
        metavar="KEY=VALUE",
        help="An option of the strategy: rounds=2 (may be repeated); `libdrift strategies` "
        "lists them.",
    ),
]
MaxCost = Annotated[
    float | None, typer.Option(min=0, help="Stop asking when so many dollars are spent.")
]
Price = Annotated[str, typer.Option(help="Dollars per million tokens in and out: 0.15,0.60.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only count tasks, tokens and cost.")]
AtOnce = Annotated[
    int | None, typer.Option("--at-once", min=1, help="Questions under way at a time.")
]
Retries = Annotated[int, typer.Option(min=0, help="Of a request that failed.")]
Timeout = Annotated[int, typer.Option(min=1, help="Seconds for one answer.")]
Out = Annotated[Path | None, typer.Option(help="Folder of the run; by default one below ./runs.")]
