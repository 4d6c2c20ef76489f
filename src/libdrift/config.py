"""Settings and paths. Environment variables of libdrift are read here, once, and nowhere else."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from libdrift.errors import UserError


@dataclass(frozen=True, slots=True)
class Settings:
    cache: Path  # what can be made again: environments, parsed files, search indexes, proofs
    data: Path | None
    bwrap: str | None
    nltk_data: tuple[Path, ...]
    history: Path  # the file of mined releases; not in the cache, and LIBDRIFT_CACHE leaves it
    api_key: str = ""  # of the server that --base-url names
    search_key: str = ""  # of the search that -S search names
    mcp_token: str = ""  # that requests to `libdrift mcp --http` must carry
    data_option: Path | None = None  # as it was given, by --data and not by a variable
    archives: Path | None = None  # folder of packed environments, tried before one is built

    @property
    def environments(self) -> Path:
        return self.cache / "environments"

    @property
    def proofs(self) -> Path:
        """What the references of tasks have proven of their tests."""
        return self.cache / "proofs"

    @property
    def indexes(self) -> Path:
        """What documents are searched by, a file a release."""
        return self.cache / "retrieval"


def load(data: Path | None = None) -> Settings:
    """The settings of this process; ``data`` is a folder of published data, if one is given."""
    if data is not None and not data.expanduser().is_dir():
        raise UserError(
            f"there is no folder {data}", "Give a folder with published data as --data DIR"
        )
    cache = os.environ.get("LIBDRIFT_CACHE")
    place = str(data or os.environ.get("LIBDRIFT_DATA") or "")
    history = os.environ.get("LIBDRIFT_HISTORY")
    nltk = [Path(p) for p in os.environ.get("NLTK_DATA", "").split(os.pathsep) if p]
    archives = os.environ.get("LIBDRIFT_ARCHIVES")
    home = Path(cache).expanduser().resolve() if cache else platformdirs.user_cache_path("libdrift")
    nltk += [Path.home() / "nltk_data", Path("/usr/share/nltk_data"), home / "nltk_data"]
    return Settings(
        cache=home,
        data=Path(place).expanduser().resolve() if place else None,
        bwrap=os.environ.get("LIBDRIFT_BWRAP") or None,
        nltk_data=tuple(nltk),
        # Not in the cache: what was mined is data, and old releases may be gone tomorrow.
        history=Path(history).expanduser().resolve()
        if history
        else platformdirs.user_data_path("libdrift") / "history.sqlite",
        api_key=os.environ.get("LIBDRIFT_API_KEY", ""),
        search_key=os.environ.get("LIBDRIFT_SEARCH_KEY", ""),
        mcp_token=os.environ.get("LIBDRIFT_MCP_TOKEN", ""),
        data_option=data,
        archives=Path(archives).expanduser().resolve() if archives else None,
    )
