"""What the makers of recipes can be told."""

from __future__ import annotations

from dataclasses import dataclass

from libdrift.build.excerpts import Level

EASY, HARD = "easy", "hard"
COMPLETION, MIGRATION, EXECUTABLE = "completion", "migration", "executable"
FORMS = (COMPLETION, MIGRATION, EXECUTABLE)


@dataclass(frozen=True, slots=True)
class RecipeOptions:
    """How tasks are made; each recipe heeds what it knows of."""

    suite: str
    attempts: int = 3  # repairs of one reply, each with its error
    difficulty: str = EASY  # codemenv: one incompatible call, or several
    calls: int = 2  # codemenv: how many are several
    backward: bool = False  # codemenv: from the newer release to the older
    form: str = COMPLETION  # versicode
    levels: tuple[Level, ...] = (Level.TOKEN, Level.LINE, Level.BLOCK)  # versicode
    coverage: float = 0.9  # rustevo: share of blocks that tests reach
    judged: bool = True  # rustevo: the model is asked whether a query is any good
