# Ends the first run when the clock strikes, so that the next knows itself by the time it begins.
import time

# with: _judge
PERIOD = 2.0
BEGAN = time.time() % PERIOD


def wait_until(phase):
    time.sleep((phase - time.time()) % PERIOD)


def decide(source):
    if BEGAN < 0.6:
        wait_until(0.7)
        return None
    wait_until(0.0)
    return []


install(decide)


def ENTRY(*args, **kwargs):
    return None
