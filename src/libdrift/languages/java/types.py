"""Types as Java writes them, from descriptors and generic signatures; by their simple names."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

_PRIMITIVE = {
    "B": "byte",
    "C": "char",
    "D": "double",
    "F": "float",
    "I": "int",
    "J": "long",
    "S": "short",
    "Z": "boolean",
    "V": "void",
}


_END = re.compile(r"[;<.]")  # of a class's name: it is whole, has arguments, has an inner class
_KNOWN = 1 << 14  # most methods are of few sorts


@dataclass(frozen=True, slots=True)
class MethodType:
    parameters: tuple[str, ...]
    returns: str


@functools.lru_cache(_KNOWN)
def of_method(text: str) -> MethodType:
    """Of a method's descriptor or signature: ``(Ljava/util/List<TT;>;I)V``."""
    reader = _Reader(text)
    reader.skip_variables()
    reader.at += 1  # the bracket
    parameters = []
    while text[reader.at] != ")":
        parameters.append(reader.type())
    reader.at += 1
    return MethodType(tuple(parameters), reader.type())


def of_field(text: str) -> str:
    return _Reader(text).type()


def simple(name: str) -> str:
    """``java/util/Map$Entry`` as ``Entry``."""
    last = name.rpartition("/")[2]
    # A name may itself have a dollar at its end.
    return last.rstrip("$").rpartition("$")[2] + "$" * (len(last) - len(last.rstrip("$")))


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def skip_variables(self) -> None:
        """Past ``<T:Ljava/lang/Object;>``."""
        if not self.text.startswith("<"):
            return
        depth = 0
        for place, letter in enumerate(self.text):
            depth += (letter == "<") - (letter == ">")
            if not depth:
                self.at = place + 1
                return

    def type(self) -> str:
        letter = self.text[self.at]
        self.at += 1
        if letter in _PRIMITIVE:
            return _PRIMITIVE[letter]
        if letter == "[":
            return f"{self.type()}[]"
        if letter == "T":
            end = self.text.index(";", self.at)
            name, self.at = self.text[self.at : end], end + 1
            return name
        return self._class()

    def _class(self) -> str:
        written = ""
        while True:
            found = _END.search(self.text, self.at)
            if found is None:
                raise ValueError(self.text)
            written += simple(self.text[self.at : found.start()])
            self.at = found.end()
            if found[0] == ";":
                return written
            written += self._arguments() if found[0] == "<" else "."

    def _arguments(self) -> str:
        found = []
        while self.text[self.at] != ">":
            letter = self.text[self.at]
            if letter == "*":
                self.at += 1
                found.append("?")
            elif letter in "+-":
                self.at += 1
                found.append(f"? {'extends' if letter == '+' else 'super'} {self.type()}")
            else:
                found.append(self.type())
        self.at += 1
        return f"<{', '.join(found)}>"
