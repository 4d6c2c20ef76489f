"""What documentation says that an API does, in words that a candidate can work from.

Nothing that was written for a page with a signature above it is taken as it stands: markup goes,
and what is vague, leans on other sections, or names the API is no description.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from inspect import cleandoc

from libdrift.build.examples import summary

_LONGEST = 320  # characters
_MOST = 3  # sentences
_LEAST, _LEAST_TELLING = 5, 2  # words, and of these such as say something

_ROLE = re.compile(r":[a-z:+-]+:`(?:~(?:[\w.]*\.)?|!)?([^`<]*?)(?:\s*<[^`>]*>)?`")
_LINK = re.compile(r"`([^`<]+?)\s*<[^`>]*>`_{1,2}|\[([^\]]+)\]\([^)\s]+\)")
_REFERENCE = re.compile(r"\s*\[[\w#*]{1,12}\]_")
_WORD_LINK = re.compile(r"(?:`([^`]+)`|\b(\w+))__?(?=[\s.,;:)]|$)")
_LITERAL = re.compile(r"``([^`]+)``")
_EMPHASIS = re.compile(r"(?<![\w*`])\*{1,2}(?=\S)([^*`\n]+?)(?<=\S)\*{1,2}(?![\w*`])")
_MATHS = re.compile(r"\\[a-zA-Z]{2,}|\$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|cf|vs|approx|resp|Eq|Fig|No|al)|\b[A-Z])\.$")
_OPENING = re.compile(
    r"^This (?:function|method|class|routine|procedure|property|attribute|helper|decorator)"
    r"(?: (?:will|can be used to|is used to|may be used to|allows you to|allows to))? (\w)"
)
_SELF = re.compile(r"`?\bself\b`?(?!\s*[.(\[])")
# What leans on something else: another symbol, another section, another release.
_LEANS = re.compile(
    r"^(?:see|alias|same as|like\b|similar|equivalent|wrapper|wraps|shortcut|shorthand|deprecated|"
    r"internal|helper|variant|a? ?version of|convenience|as above|ditto|todo|note|implements?\b|"
    r"overrid\w+|(?:base|abstract|mix-?in) class|(?:the )?constructor|initiali[sz]e self|"
    r"return self|docstring|stub|placeholder|the same as|refer|please|compat\w*)\b"
    r"|\b(?:see (?:also|the|below|above)|above|below|(?:as|is|are) follows|following|refer to|"
    r"documentation|docs|docstring|tutorial|user guide|for (?:more )?(?:details|information)|"
    r"this (?:function|method|class|module|parameter|option|argument|routine|property|keyword|is)|"
    r"these (?:functions|methods|parameters|options)|deprecated|backend required|not implemented|"
    r"experimental|internal use|backwards? compatib\w+|previous versions?|version \d|"
    r"parent class|super ?class|subclass(?:es)?|corresponding (?:function|method))\b",
    re.IGNORECASE,
)
_EMPTY_WORDS = frozenset(
    "a an and any are as at be been by can for from given has have if in into is it its new object "
    "of on or return returns set get that the their them then this to used use uses using value "
    "values was which with will whether default optional specified true false none".split()
)


@dataclass(frozen=True, slots=True)
class Description:
    text: str = ""
    objection: str = ""  # why there is none


def described(doc: str, hidden: Collection[str]) -> Description:
    """What a symbol does, without any of the ``hidden`` names."""
    return _checked(_plain(summary(doc)), hidden)


def described_parameter(doc: str, parameter: str, hidden: Collection[str]) -> Description:
    """What one parameter of a symbol does, as NumPy's, Google's and Sphinx's styles tell it."""
    doc = cleandoc(doc)
    text = " ".join(_of_parameter(doc, parameter).split()) or _in_prose(doc, parameter)
    # As a word of the sentence it cannot be left out: `ordered` in "will be ordered".
    name = rf"(?:\b[Tt]he )?[*`]+{re.escape(parameter)}[*`]+"
    named = re.compile(rf"{name}(?: (?:parameter|argument|keyword|option)\b){{0,2}}")
    return _checked(_plain(named.sub("the argument", text)), hidden)


def tells(text: str, name: str) -> bool:
    """Whether a text has a name as a word, in any case, or as its parts: `running_median`."""
    words = rf"(?<![^\W_]){re.escape(name)}(?![^\W_])"
    return bool(name) and re.search(words, text, re.IGNORECASE) is not None


