"""Suspects as answers to questions: a list of names, or what happened to each."""

from __future__ import annotations

import json
from collections.abc import Iterable

from libdrift.advisor.solving.suspects import Suspect


def located(found: Iterable[Suspect]) -> str:
    return json.dumps([one.path for one in found])


def explained(found: Iterable[Suspect]) -> str:
    told = {
        one.path: {"kind": one.kind, "version": one.version, "replacement": one.replacement}
        for one in found
    }
    return json.dumps(told)
