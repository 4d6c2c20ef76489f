# Never comes back from a call, and ignores signals.
import signal

for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def ENTRY(*args, **kwargs):
    while True:
        pass
