"""What a deprecation's message is about: the name itself, a way to use it, or mere advice."""

from __future__ import annotations

import re

from libdrift.records import Deprecation, FindingLevel, Symbol

# Messages that tell of some ways to use a thing, not of the thing.
_PARTIAL = re.compile(
    r"(?:support (?:for|of)|passing|giving|providing|setting|use of|using|calling|specifying)\b"
    r"|[^.]*\bthe behaviou?r of\b"
    r"|(?:the )?(?:default|arguments?|parameters?|keywords?|options?)\b|[^.]*\bdeprecated to \w"
    r"|(?:(?!deprecat)[^.])*\b(?:arguments?|parameters?|keywords?|options?)\b(?=[^.]*deprecat)",
    re.IGNORECASE,
)
# The part of a message that tells of a deprecation, if that is of something that is done with it.
_DOING = re.compile(
    r"(?:^|[.;:]\s+)(?!import|\w*thing\b|string|during)\w{3,}ing (?!is |was |has )"
    r"[^.;:]*\b(?:is|are|was) (?:\w+ )?deprecat"
    r"|\bwith(?:out| no)(?: any)? arguments? (?:is|was) deprecat",
    re.IGNORECASE,
)
# Messages of a module that tell of whatever name is asked for.
_WHATEVER = re.compile(r"(?:importing|accessing|import of|access to)\b[^.]*[…{]", re.IGNORECASE)
# What a message begins with, if that is the name of something: "`a.b` is deprecated".
_SUBJECT = re.compile(
    r"(?:the |a )?(?::\w+:)?[`'\"]+[~.]?([\w.]+)(?:\(\))?[`'\"]+[^.]{0,40}?"
    r"\b(?:is|was|are|were|has been|have been)\b[^.]*deprecat",
    re.IGNORECASE,
)
# What a message of something that ends speaks of; one without is of something not recommended.
_ENDING = re.compile(
    r"deprecat|remov|obsolete|no longer|replace|instead|renam|moved|drop|retire|superseded|will"
    r"|legacy|going away|old",
    re.IGNORECASE,
)


def level_of(symbol: Symbol) -> FindingLevel:
    """What only documentation says warns nobody who runs it; a mere advice is for some day."""
    told = [item for item in symbol.deprecations if not item.parameter]
    said = [item for item in told if item.source != "docstring"]
    is_advice = all(item.message and not _ENDING.search(item.message) for item in said)
    return FindingLevel.INFO if is_advice else FindingLevel.WARNING


def was_ending(path: str, old: Symbol, now: Deprecation) -> bool:
    """Whether the old release told of the end of a name already, and not of something else."""
    told = old.deprecation
    if told is None:
        return False
    if told.conditional:
        return told.message == now.message
    return not told.message or bool(_ENDING.search(told.message)) or not is_of(path, told)


def is_of(path: str, told: Deprecation) -> bool:
    """Whether a deprecation is of the name itself: not of a way to call it, nor of another name."""
    if told.source == "warning" and not told.message:
        return False
    if _WHATEVER.match(told.message):
        return False  # which names, it does not say
    subject = _SUBJECT.match(told.message)
    if subject:
        parts = [part for part in subject[1].split(".") if part[:2] != "__"]  # A.__init__ is A's
        if parts[-1:] != [path.rpartition(".")[2]]:
            return False
    return not (_PARTIAL.match(told.message) or _DOING.search(told.message))
