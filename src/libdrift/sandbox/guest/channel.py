"""The guest's end of the channel to the judge: signed frames out, sealed tests in."""

import builtins
import hashlib
import json
import os
import struct

# A private copy, for every function below: patching the real builtins does not reach the driver.
__builtins__ = dict(builtins.__dict__)
_read = os.read


def read_exactly(descriptor, size):
    chunks = []
    while size:
        chunk = _read(descriptor, min(size, 65536))
        if not chunk:
            raise EOFError("the host went away")
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def read_job(descriptor):
    """What the host wants: the first thing that it says."""
    size = struct.unpack(">I", read_exactly(descriptor, 4))[0]
    return json.loads(read_exactly(descriptor, size).decode("utf-8", "surrogatepass"))


def make_sender(control, key):
    """A function that sends MACed frames, from C functions that nobody can patch."""
    write, mac, pack = os.write, hashlib.blake2b, struct.pack
    counter = [0]

    def send(*fields):
        parts = []
        for field in fields:
            text = field if type(field) is str else "%s" % (field,)
            parts.append(text.encode("utf-8", "replace").replace(b"\0", b"?"))
        payload = b"\0".join(parts)
        counter[0] += 1
        digest = mac(pack(">Q", counter[0]) + payload, key=key, digest_size=32).digest()
        data = pack(">I", len(payload)) + digest + payload
        while data:
            data = data[write(control, data) :]

    return send


def xor(data, pad):
    size = len(data)
    mixed = int.from_bytes(data, "big") ^ int.from_bytes(pad[:size], "big")
    return mixed.to_bytes(size, "big")
