from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli.tables import print_table
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.analysis.searches import SearchQuality
    from libdrift.jobs.retrieving import RetrievalReport


def retrieval_command(
    suite: common.SuiteArgument,
    retriever: Annotated[
        str, typer.Option(help="How documents are found: bm25, dense or hybrid.")
    ] = "bm25",
    embedder: Annotated[
        str,
        typer.Option(help="Model for dense and hybrid: smollm2, gguf/FILE, or URL#MODEL."),
    ] = "",
    k: Annotated[
        int, typer.Option("--k", min=1, help="Number of retrieved documents that count.")
    ] = 3,
    where: Annotated[
        list[str] | None,
        typer.Option("--where", help="Only tasks with this fact: library=numpy (repeatable)."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Maximum number of tasks.")] = None,
    docs: Annotated[
        Path | None,
        typer.Option(
            "--docs",
            help="Instead of mined documents: a folder of documents (see rag), or "
            "'published' for those "
            "released with the suite.",
        ),
    ] = None,
    data: common.DataOption = None,
    as_json: common.JsonOption = False,
    store: Annotated[
        Path | None,
        typer.Option("--store", help="History file. [default: the file in the data folder]"),
    ] = None,
) -> None:
    """Measure how well retrieval finds the right documents for a suite's tasks.

    Results are listed by library and version. Releases that are not mined yet are mined first. No
    model is asked for answers.
    """
    from libdrift.errors import UserError
    from libdrift.jobs.retrieving import RetrievalOptions, measure_retrieval
    from libdrift.retrieval.passages import Way

    if retriever not in list(Way):
        raise UserError(f"unknown retriever {retriever!r}", f"Use one of: {', '.join(Way)}")
    if embedder and retriever == Way.BM25:
        raise UserError(
            "--embedder needs dense or hybrid", "Add --retriever dense, or leave it out"
        )
    options = RetrievalOptions(retriever, embedder, k, tuple(where or ()), limit, docs, store, data)
    found = measure_retrieval(suite, options, lambda line: typer.echo(line, err=True))
    if as_json:
        common.print_json(found.to_json())
    else:
        _print(found)


def _print(found: RetrievalReport) -> None:
    from rich.table import Table

    quality = found.quality
    for lost in found.unmined:
        common.warn(f"{lost.package} {lost.version} is not mined: {lost.reason}")
    head = [f"{name}@{quality.k}" for name in ("hit", "precision", "recall", "ndcg")]
    table = Table("release", "tasks", *head, "mrr")
    groups = {"all": quality, **quality.of(lambda item: item.release[0])}
    groups |= quality.of(lambda item: " ".join(item.release))
    for name, item in groups.items():
        table.add_row(name, str(len(item.searches)), *_cells(item))
    print_table(table)
    print(
        f"{found.suite}, {found.options.retriever}: {len(quality.searches)} of "
        f"{counted(found.tasks, 'task')} searched;"
        f" {len(quality.without_gold)} without a known document,"
        f" {len(quality.not_mined)} not mined; documents of another version: {quality.foreign}"
    )


def _cells(item: SearchQuality) -> list[str]:
    values = (item.hit, item.precision, item.recall, item.ndcg, item.mrr)
    return ["–" if value is None else f"{value:.3f}" for value in values]
