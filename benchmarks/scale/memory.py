"""Workers that run out of memory."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.scale.cluster import Bench
from benchmarks.scale.scripted import EATER, Eater, made_up, plain_options
from libdrift.records import Outcome


def out_of_memory(bench: Bench) -> None:
    """A node whose monitor ends workers early: a gigabyte above what is used now."""
    memory = dict(re.findall(r"(\w+):\s+(\d+) kB", Path("/proc/meminfo").read_text()))
    total = int(memory["MemTotal"])
    used = 1 - int(memory["MemAvailable"]) / total
    os.environ[EATER] = "1"
    os.environ["RAY_memory_usage_threshold"] = f"{used + 1.2e6 / total:.3f}"  # noqa: SIM112
    os.environ["RAY_memory_monitor_refresh_ms"] = "100"  # noqa: SIM112
    try:
        short = bench.add_node()
    finally:
        for name in (EATER, "RAY_memory_usage_threshold", "RAY_memory_monitor_refresh_ms"):
            del os.environ[name]
    texts = ["there"] * 24 + ["fine"] * 200
    jobs = [made_up(number, text) for number, text in enumerate(texts)]
    losses: list[str] = []
    engine = bench.engine(worker=Eater)
    with told_of_losses(losses):
        found = {job.key: one for job, one in engine.judge(jobs, plain_options())}
    for line in losses:
        print(f"    {line[:300]}")
    bench.check(holds=bool(losses), what=f"{len(losses)} workers ran out of memory on one node")
    passed = sum(one.outcome is Outcome.PASSED for one in found.values())
    bench.check(
        holds=passed == len(jobs) == len(found),
        what=f"what they had was judged elsewhere: {passed} of {len(jobs)} verdicts",
    )
    bench.kill_node(short)
    found = dict(engine.judge([made_up(0, "everywhere"), made_up(4, "fine")], plain_options()))
    bad, fine = (one for _, one in sorted(found.items(), key=lambda item: item[0].key))
    print(f"    {bad.reason[:300]}")
    bench.check(
        holds=bad.outcome is Outcome.INFRASTRUCTURE and fine.outcome is Outcome.PASSED,
        what="what takes all memory everywhere is infrastructure, and harms no other",
    )


@contextlib.contextmanager
def told_of_losses(found: list[str]) -> Iterator[None]:
    import logging

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if "is lost with" in record.getMessage():
                found.append(record.getMessage())

    handler, logger = Handler(), logging.getLogger("libdrift.execution.engines.dispatching")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
