"""One base for everything that libdrift says to a person.

An error is one line that names the item, and a fix that can be pasted. Outcomes of untrusted
programs are not errors: they are values (see ``records``).
"""

from __future__ import annotations

import errno

# What the system says of a place that was chosen badly; anything else is the machine's trouble.
REFUSALS = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR}
)


class LibdriftError(Exception):
    """Base of all errors; ``exit_code`` follows the command contract."""

    exit_code = 3

    def __init__(self, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.message}. {self.fix}" if self.fix else self.message


class UserError(LibdriftError):
    """The caller's mistake: an unknown name, a missing file, a malformed option."""

    exit_code = 2


class MissingDataError(UserError):
    """A published benchmark whose data is not on this machine; ``suite`` is its name."""

    def __init__(self, message: str, fix: str = "", suite: str = "") -> None:
        super().__init__(message, fix)
        self.suite = suite


class InfrastructureError(LibdriftError):
    """The machine's trouble: a missing tool, an unreachable registry, a full disk."""

    exit_code = 3
