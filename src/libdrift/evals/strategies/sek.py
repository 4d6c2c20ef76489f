"""Self-explained keywords: a model explains a task's terms first, and is reminded of them.

Fan, Chen and Liu, "Self-Explained Keywords Empower Large Language Models for Code Generation"
(arXiv 2410.15966), and GitChameleon 2.0, which measures it. Taken from them: one to three keywords,
each with a formal explanation, asked of the same model at temperature 0; their three kinds
(*function*: the name of what is to be written; *general*: in the task's own words; *abstract*: in
none of them) and the order abstract, general, function; TF-IDF to order the general ones, the
rarest first; the list appended to the problem. Ours: the wording, keywords as JSON, no examples of
other problems, and the suite's own problems as the texts that words are rare or common in (theirs:
fifty thousand of evol-codealpaca, which ``-S corpus=FILE`` can give).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import msgspec

from libdrift.errors import UserError
from libdrift.evals import prompts
from libdrift.evals.asking import Asker
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import Strategy, StrategyAnswer, is_program, noted, plain_prompt
from libdrift.records import Task

_MOST = 3
_WORD = re.compile(r"[^\W_]+")
_DEFINED = re.compile(r"\b(?:def|class|fn|function|struct|interface)\s+(\w+)")


class KeywordKind(StrEnum):
    """In the order in which keywords are told."""

    ABSTRACT = "abstract"
    GENERAL = "general"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Keyword:
    term: str
    explanation: str
    kind: KeywordKind = KeywordKind.ABSTRACT


class Frequencies:
    """How common words are over some texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = 0
        self._having: Counter[str] = Counter()
        for text in texts:
            self._texts += 1
            self._having.update(set(words(text)))

    def tf_idf(self, term: str, text: Sequence[str]) -> float:
        """Of a term in a text, given as its words: the mean of those of the term's words."""
        parts = words(term)
        counts = Counter(text)
        found = (counts[part] / len(text) * self._idf(part) for part in parts)
        return sum(found) / len(parts) if parts and text else 0.0

    def _idf(self, word: str) -> float:
        return math.log((1 + self._texts) / (1 + self._having[word])) + 1


def words(text: str) -> list[str]:
    """``get_csv`` is two words, like ``Get CSV``."""
    return _WORD.findall(text.lower())


def corpus(path: Path) -> Iterator[str]:
    """The texts of a file: of JSON lines the texts in each object, else a text a line."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.strip():
                    yield _text_of(line)
    except OSError as error:
        raise UserError(
            f"-S corpus={path}: cannot be read ({error.strerror})",
            "Give a file of JSON lines, or with one text per line",
        ) from error


def _text_of(line: str) -> str:
    try:
        found = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return line
    if isinstance(found, dict):
        return "\n".join(value for value in found.values() if isinstance(value, str))
    return found if isinstance(found, str) else line


def extracted(text: str) -> list[Keyword]:
    """The keywords in what a model said; none where it kept to no form."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = msgspec.json.decode(
            text[start : end + 1] if start >= 0 else "", type=dict[str, str]
        )
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return []
    told = ((_line(term), _line(meaning)) for term, meaning in found.items())
    return [Keyword(*pair) for pair in told if all(pair)][:_MOST]


def ranked(
    keywords: Iterable[Keyword], text: str, code: str, frequencies: Frequencies
) -> list[Keyword]:
    """Keywords by kind; those that are in the text by how much they are its own."""
    inside = words(text)
    defined = [words(name) for name in _DEFINED.findall(code)]
    kinds = list(KeywordKind)
    told = [replace(item, kind=_kind(words(item.term), inside, defined)) for item in keywords]
    return sorted(
        told,
        key=lambda item: (kinds.index(item.kind), -frequencies.tf_idf(item.term, inside)),
    )


def _kind(term: list[str], inside: list[str], defined: list[list[str]]) -> KeywordKind:
    if term in defined:
        return KeywordKind.FUNCTION
    size = len(term)
    there = size and any(inside[at : at + size] == term for at in range(len(inside) - size + 1))
    return KeywordKind.GENERAL if there else KeywordKind.ABSTRACT


def _line(text: str) -> str:
    return " ".join(text.split())


class Keywords(Strategy):
    about = "The model first explains the task's key terms, then answers with them."
    """Two questions: for the keywords, and with them. Without keywords the second is plain."""

    options = ("corpus",)

    async def prepare(self, asker: Asker) -> None:
        await super().prepare(asker)
        _ = self._frequencies  # a corpus that cannot be read is said before anybody is asked

    @cached_property
    def _frequencies(self) -> Frequencies:
        if self.ways.corpus:
            return Frequencies(corpus(Path(self.ways.corpus)))
        return Frequencies(
            f"{task.problem}\n{task.starter}" for task in self.room.suite.tasks.values()
        )

    def opening(self, task: Task) -> Prompt:
        return Prompt(prompts.text("sek_keywords", task=self._task(task)))

    async def answer(self, task: Task, asker: Asker) -> StrategyAnswer:
        said = await asker.ask(self.opening(task))
        found = extracted(said.completion)
        told = ranked(found, self._task(task), task.starter, self._frequencies)
        prompt = self._enriched(task, told)
        output = await asker.ask(prompt)
        notes = {"keywords": [f"{item.kind}: {item.term}" for item in told]}
        fallback = {} if told else {"fallback": "no keywords in the form asked for: plain prompt"}
        return StrategyAnswer(output.completion, noted(prompt, output) | notes | fallback)

    def _task(self, task: Task) -> str:
        """What keywords are looked for in."""
        if is_program(task):
            code = task.starter.rstrip("\n")
            return f"{task.problem.strip()}\n\n```{task.language}\n{code}\n```"
        return plain_prompt(task, self.room).user.strip()

    def _enriched(self, task: Task, keywords: Sequence[Keyword]) -> Prompt:
        if not keywords:
            return plain_prompt(task, self.room)
        lines = (f"- {item.term}: {item.explanation}" for item in keywords)
        told = prompts.text("sek", keywords="\n".join(lines)).strip()
        if is_program(task):
            return plain_prompt(
                replace(task, problem=f"{task.problem.strip()}\n\n{told}"), self.room
            )
        plain = plain_prompt(task, self.room)
        return replace(plain, user=f"{told}\n\n{plain.user}")
