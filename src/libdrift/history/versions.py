"""The order of versions, as packaging's own rules have it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from libdrift.errors import UserError

_NAMED = re.compile(r"v?(\d+(?:\.\d+)*)[.-][A-Za-z]")
_NUMBERS = re.compile(r"v?(\d+(?:\.\d+)*)")
_FULL = 3  # numbers of a version that is one release and not a series of them


def order(version: str) -> tuple[Any, ...]:
    """A key to sort by. What is no version by the rules (``2004d``) comes before all that are."""
    from packaging.version import InvalidVersion, Version

    try:
        # The text decides between 1.0 and 1.0.0, that are equal by the rules.
        return (1, Version(version), version)
    except InvalidVersion:
        named = _NAMED.match(version)
        if named:  # what others than Python's index write: 31.1-jre, 2.0.0.Final
            return (1, Version(named[1]), version)
        parts = re.findall(r"\d+|[^\d.]+", version)
        numbers = [(part.isdecimal(), int(part) if part.isdecimal() else part) for part in parts]
        return (0, numbers, version)


def same(one: str, other: str) -> bool:
    """Equal but for zeros at the end; 31.1-jre and 31.1-android are two."""
    return one == other or (order(one)[:2] == order(other)[:2] and _flavour(one) == _flavour(other))


def _flavour(version: str) -> str:
    """Of what is no version by the rules, the part after its numbers."""
    from packaging.version import InvalidVersion, Version

    try:
        Version(version)
    except InvalidVersion:
        named = _NAMED.match(version)
        return version[named.end(1) :] if named else ""
    return ""


def meant(text: str, known: Sequence[str], usual: Collection[str] | None = None) -> str | None:
    """Which of the known versions, oldest first, a person means; nothing if it is none of them.

    ``1.5`` is the release that is called so; where there is none, the newest of its series, of the
    ``usual`` ones if there are some.
    """
    if text in known:
        return text
    equal = next((version for version in known if same(version, text)), None)
    if not _NUMBERS.fullmatch(text) or (equal and not is_series(text)):
        return equal
    asked = _numbers(text)
    series = [version for version in known if _numbers(version)[: len(asked)] == asked]
    plain = [version for version in series if usual is None or version in usual]
    return next(reversed(plain or series), equal)


def is_series(text: str) -> bool:
    """Whether a version may stand for all that begin with it: 1.5, but not 1.5.3."""
    return bool(_NUMBERS.fullmatch(text)) and len(_numbers(text)) < _FULL


def _numbers(version: str) -> tuple[int, ...]:
    found = _NUMBERS.match(version)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def find(package: str, version: str, mined: Sequence[str]) -> int:
    """The place of a version among the mined ones, or a refusal that names its neighbours."""
    if version in mined:
        return mined.index(version)
    equal = [at for at, known in enumerate(mined) if same(known, version)]
    if equal:
        return equal[0]
    key = order(version)
    below = [known for known in mined if order(known) < key][-1:]
    above = [known for known in mined if order(known) > key][:1]
    raise UserError(
        f"{package} {version} is not mined; nearest mined: {' and '.join([*below, *above])}",
        f"Run: libdrift mine {package} --versions {version}",
    )
