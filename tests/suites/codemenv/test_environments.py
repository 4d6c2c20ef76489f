from __future__ import annotations

import json

import pytest

from libdrift.suites.codemenv import environments
from tests.published import published


@pytest.mark.parametrize(
    ("package", "version", "runtime", "pins"),
    [
        ("numpy", "1.16", "3.7", ("numpy==1.16.6",)),
        ("pandas", "1.0.0", "3.8", ("numpy==1.19.5", "pandas==1.0.0")),
        ("pandas", "2.0", "3.10", ("numpy==1.23.5", "pandas==2.0.0")),
        ("tensorflow", "tensorflow1.15", "3.7", ("tensorflow==1.15.0",)),
        ("tensorflow", "2.0.0", "3.7", ("tensorflow==2.0.0",)),
        ("torch", "1.0", "3.7", ("torch==1.0.0",)),
        ("math", "3.10", "3.10", ()),
        ("math", "3.1", "2.7", ()),
        ("itertools", "3.0", "2.7", ()),
        ("random", "3.4", "3.4", ()),  # is not to be had, and must be named as that
        ("python", "2.7", "2.7", ()),
    ],
)
def test_a_version_is_a_release(
    package: str, version: str, runtime: str, pins: tuple[str, ...]
) -> None:
    found = environments.environment_for(package, version)
    assert found.runtime == runtime
    assert set(pins) <= set(found.requirements)
    assert bool(found.requirements) is bool(pins)
    assert bool(found.as_of) is bool(pins)
    assert environments.is_known(package, version)


def test_stand_ins_are_named() -> None:
    assert environments.stand_in("math", "3.1") == "2.7"
    assert environments.stand_in("math", "3.10") == ""
    assert environments.stand_in("numpy", "3.1") == ""


@pytest.mark.published
@pytest.mark.parametrize("name", ["python_easy.jsonl", "python_hard.jsonl"])
def test_every_published_version_is_known(name: str) -> None:
    for sample in map(json.loads, published("codemenv", name).read_text("utf-8").splitlines()):
        for version in (sample["origin_version"], sample["compare_version"]):
            assert environments.is_known(sample["package"], version)
