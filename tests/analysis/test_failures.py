from __future__ import annotations

import pytest

from libdrift.analysis.failures import error_of
from libdrift.records import Outcome, Split, Verdict

ERROR, FAILED = Outcome.ERROR, Outcome.FAILED


@pytest.mark.parametrize(
    ("outcome", "reason", "log", "error"),
    [
        (Outcome.PASSED, "", "", None),
        (Outcome.INFRASTRUCTURE, "the machine", "", None),
        (Outcome.TIMEOUT, "over 15 s", "", "timeout"),
        (Outcome.REFUSED, "the answer is empty", "", "refused"),
        (FAILED, "script: AssertionError", "", "AssertionError"),
        (ERROR, "the answer does not load: ImportError: cannot import name 'f'", "", "ImportError"),
        (FAILED, "test_x[A: 2-a: 1]: KeyError: 'links'", "", "KeyError"),
        (FAILED, "test_x: marshmallow.exceptions.ValidationError: no", "", "ValidationError"),
        # A class that a message only names is not the one that was raised.
        (FAILED, "test_x: Failed: DID NOT RAISE <class 'TypeError'>", "", "Failed"),
        (FAILED, "test_x: DeprecationWarning: The usage of `cmp`", "", "DeprecationWarning"),
        (ERROR, "exit code 1", "Traceback\n  File\nValueError: a\n\nTypeError: b\n", "TypeError"),
        (ERROR, "exit code 1", 'Exception in thread "main" java.lang.NoSuchMethodError: x', "NoSuchMethodError"),
        (ERROR, "does not compile: line 3", "error[E0599]: no method\n", "does not compile (E0599)"),
        (ERROR, "does not compile: line 3", "error: expected", "does not compile"),
        (FAILED, "prints something else", "a\nb", "no exception"),
    ],
)  # fmt: skip
def test_the_class_of_a_failure(outcome: Outcome, reason: str, log: str, error: str | None) -> None:
    assert error_of(Verdict("t", 0, Split.HIDDEN, outcome, reason, log=log)) == error
