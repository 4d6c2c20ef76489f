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
# What values are cast to: not a name that is given.
_NUMBERS = frozenset(
    "bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize".split()
)
_TYPES = frozenset("struct enum union trait".split())
_ITEMS = _TYPES | {"type", "static", "impl"}
_BEFORE_ITEMS = frozenset(["", "}", ";", "]", "{", "unsafe", "pub", ")"])
# Traits whose implementations say what a value is, and not what it equals or stands for.
_HARMLESS = frozenset("Clone Debug Default Display Error From FromStr Hash TryFrom".split())
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
    items: frozenset[str]  # what it declares by which the tests' own words may change meaning
    derived: frozenset[str]
    foreign: bool  # implements a trait of others for a type of others
    declared: frozenset[str]
    loud: frozenset[str]
    words: frozenset[str]


@lru_cache(maxsize=2048)
def features(source: str) -> Features:
    found = tokens(source)
    words = frozenset(token.text for token in found if token.kind == "word")
    declared = frozenset(_declared(found))
    types = frozenset(_types(found))
    return Features(
        modules=frozenset(_modules(found)),
        roots=frozenset(_roots(found)),
        macros=frozenset(_macros(found)),
        attributes=frozenset(_attributes(found)),
        keywords=words & _KEYWORDS,
        items=frozenset(_items(found, types)),
        derived=frozenset(_derived(found)),
        foreign=any(
            trait not in types and target not in types for trait, target in _implemented(found)
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


def _types(found: Sequence[Token]) -> Iterator[str]:
    """Types and traits that are the text's own; other names may be for those of others."""
    for index, token in enumerate(found):
        if token.kind == "word" and _text(found, index - 1) in _TYPES:
            yield token.text


def _items(found: Sequence[Token], types: frozenset[str]) -> Iterator[str]:
    """Each item of a kind that can change what words mean, in words of its own.

    Types and traits with all that they are, as are implementations by which values compare, or
    stand for others; of the rest, and of those for the text's own traits, their first line.
    """
    for index, token in enumerate(found):
        if token.kind != "word":
            continue
        before, after = _text(found, index - 1), _text(found, index + 1)
        if token.text == "use" and before != ".":
            yield from _renamed(found, index)
        elif token.text == "macro_rules" and after == "!":
            yield _joined(found[index : _end_of_item(found, index) + 1])
        elif token.text == "const" and before != "<" and after.islower() and after.isidentifier():
            # In a pattern, what has a constant's name is that constant.
            if after not in ("fn", "unsafe", "async", "extern", "_", "move"):
                yield f"const {after}"
        elif token.text in _ITEMS and before in _BEFORE_ITEMS and after != "!":
            end = _end_of_item(found, index)
            brace = next((i for i in range(index, end) if found[i].text == "{"), end)
            head = _joined(found[index:brace])
            yield (
                head
                if token.text == "impl" and _is_calm(head, types)
                else _joined(found[index : end + 1])
            )


def _is_calm(head: str, types: frozenset[str]) -> bool:
    trait, of_trait, _ = head.partition(" for ")
    words = _outside_generics(trait)
    return not of_trait or words[-1] in _HARMLESS | types


def _outside_generics(text: str) -> list[str]:
    depth, kept = 0, []
    for word in text.split():
        depth += (word == "<") - (word == ">")
        if depth == 0 and word.isidentifier():
            kept.append(word)
    return kept


def _end_of_item(found: Sequence[Token], index: int) -> int:
    """Where an item ends: at its `;`, or where its braces close."""
    while index < len(found):
        text = found[index].text if found[index].kind == "sign" else ""
        if text == ";":
            return index
        if text in ("(", "[", "{"):
            index = closing(found, index)
            if text == "{":
                return index
        index += 1
    return len(found)


def _joined(part: Sequence[Token]) -> str:
    """Words as they are, without what only forms them: commas at an end, who may see them."""
    texts = [token.text for token in part]
    kept = [
        text
        for text, after in zip(texts, [*texts[1:], ""], strict=True)
        if text != "pub" and not (text == "," and after in (")", "]", "}", ">"))
    ]
    return " ".join(kept)


def _renamed(found: Sequence[Token], index: int) -> Iterator[str]:
    """What an import calls otherwise, and of what but std it takes everything."""
    end = next((i for i in range(index, len(found)) if found[i].text == ";"), len(found))
    root = next((t.text for t in found[index + 1 : end] if t.kind == "word"), "")
    for place in range(index, end):
        text, after = found[place].text, _text(found, place + 1)
        if text == "as" and after != "_":
            yield f"use {_text(found, place - 1)} as {after}"
        elif text == "*" and root not in STD:
            yield _joined(found[index:end])


def _derived(found: Sequence[Token]) -> Iterator[str]:
    for index, token in enumerate(found):
        if token.text == "derive" and _text(found, index - 1) == "[":
            end = closing(found, index - 1)
            yield from (t.text for t in found[index + 1 : end] if t.kind == "word")


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
        if before in _DECLARING or (before == "as" and token.text not in _NUMBERS):
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
