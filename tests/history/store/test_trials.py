"""Trials beside releases: kept as they were, and gone with a release."""

from __future__ import annotations

from libdrift.history.store import trials
from libdrift.records import ExampleFinding, ExampleOutcome, ExampleTrial, Reliability
from tests.history.small import function, stored, surface

TRIAL = ExampleTrial(
    "pkg",
    "1.0",
    "2.0",
    "3.11.7",
    examples=3,
    ran=2,
    statements=9,
    unsteady=1,
    seconds=0.5,
    runs=10,
    skipped={"plotting": 1},
    found={"differs": 1},
    dependencies=("dep 1 → 2",),
    reliability=(Reliability("removed", 0.9, 1.0, 4, 3),),
    confirmed={"removed": 3},
)
FINDING = ExampleFinding(
    ExampleOutcome.DIFFERS,
    "pkg.f",
    "pkg.f()",
    "1",
    "\ud800 and ü",
    uses=("pkg.f",),
    also=("pkg.g",),
)


def test_in_and_out_again() -> None:
    with stored() as store:
        for version in ("1.0", "2.0", "3.0"):
            store.add(surface(version, function("pkg:f")))
        other = ExampleTrial("pkg", "2.0", "3.0", "3.11.7", 1, 1, 1, 0, 0.1, 2)
        trials.keep(store, other, [])
        trials.keep(store, TRIAL, [FINDING])
        assert trials.trials(store, "pkg") == [TRIAL, other]
        assert trials.findings(store, TRIAL) == [FINDING]
        assert trials.findings(store, TRIAL, ["pkg.g"]) == [FINDING]
        assert trials.findings(store, TRIAL, ["pkg.h"]) == []
        trials.keep(store, TRIAL, [])  # anew
        assert trials.findings(store, TRIAL) == []
        store.add(surface("1.0", function("pkg:f", "x")))  # read again: the trial holds
        assert len(trials.trials(store, "pkg")) == 2
        store.remove("pkg", "1.0")
        assert trials.trials(store, "pkg") == [other]
        rows = store.db.execute("SELECT count(*) FROM trial_findings").fetchone()
        assert rows[0] == 0
