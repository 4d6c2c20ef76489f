"""Releases that another libdrift has read: not to be compared with what this one reads."""

from __future__ import annotations

from collections.abc import Sequence

from libdrift.history.store import Store
from libdrift.languages.python import static


def read_otherwise(
    store: Store, package: str, versions: Sequence[str], *, beside_new: bool = False
) -> list[str]:
    """Which of these releases must be read again before they are compared.

    None where one reader read them all, be it an older one, unless they stand ``beside_new`` ones,
    which are read now.
    """
    readers = {one.release.version: one.origin.reader for one in store.releases(package)}
    known = {version: readers[version] for version in versions if readers.get(version)}
    apart = {*known.values(), *([static.reader()] if beside_new else [])}
    if len(apart) < 2:  # noqa: PLR2004
        return []
    return [version for version, reader in known.items() if reader != static.reader()]
