"""The explorer with many answers: size of the page, first paint, a step of the slider, memory.

`python benchmarks/explorer.py` writes synthetic runs, opens the page of 10,000 answers in the
system's Chromium, and serves 100,000. Times are medians in the browser, wall clock.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from benchmarks.synthetic_runs import RunSize, suite_of, write_run, write_suite
except ModuleNotFoundError:  # started as a script
    from synthetic_runs import (  # type: ignore[import-not-found,no-redef]
        RunSize,
        suite_of,
        write_run,
        write_suite,
    )

MODELS = (("vendor/alpha", 0.9), ("vendor/beta", 0.7))
LIMITS = {
    "page, MB": 20,
    "first paint, s": 3,
    "first numbers, s": 3,
    "slider step, ms": 200,
    "server memory, MB": 1000,
}
_STEPS = 40
# One step further, until the browser has laid out and painted what it changed.
_STEP = """async () => {
  const from = document.getElementById("from");
  const start = performance.now();
  from.value = Number(from.value) + 1;
  from.dispatchEvent(new Event("input"));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
}"""


def write_runs(folder: Path, answers: int) -> list[Path]:
    """Two runs with so many answers together, two to a task."""
    tasks = answers // 4
    suite = write_suite(folder / "tasks.jsonl", suite_of(tasks))
    found = []
    for model, skill in MODELS:
        found.append(folder / model.rpartition("/")[2])
        write_run(found[-1], suite, RunSize(tasks, 2), model, skill)
    return found


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


def page_numbers(address: str, opened: Any) -> dict[str, float]:  # noqa: ANN401
    """What a reader waits for, from opening to the first numbers, and at each step."""
    page = opened.new_page()
    page.goto(address)
    page.wait_for_selector("html[data-ready]", timeout=120_000)
    paint = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"
    )
    ready = page.evaluate("performance.now()")
    steps = [page.evaluate(_STEP) for _ in range(_STEPS)]
    searched = _searched(page)
    heap = page.evaluate("performance.memory?.usedJSHeapSize ?? 0")
    page.close()
    return {
        "first paint, s": paint / 1000,
        "first numbers, s": ready / 1000,
        "slider step, ms": statistics.median(steps),
        "slowest step, ms": max(steps),
        "search in texts, s": searched,
        "browser heap, MB": heap / 1e6,
    }


def _searched(page: Any) -> float:  # noqa: ANN401
    """From typing a word of logs until its answers are listed."""
    from playwright.sync_api import expect

    start = time.perf_counter()
    page.fill("#search", "attributeerror series")
    expect(page.locator("#found")).to_have_text(re.compile(r"^[1-9].* log\.$"), timeout=120_000)
    return time.perf_counter() - start


def one_page(folder: Path, answers: int) -> dict[str, float]:
    from libdrift.jobs.exploring import write_explorer

    runs = write_runs(folder, answers)
    start = time.perf_counter()
    written = write_explorer(runs, folder / "page.html")
    made = time.perf_counter() - start
    with browser() as opened:
        found = page_numbers((folder / "page.html").as_uri(), opened)
    return {
        "page, MB": written.bytes / 1e6,
        "texts cut": written.cut,
        "written in, s": made,
        **found,
    }


def served(folder: Path, answers: int) -> dict[str, float]:
    """A server's memory after a reader has looked around, and the run has gone on."""
    runs = write_runs(folder, answers)
    start = time.perf_counter()
    command = [sys.executable, "-m", "libdrift", "view", *map(str, runs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            started = time.perf_counter() - start
            with browser() as opened:
                found = page_numbers(address, opened)
            _read_again(runs[0], address)
            memory = _peak(process.pid)
        finally:
            process.terminate()
    return {"started in, s": started, "server memory, MB": memory, **found}


def _read_again(run: Path, address: str) -> None:
    """Let the run go on, and wait until the server has read it again."""
    with (run / "calls.jsonl").open("a") as file:
        print(json.dumps({"retries": 1}), file=file)
    revision = 1
    while revision == 1:
        time.sleep(1)
        with urllib.request.urlopen(f"{address}api/state") as answer:  # noqa: S310
            revision = json.load(answer)["revision"]


def _peak(pid: int) -> float:
    """The most memory that a process has had."""
    status = Path(f"/proc/{pid}/status").read_text()
    kilobytes = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(kilobytes.split()[1]) / 1000


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    options.add_argument("--page", type=int, default=10_000, help="answers in the page")
    options.add_argument("--served", type=int, default=100_000, help="answers behind the server")
    asked = options.parse_args()
    failed = False
    for name, measure, answers in (("page", one_page, asked.page), ("view", served, asked.served)):
        if not answers:
            continue
        with tempfile.TemporaryDirectory() as folder:
            found = measure(Path(folder), answers)
        print(f"{name}, {answers:,} answers (load {os.getloadavg()[0]:.1f}):")
        for what, value in found.items():
            # The bars of time are those of the page: a server's folder may be ten times as large.
            bar = LIMITS.get(what) if name == "page" or what == "server memory, MB" else None
            late = bar is not None and value > bar
            failed = failed or late
            told = f"  (bar: {bar}{', missed' if late else ''})" if bar is not None else ""
            print(f"  {what:<20} {value:>10.2f}{told}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
