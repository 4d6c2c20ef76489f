"""What asking costs, known or told, before and while it is spent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from libdrift.errors import UserError

# Names of providers in Inspect → in the list of prices, where they differ.
_PROVIDERS = {"grok": "x-ai", "azureai": "azure", "bedrock": "aws", "vertex": "google"}
_FREE = frozenset(
    {"advisor", "assistant", "smollm2", "gguf", "replay", "scripted", "none", "mockllm"}
)
_CHARACTERS = 4  # of a token, roughly, in English and code
_MILLION = 1_000_000

Price = Callable[[int, int], float | None]  # tokens in, tokens out → dollars, if known


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """Dollars per million tokens, as the user says."""

    tokens_in: float
    tokens_out: float

    def __call__(self, tokens_in: int, tokens_out: int) -> float | None:
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / _MILLION


def read_price(text: str) -> TokenPrice:
    """``--price 0.15,0.60``."""
    try:
        first, second = (float(part) for part in text.split(","))
    except ValueError:
        raise UserError(
            f"--price {text}: not two numbers",
            "Write dollars per million tokens in and out, like --price 0.15,0.60",
        ) from None
    if not (math.isfinite(first) and math.isfinite(second)) or min(first, second) < 0:
        raise UserError(f"--price {text}: not a price", "Write it like --price 0.15,0.60")
    return TokenPrice(first, second)


def price_of(model: str) -> Price:
    """What a model's tokens cost by the list of prices; ``None`` where the list has it not."""
    provider, _, name = model.partition("/")
    if provider in _FREE:
        return TokenPrice(0.0, 0.0)

    def price(tokens_in: int, tokens_out: int) -> float | None:
        from genai_prices import Usage, calc_price

        usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
        known = _PROVIDERS.get(provider, provider)
        try:
            return float(calc_price(usage, model_ref=name, provider_id=known).total_price)
        except LookupError:
            return None

    return price


def tokens(text: str) -> int:
    """About how many tokens a text has: an estimate, whatever the model."""
    return -(-len(text) // _CHARACTERS)
