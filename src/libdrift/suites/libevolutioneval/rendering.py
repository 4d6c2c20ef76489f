"""A task as the prompt for a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from string import Template

from packaging.utils import canonicalize_name

from libdrift.errors import UserError
from libdrift.records import Facts, Gap, Task
from libdrift.scoring.text_scores import MIDDLE
from libdrift.suites.benchmarks import Asking, TaskPrompt
from libdrift.suites.libevolutioneval.contexts import PromptContext, heading
from libdrift.suites.libevolutioneval.documents import PublishedDocument
from libdrift.suites.libevolutioneval.styles import Style, sentinels, style_of
from libdrift.suites.libevolutioneval.truncation import Count, count_tokens, truncated

# What of the code behind a gap is shown: the published few lines, all of it, or nothing.
FEW, WHOLE, NONE = "few", "whole", "none"
# Each with the name that its code imports.
_EXAMPLES = (
    (Facts(library="attrs", version="23.2.0"), "attrs"),
    (Facts(library="networkx", version="3.3"), "networkx"),
    (Facts(library="pyyaml", version="6.0.1"), "yaml"),
)


def ask(task: Task, asking: Asking) -> TaskPrompt | None:
    """What a model is asked of a completion in the middle of a line."""
    if task.gap is None or task.facts.granularity != MIDDLE:
        return None
    context = PromptContext.DOCUMENTS if asking.documents else PromptContext(asking.context)
    return render(
        with_right(task, asking.right),
        style=style_of(asking.style),
        context=context if asking.version else PromptContext.IN_FILE,
        documents=asking.documents,
        family=asking.family,
        limit=asking.limit,
    )


def with_right(task: Task, right: str) -> Task:
    """The task with as much code behind its gap as is to be shown.

    That is the published few lines, all of it, nothing, or so many lines below the gap's own.
    """
    gap = task.gap
    if gap is None or not gap.mask or right == FEW:
        return task
    before, _, behind = task.starter.partition(gap.mask)
    if right == WHOLE:
        shown = behind or gap.near
    elif right == NONE:
        shown = ""
    elif right.isdecimal():
        shown = "".join((behind or gap.near).splitlines(keepends=True)[: int(right) + 1])
    else:
        raise UserError(
            f"unknown right context {right!r}", "Write few, whole, none, or a number of lines"
        )
    return replace(task, starter=f"{before}{gap.mask}{shown}", gap=replace(gap, near=""))


def render(
    task: Task,
    *,
    style: Style,
    context: PromptContext,
    documents: Sequence[PublishedDocument] = (),
    family: str | None = None,
    limit: int | None = None,
    count: Count = count_tokens,
) -> TaskPrompt:
    """The prompt for a task, in a style and a context.

    An answer goes on where the code before the gap ends, behind the API's root, which is shown.
    ``limit`` is for each side of the gap: the code is cut to what is nearest, what is told of the
    version stays, and so do the first documents, as far as they leave half of it to the code.
    """
    gap = task.gap or Gap("")
    before, behind = _sides(task, gap)
    head = heading(task.facts, context, documents)
    if limit is not None:
        kept = list(documents)
        while kept and count(head) > limit // 2:
            kept.pop()
            head = heading(task.facts, context, kept)
        before = truncated(before, limit - count(head), count, "left")
        behind = truncated(behind, limit, count, "right")
    if style is Style.LEFT:
        return TaskPrompt(text=head + before)
    if style is Style.FILL:
        marks = sentinels(family)
        return TaskPrompt(text=marks.around(head + before, behind), stop=marks.stop)
    example = _example_for(task, gap)
    return TaskPrompt(
        system=_template("system").substitute(mask=gap.mask).strip(),
        user=_template("user").substitute(
            # The example tells no more than is told of the task.
            example_head=heading(example, PromptContext.VERSION) if head else "",
            example=_template(f"example_{example.library}").substitute(mask=gap.mask),
            code=f"{head}{before}{gap.mask}{behind}",
        ),
    )


def _example_for(task: Task, gap: Gap) -> Facts:
    """The first example that is not of the task's own package, nor has the name that is asked for.

    An example of that package would show how it is used, and might be the answer.
    """
    asked: set[str] = {canonicalize_name(task.facts.library)}
    asked.update(name.partition(".")[0] for name in (gap.hint, *gap.aliases))
    others = [item for item, root in _EXAMPLES if asked.isdisjoint({item.library, root})]
    silent = [item for item in others if not _names(item, gap.token)]
    return next(iter((*silent, *others)), _EXAMPLES[-1][0])


def _names(example: Facts, token: str) -> bool:
    words = re.findall(r"\w+", _template(f"example_{example.library}").template.casefold())
    return token.casefold() in words


def _sides(task: Task, gap: Gap) -> tuple[str, str]:
    """The code before the gap, with the root that opens the answer, and the lines behind it."""
    before, _, behind = task.starter.partition(gap.mask) if gap.mask else (task.starter, "", "")
    # The controlled examples end with the root already, and have it not in their answers.
    opens = gap.hint if task.reference.startswith(gap.hint) else ""
    return before + opens, gap.near or behind


@cache
def _template(name: str) -> Template:
    folder = resources.files(__package__).joinpath("templates")
    return Template(folder.joinpath(f"{name}.txt").read_text(encoding="utf-8"))
