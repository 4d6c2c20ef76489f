"""The pytest session: collects tests from memory and reports every phase as it ends."""

import builtins
import os
import sys
import types
from functools import partial

import arming
import telling

# A private copy, for every function below: patching the real builtins does not reach the driver.
__builtins__ = dict(builtins.__dict__)


def make_loader(trial, collect_error):
    """A function that loads the answer, then the tests, and returns the tests' module."""
    path = trial.sheet.test_path
    name = os.path.basename(path)[:-3]
    send, module_type, describe = trial.send, types.ModuleType, telling.describe
    probe_name, look_name, done_name = arming.PROBE, arming.LOOK, arming.DONE

    def load():
        answer = trial.load(trial.sheet.module)
        if answer is None:
            raise collect_error("the answer does not load")
        code, trial.source = trial.unseal()
        tests = module_type(name)
        tests.__file__ = path
        tests.__builtins__ = builtins
        setattr(tests, probe_name, trial.probe)
        setattr(tests, look_name, trial.look)
        setattr(tests, done_name, trial.done.add)
        sys.modules[name] = tests
        try:
            exec(code, tests.__dict__)
        except BaseException as error:
            trial.show_source()
            trial.log(trial.told(error))
            send("case", "collection", "error", describe(error))
            raise collect_error("the tests do not load")
        finally:
            # Dataclasses and the like need it while it loads; nobody does afterwards.
            sys.modules.pop(name, None)
        trial.check_imports(tests.__dict__)
        return tests

    return load


def report_phase(trial, report):
    name = report.nodeid.split("::", 1)[-1]
    outcome, note = report.outcome, ""
    if hasattr(report, "wasxfail"):
        outcome = "xfailed" if report.skipped else "xpassed"
    if report.failed:
        note, text = trial.failure or ("failed", str(report.longrepr))
        if trial.sheet.canary not in name:
            trial.log("%s (%s)\n%s" % (name, report.when, text))
    trial.send("phase", name, report.when, outcome, note)
    if report.failed and trial.sheet.canary not in name:
        trial.failed()


def tell_failure(trial, item, excinfo, **given):
    """Have the trial know a failure in one line and at length, and pytest that there is one."""
    if item.name != trial.sheet.canary and not trial.brief:
        trial.show_source()
        lines = excinfo.exconly(tryshort=True).splitlines()
        trial.failure = (lines[0][:500] if lines else "failed", trial.told(excinfo.value))
    return "failed"


def make_plugin(at_hand):
    """What makes pytest collect from memory and report to the host; ``at_hand`` is what it judges.

    That is a list: the trial, and the function that loads it.
    """
    import pytest

    report_, fail_ = report_phase, tell_failure

    class InMemory(pytest.Module):
        def _getobj(self):
            return at_hand[1]()

    class Plugin(object):
        if int(pytest.__version__.split(".")[0]) >= 7:

            @pytest.hookimpl(tryfirst=True)
            def pytest_pycollect_makemodule(self, module_path, parent):
                return InMemory.from_parent(parent, path=module_path)

        else:

            @pytest.hookimpl(tryfirst=True)
            def pytest_pycollect_makemodule(self, path, parent):
                return InMemory.from_parent(parent, fspath=path)

        @pytest.hookimpl(tryfirst=True)
        def pytest_sessionstart(self, session):
            # The host writes the report; pytest's own would show the canary.
            session.config.pluginmanager.unregister(name="terminalreporter")

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item, call):
            trial = at_hand[0]
            trial.tell(True)
            trial.failure = None
            # pytest's own account of a failure costs more than most tests do.
            item.repr_failure = item._repr_failure_py = partial(fail_, trial, item)
            yield
            trial.tell(False)

        def pytest_runtest_logreport(self, report):
            report_(at_hand[0], report)

    return Plugin()


def make_session(work):
    """A function that runs pytest on a trial; all of pytest is loaded and set up now.

    Setting up costs more than most tests do, and is the same for every answer.
    """
    import pdb  # noqa: F401  (pytest loads it when a session begins: once is enough)

    import pytest
    from _pytest.config import _prepareconfig

    at_hand, make_loader_ = [], make_loader
    collect_error = pytest.Collector.CollectError
    sys.path.insert(0, work)
    arguments = ["-q", "--noconftest", "--assert=plain", "--capture=no", "--rootdir", work]
    # The fault handler would hold on to the output of the process that sets it up.
    arguments += ["-c", os.devnull, "-p", "no:cacheprovider", "-p", "no:faulthandler", work]
    config = _prepareconfig(arguments, [make_plugin(at_hand)])
    session = pytest.Session.from_config(config)
    config._do_configure()
    config.hook.pytest_sessionstart(session=session)
    ends = (session.Interrupted, session.Failed)
    collect, run_tests = config.hook.pytest_collection, config.hook.pytest_runtestloop

    def run(trial):
        at_hand[:] = [trial, make_loader_(trial, collect_error)]
        config.args = [trial.sheet.test_path]
        try:
            collect(session=session)
            run_tests(session=session)
        except ends:
            pass  # what did not load has been reported

    return run
