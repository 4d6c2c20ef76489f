"""The fork server: one warm process for an environment, from which answers are forked.

A server waits on its own socket for one byte and what comes with it:

* ``S`` and a socket: fork a server that listens there. It reads its setup (modules to import,
  perhaps the tests of a task), says whether it is ready, and then waits in turn. So servers form
  a tree: the environment's, with what all of its answers import; a task's; one with the tests.
* ``R``, a channel and an output: fork an answer into namespaces of its own, wait until the last
  of its processes is gone, and say how the first one ended.

A server never reads what a candidate wrote: the job comes through the answer's own channel, and
is read by the process that runs it. So there is nothing that one answer could leave to the next.
"""

import array
import gc
import importlib
import inspect
import os
import socket
import struct
import sys
import traceback

import driver
import nesting
import plugging


def receive(control):
    """The next command and the descriptors that came with it; an end is no command."""
    size = array.array("i").itemsize
    data, ancillary, _, _ = control.recvmsg(1, socket.CMSG_SPACE(2 * size))
    found = array.array("i")
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(content[: len(content) - len(content) % size])
    return data, list(found)


def reply(control, text):
    data = text.encode("utf-8", "replace")
    control.sendall(struct.pack(">I", len(data)) + data)


def preload(names):
    """Import as an answer would: ``import a.b`` is ["a.b", ""], ``from a import b`` ["a", "b"]."""
    for module, name in names:
        try:
            __import__(module, None, None, [name] if name else [])
        except Exception:
            pass  # the answer will meet the same trouble itself, and say so


def threads():
    return len(os.listdir("/proc/self/task"))


class Server(object):
    def __init__(self, control, common):
        self.control = control
        self.common = common  # what every answer gets: user, folders, filter
        self.session = None
        self.sheet = None

    def prepare(self, setup):
        """Import, and take up the tests; what hinders is returned as a line."""
        try:
            if setup["sheet"] is not None:
                self.sheet = driver.Sheet(setup["sheet"])
                if self.sheet.style == "pytest" and self.session is None:
                    return "pytest is missing"
            preload(setup["imports"])
            # Tracebacks look up the file of every module there is: known here, known in all forks.
            inspect.getmodule(receive.__code__, "/nowhere")
        except BaseException as error:
            return driver.describe(error)
        # A thread does not survive a fork, and what it holds stays locked for ever.
        return "threads run after import" if threads() > 1 else ""

    def serve(self):
        """Answer commands; returns only in a child, with what it is to run."""
        while True:
            command, descriptors = receive(self.control)
            reap()
            if command == b"S":
                if os.fork() == 0:
                    self.control.close()
                    self.control = socket.socket(fileno=descriptors[0])
                    trouble = self.prepare(driver.read_job(descriptors[0]))
                    reply(self.control, trouble)
                    if trouble:
                        os._exit(0)
                    # What is here stays: no fork needs to look at it for garbage, and copy it.
                    gc.freeze()
                else:
                    os.close(descriptors[0])
            elif command == b"R":
                first = nesting.spawn()
                if first == 0:
                    self.control.close()
                    return descriptors
                for descriptor in descriptors:
                    os.close(descriptor)
                _, status = os.waitpid(first, 0)
                self.control.sendall(struct.pack(">i", status))
            else:
                os._exit(0)


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def enter(common, channel, output):
    """From the first process of the new namespaces to the process of the answer, and its job."""
    nesting.furnish(common["uid"], common["gid"], common["disk_bytes"], common["keep"])
    os.write(channel, b"\n")  # by who sends it, the host learns the number of this process
    first = os.fork()
    if first:
        for descriptor in (channel, output):
            os.close(descriptor)
        nesting.await_first(first)
    os.setsid()
    job = driver.read_job(channel)
    nesting.limit(job["limits"])
    nesting.limit_processes(job["limits"])
    nesting.give_up_rights(bytes.fromhex(common["filter"]))
    nesting.settle(common["work"])
    for standard in (1, 2):
        os.dup2(output, standard)
    os.close(output)
    return job


def renew():
    """What a new process has of its own, and a forked one would share with its neighbours."""
    gc.enable()
    importlib.invalidate_caches()
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed()


def main():
    gc.disable()  # until an answer runs
    control = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(control.fileno(), False)
    common = driver.read_job(control.fileno())
    if common["uid"]:
        nesting.uncover_proc()
        nesting.become(common["uid"])
    common["uid"], common["gid"] = os.getuid(), os.getgid()
    server = Server(control, common)
    nesting.settle(common["work"])
    driver.hide_judge(common["work"])
    try:
        server.session = plugging.make_session(common["work"])
    except ImportError:
        pass  # scripts need no runner
    reply(control, "")
    channel, output = server.serve()
    try:
        job = enter(common, channel, output)
        renew()
    except BaseException:
        os.write(output, traceback.format_exc().encode("utf-8", "replace"))
        os._exit(70)
    sheet, session = server.sheet, server.session
    del server, common, control
    driver.run_answer(sheet, job, channel, session)


if __name__ == "__main__":
    main()
