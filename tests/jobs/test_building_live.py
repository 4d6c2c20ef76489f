"""The whole way on two small wheels: built, proven again, and made once more from the manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as replace_struct

import libdrift
from libdrift import EvaluateOptions, LiveFile, LiveOptions, UserError, config, suites
from libdrift.build.live.building import StepOutcome, redrafted
from libdrift.build.live.evidence import Pair
from libdrift.build.live.pairs import ReleaseStep
from libdrift.build.live.records import hash_of
from libdrift.jobs import building_live, evaluating
from libdrift.jobs.evaluating import asking_for
from libdrift.jobs.listening import Listener
from libdrift.languages.python.index import Listing, PackageIndex
from libdrift.records import Task
from libdrift.scoring import RunOptions
from libdrift.suites import recipes, task_files
from libdrift.suites.recipes.manifest import parse
from tests.build.live.small import NEW, OLD
from tests.languages.python.registry import only_source
from tests.mining.examples.small import write_wheel

_DAYS = {"1.0": date(2024, 1, 1), "2.0": date(2025, 1, 1), "3.0": date(2026, 1, 1)}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What was built once, and where."""
    folder = tmp_path_factory.mktemp("world")
    folder.chmod(0o755)
    (folder / "wheels").mkdir()
    for version, source in (("1.0", OLD), ("2.0", NEW)):
        write_wheel(folder / "wheels", version, source)
    with pytest.MonkeyPatch.context() as patch:
        _only_here(folder, patch)
        libdrift.build_live(options(folder))
        yield folder


def _only_here(folder: Path, patch: pytest.MonkeyPatch) -> None:
    only_source(folder / "wheels", patch)
    patch.setenv("UV_NO_INDEX", "1")
    patch.setenv("UV_FIND_LINKS", str(folder / "wheels"))
    patch.setenv("LIBDRIFT_CACHE", str(folder / "cache"))
    patch.setenv("LIBDRIFT_HISTORY", str(folder / "history.sqlite"))
    patch.delenv("LIBDRIFT_DATA", raising=False)
    listed = PackageIndex.releases

    def dated(index: PackageIndex, package: str) -> Sequence[Listing]:
        return [  # files in a folder have no dates
            replace(one, release=replace(one.release, date=_DAYS[one.release.version]))
            for one in listed(index, package)
        ]

    patch.setattr(PackageIndex, "releases", dated)


def options(world: Path, name: str = "live") -> LiveOptions:
    running = RunOptions(workers=1)
    return LiveOptions(
        date(2024, 6, 1), packages=("pkg",), out=world / f"{name}.jsonl", running=running
    )


def hashes(path: Path) -> dict[str, str]:
    return {task.id: hash_of(task) for task in task_files.read(path).tasks.values()}


def test_what_is_built(world: Path) -> None:
    tasks = task_files.read(world / "live.jsonl").tasks.values()
    assert {task.facts.tags[1] for task in tasks} >= {"migrate", "complete"}
    (back, there) = sorted(
        (task for task in tasks if task.facts.tags == ("live", "migrate")),
        key=lambda task: task.facts.version,
    )
    assert there.starter.endswith("    return pkg.summed_up(numbers)\n")
    assert there.reference.endswith("    return pkg.summed(numbers)\n")
    assert there.environment.requirements == ("pkg==2.0",)
    assert (back.starter, back.reference) == (there.reference, there.starter)
    assert "summed(" not in there.problem
    assert "solution([1, 2, 3])` returns `6`" in there.problem


class Heard(Listener):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, message: str) -> None:
        self.lines.append(message)

    def warn(self, message: str) -> None:
        self.lines.append(message)


def test_an_absent_package_is_told_once(world: Path) -> None:
    heard = Heard()
    both = replace(options(world), packages=("nosuch", "pkg"), since_last=True)
    built = libdrift.build_live(both, heard)
    (line,) = (line for line in heard.lines if "nosuch" in line)
    assert built.absent == built.troubles == [f"nosuch: {line}"]
    assert built.untold == []
    with pytest.raises(UserError, match="no package 'nosuch'"):
        libdrift.build_live(replace(both, packages=("nosuch",)), heard)


def test_what_became_no_draft_is_counted(world: Path) -> None:
    built = libdrift.build_live(replace(options(world), since_last=True))
    assert built.left_out["generate: its description leans on other texts"] == 1
    assert built.left_out["explain: another task has its labels"] == 2
    assert all(built.left_out.values())
    assert built.tried == built.drafts


def test_drafts_over_a_limit_are_no_failures() -> None:
    outcome = StepOutcome(ReleaseStep("pkg", "1.0", "2.0", date(2024, 1, 1)))
    outcome.drafts.update(migrate=9)
    outcome.dropped.update({"migrate: over the limit": 7, "migrate: leak": 2})
    told = building_live._line(outcome)
    assert told == "pkg 1.0 → 2.0: 0 of 2 drafts hold; 7 over the limit; 0 s"


def test_every_task_is_proven_again(world: Path) -> None:
    found = libdrift.audit(str(world / "live.jsonl"))
    assert [result.reason for result in found.results if not result.verified] == []
    assert "mutants told apart" in found.results[0].reason


def test_audit_finds_what_does_not_hold(world: Path) -> None:
    lines = (world / "live.jsonl").read_text().splitlines()
    tasks = map(json.loads, lines[1:])
    task = next(task for task in tasks if task["kind"] == "migrate" and task["wrong"])
    task["wrong"]["code"] = task["reference"]
    (world / "bad.jsonl").write_text("\n".join([lines[0], json.dumps(task)]))
    (result,) = libdrift.audit(str(world / "bad.jsonl")).results
    assert result.reason.startswith("wrong version: its answer ")


