"""The wheel as a user gets it: built, installed by pip into an empty environment, run elsewhere.

    python benchmarks/wheel.py [--python 3.12] [--quick]

Prints for every Python how long installing and `libdrift demo` took, and what the demo's answers
scored. Exits with 1 where a reference fails or another answer passes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from libdrift.environments import discover, uv

ROOT = Path(__file__).parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
MINUTES = 30


def run(*command: str | Path, cwd: Path) -> str:
    outside = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=outside,
        capture_output=True,
        text=True,
        check=False,
        timeout=MINUTES * 60,
    )
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def rates(shown: str) -> dict[str, float]:
    """The share of answers of each kind that passed hidden tests."""
    counted = {
        name: found["outcomes_by_split"]["hidden"] for name, found in json.loads(shown).items()
    }
    return {name: one.get("passed", 0) / sum(one.values()) for name, one in counted.items()}


def measure(python: str, wheel: Path, folder: Path, *, quick: bool) -> bool:
    folder.mkdir()
    run(python, "-m", "venv", "own", cwd=folder)
    began = time.monotonic()
    run("own/bin/python", "-m", "pip", "install", "--quiet", wheel, cwd=folder)
    installed = time.monotonic()
    version = run("own/bin/libdrift", "--version", cwd=folder).strip()
    shown = run("own/bin/libdrift", "demo", "--json", *(["--quick"] if quick else []), cwd=folder)
    ended = time.monotonic()
    found = rates(shown)
    right = found.pop("reference") == 1.0
    found.pop("smollm2", None)  # a model's own: some may pass
    right = right and not any(found.values())
    label = run("own/bin/python", "--version", cwd=folder).strip()
    print(
        f"{label}: {version}; installed in {installed - began:.0f} s, demo in "
        f"{ended - installed:.0f} s: {'as it must be' if right else f'WRONG {found}'}",
        flush=True,
    )
    return right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", action="append", help="only this one (may be repeated)")
    parser.add_argument("--quick", action="store_true", help="the demo's shortest form")
    options = parser.parse_args()
    known = {interpreter.minor: interpreter.path for interpreter in discover()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(uv.binary(), "build", "--quiet", "--out-dir", folder / "dist", ROOT, cwd=folder)
        (wheel,) = (folder / "dist").glob("*.whl")
        right = True
        for minor in options.python or PYTHONS:
            if minor not in known:
                print(f"Python {minor} is not on this machine")
                right = False
                continue
            right &= measure(str(known[minor]), wheel, folder / minor, quick=options.quick)
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
