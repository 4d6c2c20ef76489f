from __future__ import annotations

import pytest

from libdrift.evals.troubles import Kind, classified


class StatusError(Exception):
    def __init__(self, status: int, message: str = "no") -> None:
        super().__init__(message)
        self.status_code = status


class RateLimitError(Exception):
    pass


class APITimeoutError(Exception):
    pass


class Attempt:
    def __init__(self, error: Exception) -> None:
        self._error = error

    def exception(self) -> Exception:
        return self._error


class RetryError(Exception):
    """As the retry library raises it when it gives up."""

    def __init__(self, error: Exception) -> None:
        super().__init__("RetryError")
        self.last_attempt = Attempt(error)


CASES: list[tuple[Exception, Kind]] = [
    (StatusError(401), Kind.KEY),
    (StatusError(403), Kind.KEY),
    (StatusError(404), Kind.UNKNOWN),
    (StatusError(429), Kind.RATE),
    (StatusError(408), Kind.TIMEOUT),
    (StatusError(400), Kind.REQUEST),
    (StatusError(400, "maximum context length is 8192 tokens"), Kind.CONTEXT),
    (StatusError(413, "prompt is too long: 9000 tokens"), Kind.CONTEXT),
    (StatusError(500), Kind.SERVER),
    (StatusError(503), Kind.SERVER),
    (RateLimitError("slow"), Kind.RATE),
    (APITimeoutError("slow"), Kind.TIMEOUT),
    (TimeoutError("slow"), Kind.TIMEOUT),
    (ConnectionRefusedError("nobody"), Kind.CONNECTION),
    (RuntimeError("what"), Kind.SERVER),
    (RetryError(StatusError(429)), Kind.RATE),
    (RetryError(APITimeoutError("slow")), Kind.TIMEOUT),
]


@pytest.mark.parametrize(("error", "kind"), CASES)
def test_a_provider_s_error_is_told_apart(error: Exception, kind: Kind) -> None:
    assert classified(error).kind is kind


def test_a_message_is_one_line_and_not_a_page() -> None:
    trouble = classified(RuntimeError("first\nsecond " + "x" * 5000))
    assert "\n" not in trouble.message
    assert len(trouble.message) < 400
    assert trouble.message.startswith("RuntimeError: first second")