def test_a_manifest_makes_the_same_tasks(world: Path) -> None:
    manifest = world / "live.manifest.json"
    assert "numbers" not in manifest.read_text()  # of the library's text nothing
    again = libdrift.build_manifest(manifest, world / "again.jsonl")
    assert again.differing == []
    assert hashes(world / "again.jsonl") == hashes(world / "live.jsonl")


@pytest.mark.parametrize("is_torn", [False, True])
def test_who_is_interrupted_makes_no_pair_twice(
    world: Path, monkeypatch: pytest.MonkeyPatch, *, is_torn: bool
) -> None:
    manifest, out = world / "live.manifest.json", world / f"resumed-{is_torn}.jsonl"
    made: list[Pair] = []
    interrupted = True

    def noted(text: str) -> None:
        assert text.endswith("(1 of 1 pairs of releases)")
        if interrupted:
            raise KeyboardInterrupt

    def counted(pair: Pair, *rest: Any) -> list[Task] | str:
        made.append(pair)
        return redrafted(pair, *rest)

    monkeypatch.setattr("libdrift.build.live.building.redrafted", counted)
    listener = Listener()
    monkeypatch.setattr(listener, "note", noted)
    with pytest.raises(KeyboardInterrupt):
        libdrift.build_manifest(manifest, out, listener=listener)
    (part,) = config.load().cache.glob("live/*.parts/*.jsonl")
    if is_torn:
        part.write_bytes(part.read_bytes()[:-9])
    interrupted = False
    libdrift.build_manifest(manifest, out, listener=listener)
    assert len(made) == 1 + is_torn
    assert hashes(out) == hashes(world / "live.jsonl")
    assert not part.parent.exists()


def test_of_a_suite_that_is_not_built_only_what_is_asked_for_is(
    world: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    manifest = parse((world / "live.manifest.json").read_bytes(), "live")
    other = replace_struct(manifest.pairs[0], package="absent")  # which no index has
    entry = replace_struct(manifest.tasks[0], id="zzz", package="absent")
    told = replace_struct(manifest, pairs=(*manifest.pairs, other), tasks=(*manifest.tasks, entry))
    monkeypatch.setattr(recipes, "names", lambda: ["live"])
    monkeypatch.setattr(recipes, "manifest_of", lambda _: told)
    settings = config.load()
    ids = suites.ids_to_build("live", settings)
    assert ids == sorted(one.id for one in told.tasks)
    suite = suites.load_needed("live", settings, ids[:2])
    assert list(suite.tasks) == ids[:2]
    assert {task.suite for task in suite.tasks.values()} == {"live"}
    assert f"{len(manifest.tasks)} of {len(manifest.tasks)} tasks (1 of 1 pairs" in caplog.text
    caplog.clear()
    assert list(suites.load_needed("live", settings, ids[2:3]).tasks) == ids[2:3]
    assert "pairs" not in caplog.text  # it was made with the others
    plan = evaluating.estimate("live", options=EvaluateOptions(asking_for("smollm2"), limit=3))
    assert plan.estimate.tasks == 3
    assert "pairs" not in caplog.text


def test_what_differs_is_named(world: Path) -> None:
    told = json.loads((world / "live.manifest.json").read_text())
    first, second = told["tasks"][:2]
    first["hash"] = first["parts"]["tests"] = "0" * 6
    second["id"] = "pkg-2.0-migrate-nothing"
    (world / "other.json").write_text(json.dumps(told))
    found = libdrift.build_manifest(world / "other.json", world / "other.jsonl")
    assert found.differing == [
        f"{first['id']}: its tests differ",
        "pkg-2.0-migrate-nothing: no example gives it any more",
    ]


def test_two_builds_are_the_same(world: Path) -> None:
    built = libdrift.build_live(options(world, "second"))
    assert hashes(world / "second.jsonl") == hashes(world / "live.jsonl")
    assert built.to_json()["tasks"] == built.tasks > 0
    assert built.told_apart / built.mutants > 0.5


def test_only_new_releases_are_read_since_the_last_run(world: Path) -> None:
    def again() -> LiveFile:
        return libdrift.build_live(replace(options(world, "second"), since_last=True))

    before = hashes(world / "second.jsonl")
    ledger = world / "second.jsonl.ledger"
    size = ledger.stat().st_size
    again()
    assert ledger.stat().st_size == size
    write_wheel(world / "wheels", "3.0", NEW.replace("summed", "added_up"))
    gone = (
        world / "wheels" / next(p.name for p in (world / "wheels").iterdir() if "-1.0-" in p.name)
    )
    content = gone.read_bytes()
    gone.unlink()
    built = again()
    gone.write_bytes(content)
    assert built.vanished == ["pkg 1.0 is gone from the index"]
    after = hashes(world / "second.jsonl")
    assert before.items() <= after.items()
    assert any("-3.0-" in name for name in after.keys() - before.keys())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, "already exists"),
        ({"out": Path("x.txt")}, "does not end in .jsonl"),
        ({"out": Path("new.jsonl"), "since_last": True}, "was not built here before"),
        ({"out": Path("new.jsonl"), "families": ("sing",)}, "no family 'sing'"),
        ({"out": Path("new.jsonl"), "top": 3}, "both packages and --top"),
        ({"before": date(2001, 1, 1)}, "--before 2001-01-01 is not later than --after"),
    ],
)
def test_mistakes(world: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        libdrift.build_live(replace(options(world), **change))  # type: ignore[arg-type]


def test_the_time_of_processors_is_told(world: Path) -> None:
    built = libdrift.build_live(replace(options(world), since_last=True))
    assert built.processor_seconds > 0
    assert built.to_json()["processor_seconds"] >= 0
