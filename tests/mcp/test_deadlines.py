from __future__ import annotations

import threading
import time

import pytest

from libdrift.errors import UserError
from libdrift.mcp.deadlines import within

REFUSAL = UserError("it took too long", "Send less")


def busy(until: float) -> str:
    while time.monotonic() < until:
        pass
    return "done"


def test_what_is_done_in_time_is_given() -> None:
    assert within(60.0, lambda: "done", REFUSAL) == "done"


def test_what_takes_too_long_is_ended_in_its_own_thread() -> None:
    seen: list[object] = []

    def work() -> None:
        try:
            within(0.05, lambda: busy(time.monotonic() + 30), REFUSAL)
        except UserError as error:
            seen.append(error)

    started = time.monotonic()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()  # nothing goes on behind the refusal
    assert seen == [REFUSAL]
    assert time.monotonic() - started < 20


def test_handlers_of_ordinary_errors_do_not_stop_it() -> None:
    def stubborn() -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                busy(end)
            except Exception:  # noqa: BLE001  (what is tested)
                continue

    with pytest.raises(UserError, match="too long"):
        within(0.05, stubborn, REFUSAL)


def test_an_error_of_the_work_is_its_own() -> None:
    def fails() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        within(60.0, fails, REFUSAL)
    assert not [
        one
        for one in threading.enumerate()
        if isinstance(one, threading.Timer) and one.is_alive() and not one.finished.is_set()
    ]
