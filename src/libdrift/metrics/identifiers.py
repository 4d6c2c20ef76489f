"""Identifier precision, recall and F1 of an API completion: LibEvolutionEval, CrossCodeEval.

With P and T the *sets* of identifiers of the prediction and of the target, TP = |P and T|,
FP = |P - T|, FN = |T - P|.

LibEvolutionEval's F1 is *micro*: TP, FP and FN are summed over all answers, then
precision = TP / (TP + FP), recall = TP / (TP + FN), F1 = 2 TP / (2 TP + FP + FN).
CrossCodeEval's, which that paper cites, is *macro*: the mean over answers of
2 TP / (2 TP + FP + FN).

``fixed`` (the default of libdrift). Prediction and target go through the same post-processing
(see ``expressions``): the API expression is taken from both, and the hint that opens it, which is
the API's root behind the prompt (``plt``), does not count: it was given. Names are read from the
syntax tree, so those in strings and comments do not count, those inside an f-string's braces do,
and key words never do.
Values are fractions, not rounded. A target has F1 1 against itself.

``released`` gives the authors' numbers, in per cent with two places. Only the prediction gets the
hint and is narrowed and cut; strings are found by a pattern; key words count in the micro figures
and, but for ``True`` and ``False``, not in the macro ones; micro F1 is made of the rounded
precision and recall.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from libdrift.metrics import edits, expressions, trees
from libdrift.metrics.cleaning import cleaned
from libdrift.metrics.modes import Mode
from libdrift.metrics.rates import Rate
from libdrift.metrics.uncertainty import RatioSums

_STRING = re.compile(r""" "[^"\\]*(?:\\.[^"\\]*)*" | '[^'\\]*(?:\\.[^'\\]*)*' """, re.VERBOSE)
_WORD = re.compile(r"\w+")
_RELEASED_KEYWORDS = frozenset(keyword.kwlist) - {"True", "False"}
_ASCII = frozenset("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_GOES_ON = (".", "(", "[")
_COUNTS = ("tp", "fp", "fn")
_NOTHING = RatioSums()


@dataclass(frozen=True, slots=True)
class Overlap:
    """How the identifiers of a prediction meet those of the target."""

    same: bool  # the lists: order and repeats too
    tp: int
    fp: int
    fn: int

    @property
    def precision(self) -> float:
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        return _share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One answer beside its target."""

    em: bool  # equal line by line, but for blanks around lines and blank lines
    ids: Overlap  # LibEvolutionEval's: as released with key words
    names: Overlap  # CrossCodeEval's: without; in ``fixed`` mode the same as ``ids``
    similarity: float  # see ``edits``; in [0, 1] in both modes


@dataclass(frozen=True, slots=True)
class IdentifierSummary:
    """Fractions in ``fixed`` mode, per cent in ``released``."""

    em: Rate
    id_em: Rate
    precision: Rate
    recall: Rate
    f1: Rate
    similarity: Rate


def compare(
    prompt: str,
    target: str,
    generation: str,
    hint: str = "",
    aliases: Sequence[str] = (),
    mode: Mode = Mode.FIXED,
) -> Comparison:
    """One generation, as the model gave it, beside the target.

    ``hint`` follows the prompt in what the model is shown, and ``aliases`` are the names that an
    API expression may start with. In ``fixed`` mode a generation may go on from the hint, repeat
    it, or be a whole statement; a fenced block in it is the answer.
    """
    if mode is Mode.RELEASED:
        return _released(prompt, target, hint + generation, aliases)
    answer = cleaned(generation) if "```" in generation else generation
    predicted, wanted = (
        _expression(prompt, text.replace("\r\n", "\n").replace("\r", "\n"), hint, aliases)
        for text in (answer, target)
    )
    overlap = _overlap(names(predicted), names(wanted))
    return Comparison(
        em=_lines(predicted) == _lines(wanted),
        ids=overlap,
        names=overlap,
        similarity=edits.similarity(predicted.strip(), wanted.strip()),
    )


def names(code: str) -> list[str]:
    """The identifiers of Python code, in their order, without key words."""
    return [name for name in trees.identifiers(code, "python") if not keyword.iskeyword(name)]


def released_identifiers(code: str, *, keywords: bool = True) -> list[str]:
    """As released: words outside of what looks like a string, if they start with an ASCII letter.

    LibEvolutionEval's key words count, since its list of them is missing from the release;
    CrossCodeEval's do not, but for ``True`` and ``False``.
    """
    left_out = frozenset[str]() if keywords else _RELEASED_KEYWORDS
    words = _WORD.findall(_STRING.sub("", code))
    return [word for word in words if word[0] in _ASCII and word not in left_out]


class Tally:
    """Sums over tasks, whose answers are added and forgotten: a file of any length is scored.

    The answers to one task are not independent: standard errors are clustered by task.
    """

    def __init__(self, mode: Mode = Mode.FIXED) -> None:
        self._mode = mode
        self._answers = 0
        self._sums: dict[str, RatioSums] = {}

    def add(self, answers: Sequence[Comparison]) -> None:
        """All answers to one task."""
        self._answers += len(answers)
        for name, (above, below) in self._parts(answers).items():
            self._sums.setdefault(name, RatioSums()).add(above, below)

    def _parts(self, answers: Sequence[Comparison]) -> dict[str, tuple[float, float]]:
        """What a task adds above and below the line of each figure."""
        n = len(answers)
        tp, fp, fn = (sum(getattr(one.ids, name) for one in answers) for name in _COUNTS)
        means: dict[str, list[float]] = {
            "em": [one.em for one in answers],
            "similarity": [self._similarity(one) for one in answers],
            "id_em": [one.ids.same for one in answers],
            "name_em": [one.names.same for one in answers],
            "macro_precision": [self._macro(one.names, one.names.precision) for one in answers],
            "macro_recall": [self._macro(one.names, one.names.recall) for one in answers],
            "macro_f1": [self._macro(one.names, one.names.f1) for one in answers],
        }
        return {
            "precision": (tp, tp + fp),
            "recall": (tp, tp + fn),
            "f1": (2 * tp, 2 * tp + fp + fn),
            **{name: (sum(values), n) for name, values in means.items()},
        }

    def _similarity(self, one: Comparison) -> float:
        """As released the whole numbers of a hundred are summed: fractions would round apart."""
        return one.similarity if self._mode is Mode.FIXED else round(one.similarity * 100)

    def _macro(self, overlap: Overlap, share: float) -> float:
        neither = self._mode is Mode.FIXED and overlap.tp == overlap.fp == overlap.fn == 0
        return 1.0 if neither else share  # neither has a name: they agree

    def micro(self) -> IdentifierSummary:
        """LibEvolutionEval's figures."""
        precision, recall, f1 = (self._rate(name) for name in ("precision", "recall", "f1"))
        if self._mode is Mode.RELEASED and f1.n:
            precision, recall = (
                self._released_share(rate, name)
                for rate, name in ((precision, "precision"), (recall, "recall"))
            )
            p, r = precision.value or 0.0, recall.value or 0.0
            value = 2 * (p * r) / (p + r) if p + r else 0.0
            f1 = replace(f1, value=value, stderr=_per_cent(f1.stderr))
        em, id_em, similarity = (self._mean(name) for name in ("em", "id_em", "similarity"))
        return IdentifierSummary(em, id_em, precision, recall, f1, similarity)

    def macro(self) -> IdentifierSummary:
        """CrossCodeEval's figures: each the mean over answers."""
        names = ("em", "name_em", "macro_precision", "macro_recall", "macro_f1", "similarity")
        return IdentifierSummary(*(self._mean(name) for name in names))

    def _mean(self, name: str) -> Rate:
        rate = self._rate(name)
        if self._mode is Mode.FIXED or rate.value is None:
            return rate
        if name == "similarity":
            return replace(rate, value=round(rate.value, 2))
        value = round(rate.value * 100, 2)
        return replace(rate, value=value, stderr=_per_cent(rate.stderr))

    def _rate(self, name: str) -> Rate:
        sums = self._sums.get(name, _NOTHING)
        return Rate(sums.value, sums.stderr, self._answers, tasks=sums.clusters)

    def _released_share(self, rate: Rate, name: str) -> Rate:
        """As released: the grain in the divisor is there, and rounds an even tie down."""
        sums = self._sums[name]
        value = round(sums.above / (sums.below + 1e-9) * 100, 2)
        return replace(rate, value=value, stderr=_per_cent(rate.stderr))


def _released(prompt: str, target: str, hypothesis: str, aliases: Sequence[str]) -> Comparison:
    _, text = expressions.released_api_call(hypothesis, aliases)
    cut = expressions.released_truncated(prompt, text)
    predicted = expressions.released_without_comments(cut)
    wanted = expressions.released_without_comments(target)
    ids, words = (
        _overlap(
            released_identifiers(predicted, keywords=keywords),
            released_identifiers(wanted, keywords=keywords),
        )
        for keywords in (True, False)
    )
    return Comparison(
        em=_lines(predicted) == _lines(wanted),
        ids=ids,
        names=words,
        similarity=edits.released_similarity(predicted, wanted) / 100,
    )


def _expression(prompt: str, text: str, hint: str, aliases: Sequence[str]) -> str:
    """The API expression of a text or, failing that, its first statement; without the hint.

    The hint is given, and so no merit of an answer.
    """
    start = text.lstrip()
    found, expression = False, text
    if start[:1] in _GOES_ON:
        text = hint + start
    elif not start.startswith(hint):
        # A whole statement, or talk before it; else the text goes on within a name.
        known = [alias for alias in aliases if alias.startswith(hint)]
        found, expression = expressions.api_call(text, (hint, *known))
        text = hint + text
    if not found:
        # What stands right behind the prompt is what was asked for, whatever its name: the hint
        # may be a part of one (`rc` of `rc_context`).
        first = _WORD.match(text.lstrip()) if hint else None
        found, expression = expressions.api_call(text, (first[0],) if first else aliases)
    if not found:
        expression = expressions.truncated(prompt, text)
    return expressions.without_comments(expression).lstrip().removeprefix(hint)


def _overlap(predicted: Sequence[str], wanted: Sequence[str]) -> Overlap:
    first, second = set(predicted), set(wanted)
    tp = len(first & second)
    return Overlap(list(predicted) == list(wanted), tp, len(first) - tp, len(second) - tp)


def _lines(code: str) -> list[str]:
    return [line.strip() for line in code.split("\n") if line.strip()]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _per_cent(error: float | None) -> float | None:
    return None if error is None else error * 100
