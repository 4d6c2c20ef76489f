"""One answer, or one task's tests, in an interpreter of its own."""

import os
import socket
import sys
import traceback

import answering
import apart
import channel
import driver
import nesting
import pytest_session
import rehearsal
import wire


def preload(names):
    """Import as an answer would: ``import a.b`` is ["a.b", ""], ``from a import b`` ["a", "b"]."""
    for module, name in names:
        try:
            __import__(module, None, None, [name] if name else [])
        except Exception:
            pass  # the answer will meet the same trouble itself, and say so


def main():
    control = int(sys.argv[1])
    os.set_inheritable(control, False)
    job = channel.read_job(control)
    connection = job.get("connection")
    if connection is not None:
        os.set_inheritable(connection, False)
    sheet = session = None
    try:
        nesting.enter(job)
        nesting.hide_memory()
        driver.hide_judge(job["work"])
        if job["sheet"] is not None:
            if job["sheet"]["style"] == "pytest":
                # A missing runner is the environment's fault: said before the answer is ready.
                session = pytest_session.make_session(job["work"])
            sheet = driver.TestSheet(job.pop("sheet"))
            # As in a server: what is imported later would be watched, and might compile something.
            preload(job.get("imports", ()))
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(70)
    run(sheet, job, control, connection, session)


def run(sheet, job, control, connection, session):
    """Do a job, to its end: tests and answer in one process, one of both, or several of both."""
    if job.get("answers"):
        rehearsal.rehearse(sheet, job, control, session)
    elif connection is None:
        driver.run_answer(sheet, job, control, session)
    elif sheet is None:
        os.write(control, b"\1")  # what ends from here on is the answer's doing
        os.close(control)
        answering.answer_requests(job["module"], job["work"], job["answer"], connection)
    else:
        send = channel.make_sender(control, bytes.fromhex(job["key"]))
        line = wire.Wire(socket.socket(fileno=connection))
        apart.run_tests(sheet, job["learned"], send, line, session)
    os._exit(0)


if __name__ == "__main__":
    main()