def _plain(text: str) -> str:
    """Without markup. Code stays between single backticks."""
    text = _ROLE.sub(r"`\1`", text)
    text = _LINK.sub(lambda found: found[1] or found[2], text)
    text = _REFERENCE.sub("", text)
    text = _LITERAL.sub(r"`\1`", text)
    text = _WORD_LINK.sub(lambda found: found[1] or found[2], text)
    text = _EMPHASIS.sub(r"`\1`", text)
    text = _SELF.sub("the object", text)
    return _OPENING.sub(lambda found: found[1].upper(), " ".join(text.split()))


def _checked(text: str, hidden: Collection[str]) -> Description:
    if not text:
        return Description(objection="no description")
    kept = _first_sentences(text)
    if not kept:
        return Description(objection="its description leans on other texts")
    told = next((name for name in hidden if tells(kept, name)), "")
    if told:
        return Description(objection="its description names it")
    if _MATHS.search(kept):
        return Description(objection="its description is a formula")
    if len(kept.split()) < _LEAST or len(_telling_words(kept)) < _LEAST_TELLING:
        return Description(objection="its description says little")
    return Description(kept)


def _first_sentences(text: str) -> str:
    """The first sentences that stand for themselves; nothing, if the very first does not."""
    kept: list[str] = []
    for sentence in _sentences(text):
        length = sum(map(len, kept)) + len(sentence)
        if _LEANS.search(sentence) or sentence.endswith(":") or length > _LONGEST:
            break
        if sentence.count("`") % 2 or sentence.count("(") != sentence.count(")"):
            break
        kept.append(sentence)
        if len(kept) == _MOST:
            break
    if not kept:
        return ""
    told = " ".join(kept)
    told = told[0].upper() + told[1:]
    return told if told[-1] in ".!?" else f"{told}."


def _sentences(text: str) -> Iterator[str]:
    begun = ""
    for part in _SENTENCE.split(text):
        begun = f"{begun} {part}".strip()
        if not _ABBREVIATION.search(begun):
            yield begun
            begun = ""
    if begun:
        yield begun


def _telling_words(text: str) -> list[str]:
    words = re.findall(r"[A-Za-z][A-Za-z'-]+", text.replace("`", " "))
    return [word for word in words if word.lower() not in _EMPTY_WORDS]


def _of_parameter(doc: str, parameter: str) -> str:
    lines = doc.splitlines()
    name = re.escape(parameter)
    forms = (
        # NumPy: the name, perhaps with others, and a type; the text is set below it.
        (re.compile(rf"(\s*)(?:\*{{0,2}}\w+, )*\*{{0,2}}{name}(?:, \w+)*\s*(?::.*)?$"), False),
        # Google: the name, perhaps with a type, and the text behind a colon.
        (re.compile(rf"(\s*)\*{{0,2}}{name}\s*(?:\([^)]*\))?:\s+(?=\S)"), True),
        (re.compile(rf"(\s*):(?:param|parameter|arg|keyword)(?: [^:]*?)? {name}:\s*"), True),
    )
    for form, goes_on in forms:
        for at, line in enumerate(lines):
            match = form.match(line)
            if match is None:
                continue
            found = [line[match.end() :]] if goes_on else []
            found += _below(lines[at + 1 :], len(match[1]))
            if any(part.strip() for part in found):
                return "\n".join(found)
    return ""


def _in_prose(doc: str, parameter: str) -> str:
    """The first sentence that speaks of the parameter, by its name as code, and of no other."""
    named = re.compile(rf"[*`]{re.escape(parameter)}[*`]")
    code = re.compile(r"(?<![*`])(?:\*\w+\*|`{1,2}\w+`{1,2})")
    for paragraph in re.split(r"\n\s*\n", doc):
        if ">>>" in paragraph or paragraph[:1].isspace():
            continue
        for sentence in _sentences(" ".join(paragraph.split())):
            if named.search(sentence):
                others = {name.strip("*`") for name in code.findall(sentence)} - {parameter}
                return "" if others else sentence
    return ""


def _below(lines: list[str], indentation: int) -> Iterator[str]:
    """The paragraph that is set deeper than its head."""
    for line in lines:
        if not line.strip() or len(line) - len(line.lstrip()) <= indentation:
            return
        yield line
