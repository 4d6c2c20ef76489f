"""Archives of Python's index, read in a process of their own: they may be anything."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from libdrift.errors import LibdriftError, write_failure
from libdrift.languages.python import static
from libdrift.languages.python.archives import (
    ArchiveError,
    OtherBytesError,
    choose,
    open_archive,
)
from libdrift.languages.python.index import IndexFile, Listing
from libdrift.languages.python.index_config import IndexSources
from libdrift.languages.python.web import HttpTimeouts, Web
from libdrift.mining.parse_cache import ParseCache
from libdrift.records import Release, Surface


@dataclass(frozen=True, slots=True)
class Reply:
    """A surface, packed as it travels between processes; or why there is none."""

    surface: bytes | None
    reason: str = ""
    transient: bool = False


_ENCODER = msgspec.msgpack.Encoder()


def scratch_in(cache: Path) -> Path:
    """The folder for files that are being read; a process that reads cannot say that it fails."""
    scratch = cache / "scratch"
    try:
        scratch.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_failure(scratch, error, "point LIBDRIFT_CACHE at another folder") from error
    return scratch


def reader(
    sources: IndexSources, patience: HttpTimeouts, cache: Path, pythons: Collection[str]
) -> Callable[[Listing], Reply]:
    web = Web(sources, patience)
    parsed = ParseCache(cache / "parsed.sqlite", static.VERSION)
    scratch = scratch_in(cache)

    def read(listing: Listing) -> Reply:
        try:
            file = choose(listing, pythons)
            return Reply(_ENCODER.encode(_read(listing.release, file, web, parsed, scratch)))
        except LibdriftError as error:
            lasts = isinstance(error, ArchiveError) and not isinstance(error, OtherBytesError)
            return Reply(None, str(error), transient=not lasts)
        except OSError as error:
            return Reply(None, error.strerror or str(error), transient=True)
        except Exception as error:  # noqa: BLE001  (others wrote what is read here: the rest goes on)
            first = (str(error).splitlines() or [""])[0]
            return Reply(None, f"cannot be read: {type(error).__name__} {first}".rstrip())

    return read


def _read(
    release: Release, file: IndexFile, web: Web, parsed: ParseCache, scratch: Path
) -> Surface:
    with open_archive(file, release.package, web, scratch) as archive:
        surface = static.extract(release, archive.members, archive.read, cache=parsed)
        origin = replace(
            surface.origin,
            artifact=archive.name,
            digest=archive.digest,
            unread=(*surface.origin.unread, *archive.refused),
        )
        return replace(surface, origin=origin)
