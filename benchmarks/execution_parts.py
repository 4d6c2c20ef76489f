"""What the parts of a fresh verdict cost, in processor seconds: for ``execution.py``."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from libdrift.config import Settings
from libdrift.environments import Ready
from libdrift.records import Split, Task

LIMIT = 120.0
# Runs inside a problem's own interpreter: what each part of a fresh verdict costs.
PARTS = """
import time
marks = [("start", time.process_time())]
import ast, pytest, sys
marks.append(("pytest import", time.process_time()))
class Clock:
    own = 0.0
    def pytest_sessionstart(self):
        marks.append(("pytest plugins", time.process_time()))
        space = {}
        for path in sys.argv[2:]:
            for node in ast.parse(open(path).read()).body:
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    names = [getattr(node, "module", None) or ""] + [a.name for a in node.names]
                    if not any(name.startswith("sample_") for name in names):
                        alone = ast.parse("")
                        alone.body = [node]
                        exec(compile(alone, path, "exec"), space)
        marks.append(("library import", time.process_time()))
    @pytest.hookimpl(hookwrapper=True)
    def pytest_collection(self):
        yield
        marks.append(("collection", time.process_time()))
    def pytest_sessionfinish(self):
        marks.append(("test bodies", time.process_time()))
pytest.main(["-q", "-p", "no:cacheprovider", sys.argv[1]], plugins=[Clock()])
for (_, before), (name, after) in zip(marks, marks[1:]):
    print("PART", name, after - before)
print("PART", "start", marks[0][1])
"""


# Likewise for a visible test, which is one script with the answer.
SCRIPT_PARTS = """
import ast, sys, time
text = open(sys.argv[1]).read()
for node in ast.parse(text).body:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        alone = ast.parse("")
        alone.body = [node]
        exec(compile(alone, sys.argv[1], "exec"), {})
begun = time.process_time()
exec(compile(text, sys.argv[1], "exec"), {"__name__": "__main__"})
print("PART bodies", time.process_time() - begun)
"""


def environ(settings: Settings) -> dict[str, str]:
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    data = os.pathsep.join(str(folder) for folder in settings.nltk_data if folder.is_dir())
    found = {"PATH": os.environ["PATH"], "MPLBACKEND": "Agg", "NLTK_DATA": data}
    return {**found, **dict.fromkeys(names, "1")}


def parts(task: Task, place: Ready, settings: Settings) -> dict[str, float]:
    """What the parts of one fresh hidden verdict cost, in processor seconds."""
    tests = next(tests.code for tests in task.tests if tests.split is Split.HIDDEN)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"{task.module}.py").write_text(task.reference)
        Path(folder, "test_sample.py").write_text(tests)
        files = [str(Path(folder, name)) for name in (f"{task.module}.py", "test_sample.py")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = _timed([str(place.python), "-c", PARTS, folder, *files], task, settings)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{task.id} cannot be timed: {done.stderr[-2000:]}")
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("PART ")]
    found = {" ".join(words[1:-1]): float(words[-1]) for words in lines}
    total = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**found, "interpreter exit": max(0.0, total - sum(found.values()))}


def script_seconds(task: Task, place: Ready, settings: Settings) -> float:
    """What a visible test and the reference take by themselves, in processor seconds."""
    tests = next(tests.code for tests in task.tests if tests.split is Split.VISIBLE)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "script.py")
        script.write_text(f"{task.reference}\n{tests}", encoding="utf-8")
        done = _timed([str(place.python), "-c", SCRIPT_PARTS, str(script)], task, settings)
    lines = [line for line in done.stdout.splitlines() if line.startswith("PART bodies ")]
    return float(lines[-1].split()[-1]) if lines else 0.0


def _timed(command: list[str], task: Task, settings: Settings) -> subprocess.CompletedProcess[str]:
    """Run in the folder of the last file; a task that cannot be timed ends the benchmark."""
    try:
        return subprocess.run(
            command,
            cwd=Path(command[-1]).parent,
            env=environ(settings),
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        sys.exit(f"{task.id} cannot be timed: its reference takes more than {LIMIT:g} s")


def show_parts(found: Sequence[dict[str, float]]) -> float:
    """Print where a fresh verdict's time goes; return the tests' own share."""
    print("\nwhere a fresh hidden verdict's processor time goes (mean, median, in ms):")
    for name in dict.fromkeys(name for part in found for name in part):
        values = [1000 * part.get(name, 0.0) for part in found]
        print(f"  {name:18} {statistics.mean(values):7.0f} {statistics.median(values):7.0f}")
    own = [part.get("collection", 0.0) + part.get("test bodies", 0.0) for part in found]
    return statistics.mean(own)
