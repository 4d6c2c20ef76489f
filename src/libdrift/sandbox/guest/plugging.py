"""The pytest session: collects tests from memory and reports every phase as it ends."""

import builtins
import os
import sys
import traceback
import types

import arming

# A private copy, for every function below: patching the real builtins does not reach the driver.
__builtins__ = dict(builtins.__dict__)


def make_loader(trial, describe, collect_error):
    """A function that loads the answer, then the tests, and returns the tests' module."""
    name = os.path.basename(trial.test_path)[:-3]
    send, module_type = trial.send, types.ModuleType
    probe_name, look_name, done_name = arming.PROBE, arming.LOOK, arming.DONE

    def load():
        answer = trial.load(trial.job["module"])
        if answer is None:
            raise collect_error("the answer does not load")
        code, trial.source = trial.unseal()
        tests = module_type(name)
        tests.__file__ = trial.test_path
        tests.__builtins__ = builtins
        setattr(tests, probe_name, trial.probe)
        setattr(tests, look_name, trial.look)
        setattr(tests, done_name, trial.done.add)
        sys.modules[name] = tests
        try:
            exec(code, tests.__dict__)
        except BaseException as error:
            trial.show_source()
            trial.log(traceback.format_exc())
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
        crash = getattr(report.longrepr, "reprcrash", None)
        lines = str(getattr(crash, "message", report.longrepr)).splitlines()
        note = lines[0][:500] if lines else "failed"
        if trial.job["canary"][0] not in name:
            text = "%s (%s)\n%s\n" % (name, report.when, report.longreprtext)
            trial.log(trial.compared(text))
    trial.send("phase", name, report.when, outcome, note)


def make_session(trial, describe):
    """A function that runs pytest; all of pytest is loaded and bound now, before the answer."""
    import pytest

    load = make_loader(trial, describe, pytest.Collector.CollectError)
    report_ = report_phase

    class InMemory(pytest.Module):
        def _getobj(self):
            return load()

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
            if call.excinfo is not None:
                trial.show_source()
            yield

        def pytest_runtest_logreport(self, report):
            report_(trial, report)

    work = os.path.dirname(trial.test_path)
    sys.path.insert(0, work)
    arguments = ["-q", "--noconftest", "--assert=plain", "--capture=no", "--rootdir", work]
    arguments += ["-c", os.devnull, "-p", "no:cacheprovider", trial.test_path]
    main, plugin = pytest.main, Plugin()

    def session():
        main(arguments, plugins=[plugin])

    return session
