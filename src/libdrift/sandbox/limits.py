from __future__ import annotations

import math
from dataclasses import dataclass, replace

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one answer may use. Each is enforced by the kernel or by the host, never by trust."""

    wall_seconds: float = 60.0
    cpu_seconds: int = 60
    memory_bytes: int = 4096 * MIB  # address space of a process, and resident memory of all
    processes: int = 64
    file_bytes: int = 64 * MIB
    disk_bytes: int = 256 * MIB  # each private folder
    open_files: int = 256
    output_bytes: int = 16 * MIB  # more than this ends the run
    log_bytes: int = 128 * 1024  # kept of it: the beginning and the end

    def with_time(self, seconds: float) -> Limits:
        # More processor time than time: the guest's own start costs some, and is not the answer's.
        return replace(self, wall_seconds=seconds, cpu_seconds=math.ceil(seconds) + 10)
