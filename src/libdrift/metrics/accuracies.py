"""CODEMENV's three accuracies: locate the API that changed, explain the change, migrate the code.

A sample is right or wrong as a whole, and an accuracy is the share of right samples. The paper's
formulas are strict, and so are the functions here. The judge of the released program is a model:
for locating it asks whether the labels are *among* the names given (``released_located``), which
a list of every name in the code satisfies, and for explaining whether the text is loosely
related, which no function can tell. A migration is right if one of the first k attempts passes all
its tests (``at_k.any_of_first_k``), which is not what other benchmarks call pass@k.

An explanation may name a version up to ±0.5 away from the right one, says the paper. Versions are
no decimals (3.10 is not 3.1), so here that is: of the same major series, and at most five minor
releases away, a minor release being a tenth.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

_ALIASES = {"np": "numpy", "pd": "pandas", "tf": "tensorflow"}
# The spellings of the published data, and those of the paper's three kinds.
_SPELLINGS = {
    "addition": "add, added, new, newly added, introduce, introduced, introduction",
    "deprecation": "deprecate, deprecated, remove, removed, removal, delete, deleted, deletion",
    "replacement": "replace, replaced, move, moved, rename, renamed, renaming, relocate, "
    "relocated, relocation, location change, location changed, change of location",
}
_KINDS = {word: kind for kind, words in _SPELLINGS.items() for word in words.split(", ")}
_JOINTS = re.compile(r"[/,;()&]|\band\b|\bor\b")
MARGIN = 5  # minor releases
_LONGEST = 100  # characters of a version
_VERSION = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Explanation:
    """What happened to one API. What a label does not say is not compared."""

    kind: str  # empty if that is not said
    # What stands in for it; empty if nothing does, and ``None`` if that is not said.
    replacement: str | None = None
    version: str | None = None  # in which it happened


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
    """Task 2: the labels are explained right, with kind, version and replacement, and nothing else.

    Both map an API to its explanation. Kinds are compared by what they mean (``Add`` and ``Added``
    are one), versions within the margin, replacements as full names.
    """
    by_name = {api_name(api): explanation for api, explanation in given.items()}
    return by_name.keys() <= _names(labels) and all(
        (answer := by_name.get(api_name(api))) is not None and not differences(answer, label)
        for api, label in labels.items()
    )


def differences(answer: Explanation, label: Explanation) -> list[str]:
    """What an explanation has wrong of what the label says, in words."""
    found = []
    if label.kind and kind_of(answer.kind) != kind_of(label.kind):
        found.append(f"kind {answer.kind or 'not said'}, not {kind_of(label.kind)}")
    if label.version is not None and not near(answer.version or "", label.version):
        found.append(f"version {answer.version or 'not said'}, not {label.version}")
    if label.replacement is not None:
        wanted, told = api_name(label.replacement), api_name(answer.replacement or "")
        if not same_api(told, wanted):
            found.append(f"replacement {told or 'none'}, not {wanted or 'none'}")
    return found


def near(version: str, wanted: str) -> bool:
    """Whether a version is within the paper's margin of the right one."""
    mine, right = _numbers(version), _numbers(wanted)
    return (
        mine is not None
        and right is not None
        and mine[0] == right[0]
        and abs(mine[1] - right[1]) <= MARGIN
    )


def same_api(name: str, label: str) -> bool:
    """Whether a full name, or what a class's member is called for short, is a label's.

    A member may be named from its class on (``Series.ffill``). A label that is a mere name
    (``release``) is a builtin, or a method whose class is not said.
    """
    if name == label:
        return True
    if "." not in label:
        return bool(label) and name.rpartition(".")[2] == label
    short, long = sorted((name, label), key=len)
    return "." in short and short[0].isupper() and long.endswith(f".{short}")


def accuracy(right: Sequence[bool]) -> float | None:
    """The share of right samples; ``None`` without samples."""
    return sum(right) / len(right) if right else None


def _names(labels: Collection[str]) -> set[str]:
    return {api_name(label) for label in labels} - {""}


def kind_of(kind: str) -> str:
    """The paper's word for a kind of change."""
    plain = " ".join(re.split(r"[\s_-]+", kind.lower().strip()))
    words = {word.strip() for word in _JOINTS.split(plain)} - {""}
    kinds = {_KINDS.get(word, word) for word in words}  # `removed (deprecated)` is of one kind
    return kinds.pop() if len(kinds) == 1 else plain


def _numbers(version: str) -> tuple[int, int] | None:
    found = _VERSION.search(version)
    if found is None or len(found[0]) > _LONGEST:
        return None
    major, minor = [*map(int, found[0].split(".")), 0][:2]
    return major, minor
