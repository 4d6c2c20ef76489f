"""Prompts of a suite as a file, for people with their own inference."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from libdrift import config, suites
from libdrift.errors import UserError
from libdrift.evals.documented import in_a_comment, with_documents
from libdrift.evals.options import EvalOptions, Wording
from libdrift.evals.plain_prompts import plain
from libdrift.evals.prompts import Prompt
from libdrift.evals.troubles import Trouble
from libdrift.records import Suite, Task
from libdrift.retrieval.documents import Document
from libdrift.suites.benchmarks import Asking
from libdrift.suites.libevolutioneval.styles import Style, style_of
from libdrift.suites.selecting import RandomSample, selected
from libdrift.suites.writing import write_lines

Find = Callable[[Task], Sequence[Document]]
Lost = Callable[[str, str], None]  # takes a task's id, and why it has no documents


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """How tasks are asked, and which."""

    asking: Asking = field(default_factory=Asking)
    wording: Wording = Wording.LIBDRIFT
    sample: RandomSample | None = None
    force: bool = False  # overwrite the file
    data: Path | None = None
    documents: EvalOptions | None = None  # how they are searched; None: prompts have none


def write_prompts(
    suite: str | Suite,
    path: Path,
    options: PromptOptions | None = None,
    said: Callable[[str], None] = lambda _: None,
    lost: Lost = lambda *_: None,
) -> int:
    """A line a task, whole or not at all; how many there are.

    ``said`` hears what is mined for documents. A task whose release cannot be had gets no prompt:
    ``lost`` hears of it.
    """
    options = options or PromptOptions()
    if path.exists() and not options.force:
        raise UserError(f"{path} already exists", "Choose another file, or add --force")
    loaded = suite if isinstance(suite, Suite) else suites.load(suite, config.load(options.data))
    _check_asking(loaded, options)
    chosen = selected(loaded, list(loaded.tasks.values()), sample=options.sample)
    with contextlib.ExitStack() as held:
        find = _searched(chosen, options, said, held)
        return write_lines(path, map(msgspec.json.encode, _lines(chosen, options, find, lost)))


def _searched(
    suite: Suite, options: PromptOptions, said: Callable[[str], None], held: contextlib.ExitStack
) -> Find:
    """What finds the documents of a task, once all that it takes is there."""
    if options.documents is None:
        return lambda _: ()
    from libdrift.evals.document_source import DocumentSource

    settings = config.load(options.data)
    shelf = held.enter_context(DocumentSource(settings, options.documents, said))
    runner = held.enter_context(asyncio.Runner())
    runner.run(shelf.fill(suite.tasks.values()))
    return lambda task: runner.run(shelf.find(task)).documents


def _check_asking(suite: Suite, options: PromptOptions) -> None:
    """Options of completions in a line, which other tasks would not heed."""
    asking = options.asking
    style = style_of(asking.style)
    if options.documents is not None and style is not Style.INSTRUCTION and not asking.version:
        raise UserError(
            "documents reveal the version", "Leave out --no-tell-version, or use --style instruct"
        )
    plain = Asking(asking.version, asking.imports)
    if asking != plain and not any(task.gap for task in suite.tasks.values()):
        raise UserError(
            f"{suite.name} has no completion in a line",
            "Leave out --style, --family, --limit and --right",
        )


def _lines(
    suite: Suite, options: PromptOptions, find: Find, lost: Lost
) -> Iterator[dict[str, Any]]:
    for task in suite.tasks.values():
        try:
            documents = find(task)
        except Trouble as trouble:
            lost(task.id, trouble.message)
        else:
            yield {"task_id": task.id, **prompt_of(suite, task, options, documents)}


def prompt_of(
    suite: Suite, task: Task, options: PromptOptions, documents: Sequence[Document] = ()
) -> dict[str, Any]:
    """``messages`` of a conversation, or a ``prompt`` to go on from, with where to ``stop``."""
    if task.gap is None:
        ways = EvalOptions(version=options.asking.version, prompts=options.wording)
        return _messages(with_documents(plain(task, ways), documents))
    shown = suites.prompt_for(suite, task, options.asking)
    if not shown.text:
        return _messages(with_documents(Prompt(shown.user, shown.system), documents))
    if documents:  # a text to go on from has them as a comment
        told = [in_a_comment(item) for item in documents]
        shown = suites.prompt_for(suite, task, replace(options.asking, documents=told))
    return {"prompt": shown.text, **({"stop": list(shown.stop)} if shown.stop else {})}


def _messages(shown: Prompt) -> dict[str, Any]:
    messages = (("system", shown.system), ("user", shown.user))
    return {"messages": [{"role": role, "content": text} for role, text in messages if text]}
