"""The command tree and the one place where errors become exit codes."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from libdrift.cli import (
    audit,
    build,
    check,
    demo,
    diff,
    docs,
    doctor,
    env,
    explain,
    history,
    judge,
    migrate,
    mine,
    report,
    score,
    suites,
    surface,
)
from libdrift.cli import (
    eval as evaluating,
)
from libdrift.cli.streams import filter_streams
from libdrift.errors import REFUSALS, LibdriftError
from libdrift.showing import in_a_line


class Commands(TyperGroup):
    """Says, on Ctrl-C, that nothing is lost (typer itself would end without a word)."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]  # noqa: ANN401
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print(
                "libdrift: interrupted; what was computed is kept, "
                "the same command goes on from there",
                file=sys.stderr,
            )
            raise typer.Exit(130) from None
        except BrokenPipeError:  # `| head` has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(141) from None


app = typer.Typer(
    cls=Commands,
    name="libdrift",
    help="Does this code work with exactly the library version at hand?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Plain help: rich would double the time that `libdrift --help` takes.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        from libdrift.version import __version__

        print(f"libdrift {__version__}")
        raise typer.Exit


@app.callback()
def root(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print more on stderr.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    del version
    import logging

    logging.basicConfig(
        level=logging.INFO if verbose else logging.ERROR, format="%(name)s: %(message)s"
    )
    if not verbose:
        # What of a benchmark's data or answers could not be used: who reads its numbers must know.
        for room in ("libdrift.suites", "libdrift.scoring"):
            logging.getLogger(room).setLevel(logging.WARNING)


app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)
app.command("eval")(evaluating.evaluate_command)
app.command("strategies")(evaluating.strategies_command)
app.command("score")(score.score_command)
app.command("judge")(judge.judge)
app.command("report")(report.report_command)
app.command("audit")(audit.audit_command)
app.command("migrate")(migrate.migrate_command)
app.command("mine")(mine.mine)
app.command("surface")(surface.surface_command)
app.command("diff")(diff.diff)
app.add_typer(history.app, name="history")
app.command("docs")(docs.docs_command)
app.command("check")(check.check_command)
app.command("explain")(explain.explain_command)
app.add_typer(build.app, name="build")
app.add_typer(suites.app, name="suites")
app.add_typer(env.app, name="env")


def main() -> None:
    """Run a command; user mistakes and the machine's trouble end in one line and a code."""
    filter_streams()
    try:
        app()
    except LibdriftError as error:
        print(in_a_line(f"libdrift: {error}"), file=sys.stderr)
        sys.exit(error.exit_code)
    except OSError as error:  # no rights, no space, no descriptors: not a bug of ours
        where = f": {error.filename}" if error.filename else ""
        print(in_a_line(f"libdrift: {error.strerror or error}{where}"), file=sys.stderr)
        sys.exit(2 if error.errno in REFUSALS else 3)
