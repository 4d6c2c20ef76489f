"""The tests' side of remote judging: tests run here, the answer in another process.

What is said by the answer never becomes code here. Where the tests, or the libraries that they call,
compile, unpickle or start something, it must be what they did with the task's reference.
"""

import ast
import builtins
import json
import marshal
import os
import re
import sys
import traceback
import types

import arming
import driver
import finders
import standins
import telling
from allowing import Apart
from conversation import Conversation
from learned import TELLING, Learned, fingerprint

WATCHED = ("compile", "pickle.find_class", "subprocess.Popen", "os.system", "os.posix_spawn",
           "os.exec", "code.__new__", "function.__new__")  # fmt: skip
# What engines call the code that they make of templates: another right answer has another template.
TEMPLATES = ("<template>", "memory:")
MOCKING = ("unittest.mock", "mock.", "_pytest.")  # whose values compare as they please
ADDRESS = re.compile(b"0x[0-9a-f]{6,}")


class Watch(object):
    """Sees to it that text is run as code only where the reference's tests did so too."""

    def __init__(self, conversation):
        self._conversation = conversation
        self._learned = conversation.learned
        self._busy = False
        self._finders = finders.Finders(self.saw)
        self.on = False
        self.evaluates = ""  # what of the reference's own words was run

    def saw(self, event, arguments):
        if not self.on or self._busy:
            return
        self._busy = True
        try:
            self._look(event, arguments)
        finally:
            self._busy = False

    def _look(self, event, arguments):
        source = arguments[0] if event in ("compile", "find") else arguments
        if isinstance(source, ast.AST):
            source = ast.dump(source)
        text = source if isinstance(source, (str, bytes)) else repr(source)
        text = text.encode("utf-8", "replace") if type(text) is str else text
        name = str(arguments[1]) if event == "compile" and len(arguments) > 1 else ""
        if event == "compile" and (self._is_file(name, text) or self._is_traced()):
            return  # a module is imported, or a failure is told
        # Some engines call what they make by an object's address, which differs from run to run.
        mark = event + ":" + fingerprint(ADDRESS.sub(b"0x", text))
        if not self._learned.learning:
            if mark not in self._learned.code:
                self._conversation.end("stuck", "its tests would run code that it gave them")
        elif name in TEMPLATES or self._was_heard(text):
            self.evaluates = (event + " " + name).strip()
        else:
            self._learned.code.add(mark)

    def _was_heard(self, text):
        """Whether a text is the answer's, or holds one that is too long to be there by chance."""
        whole = text.strip()
        return any(
            (heard.strip() == whole and not whole.isalnum())
            or (len(heard) >= TELLING and heard in text)
            for heard in self._conversation.heard
        )

    @staticmethod
    def _is_traced():
        """Whether a traceback reads a line to point at its part: nothing of it is run."""
        frame = sys._getframe(3)
        for _ in range(4):
            if frame is None:
                return False
            if frame.f_globals.get("__name__") == "traceback":
                return True
            frame = frame.f_back
        return False

    @staticmethod
    def _is_file(name, text):
        """Whether this is what a file of the environment says: answers cannot write to those."""
        if not os.path.isabs(name) or name.startswith("/tmp/"):
            return False
        try:
            with open(name, "rb") as file:
                return file.read(len(text) + 1) == text
        except OSError:
            return False

    def start(self):
        self.look_around()
        self._conversation.at_value = self.look_around
        if hasattr(sys, "addaudithook"):
            sys.addaudithook(self._hear)
        else:
            self._wrap()

    def look_around(self):
        """Libraries may have come that find things by their names."""
        self._finders.wrap()

    def _hear(self, event, given):
        if event in WATCHED:
            self.saw(event, given)
        elif event == "import" and str(given[0]).split(".")[0] in finders.MODULES:
            self.look_around()

    def _wrap(self):
        """For Python 3.7, which has no audit hooks."""
        import pickle

        saw, getframe, texts = self.saw, sys._getframe, (str, bytes)
        evaluate, execute, compile_ = builtins.eval, builtins.exec, builtins.compile

        def seen(run):
            def run_seen(source, space=None, local=None):
                if isinstance(source, texts):
                    saw("compile", (source,))
                if space is None:
                    frame = getframe(1)
                    space, local = frame.f_globals, local or frame.f_locals
                return run(source, space, space if local is None else local)

            return run_seen

        def seen_compile(source, *given, **named):
            saw("compile", (source,))
            return compile_(source, *given, **named)

        def seen_load(load):
            def load_seen(*given, **named):
                saw("pickle.find_class", ("any",))
                return load(*given, **named)

            return load_seen

        builtins.eval, builtins.exec = seen(evaluate), seen(execute)
        builtins.compile = seen_compile
        pickle.load, pickle.loads = seen_load(pickle.load), seen_load(pickle.loads)


