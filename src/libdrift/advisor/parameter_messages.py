"""What a deprecation that has to do with a parameter is of."""

from __future__ import annotations

import re

from libdrift.records import Deprecation

# A deprecation that tells of a parameter names it: a warning under a test of its value, which does
# not, is of some values only.
_MENTION = (
    r"[`'\"]{name}\b|\b{name}[`'\"]* (?:argument|parameter|keyword|option|is |was |has |will )"
    r"|(?:argument|parameter|keyword|option)s? [`'\":]*{name}\b"
)
# Deprecations of leaving a parameter out, and of something else that has to do with one.
_OF_ABSENCE = r"\b(?:specify|pass|set|give|provide)\b[^.]{{0,20}}[`'\" ]{name}\s*="
_OF_SOME = (
    r"(?:using|passing|giving|specifying|providing|setting|use of)\s+"
    r"(?!(?:the |an? |in )?(?:argument|parameter|keyword|option|value)?s?\s*[`'\":]*{name}\b)"
)


# A deprecation of one value: "The 'old' method is deprecated", where method is a parameter.
_OF_VALUE = r"['\"`](?!{name}\b)[\w-]+['\"`]+ {name}\b"


def is_about_giving(item: Deprecation) -> bool:
    """Whether whoever gives the parameter is warned: not who leaves it out, nor some of them."""
    if item.source == "decorator" or not item.message:
        return True
    name = re.escape(item.parameter)
    if re.search(_OF_ABSENCE.format(name=name), item.message, re.IGNORECASE):
        return False
    if re.match(_OF_SOME.format(name=name), item.message, re.IGNORECASE):
        return False
    if re.search(_OF_VALUE.format(name=name), item.message):
        return False
    return re.search(_MENTION.format(name=name), item.message) is not None
