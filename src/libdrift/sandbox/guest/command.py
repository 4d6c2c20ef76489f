"""Runs one command inside the sandbox, for programs that are not Python's to judge.

It gives up all rights first, then starts the command as a child, waits, and tells how it ended and
what it left. The child cannot reach the channel: it is not inherited, and this process shows its
memory and descriptors to nobody.
"""

import base64
import json
import os
import struct
import sys

import channel
import nesting


def tell(control, content):
    text = json.dumps(content).encode()
    data = struct.pack(">I", len(text)) + text
    while data:
        data = data[os.write(control, data) :]


def place(files):
    for name, content in files.items():
        folder = os.path.dirname(name)
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(name, "wb") as file:
            file.write(base64.b64decode(content))


def kept(names, limit):
    """What the command left, read without following links: they may point anywhere."""
    found = {}
    for name in names:
        try:
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            continue  # it is not there: the caller sees that it is not
        with open(descriptor, "rb") as file:
            found[name] = base64.b64encode(file.read(limit)).decode()
    return found


def main():
    control = int(sys.argv[1])
    os.set_inheritable(control, False)
    job = channel.read_job(control)
    nesting.enter(job)
    nesting.hide_memory()
    place(job["files"])
    tell(control, {"ready": True})
    child = os.fork()
    if child == 0:
        try:
            os.chdir(job["folder"] or job["work"])
            os.execve(job["argv"][0], job["argv"], dict(os.environ, **job["environ"]))
        except OSError as error:
            tell(control, {"trouble": "%s: %s" % (job["argv"][0], error.strerror)})
        os._exit(127)
    while True:
        pid, status = os.wait()
        if pid == child:
            break
    code = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    os.chdir(job["work"])
    tell(control, {"status": code, "kept": kept(job["keep"], job["limits"]["file_bytes"])})


if __name__ == "__main__":
    main()
