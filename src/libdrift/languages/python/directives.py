"""What documentation says of things that go: directives, boxes, sentences of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from libdrift.languages.python.deprecations import since_in
from libdrift.languages.python.wording import argument_in, replacement_in, tidy
from libdrift.records import Deprecation, VersionNote

_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\. (?P<kind>deprecated|versionadded|versionchanged|version-added|"
    r"version-changed|version-deprecated|versionremoved)::[ \t]*(?P<version>\S*)(?P<rest>.*)$",
    re.MULTILINE,
)
_KINDS = {
    "deprecated": "deprecated",
    "version-deprecated": "deprecated",
    "versionadded": "added",
    "version-added": "added",
    "versionchanged": "changed",
    "version-changed": "changed",
    "versionremoved": "removed",
}
_NOUN = (
    r"(?:function|method|class|module|submodule|property|attribute|parameter|argument|option|"
    r"keyword(?: argument)?|alias|decorator)"
)
_GOES = rf"this {_NOUN} (?:is|was|has been|have been) (?:now )?(?:deprecated|superseded|renamed)"
_FIRST_LINE = re.compile(
    r"^\W*(?:deprecated\b|"
    r"this (?:function|method|class|module|property|attribute) (?:is|has been) deprecated)",
    re.IGNORECASE,
)
# Further down, a paragraph that begins so is of the thing; "Deprecated names of …" is of others.
_PARAGRAPH = re.compile(
    rf"^\W*(?:deprecated(?:[.:,;!*]| (?:since|in|as of|from|and|use) )|{_GOES})", re.IGNORECASE
)
_BOX = re.compile(
    r"^(?P<indent>[ \t]*)\.\. (?:warning|note|attention|caution|important|danger|admonition)::"
    r"(?P<rest>.*)$",
    re.MULTILINE,
)
_WENT = r"this functionality (?:has|is)(?: now)?(?: been)? (?:moved|replaced|superseded)"
_IN_BOX = re.compile(rf"^\W*(?:deprecated\b|{_GOES}|{_WENT})", re.IGNORECASE)
_DESCRIBED = re.compile(
    r"^(?P<indent>[ \t]*)(?::param (?:[\w.]+ )?)?[`*]*(?P<name>[a-z_]\w*)[`*]*[ \t]*"
    r"(?:\([^()\n]*\))?[ \t]*:(?![:=])(?P<rest>.*)$",
    re.MULTILINE,
)
_OF_PARAMETER = re.compile(
    r"(?:^|[.;)] )\W*(?:deprecated(?:$|[.:,;!*]| \(| (?:since|in|as of|from|and|use|argument|"
    rf"parameter|alias|synonym|equivalent)\b)|{_GOES})",
    re.IGNORECASE,
)


_ADVISES = re.compile(r"(?:^|[.;,] )\W*(?:please )?use\b|\binstead\b", re.IGNORECASE)
_NEAR = 2  # paragraphs behind a directive


def in_documentation(doc: str, name: str = "") -> tuple[list[Deprecation], list[VersionNote]]:
    """What ``name``'s cleaned docstring says; under the description of a parameter, of that."""
    found: list[Deprecation] = []
    notes: list[VersionNote] = []
    lines = doc.splitlines()
    if ".. " in doc:
        for match in _DIRECTIVE.finditer(doc):
            kind = _KINDS[match["kind"]]
            start = doc.count("\n", 0, match.start())
            indent = len(match["indent"])
            body = tidy(" ".join([match["rest"], *_indented(lines, start + 1, indent)]))
            version = match["version"].rstrip(".,:;")
            parameter = _owner(lines, start, indent) if indent else ""
            if not parameter:
                notes.append(VersionNote(kind, version, body))
            if kind == "deprecated":
                body = body or _advice_below(lines, start + 1, indent)
                hint = replacement_in(body)
                parameter = parameter or argument_in(body) or _described_name(doc, body, name)
                other = not parameter and _is_of_another(body, name)
                found.append(Deprecation("docstring", body, version, hint, parameter, other))
    if any(sign in doc for sign in ("eprecat", "DEPRECAT", " renamed", "his functionality")):
        known = {item.parameter for item in found}
        for item in (*_boxed(doc, lines), *_sentences(doc), *_described(doc, lines)):
            if item.parameter not in known:
                known.add(item.parameter)
                found.append(item)
    return found, notes


