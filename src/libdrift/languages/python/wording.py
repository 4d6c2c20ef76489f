"""The name that a sentence tells to use instead: of a warning, a decorator, a documentation."""

from __future__ import annotations

import re

_NOUNS = r"(?:function|method|class|attribute|property|argument|parameter|keyword|module)"
_LEAD = (
    r"(?P<article>(?:(?:either|directly|the|a|an|new|using|our|its) )*)"
    r"(?:(?:python'?s? )?(?:standard library|built-?in)(?:'s)?\s+)?"
    rf"(?:(?:keyword )?{_NOUNS}s?\s+)?"
)
_NAME = (
    _LEAD + r"(?P<quote>[`'\":~!@]*(?:\w+:)?`?[~.@]*)"
    r"(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?!:`)\b"
    rf"(?P<after>\(|=|[`'\"]* (?:keyword )?{_NOUNS})?"
)
_HINTS = [
    re.compile(rf"\b(?:renamed|moved|changed) (?:to|as|into) {_NAME}", re.IGNORECASE),
    re.compile(rf"\b(?:replaced?|superseded) (?:it )?(?:by|with) {_NAME}", re.IGNORECASE),
    re.compile(rf"\bin favou?r of {_NAME}", re.IGNORECASE),
    re.compile(rf"(?:-+>|=>|→)\s*{_NAME}", re.IGNORECASE),
    re.compile(
        r"\b(?:use|by using|try using|consider using|call|import|prefer|access|switch to)\s+"
        rf"(?:of |(?:directly )?from )?{_NAME}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:migrate|switch|move) to [^.`]*(?P<quote>`)@?(?P<name>[\w.]+)`(?P<article>)"
        r"(?P<after>)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:taken care of|handled|provided|obsoleted|subsumed|covered) by {_NAME}",
        re.IGNORECASE,
    ),
    re.compile(rf"\bcheck {_NAME}(?=[\w.()`'\"]* directly\b)", re.IGNORECASE),
    re.compile(rf"\b(?:see(?: also)?|via) {_NAME}", re.IGNORECASE),
    re.compile(
        rf"{_NAME}[`'\"()]* (?:should be used |can be used |must be used )?instead", re.IGNORECASE
    ),
]
_FILLER = set(
    "the a an i it this that instead of your new other another to for in only one as is and or not "
    "with from explicit function method class argument parameter keyword will be can should any "
    "none true false its their you we same following something different either directly at all "
    "version positional option raise return await yield lambda del pass name names constructor "
    "arguments parameters keywords attribute attributes property properties value values module "
    "functions methods classes object objects instance instances default defaults them these "
    "those such both when if by api apis".split()
)
# What code puts the name of a class in by: "'{type(self).__name__}.swapaxes' is deprecated".
_CLASS_NAME = re.compile(r"\{(?:type\((?:self|cls)\)|self\.__class__|cls)\.__(?:qual)?name__\}")
# "Please use `spsolve` from the `scipy.sparse.linalg` namespace"
_FROM = re.compile(
    r"\b(?:use|import)\s+[`'\"]+(?P<name>\w+)[`'\"]+ from (?:the )?(?:module )?"
    r"[`'\"]+(?P<place>[A-Za-z_]\w*(?:\.\w+)*)[`'\"]+",
    re.IGNORECASE,
)
# "please use the Alignment class in Bio.Align instead"
_IN = re.compile(
    rf"\b(?:use|import)\s+(?:the )?[`'\"]*(?P<name>[A-Za-z_]\w*)[`'\"()]* {_NOUNS} "
    r"(?:from|in|of) (?:the )?[`'\"]*(?P<place>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)",
    re.IGNORECASE,
)
# "use the FORMAT attribute on the corresponding Reader"
_ON = re.compile(
    r"\buse\s+(?:the )?[`'\"]*(?P<name>[A-Za-z_]\w*)[`'\"()]* (?:attribute|method|property) "
    r"(?:on|of|from) (?:an? |the )?(?:corresponding |same |new )?[`'\"]*(?P<place>[A-Z]\w+)\b",
    re.IGNORECASE,
)
# "Use of `old` is deprecated": no advice.
_USE_OF = re.compile(r"(?i)\buse of\b")
_GOES = re.compile(r"(?i)\b(?:deprecated|discouraged|no longer|not recommended|will be removed)\b")
# What follows a name, and not an adjective: "use public APIs".
_ENDS = re.compile(
    r"[`'\"()]*(?:$|[.,;:!?)]|\s+(?:instead|for|or|and|with|to|from|in|as|on|when|if|since|rather|"
    rf"which|that|{_NOUNS})\b)",
    re.IGNORECASE,
)
_NAMES = re.compile(r"[\w.]+(?:\(\))?(?:(?:,? (?:or|and)|,) [\w.]+(?:\(\))?)*$")


