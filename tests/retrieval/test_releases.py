from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.history.store import Store
from libdrift.retrieval.releases import mine_missing, missing, other_release
from tests.history.small import function, stored, surface
from tests.languages.python.registry import only_source, wheel
from tests.retrieval.tasks import task


@pytest.mark.parametrize(
    ("version", "wrong", "changed", "expected"),
    [
        ("1.0", "pkg==3.0", "2.0", "3.0"),  # the wrong answer's own
        ("1.0", "Pkg===3", "2.0", "3.0"),
        ("1.0", "pkg==9.0", "2.0", "2.0"),  # which is not mined
        ("1.0", "other==3.0", "2.0", "2.0"),
        ("3.0", "no requirement!", "2.0", "1.0"),
        ("1.0", "", "4.0", "3.0"),  # nothing on the other side: the farthest
        ("3.0", "", None, "1.0"),
        ("1", "", None, "3.0"),
        ("9", "", None, "1.0"),
        ("0.1", "pkg==0.1", None, "3.0"),
    ],
)
def test_the_release_that_misleads(
    version: str, wrong: str, changed: str | None, expected: str
) -> None:
    with stored(*(surface(item, function("pkg:f")) for item in ("1.0", "2.0", "3.0"))) as store:
        assert other_release(task(version, wrong, changed_in=changed), store) == expected


def test_without_another_release_there_is_none() -> None:
    with stored(surface("1.0", function("pkg:f"))) as store:
        assert other_release(task("1"), store) is None
        assert other_release(task("1", library="unknown"), store) is None


def test_what_tasks_need_and_the_history_has_not() -> None:
    tasks = [
        task("1", "pkg==2"),
        task("1.0", "pkg==3"),
        task("4"),
        task("4"),
        task("5", language="rust"),
    ]
    with stored(surface("1.0", function("pkg:f"))) as store:
        assert missing(tasks, store) == (("pkg", "4"),)
        assert missing(tasks, store, other=True) == (("pkg", "2"), ("pkg", "3"), ("pkg", "4"))


def test_missing_releases_are_mined_and_failures_told(
    empty_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    only_source(wheels, monkeypatch)
    source = {"pkg/__init__.py": "def f(): ...\n"}
    (wheels / "pkg-1.0-py3-none-any.whl").write_bytes(wheel(dict(source)))
    (wheels / "pkg-2.0-py3-none-any.whl").write_bytes(b"broken")
    needed = [("pkg", "1.0"), ("pkg", "2.0"), ("pkg", "3.0"), ("nosuch", "1"), ("no name!", "1")]
    with Store.open(tmp_path / "history.sqlite") as store:
        failed = mine_missing(needed, store, empty_settings)
        assert store.versions(store.number("pkg")) == ["1.0"]
        assert missing([task("1.0")], store) == ()
    assert [(item.package, item.version) for item in failed] == needed[1:]
    reasons = ["is damaged", "does not exist", "no package 'nosuch'", "no name of a package"]
    for item, reason in zip(failed, reasons, strict=True):
        assert reason in item.reason
    # Where the `mine` command keeps what it parsed, too.
    assert (empty_settings.cache / "mining" / "parsed.sqlite").is_file()
