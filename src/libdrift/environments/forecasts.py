"""What environments will cost before they are built: how many, how long, how much disk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from libdrift.config import Settings
from libdrift.environments import store
from libdrift.environments.recipes import recipe_for
from libdrift.errors import LibdriftError
from libdrift.records import Environment

# Where nothing like it was built here: means over some hundred environments of benchmarks.
_USUAL_BYTES = 150_000_000  # a pin, with what it depends on
_USUAL_SECONDS = 15.0  # an environment


@dataclass(frozen=True, slots=True)
class BuildForecast:
    """What is to be built; ``size`` and ``seconds`` are estimates."""

    environments: int
    missing: int
    size: int  # bytes
    seconds: float


def forecast(
    environments: Iterable[Environment], settings: Settings, workers: int = 1
) -> BuildForecast:
    """Judge by environments that are on disk: files of a pin that one of them has are shared."""
    wanted = [one for one in dict.fromkeys(environments) if one.language == "python"]
    missing = [one for one in wanted if not _is_there(one, settings)]
    if not missing:
        return BuildForecast(len(wanted), 0, 0, 0.0)
    known = [entry for entry in store.entries(settings) if entry.status == "ready"]
    shared = {pin for entry in known for pin in entry.resolution}
    weights: dict[str, int] = {}
    for entry in known:
        for name in map(_name, entry.requirements):
            weights[name] = min(entry.size, weights.get(name, entry.size))
    pins = {pin for one in missing for pin in one.requirements} - shared
    seconds = median(entry.seconds for entry in known) if known else _USUAL_SECONDS
    return BuildForecast(
        len(wanted),
        len(missing),
        sum(weights.get(_name(pin), _USUAL_BYTES) for pin in pins),
        seconds * len(missing) / max(1, min(workers, len(missing))),
    )


def _is_there(environment: Environment, settings: Settings) -> bool:
    try:
        return store.read(store.home(settings, recipe_for(environment))) is not None
    except LibdriftError:  # it cannot be built: said where that is tried
        return True


def _name(requirement: str) -> str:
    try:
        return canonicalize_name(Requirement(requirement).name)
    except InvalidRequirement:
        return requirement
