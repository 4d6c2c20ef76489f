"""Data sets by name: the authors' releases, at a pinned commit, checked file by file."""

from libdrift.suites.fetching.downloading import DownloadPatience, by_hand
from libdrift.suites.fetching.keeping import (
    FetchListener,
    KeptData,
    downloads_of,
    expected_files,
    flaws_of,
    folder_of,
    get,
    remove,
    size_of,
)
from libdrift.suites.fetching.sources import (
    DataSource,
    PinnedFile,
    SourceDownload,
    known_sources,
    read_sources,
)

__all__ = [
    "DataSource",
    "DownloadPatience",
    "FetchListener",
    "KeptData",
    "PinnedFile",
    "SourceDownload",
    "by_hand",
    "downloads_of",
    "expected_files",
    "flaws_of",
    "folder_of",
    "get",
    "known_sources",
    "read_sources",
    "remove",
    "size_of",
]
