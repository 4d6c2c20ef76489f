# Asks for more rights: another user, new namespaces, mounts, other processes.
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
GAINED = []
for name, arguments in (
    ("setuid", (0,)),
    ("unshare", (0x10000000,)),
    ("unshare", (0x10000000 | 0x20000 | 0x40000000,)),
    ("mount", (b"none", b"/tmp", b"tmpfs", 0, None)),
    ("ptrace", (16, os.getppid(), 0, 0)),
    ("chroot", (b"/tmp",)),
):
    if getattr(libc, name)(*arguments) == 0:
        GAINED.append(name)


def ENTRY(*args, **kwargs):
    return GAINED
