"""The environment of a problem: its own pins, and what the published harness adds to them."""

from __future__ import annotations

from datetime import date

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from libdrift.records import Environment

# The benchmark's own day: newer releases of unpinned dependencies break its ground truth.
AS_OF = date(2025, 5, 15)
# What every published environment holds beside the problem's pins; answers may rely on it.
_COMPANIONS = {
    "3.7": ("pytest==6.2.5", "numpy==1.21.6", "scipy==1.7.1", "setuptools==47.1.0"),
    "3.9": ("pytest==7.1.2", "numpy==1.21.6", "scipy==1.9.1", "setuptools==58.1.0"),
    "3.10": ("pytest==7.2.0", "numpy==1.23.0", "scipy==1.10.1", "setuptools==65.5.0"),
}
# Companions whose usual release cannot stand beside a pin: the resolver chooses another one.
_LOOSENED = {
    "scipy==1.7.3": "numpy",
    "numpy==1.16": "scipy",
}


def environment_for(python: str, library: str, version: str, additional: str) -> Environment:
    own = [f"{library}=={version}", *(pin for pin in additional.split() if pin != "-")]
    pinned = {canonicalize_name(Requirement(pin).name) for pin in own}
    loosened = {_LOOSENED[pin] for pin in own if pin in _LOOSENED}
    for companion in _COMPANIONS.get(python, ()):
        name = companion.partition("==")[0]
        if name not in pinned:
            own.append(name if name in loosened else companion)
    return Environment("python", python, tuple(own), AS_OF)
