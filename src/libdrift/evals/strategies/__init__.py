"""The strategies, by name. Each is one module; ``docs/strategies.md`` tells what each sends."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, get_args, get_type_hints

import msgspec

from libdrift.errors import UserError
from libdrift.evals.options import CHOICES, STRATEGY_OPTIONS, EvalOptions
from libdrift.evals.strategies.advisor import Advisor
from libdrift.evals.strategies.agent import Agent
from libdrift.evals.strategies.api_info import ApiInfo, NoInfo
from libdrift.evals.strategies.assistant import Assistant
from libdrift.evals.strategies.base import OneShot, Strategy, StrategyAnswer
from libdrift.evals.strategies.completion import Fill, Instruct, Left
from libdrift.evals.strategies.cot import ChainOfThought
from libdrift.evals.strategies.greedy import Greedy, Sample
from libdrift.evals.strategies.optimize import Optimize
from libdrift.evals.strategies.rag import Retrieval
from libdrift.evals.strategies.repair import Repair
from libdrift.evals.strategies.sek import Keywords
from libdrift.evals.strategies.self_debug import SelfDebug
from libdrift.evals.strategy_context import StrategyContext

_LEAST = {"rounds": 0}  # of others it is 1

KNOWN: dict[str, type[Strategy]] = {
    "greedy": Greedy,
    "cot": ChainOfThought,
    "sample": Sample,
    "self-debug": SelfDebug,
    "agent": Agent,
    "rag": Retrieval,
    "sek": Keywords,
    "api-info": ApiInfo,
    "no-info": NoInfo,
    "optimize": Optimize,
    "repair": Repair,
    "assistant": Assistant,
    "advisor": Advisor,
    "fim": Fill,
    "left": Left,
    "instruct": Instruct,
}

__all__ = ["KNOWN", "OneShot", "Strategy", "StrategyAnswer", "choose", "kind_of", "options_of"]


def kind_of(name: str) -> type[Strategy]:
    found = KNOWN.get(name)
    if found is None:
        near = difflib.get_close_matches(name, KNOWN, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise UserError(f"unknown strategy {name!r}", f"{hint}Known: {', '.join(KNOWN)}")
    return found


def choose(room: StrategyContext) -> Strategy:
    return kind_of(room.ways.strategy)(room)


@dataclass(frozen=True, slots=True)
class StrategyOption:
    """What ``-S name=…`` takes."""

    name: str
    type: str
    default: object  # None: there is none
    help: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


_TYPES = {int: "integer", float: "number", str: "text", bool: "true|false"}


def option_list(strategy: str) -> list[StrategyOption]:
    """The options of a strategy, with their types and defaults."""
    kind, plain, types = kind_of(strategy), EvalOptions(), get_type_hints(EvalOptions)
    found = []
    for name in kind.options:
        hints = [one for one in (types[name], *get_args(types[name])) if one in _TYPES]
        values = "|".join(CHOICES[name]) if name in CHOICES else _TYPES[hints[0]]
        default = kind.default_rounds if name == "rounds" else getattr(plain, name)
        shown = None if default in ("", ()) else default
        found.append(StrategyOption(name, values, shown, STRATEGY_OPTIONS[name]))
    return found


def options_of(strategy: str, given: Iterable[str]) -> dict[str, Any]:
    """What ``-S key=value`` says, for a strategy that has such options."""
    known, types = kind_of(strategy).options, get_type_hints(EvalOptions)
    found: dict[str, Any] = {}
    for text in given:
        key, is_pair, value = text.partition("=")
        name = key.strip().replace("-", "_")
        if name not in known:
            has = ", ".join(known) or "none"
            raise UserError(
                f"-S {text}: {strategy} has no option {key!r}",
                f"Options: {has} (`libdrift strategies {strategy}`)",
            )
        if not is_pair:
            raise UserError(f"-S {text}: no value", f"Write it like -S {key}=VALUE")
        try:
            one: Any = (value,)
            if name != "allow":
                one = msgspec.convert(value, types[name], strict=False)
        except msgspec.ValidationError as error:
            raise UserError(f"-S {text}: {error}", f"{key}: {STRATEGY_OPTIONS[name]}") from error
        if type(one) in (int, float) and not one >= _LEAST.get(name, 1):
            raise UserError(f"-S {text}: too little", "Give a larger number")
        found[name] = found.get(name, ()) + one if name == "allow" else one
    return found
