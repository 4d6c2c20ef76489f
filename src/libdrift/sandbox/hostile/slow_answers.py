# Answers each question a little later than the last, always just before somebody gives up.
import time

WAITED = [0.05]


def ENTRY(*args, **kwargs):
    time.sleep(WAITED[0])
    WAITED[0] *= 2
    return None
