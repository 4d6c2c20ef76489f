"""Two environments that differ in one package: the same dependencies where that can be had."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.environments import Failed, Interpreter, Ready
from libdrift.mining.examples import places
from libdrift.mining.examples.places import PairOfPlaces, build_pair
from libdrift.records import Environment, Release

OLD = Release("pypi", "Some.Pkg", "1.0", date(2023, 1, 1))
NEW = Release("pypi", "Some.Pkg", "2.0", date(2024, 1, 1))
METADATA = """Metadata-Version: 2.1
Name: some-pkg
Requires-Dist: dep >={least}
Requires-Dist: plots >=3 ; extra == "all"
Requires-Dist: unused ; extra == "all"
Requires-Dist: ???
"""


@dataclass
class Builder:
    """Stands for the builder: what cannot be built, and what was asked for."""

    folder: Path
    newest: dict[str, str] = field(default_factory=lambda: {"1.0": "5.0", "2.0": "7.0"})
    least: dict[str, str] = field(default_factory=lambda: {"1.0": "1", "2.0": "1"})
    unfit: set[str] = field(default_factory=set)
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(
        self, environment: Environment, _: Settings, *, wheels_only: bool
    ) -> Ready | Failed:
        assert wheels_only, "a source build would run code outside of the sandbox"
        self.asked.append((environment.runtime, *environment.requirements))
        pins = dict(item.split("==") for item in environment.requirements if "==" in item)
        version = pins.pop("Some.Pkg")
        dep = pins.get("dep", self.newest[version])
        if environment.runtime in self.unfit or float(dep) < float(self.least[version]):
            return Failed(environment, f"no {environment.runtime}")
        folder = self.folder / str(len(self.asked))
        info = folder / "venv/lib/python3.11/site-packages/some_pkg-1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(METADATA.format(least=self.least[version]))
        extras = [
            f"{item.partition('>')[0]}==3.1" for item in environment.requirements if ">" in item
        ]
        held = [f"{name}=={pin}" for name, pin in pins.items() if name != "dep"]
        resolution = (f"some-pkg=={version}", f"dep=={dep}", *extras, *held)
        return Ready(environment, folder, "3.11.1", folder, resolution, fresh=True)


@pytest.fixture
def builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    made = Builder(tmp_path)
    monkeypatch.setattr(places, "build", made)
    found = [Interpreter(Path("p"), f"{minor}.1", Path("q")) for minor in ("3.13", "3.11", "3.10")]
    monkeypatch.setattr(places, "discover", lambda: found)
    return made


def test_the_newer_release_gets_the_dependencies_of_the_older_one(
    builder: Builder, settings: Settings
) -> None:
    pair = build_pair(OLD, NEW, ["some_pkg", "plots.sub"], settings)
    assert isinstance(pair, PairOfPlaces)
    assert pair.differing == ()
    assert builder.asked == [
        ("3.10", "Some.Pkg==1.0"),
        ("3.10", "plots>=3", "Some.Pkg==1.0"),  # an optional one, which examples import
        ("3.10", "dep==5.0", "plots==3.1", "Some.Pkg==2.0"),
    ]


def test_where_it_does_not_take_them_they_differ_and_that_is_told(
    builder: Builder, settings: Settings
) -> None:
    builder.least["2.0"] = "6"
    pair = build_pair(OLD, NEW, ["plots"], settings)
    assert isinstance(pair, PairOfPlaces)
    assert pair.differing == ("dep 5.0 → 7.0",)
    assert builder.asked[-1] == ("3.10", "plots==3.1", "Some.Pkg==2.0")


def test_another_python_is_tried_and_at_last_the_reason_told(
    builder: Builder, settings: Settings
) -> None:
    builder.unfit = {"3.10"}
    pair = build_pair(OLD, NEW, [], settings)
    assert isinstance(pair, PairOfPlaces)
    assert pair.old.environment.runtime == "3.13"
    builder.unfit = {"3.10", "3.11", "3.13"}
    assert build_pair(OLD, NEW, [], settings) == "Python 3.10: Some.Pkg 1.0: no 3.10"
