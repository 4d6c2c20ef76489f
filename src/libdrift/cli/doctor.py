from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common
from libdrift.cli.tables import marked, print_table

if TYPE_CHECKING:
    from libdrift.config import Settings


def doctor(
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Read everything that libdrift has stored on disk, and report damage."
        ),
    ] = False,
    runs: Annotated[
        Path, typer.Option("--runs", help="A run, or a folder of runs, to check.")
    ] = Path("runs"),
    as_json: common.JsonOption = False,
) -> None:
    """Show what is installed, what is missing and how to install it, and damaged files."""
    from rich.table import Table

    from libdrift.cli.doctor_stores import found_stores, print_stores, stores_as_json

    stores = found_stores(runs, deep=deep)
    found = _checks(common.settings())
    if as_json:
        common.print_json({"checks": found, "stores": stores_as_json(stores)})
    else:
        table = Table("piece", "state", "detail")
        for row in found:
            state = "ok" if row["ok"] else ("MISSING" if row["required"] else "missing")
            table.add_row(row["piece"], marked(state), row["detail"])
        print_table(table)
        print_stores(stores, deep=deep)
    if any(row["required"] and not row["ok"] for row in found) or any(
        one.damaged for one in stores
    ):
        raise typer.Exit(3)


def _checks(settings: Settings) -> list[dict[str, Any]]:
    from importlib.util import find_spec

    from libdrift.environments import discover, uv
    from libdrift.environments.recipes import knowledge
    from libdrift.environments.system import present
    from libdrift.errors import LibdriftError
    from libdrift.sandbox.backends import find_bwrap

    rows: list[dict[str, Any]] = []

    def add(piece: str, ok: bool, detail: str, required: bool = False) -> None:
        rows.append({"piece": piece, "ok": ok, "required": required, "detail": detail})

    try:
        path = uv.binary()
        add("uv", True, f"{uv.run(['--version']).stdout.strip()} at {path}", required=True)
    except LibdriftError as error:
        add("uv", False, str(error), required=True)
    try:
        bwrap = find_bwrap(settings.bwrap)
        add("bubblewrap", True, bwrap, required=True)
        add(*_sandbox(settings, forked=False), required=True)
        add(*_sandbox(settings, forked=True))
    except LibdriftError as error:
        add("bubblewrap", False, str(error), required=True)
    versions = {i.minor: i.version for i in reversed(discover(old=True))}
    for minor in ("2.7", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13"):
        way = f"pyenv install {minor}"
        get = way if minor == "2.7" else f"uv python install {minor}   (or: {way})"
        add(f"python {minor}", minor in versions, versions.get(minor, get))
    for name, ok, detail in (_rust(), _java()):
        add(name, ok, detail)
    for piece in knowledge().system:
        ok = present(piece, settings)
        add(piece.name, ok, "found" if ok else piece.install)
    for what, module, extra in (
        ("local models", "xllamacpp", "local"),
        ("linters", "pylint", "repair"),
        ("drawings", "matplotlib", "figures"),
        ("parquet files", "pyarrow", "parquet"),
        ("clusters", "ray", "ray"),
    ):
        found = find_spec(module) is not None
        add(what, found, "found" if found else f"pip install 'libdrift[{extra}]'")
    add(*_cache(settings), required=True)
    return rows


def _cache(settings: Settings) -> tuple[str, bool, str]:
    """Whether a file can be written there, by writing one: rights are not all that it takes."""
    import shutil
    import tempfile

    from libdrift.errors import write_failure

    try:
        settings.cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.cache) as file:
            file.write(bytes(1 << 16))
    except OSError as error:
        other = "point LIBDRIFT_CACHE at another folder"
        return "cache", False, str(write_failure(settings.cache, error, other))
    free = shutil.disk_usage(settings.cache).free
    return "cache", True, f"{settings.cache}, {free / 1e9:.0f} GB free"


def _rust() -> tuple[str, bool, str]:
    """What Rust answers are compiled with, and checked for the version that they are for."""
    from libdrift.languages.rust.toolchains import GET_STABLE, discover

    stable = [item for item in discover() if not item.nightly]
    versions = ", ".join(dict.fromkeys(item.version for item in stable))
    if stable and stable[0].clippy_driver is None:
        return "rust", False, f"{versions} without clippy: rustup component add clippy"
    return "rust", bool(stable), versions or GET_STABLE


def _java() -> tuple[str, bool, str]:
    from libdrift.errors import LibdriftError
    from libdrift.languages.java import jdks

    try:
        newest = jdks.newest()
    except LibdriftError as error:
        return "jdk", False, str(error)
    return "jdk", True, f"{newest.version}, for releases {newest.releases[0]} and later"


def _sandbox(settings: Settings, *, forked: bool) -> tuple[str, bool, str]:
    """The quick part of the conformance suite, on this machine, now."""
    from libdrift.environments import Failed, build
    from libdrift.sandbox import choose
    from libdrift.sandbox.conformance import PLAIN, check

    name = "fork server" if forked else "sandbox"
    place = build(PLAIN, settings)
    if isinstance(place, Failed):
        return name, False, place.reason
    failed = [
        f"{result.name}: {result.reason}"
        for result in check(choose("bubblewrap", settings), place, quick=True, forked=forked)
        if not result.ok
    ]
    if failed and forked:
        return name, False, f"answers run in fresh processes, slower ({failed[0]})"
    return name, not failed, "; ".join(failed) or "holds (conformance, quick part)"
