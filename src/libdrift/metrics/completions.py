"""Completions and migrations, judged by their text as VersiCode does: EM, ISM, PM and CDC.

*EM* of a token is equality with it, of a line or block that the API's name occurs. ``likeness`` has
ISM and PM, ``critical_diff`` the five rules of CDC, ``cleaning`` how an answer is found in what a
model wrote. Where the released programs end in an error (a lone surrogate, a token that is no
pattern), the value is 0 or false in released mode.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from libdrift.metrics import critical_diff, likeness
from libdrift.metrics.cleaning import cleaned
from libdrift.metrics.core_lines import candidates
from libdrift.metrics.modes import Mode
from libdrift.metrics.names import bare, compiles, names_by_line, released_occurs

# Characters. No completion is as long; in fixed mode such an answer is wrong.
LONGEST = 100_000
# What the released rules end in for a token that is no pattern, or one that has choices.
_NO_PATTERN = (re.error, AttributeError)
_LANGUAGES = {"c#": "csharp", "js": "javascript"}


@dataclass(frozen=True, slots=True)
class CompletionReference:
    """What answers to one task are compared with.

    A token is compared with ``token``. A line fills ``mask`` in ``masked``, and ``line`` is what
    belongs there. Of a block or a migration ``code`` is the whole, and ``line`` its core line: if
    that is empty, it is found in the code; ``N/A`` says that there is none, as released.
    """

    granularity: Literal["token", "line", "block"]
    token: str
    line: str = ""
    code: str = ""
    masked: str = ""
    mask: str = "<line_mask>"
    language: str = "python"


@dataclass(frozen=True, slots=True)
class Scores:
    """Of one answer; a token has only the first."""

    em: bool
    ism: float | None = None
    pm: float | None = None
    rules: critical_diff.Rules | None = None
    # Of a block, which must compile for the two above: whether it does or not.
    ism_unchecked: float | None = field(default=None, compare=False)
    pm_unchecked: float | None = field(default=None, compare=False)

    @property
    def cdc(self) -> bool | None:
        """All five rules hold."""
        return None if self.rules is None else critical_diff.together(self.rules)

    def without(self, rule: int) -> bool | None:
        """All rules but one, counted from 1, hold."""
        return None if self.rules is None else critical_diff.without(self.rules, rule)


_NO_RULE = (False, False, False, False, False)


def _scores(
    rules: critical_diff.Rules, same: tuple[float, float], *, block: bool, must_compile: bool
) -> Scores:
    """Likeness as it counts, which is none of code that must compile and does not; and as it is."""
    ism, pm = same if rules[1] or not must_compile else (0.0, 0.0)
    free = same if block else (None, None)
    return Scores(rules[0], ism, pm, rules, *free)


class Scorer:
    """Scores the answers to one task. Equal answers are scored once."""

    def __init__(self, reference: CompletionReference, mode: Mode = Mode.FIXED) -> None:
        if reference.granularity not in ("token", "line", "block"):
            raise ValueError(f"no completion of a {reference.granularity!r} is known")
        self._token = reference.token if reference.granularity == "token" else None
        self._mode = mode
        self._judge: Callable[[str], Scores]
        if self._token is not None:
            self._judge = self._of_token
        else:
            self._judge = (_Released if mode is Mode.RELEASED else _Fixed)(reference).scores
        self._outputs: dict[str, Scores] = {}
        self._answers: dict[str, Scores] = {}

    def score(self, output: str) -> Scores:
        """Of what a model wrote: the answer in it is found as the mode has it."""
        found = self._outputs.get(output)
        if found is None:
            answer = cleaned(output, self._mode, token=self._token is not None)
            found = self._outputs[output] = self.score_answer(answer)
        return found

    def score_answer(self, answer: str) -> Scores:
        """Of an answer that is cleaned already."""
        found = self._answers.get(answer)
        if found is None:
            found = self._answers[answer] = self._judge(answer)
        return found

    def _of_token(self, answer: str) -> Scores:
        return Scores(em=answer == self._token)


def _surroundings(reference: CompletionReference) -> critical_diff.Surroundings:
    block = reference.granularity == "block"
    return critical_diff.Surroundings(None if block else reference.masked, reference.mask)


class _Released:
    def __init__(self, reference: CompletionReference) -> None:
        self._token = reference.token
        self._block = reference.granularity == "block"
        self._surroundings = _surroundings(reference)
        # The program for other languages does not ask Python to compile them.
        self._must_compile = self._block and reference.language.lower() == "python"
        self._likeness = likeness.ReleasedLikeness(
            reference.code if self._block else reference.line
        )
        self._line = reference.line
        if self._block and not self._line:
            self._line = self._core_line(reference.code)
        self._rules: critical_diff.ReleasedRules | None
        try:
            self._rules = critical_diff.ReleasedRules(self._token, self._line, self._surroundings)
        except _NO_PATTERN:
            self._rules = None

    def scores(self, answer: str) -> Scores:
        rules = self._ruled(answer)
        ism = pm = 0.0
        if self._token in answer:
            ism = self._likeness.ism(answer)
            try:
                pm = self._likeness.pm(answer)
            except (UnicodeError, SyntaxError):
                pm = 0.0  # a line cannot even be read
        return _scores(rules, (ism, pm), block=self._block, must_compile=self._must_compile)

    def _ruled(self, answer: str) -> critical_diff.Rules:
        if self._rules is not None:
            with suppress(*_NO_PATTERN):
                line = self._core_line(answer) if self._block else answer
                return self._rules.rules(answer, line)
        named = released_occurs(self._token, answer)
        return (named, compiles(self._surroundings.replaced(answer)), False, False, False)

    def _core_line(self, code: str) -> str:
        """One of the candidates, which the released program draws at random.

        That is the reference's own line, if the block has it, and else the first.
        """
        found = candidates(code, self._token)
        return self._line if self._line in found else found[0]


class _Fixed:
    def __init__(self, reference: CompletionReference) -> None:
        block = reference.granularity == "block"
        text = reference.code if block else reference.line
        language = _LANGUAGES.get(reference.language.lower(), reference.language.lower())
        self._language = language
        self._names = self._names_by_line(text)
        self._must_compile = block
        self._rules = critical_diff.Fixed(
            reference.token,
            text,
            _surroundings(reference),
            line=reference.line if block else "",
            language=language,
        )

    def scores(self, answer: str) -> Scores:
        block = self._must_compile
        if len(answer) > LONGEST:
            return _scores(_NO_RULE, (0.0, 0.0), block=block, must_compile=block)
        rules = self._rules.rules(answer)
        same = likeness.NOTHING
        if rules[0]:
            same = likeness.fixed(self._names, self._names_by_line(answer))
        return _scores(rules, (same.ism, same.pm), block=block, must_compile=block)

    def _names_by_line(self, code: str) -> list[tuple[str, ...]]:
        if self._language == "python":
            return names_by_line(code)
        from libdrift.metrics.trees import identifiers

        # Line by line a comment of several lines would be code.
        shown = zip(code, bare(code, self._language), strict=True)
        text = "".join(own if seen == '"' else seen for own, seen in shown)
        return [tuple(identifiers(line, self._language)) for line in text.split("\n")]
