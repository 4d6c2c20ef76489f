"""One finding or symbol, at length."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

from libdrift import config
from libdrift.advisor.explaining import Explanation, explain_symbol
from libdrift.advisor.loading import Releases
from libdrift.advisor.versions import VersionStep, read_pins, steps, tables
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.jobs.checking import CheckOptions, check
from libdrift.mining import MiningProgress
from libdrift.records import FindingLevel

_PLACE = re.compile(r"^(.+\.(?:pyw?|ipynb)):(\d+)$")


def explain(
    target: str, options: CheckOptions | None = None, progress: MiningProgress | None = None
) -> list[Explanation]:
    """What happens to a symbol, or to all of one line (``FILE:LINE``), between two versions."""
    options = options or CheckOptions()
    settings = config.load()
    releases = Releases(settings, options.store or settings.history, progress, options.offline)
    place = _PLACE.match(target)
    if place:
        return _line(Path(place[1]), int(place[2]), options, releases)
    if Path(target).is_file():
        raise UserError(
            f"{target} is a file", f"Name a line: libdrift explain {shlex.quote(str(target))}:LINE"
        )
    step = _step(target, options, releases)
    step, pair = releases.pair(step)
    with Store.open(releases.path, readonly=True) as store:
        return [explain_symbol(target, pair, store)]


def _line(file: Path, line: int, options: CheckOptions, releases: Releases) -> list[Explanation]:
    asked = replace(options, level=FindingLevel.INFO)
    found = check([file], asked, releases.progress)
    here = [item for item in found.findings if item.line <= line <= item.end_line]
    if not here:
        versions = [f"--from {text}" for text in options.old] + [
            f"--to {text}" for text in options.to
        ]
        told_by = " ".join(["libdrift check", str(file), *versions, "--level info"])
        raise UserError(f"{file}:{line}: no change affects this line", f"See: {told_by}")
    told: list[Explanation] = []
    pairs = {step.package: releases.pair(step)[1] for step in found.steps}
    with Store.open(releases.path, readonly=True) as store:
        for symbol in dict.fromkeys(item.symbol for item in here):
            some = tuple(item for item in here if item.symbol == symbol)
            told.append(explain_symbol(symbol, pairs[some[0].package], store, some))
    return told


def _step(symbol: str, options: CheckOptions, releases: Releases) -> VersionStep:
    """The package of a symbol, and the versions: bare ones are of that package."""
    package = _package(symbol, options, releases)
    pins = {
        option: read_pins([_pin(text, package) for text in texts], option)
        for option, texts in (("--from", options.old), ("--to", options.to))
    }
    targets = {package: pins["--to"].get(package, "")}
    found, untold = steps(targets, pins["--from"], tables(Path(), lambda _: None))
    if untold and options.old:
        given = ", ".join(options.old)
        raise UserError(
            f"--from {given} names no version of {package}", "Write it like --from 1.5.3"
        )
    if untold:
        raise UserError(f"{package}: the old version is unknown", "Add --from VERSION")
    return found[0]


def _pin(text: str, package: str) -> str:
    return f"{package}=={text}" if re.match(r"^v?\d", text) else text


def _package(symbol: str, options: CheckOptions, releases: Releases) -> str:
    root = symbol.partition(".")[0]
    if releases.path.exists():
        with Store.open(releases.path, readonly=True) as store:
            known = store.package_of(symbol)
        if known:
            return known
    named = [text for text in (*options.to, *options.old) if "==" in text]
    return named[0].partition("==")[0].strip() if named else root
