"""Test suites that ``migrate --verify`` brings back, of TimeMachine-bench's repositories.

Each repository is copied, with the task's set-up patch; tests are never edited. It goes from the
newest releases of the task's date to the target's freeze, on the target's Python. A suite counts as
restored if it fails at the target as it is, and passes there with the edits: all tests that passed
at the old versions, or all of them where those cannot be installed any more.

    .venv/bin/python benchmarks/restored.py --data DIR --repositories DIR NAME… [--risky]
"""

from __future__ import annotations

import argparse
import json
import lzma
import shutil
import subprocess
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

from upgrades import _PIN, Dates, _minor

from libdrift.advisor.trials import TrialOutcome
from libdrift.errors import LibdriftError
from libdrift.jobs.checking import CheckOptions
from libdrift.jobs.migrating import MigrateOptions, Migration, migrate


def prepared(task: dict[str, Any], repository: Path, folder: Path) -> None:
    shutil.copytree(repository, folder, symlinks=True)
    for patch in (task["patch"], task["test_patch"]):
        if patch:
            command = ["patch", "-p0", "--no-backup-if-mismatch", "-N", "-s"]
            subprocess.run(command, input=patch, text=True, cwd=folder, check=False)


def migrated(task: dict[str, Any], folder: Path, dates: Dates, *, is_risky: bool) -> Migration:
    day = date.fromisoformat(task["reproduction_target_date"])
    new = dict(_PIN.findall(task["dependency_versions"]))
    target = folder.parent / "target-requirements.txt"
    target.write_text("".join(f"{name}=={version}\n" for name, version in new.items()), "utf-8")
    then = {name: dates.newest(name, day) for name in new}
    before, after = (
        _minor(task[f"{side}_target_version"]) for side in ("reproduction", "migration")
    )
    tests = task["test_files"].split(", ")
    check = CheckOptions(
        to=(str(target),),
        old=(f"python=={before}", *(f"{name}=={one}" for name, one in then.items() if one)),
        python=after,
        exclude=tuple(tests),
    )
    verify = f"python -m pytest -q {' '.join(tests)}"
    return migrate([folder], MigrateOptions(check, risky=is_risky, verify=verify))


def told(run: TrialOutcome) -> str:
    if run.passed is None:
        return run.trouble or f"status {run.status}"
    return f"{len(run.passed)} passed, {len(run.failed)} failed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repositories", type=Path, required=True)
    parser.add_argument("--risky", action="store_true")
    parser.add_argument("names", nargs="+", help="OWNER+NAME")
    options = parser.parse_args()
    with lzma.open(options.data / "timemachine" / "verified.jsonl.xz", "rt") as lines:
        tasks = {task["repo_name"].replace("/", "+"): task for task in map(json.loads, lines)}
    dates, restored, tried = Dates(), 0, 0
    for name in options.names:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, "project")
            prepared(tasks[name], options.repositories / name, folder)
            try:
                done = migrated(tasks[name], folder, dates, is_risky=options.risky)
            except LibdriftError as error:
                print(f"{name}: {error}", flush=True)
                continue
        found = done.verification
        assert found is not None  # noqa: S101  (a command was given)
        is_back = found.is_restored and not found.bare.is_fine
        restored, tried = restored + is_back, tried + 1
        runs = ", ".join(
            f"{when}: {told(run)}"
            for when, run in (("old", found.before), ("new", found.bare), ("edited", found.after))
        )
        print(f"{name}: {'restored' if is_back else 'not restored'} ({runs})", flush=True)
    print(f"restored {restored} of {tried} whose target could be installed")


if __name__ == "__main__":
    main()
