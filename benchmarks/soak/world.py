"""Where a soak happens: a folder of its own with cache, history, runs, and servers beside it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import libdrift
from benchmarks.soak.index import PackageIndex
from benchmarks.soak.provider import ScriptedProvider
from benchmarks.soak.tasks import answers_of_model, write_answers, write_tasks

LIBDRIFT = [sys.executable, "-m", "libdrift"]
_SIZE = "600m"
# What the settings of this machine must not change.
_OURS = ("UV_", "PIP_", "LIBDRIFT_", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")


@dataclass(frozen=True, slots=True)
class World:
    """All places below one folder. ``mounted`` says whether that is a file system of its own."""

    root: Path
    mounted: bool
    index: PackageIndex
    provider: ScriptedProvider

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    @property
    def history(self) -> Path:
        """Mined once, for what only reads it."""
        return self.root / "history.sqlite"

    @property
    def temporary(self) -> Path:
        return self.root / "tmp"

    @property
    def tasks(self) -> Path:
        return self.root / "soak.jsonl"

    @property
    def answers(self) -> Path:
        return self.root / "answers.jsonl"

    def environ(self) -> dict[str, str]:
        kept = {name: text for name, text in os.environ.items() if not name.startswith(_OURS)}
        return {
            **kept,
            "LIBDRIFT_CACHE": str(self.cache),
            "LIBDRIFT_HISTORY": str(self.history),
            "LIBDRIFT_API_KEY": "none",
            "TMPDIR": str(self.temporary),
            "HOME": str(self.root / "home"),
            "PYENV_ROOT": os.environ.get("PYENV_ROOT") or str(Path.home() / ".pyenv"),
            "UV_INDEX_URL": self.index.url,
            "UV_CACHE_DIR": str(self.root / "uv"),
            "UV_HTTP_TIMEOUT": "5",
            "UV_NO_CONFIG": "1",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_INDEX_URL": self.index.url,
            "PYTHONPATH": str(Path(libdrift.__file__).parents[1]),
            "NO_PROXY": "127.0.0.1",
        }


@contextlib.contextmanager
def opened(root: Path) -> Iterator[World]:
    """A world in an empty folder; a small file system of its own where that may be mounted."""
    root.mkdir(parents=True, exist_ok=True)
    mounted = _mounts(root)
    index = PackageIndex()
    provider = ScriptedProvider(answers_of_model())
    try:
        world = World(root, mounted, index, provider)
        for place in (world.cache, world.temporary, root / "home", root / "runs"):
            place.mkdir()
        root.chmod(0o755)  # guests of the sandbox are other users
        world.temporary.chmod(0o1777)
        write_tasks(world.tasks)
        write_answers(world.answers)
        yield world
    finally:
        index.close()
        provider.close()
        if mounted:
            subprocess.run(["umount", "--lazy", str(root)], check=False)


def _mounts(root: Path) -> bool:
    if os.geteuid() != 0:
        return False
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "soak", str(root)]
    return subprocess.run(mount, check=False, capture_output=True).returncode == 0
