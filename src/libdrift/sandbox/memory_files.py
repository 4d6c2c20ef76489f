"""Files in memory: what a sandbox is told, and tells, while it starts.

On a disk that is full, bubblewrap could not tell the number of its first process: it would end,
and leave that process behind, waiting for ever.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


@contextlib.contextmanager
def memory_file(content: bytes = b"") -> Iterator[int]:
    """A descriptor of a file without a place, which is read from its start."""
    descriptor = os.memfd_create("libdrift")
    try:
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)
