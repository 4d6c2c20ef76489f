"""One base for everything that libdrift says to a person.

An error is one line that names the item, and a fix that can be pasted. Outcomes of untrusted
programs are not errors: they are values (see ``records``).
"""

from __future__ import annotations

import errno

# What the system says of a place that was chosen badly; anything else is the machine's trouble.
REFUSALS = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR}
    | {errno.EEXIST, errno.ELOOP, errno.ENAMETOOLONG}
)
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
# Of trouble that was not foreseen where it came up.
_REMEDIES = dict.fromkeys(_FULL, "Free some space; LIBDRIFT_CACHE and TMPDIR move files") | {
    errno.EACCES: "Change its permissions, or choose another place",
    errno.EPERM: "Change its permissions, or choose another place",
    errno.EROFS: "Choose a place that can be written",
    errno.EMFILE: "Raise the limit with `ulimit -n 4096`, or use fewer --workers",
    errno.ENOMEM: "Use fewer --workers",
}
# What libraries say of it in errors of their own.
_NOTHING_LEFT = ("can't start new thread", "not enough memory")


def trouble_of(error: Exception) -> str:
    """What the machine lacks or refuses, and what to do about it; nothing of any other error."""
    if isinstance(error, MemoryError) or any(words in str(error) for words in _NOTHING_LEFT):
        lack = f"no memory or processes left on this machine ({str(error) or 'no memory'})"
        return f"{lack}. See `ulimit -a`, or use fewer --workers"
    if not isinstance(error, OSError):
        return ""
    where = f": {error.filename}" if error.filename else ""
    fix = f". {remedy}" if (remedy := _REMEDIES.get(error.errno or 0)) else ""
    return f"{error.strerror or error}{where}{fix}"


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


class MachineTroubleError(InfrastructureError):
    """Trouble of the moment, which the same command may not meet when it is run again."""


def write_failure(
    place: object, error: OSError, other: str = "choose another --out", kept: str = ""
) -> LibdriftError:
    """What the system says of a write, with the remedy for that, not for something else.

    ``other`` is how another place is chosen; ``kept`` is what is not lost.
    """
    what = f"cannot write to {place}: {error.strerror or error}"
    another = other[:1].upper() + other[1:]
    if error.errno in {errno.EACCES, errno.EPERM}:
        return UserError(what, f"Change its permissions, or {other}")
    if error.errno in REFUSALS:
        return UserError(what, another)
    remedy = f"Free some space, or {other}" if error.errno in _FULL else another
    if not kept:
        return InfrastructureError(what, remedy)
    return InfrastructureError(f"{what}; {kept}", f"{remedy}; then run the same command again")
