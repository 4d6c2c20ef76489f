"""The options of `libdrift eval`, with what its help says of each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from libdrift.cli import common

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
        help="greedy, cot, sample, self-debug, rag, sek, agent, assistant, advisor, fim, left, "
        "instruct, api-info, no-info, repair or optimize; docs/strategies.md describes them.",
    ),
]
BaseUrl = Annotated[
    str | None, typer.Option(help="Address of an OpenAI-compatible server, up to /v1.")
]
Samples = Annotated[
    int | None, typer.Option("--samples", "-n", min=1, max=1000, help="Number of answers per task.")
]
AtK = Annotated[str | None, typer.Option("--k", help="Values of k for pass@k and metrics: 1,5,10.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first N tasks.")]
Sample = Annotated[
    int | None,
    typer.Option("--sample", min=1, help="Only this many tasks, drawn at random with --seed."),
]
Per = Annotated[
    str | None,
    typer.Option(
        "--per", help="Draw --sample tasks for each value of this fact: quarter, library."
    ),
]
SampleSeed = Annotated[int, typer.Option("--seed", help="Seed for --sample.")]
Where = Annotated[
    list[str] | None,
    typer.Option(help="Only tasks with this fact: library=numpy (repeatable)."),
]
Temperature = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=2,
        callback=common.finite,
        help="Sampling temperature. [default: the strategy's]",
    ),
]
TopP = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        callback=common.finite,
        help="Nucleus sampling threshold. [default: the strategy's]",
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the first sample; each further sample adds one.")]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        min=1, help="Maximum tokens per answer. [default: 2048; 512 for a model on this machine]"
    ),
]
PromptLimit = Annotated[
    int | None, typer.Option(min=64, help="Maximum tokens per prompt; longer prompts are cut.")
]
Structured = Annotated[
    bool | None,
    typer.Option(
        "--structured/--plain",
        help="Ask for answers as JSON. [default: if the provider supports it]",
    ),
]
Version = Annotated[
    bool,
    typer.Option("--tell-version/--no-tell-version", help="Tell the model the library's version."),
]
Imports = Annotated[
    bool, typer.Option("--imports/--no-imports", help="Show the code with its imports.")
]
Prompts = Annotated[
    str,
    typer.Option(
        "--prompts",
        help="Wording of prompts: libdrift, or paper (form and content of the paper's prompts).",
    ),
]
System = Annotated[
    Path | None, typer.Option(help="File with a system prompt that replaces libdrift's.")
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "-S",
        metavar="KEY=VALUE",
        help="Option of the strategy: rounds=2 (repeatable); `libdrift strategies "
        "NAME` lists them.",
    ),
]
McpServer = Annotated[
    str | None,
    typer.Option(
        "--mcp",
        metavar="COMMAND",
        help="MCP server whose tools an agent may also use: a command or a URL. Same as -S "
        "mcp=COMMAND.",
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        min=0, callback=common.finite, help="Stop asking when this many dollars are spent."
    ),
]
Price = Annotated[
    str, typer.Option(help="Price in dollars per million tokens, in and out: 0.15,0.60.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only count tasks, tokens and cost; ask nothing.")
]
AtOnce = Annotated[
    int | None, typer.Option("--at-once", min=1, help="Maximum number of concurrent requests.")
]
Retries = Annotated[int, typer.Option(min=0, help="Maximum number of retries per request.")]
Timeout = Annotated[int, typer.Option(min=1, help="Time limit per answer, in seconds.")]
Out = Annotated[
    Path | None, typer.Option(help="Folder of the run; by default a new one in ./runs.")
]
