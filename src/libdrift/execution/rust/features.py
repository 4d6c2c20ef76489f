"""What a Rust text reaches for: modules of std, crates, macros, attributes, traits.

Safe Rust reaches the world outside its own values only by names. A text is read for these, by its
tokens; what is not understood counts as something unknown, never as harmless.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from libdrift.execution.rust.lexing import Token, closing, tokens

STD = frozenset({"std", "core", "alloc"})
_UNKNOWN = "*"
_DECLARING = frozenset("fn struct enum union trait type mod const static".split())
_KEYWORDS = frozenset("unsafe extern crate macro_rules macro super".split())
_NOT_MACROS = frozenset(
    "return if while match in else break as let mut ref move box yield await".split()
)
_DERIVED = frozenset(
    "Debug Clone Copy PartialEq Eq PartialOrd Ord Hash Default".split()
)  # by std; others are macros that somebody wrote
# Ways out of the tests' hands that a path need not lead through once its module is in reach.
_LOUD = frozenset(
    "stdout stderr stdin exit abort set_hook take_hook panic_any resume_unwind always_abort "
    "set_var remove_var current_exe Command ExitCode".split()
)


@dataclass(frozen=True, slots=True)
class Features:
    modules: frozenset[str]  # of std, as in std::<module>
    roots: frozenset[str]  # what paths begin with, other than std
    macros: frozenset[str]
    attributes: frozenset[str]
    keywords: frozenset[str]
    traits: frozenset[str]  # implemented by hand
    foreign: bool  # implements a trait of others for a type of others
    declared: frozenset[str]
    loud: frozenset[str]
    words: frozenset[str]


@lru_cache(maxsize=2048)
def features(source: str) -> Features:
    found = tokens(source)
    words = frozenset(token.text for token in found if token.kind == "word")
    declared = frozenset(_declared(found))
    implemented = list(_implemented(found))
    return Features(
        modules=frozenset(_modules(found)),
        roots=frozenset(_roots(found)),
        macros=frozenset(_macros(found)),
        attributes=frozenset(_attributes(found)),
        keywords=words & _KEYWORDS,
        traits=frozenset(trait for trait, _ in implemented),
        foreign=any(
            trait not in declared and target not in declared for trait, target in implemented
        ),
        declared=declared,
        loud=words & _LOUD,
        words=words,
    )


def _text(found: Sequence[Token], index: int) -> str:
    return found[index].text if 0 <= index < len(found) else ""


def _begins_path(found: Sequence[Token], index: int) -> bool:
    """Whether a word is the first of its path; `::std` begins one too."""
    if _text(found, index - 1) != "::":
        return True
    before = found[index - 2] if index > 1 else None
    return before is None or not (before.kind == "word" or before.text == ">")


def _modules(found: Sequence[Token]) -> Iterator[str]:
    for index, token in enumerate(found):
        if token.text not in STD or token.kind != "word" or not _begins_path(found, index):
            continue
        if _text(found, index + 1) != "::":
            yield _UNKNOWN  # `use std as s`, `extern crate core`
        elif _text(found, index + 2) == "{":
            yield from _group(found, index + 2)
        else:
            yield _text(found, index + 2)


def _group(found: Sequence[Token], opening: int) -> Iterator[str]:
    """The first segment of each path in a group of imports."""
    depth = 0
    for index in range(opening, closing(found, opening)):
        text = found[index].text
        if depth == 1 and _text(found, index - 1) in "{,":
            yield text
        depth += (text == "{") - (text == "}")


def _roots(found: Sequence[Token]) -> Iterator[str]:
    for index, token in enumerate(found):
        if token.kind != "word" or token.text in STD:
            continue
        alone = _text(found, index - 1) in ("use", "crate") and _text(found, index + 1) != "::"
        if alone or (_text(found, index + 1) == "::" and _begins_path(found, index)):
            yield token.text


def _macros(found: Sequence[Token]) -> Iterator[str]:
    for index, token in enumerate(found):
        if token.kind != "word" or _text(found, index + 1) != "!" or token.text in _NOT_MACROS:
            continue
        if token.text == "macro_rules" or _text(found, index + 2) in ("(", "[", "{"):
            yield token.text


def _attributes(found: Sequence[Token]) -> Iterator[str]:
    for index, token in enumerate(found):
        if token.text != "#" or token.kind != "sign":
            continue
        if _text(found, index + 1) == "!":
            yield "!" + _text(found, index + 3)
        elif _text(found, index + 1) == "[":
            name = _text(found, index + 2)
            yield name
            if name == "derive":
                end = closing(found, index + 1)
                inner = {t.text for t in found[index + 3 : end] if t.kind == "word"}
                yield from (f"derive({trait})" for trait in inner - _DERIVED)


def _declared(found: Sequence[Token]) -> Iterator[str]:
    for index, token in enumerate(found):
        if token.kind != "word":
            continue
        before = _text(found, index - 1)
        if before in _DECLARING or before == "as":
            yield token.text
        elif before == "!" and _text(found, index - 2) == "macro_rules":
            yield f"{token.text}!"


def _implemented(found: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Every `impl Trait for Type`, as the last word of the one and the first of the other."""
    for index, token in enumerate(found):
        if token.text != "impl" or token.kind != "word":
            continue
        trait, target, depth, beyond = "", "", 0, False
        for inner in found[index + 1 :]:
            if inner.kind == "sign" and inner.text in ("{", ";", "(", ")", ","):
                if depth <= 0:
                    break
            elif inner.text in "<>":
                depth += 1 if inner.text == "<" else -1
            elif depth == 0 and inner.text == "for":
                beyond = True
            elif depth == 0 and inner.kind == "word" and inner.text not in ("dyn", "mut", "const"):
                if beyond:
                    target = inner.text  # of a path, its last word
                    if target == "where":
                        break
                else:
                    trait = inner.text
        if beyond:
            yield trait, target
