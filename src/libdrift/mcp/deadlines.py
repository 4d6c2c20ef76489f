"""Work that is ended when it takes too long, in the thread that does it."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

from libdrift.errors import UserError

Result = TypeVar("Result")


class _OutOfTime(BaseException):
    """Raised in the thread from outside; no handler of ordinary errors takes it for its own."""


def within(seconds: float, work: Callable[[], Result], refusal: UserError) -> Result:
    """What the work gives, or the refusal once the time is over.

    A thread cannot be killed, and one that is left behind goes on to cost. So the exception is
    raised inside of it, between two steps of Python; a call that waits in C ends first.
    """
    thread = ctypes.c_ulong(threading.get_ident())
    turn = threading.Lock()
    is_done = False

    def end() -> None:
        with turn:
            if not is_done:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(_OutOfTime))

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        try:
            return work()
        finally:
            with turn:  # what was raised by now arrives here, and nothing is raised later
                is_done = True
            timer.cancel()
    except _OutOfTime:
        raise refusal from None
