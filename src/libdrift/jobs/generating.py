"""Tasks by the papers' pipelines: a model writes, and what it wrote is proven by running it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from libdrift import config
from libdrift.errors import UserError
from libdrift.jobs.building import BuildOptions
from libdrift.jobs.histories import open_history
from libdrift.jobs.listening import Listener

if TYPE_CHECKING:
    from libdrift.build.live.gates.likeness import KnownTasks
    from libdrift.build.recipes.options import RecipeOptions
    from libdrift.build.recipes.steps import RecipeStart
    from libdrift.evals.generating import GeneratingModel, GenerationResult
    from libdrift.evals.running import ProviderLimits
    from libdrift.jobs.recipe_starts import SourceOptions

LEDGER = ".ledger"  # the folder beside a file of tasks


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """How tasks are written, and what that may cost."""

    building: BuildOptions = field(default_factory=BuildOptions)
    sources: SourceOptions | None = None
    paths: tuple[str, ...] = ()  # only what is about these APIs, or what is below them
    attempts: int = 3  # repairs of one reply
    difficulty: str = "easy"  # codemenv: easy or hard
    calls: int = 2  # codemenv: incompatible calls of a hard program
    backward: bool = False  # codemenv: from the newer release to the older
    form: str = "completion"  # versicode: completion, migration or executable
    levels: tuple[str, ...] = ()  # versicode: token, line, block
    coverage: float = 0.9  # rustevo: share of blocks that tests must reach
    judged: bool = True  # rustevo: a judge decides on queries
    base_url: str | None = None
    max_cost: float | None = None  # dollars
    price: str = ""  # dollars per million tokens in and out: 0.15,0.60
    max_tokens: int | None = None  # of one reply
    patience: ProviderLimits | None = None


@dataclass(slots=True)
class GeneratedFile:
    """What was made of how many starts, what it took, and why the rest came to nothing."""

    path: Path
    ledger: Path
    recipe: str
    model: str
    starts: int = 0
    made: int = 0  # starts that gave tasks, proven or not
    repaired: int = 0  # of these: some reply had to be mended
    proven: int = 0  # tasks in the file
    by_text: bool = False  # answers to them are compared, and not run
    open: int = 0  # starts without an end: asked or run in vain
    over_limit: int = 0
    rejected: dict[str, int] = field(default_factory=dict)  # starts, by the stage that ended them
    refused: dict[str, int] = field(default_factory=dict)  # tasks, by gate
    reasons: list[dict[str, str]] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)  # what was no start
    usage: dict[str, float] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    ended_by: str = ""  # what ended it early

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "path": str(self.path), "ledger": str(self.ledger)}


def generate_tasks(
    recipe: str,
    package: str,
    versions: Sequence[str],
    model: str,
    options: GenerateOptions | None = None,
    listener: Listener | None = None,
) -> GeneratedFile:
    """Write tasks by a paper's recipe with any model; only what is proven goes into the file.

    The same call goes on where an earlier one ended: nothing is asked twice.
    """
    from libdrift.build.recipes.executing import SandboxExecutor
    from libdrift.build.recipes.gates import usual_gates
    from libdrift.evals import generating
    from libdrift.execution import RunFolder, Silent
    from libdrift.jobs.building_live import prompt_of
    from libdrift.scoring import Runner

    options, listener = options or GenerateOptions(), listener or Listener()
    settings = config.load()
    writer = _writer(model, options)
    path = _path(recipe, package, options)
    suite = f"{recipe}-{package.replace(':', '-')}"
    outcome = GeneratedFile(path, path.with_suffix(LEDGER), recipe, model)
    about = _about(recipe, package, versions, options)
    left_out: Counter[str] = Counter()
    with open_history(options.building.store) as history:
        from libdrift.jobs.recipe_starts import RecipeWork, SourceOptions, starts_of, versions_of

        found = starts_of(
            recipe,
            RecipeWork(
                history,
                package,
                versions_of(history, package, versions),
                settings,
                _recipe_options(suite, options),
                options.sources or SourceOptions(),
                listener.warn,
                left_out,
            ),
        )
    starts = _limited(_about_paths(found, options.paths), options.building, outcome)
    outcome.left_out = dict(left_out.most_common())
    runner = Runner(settings, options.building.running, listener)
    folder = RunFolder(outcome.ledger)
    with listener.generating(len(starts)) as watch:
        # The bar is the watch's: a second one for each of many small runs would flicker.
        executor = SandboxExecutor(runner.with_progress(Silent()))
        gates = usual_gates(executor, prompt_of, partial(published_tasks, settings))
        work = generating.Generation(starts, executor, gates, about)
        result = generating.generate(work, writer, folder, settings, watch)
    _conclude(outcome, result, suite)
    return outcome


def published_tasks(settings: config.Settings) -> KnownTasks:
    """Every benchmark whose data is at hand."""
    from libdrift.build.live.gates.likeness import KnownTasks

    return KnownTasks.with_published(settings)


def _writer(model: str, options: GenerateOptions) -> GeneratingModel:
    from libdrift.evals import costs
    from libdrift.evals.generating import GeneratingModel
    from libdrift.evals.running import ProviderLimits
    from libdrift.jobs.evaluating import longest, no_price

    price = costs.read_price(options.price) if options.price else None
    writer = GeneratingModel(
        model,
        options.base_url,
        price,
        options.max_cost,
        options.max_tokens or longest(model),
        patience=options.patience or ProviderLimits(),
    )
    if options.max_cost is not None and writer.prices(1, 1) is None:
        raise no_price(model)
    return writer


def _path(recipe: str, package: str, options: GenerateOptions) -> Path:
    from libdrift.jobs.recipe_starts import RECIPES
    from libdrift.suites import task_files

    if recipe not in RECIPES:
        raise UserError(f"no recipe {recipe!r}", f"Choose one of: {', '.join(RECIPES)}")
    path = options.building.out or Path(f"{recipe}-{package.replace(':', '-')}.jsonl")
    if path.suffix != task_files.ENDING:
        raise UserError(
            f"{path} does not end in {task_files.ENDING}",
            f"Write it like --out tasks{task_files.ENDING}",
        )
    ours = path.with_suffix(LEDGER).is_dir()
    if path.exists() and not ours and not options.building.force:
        raise UserError(f"{path} already exists", "Choose another --out, or add --force")
    return path


def _recipe_options(suite: str, options: GenerateOptions) -> RecipeOptions:
    from libdrift.build.excerpts import Level
    from libdrift.build.recipes.options import EASY, FORMS, HARD, RecipeOptions

    for value, known, name in (
        (options.difficulty, (EASY, HARD), "difficulty"),
        (options.form, FORMS, "form"),
        *((level, (Level.TOKEN, Level.LINE, Level.BLOCK), "level") for level in options.levels),
    ):
        if value not in known:
            raise UserError(f"no {name} {value!r}", f"Choose one of: {', '.join(known)}")
    plain = RecipeOptions(suite)
    return RecipeOptions(
        suite,
        options.attempts,
        options.difficulty,
        options.calls,
        options.backward,
        options.form,
        tuple(Level(one) for one in options.levels) or plain.levels,
        options.coverage,
        options.judged,
    )


def _about(
    recipe: str, package: str, versions: Sequence[str], options: GenerateOptions
) -> dict[str, Any]:
    """What a ledger is of. A limit is not in it: with a higher one it goes on."""
    names = "attempts difficulty calls backward form levels coverage judged".split()
    told = {name: getattr(options, name) for name in names}
    return {"recipe": recipe, "package": package, "versions": list(versions), **told}


def _about_paths(found: Sequence[RecipeStart], paths: Sequence[str]) -> list[RecipeStart]:
    wanted = tuple(path.replace("::", ".") for path in paths)

    def takes(start: RecipeStart) -> bool:
        names = start.about.replace("::", ".").split(", ")
        return any(f"{name}.".startswith(f"{path}.") for name in names for path in wanted)

    return [start for start in found if not wanted or takes(start)]


def _limited(
    found: Sequence[RecipeStart], options: BuildOptions, outcome: GeneratedFile
) -> list[RecipeStart]:
    starts = list(found)
    if options.limit is not None and options.limit < len(starts):
        outcome.over_limit = len(starts) - options.limit
        # Shuffled, and not a sample: a higher limit has all that a lower one had.
        order = list(range(len(starts)))
        Random(options.seed).shuffle(order)  # noqa: S311
        starts = [starts[at] for at in sorted(order[: options.limit])]
    outcome.starts = len(starts)
    if not starts:
        raise UserError(
            "no change or code to make tasks from",
            "Choose other releases, or sources with code that uses the package",
        )
    return starts


def _conclude(outcome: GeneratedFile, result: GenerationResult, suite: str) -> None:
    from libdrift.evals.generating import tasks_of
    from libdrift.execution.runs import provenance
    from libdrift.suites import task_files

    rejected: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    tasks = []
    for line in result.lines:
        if line.ended == "rejected":
            rejected[line.stage] += 1
            outcome.reasons.append({"id": line.start, "by": line.stage, "reason": line.reason})
            continue
        outcome.made += 1
        outcome.repaired += line.repairs > 0
        tasks += tasks_of(line)
        for task_id, gate, reason in line.refused:
            refused[gate] += 1
            outcome.reasons.append({"id": task_id, "by": gate, "reason": reason})
    outcome.rejected, outcome.refused = dict(rejected.most_common()), dict(refused.most_common())
    outcome.open, outcome.troubles = result.open, list(result.troubles)
    outcome.usage = result.totals.usage(result.reused)
    outcome.ended_by = str(result.over) if result.over else ""
    title = f"{outcome.recipe}: {suite.partition('-')[2]}"
    about = {**provenance(), "recipe": outcome.recipe, "model": outcome.model}
    outcome.by_text = any(task.gap is not None for task in tasks)
    outcome.proven = task_files.write(outcome.path, suite, title, tasks, about)
