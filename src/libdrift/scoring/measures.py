"""What is measured of single answers beside their tests, in the folder of their run.

A line an answer: ``values`` are numbers by metric, ``facts`` words by name. What was not measured
is absent, never 0.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from libdrift.execution import RunFolder

MEASURES = "measures.jsonl"


class AnswerMeasures(msgspec.Struct, omit_defaults=True):
    """A line of ``measures.jsonl``; an answer may have several."""

    task_id: str
    sample: int
    values: dict[str, float] = {}
    facts: dict[str, str] = {}


def write_measures(folder: RunFolder, measures: Iterable[AnswerMeasures]) -> None:
    """Write the file, all of it; without anything measured there is none."""
    lines = [msgspec.json.encode(one) + b"\n" for one in measures]
    if lines:
        folder.write(MEASURES, b"".join(lines))
