"""A sandbox within the sandbox: namespaces of its own for each answer of a fork server.

What bubblewrap does for a process that it starts is done here for one that is forked: its own
process numbers, its own private folders, no rights, and the filter of system calls.
"""

import ctypes
import fcntl
import os
import platform
import resource
import signal
import socket
import stat
import struct

_CLONE = {"x86_64": 56, "aarch64": 220}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_NEW_USER, _NEW_PID, _NEW_MOUNTS, _NEW_IPC = 0x10000000, 0x20000000, 0x00020000, 0x08000000
_NEW_NETWORK = 0x40000000
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1  # of a network interface
_READ_ONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND, _RECURSIVE = 1, 2, 4, 8, 32, 4096, 16384
_SET_DUMPABLE, _SET_SECCOMP, _FILTER, _NO_NEW_PRIVILEGES = 4, 22, 2, 38

PRIVATE = ("/tmp/", "/dev/", "/proc/")  # where each fork has folders of its own

# Keeps the interpreter's lock: between the call and the hooks below no other thread may run.
_libc = ctypes.PyDLL(None, use_errno=True)
_python = ctypes.pythonapi


def _check(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def uncover_proc():
    """Mount /proc anew: bubblewrap, run by root, covers parts of it.

    The kernel lets a nested namespace have a /proc of its own only where one is seen whole.
    """
    _check(_libc.mount(b"proc", b"/proc", b"proc", _NOSUID | _NODEV | _NOEXEC, None))


def protect_devices():
    """The nodes are the host's own: their times and modes are not a guest's to change."""
    flags = _REMOUNT | _BIND | _READ_ONLY | _NOSUID | _NOEXEC
    for name in ("full", "null", "random", "tty", "urandom", "zero"):
        path = "/dev/" + name
        if os.path.exists(path):
            _check(_libc.mount(None, path.encode(), None, flags, None))


def spawn(network):
    """Fork into new namespaces: 0 in the child, its number in the parent.

    One call of clone, for ``unshare`` would need one more fork of the whole process.
    """
    flags = _NEW_USER | _NEW_PID | _NEW_MOUNTS | _NEW_IPC | signal.SIGCHLD
    if network:
        flags |= _NEW_NETWORK
    number = _CLONE[platform.machine()]
    zero = ctypes.c_long(0)
    _python.PyOS_BeforeFork()
    pid = _libc.syscall(ctypes.c_long(number), ctypes.c_long(flags), zero, zero, zero, zero)
    if pid == 0:
        _python.PyOS_AfterFork_Child()
    else:
        _python.PyOS_AfterFork_Parent()
    return _check(pid)


def furnish(uid, gid, disk_bytes, keep, made):
    """Be the same user in the new namespace, with folders and processes of one's own.

    ``keep`` names folders of the environment that lie below one of those folders; ``made`` is what
    libraries wrote there when they were imported, and will look for.
    """
    # Files below /proc/self belong to whoever may look into the process.
    _check(_libc.prctl(_SET_DUMPABLE, 1, 0, 0, 0))
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", "%d %d 1" % (uid, uid)),
        ("gid_map", "%d %d 1" % (gid, gid)),
    ):
        with open("/proc/self/" + name, "w") as file:
            file.write(text)
    kept = [(os.open(path, os.O_PATH), path) for path in keep]
    private = ("size=%d,mode=1777" % disk_bytes).encode()
    for folder in (b"/tmp", b"/dev/shm"):
        _check(_libc.mount(b"tmpfs", folder, b"tmpfs", _NOSUID | _NODEV, private))
    for descriptor, path in kept:
        os.makedirs(path)
        source = ("/proc/self/fd/%d" % descriptor).encode()
        _check(_libc.mount(source, os.fsencode(path), None, _BIND | _RECURSIVE, None))
        os.close(descriptor)
    for path, content in made:
        if content is None:
            os.makedirs(path, exist_ok=True)
        else:
            with open(path, "wb") as file:
                file.write(content)
    protect_devices()
    # Terminals of its own: those of the server are shared with every other fork.
    options = b"newinstance,ptmxmode=0666,mode=620"
    _check(_libc.mount(b"devpts", b"/dev/pts", b"devpts", _NOSUID | _NOEXEC, options))
    uncover_proc()


