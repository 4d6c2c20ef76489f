"""One answer of a server against what is true of the release, by its text alone."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from libdrift.mcp.measuring.sampling import SymbolCase
from libdrift.records import Signature

_VERSION = r"v?(\d+(?:\.\d+)*(?:(?:a|b|rc|\.post|\.dev)\d+)?)"
_DENIES = re.compile(
    r"\bnot (?:in|found|there|available|present|yet)\b|\bno (?:such|longer|mined|results?|match)"
    r"|\bremoved\b|\bdoes(?:n't| not) (?:exist|have)\b|\bhas (?:not|no)\b|\bis gone\b|\bunknown\b",
    re.IGNORECASE,
)
_LONGEST = 20_000  # characters of a signature


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """``None`` where a question does not arise: of a symbol that is not there, no signature."""

    case: SymbolCase
    states_version: bool
    version_right: bool  # states the version asked for, and serves no other
    signature_right: bool | None
    absence_told: bool | None  # of a symbol that the version has not got
    seconds: float
    characters: int
    failed: str = ""  # why there was no answer at all

    @property
    def is_right(self) -> bool:
        parts = (self.signature_right, self.absence_told)
        return not self.failed and self.version_right and False not in parts


def grade(
    case: SymbolCase, text: str, *, seconds: float = 0.0, refused: bool = False
) -> GradedAnswer:
    """``refused``: the server said that it has no answer, which is right for what is not there."""
    stated = stated_versions(text, case.package)
    version_right = case.version in stated and stated <= _spellings(case.version)
    denied = refused or bool(_DENIES.search(text))
    return GradedAnswer(
        case,
        bool(stated),
        version_right,
        signature_right=_has_signature(text, case) if case.exists else None,
        absence_told=denied if not case.exists else None,
        seconds=seconds,
        characters=len(text),
    )


def failed_answer(case: SymbolCase, why: str, seconds: float) -> GradedAnswer:
    """No answer at all is neither right nor of any version."""
    signature, absence = (False, None) if case.exists else (None, False)
    return GradedAnswer(
        case,
        states_version=False,
        version_right=False,
        signature_right=signature,
        absence_told=absence,
        seconds=seconds,
        characters=0,
        failed=why,
    )


def stated_versions(text: str, package: str) -> set[str]:
    """Versions that a text says it is of: beside the package's name, or after the word itself.

    The first line that names one counts: what follows may tell of changes in others.
    """
    name = re.escape(package).replace(r"\-", "[-_]")
    pattern = re.compile(
        rf"\b{name}[\s@=:/(]*{_VERSION}|\bversion\W{{0,4}}{_VERSION}", re.IGNORECASE
    )
    for line in text.splitlines():
        found = {match[1] or match[2] for match in pattern.finditer(line)}
        if found:
            return found
    return set()


def _spellings(version: str) -> set[str]:
    return {version, f"{version}.0", version.removesuffix(".0")}


def _has_signature(text: str, case: SymbolCase) -> bool:
    if case.signature is None:
        return True
    wanted = _parameters(case.signature)
    last = re.escape(case.symbol.rpartition(".")[2])
    own = re.escape(case.symbol)
    for start in re.finditer(rf"(?<![\w.])(?:{own}|(?:def |class )?{last}|\w+\.{last})\(", text):
        inside = _balanced(text, start.end() - 1)
        if inside is not None and _read(inside) == wanted:
            return True
    return False


def _parameters(signature: Signature) -> list[tuple[str, str | None]]:
    return [(item.name, _normal(item.default)) for item in signature.parameters]


def _balanced(text: str, at: int) -> str | None:
    """What stands between a bracket and its partner."""
    depth = 0
    for place in range(at, min(len(text), at + _LONGEST)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[at + 1 : place]
    return None


def _read(inside: str) -> list[tuple[str, str | None]] | None:
    """Names and defaults of parameters; without ``self``, as callers see it."""
    try:
        (node,) = ast.parse(f"def f({inside}): ...").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(node, ast.FunctionDef):
        return None
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + list(map(ast.unparse, given.defaults))
    found = [(item.arg, _normal(value)) for item, value in zip(plain, defaults, strict=True)]
    if given.vararg:
        found.append((given.vararg.arg, None))
    for item, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append((item.arg, None if value is None else _normal(ast.unparse(value))))
    if given.kwarg:
        found.append((given.kwarg.arg, None))
    return found[1:] if found[:1] and found[0][0] in {"self", "cls"} else found


def _normal(default: str | None) -> str | None:
    if default is None:
        return None
    try:
        return ast.unparse(ast.parse(default, mode="eval"))
    except (SyntaxError, ValueError, RecursionError):
        return " ".join(default.split())
