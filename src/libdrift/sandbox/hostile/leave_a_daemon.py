# Leaves a daemon behind that writes and works after the test.
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for descriptor in range(0, 64):
            try:
                os.close(descriptor)
            except OSError:
                pass
        while True:
            try:
                with open("/tmp/libdrift-daemon-was-here", "w") as file:
                    file.write("still here")
            except OSError:
                pass
            time.sleep(0.05)
    os._exit(0)

def ENTRY(*args, **kwargs):
    return None
