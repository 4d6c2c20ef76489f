"""Why a program failed, in a word: the class of the exception that its verdict tells of."""

from __future__ import annotations

import re

from libdrift.records import Outcome, Verdict

# What ends a Python test or program without a name that says so.
_ENDINGS = r"(?:Error|Exception|Warning|Interrupt|Exit|Failed|Skipped|Exhausted)"
_CLASS = rf"(?:[A-Za-z_]\w*\.)*(?P<name>(?:[A-Z]\w*)?{_ENDINGS}|StopIteration|TypeError)"
# A reason is `what failed: Class: message`; the class may be all there is behind the colon.
_IN_REASON = re.compile(rf"(?:^|: ){_CLASS}(?=:|$)")
_IN_LOG = re.compile(rf"^(?:Exception in thread \S+ |Caused by: )?{_CLASS}(?=:|$)", re.MULTILINE)
_RUST_CODE = re.compile(r"^error\[(E\d{4})\]", re.MULTILINE)
NO_EXCEPTION = "no exception"
NOT_COMPILED = "does not compile"


def error_of(verdict: Verdict) -> str | None:
    """The class of a failure; ``None`` of a pass, and where the machine failed.

    What ran too long or was never run is told by its outcome, what did not compile by the
    compiler's code for the first error. A failure that tells of no exception says so.
    """
    outcome = verdict.outcome
    if outcome is Outcome.PASSED or not outcome.graded:
        return None
    if outcome in {Outcome.TIMEOUT, Outcome.REFUSED}:
        return outcome.value
    if verdict.reason.startswith(NOT_COMPILED):
        code = _RUST_CODE.search(verdict.log)
        return f"{NOT_COMPILED} ({code[1]})" if code else NOT_COMPILED
    found = _IN_REASON.search(verdict.reason)
    if found is None:
        *_, found = [None, *_IN_LOG.finditer(verdict.log)]
    return found["name"] if found else NO_EXCEPTION
