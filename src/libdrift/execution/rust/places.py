"""Where units are judged: the toolchain for a version, and the crates of an environment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from libdrift.environments.crate_troubles import Unavailable
from libdrift.environments.crates import CommandResult, CrateBuild, Crates, provide
from libdrift.errors import InfrastructureError
from libdrift.execution.rust.compiling import Compiler, generous
from libdrift.execution.rust.judging import RustJudge
from libdrift.execution.rust.units import Unit
from libdrift.languages.rust import toolchains
from libdrift.languages.rust.calls import Implementation
from libdrift.languages.rust.toolchains import Toolchain
from libdrift.records import Environment
from libdrift.sandbox.commands import Command, run

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options

_BUILD_SECONDS = 900.0


def toolchain_for(environment: Environment) -> Toolchain:
    """The toolchain of exactly the environment's version, else the newest with its checks."""
    try:
        wanted = Version(environment.runtime)
    except InvalidVersion:
        raise InfrastructureError(
            f"not a version of Rust: {environment.runtime!r}", "Give one like 1.84.0"
        ) from None
    version = ".".join(map(str, (*wanted.release, 0, 0)[:3]))
    exact = toolchains.find(version)
    if exact:
        return exact
    newest = toolchains.newest()
    if Version(newest.version) < wanted:
        raise InfrastructureError(
            f"needs Rust {version}, and the newest here is {newest.version}",
            f"Install it with: rustup toolchain install {version}",
        )
    if newest.clippy_driver is None:
        raise InfrastructureError(
            f"Rust {newest.version} cannot check for Rust {version} without clippy",
            f"Install it with: rustup component add clippy --toolchain {newest.name}",
        )
    return newest


def prepare(units: Sequence[Unit], options: Options, stop: threading.Event) -> RustJudge | str:
    """A judge for units of one toolchain and one set of crates; or why there is none."""
    environment = units[0].environment
    crates = crates_for(environment, options, stop)
    if isinstance(crates, Unavailable):
        return f"no environment for {environment}: {crates.reason}"
    toolchain = toolchain_for(environment)
    compiler = Compiler(toolchain, crates, options.backend, options.limits, stop)
    named = {api for unit in units for api in unit.apis if not Implementation.of(api)}
    apis = compiler.resolvable(sorted(named))
    return RustJudge(compiler, options.limits, apis)


def crates_for(
    environment: Environment, options: Options, stop: threading.Event | None = None
) -> Crates | Unavailable:
    """The crates of an environment, built in the sandbox if they are not there yet."""
    toolchain = toolchain_for(environment)
    if not environment.requirements:
        return Crates()
    build = _sandboxed(options, stop or threading.Event())
    return provide(environment, toolchain, options.settings, build)


def _sandboxed(options: Options, stop: threading.Event) -> Callable[[CrateBuild], CommandResult]:
    """How crates are built: in the sandbox that answers are judged in, with more of everything."""

    def build(work: CrateBuild) -> CommandResult:
        command = Command(
            argv=work.argv,
            environ=work.environ,
            read=work.read,
            write=work.write,
            folder=work.folder,
        )
        limits = generous(options.limits, _BUILD_SECONDS)
        ended = run(command, options.backend, limits, stop)
        stopped = "interrupted" if ended.stopped_by == "request" else ""
        return CommandResult(ended.status, ended.stdout, ended.stderr, ended.trouble or stopped)

    return build
