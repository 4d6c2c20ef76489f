"""Tests of several answers that have much in common: all that they do before the first call.

What tests import, collect, prepare and calculate until then is the same for all answers that say the
same up to there. So it is done once, for the first answer; at its first call the process is forked
for each of the others.
"""

import json
import os
import select
import signal
import struct

import standins
import wire

FIRST = ("load", "names")  # what is asked of any answer before it is called
VOID = ["void"]  # said last by one whose run does not count: it must be run by itself


class Sender(object):
    """Says what a trial reports, and can say all of it again elsewhere."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._said = b""

    def __call__(self, *fields):
        data = framed(fields)
        self._said += data
        self._write(data)

    def _write(self, data):
        while data:
            data = data[os.write(self._descriptor, data) :]

    def repeat(self, descriptor):
        self._descriptor = descriptor
        self._write(self._said)


def framed(fields):
    data = json.dumps(["%s" % (field,) for field in fields]).encode("ascii")
    return struct.pack(">I", len(data)) + data


class BranchingWire(wire.Wire):
    """The line to the first answer. Before the first call it lets the others have their turn.

    ``others`` are (line, descriptor, brief): the way to an answer, where to report what becomes of
    it, and whether its first failure is enough.
    """

    def __init__(self, connection, others, seconds):
        wire.Wire.__init__(self, connection)
        self._others = others
        self._seconds = seconds
        self._story = []  # what was said so far: whether by the tests, and what
        self._trial = None

    def meet(self, trial):
        self._trial = trial

    def send(self, content, blobs=()):
        others = self._others
        if others and content[0] == "do" and content[1] not in FIRST:
            self._others = ()
            self._branch(others)
        if self._others:
            self._story.append((True, content, list(blobs)))
        wire.Wire.send(self, content, blobs)

    def receive(self):
        content, blobs = wire.Wire.receive(self)
        if self._others:
            self._story.append((False, content, blobs))
        return content, blobs

    def _branch(self, others):
        if len(os.listdir("/proc/self/task")) > 1:
            return  # a thread would not be there in the others
        for line, descriptor, brief in others:
            alive, end = os.pipe()
            process = os.fork()
            if process == 0:
                os.close(alive)
                if not self._go_on_with(line):
                    os._exit(0)  # with nothing said
                be_quiet()
                self._trial.brief = brief
                self._trial.send.repeat(descriptor)
                return
            os.close(end)
            line.close()
            in_time = select.select([alive], [], [], self._seconds)[0]
            os.close(alive)
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            if not in_time:
                # Whatever it waits for, the answers after it might wait for too.
                os.write(descriptor, framed(VOID))
                return
            os.close(descriptor)

    def _go_on_with(self, connection):
        """Have the rest of the conversation with another; whether it has said the same so far."""
        self._connection = connection
        renamed = []
        try:
            for ours, content, blobs in self._story:
                if ours:
                    wire.Wire.send(self, content, blobs)
                else:
                    said, others = wire.Wire.receive(self)
                    if others != blobs or not alike(content, said, renamed):
                        return False
        except Exception:
            return False
        known = self._trial.conversation.stand_ins()
        for number, name, parameters in renamed:
            standins.rename(known.get(number), name, parameters)
        return True


def alike(one, other, renamed):
    """Whether two messages say the same, but for names and parameters of functions."""
    if type(one) is not type(other):
        return False
    if type(one) is dict:
        return list(one) == list(other) and all(alike(one[k], other[k], renamed) for k in one)
    if type(one) is not list:
        return one == other
    if one[:1] == ["p"] and one[2:3] == ["function"] and other[2:3] == ["function"]:
        if len(one) == len(other) == 7:
            renamed.append((other[1], other[3], other[6]))
            one, other = one[:3] + one[4:6], other[:3] + other[4:6]
    return len(one) == len(other) and all(alike(a, b, renamed) for a, b in zip(one, other))


def be_quiet():
    nothing = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nothing, number)