def replacement_in(sentence: str) -> str:
    """The name that a message tells to use instead, if it names one."""
    found = _FROM.search(sentence) or _IN.search(sentence) or _ON.search(sentence)
    if found:
        return f"{found['place']}.{found['name']}"
    for pattern in _HINTS:
        for match in pattern.finditer(sentence):
            name = match["name"].rstrip(".")
            minus = sentence[max(0, match.start("name") - 1) : match.start("name")] == "-"
            is_quoted = any(mark in "`'\"" for mark in match["quote"])
            if minus or name.endswith("Warning") or (name.lower() in _FILLER and not is_quoted):
                continue
            rest = sentence[match.end() :].partition(". ")[0]
            if re.match(r"[`'\"]* (?:data )?(?:types?|formats?)\b", rest):
                continue  # "use MetaTensor data type and `p.New`"
            if _USE_OF.match(sentence, match.start()) and _GOES.search(rest):
                continue
            looks_like_code = _looks_like_code(match, name)
            if pattern in _HINTS[-2:] and not looks_like_code:
                continue  # "will be ordered last instead", "see below"
            if looks_like_code or _stands_as_name(match, sentence):
                return name
    return ""


def _looks_like_code(match: re.Match[str], name: str) -> bool:
    return (
        not name.isalpha()
        or not name.islower()  # a capital after a verb: "use the Ellipse glyph"
        or any(mark in "`'\":" for mark in match["quote"])
        or bool(match["after"])
    )


def _stands_as_name(match: re.Match[str], sentence: str) -> bool:
    """A plain word is a name neither after an article nor before what it could describe."""
    article = match["article"].removesuffix("new ").strip()
    return not article and bool(_ENDS.match(sentence[match.end("name") :]))


def with_class(message: str, path: str) -> str:
    """A message of a method, with the name of its class where the code puts that in."""
    owner = path.rpartition(".")[0].rpartition(".")[2]
    return _CLASS_NAME.sub(lambda _: owner, message) if owner else message


def alternative_in(said: str) -> str:
    """What an argument like ``alternative="`.Axes.plot` or …"`` names first."""
    found = re.match(r"^[`'\"~!.@:]*(?:\w+:)?`?[~.]*([A-Za-z_][\w.]*)", said)
    name = found[1].rstrip(".") if found else ""
    if " " not in said.strip() or (found and said[:1] in "`'\":") or _NAMES.match(said):
        return name
    quoted = re.search(r"[`'\"][~.]*([A-Za-z_][\w.]*)", said)
    if quoted:
        return quoted[1].rstrip(".")
    return replacement_in(said) or replacement_in(f"use {said}") or _first_code(said)


def _first_code(said: str) -> str:
    """`pyplot.plot for lines`: a first word that no sentence has."""
    first = said.split(maxsplit=1)[0].rstrip(".,;:()")
    return first if re.fullmatch(r"[A-Za-z_][\w.]*", first) and not first.isalpha() else ""


def argument_in(sentence: str) -> str:
    """The argument that a message is about: "The ``callback`` argument is deprecated"."""
    words = r"(?:keyword )?(?:argument|parameter|keyword|option)s?\b"
    quoted = r"[`*'\"]+(\w+)[`*'\"]+"
    found = re.match(
        rf"(?i)(?:The |Using |Passing )?(?:{quoted} {words}|{words} {quoted})", sentence
    )
    return (found[1] or found[2]) if found else ""


def tidy(sentence: str) -> str:
    """One line; epytext's `L{name}` and `C{name}` as other markup has it."""
    quoted = re.sub(r"\b[LC]\{([^{}]+)\}", r"`\1`", sentence)
    return re.sub(r"\s+", " ", quoted).strip()[:600]
