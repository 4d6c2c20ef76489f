"""What a task's code names of libraries, in whichever language it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable

from libdrift.history.spelling import alternatives, dotted
from libdrift.languages.python.usage import Mentions, mentions

_FUNCTION = re.compile(r"\bfn\s+\w+(?P<head>[^{;]*)")
_WHERE = re.compile(r"\bwhere\b")
_ARROW = "->"
# Types are written large; primitives are not, and a slice has no name.
_TYPE = re.compile(
    r"\b(?:[A-Z]\w+|str|char|bool|[iu](?:8|16|32|64|128|size)|f(?:32|64))\b|(?<=&)\["
)
_SLICE = "slice"


def mentioned(code: str, language: str) -> Mentions:
    """Types that are not imported are told by their plain names."""
    if language == "rust":
        return _of_rust(code)
    return _of_java(code) if language == "java" else mentions(code)


def _of_rust(code: str) -> Mentions:
    from libdrift.languages.rust import usage

    found = usage.occurrences(code)
    aliases = {
        item.path.rpartition(".")[2]: _offered(item.path) for item in found if item.is_import
    }
    used = (_offered(item.path) for item in found if not item.is_import)
    head = next((match["head"] for match in reversed([*_FUNCTION.finditer(code)])), "")
    head = _WHERE.split(head)[0]
    given, _, made = head.rpartition(_ARROW) if _ARROW in head else (head, "", "")
    types = _types(given, aliases)
    returned = [path for path in _types(made, aliases) if path not in types]
    return Mentions(aliases, tuple(dict.fromkeys(used)), tuple(types), tuple(returned), ())


def _types(text: str, aliases: dict[str, str]) -> list[str]:
    names = (_SLICE if name == "[" else name for name in _TYPE.findall(text))
    return list(dict.fromkeys(aliases.get(name, name) for name in names))


def _offered(path: str) -> str:
    """As users are offered it: what ``core`` has is found as ``std``'s."""
    return dotted(alternatives(path.replace(".", "::"))[-1])


def _of_java(code: str) -> Mentions:
    from libdrift.languages.java import usage

    found = usage.read(code)
    return Mentions(
        dict(found.imports),
        tuple(sorted(found.uses - set(found.imports.values()))),
        tuple(_declared(found.variables.values(), found.imports)),
        (),
        (),
    )


def _declared(types: Iterable[set[str]], imports: dict[str, str]) -> list[str]:
    plain = (name.partition("<")[0].strip() for names in types for name in sorted(names))
    return list(dict.fromkeys(imports.get(name, name) for name in plain if name[:1].isupper()))
