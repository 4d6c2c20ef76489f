"""Pages of documentation that a release's sdist has: tutorials and guides, with their examples."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping

from libdrift.config import Settings
from libdrift.errors import LibdriftError
from libdrift.languages.python.archives import read_pages
from libdrift.languages.python.index import IndexFile, PackageIndex
from libdrift.records import Release

_LOG = logging.getLogger(__name__)
_LARGEST = 80 << 20  # bytes of an sdist that is fetched for its pages


def pages_of(release: Release, settings: Settings) -> Mapping[str, str]:
    """All texts, by their names. They are an addition: what cannot be had is left out."""
    index = PackageIndex.configured(os.environ)
    try:
        file = _sdist(index, release)
        if file is None:
            return {}
        found = read_pages(file, index.web, settings.cache / "mining" / "scratch")
    except (LibdriftError, OSError) as error:
        _LOG.info("%s: its documentation is not read: %s", release, error)
        return {}
    finally:
        index.close()
    texts = {name: data.decode("utf-8", "replace") for name, data in sorted(found.items())}
    return {name.partition("/")[2]: text for name, text in texts.items()}


def with_prompts(pages: Mapping[str, str]) -> Mapping[str, str]:
    """Those that may have examples."""
    return {name: text for name, text in pages.items() if ">>>" in text}


def _sdist(index: PackageIndex, release: Release) -> IndexFile | None:
    for listing in index.releases(release.package):
        if listing.release.version == release.version:
            files = [file for file in listing.files if not file.wheel]
            return next((file for file in files if (file.size or 0) <= _LARGEST), None)
    return None
