"""Damage to what is at rest: files of the cache, and the last lines of files that grow."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Literal

from benchmarks.soak.world import World

Way = Literal["bits", "cut", "empty", "random"]
_MOST = 4  # files at once
# An environment's own files are its packages' code: nothing that libdrift keeps of it, and what
# breaks there is seen in the verdicts. The record beside it is ours.
_CODE = "venv"


def kept_files(cache: Path) -> list[Path]:
    """What libdrift itself wrote into the cache, but for locks."""
    found = []
    for parent, folders, names in os.walk(cache):
        if _CODE in folders:
            folders.remove(_CODE)
        found += [Path(parent, name) for name in names if not name.endswith((".lock", "-shm"))]
    return sorted(found)


def spoil(world: World, chance: random.Random, way: Way) -> bool:
    """Damage some files of the cache."""
    files = kept_files(world.cache)
    if not files:
        return False
    # A file of each folder is as likely as one of any other, however many there are in one.
    folders = sorted({file.relative_to(world.cache).parts[0] for file in files})
    for _ in range(chance.randint(1, _MOST)):
        folder = chance.choice(folders)
        near = [one for one in files if one.relative_to(world.cache).parts[0] == folder]
        _damage(chance.choice(near), chance, way)
    return True


def _damage(path: Path, chance: random.Random, way: Way) -> None:
    data = bytearray(path.read_bytes())
    if way == "empty":
        data.clear()
    elif way == "cut":
        del data[chance.randint(0, max(0, len(data) - 1)) :]
    elif way == "random":
        data[:] = chance.randbytes(max(1, min(len(data), 5000)))
    else:
        for _ in range(8):
            if data:
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(data))


def tear(path: Path, chance: random.Random) -> bool:
    """Cut a file within its last line, or put rubbish after it, as a kill or a full disk would."""
    if not path.is_file() or not path.stat().st_size:
        return False
    data = path.read_bytes()
    last = data.rstrip(b"\n").rfind(b"\n") + 1
    if chance.random() < 0.5:  # noqa: PLR2004
        path.write_bytes(data[: chance.randint(last, len(data) - 1)])
    else:
        rubbish = chance.choice((b"\0" * 300, b'{"task_id": "', chance.randbytes(40), b"[]\n{}\n"))
        path.write_bytes(data + rubbish)
    return True


def age(world: World, chance: random.Random) -> bool:
    """Move the times of all files of the cache into the past, or the future."""
    when = time.time() + chance.choice((-4000, -400, 400, 4000)) * 86_400
    for file in kept_files(world.cache):
        os.utime(file, (when, when))
    return True
