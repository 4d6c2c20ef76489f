"""Data sets by name: the authors' releases, at a pinned commit, checked file by file."""

from libdrift.fetching.downloading import DownloadPatience
from libdrift.fetching.keeping import (
    FetchListener,
    KeptData,
    downloads_of,
    expected_files,
    flaws_of,
    folder_of,
    get,
    kept_size,
    remove,
    size_of,
)
from libdrift.fetching.sources import (
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
    "downloads_of",
    "expected_files",
    "flaws_of",
    "folder_of",
    "get",
    "kept_size",
    "known_sources",
    "read_sources",
    "remove",
    "size_of",
]
