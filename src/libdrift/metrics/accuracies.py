"""CODEMENV's three accuracies: locate the API that changed, explain the change, migrate the code.

A sample is right or wrong as a whole, and an accuracy is the share of right samples. The paper's
formulas are strict, and so are the functions here. The judge of the released program is a model:
for locating it asks whether the labels are *among* the names given, which a list of every name in
the code satisfies, and for explaining whether the text is loosely related, which no function can
tell. A migration is right there if one of the first k attempts passes all its tests, which is not
what other benchmarks call pass@k.

An explanation may name a version up to ±0.5 away from the right one, says the paper. Versions are
no decimals (3.10 is not 3.1), so here that is: of the same major series, and at most five minor
releases away, a minor release being a tenth. Where it is not known in which version something
happened, it is known between which two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ALIASES = {"np": "numpy", "pd": "pandas", "tf": "tensorflow"}
ADDITION, DEPRECATION, REPLACEMENT = "addition", "deprecation", "replacement"
# The words of the published data, of the paper's three kinds, and what people say for them.
_KINDS = {
    ADDITION: r"add(?:s|ed|ing|ition|itions)?\b|introduc\w+|^new\b"
    r"|new(?:ly)? (?:in|since|from|added)\b|\b(?:is|as|a|was) new\b",
    DEPRECATION: r"deprecat\w+|remov(?:e|es|ed|al|ing)\b|delet(?:e|es|ed|ion)\b|obsole\w+"
    r"|discontinued|no longer (?:available|supported|exists?|there)|dropped|retired|withdrawn"
    r"|eliminated|supersed\w+",
    REPLACEMENT: r"replac\w+|mov(?:e|es|ed|ing)\b|renam\w+|relocat\w+|location chang\w+"
    r"|change of location|transferred|migrated|supersed\w+",
}
_WORDS = {kind: re.compile(rf"(?<!\w)(?:{words})", re.IGNORECASE) for kind, words in _KINDS.items()}
# Of a part of the API, not of it; or of nothing at all.
_OTHER = re.compile(
    r"\b(?:parameters?|arguments?|keyword|signatures?|behaviou?r|return|defaults?|semantics|"
    r"undeprecated|unchanged)\b|\b(?:not|never|nor|without|isn't|wasn't|hasn't|un)(?: been| being)?"
    r"[\s-]+(?:yet |really |actually |even )?(?:add|introduc|new|deprecat|remov|delet|obsol|replac|"
    r"mov|renam|reloc|supersed)",
    re.IGNORECASE,
)
_NO_OTHER = re.compile(r"\b(?:no|without)(?: \w+){0,2} replacements?\b", re.IGNORECASE)
MARGIN = 5  # minor releases
_LONGEST = 100  # characters of a version
_MOST = 3  # versions that one answer may name: `deprecated in 1.25, removed in 2.0`
_VERSION = re.compile(r"\d+(?:\.\d+)*")
# In a sentence: not the digits in a name, but those of `numpy2.0` and `v2`.
_TOLD = re.compile(
    r"(?:(?<![\w.])|(?<![a-z0-9])(?:v|ver|numpy|np|pandas|pd|tensorflow|tf|torch|pytorch|python|py|"
    r"jdk|openjdk|java|javase|se))(\d+(?:\.\d+)*)(?:\.[x*])?(?![\w(])",
    re.IGNORECASE,
)
_BELOW = re.compile(r"<=?\s*v?\d[\d.]*")
# What is not said to be the version, or is the number of something else.
_NOT = re.compile(
    r"\bnot (?:in |since )?(?:version )?v?\d[\d.]*|\b(?:[jp]ep|issue|bug|lines?|gh)[\s#-]*\d+",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class ChangeExplanation:
    """What happened to one API. What a label does not say is not compared."""

    kind: str  # empty if that is not said; of a label, `deprecation or replacement` are two
    # What stands in for it; empty if nothing does, and ``None`` if that is not said. Of a label,
    # `a.b or a.c` are two that do.
    replacement: str | None = None
    version: str | None = None  # in which it happened
    between: tuple[str, str] | None = None  # of a label: not yet in the first, but in the last


def api_name(label: str) -> str:
    """The full name in a label or an answer: the text before ``(``, its alias written out.

    ``np.in1d(ar1, ar2)->bool`` is ``numpy.in1d``. A label without a name is empty.
    """
    words = label.partition("(")[0].replace("`", " ").split()
    if not words:
        return ""
    head, dot, rest = words[0].partition(".")
    return (_ALIASES.get(head, head) if dot else head) + dot + rest


def kind_and_version(answer: ChangeExplanation, label: ChangeExplanation) -> dict[str, str]:
    """What an explanation has wrong of the two, each in words."""
    found = {}
    if not _kind_fits(answer.kind, label):
        said = answer.kind[:_LONGEST] or "not said"
        found["kind"] = f"kind {said}, not {kind_of(label.kind)}"
    if not _version_fits(answer.version or "", label):
        told = answer.version[:_LONGEST] if answer.version else "not said"
        bounds = label.between or ("", "")
        wanted = label.version or f"between {bounds[0]} and {bounds[1]}"
        found["version"] = f"version {told}, not {wanted}"
    return found


def alternatives(replacement: str) -> list[str]:
    """Each of the APIs that a label says can stand in for another."""
    return replacement.split(" or ")


def _kind_fits(kind: str, label: ChangeExplanation) -> bool:
    wanted = kinds_of(label.kind)
    if not wanted:
        return not label.kind or kind_of(kind) == kind_of(label.kind)
    given = kinds_of(kind)
    if given == {DEPRECATION, REPLACEMENT}:
        # `deprecated, replaced by…`: both at once, where there is something else to use.
        return bool(given & wanted) and label.replacement != ""
    return bool(given) and given <= wanted


def _version_fits(text: str, label: ChangeExplanation) -> bool:
    if label.version is None and label.between is None:
        return True
    told = versions_in(text)
    if not told or len(told) > _MOST:
        return False

    def bounded(one: str) -> bool:
        return label.between is not None and within(one, *label.between)

    def fits(one: str) -> bool:
        if label.version is None:
            return bounded(one)
        if near(one, label.version):
            return True
        # `After 2.7`, where 2.7 is the older of the two: any that came later.
        after = label.between is not None and same_version(label.version, label.between[0])
        return after and bounded(one)

    def later(one: str) -> bool:
        """`deprecated in 2.0, removed in 3.0`: what came after is not asked."""
        return len(told) == 2 and label.between is not None and _after(one, label.between[1])  # noqa: PLR2004

    return any(map(fits, told)) and all(fits(one) or bounded(one) or later(one) for one in told)


def versions_in(text: str) -> list[str]:
    """The versions that a text names, each once; of a text that is one, that one."""
    plain = _NOT.sub("", text[: 20 * _LONGEST])
    found = _TOLD.findall(_BELOW.sub("", plain)) or _TOLD.findall(plain)
    return list(dict.fromkeys(one for one in found if not _YEAR.fullmatch(one)))


def within(version: str, older: str, newer: str) -> bool:
    """Whether a version lies between two others, or within the margin of one of them."""
    this, low, high = _numbers(version), _numbers(older), _numbers(newer)
    if this is None or low is None or high is None:
        return False
    return low <= this <= high or near(version, older) or near(version, newer)


def _after(version: str, other: str) -> bool:
    this, that = _numbers(version), _numbers(other)
    return this is not None and that is not None and this > that


def same_version(one: str, other: str) -> bool:
    return _numbers(one) == _numbers(other) is not None


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


def kind_of(kind: str) -> str:
    """The paper's word for a kind of change; as it is, where that is not one."""
    kinds = kinds_of(kind)
    return next(iter(kinds)) if len(kinds) == 1 else _plain(kind)


def kinds_of(text: str) -> frozenset[str]:
    """The paper's kinds that a text speaks of: `removed (deprecated)` is one, `moved` another."""
    plain = _plain(text)
    if _OTHER.search(plain):
        return frozenset()
    plain = _NO_OTHER.sub("", plain)
    return frozenset(kind for kind, words in _WORDS.items() if words.search(plain))


def _plain(kind: str) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind[: 20 * _LONGEST])  # `LocationChange`
    return " ".join(re.split(r"[\s_]+|(?<=\w)-(?=\w)", words.lower().strip()))


def _numbers(version: str) -> tuple[int, int] | None:
    found = _VERSION.search(version)
    if found is None or len(found[0]) > _LONGEST:
        return None
    major, minor = [*map(int, found[0].split(".")), 0][:2]
    return major, minor
