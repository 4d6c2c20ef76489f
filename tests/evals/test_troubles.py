from __future__ import annotations

import pytest

from libdrift.evals.troubles import ProviderTrouble, classified


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


CASES: list[tuple[Exception, ProviderTrouble]] = [
    (StatusError(401), ProviderTrouble.KEY),
    (StatusError(403), ProviderTrouble.KEY),
    (StatusError(404), ProviderTrouble.UNKNOWN),
    (StatusError(429), ProviderTrouble.RATE),
    (StatusError(408), ProviderTrouble.TIMEOUT),
    (StatusError(400), ProviderTrouble.REQUEST),
    (StatusError(400, "maximum context length is 8192 tokens"), ProviderTrouble.CONTEXT),
    (StatusError(413, "prompt is too long: 9000 tokens"), ProviderTrouble.CONTEXT),
    (StatusError(500), ProviderTrouble.SERVER),
    (StatusError(503), ProviderTrouble.SERVER),
    (RateLimitError("slow"), ProviderTrouble.RATE),
    (APITimeoutError("slow"), ProviderTrouble.TIMEOUT),
    (TimeoutError("slow"), ProviderTrouble.TIMEOUT),
    (ConnectionRefusedError("nobody"), ProviderTrouble.CONNECTION),
    (RuntimeError("what"), ProviderTrouble.SERVER),
    (RetryError(StatusError(429)), ProviderTrouble.RATE),
    (RetryError(APITimeoutError("slow")), ProviderTrouble.TIMEOUT),
]


@pytest.mark.parametrize(("error", "kind"), CASES)
def test_a_provider_s_error_is_told_apart(error: Exception, kind: ProviderTrouble) -> None:
    assert classified(error).kind is kind


def test_a_message_is_one_line_and_not_a_page() -> None:
    trouble = classified(RuntimeError("first\nsecond " + "x" * 5000))
    assert "\n" not in trouble.message
    assert len(trouble.message) < 400
    assert trouble.message.startswith("RuntimeError: first second")
