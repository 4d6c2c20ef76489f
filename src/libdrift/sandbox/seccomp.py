"""A small system-call filter for bubblewrap: what no answer needs and an attack would.

It closes what namespaces leave open: a new user namespace (whose owner may mount unlimited
memory file systems), other processes' memory, kernel key rings, in-memory files that no limit
counts, and the page cache as a memory that one run leaves to the next. Calls that are refused
return EPERM; ``clone3`` returns ENOSYS, on which libc falls back to ``clone``, whose flags can be
inspected.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable

_LOAD, _JUMP_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NEW_USER = 0x10000000
_X32 = 0x40000000  # every call once more, under another number
_NUMBER, _ARCH, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24

_ABSENT = 0xFFFF  # no call has this number

# The numbers on x86_64 and on aarch64.
_REFUSED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "io_uring_setup": (425, 425),
    # System V and POSIX queues and segments: memory that no limit of a process counts.
    "shmget": (29, 194),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "kexec_load": (246, 104),
    # What tells, or changes, which pages of a file are in memory: a note to the next run.
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "mincore": (27, 232),
    "cachestat": (451, 451),
    # What tells of other processes' work on the files that all runs share.
    "inotify_init": (253, _ABSENT),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "kcmp": (312, 272),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "syslog": (103, 116),
    "quotactl": (179, 60),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
}
_CLONE = (56, 220)
_FCNTL = (72, 25)
# Leases, notices of changes, and hints that are kept with a file: notes to other runs.
_FCNTL_REFUSED = (1024, 1026, 1036, 1038)
_CLONE3 = (435, 435)
_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}


_EXECUTE = ((59, 221), (322, 281))  # execve and execveat


def program() -> bytes | None:
    """The filter for this machine, compiled; ``None`` where the architecture is not known."""
    return _compiled(_REFUSED.values())


def no_programs() -> bytes | None:
    """A filter for a process that needs no other program any more."""
    return _compiled(_EXECUTE)


def _compiled(refused: Iterable[tuple[int, int]]) -> bytes | None:
    known = _ARCHITECTURES.get(platform.machine())
    if known is None:
        return None
    token, column = known
    lines: list[bytes] = []

    def emit(code: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        lines.append(struct.pack("=HBBI", code, if_true, if_false, value))

    def refuse(number: int, error: int) -> None:
        emit(_JUMP_EQUAL, number, 0, 1)
        emit(_RETURN, _ERRNO | error)

    emit(_LOAD, _ARCH)
    emit(_JUMP_EQUAL, token, 1, 0)
    emit(_RETURN, _ERRNO | errno.EPERM)  # a foreign calling convention (32 bit) has no use here
    emit(_LOAD, _NUMBER)
    emit(_JUMP_SET, _X32, 0, 1)
    emit(_RETURN, _ERRNO | errno.EPERM)
    for numbers in refused:
        refuse(numbers[column], errno.EPERM)
    refuse(_CLONE3[column], errno.ENOSYS)
    emit(_JUMP_EQUAL, _CLONE[column], 0, 3)
    emit(_LOAD, _FIRST_ARGUMENT)
    emit(_JUMP_SET, _NEW_USER, 0, 1)
    emit(_RETURN, _ERRNO | errno.EPERM)
    emit(_LOAD, _NUMBER)
    emit(_JUMP_EQUAL, _FCNTL[column], 0, 1 + 2 * len(_FCNTL_REFUSED))
    emit(_LOAD, _SECOND_ARGUMENT)
    for command in _FCNTL_REFUSED:
        refuse(command, errno.EPERM)
    emit(_RETURN, _ALLOW)
    return b"".join(lines)
