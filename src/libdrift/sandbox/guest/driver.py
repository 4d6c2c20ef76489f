"""Runs one answer against its tests, inside the sandbox, under the environment's own Python.

The files beside this one are mounted into the sandbox and must work on Python 3.7 to 3.13 with
nothing but the standard library (and pytest, for pytest tests). The rules they are written by:

* The host decides. This process only reports, in frames that carry a keyed hash; whatever the
  candidate prints, returns or exits with is not a verdict.
* Everything patchable is used before the candidate is loaded. Afterwards only closures over C
  functions and values taken earlier are relied on.
* The tests are compiled before the candidate is loaded, then sealed: the pad is handed to the
  host and comes back when the candidate has loaded. They are never on disk.
"""

import ast
import builtins
import importlib.util
import json
import linecache
import marshal
import os
import struct
import sys
import traceback
import types

import arming
import channel
import guarding
import plugging
import watching

# A private copy, for every function below: patching the real builtins does not reach the driver.
__builtins__ = dict(builtins.__dict__)


def enter(job):
    """Give up privileges and accept limits; nothing here can be taken back."""
    import resource

    limits = job["limits"]
    pairs = [
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_AS, limits["memory_bytes"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_CORE, 0),
    ]
    for name, value in pairs:
        resource.setrlimit(name, (value, value))
    if job["uid"]:
        os.setgroups([])
        os.setresgid(job["uid"], job["uid"], job["uid"])
        os.setresuid(job["uid"], job["uid"], job["uid"])
    # Counted per user: only after the switch does it count this sandbox alone.
    resource.setrlimit(resource.RLIMIT_NPROC, (limits["processes"], limits["processes"]))
    os.makedirs(job["work"], exist_ok=True)
    os.makedirs(os.environ.get("HOME", job["work"]), exist_ok=True)
    os.chdir(job["work"])


def describe(error):
    """An exception in one line."""
    text = "%s: %s" % (type(error).__name__, error) if str(error) else type(error).__name__
    return (text.splitlines() or [type(error).__name__])[0][:500]


