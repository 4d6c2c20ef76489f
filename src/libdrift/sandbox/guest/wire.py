"""Messages between an answer's process and that of its tests: JSON, and bytes beside it.

Both ends read with distrust: sizes are bounded before anything is read, and nothing but JSON is
parsed. A message is the length of its head, the head, and the blobs whose lengths the head names.
"""

import json
import struct

from channel import read_exactly

HEAD_LIMIT = 32 * 1024 * 1024
BLOBS_LIMIT = 256 * 1024 * 1024
MESSAGES_LIMIT = 200000  # of one conversation, in each direction
BYTES_LIMIT = 1024 * 1024 * 1024  # likewise


class Garbled(Exception):
    """What arrived is no message, or one that is too large."""


def _refuse(name):
    raise ValueError(name + " is no JSON")


class Wire(object):
    """One end of the conversation."""

    def __init__(self, connection):
        self._connection = connection
        self._messages = 0
        self._bytes = 0

    def meet(self, trial):
        """Whose line it is: nothing that matters to a plain one."""

    def send(self, content, blobs=()):
        sizes = [len(blob) for blob in blobs]
        head = json.dumps([content, sizes], separators=(",", ":"), allow_nan=False)
        data = head.encode("ascii")
        if len(data) > HEAD_LIMIT or sum(sizes) > BLOBS_LIMIT:
            raise Garbled("a value is too large to travel")
        self._connection.sendall(struct.pack(">I", len(data)) + data)
        for blob in blobs:
            self._connection.sendall(blob)

    def receive(self):
        """The next message and its blobs; EOFError if the other end has gone."""
        number = self._connection.fileno()
        size = struct.unpack(">I", read_exactly(number, 4))[0]
        self._count(size, HEAD_LIMIT)
        try:
            head = json.loads(read_exactly(number, size).decode("ascii"), parse_constant=_refuse)
            content, sizes = head
            if type(sizes) is not list or not all(type(s) is int and s >= 0 for s in sizes):
                raise ValueError("the sizes of its blobs are no numbers")
        except (ValueError, TypeError, RecursionError) as error:
            raise Garbled("a message cannot be read: %s" % error)
        self._count(sum(sizes), BLOBS_LIMIT)
        return content, [read_exactly(number, s) for s in sizes]

    def _count(self, size, limit):
        self._messages += 1
        self._bytes += size
        if size > limit or self._bytes > BYTES_LIMIT or self._messages > 2 * MESSAGES_LIMIT:
            raise Garbled("a message is too large, or there are too many")
