from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli import engine_options as engines
from libdrift.cli import eval_options as o
from libdrift.cli.score_table import print_summary
from libdrift.metrics.modes import Expected, Mode

if TYPE_CHECKING:
    from libdrift.scoring import Summary


_Answers = Annotated[
    Path,
    typer.Argument(
        help='JSON lines: {"task_id": …, "answer": …}, any number per task; or a JSON list of such '
        "objects. May be gzip-compressed, or on stdin (-). Or a folder of programs."
    ),
]
_Verified = Annotated[
    bool, typer.Option("--verified", help="Only tasks that an audit has verified.")
]
_Proven = Annotated[
    bool, typer.Option("--proven", help="Only tests that prove a pass (see docs/verdicts.md).")
]
_Strict = Annotated[
    bool, typer.Option("--strict", help="Exit with 1 unless every line was used and passed.")
]
_Mode = Annotated[
    Mode, typer.Option(help="Text metrics: fixed, or released (as in the authors' code).")
]
_AtK = Annotated[
    str | None,
    typer.Option(
        "--k",
        help="Values of k for pass@k and text metrics: 1,3,10. [default: 1; for "
        "programs also 5 and "
        "the number of samples]",
    ),
]


def score_command(
    suite: common.SuiteArgument,
    answers: _Answers,
    data: common.DataOption = None,
    sample: o.Sample = None,
    seed: o.SampleSeed = 0,
    per: o.Per = None,
    verified: _Verified = False,
    audited: common.AuditedOption = None,
    proven: _Proven = False,
    out: o.Out = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: engines.NodeWorkersOption = None,
    engine: engines.EngineOption = "local",
    address: engines.AddressOption = None,
    floor: common.FloorOption = common.DEFAULT_FLOOR,
    factor: common.FactorOption = common.DEFAULT_FACTOR,
    fresh: common.FreshOption = False,
    strict: _Strict = False,
    mode: _Mode = Mode.FIXED,
    k: _AtK = None,
    expected: common.ExpectedOption = Expected.MEASURED,
    cutoff: common.CutoffOption = None,
    yes: common.YesOption = False,
    as_json: common.JsonOption = False,
) -> None:
    """Judge answers: run them sandboxed in exact environments, or compare their text.

    Answers to tasks with tests are run. Completions and migrations without tests are judged by text
    metrics (EM, ISM, PM, CDC, F1). An interrupted command continues where it stopped.
    """
    from libdrift.cli.listening import TerminalListener
    from libdrift.jobs.scoring import ScoreOptions, score
    from libdrift.scoring import RunOptions

    options = ScoreOptions(
        data=data,
        sample=common.random_sample(sample, seed, per),
        verified=verified,
        audited=audited,
        proven=proven,
        out=out,
        ks=common.numbers_of_samples(k),
        mode=mode,
        expected=expected,
        cutoff=cutoff.date() if cutoff else None,
        running=RunOptions(
            sandbox,
            workers or engines.DEFAULT_WORKERS,
            floor,
            factor,
            fresh,
            engines.engine_choice(engine, address, workers),
        ),
    )
    summary = score(suite, answers, options, TerminalListener(yes=yes))
    if as_json:
        common.print_json(summary.to_json())
        tell_trouble(summary)
    else:
        print_summary(summary, mode)
    leave(summary, strict=strict)


def tell_trouble(summary: Summary) -> None:
    """Of a machine that failed, in a line beside the JSON: the exit code alone says little."""
    from libdrift.records import Outcome
    from libdrift.showing import counted

    count = summary.count(Outcome.INFRASTRUCTURE)
    if count:
        verdicts = counted(count, "verdict")
        common.note(
            f"infrastructure problems prevented {verdicts} (see verdicts.jsonl); "
            "the same command tries again"
        )


def leave(summary: Summary, *, strict: bool) -> None:
    """End with another code where the machine failed, or where all had to be right."""
    from libdrift.records import Outcome

    if summary.count(Outcome.INFRASTRUCTURE):
        raise typer.Exit(common.exit_code_of(summary.trouble))
    common.leave_if_left_out(summary.bad_task_count)
    counted = sum(sum(counts.values()) for counts in summary.outcomes.values())
    if strict and (summary.count(Outcome.PASSED) < counted or summary.left_out):
        raise typer.Exit(1)