def raise_loopback():
    """Have a new network's only interface up, as in a fresh sandbox."""
    with socket.socket() as any_socket:
        name = struct.pack("16sh", b"lo", 0) + bytes(22)
        flags = struct.unpack("16sh", fcntl.ioctl(any_socket, _GET_FLAGS, name)[:18])[1]
        name = struct.pack("16sh", b"lo", flags | _UP) + bytes(22)
        fcntl.ioctl(any_socket, _SET_FLAGS, name)


def found_below(folder, but, limit):
    """What was written below a folder: paths with their content, folders with None."""
    found, size = [], 0
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if os.path.join(parent, name) not in but]
        found.extend((os.path.join(parent, name), None) for name in folders)
        for name in files:
            path = os.path.join(parent, name)
            if not os.path.islink(path) and os.path.isfile(path):
                with open(path, "rb") as file:
                    found.append((path, file.read()))
                size += len(found[-1][1])
                if size > limit:
                    raise OSError("imports write more than %d bytes" % limit)
    return found


def can_be_opened_anew(number, name, keep):
    """Whether an open file is only read, and found by its name in every fork.

    Nobody can write there: the environment (``keep`` is of it) and the system are mounted read-only.
    """
    if name == os.devnull:
        return True
    if fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY:
        return False
    if name.startswith(PRIVATE) and not name.startswith(tuple(path + "/" for path in keep)):
        return False
    here = os.fstat(number)
    try:
        return stat.S_ISREG(here.st_mode) and os.path.samestat(here, os.stat(name))
    except OSError:
        return False


def open_anew(number, name):
    """Have the same file open by the same number, with a position that no other process shares."""
    if name == os.devnull:
        flags, place = os.O_RDWR if number else os.O_RDONLY, 0
    else:
        flags, place = os.O_RDONLY, os.lseek(number, 0, os.SEEK_CUR)
    opened = os.open(name, flags)
    os.lseek(opened, place, os.SEEK_SET)
    os.dup2(opened, number, inheritable=number < 3)
    os.close(opened)


def hide_memory():
    """Have the kernel refuse everybody, the process itself included, its memory as a file."""
    _check(_libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0))


def give_up_rights(filters):
    """No capabilities, no way to new ones, and no system call that an answer has no use for."""
    header = struct.pack("=Ii", 0x20080522, 0)
    number = ctypes.c_long(_CAPSET[platform.machine()])
    _check(_libc.syscall(number, header, struct.pack("=6I", 0, 0, 0, 0, 0, 0)))
    _check(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    if filters:
        buffer = ctypes.create_string_buffer(filters, len(filters))
        program = struct.pack("@HP", len(filters) // 8, ctypes.addressof(buffer))
        _check(_libc.prctl(_SET_SECCOMP, _FILTER, program, 0, 0))


def limit(limits):
    """Accept limits; nothing here can be taken back."""
    for name, value in (
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_AS, limits["memory_bytes"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(name, (value, value))


def become(uid):
    """Be that user, and nobody else, for good."""
    if uid:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def limit_processes(limits):
    # Counted per user: only after the switch does it count this sandbox alone.
    resource.setrlimit(resource.RLIMIT_NPROC, (limits["processes"], limits["processes"]))


def settle(work):
    os.makedirs(work, exist_ok=True)
    os.makedirs(os.environ.get("HOME", work), exist_ok=True)
    os.chdir(work)


def enter(job):
    """Give up privileges and accept limits; nothing here can be taken back."""
    if job["uid"]:
        protect_devices()
    limit(job["limits"])
    become(job["uid"])
    limit_processes(job["limits"])
    settle(job["work"])
    give_up_rights(bytes.fromhex(job["filter"]))


def await_first(first):
    """Be the first process of the namespace: reap all, and end as the one that matters did."""
    while True:
        pid, status = os.wait()
        if pid == first:
            code = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
            os._exit(code)
