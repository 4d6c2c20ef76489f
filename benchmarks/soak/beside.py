"""Some soaks at the same time: each is a process with a world of its own."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from benchmarks.soak.cycle import Outcome

FOUND = 4  # a soak's own exit code where something did not survive: 1 is that of a crash
_DONE = (0, FOUND)


def soak_beside(arguments: argparse.Namespace) -> tuple[list[Outcome], int]:
    """What all of them found, and how many did not come to their end."""
    with tempfile.TemporaryDirectory() as name:
        logs = [Path(name, f"{at}.jsonl") for at in range(arguments.beside)]
        running = [
            subprocess.Popen(_command(arguments, at, log), stdout=subprocess.PIPE, text=True)
            for at, log in enumerate(logs)
        ]
        listeners = [
            threading.Thread(target=_tell, args=(at, one)) for at, one in enumerate(running)
        ]
        for listener in listeners:
            listener.start()
        try:
            for one in running:
                one.wait()
        except KeyboardInterrupt:  # each ends its round, and tells what it has
            for one in running:
                one.send_signal(signal.SIGINT)
        for listener in listeners:
            listener.join()
        lines = [line for log in logs if log.is_file() for line in log.open(encoding="utf-8")]
    for at, one in enumerate(running):
        if one.wait() not in _DONE:
            print(f"soak {at} did not come to its end: {one.returncode}")
    if arguments.log:
        with arguments.log.open("a", encoding="utf-8") as file:
            file.writelines(lines)
    failed = sum(one.returncode not in _DONE for one in running)
    return [Outcome(**json.loads(line)) for line in lines], failed


def _command(arguments: argparse.Namespace, at: int, log: Path) -> list[str]:
    command = [sys.executable, "-m", "benchmarks.soak", "--seed", str(arguments.seed + at)]
    command += ["--minutes", str(arguments.minutes), "--log", str(log)]
    command += ["--faults", str(-(-arguments.faults // arguments.beside))]
    command += ["--only", arguments.only, "--workload", arguments.workload]
    if arguments.folder:
        command += ["--folder", str(arguments.folder / str(at))]
    return command + (["--brief"] if arguments.brief else [])


def _tell(at: int, one: subprocess.Popen[str]) -> None:
    """What is wrong, as it comes; the tables are for all of them at the end."""
    assert one.stdout is not None  # noqa: S101  (a pipe)
    for line in one.stdout:
        if line.startswith(("DEFECT", "    ", "left out", "undisturbed")):
            print(f"soak {at}: {line}", end="", flush=True)
