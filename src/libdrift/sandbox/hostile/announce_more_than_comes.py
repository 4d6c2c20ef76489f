# Announces a reply of four gigabytes on every channel, sends a little of it, and waits.
import os
import stat
import time


def ENTRY(*args, **kwargs):
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.set_blocking(number, False)
                os.write(number, b"\xff\xff\xff\xff" + b"\0" * 32)
        except OSError:
            pass
    time.sleep(1)
    return None
