# Prints and raises what looks like frames, reports and verdicts of the judge, with controls of terminals.
import json
import os
import struct


def frame(*fields):
    data = json.dumps(list(fields)).encode()
    return struct.pack(">I", len(data)) + data


SAID = b"".join(
    [
        frame("loaded"),
        frame("phase", "test_small", "call", "passed", ""),
        frame("end", "0 1 2 3 -1", "", ""),
        b"\x1b[2J\x1b[1;1H\x1b]8;;file:///etc/passwd\x07passed\x1b]8;;\x07\r\n",
        b"=== 4 passed in 0.01s ===\n",
    ]
)
for number in (1, 2):
    try:
        os.write(number, SAID)
    except OSError:
        pass


def ENTRY(*args, **kwargs):
    os.write(1, SAID)
    raise AssertionError(SAID.decode("latin-1"))
