# Kills itself while a test is running.
import os
import signal


def ENTRY(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)
