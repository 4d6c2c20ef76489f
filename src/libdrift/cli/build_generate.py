"""`libdrift build generate`: the papers' pipelines, with any model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli import eval_options as o
from libdrift.cli.history import StoreOption
from libdrift.showing import counted, relative

if TYPE_CHECKING:
    from libdrift.jobs.generating import GeneratedFile
    from libdrift.jobs.recipe_starts import SourceOptions

_SHOWN = 20  # reasons

_Recipe = Annotated[
    str,
    typer.Option(
        "--recipe",
        metavar="codemenv|gitchameleon|libevolutioneval|rustevo|versicode",
        help="The paper whose pipeline is used.",
    ),
]
_Package = Annotated[
    str, typer.Option("--package", help="A mined package, `rust`, or a mined `crate:NAME`.")
]
_Versions = Annotated[
    str,
    typer.Option("--versions", help="Mined releases: OLD,NEW; for completions, any number."),
]
_Path = Annotated[
    list[str] | None,
    typer.Option("--path", help="Only APIs at or below this path (repeatable)."),
]
_Limit = Annotated[int | None, typer.Option(min=1, help="Start from at most N APIs or snippets.")]
_Seed = Annotated[int, typer.Option("--seed", help="Seed for choosing them with --limit.")]
_Attempts = Annotated[
    int,
    typer.Option(
        "--attempts",
        min=0,
        max=20,
        help="Maximum number of repairs per reply; the model is shown the error.",
    ),
]
_Difficulty = Annotated[
    str,
    typer.Option(
        metavar="easy|hard", help="codemenv: one incompatible call (easy), or several (hard)."
    ),
]
_Calls = Annotated[
    int,
    typer.Option(
        "--calls", min=2, max=5, help="codemenv: number of incompatible calls in a hard task."
    ),
]
_Backward = Annotated[
    bool,
    typer.Option("--backward", help="codemenv: migrate from the newer release to the older one."),
]
_Form = Annotated[
    str,
    typer.Option(
        "--form", metavar="completion|migration|executable", help="versicode: kind of task."
    ),
]
_Level = Annotated[
    list[str] | None,
    typer.Option("--level", help="versicode: token, line or block (repeatable; by default all)."),
]
_Coverage = Annotated[
    float,
    typer.Option(
        "--coverage",
        min=0,
        max=1,
        callback=common.finite,
        help="rustevo: share of the solution's blocks that its tests must run.",
    ),
]
_Judged = Annotated[
    bool, typer.Option("--judged/--unjudged", help="rustevo: let the model check its own queries.")
]
_Crate = Annotated[
    list[str] | None,
    typer.Option("--uses-in", help="rustevo: a crate to search for uses of the API (repeatable)."),
]
_Repositories = Annotated[
    list[Path] | None,
    typer.Option(
        "--repositories",
        help="versicode: a repository, a folder of repositories, or a file that lists them "
        "(repeatable).",
    ),
]
_Licence = Annotated[
    str,
    typer.Option("--licence", help="Only repositories with one of these licences: MIT,Apache-2.0."),
]
_Stars = Annotated[
    Path | None, typer.Option("--stars", help="CSV file with the columns repository and stars.")
]
_MinStars = Annotated[int, typer.Option("--min-stars", min=0, help="Minimum number of stars.")]
_Posts = Annotated[
    Path | None, typer.Option("--posts", help="versicode: Posts.xml of a Stack Overflow dump.")
]
_MinScore = Annotated[int, typer.Option("--min-score", help="Minimum score of answers.")]
_Out = Annotated[
    Path | None,
    typer.Option(
        "--out", help="The file of tasks; its ledger (replies and results) is a folder beside it."
    ),
]
_Force = Annotated[bool, typer.Option("--force", help="Overwrite the file.")]


def generate(
    recipe: _Recipe,
    package: _Package,
    versions: _Versions,
    model: o.Model,
    base_url: o.BaseUrl = None,
    path: _Path = None,
    limit: _Limit = None,
    seed: _Seed = 0,
    attempts: _Attempts = 3,
    difficulty: _Difficulty = "easy",
    calls: _Calls = 2,
    backward: _Backward = False,
    form: _Form = "completion",
    level: _Level = None,
    coverage: _Coverage = 0.9,
    judged: _Judged = True,
    uses_in: _Crate = None,
    repository: _Repositories = None,
    licence: _Licence = "",
    stars: _Stars = None,
    min_stars: _MinStars = 0,
    posts: _Posts = None,
    min_score: _MinScore = 0,
    max_cost: o.MaxCost = None,
    price: o.Price = "",
    max_tokens: o.MaxTokens = None,
    at_once: o.AtOnce = None,
    retries: o.Retries = 5,
    timeout: o.Timeout = 600,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    out: _Out = None,
    force: _Force = False,
    store: StoreOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Generate tasks with a model, following a paper's pipeline; only verified tasks are written.

    Every reply is checked and run. If a reply fails, the model is shown the error and asked again,
    up to --attempts times. An interrupted command continues where it stopped and repeats no
    request.
    """
    from libdrift.cli.listening import TerminalListener
    from libdrift.evals.running import ProviderLimits
    from libdrift.jobs.building import BuildOptions
    from libdrift.jobs.generating import GenerateOptions, generate_tasks
    from libdrift.scoring import RunOptions

    options = GenerateOptions(
        building=BuildOptions(out, force, store, limit, seed, RunOptions(sandbox, workers)),
        sources=_sources(repository, licence, stars, min_stars, posts, min_score, uses_in),
        paths=tuple(path or ()),
        attempts=attempts,
        difficulty=difficulty,
        calls=calls,
        backward=backward,
        form=form,
        levels=tuple(level or ()),
        coverage=coverage,
        judged=judged,
        base_url=base_url,
        max_cost=max_cost,
        price=price,
        max_tokens=max_tokens,
        patience=ProviderLimits(retries, timeout, at_once),
    )
    asked = [part.strip() for part in versions.split(",") if part.strip()]
    found = generate_tasks(recipe, package, asked, model, options, TerminalListener())
    if as_json:
        common.print_json(found.to_json())
    else:
        _show(found)
    _tell(found)
    if found.open:
        raise typer.Exit(3)


