"""Answers that libdrift itself has written, and the reference: each in forks of one process.

They do no harm, so they need no sandbox of their own; a fork of a small part of the price tells what
tests that an answer never meets make of it.
"""

import json
import os
import select
import signal
import socket
import struct
import time

import answering
import apart
import channel


def rehearse(sheet, job, control, session):
    """Run a task's tests on each answer; what they report is passed on under its number."""
    send = channel.make_sender(control, bytes.fromhex(job["key"]))
    send("ready", "", "")
    answers = job["answers"]
    lines = [socket.socketpair() for _ in answers]
    # The reference in a process of its own; the others leave nothing behind that another meets.
    first = _answer(job, slice(0, 1), lines)
    others = _answer(job, slice(1, None), lines)
    for number, told in enumerate(answers):
        lines[number][1].close()
        heard, said = os.pipe()
        tests = os.fork()
        if tests == 0:
            os.close(heard)
            for mine, theirs in lines[number + 1 :]:
                mine.close()
                theirs.close()
            _be_quiet(told)
            line = lines[number][0].detach()
            apart.run_tests(sheet, told["learned"], _sender(said), line, session)
        lines[number][0].close()
        os.close(said)
        in_time = _pass_on(send, str(number), heard, time.monotonic() + job["seconds"])
        os.close(heard)
        _end(tests)
        if not in_time and number:
            _end(others)
            others = _answer(job, slice(number + 1, None), lines)
    for process in (first, others):
        _end(process)
    send("end", "", "", "")


def _answer(job, which, lines):
    """A process that is these answers, one after the other, each as long as it is asked."""
    process = os.fork()
    if process == 0:
        try:
            own = lines[which]
            for line in lines:
                line[0].close()
                if line not in own:
                    line[1].close()
            for told, (_, theirs) in zip(job["answers"][which], own):
                _be_quiet(told)
                answering.answer_requests(
                    told["module"], job["work"], told["answer"], theirs.detach()
                )
        finally:
            os._exit(0)
    return process


def _end(process):
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _be_quiet(told):
    if told["learned"].get("brief"):
        nothing = os.open(os.devnull, os.O_WRONLY)
        for number in (1, 2):
            os.dup2(nothing, number)


def _sender(descriptor):
    def send(*fields):
        data = json.dumps(["%s" % (field,) for field in fields]).encode("ascii")
        data = struct.pack(">I", len(data)) + data
        while data:
            data = data[os.write(descriptor, data) :]

    return send


def _pass_on(send, number, descriptor, until):
    """What one process says until it has ended, or its time is over; whether it was in time."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    data = b""
    while True:
        if not poll.poll(max(0, 1000 * (until - time.monotonic()))):
            send("of", number, "late")
            return False
        more = os.read(descriptor, 65536)
        if not more:
            return True
        data += more
        while len(data) >= 4 and len(data) >= 4 + struct.unpack(">I", data[:4])[0]:
            end = 4 + struct.unpack(">I", data[:4])[0]
            send("of", number, *json.loads(data[4:end].decode("ascii")))
            data = data[end:]
