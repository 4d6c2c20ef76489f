"""Past one machine: a Ray cluster of three nodes against this machine alone.

`verdicts`: the starter suite and GitChameleon problems whose environments are here, right and wrong
answers, are judged locally and on the cluster: every field must be the same but for what a clock
or chance decides (seconds; how many decoys were drawn). What a verdict costs is measured, too.
`kills`: the same while a node is killed (SIGKILL), twice; then the driver is, and the same command
goes on: nothing is lost, nothing is there twice.
`memory`: a worker that runs out of memory on one node is tried elsewhere; one that does so
everywhere is infrastructure.
`overhead`: processor time of all of Ray's processes and the driver for a verdict that costs nothing
itself, in batches of 500; and of real ones, against the same ones on this machine.
`flat`: resident memory of the driver from 10,000 to 200,000 verdicts into a run's folder.

    .venv/bin/python -m benchmarks.scale [--only verdicts,kills,…] [--problems 60] [--most 200000]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks.meters import meter
from benchmarks.scale.cluster import Bench
from benchmarks.scale.costs import flat, overhead
from benchmarks.scale.memory import out_of_memory
from benchmarks.scale.verdicts import killed, same_verdicts

SECTIONS = ("verdicts", "kills", "memory", "overhead", "flat")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--only", default=",".join(SECTIONS))
    parser.add_argument("--problems", type=int, default=60)
    parser.add_argument("--real", type=int, default=500)
    parser.add_argument("--most", type=int, default=200_000)
    parser.add_argument("--data", type=Path, default=_published())
    arguments = parser.parse_args()
    chosen: Iterable[str] = arguments.only.split(",")
    steps = dict(zip(SECTIONS, (same_verdicts, killed, out_of_memory, overhead, flat), strict=True))
    with meter() as used, tempfile.TemporaryDirectory(prefix="libdrift-scale-") as scratch:
        bench = Bench(arguments, Path(scratch), used)
        try:
            for name in chosen:
                print(f"{name}:", flush=True)
                steps[name](bench)
        finally:
            bench.close()
    print(f"{len(bench.failures)} failures" if bench.failures else "all as it should be")
    return 1 if bench.failures else 0


def _published() -> Path | None:
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    return beside if beside.is_dir() else None


if __name__ == "__main__":
    sys.exit(main())
