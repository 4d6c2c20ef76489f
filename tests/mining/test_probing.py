from __future__ import annotations

import platform
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.environments import Interpreter, discover
from libdrift.errors import InfrastructureError, MachineTroubleError
from libdrift.languages.python.static import of_sources
from libdrift.mining import probing
from libdrift.mining.probing import Prober, pythons, question
from libdrift.records import Origin, Release, Surface
from libdrift.sandbox import Backend

FOUND = ["3.13", "3.11", "3.11", "3.9", "3.6"]
LINUX = f"manylinux_2_17_{platform.machine()}"


@pytest.mark.parametrize(
    ("artifact", "released", "expected"),
    [
        # A compiled wheel is for one Python, or from one on.
        (f"x-1-cp311-cp311-{LINUX}.whl", date(2024, 1, 1), ["3.11"]),
        (f"x-1-cp39-abi3-{LINUX}.whl", date(2024, 1, 1), ["3.11", "3.9"]),
        (f"x-1-cp310-cp310-{LINUX}.whl", date(2024, 1, 1), "none of the Pythons found here fits"),
        ("x-1-cp311-cp311-win_amd64.whl", date(2024, 1, 1), "no wheel for this platform"),
        # Any other is tried with the newest that had been there for a while.
        ("x-1-py3-none-any.whl", date(2023, 6, 1), ["3.11", "3.9", "3.6"]),
        ("x-1-py3-none-any.whl", date(2022, 12, 1), ["3.9", "3.6"]),
        ("x-1-py2.py3-none-any.whl", date(2018, 1, 1), ["3.6"]),
        ("x-1-py2.py3-none-any.whl", date(2012, 1, 1), ["3.6", "3.9", "3.11", "3.13"]),
        ("x-1-py38-none-any.whl", date(2023, 6, 1), ["3.11", "3.9"]),
        ("x-1-py2-none-any.whl", date(2018, 1, 1), "none of the Pythons found here fits"),
        ("x-1-py3-none-any.whl", None, ["3.13", "3.11", "3.9", "3.6"]),
        # What is built runs outside of the sandbox.
        ("x-1.tar.gz", date(2023, 6, 1), "no wheel"),
        ("", None, "no wheel"),
        ("odd.whl", None, "not the name of a wheel"),
    ],
)
def test_the_python_of_a_release(
    artifact: str, released: date | None, expected: list[str] | str
) -> None:
    found = pythons(artifact, released, FOUND)
    assert found == expected if isinstance(expected, list) else expected in found


def test_of_a_namespace_only_its_own_part_is_imported() -> None:
    surface = of_sources({"google/cloud/storage/__init__.py": "def f(): ...", "other.py": "x = 1"})
    asked = question(surface)
    assert asked.roots == ("other", "google.cloud.storage")
    assert asked.claims["google.cloud.storage"] == ("f",)


def test_a_release_is_imported(settings: Settings, bubblewrap: Backend) -> None:
    if "3.11" not in {interpreter.minor for interpreter in discover()}:
        pytest.skip("Python 3.11 is not on this machine")
    static = of_sources({"markupsafe/__init__.py": "def escape(s): ...\ndef gone(): ..."})
    artifact = f"MarkupSafe-2.1.5-cp311-cp311-{LINUX}.whl"
    static = replace(static, origin=replace(static.origin, artifact=artifact))
    release = Release("pypi", "markupsafe", "2.1.5", date(2024, 2, 2))
    seen = Prober(settings, bubblewrap)(release, static)
    assert isinstance(seen, Surface), seen
    assert seen.resolve("markupsafe.escape") is not None
    assert seen.resolve("markupsafe.Markup.striptags") is not None
    assert seen.resolve("markupsafe.gone") is None
    assert seen.origin.runtime == "2.1.5"


def test_what_cannot_be_had_is_a_line(
    settings: Settings, bubblewrap: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    surface = of_sources({"pkg.py": ""})
    release = Release("pypi", "pkg", "1.0", date(2023, 6, 1))
    assert "no wheel" in str(Prober(settings, bubblewrap)(release, surface))
    tried: list[str] = []

    def failing(
        environment: probing.Environment, _: Settings, *, wheels_only: bool
    ) -> probing.Failed:
        assert wheels_only, "a source build would run its code outside of the sandbox"
        tried.append(environment.runtime)
        return probing.Failed(environment, f"no {environment.runtime}")

    monkeypatch.setattr(probing, "build", failing)
    monkeypatch.setattr(
        probing,
        "discover",
        lambda: [Interpreter(Path("p"), f"{minor}.1", Path("q")) for minor in FOUND],
    )
    wheel = replace(surface, origin=replace(surface.origin, artifact="x-1-py3-none-any.whl"))
    assert Prober(settings, bubblewrap)(release, wheel) == "no 3.11"
    assert tried == ["3.11", "3.9", "3.6"]


def test_another_python_is_no_remedy_for_trouble_of_the_machine(
    settings: Settings, bubblewrap: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that was killed is tried again; else the release would be that of another Python."""
    tried: list[str] = []

    def killed(environment: probing.Environment, *_: object, **__: object) -> probing.Failed:
        tried.append(environment.runtime)
        return probing.Failed(environment, "uv was killed (SIGKILL)", transient=True)

    monkeypatch.setattr(probing, "build", killed)
    found = [Interpreter(Path("p"), f"{minor}.1", Path("q")) for minor in FOUND]
    monkeypatch.setattr(probing, "discover", lambda: found)
    release = Release("pypi", "pkg", "1.0", date(2023, 6, 1))
    surface = Surface(release, ("pkg",), {}, {}, origin=Origin(artifact="pkg-1.0-py3-none-any.whl"))
    with pytest.raises(MachineTroubleError, match="uv was killed"):
        Prober(settings, bubblewrap)(release, surface)
    assert tried == ["3.11"]


@pytest.mark.parametrize(
    "told", ["pkg could not be imported: it took more than 120 s", "it ended the process (SIGKILL)"]
)
def test_what_another_try_may_not_meet_is_no_answer(
    settings: Settings, bubblewrap: Backend, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    monkeypatch.setattr(probing, "build", lambda *_, **__: object())
    monkeypatch.setattr(probing, "probe", lambda *_: told)
    monkeypatch.setattr(probing, "discover", lambda: discover()[:1])
    release = Release("pypi", "pkg", "1.0", None)
    origin = Origin(artifact="pkg-1.0-py3-none-any.whl")
    surface = Surface(release, ("pkg",), {}, {}, origin=origin)
    with pytest.raises(InfrastructureError, match=r"took more than|SIGKILL"):
        Prober(settings, bubblewrap)(release, surface)
