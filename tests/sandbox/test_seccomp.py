"""The system-call filter, run here call by call: the kernel's answer, without the kernel."""

from __future__ import annotations

import errno
import struct

import pytest

from libdrift.sandbox import seccomp

ALLOWED, REFUSED = 0x7FFF0000, 0x00050000
X86_64, I386 = 0xC000003E, 0x40000003
NEW_USER, NEW_PROCESS = 0x10000000, 0x01200011


def decide(program: bytes, number: int, *arguments: int, architecture: int = X86_64) -> int:
    """What the filter says to a call: allowed, or refused with an error's number."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("=IIQ6Q", number, architecture, 0, *padded)
    lines = list(struct.iter_unpack("=HBBI", program))
    at, loaded = 0, 0
    while True:
        code, if_true, if_false, value = lines[at]
        at += 1
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
        elif code == 0x15:
            at += if_true if loaded == value else if_false
        elif code == 0x45:
            at += if_true if loaded & value else if_false
        else:
            assert code == 0x06
            return value


@pytest.fixture(autouse=True)
def on_x86_64(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")


CALLS = [
    ("read", 0, (), ALLOWED),
    ("getpid", 39, (), ALLOWED),
    ("getpid by its x32 number", 39 | 0x40000000, (), REFUSED | errno.EPERM),
    ("ptrace", 101, (), REFUSED | errno.EPERM),
    ("ptrace by its x32 number", 521 | 0x40000000, (), REFUSED | errno.EPERM),
    ("unshare", 272, (NEW_USER,), REFUSED | errno.EPERM),
    ("preadv2", 327, (), REFUSED | errno.EPERM),
    ("fork", 56, (NEW_PROCESS,), ALLOWED),
    ("fork into a new user namespace", 56, (NEW_PROCESS | NEW_USER,), REFUSED | errno.EPERM),
    ("clone3", 435, (), REFUSED | errno.ENOSYS),
    ("fcntl, flags of a descriptor", 72, (3, 1), ALLOWED),
    ("fcntl, a lease", 72, (3, 1024), REFUSED | errno.EPERM),
    ("the last rule does not catch what follows it", 73, (3, 1024), ALLOWED),
]


@pytest.mark.parametrize(
    ("number", "arguments", "expected"),
    [row[1:] for row in CALLS],
    ids=[row[0] for row in CALLS],
)
def test_a_call_is_allowed_or_refused(
    number: int, arguments: tuple[int, ...], expected: int
) -> None:
    program = seccomp.program()
    assert program is not None
    assert decide(program, number, *arguments) == expected


def test_calls_of_another_architecture_are_refused() -> None:
    program = seccomp.program()
    assert program is not None
    assert decide(program, 20, architecture=I386) == REFUSED | errno.EPERM


def test_a_process_that_needs_no_other_program_may_not_start_one() -> None:
    program = seccomp.no_programs()
    assert program is not None
    assert decide(program, 59) == REFUSED | errno.EPERM
    assert decide(program, 322) == REFUSED | errno.EPERM
    assert decide(program, 0) == ALLOWED