def _sources(
    repository: list[Path] | None,
    licence: str,
    stars: Path | None,
    min_stars: int,
    posts: Path | None,
    min_score: int,
    crates: list[str] | None,
) -> SourceOptions:
    from libdrift.build.choosing import RepositoryFilter
    from libdrift.errors import UserError
    from libdrift.jobs.recipe_starts import SourceOptions

    if min_stars and stars is None:
        raise UserError("--min-stars without --stars", "Add --stars FILE, a CSV with the stars")
    licences = frozenset(part.strip() for part in licence.split(",") if part.strip())
    wanted = RepositoryFilter(licences, stars, min_stars)
    if (licences or stars) and not repository:
        raise UserError("--licence and --stars need --repositories", "Name some")
    return SourceOptions(tuple(repository or ()), wanted, posts, min_score, tuple(crates or ()))


def _show(found: GeneratedFile) -> None:
    from rich.table import Table

    usage = found.usage
    table = Table("stage", "count", title=f"{found.recipe} by {found.model}")
    table.columns[1].justify = "right"
    rows: list[tuple[str, object]] = [
        ("starts", found.starts),
        ("made", found.made),
        ("repaired", found.repaired),
        ("proven tasks", found.proven),
        *((f"rejected at {stage}", count) for stage, count in found.rejected.items()),
        *((f"refused by check: {gate}", count) for gate, count in found.refused.items()),
        ("not ended", found.open),
        ("requests", int(usage.get("calls", 0))),
        ("cost", f"${usage.get('cost', 0.0):.4f}"),
    ]
    for name, count in rows:
        table.add_row(name, str(count))
    common.stdout().print(table)
    if found.proven:
        print(f"{counted(found.proven, 'task')} in {relative(found.path)}")


def _tell(found: GeneratedFile) -> None:
    for one in found.reasons[:_SHOWN]:
        reason = one["reason"].splitlines()[0] if one["reason"] else ""
        common.note(f"{one['id']}: {one['by']}: {reason}")
    if len(found.reasons) > _SHOWN:
        common.note(f"and {len(found.reasons) - _SHOWN} more, in {relative(found.ledger)}")
    if found.over_limit:
        common.note(f"left out: {found.over_limit:,} over the limit")
    for why, count in found.left_out.items():
        common.note(f"left out: {count:,} {why}")
    for line in found.troubles[:_SHOWN]:
        common.warn(line)
    if found.ended_by:
        common.warn(f"ended early: {found.ended_by}")
    if found.open:
        common.note(f"{found.open} starts are not finished: the same command continues with them")
    if found.proven:
        where = relative(found.path)
        common.note(f"to review them: libdrift build review {where}")
        again = f"score answers: libdrift score {where} ANSWERS" if found.by_text else ""
        common.note(again or f"prove them again: libdrift audit {where}")
