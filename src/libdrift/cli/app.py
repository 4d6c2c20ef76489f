"""The command tree and the one place where errors become exit codes."""

from __future__ import annotations

import os
import re
import sys
from typing import Annotated, Any

import typer

from libdrift.cli import (
    audit,
    build,
    check,
    completing,
    data,
    demo,
    diff,
    docs,
    doctor,
    env,
    explain,
    help_pages,
    history,
    judge,
    mcp,
    mcp_bench,
    migrate,
    mine,
    report,
    retrieval,
    score,
    suites,
    surface,
    view,
)
from libdrift.cli import (
    eval as evaluating,
)
from libdrift.cli.groups import (
    SECTIONS,
    DescribedGroup,
    add_verbose,
    be_verbose,
    name_values,
    narrow_width,
)
from libdrift.cli.manual import add_pages
from libdrift.cli.streams import filter_streams
from libdrift.errors import (
    REFUSALS,
    InfrastructureError,
    LibdriftError,
    MissingDataError,
    trouble_of,
)
from libdrift.showing import in_a_line

_NO_DATE = re.compile(r"does not match the formats? '%Y-%m-%d'")
# The parser's own errors: typer has no public name for their base.
_ParserError: type[Exception] = typer.BadParameter.__mro__[1]


class Commands(DescribedGroup):
    """Errors of the parser in one line, and on Ctrl-C that nothing is lost."""

    sections = SECTIONS

    def __init__(self, **given: Any) -> None:  # noqa: ANN401  (typer's own)
        super().__init__(**given)
        add_verbose(self)
        name_values(self)

    def main(self, args: Any = None, prog_name: str | None = None, **extra: Any) -> Any:  # type: ignore[override]  # noqa: ANN401
        prog_name = prog_name or "libdrift"  # also of `python -m libdrift`: what help tells to type
        extra.setdefault("terminal_width", narrow_width())
        if not extra.pop("standalone_mode", True):
            return super().main(args, prog_name, standalone_mode=False, **extra)
        try:
            code = super().main(args, prog_name, standalone_mode=False, **extra)
        except _ParserError as error:
            sys.exit(_explain(error))
        except typer.Abort:
            print("libdrift: aborted", file=sys.stderr)
            sys.exit(1)
        sys.exit(code or 0)

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        completing.answer(ctx, args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]  # noqa: ANN401
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print(
                "libdrift: interrupted; results so far are kept, "
                "and the same command continues from there",
                file=sys.stderr,
            )
            raise typer.Exit(130) from None
        except BrokenPipeError:  # `| head` has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(141) from None


def _explain(error: Any) -> int:  # noqa: ANN401  (typer's own, which has no public type)
    """One line with the fix, where click takes four; a group without a command shows its help."""
    text = error.format_message()
    if "\n" in text:  # help
        print(text, file=sys.stderr)
    else:
        command = error.ctx.command_path if error.ctx is not None else "libdrift"
        said = _NO_DATE.sub("is not a date (write it like 2024-06-01)", text.rstrip("."))
        said = said[:1].lower() + said[1:]
        end = "" if said.endswith("?") else "."
        line = f"libdrift: {said}{end} See `{command} --help`"
        print(in_a_line(line), file=sys.stderr)
    return int(error.exit_code)


app = typer.Typer(
    cls=Commands,
    name="libdrift",
    help="Test whether code works with exact library versions: code by models, agents or people.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain help: rich would double the time that `libdrift --help` takes.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        from libdrift.version import __version__, commit

        built = commit()
        print(f"libdrift {__version__}" + (f" (commit {built[:12]})" if built else ""))
        raise typer.Exit


@app.callback()
def root(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print more on stderr.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    del version
    be_verbose(verbose=verbose)


app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)
app.command("eval")(evaluating.evaluate_command)
app.command("strategies")(evaluating.strategies_command)
app.command("score")(score.score_command)
app.command("judge")(judge.judge)
app.command("report")(report.report_command)
app.command("view")(view.view_command)
app.command("audit")(audit.audit_command)
app.command("migrate")(migrate.migrate_command)
app.command("mine")(mine.mine)
app.command("surface")(surface.surface_command)
app.command("diff")(diff.diff)
app.add_typer(history.app, name="history")
app.command("docs")(docs.docs_command)
app.command("check")(check.check_command)
app.command("explain")(explain.explain_command)
app.command("retrieval")(retrieval.retrieval_command)
app.command("mcp")(mcp.mcp_command)
app.command("mcp-bench")(mcp_bench.mcp_bench_command)
app.add_typer(build.app, name="build")
app.add_typer(suites.app, name="suites")
app.add_typer(data.app, name="data")
app.add_typer(env.app, name="env")
app.command("help")(help_pages.help_command)
add_pages(app)


def _run() -> None:
    """A command; once more where it lacked data, and somebody at the terminal let it be got."""
    try:
        app()
    except MissingDataError as error:
        from libdrift.cli.offering import got_missing

        if not got_missing(error):
            raise
        app()


def main() -> None:
    """Run a command; user mistakes and the machine's trouble end in one line and a code."""
    filter_streams()
    try:
        _run()
    except LibdriftError as error:
        print(in_a_line(f"libdrift: {error}"), file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:  # before any command began, or while data is fetched
        print("libdrift: interrupted", file=sys.stderr)
        sys.exit(130)
    except OSError as error:  # no rights, no space, no descriptors: not a bug of ours
        print(in_a_line(f"libdrift: {trouble_of(error)}"), file=sys.stderr)
        sys.exit(2 if error.errno in REFUSALS else 3)
    except Exception as error:
        told = _explained(error)
        if told is None:
            raise
        print(in_a_line(f"libdrift: {told}"), file=sys.stderr)
        sys.exit(told.exit_code)


def _explained(error: Exception) -> LibdriftError | None:
    """What is to be said of an error that a short machine or a damaged history explains."""
    if lack := trouble_of(error):
        return InfrastructureError(f"{lack}; the same command continues from here")
    if "libdrift.history.store" not in sys.modules:
        return None
    from libdrift.history.store.checking import explained

    return explained(error)
