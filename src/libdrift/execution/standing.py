"""Whether an explanation holds for a label: its kind, its version, and what stands in for the API.

Where a label does not say what does, an answer may say that nothing does, or name something that is
known to be there; a name that was made up is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from keyword import iskeyword

from libdrift.execution import known, naming
from libdrift.execution.explaining import StatedChange
from libdrift.execution.resolving import full_names, means, stands_for
from libdrift.metrics.accuracies import (
    ChangeExplanation,
    alternatives,
    api_name,
    kind_and_version,
    kinds_of,
    versions_in,
)

_NOTHING = re.compile(
    r"^\W*(?:$|n/?a\b|none\b|null\b|nil\b|nothing\b|unknown\b"
    r"|not (?:applicable|available|replaced)"
    r"|no(?:t any)?\b(?: \w+){0,2} (?:replacement|equivalent|alternative|substitute|successor)s?"
    r"|without (?:a )?(?:replacement|alternative|equivalent))",
    re.IGNORECASE,
)
# No API, but something to do: as good as none.
_BY_HAND = re.compile(
    r"\b(?:custom|manual\w*|(?:your )?own|implement\w*|by hand|loops?|comprehension|formula"
    r"|polyfill|backport|expression|helper|workaround)\b",
    re.IGNORECASE,
)
_ARGUMENTS = re.compile(r"(?<=\w)\([^()]*\)")
_DENIED = re.compile(r"\b(?:not|never)\W*$", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d]\w*")
_USELESS = frozenset(
    "use using the a an function method class instead with builtin built in python module package "
    "now it is replaced by replace replacement new api of pythons java".split()
)
_JOINT = re.compile(r"^[\s,/|`*]*(?:or|and|alternatively|and/or)?[\s,/|`*]*$", re.IGNORECASE)
_ELSEWHERE = re.compile(r"graal|org\.openjdk\.nashorn|rhino", re.IGNORECASE)
_NASHORN = "jdk.nashorn."
_ANY = ".*"
_MOST = 3  # versions
_LONGEST = 2000  # characters of a replacement


@dataclass(frozen=True, slots=True)
class Subject:
    """The API that is explained, in the code that uses it."""

    label: str
    wanted: ChangeExplanation
    code: str
    language: str


PARTS = ("kind", "version", "replacement")


def faults(told: StatedChange, subject: Subject) -> dict[str, str]:
    """Which of its ``PARTS`` an explanation has wrong, each in words."""
    wanted = subject.wanted
    about = "; ".join(filter(None, (told.kind, told.prose)))
    bare = _without_names(about)
    kind = _without_names(told.kind or "")
    if told.version is not None:
        version: str | None = told.version
    else:
        version = ", ".join(versions_in(bare)) or None
    answer = ChangeExplanation(kind if kinds_of(kind) else bare.strip("; "), version=version)
    if subject.language != "java" or wanted.between is None:
        found = kind_and_version(answer, wanted)
    else:
        found = kind_and_version(answer, replace(wanted, version=None, between=None))
        if not _java_version(version or "", subject):
            older, newer = wanted.between
            said = (version or "not said")[:100]
            found["version"] = f"version {said}, not after {older} and up to {newer}"
    wrong = _replacement(told.replacement, about, subject)
    return found | ({"replacement": wrong} if wrong else {})


# --- versions of Java


def _java_version(text: str, subject: Subject) -> bool:
    releases = [_release(one) for one in versions_in(text)]
    since = known.deprecated_in_jdk(subject.label)
    assert subject.wanted.between is not None  # noqa: S101  (asked for by the caller)
    older, newer = (_release(one) for one in subject.wanted.between)

    def fits(one: int) -> bool:
        if since == "":  # long ago: who knows when
            return 1 <= one <= newer
        return older < one <= newer or one == (since and _release(since))

    def later(one: int) -> bool:
        """`deprecated in 9, removed in 13`: what came after is not asked."""
        return len(releases) == 2 and one > newer  # noqa: PLR2004

    return (
        len(releases) <= _MOST
        and any(map(fits, releases))
        and all(fits(one) or later(one) for one in releases)
    )


def _release(version: str) -> int:
    """1.8 is 8."""
    parts = [*map(int, version.split(".")), 0]
    return parts[1] if parts[0] == 1 and len(version.split(".")) > 1 else parts[0]


# --- replacements


def _replacement(text: str | None, about: str, subject: Subject) -> str:
    """Why what an answer says to use instead is wrong; empty if it is right."""
    wanted = subject.wanted.replacement
    if wanted is None and subject.wanted.between is None:
        return ""  # that is not asked
    if text is None:
        names, nothing = _instead(about, subject), True
    else:
        names, nothing = _named(text, subject), bool(_NOTHING.match(text))
    if wanted and iskeyword(wanted):
        said = rf"(?<![\w.]){wanted}(?![\w.])" if text is not None else rf"`{wanted}`|\b{wanted} op"
        right = re.search(said, text or about) is not None
        return "" if right else f"replacement {_shown(names, text)}, not {wanted}"
    if wanted == "":
        right = nothing and not (text is None and names)
        return "" if right else f"replacement {_shown(names, text)}, not none"
    if wanted is None:
        return _plausible(names, text or "", subject, nothing=nothing)
    right = bool(names) and _is_one_of(names[0], wanted, subject)
    lasts = {one.rpartition(".")[2] for one in alternatives(wanted)}
    # Beside it, others that are as right, or of the same name elsewhere.
    right = right and all(
        _is_one_of(name, wanted, subject) or name.rpartition(".")[2] in lasts for name in names[1:]
    )
    expected = " or ".join(map(api_name, alternatives(wanted)))
    return "" if right else f"replacement {_shown(names, text)}, not {expected}"


def _shown(names: Sequence[str], text: str | None) -> str:
    return (" or ".join(map(api_name, names)) or (text or "").strip() or "none")[:200]


def _named(text: str, subject: Subject) -> list[str]:
    """The first name in a text that is not the API itself, and those that are put beside it."""
    plain = text[:_LONGEST]
    while (shorter := _ARGUMENTS.sub("", plain)) != plain:
        plain = shorter
    spots = [(o.name, o.at) for o in naming.mentions(plain) if not _DENIED.search(plain[: o.at])]
    if not spots:
        words = [one for one in _WORDS.finditer(plain) if one[0].lower() not in _USELESS]
        if _NOTHING.match(plain) or _BY_HAND.search(plain):
            words = []
        spots = [(one[0], one.start()) for one in words[:1]]
    others = [(name, at) for name, at in spots if not _is_itself(name, subject)]
    if not others:
        return [name for name, _ in spots[:1]]
    found = others[:1]
    for name, at in others[1:]:
        last, where = found[-1]
        between = plain[where:at].lstrip("`*").removeprefix(last)
        if not _JOINT.match(between):
            break
        found.append((name, at))
    return [name for name, _ in found]


def _instead(text: str, subject: Subject) -> list[str]:
    """What sentences tell to use instead."""
    said = [one for one in naming.mentions(text) if not _is_itself(one.name, subject)]
    return [one.name for one in said if one.instead] or [one.name for one in said if one.changed][
        :1
    ]


def _is_itself(name: str, subject: Subject) -> bool:
    return means(name, subject.label, subject.code, subject.language)


def _is_one_of(name: str, wanted: str, subject: Subject) -> bool:
    return any(_is_meant(name, one, subject) for one in alternatives(wanted))


def _is_meant(name: str, wanted: str, subject: Subject) -> bool:
    if wanted.endswith(_ANY):
        package = wanted.removesuffix(_ANY)
        return f"{name}.".startswith(f"{package}.") or _there(name, subject)
    if not stands_for(name, wanted, subject.code, subject.language):
        return False
    # `XMLReader`, of which package is not said: of one that is there.
    short = subject.language == "java" and "." in name and "." not in wanted
    return not short or known.in_jdk(name)


def _plausible(names: Sequence[str], text: str, subject: Subject, *, nothing: bool) -> str:
    """Of a label that does not say what stands in for its API."""
    if subject.label.startswith(_NASHORN) and _ELSEWHERE.search(text):
        return ""
    if not names:
        fine = nothing or not text.strip() or _BY_HAND.search(text)
        return "" if fine else f"replacement {text.strip()[:200]}, which is no API"
    bad = [name for name in names if not _there(name, subject)]
    return f"replacement {_shown(bad, '')}, which is not there" if bad else ""


def _there(name: str, subject: Subject) -> bool:
    """Whether a name is known, or may be: of a library that no table is of, the label's own."""
    if _is_itself(name, subject):
        return False
    if subject.language == "java":
        found = known.jdk_class(name) or known.jdk_named(name)
        return known.in_jdk(name) if found is None else known.deprecated_in_jdk(found) is None
    root = subject.label.partition(".")[0]
    for full in full_names(name, subject.code):
        there = known.in_python(full)
        if there or (there is None and full.partition(".")[0] == root and "." in full):
            return True
    return False


def _without_names(text: str) -> str:
    """A sentence without the names in it, which may hold words and digits."""
    plain = re.sub(r"`[^`\n]*`", " ", text)
    return naming.DOTTED.sub(" ", plain)
