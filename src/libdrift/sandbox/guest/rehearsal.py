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
import branching
import channel
import wire


def rehearse(sheet, job, control, session):
    """Run a task's tests on each answer; what they report is passed on under its number."""
    send = channel.make_sender(control, bytes.fromhex(job["key"]))
    send("ready", "", "")
    left = _together(sheet, job, send, session)
    _one_by_one(sheet, job, send, session, left)
    send("end", "", "", "")


def _together(sheet, job, send, session):
    """Run the tests on the first answer, and from its first call on for the others too.

    Returns the numbers of those that must be run by themselves.
    """
    answers, seconds = job["answers"], job["seconds"]
    numbers = range(len(answers))
    lines = [socket.socketpair() for _ in numbers]
    # The reference in a process of its own; the others leave nothing behind that another meets.
    processes = [_answer(job, [0], lines), _answer(job, numbers[1:], lines)]
    pipes = [os.pipe() for _ in numbers]
    tests = os.fork()
    if tests == 0:
        for (heard, _), (_, theirs) in zip(pipes, lines):
            os.close(heard)
            theirs.close()
        others = [
            (lines[number][0], pipes[number][1], answers[number]["learned"].get("brief", False))
            for number in numbers[1:]
        ]
        line = branching.BranchingWire(lines[0][0], others, seconds)
        say = branching.Sender(pipes[0][1])
        apart.run_tests(sheet, answers[0]["learned"], say, line, session)
    for (_, said), (mine, theirs) in zip(pipes, lines):
        os.close(said)
        mine.close()
        theirs.close()
    # Who is run for another's sake has a limit of its own: this one only ends what hangs as a whole.
    heard, in_time = _listen([heard for heard, _ in pipes], 2 * seconds)
    for process in (tests, *processes):
        _end(process)
    left = []
    for number, frames in enumerate(heard):
        if number and (not frames or frames[-1] == branching.VOID):
            left.append(number)
            continue
        for frame in frames:
            send("of", str(number), *frame)
        if number == 0 and not in_time:
            send("of", "0", "late")
    return left


def _one_by_one(sheet, job, send, session, numbers):
    """Run the tests on each of these answers from the beginning."""
    while numbers:
        number, numbers = numbers[0], numbers[1:]
        told = job["answers"][number]
        mine, theirs = socket.socketpair()
        answer = _answer(job, [0], [(mine, theirs)], number)
        theirs.close()
        heard, said = os.pipe()
        tests = os.fork()
        if tests == 0:
            os.close(heard)
            branching.be_quiet()
            say = branching.Sender(said)
            apart.run_tests(sheet, told["learned"], say, wire.Wire(mine), session)
        mine.close()
        os.close(said)
        (frames,), in_time = _listen([heard], job["seconds"])
        for frame in frames:
            send("of", str(number), *frame)
        if not in_time:
            send("of", str(number), "late")
        for process in (tests, answer):
            _end(process)


def _answer(job, which, lines, first=0):
    """A process that is these answers, one after the other, each as long as it is asked."""
    process = os.fork()
    if process == 0:
        try:
            for number, (mine, theirs) in enumerate(lines):
                mine.close()
                if number not in which:
                    theirs.close()
            for number in which:
                told, quiet = job["answers"][first + number], first + number
                if quiet:
                    branching.be_quiet()
                answering.answer_requests(
                    told["module"], job["work"], told["answer"], lines[number][1].detach()
                )
        finally:
            os._exit(0)
    return process


def _end(process):
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _listen(descriptors, seconds):
    """What is said on each until its end, as frames; and whether none took longer than that."""
    data = {descriptor: b"" for descriptor in descriptors}
    waiting = set(descriptors)
    until = time.monotonic() + seconds
    while waiting:
        ready = select.select(sorted(waiting), [], [], max(0, until - time.monotonic()))[0]
        if not ready:
            break
        for descriptor in ready:
            more = os.read(descriptor, 65536)
            data[descriptor] += more
            if not more:
                waiting.discard(descriptor)
                until = time.monotonic() + seconds
    for descriptor in descriptors:
        os.close(descriptor)
    return [_frames(data[descriptor]) for descriptor in descriptors], not waiting


def _frames(data):
    found = []
    while len(data) >= 4 and len(data) >= 4 + struct.unpack(">I", data[:4])[0]:
        end = 4 + struct.unpack(">I", data[:4])[0]
        found.append(json.loads(data[4:end].decode("ascii")))
        data = data[end:]
    return found