def _boxed(doc: str, lines: Sequence[str]) -> Iterator[Deprecation]:
    """``.. warning:: This function is deprecated. See `p.new`.``"""
    for match in _BOX.finditer(doc):
        start, indent = doc.count("\n", 0, match.start()), len(match["indent"])
        body = tidy(" ".join([match["rest"], *_indented(lines, start + 1, indent)]))
        if _IN_BOX.match(body):
            parameter = _owner(lines, start, indent) if indent else ""
            yield _said(body, parameter)


def _sentences(doc: str) -> Iterator[Deprecation]:
    """A first line, or a paragraph further down, that begins with it."""
    first, _, rest = doc.lstrip().partition("\n")
    if _FIRST_LINE.match(first):
        yield _said(tidy(f"{first} {rest.strip().partition(chr(10) * 2)[0]}"))
        return
    for paragraph in rest.split("\n\n"):
        if paragraph.lstrip("\n")[:1] not in {" ", "."} and _PARAGRAPH.match(paragraph):
            yield _said(tidy(paragraph))
            return


def _described(doc: str, lines: Sequence[str]) -> Iterator[Deprecation]:
    """``filename : str`` and below it, or behind it, "Deprecated, use ``path``"."""
    for match in _DESCRIBED.finditer(doc):
        start, indent = doc.count("\n", 0, match.start()), len(match["indent"])
        below = tidy(" ".join(_indented(lines, start + 1, indent)))
        for body in (tidy(f"{match['rest']} {below}"), below):
            told = _OF_PARAMETER.search(body)
            if told and match["name"] not in _HEADINGS:
                yield _said(body[told.start() :].lstrip(".;) "), match["name"])
                break


_HEADINGS = {"note", "notes", "warning", "deprecated", "todo", "see", "returns", "raises", "class"}


def _said(body: str, parameter: str = "") -> Deprecation:
    return Deprecation("docstring", body, since_in(body), replacement_in(body), parameter)


def _described_name(doc: str, body: str, name: str) -> str:
    """The parameter of which a directive says "``old`` is deprecated", if the text describes it."""
    found = re.match(r"(?:The )?[`*'\"]+([a-z_]\w*)[`*'\"]+ (?:is|was|has been) ", body)
    if found is None or not name or found[1] == name:
        return ""
    described = (
        rf"^[ \t]*(?::param (?:[\w.]+ )?)?[`*]*{found[1]}[`*]*[ \t]*(?:\([^()\n]*\))?[ \t]*:"
    )
    return found[1] if re.search(described, doc, re.MULTILINE) else ""


def _is_of_another(body: str, name: str) -> bool:
    """``.. deprecated:: 1.0`` and then "``__lt__`` between subclasses": of a use, not of it all."""
    subject = re.match(r"(?:The |Using |Passing )?[`*'\"]+~?([\w.]+)", body)
    return subject is not None and bool(name) and subject[1].rpartition(".")[2] != name


def _advice_below(lines: Sequence[str], start: int, indent: int) -> str:
    """The paragraph behind a directive without words, if that says what to do instead."""
    paragraphs = "\n".join(line[indent:] for line in lines[start:]).split("\n\n")
    for paragraph in [text for text in paragraphs if text.strip()][:_NEAR]:
        if _ADVISES.search(paragraph) and replacement_in(tidy(paragraph)):
            return tidy(paragraph)
    return ""


def _indented(lines: Sequence[str], start: int, indent: int) -> Iterator[str]:
    for line in lines[start:]:
        stripped = line.strip()
        if stripped and len(line) - len(line.lstrip()) <= indent:
            return
        yield stripped


def _owner(lines: Sequence[str], start: int, indent: int) -> str:
    """The parameter (`name : type`) under whose description a directive stands."""
    for line in reversed(lines[:start]):
        if line.strip() and len(line) - len(line.lstrip()) < indent:
            found = re.match(
                r"\s*(?::param (?:\w+ )?)?[`*]*(\w+)[`*]*(?:, [`*\w, ]+)?\s*(?:\(.*\))?\s*(?::|$)",
                line,
            )
            return found[1] if found else "?"
    return ""
