"""LibEvolutionEval's controlled scenario, its descriptions written by a model.

The paper gives the documentation of an API to a model and asks for an instruction in natural
language, from which the call is to be completed. The code around the gap is that of
``build completion``; that the API is there and takes the call is found by running its release.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from libdrift.build.recipes.gates import BINDING
from libdrift.build.recipes.options import RecipeOptions
from libdrift.build.recipes.replies import json_object
from libdrift.build.recipes.steps import (
    MadeTasks,
    RecipeStart,
    RejectedProduct,
    ReplyFault,
    Steps,
    repaired,
)
from libdrift.records import Environment, Task

_FEWEST, _MOST = 5, 80  # words of an instruction

_INSTRUCTION = """\
Library: {package} {version}. This is an API of it:

{doc}

Write one instruction in plain language that a developer could give to a colleague, so that the \
colleague would come to call just this API: what is to be done, with what, and what comes out of \
it. Do not use the word `{last}`, alone or as a part of another word, and name no other API.

Reply with a JSON object {{"instruction": "…"}}."""

_BINDING = """\
import importlib
import inspect

parts = {path!r}.split(".")
for length in range(len(parts), 0, -1):
    try:
        found = importlib.import_module(".".join(parts[:length]))
        break
    except ImportError:
        if length == 1:
            raise
for name in parts[length:]:
    found = getattr(found, name)
try:
    signature = inspect.signature(found)
except (TypeError, ValueError):
    signature = None


class Anything:
    pass


def call(*places, **names):
    if signature is not None:
        signature.bind(*places, **names)


{names}
{call}
"""


def starts(
    tasks: Sequence[Task],
    docs: Mapping[str, str],
    places: Mapping[str, Environment],
    options: RecipeOptions,
) -> list[RecipeStart]:
    """One instruction for each task of ``build completion``; ``docs`` are by the task's id."""
    return [
        RecipeStart(
            task.id,
            partial(_steps, task, docs[task.id], places[task.facts.version], options),
            task.facts.symbol or "",
        )
        for task in tasks
    ]


def _steps(task: Task, doc: str, place: Environment, options: RecipeOptions) -> Steps:
    last = task.gap.token if task.gap else ""
    words = {"package": task.facts.library, "version": task.facts.version}
    prompt = _INSTRUCTION.format(doc=doc, last=last, **words)
    found = yield from repaired(
        "instruction", prompt, partial(_instruction, last), attempts=options.attempts
    )
    if isinstance(found, RejectedProduct):
        return found
    source = {
        "recipe": "libevolutioneval",
        "instruction": found,
        BINDING: binding(task.facts.symbol or "", task.reference),
    }
    problem = f"{task.problem} {found}"
    made = replace(
        task,
        suite=options.suite,
        problem=problem,
        environment=place,
        source=MappingProxyType(source),
    )
    return MadeTasks((made,))


def _instruction(last: str, reply: str) -> str | ReplyFault:
    told = json_object(reply, ("instruction",))
    if isinstance(told, ReplyFault):
        return told
    text = " ".join(told["instruction"].split())
    if last.casefold() in text.casefold():
        return ReplyFault(f"the instruction has {last} in it")
    if not _FEWEST <= len(text.split()) <= _MOST:
        return ReplyFault(f"write {_FEWEST} to {_MOST} words, and not {len(text.split())}")
    return text


def binding(path: str, answer: str) -> str:
    """A script that ends well where a release has an API and takes the call of an answer, if any.

    The names that the call passes stand for anything: they are given no meaning here.
    """
    written = f"call({answer.partition('(')[2]}"
    try:
        call = ast.parse(written, mode="eval").body
    except SyntaxError:  # no call that could be read: that the API is there must do
        return _BINDING.format(path=path, names="", call="")
    names = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)} - {"call"}
    stars = {
        node.value.id
        for node in ast.walk(call)
        if isinstance(node, ast.Starred) and isinstance(node.value, ast.Name)
    }
    doubles = {
        node.value.id
        for node in ast.walk(call)
        if isinstance(node, ast.keyword) and node.arg is None and isinstance(node.value, ast.Name)
    }
    given = "\n".join(
        f"{name} = {'()' if name in stars else '{}' if name in doubles else 'Anything()'}"
        for name in sorted(names)
    )
    return _BINDING.format(path=path, names=given, call=written)
