"""What can go wrong with a model: told apart, shown, and never taken for a wrong answer."""

from __future__ import annotations

import re
from enum import StrEnum


class ProviderTrouble(StrEnum):
    RATE = "rate limit"
    TIMEOUT = "timeout"
    CONTEXT = "context too long"
    KEY = "authentication"
    UNKNOWN = "unknown model"
    REQUEST = "refused request"
    CONNECTION = "no connection"
    SERVER = "provider error"
    BUDGET = "budget spent"
    RECORDING = "not recorded"
    COMMAND = "assistant failed"
    DOCUMENTS = "no documents"
    FAULT = "libdrift's own fault"

    @property
    def final(self) -> bool:
        """Whether every further request would end the same way."""
        return self in {ProviderTrouble.KEY, ProviderTrouble.UNKNOWN, ProviderTrouble.BUDGET}


class Trouble(Exception):  # noqa: N818  (it is no error of libdrift's)
    """A question that got no answer."""

    def __init__(self, kind: ProviderTrouble, message: str) -> None:
        super().__init__(f"{kind.value}: {message}")
        self.kind = kind
        self.message = message


_STATUS = {
    401: ProviderTrouble.KEY,
    403: ProviderTrouble.KEY,
    404: ProviderTrouble.UNKNOWN,
    408: ProviderTrouble.TIMEOUT,
    429: ProviderTrouble.RATE,
}
_LENGTH = re.compile(
    r"context (?:length|size|window)|too long|too many tokens|exceed_context", re.IGNORECASE
)


def classified(error: BaseException) -> Trouble:
    """The trouble that a provider's exception means."""
    cause = _innermost(error)
    message = _one_line(getattr(error, "provider_message", None) or str(cause) or repr(cause))
    name = type(cause).__name__.lower()
    status = getattr(error, "status_code", None) or getattr(cause, "status_code", None)
    if _LENGTH.search(message):
        return Trouble(ProviderTrouble.CONTEXT, message)
    if isinstance(status, int):
        kind = _STATUS.get(status)
        if kind is None:
            kind = ProviderTrouble.SERVER if status >= 500 else ProviderTrouble.REQUEST  # noqa: PLR2004
        return Trouble(kind, message)
    if "timeout" in name:
        return Trouble(ProviderTrouble.TIMEOUT, message)
    if "ratelimit" in name:
        return Trouble(ProviderTrouble.RATE, message)
    if "connect" in name or isinstance(cause, ConnectionError):
        return Trouble(ProviderTrouble.CONNECTION, message)
    return Trouble(ProviderTrouble.SERVER, f"{type(cause).__name__}: {message}")


def _innermost(error: BaseException) -> BaseException:
    """What a retry that gave up last met, or what an error was made from."""
    attempt = getattr(error, "last_attempt", None)
    if attempt is not None:
        return _innermost(attempt.exception() or error)
    if error.__cause__ is not None and hasattr(error, "provider_message"):
        return error.__cause__
    return error


def _one_line(message: str, limit: int = 300) -> str:
    flat = " ".join(message.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"
