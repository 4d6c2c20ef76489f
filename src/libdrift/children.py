"""Programs that end with this process, whatever way it ends, and with all that they started.

A package that is built from source compiles for an hour: killed, libdrift would leave compilers
behind, which nobody waits for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

_IS_LINUX = sys.platform == "linux"
# A process between ours and the program: the kernel tells it that ours is gone, and gives it what
# the program leaves behind. It ends as the program does, by the same signal where that was one.
_KEEPER = """\
import ctypes, os, signal, sys

parent, status, folder, *command = sys.argv[1:]
set_death_signal, set_child_subreaper = 1, 36
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
prctl = ctypes.CDLL(None).prctl
ended = []


def end(number, frame):
    ended.append(number)
    raise SystemExit


for number in ENDING:
    if signal.getsignal(number) is not signal.SIG_IGN:  # as below nohup
        signal.signal(number, end)
prctl(set_child_subreaper, 1, 0, 0, 0)
prctl(set_death_signal, signal.SIGTERM, 0, 0, 0)
code = 127
try:
    if os.getppid() == int(parent):
        told, tell = os.pipe()
        program = os.fork()
        if not program:
            try:
                for number in (signal.SIGPIPE, signal.SIGXFSZ):
                    signal.signal(number, signal.SIG_DFL)
                if status != "none":
                    os.close(int(status))
                prctl(set_death_signal, signal.SIGKILL, 0, 0, 0)
                os.chdir(folder)
                os.execvp(command[0], command)
            except OSError as error:
                os.write(tell, str(error.errno).encode())
            finally:
                os._exit(127)
        os.close(tell)
        trouble = os.read(told, 64)
        if trouble:
            raise OSError(int(trouble), os.strerror(int(trouble)))
        while True:
            pid, left = os.wait()
            if pid == program:
                break
        code = os.waitstatus_to_exitcode(left)
        if status != "none":
            os.write(int(status), b'{"exit-code": %d}' % code)
except OSError as error:
    message = f"{command[0]}: {error.strerror} (os error {error.errno})\\n"
    os.write(2, message.encode("utf-8", "replace"))
finally:
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    while True:
        try:
            with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as below:
                for child in below.read().split():
                    os.kill(int(child), signal.SIGKILL)
        except OSError:
            pass
        try:
            os.wait()
        except ChildProcessError:
            break
if ended:
    code = -ended[0]
if code < 0:
    if -code != signal.SIGKILL:
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
os._exit(code)
"""


def ending_with_us(
    command: Sequence[str], folder: str = ".", status: int | None = None
) -> list[str]:
    """The command to start instead, from the thread that waits for it.

    ``status`` is a descriptor that hears, as JSON, how the program ended, if it started at all.
    Elsewhere than on Linux there is no such thing, and the program is started as it is.
    """
    if not _IS_LINUX and status is None:
        return list(command)
    keeper = [sys.executable, "-I", "-S", "-c", _KEEPER, str(os.getpid())]
    return [*keeper, "none" if status is None else str(status), folder, *command]
