from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from libdrift.records.answers import Outcome


@dataclass(frozen=True, slots=True)
class Observation:
    """One answer of one run, with what is known of its task: a row of every analysis.

    ``facts`` holds text by name (``library``, ``version``, ``year``, ``date`` as ISO, ``change``,
    ``error`` …); what is unknown is absent. ``values`` holds numbers by metric (``hidden`` and
    ``visible`` are 1 for a pass and 0 for a failure; ``em``, ``ism``, ``f1`` … of texts are
    fractions); what was not measured is absent, never 0.
    """

    run: str
    task_id: str
    sample: int
    outcome: Outcome  # on the hidden tests, or of the text
    facts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    values: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    seconds: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None  # in US dollars
