"""The strategies, by name. Each is one module; ``docs/strategies.md`` tells what each sends."""

from __future__ import annotations

import difflib

from libdrift.errors import UserError
from libdrift.evals.room import Room
from libdrift.evals.strategies.agent import Agent
from libdrift.evals.strategies.api_info import ApiInfo, NoInfo
from libdrift.evals.strategies.assistant import Assistant
from libdrift.evals.strategies.base import Answer, OneShot, Strategy
from libdrift.evals.strategies.completion import Fill, Instruct, Left
from libdrift.evals.strategies.cot import ChainOfThought
from libdrift.evals.strategies.greedy import Greedy, Sample
from libdrift.evals.strategies.optimize import Optimize
from libdrift.evals.strategies.rag import Retrieval
from libdrift.evals.strategies.repair import Repair
from libdrift.evals.strategies.sek import Keywords
from libdrift.evals.strategies.self_debug import SelfDebug

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
    "fim": Fill,
    "left": Left,
    "instruct": Instruct,
}

__all__ = ["KNOWN", "Answer", "OneShot", "Strategy", "choose", "kind_of"]


def kind_of(name: str) -> type[Strategy]:
    found = KNOWN.get(name)
    if found is None:
        near = difflib.get_close_matches(name, KNOWN, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise UserError(f"unknown strategy {name!r}", f"{hint}Known are {', '.join(KNOWN)}")
    return found


def choose(room: Room) -> Strategy:
    return kind_of(room.ways.strategy)(room)
