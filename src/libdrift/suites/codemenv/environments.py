"""From a package and a version, as the data writes it, to what must be installed.

The data says ``tensorflow1.15`` or ``2.0``; the table says which release that is, the Python that
it runs on, and what stands beside it: the releases that the authors' own environments have.
"""

from __future__ import annotations

import sys
from datetime import date
from functools import cache

from libdrift.records import Environment

# What is not pinned is resolved as of the benchmark's own day.
AS_OF = date(2025, 1, 31)
JAVA_FROM, JAVA_TO = "8", "11"
_TENSORFLOW = ("numpy==1.21.6", "protobuf==3.20.3")
# By package and version: the Python, and the pins.
_LIBRARIES: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {
    ("numpy", "1.16"): ("3.7", ("numpy==1.16.6",)),
    ("numpy", "1.26"): ("3.9", ("numpy==1.26.0",)),
    ("numpy", "2.0"): ("3.9", ("numpy==2.0.0",)),
    ("pandas", "1.0"): ("3.8", ("pandas==1.0.0", "numpy==1.19.5")),
    ("pandas", "2.0"): ("3.10", ("pandas==2.0.0", "numpy==1.23.5")),
    ("tensorflow", "1.15"): ("3.7", ("tensorflow==1.15.0", *_TENSORFLOW)),
    ("tensorflow", "2.0"): ("3.7", ("tensorflow==2.0.0", *_TENSORFLOW)),
    ("torch", "1.0"): ("3.7", ("torch==1.0.0", "numpy==1.21.6")),
    ("torch", "2.0"): ("3.10", ("torch==2.0.0", "numpy==1.23.5")),
}
# Interpreters that are not to be had, and what the published harness takes for them.
_STAND_INS = {"3.0": "2.7", "3.1": "2.7"}
# For a release that the table does not have: the Python that most of the others run on.
_USUAL = "3.9"


def is_standard(package: str) -> bool:
    """Whether a package is Python itself, or a module of its library."""
    return package == "python" or package in sys.stdlib_module_names


def plain_version(version: str) -> str:
    """A version without the word that some have before it: ``tensorflow2.0`` is ``2.0``."""
    return version.lower().replace("tensorflow", "").strip().lstrip("= ")


def is_known(package: str, version: str) -> bool:
    """Whether it is certain which release a version means."""
    return is_standard(package) or (package, _series(version)) in _LIBRARIES


def stand_in(package: str, version: str) -> str:
    """The interpreter that is run for one that is not to be had; empty where it is itself."""
    return _STAND_INS.get(_series(version), "") if is_standard(package) else ""


@cache
def environment_for(package: str, version: str) -> Environment:
    """What a sample of one package and version runs in."""
    series = _series(version)
    if is_standard(package):
        return Environment("python", _STAND_INS.get(series, series), ())
    pinned = (_USUAL, (f"{package}=={plain_version(version)}",))
    runtime, pins = _LIBRARIES.get((package, series), pinned)
    return Environment("python", runtime, pins, AS_OF)


def java(release: str) -> Environment:
    return Environment("java", release, ())


def _series(version: str) -> str:
    return ".".join(plain_version(version).split(".")[:2])