class Trial(object):
    """One answer and its tests; all state that outlives the candidate's loading."""

    def __init__(self, job, control, key):
        self.job = job
        self.control = control
        self.send = channel.make_sender(control, key)
        self.answer_path = os.path.join(job["work"], job["module"] + ".py")
        self.test_path = os.path.join(job["work"], "test_%s.py" % job["module"])
        self.breaches = []
        self.done = set()
        probes = guarding.make_probe(self.answer_path, job["answer"], self.breaches)
        self.probe, self.look, self.last_compared = probes
        self.source = ""
        self._seal()

    def _seal(self):
        """Arm and compile the tests, take down what they judge with, and seal them."""
        job, control = self.job, self.control
        source = job.pop("tests")
        pytest_style = job["style"] == "pytest"
        tree, functions, plain = arming.arm(source, self.test_path, pytest_style, job["canary"])
        code = compile(tree, self.test_path, "exec", dont_inherit=True)
        aliases = arming.imported(ast.walk(plain), job["module"])
        names = arming.instruments(plain, aliases)
        self.changed = watching.watch(
            names, pytest_style, guarding.owned_files(self.answer_path), job["module"]
        )
        at_top = arming.imported(plain.body, job["module"])
        self.replaced = watching.watch_imports(at_top, arming.used(plain))
        sealed = marshal.dumps((code, source))
        pad = os.urandom(len(sealed))
        self.send("ready", "\n".join(functions), pad.hex())
        sealed = channel.xor(sealed, pad)
        loads, unpack, xor, read = marshal.loads, struct.unpack, channel.xor, channel.read_exactly

        def unseal():
            size = unpack(">I", read(control, 4))[0]
            return loads(xor(sealed, read(control, size)))

        self.unseal = unseal

    def load(self, name):
        """Execute the answer as module ``name``; report, and return None, where it fails."""
        if name == "__main__":
            module = types.ModuleType(name)
            module.__file__ = self.answer_path
        else:
            spec = importlib.util.spec_from_file_location(name, self.answer_path)
            module = importlib.util.module_from_spec(spec)
        module.__builtins__ = builtins
        sys.modules[name] = module
        send, trace, describe_ = self.send, traceback.format_exc, describe
        guarding.set_guard(self.answer_path, self.job["answer"], self.breaches)
        try:
            code = compile(self.job["answer"], self.answer_path, "exec", dont_inherit=True)
            exec(code, module.__dict__)
        except BaseException as error:
            send("unloaded", describe_(error))
            self.log(trace())
            return None
        send("loaded")
        return module

    def check_imports(self, space):
        """What the tests import must be what it was before the answer was loaded."""
        name = self.replaced(space)
        if name:
            self.breaches.append("replaces %s, which its tests judge with" % name)

    def show_source(self):
        """Let tracebacks quote the tests; only called once a test has failed anyway."""
        lines = self.source.splitlines(True)
        linecache.cache[self.test_path] = (len(self.source), None, lines, self.test_path)

    def compared(self, text):
        """What an assertion compared last, for the log."""
        if "AssertionError" not in text:
            return text
        try:
            return text.rstrip("\n") + "\nE   " + self.last_compared() + "\n"
        except BaseException:
            return text

    def log(self, text):
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException:
            pass  # the candidate may have closed or replaced them
        try:
            os.write(2, text.encode("utf-8", "replace")[:200000] + b"\n")
        except OSError:
            pass

    def end(self):
        signed = " ".join(str(index) for index in sorted(self.done))
        self.send("end", signed, self.changed(), "\n".join(self.breaches))

    def run_script(self):
        """The answer as the main program, then the tests in the same namespace."""
        send, describe_ = self.send, describe
        module = self.load("__main__")
        if module is None:
            return
        space = module.__dict__
        code, self.source = self.unseal()
        space.update({arming.PROBE: self.probe, arming.LOOK: self.look, arming.DONE: self.done.add})
        try:
            exec(code, space)
        except BaseException as error:
            self.show_source()
            send("case", "script", "failed", describe_(error))
            self.log(self.compared(traceback.format_exc()))
        else:
            self.check_imports(space)
            send("case", "script", "passed", "")
        self.end()

    def run_pytest(self):
        """A pytest session whose one module loads the answer, then the tests, from memory."""
        send, describe_ = self.send, describe
        with open(self.test_path, "w"):
            pass  # pytest wants a path to collect; the tests themselves never are on disk
        session = plugging.make_session(self, describe)
        try:
            session()
        except BaseException as error:
            self.log(traceback.format_exc())
            send("stopped", describe_(error))
        self.end()


def main():
    control = int(sys.argv[1])
    os.set_inheritable(control, False)
    size = struct.unpack(">I", channel.read_exactly(control, 4))[0]
    job = json.loads(channel.read_exactly(control, size).decode("utf-8", "surrogatepass"))
    key = bytes.fromhex(job.pop("key"))
    leave = os._exit
    try:
        enter(job)
        # Nothing that a candidate can look up may lead to the driver, or to its folder.
        for name in ("arming", "channel", "guarding", "plugging", "watching"):
            del sys.modules[name]
        sys.argv = [job["module"] + ".py"]
        sys.path[0] = job["work"]
        path = os.path.join(job["work"], job["module"] + ".py")
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(job["answer"])
        if job["style"] == "pytest":
            import pytest  # noqa: F401  (a missing runner is the environment's fault: say so now)
        trial = Trial(job, control, key)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        leave(70)
    run = trial.run_pytest if job["style"] == "pytest" else trial.run_script
    sys.modules["__main__"] = types.ModuleType("__main__")
    run()
    leave(0)


if __name__ == "__main__":
    main()