class TrialApart(driver.Trial):
    """Tests of an answer that is not here; the reports are as of any other trial."""

    def __init__(self, sheet, send, line, learned):
        self.sheet = sheet
        self.send = send
        self.breaches = []
        self.done = set()
        self.source = ""
        self._compared = [None, None]
        name = "__main__" if sheet.style != "pytest" else sheet.module
        tests = os.path.basename(sheet.test_path)[:-3]
        self.learned = Learned(learned)
        self.brief = self.learned.brief
        self.conversation = Conversation(line, self.learned, name, tests)
        self.watch = Watch(self.conversation)
        self.watch.start()
        self.send("ready", "\n".join(sheet.functions), "")

    def load(self, name):
        send, conversation = self.send, self.conversation
        try:
            conversation.ask("load", 0)
        except Apart as error:
            send("unloaded", str(error))
            return None
        except BaseException as error:
            send("unloaded", telling.describe(error))
            self.log(conversation.trace)
            return None
        module = standins.Module(conversation, name, self.sheet.answer_path)
        sys.modules[name] = module
        send("loaded")
        self.watch.on = True
        return module

    def unseal(self):
        self.watch.on = False
        try:
            return marshal.loads(self.sheet.code)
        finally:
            self.watch.on = True

    def probe(self, value):
        self._compared[0] = self._compared[1]
        self._compared[1] = value
        self._check_origin(value, 0)
        return value

    def _check_origin(self, value, depth):
        """Whatever way it came: tests that do not speak of mocks compare nothing with one."""
        kind = type(value)
        if kind in (list, tuple, set, frozenset) and depth < 4 and len(value) <= 1000:
            for item in value:
                self._check_origin(item, depth + 1)
        elif kind is dict and depth < 4 and len(value) <= 1000:
            for item in value.values():
                self._check_origin(item, depth + 1)
        elif not self.sheet.generous and kind.__module__.startswith(MOCKING):
            self.conversation.end("stuck", "its tests would compare with a %s" % kind.__name__)

    def look(self, value):
        return value

    def last_compared(self):
        return "compared %s with %s" % tuple(repr(value)[:300] for value in self._compared)

    def tell(self, begins):
        self.watch.on = not begins

    def failed(self):
        if self.brief:
            self.end()
            os._exit(0)

    def check_imports(self, space):
        pass  # nobody is here who could have replaced anything

    def run_script(self):
        send = self.send
        module = self.load("__main__")
        if module is None:
            self.end()
            return
        code, self.source = self.unseal()
        space = {"__name__": "__main__", "__builtins__": builtins}
        try:
            space.update(self._names())
            space.update(
                {arming.PROBE: self.probe, arming.LOOK: self.look, arming.DONE: self.done.add}
            )
            main = types.ModuleType("__main__")
            main.__dict__.update(space)
            sys.modules["__main__"] = main
            exec(code, main.__dict__)
        except BaseException as error:
            self.watch.on = False
            self.show_source()
            send("case", "script", "failed", telling.describe(error))
            self.log(self.told(error))
        else:
            send("case", "script", "passed", "")
        self.end()

    def _names(self):
        """What the answer's module has of the names that the tests use."""
        wanted = self.learned.pins.get("", self.sheet.wanted)
        found = self.conversation.ask("names", 0, (wanted,))
        if self.learned.learning:
            self.learned.pins[""] = sorted(found)
        return found

    def told(self, error):
        mine = error is self.conversation.raised
        return driver.Trial.told(self, error, self.conversation.trace if mine else "")

    def end(self):
        self.watch.on = False
        kind, reason = self.conversation.trouble
        if self.watch.evaluates:
            kind, reason = "stuck", "its tests run text of its own (%s)" % self.watch.evaluates
        if kind:
            self.send("apart", kind, reason)
        if self.conversation.changed:
            self.send("changes")
        if self.learned.learning:
            self.send("learned", json.dumps(self.learned.content()))
        driver.Trial.end(self)


def run_tests(sheet, learned, send, line, session):
    """Run a task's tests on an answer that is at the other end of ``line``."""
    leave = os._exit
    try:
        sys.argv = [sheet.module + ".py"]
        trial = TrialApart(sheet, send, line, learned)
        line.meet(trial)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        leave(70)
    sys.modules["__main__"] = types.ModuleType("__main__")
    if sheet.style == "pytest":
        trial.run_pytest(session)
    else:
        trial.run_script()
    leave(0)
