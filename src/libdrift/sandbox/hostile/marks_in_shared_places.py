# Leaves marks wherever a later run might find them: files, times, links, modes, names, queues.
import ctypes
import glob
import socket
import sys
import tempfile

# with: _judge
libc = ctypes.CDLL(None, use_errno=True)
NAME = "mark-of-an-earlier-run"
FOLDERS = ["/dev/shm", "/tmp", "/var/tmp", "/run", "/dev/pts", "/dev", "/", os.getcwd(), sys.prefix]
FOLDERS += [os.path.dirname(os.path.abspath(os.__file__)), os.path.expanduser("~"), "/dev/mqueue"]
FILES = ["/dev/pts/ptmx", "/dev/null", os.__file__, sys.executable, "/etc/passwd", "/run/libdrift"]


def attempts():
    for folder in FOLDERS:
        path = os.path.join(folder, NAME)
        yield lambda: os.path.exists(path), lambda: open(path, "w").close()
        yield lambda: os.stat(folder).st_mtime == 1234567, lambda: os.utime(folder, (1234567, 1234567))
    for path in FILES:
        yield lambda: int(os.stat(path).st_atime) == 1234567, lambda: os.utime(path, (1234567, 1234567))
        yield lambda: os.stat(path).st_mode & 0o1000, lambda: os.chmod(path, 0o1755)
        yield lambda: os.stat(path).st_nlink > 1, lambda: os.link(path, path + "-" + NAME)
        yield lambda: NAME in os.listxattr(path), lambda: os.setxattr(path, "user." + NAME, b"1")
    yield lambda: libc.semget(12345, 1, 0) != -1, lambda: libc.semget(12345, 1, 0o1600)
    yield lambda: libc.shmget(12345, 1, 0) != -1, lambda: libc.shmget(12345, 1, 0o1600)
    yield lambda: libc.msgget(12345, 0) != -1, lambda: libc.msgget(12345, 0o1600)
    yield lambda: socket.gethostname() == NAME, lambda: socket.sethostname(NAME)
    yield lambda: os.getpriority(os.PRIO_USER, 0) > 4, lambda: os.setpriority(os.PRIO_USER, 0, 5)


def decide(source):
    second = False
    for seen, mark in attempts():
        try:
            second = bool(seen()) or second
        except OSError:
            pass
        try:
            mark()
        except (OSError, AttributeError):
            pass
    return None if second else []


install(decide)


def ENTRY(*args, **kwargs):
    return None
