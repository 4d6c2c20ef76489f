"""Runs examples of documentation, each in a fork of a process that has imported what they use.

Runs on Python 3.6 to 3.13 with nothing but the standard library. The host sends an example at a
time, a list of ``[statement, may_raise]``, and gets what came of each statement:
``[output, type of the value, warnings, error, where the error was raised]``.

A fork shares the sandbox with the others, but neither their memory nor their folder. What it says
is the library's word about itself: one that lies, lies about its own documentation.
"""

import builtins
import gc
import io
import json
import os
import random
import select
import shutil
import signal
import struct
import sys
import time
import warnings

import channel
import nesting

LONGEST = 20000  # characters that are kept of one output
MESSAGE = 1000
FAILURES = 4  # statements of one example that may fail, before the rest is left
MOST = 8 * 1024 * 1024  # bytes that a fork may tell
WAITING = 4  # times its processor time that an example may take: others work here, too
FILE = "<example>"


def seeded(seed):
    """Start anew where strings are to be hashed otherwise: that is decided before the start."""
    if os.environ.get("PYTHONHASHSEED") != seed:
        os.environ["PYTHONHASHSEED"] = seed
        os.execv(sys.executable, [sys.executable, "-s", "-B"] + sys.argv)


def reply(control, content):
    data = json.dumps(content).encode("utf-8", "replace")
    data = struct.pack(">I", len(data)) + data
    while data:
        data = data[os.write(control, data) :]


def preload(names):
    """Import modules; those that cannot be are named, with the reason."""
    failed = {}
    for name in names:
        try:
            __import__(name)
        except BaseException as error:
            failed[name] = "%s: %s" % (type(error).__name__, text_of(error, MESSAGE))
    return failed


def aliases(roots):
    """Names that most of a package's own modules give to modules of others: `np`."""
    counts = {}
    for path, module in list(sys.modules.items()):
        if path.partition(".")[0] not in roots:
            continue
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if type(value) is type(sys) and value.__name__.partition(".")[0] not in roots:
                key = (name, value.__name__)
                counts[key] = counts.get(key, 0) + 1
    found = {}
    for (name, module), count in sorted(counts.items(), key=lambda item: item[1]):
        if module in sys.modules and not name.startswith("_"):
            found[name] = module
    return found


def text_of(value, limit):
    try:
        text = str(value)
    except BaseException:
        return ""
    return text.replace(sys.prefix, "<prefix>")[:limit]


class Shown(object):
    """Stands for ``sys.displayhook``: keeps what an interpreter would print."""

    def __init__(self, stream):
        self.stream = stream
        self.type = ""

    def __call__(self, value):
        if value is None:
            return
        builtins._ = None
        kind = type(value)
        self.type = "%s.%s" % (kind.__module__, getattr(kind, "__qualname__", kind.__name__))
        self.stream.write(repr(value) + "\n")
        builtins._ = value


def told_warnings(caught):
    """Only what announces a change."""
    found = []
    for item in caught:
        name = item.category.__name__
        announces = issubclass(item.category, (DeprecationWarning, FutureWarning))
        if announces or issubclass(item.category, PendingDeprecationWarning) or "Deprecat" in name:
            found.append([name, text_of(item.message, MESSAGE)])
    return found


def compiled(source):
    try:
        return compile(source, FILE, "single", dont_inherit=True)
    except SyntaxError:
        return compile(source, FILE, "exec", dont_inherit=True)  # several statements


def run_statement(source, names, shown):
    error = place = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(compiled(source + "\n"), names)
        except BaseException as raised:
            missing = getattr(raised, "name", None) if isinstance(raised, ImportError) else None
            bases = [kind.__name__ for kind in type(raised).__mro__[:-1]]
            error = [bases, text_of(raised, MESSAGE), str(missing or "")]
            place = origin(raised.__traceback__)
    return error, place, told_warnings(caught)


def origin(trace):
    """The module whose code raised; empty where it was the example's own."""
    module = ""
    while trace is not None:
        if trace.tb_frame.f_code.co_filename != FILE:
            module = str(trace.tb_frame.f_globals.get("__name__", ""))
        elif trace.tb_next is None:
            module = ""
        trace = trace.tb_next
    return module


def run_example(statements, tell):
    random.seed(0)
    numbers = sys.modules.get("numpy.random")
    if numbers is not None:
        numbers.seed(0)
    names = {"__name__": "__main__", "__builtins__": builtins}
    failures = 0
    for source, may_raise in statements:
        stream = io.StringIO()
        sys.stdout = sys.stderr = stream
        sys.displayhook = shown = Shown(stream)
        error, place, announced = run_statement(source, names, shown)
        output = text_of(stream.getvalue(), LONGEST)
        tell([output, shown.type, announced, error, place])
        failures += error is not None and not may_raise
        if failures == FAILURES:
            break


def be_example(statements, pipe, folder, seconds):
    """The fork: it never returns."""
    import resource

    write, leave = os.write, os._exit

    def tell(content):
        data = json.dumps(content).encode("utf-8", "replace") + b"\n"
        while data:
            data = data[write(pipe, data) :]

    try:
        os.setsid()
        limit = max(1, int(seconds))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        os.mkdir(folder)
        os.chdir(folder)
        gc.enable()
        run_example(statements, tell)
        write(pipe, b".\n")
    finally:
        leave(0)


def attend(statements, control, folder, seconds):
    """Fork, and take what the fork tells until it ends or its time is up."""
    mine, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(mine)
        os.close(control)
        be_example(statements, theirs, folder, seconds)
    os.close(theirs)
    told, end = b"", ""
    deadline = time.monotonic() + WAITING * seconds
    while not told.endswith(b"\n.\n") and told != b".\n":
        left = deadline - time.monotonic()
        if left <= 0 or len(told) > MOST:
            end = "time" if left <= 0 else "output"
            break
        if select.select([mine], [], [], left)[0]:
            data = os.read(mine, 65536)
            if not data:
                end = "died"
                break
            told += data
    os.close(mine)
    for kill, number in ((os.killpg, pid), (os.kill, pid)):
        try:
            kill(number, signal.SIGKILL)
        except OSError:
            pass
    _, status = os.waitpid(pid, 0)
    if end == "died" and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        end = "time"
    elif end == "died" and os.WIFSIGNALED(status):
        end = "died of signal %d" % os.WTERMSIG(status)
    shutil.rmtree(folder, ignore_errors=True)
    lines = [line for line in told.split(b"\n")[:-1] if line != b"."]
    return {"statements": [json.loads(line.decode("utf-8")) for line in lines], "end": end}


def main():
    seeded(sys.argv[2])
    control = int(sys.argv[1])
    os.set_inheritable(control, False)
    job = channel.read_job(control)
    nesting.enter(job)
    for name in ("channel", "nesting"):  # a library may have one of that name
        sys.modules.pop(name, None)
    sys.path[0] = job["work"]
    sys.argv = ["example"]
    warnings.simplefilter("ignore")
    failed = preload(job["imports"])
    warnings.simplefilter("ignore")
    roots = set(name.partition(".")[0] for name in job["roots"])
    reply(control, {"failed": failed, "aliases": aliases(roots)})
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()  # no fork needs to look at it, and copy it
    gc.disable()
    count = 0
    while True:
        try:
            asked = channel.read_job(control)
        except EOFError:
            os._exit(0)
        count += 1
        folder = os.path.join(job["work"], "example%d" % count)
        reply(control, attend(asked["statements"], control, folder, job["seconds"]))


if __name__ == "__main__":
    main()
