"""The fork server: one warm process for an environment, from which answers are forked.

A server waits on its own socket for one byte and what comes with it:

* ``S`` and a socket: fork a server that listens there. It reads its setup (a pytest session or
  none, modules to import, perhaps the tests of a task), says whether it is ready, and then waits in
  turn. So servers form a tree: the environment's; those with what its answers import, for pytest
  tests and, without pytest, for scripts; those with the tests of a task.
* ``N``, a channel, an output and (last) a socket: fork an answer into namespaces of its own, and
  when the last of its processes is gone, say on that socket how the first one ended. ``R`` does the
  same without a network of its own, in the server's empty one. One more descriptor leads to the
  other side of remote judging: who has tests then runs them on an answer that is elsewhere, and who
  has none is the answer's side.

A server never reads what a candidate wrote: the job comes through the answer's own channel, and
is read by the process that runs it. So there is nothing that one answer could leave to the next.
"""

import array
import gc
import os
import select
import socket
import struct
import sys
import traceback

import driver
import fresh
import nesting
import pytest_session
import telling
from channel import read_job

MADE_LIMIT = 16 * 1024 * 1024


def receive(control):
    """The next command and the descriptors that came with it; an end is no command."""
    size = array.array("i").itemsize
    data, ancillary, _, _ = control.recvmsg(1, socket.CMSG_SPACE(4 * size))
    found = array.array("i")
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(content[: len(content) - len(content) % size])
    return data, list(found)


def reply(control, text):
    data = text.encode("utf-8", "replace")
    control.sendall(struct.pack(">I", len(data)) + data)


def open_files():
    """What this process has open, by number."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[int(name)] = os.readlink("/proc/self/fd/" + name)
        except OSError:
            pass  # the listing's own
    return found


class Server(object):
    def __init__(self, control, common):
        self.control = control
        self.common = common  # what every answer gets: user, folders, filter
        self.session = None
        self.sheet = None
        self.made = []  # what imports wrote, for forks to find
        self.servers = []  # that were forked from this one
        self.running = {}  # a pipe that ends with an answer → its first process, and whom to tell

    def prepare(self, setup):
        """Import, and take up the tests; what hinders is returned as a line."""
        try:
            if setup["session"]:
                self.session = pytest_session.make_session(self.common["work"])
            if setup["sheet"] is not None:
                self.sheet = driver.TestSheet(setup["sheet"])
            fresh.preload(setup["imports"])
            # Tracebacks look up the file of every module there is: known here, known in all forks.
            inspect = sys.modules.get("inspect")
            if inspect is not None:
                inspect.getmodule(receive.__code__, "/nowhere")
            return self.hindrance()
        except BaseException as error:
            return telling.describe(error)

    def hindrance(self):
        """What imports have left that no fork can have for itself."""
        if len(os.listdir("/proc/self/task")) > 1:
            # A thread does not survive a fork, and what it holds stays locked for ever.
            return "threads run after import"
        try:
            os.waitpid(-1, os.WNOHANG)
            return "processes run after import"
        except ChildProcessError:
            pass
        for number, name in open_files().items():
            ours = number < 3 or number == self.control.fileno()
            if not ours and not nesting.can_be_opened_anew(number, name, self.common["keep"]):
                return name + " stays open after import"  # forks would share its position
        self.made = nesting.found_below("/tmp", self.common["keep"], MADE_LIMIT)
        return ""

    def serve(self):
        """Answer commands; returns only in a child, with what it is to run."""
        poll = select.poll()
        poll.register(self.control.fileno(), select.POLLIN)
        while True:
            for number, _ in poll.poll():
                if number != self.control.fileno():
                    poll.unregister(number)
                    self.tell_end(number)
                    continue
                command, descriptors = receive(self.control)
                if command == b"S":
                    self.servers = [pid for pid in self.servers if not is_gone(pid)]
                    self.servers.append(os.fork())
                    if self.servers[-1] == 0:
                        self.become(descriptors[0])
                        poll = select.poll()
                        poll.register(self.control.fileno(), select.POLLIN)
                        break
                    os.close(descriptors[0])
                elif command in (b"R", b"N"):
                    alive, end = os.pipe()
                    first = nesting.spawn(network=command == b"N")
                    if first == 0:
                        if command == b"N":
                            nesting.raise_loopback()
                        self.leave_others()
                        for number in (alive, descriptors.pop(), self.control.detach()):
                            os.close(number)
                        return descriptors
                    os.close(end)  # when the last process of the answer ends, so does the pipe
                    self.running[alive] = (first, descriptors.pop())
                    poll.register(alive, 0)
                    for descriptor in descriptors:
                        os.close(descriptor)
                else:
                    os._exit(0)

    def become(self, control):
        """Be a server of one's own, which listens there."""
        self.leave_others()
        self.servers = []
        self.control.close()
        self.control = socket.socket(fileno=control)
        trouble = self.prepare(read_job(control))
        reply(self.control, trouble)
        if trouble:
            os._exit(0)
        # What is here stays: no fork needs to look at it for garbage, and copy it.
        gc.freeze()

    def leave_others(self):
        """Other answers' ends are nothing to this process."""
        for alive, (_, status) in self.running.items():
            os.close(alive)
            os.close(status)
        self.running = {}

    def tell_end(self, alive):
        """Say how an answer ended, to whom it concerns."""
        first, status = self.running.pop(alive)
        os.close(alive)
        _, ended = os.waitpid(first, 0)
        try:
            os.write(status, struct.pack(">i", ended))
        except OSError:
            pass  # nobody wants to know any more
        os.close(status)


