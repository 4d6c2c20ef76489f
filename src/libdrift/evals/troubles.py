"""What can go wrong with a model: told apart, shown, and never taken for a wrong answer."""

from __future__ import annotations

import re
from enum import StrEnum


class Kind(StrEnum):
    RATE = "rate limit"
    TIMEOUT = "timeout"
    CONTEXT = "context too long"
    KEY = "authentication"
    UNKNOWN = "unknown model"
    REQUEST = "refused request"
    CONNECTION = "no connection"
    SERVER = "provider error"
    BUDGET = "budget spent"
    COMMAND = "assistant failed"
    DOCUMENTS = "no documents"
    FAULT = "libdrift's own fault"

    @property
    def final(self) -> bool:
        """Whether every further request would end the same way."""
        return self in {Kind.KEY, Kind.UNKNOWN, Kind.BUDGET}


class Trouble(Exception):  # noqa: N818  (it is no error of libdrift's)
    """A question that got no answer."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(f"{kind.value}: {message}")
        self.kind = kind
        self.message = message


_STATUS = {401: Kind.KEY, 403: Kind.KEY, 404: Kind.UNKNOWN, 408: Kind.TIMEOUT, 429: Kind.RATE}
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
        return Trouble(Kind.CONTEXT, message)
    if isinstance(status, int):
        kind = _STATUS.get(status)
        if kind is None:
            kind = Kind.SERVER if status >= 500 else Kind.REQUEST  # noqa: PLR2004
        return Trouble(kind, message)
    if "timeout" in name:
        return Trouble(Kind.TIMEOUT, message)
    if "ratelimit" in name:
        return Trouble(Kind.RATE, message)
    if "connect" in name or isinstance(cause, ConnectionError):
        return Trouble(Kind.CONNECTION, message)
    return Trouble(Kind.SERVER, f"{type(cause).__name__}: {message}")


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
