"""What a run would ask, and cost, before anything is spent."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from libdrift.evals.costs import Price, tokens
from libdrift.evals.strategies import Strategy
from libdrift.records import Suite


@dataclass(frozen=True, slots=True)
class Estimate:
    tasks: int
    answers: int
    calls: int  # at least
    tokens_in: int  # of the first prompts
    tokens_out: int  # at most, of one answer each
    cost: float | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def estimate(suite: Suite, strategy: Strategy, price: Price) -> Estimate:
    """Four characters a token; further rounds of a strategy are not known ahead."""
    ways = strategy.ways
    prompts = [strategy.shown(task) for task in suite.tasks.values()]
    tokens_in = sum(tokens(prompt.system) + tokens(prompt.user) for prompt in prompts)
    answers = len(prompts) * ways.samples
    tokens_out = answers * ways.max_tokens
    spent = tokens_in * ways.samples
    return Estimate(len(prompts), answers, answers, spent, tokens_out, price(spent, tokens_out))
