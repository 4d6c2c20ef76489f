"""Records of environments, as if they had been built."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from libdrift.config import Settings
from libdrift.environments import recipe_for, store
from libdrift.records import Environment

DAY = date(2026, 1, 1)


def env(*pins: str) -> Environment:
    return Environment("python", "3.11", pins, DAY)


def keep(environment: Environment, settings: Settings, size: int, seconds: float) -> None:
    recipe = recipe_for(environment)
    entry = store.StoredEnvironment(
        key=recipe.key,
        language="python",
        runtime="3.11",
        requirements=environment.requirements,
        as_of=DAY,
        status="ready",
        resolution=environment.requirements,
        size=size,
        seconds=seconds,
        built=store.now(),
    )
    folder = store.home(settings, recipe)
    folder.mkdir(parents=True)
    Path(folder, store.RECORD).write_text(entry.model_dump_json(), encoding="utf-8")