def is_gone(pid):
    return os.waitpid(pid, os.WNOHANG)[0] == pid


def enter(common, made, descriptors):
    """From the first process of the new namespaces to the process of the answer, and its job."""
    channel, output = descriptors[:2]
    nesting.furnish(common["uid"], common["gid"], common["disk_bytes"], common["keep"], made)
    os.write(channel, b"\n")  # by who sends it, the host learns the number of this process
    job = read_job(channel)
    if job.pop("signals", True):
        # The first process of its namespace has no use for signals that nobody handles.
        first = os.fork()
        if first:
            for descriptor in descriptors:
                os.close(descriptor)
            nesting.give_up_rights(bytes.fromhex(common["filter"]))
            nesting.hide_memory()
            nesting.await_first(first)
    os.setsid()
    nesting.limit(job["limits"])
    nesting.limit_processes(job["limits"])
    nesting.settle(common["work"])
    for standard in (1, 2):
        os.dup2(output, standard)
    os.close(output)
    # Opened anew: a descriptor that came with the fork is shared with every other fork.
    for number, name in open_files().items():
        if nesting.can_be_opened_anew(number, name, common["keep"]):
            nesting.open_anew(number, name)
    nesting.give_up_rights(bytes.fromhex(common["filter"]))
    nesting.hide_memory()
    return job


def renew(work):
    """What a new process has of its own, and a forked one would share with its neighbours."""
    gc.enable()
    # Only this one: to invalidate all caches imports more modules.
    sys.path_importer_cache.pop(work, None)
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed()


def main():
    gc.disable()  # until an answer runs
    control = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(control.fileno(), False)
    common = read_job(control.fileno())
    if common["uid"]:
        nesting.uncover_proc()
        nesting.become(common["uid"])
    common["uid"], common["gid"] = os.getuid(), os.getgid()
    server = Server(control, common)
    nesting.settle(common["work"])
    driver.hide_judge(common["work"])
    reply(control, "")
    descriptors = server.serve()
    try:
        job = enter(common, server.made, descriptors)
        job["work"] = common["work"]
        renew(common["work"])
        told = job.pop("sheet", None)
        if told is not None:
            server.sheet = driver.TestSheet(told)
    except BaseException:
        os.write(descriptors[1], traceback.format_exc().encode("utf-8", "replace"))
        os._exit(70)
    sheet, session = server.sheet, server.session
    channel, connection = descriptors[0], (descriptors[2:] or [None])[0]
    del server, common, control
    fresh.run(sheet, job, channel, connection, session)


if __name__ == "__main__":
    main()
