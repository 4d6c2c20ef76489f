"""A document as a model reads it: what one thing is in one release, on less than a page."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import cleandoc

from libdrift.history.spelling import is_typed, spelled
from libdrift.records import Deprecation, Symbol

LONGEST = 1600  # characters of a documentation: its summary, its parameters, some remarks
_VALUE = 60  # characters of a constant's value


@dataclass(frozen=True, slots=True)
class Document:
    """``score`` is of no meaning across queries; ``version`` is empty for notes on all of them."""

    path: str
    package: str
    version: str
    text: str  # its first line is the header
    score: float = 0.0

    @property
    def header(self) -> str:
        """Package, version and path: ``numpy 1.26.4: numpy.trapz(y, x=None, dx=1.0, axis=-1)``."""
        return self.text.partition("\n")[0]


def described(package: str, version: str, path: str, symbol: Symbol) -> str:
    """The text of a symbol's document."""
    written = spelled(path, package)
    headline = _headline(written, symbol)
    if is_typed(package) and symbol.annotation:  # as the source declares it
        headline = f"{written}: {symbol.annotation}"
    lines = [f"{package} {version}: {headline}"]
    lines += [_warned(item) for item in dict.fromkeys(symbol.deprecations)]
    doc = shortened(readable(symbol.doc))
    return "\n".join([*lines, *([doc] if doc else [])])


def readable(text: str) -> str:
    """Without the source's indentation, nor halves of surrogate pairs, which no file takes."""
    return cleandoc(text.encode("utf-8", "replace").decode()).strip()


def shortened(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text, up to the end of a line, a sentence or at least a word."""
    if len(text) <= longest:
        return text
    head = text[:longest]
    cuts = (head.rfind(mark) + len(mark.rstrip()) for mark in ("\n\n", "\n", ". ", " "))
    # The first of them that does not lose half of what there is room for.
    cut = next((at for at in cuts if at > longest // 2), longest)
    return f"{head[:cut].rstrip()} …"


def _headline(path: str, symbol: Symbol) -> str:
    if symbol.signature is not None:
        return f"{path}{symbol.signature}"
    if symbol.value and len(symbol.value) <= _VALUE:
        return f"{path} = {symbol.value}"
    return f"{path}: {symbol.annotation}" if symbol.annotation else f"{path} ({symbol.kind.value})"


def _warned(item: Deprecation) -> str:
    what = f"Parameter {item.parameter} is deprecated" if item.parameter else "Deprecated"
    since = f" since {item.since}" if item.since else ""
    told = " ".join(item.message.encode("utf-8", "replace").decode().split())
    use = f" Use {item.replacement}." if item.replacement and item.replacement not in told else ""
    return f"{what}{since}{f': {told}' if told else '.'}{use}"
