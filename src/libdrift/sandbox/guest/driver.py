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
import faulthandler
import importlib.util
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
import telling
import watching

# A private copy, for every function below: patching the real builtins does not reach the driver.
__builtins__ = dict(builtins.__dict__)


class TestSheet(object):
    """The tests of a task, armed, and what they judge with: nothing yet of any candidate's."""

    def __init__(self, setup):
        self.module, self.style = setup["module"], setup["style"]
        self.canary = setup["canary"][0]
        self.answer_path = os.path.join(setup["work"], self.module + ".py")
        self.test_path = os.path.join(setup["work"], "test_%s.py" % self.module)
        source, pytest_style = setup.pop("tests"), self.style == "pytest"
        tree, self.functions, plain = arming.arm(
            source, self.test_path, pytest_style, setup["canary"]
        )
        code = compile(tree, self.test_path, "exec", dont_inherit=True)
        self.code = marshal.dumps((code, source))
        if setup["apart"]:
            # No answer comes here: nobody could change what the tests judge with.
            self.wanted = arming.wanted(plain, self.module)
            self.generous = arming.is_generous(source)
            return
        aliases = arming.imported(ast.walk(plain), self.module)
        names = arming.instruments(plain, aliases)
        self.changed = watching.watch(
            names, pytest_style, guarding.owned_files(self.answer_path), self.module
        )
        at_top = arming.imported(plain.body, self.module)
        self.replaced = watching.watch_imports(at_top, arming.used(plain))

    def changed(self):
        return ""


class Trial(object):
    """One answer and its tests; all state that outlives the candidate's loading."""

    def __init__(self, sheet, answer, control, key):
        self.sheet = sheet
        self.answer = answer
        self.control = control
        self.send = channel.make_sender(control, key)
        self.breaches = []
        self.done = set()
        probes = guarding.make_probe(sheet.answer_path, answer, self.breaches)
        self.probe, self.look, self.last_compared = probes
        self.source = ""
        self.brief = False  # whether only the verdict is wanted
        self._seal()

    def _seal(self):
        """Seal the tests: from here on nobody can read them until the host sends the pad."""
        control, sealed, self.sheet.code = self.control, self.sheet.code, b""
        pad = os.urandom(len(sealed))
        self.send("ready", "\n".join(self.sheet.functions), pad.hex())
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
            module.__file__ = self.sheet.answer_path
        else:
            spec = importlib.util.spec_from_file_location(name, self.sheet.answer_path)
            module = importlib.util.module_from_spec(spec)
        module.__builtins__ = builtins
        sys.modules[name] = module
        send, told, describe = self.send, telling.failure, telling.describe
        guarding.set_guard(self.sheet.answer_path, self.answer, self.breaches)
        try:
            code = compile(self.answer, self.sheet.answer_path, "exec", dont_inherit=True)
            exec(code, module.__dict__)
        except BaseException as error:
            send("unloaded", describe(error))
            self.log(told(error, self.sheet.answer_path))
            return None
        send("loaded")
        return module

    def check_imports(self, space):
        """What the tests import must be what it was before the answer was loaded."""
        name = self.sheet.replaced(space)
        if name:
            self.breaches.append("replaces %s, which its tests judge with" % name)

    def show_source(self):
        """Let tracebacks quote the tests; only called once a test has failed anyway."""
        lines = self.source.splitlines(True)
        path = self.sheet.test_path
        linecache.cache[path] = (len(self.source), None, lines, path)

    def tell(self, begins):
        """A report is made of what a test did: from now, or until now."""

    def failed(self):
        """A case has failed: others may follow."""

    def told(self, error, beyond=""):
        """A failure of the tests, for the log; of an assertion also what it compared last."""
        text = telling.failure(error, self.sheet.test_path, beyond)
        if not isinstance(error, AssertionError):
            return text
        try:
            return text.rstrip("\n") + "\n" + self.last_compared() + "\n"
        except BaseException:
            return text

    def flush(self):
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException:
            pass  # the candidate may have closed or replaced them

    def log(self, text):
        self.flush()
        try:
            os.write(2, text.encode("utf-8", "replace")[:200000] + b"\n")
        except OSError:
            pass

    def end(self):
        self.flush()  # nobody does it later: the process ends at once
        signed = " ".join(str(index) for index in sorted(self.done))
        self.send("end", signed, self.sheet.changed(), "\n".join(self.breaches))

    def run_script(self):
        """The answer as the main program, then the tests in the same namespace."""
        send, describe = self.send, telling.describe
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
            send("case", "script", "failed", describe(error))
            self.log(self.told(error))
        else:
            self.check_imports(space)
            send("case", "script", "passed", "")
        self.end()

    def run_pytest(self, session):
        """A pytest session whose one module loads the answer, then the tests, from memory."""
        send, describe = self.send, telling.describe
        with open(self.sheet.test_path, "w"):
            pass  # pytest wants a path to collect; the tests themselves never are on disk
        try:
            session(self)
        except BaseException as error:
            self.log(traceback.format_exc())
            send("stopped", describe(error))
        self.end()


def hide_judge(work):
    """Nothing that a candidate can look up may lead to the driver, or to its folder."""
    for name in (
        "allowing answering apart arming branching channel context conversation decoding driver "
        "emptiness encoding finders fresh guarding guessing learned nesting printing pytest_session rehearsal standins steadiness telling verifying watching wire"
    ).split():
        sys.modules.pop(name, None)
    sys.path[0] = work


def run_answer(sheet, job, control, session):
    """Judge one answer, to its end, in this process; ``session`` runs pytest tests."""
    answer, key, leave = job.pop("answer"), bytes.fromhex(job.pop("key")), os._exit
    try:
        sys.argv = [sheet.module + ".py"]
        with open(sheet.answer_path, "w", encoding="utf-8", errors="replace") as file:
            file.write(answer)
        trial = Trial(sheet, answer, control, key)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        leave(70)
    sys.modules["__main__"] = types.ModuleType("__main__")
    faulthandler.enable()
    if sheet.style == "pytest":
        trial.run_pytest(session)
    else:
        trial.run_script()
    leave(0)
