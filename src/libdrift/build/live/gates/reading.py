"""Gates that read a task: what its prompt gives away, and what it depends on beside the release."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Callable

from libdrift.languages.python.usage import parsed
from libdrift.records import Task, TaskKind, TestStyle
from libdrift.showing import shown

PromptMaker = Callable[[Task], str]  # all that a candidate is sent

_SHORTEST = 3  # letters of a name that no chance puts into a text
_LONGEST = 6000  # characters of a prompt
# What is another thing in the next run, or on another machine.
_UNSTEADY = re.compile(
    r"\b(?:random|rand|randn|randint|shuffle|default_rng|uuid\d?|secrets|urandom|getrandbits"
    r"|socket|requests|urlopen|urllib|httpx|aiohttp|ftplib|smtplib|getpass|gethostname|platform"
    r"|tempfile|subprocess|environ|getcwd|expanduser|perf_counter|monotonic|strftime|localtime"
    r"|now|utcnow|today|time\.time|cpu_count|getpid|__file__|__version__|tracemalloc|psutil)\b"
)
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b|<prefix>|/site-packages/")


def leak(task: Task, prompt: str) -> str:
    """A name of the answer that the prompt tells; empty where there is none."""
    said = set(re.findall(r"\w+", prompt))
    return next((name for name in sorted(_secret(task)) if name in said), "")


def _secret(task: Task) -> set[str]:
    """Names that a candidate has to know: of the reference, and not of the code that is given."""
    if not task.starter or any(tests.style is TestStyle.LABELS for tests in task.tests):
        return set()
    given = _names(task.starter)
    # A completion may be asked for a line in the midst of its own program.
    wanted = _names(task.reference) - given
    if task.kind is not TaskKind.MIGRATE:
        symbol = (task.facts.symbol or "").rpartition(".")[2]
        wanted &= {symbol}
    known = set(dir(builtins)) | set(keyword.kwlist)
    return {name for name in wanted if len(name) >= _SHORTEST and name not in known}


def _names(code: str) -> set[str]:
    """What code uses of others: attributes, imports, keywords, and names that it calls."""
    tree = parsed(code)
    if tree is None:
        return set(re.findall(r"\w+", code))
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) | ast.Name(id=name):
                found.add(name)
            case ast.alias(name=name):
                found.update(name.split("."))
            case ast.ImportFrom(module=str(name)):
                found.update(name.split("."))
            case _:
                pass
    return found


def unsteady(task: Task) -> str:
    """What a task depends on that is another one in the next run; empty where there is nothing."""
    texts = [task.starter, task.reference, *(tests.code for tests in task.tests)]
    for text in texts:
        found = _UNSTEADY.search(text) or _ADDRESS.search(text)
        if found:
            return found[0]
    return ""


def unseen(task: Task, prompt: str = "") -> str:
    """The first sign that would act on a terminal or hide what is there; empty where none is.

    Libraries' words and models' are in a task, and people and models read it.
    """
    codes = (tests.code for tests in task.tests)
    for text in (prompt, task.problem, task.starter, task.reference, *codes):
        plain = text.replace("\r\n", "\n")
        found = next((sign for sign in plain if shown(sign) != sign), "")
        if found:
            return found
    return ""


def is_long(prompt: str) -> bool:
    return len(prompt) > _LONGEST


def grams(text: str, size: int = 8) -> frozenset[int]:
    """Hashes of all runs of so many tokens, spelled alike."""
    tokens = re.findall(r"\w+|[^\w\s]", text.lower())
    return frozenset(
        hash(tuple(tokens[at : at + size])) for at in range(max(1, len(tokens) - size + 1))
    )


def overlap(one: frozenset[int], other: frozenset[int]) -> float:
    """The share of the smaller one that is in both."""
    return len(one & other) / max(1, min(len(one), len(other)))
