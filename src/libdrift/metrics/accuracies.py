"""CODEMENV's three accuracies: locate the API that changed, explain the change, migrate the code.

A sample is right or wrong as a whole, and an accuracy is the share of right samples. The paper's
formulas are strict, and so are the functions here. The judge of the released program is a model:
for locating it asks whether the labels are *among* the names given (``released_located``), which
a list of every name in the code satisfies, and for explaining whether the text is loosely
related, which no function can tell. A migration is right if one of the first k attempts passes all
its tests (``at_k.any_of_first_k``), which is not what other benchmarks call pass@k.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

_ALIASES = {"np": "numpy", "pd": "pandas", "tf": "tensorflow"}
# The spellings of the published data, and those of the paper's three kinds.
_KINDS = {
    "add": "addition",
    "added": "addition",
    "deprecated": "deprecation",
    "removed": "deprecation",
    "location change": "replacement",
    "replaced": "replacement",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """What happened to one API."""

    kind: str
    # What stands in for it; empty if nothing does, and ``None`` if that is not said.
    replacement: str | None = None


def api_name(label: str) -> str:
    """The full name in a label or an answer: the text before ``(``, its alias written out.

    ``np.in1d(ar1, ar2)->bool`` is ``numpy.in1d``. A label without a name is empty.
    """
    words = label.partition("(")[0].replace("`", " ").split()
    if not words:
        return ""
    head, dot, rest = words[0].partition(".")
    return (_ALIASES.get(head, head) if dot else head) + dot + rest


def located(names: Collection[str], labels: Collection[str]) -> bool:
    """Task 1: the names given are exactly the labels, as sets of full names."""
    return _names(names) == _names(labels)


def released_located(names: Collection[str], labels: Collection[str]) -> bool:
    """Task 1 as the released judge has it: the labels are among the names given."""
    return _names(labels) <= _names(names)


def explained(given: Mapping[str, Explanation], labels: Mapping[str, Explanation]) -> bool:
    """Task 2: every label is explained right, that is with its kind of change and replacement.

    Both map an API to its explanation. Kinds are compared by what they mean (``Add`` and ``Added``
    are one), replacements as full names, unless the label does not say which there is.
    """
    by_name = {api_name(api): explanation for api, explanation in given.items()}
    return all(
        (answer := by_name.get(api_name(api))) is not None and _same(answer, label)
        for api, label in labels.items()
    )


def accuracy(right: Sequence[bool]) -> float | None:
    """The share of right samples; ``None`` without samples."""
    return sum(right) / len(right) if right else None


def _names(labels: Collection[str]) -> set[str]:
    return {api_name(label) for label in labels} - {""}


def _same(answer: Explanation, label: Explanation) -> bool:
    if _kind(answer.kind) != _kind(label.kind):
        return False
    if label.replacement is None:
        return True
    return api_name(answer.replacement or "") == api_name(label.replacement)


def _kind(kind: str) -> str:
    plain = " ".join(kind.lower().split())
    return _KINDS.get(plain, plain)
