from __future__ import annotations

import subprocess

import pytest

from libdrift.environments import uv

NO_VERSION = """  × No solution found when resolving dependencies:
  ╰─▶ Because there is no version of numpy==99.0 and you require numpy==99.0,
      we can conclude that your requirements are unsatisfiable.
"""
NO_DEPENDENCY = NO_VERSION.replace("you require", "old==1.0 depends on")
UNREACHABLE = """error: Request failed after 3 retries in 2.2s
  Caused by: Failed to fetch: `http://localhost:9/simple/numpy/`
  Caused by: error sending request for url (http://localhost:9/simple/numpy/)
  Caused by: client error (Connect)
  Caused by: tcp connect error
"""
BUILD = """  × Failed to build `broken==1.0`
  ├─▶ The build backend returned an error
  ╰─▶ Call to `setuptools.build_meta.build_wheel` failed (exit status: 1)
      RuntimeError: no compiler
"""


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (NO_VERSION, "the package index has no numpy==99.0: correct the pin"),
        (NO_DEPENDENCY, "there is no version of numpy==99.0"),
        (UNREACHABLE, "the package index cannot be reached"),
        (BUILD, "could not build `broken==1.0` from source"),
        ("error: failed to write: No space left on device (os error 28)", "no disk space left"),
        ("error: something else\n  more", "something else"),
        ("", "without a message"),
    ],
)
def test_reason_is_one_line_that_names_the_item(output: str, expected: str) -> None:
    reason = uv.reason(output)
    assert expected in reason
    assert "\n" not in reason


@pytest.mark.parametrize(
    ("output", "wrong"), [(NO_VERSION, True), (NO_DEPENDENCY, False), (UNREACHABLE, False)]
)
def test_a_pin_of_a_release_that_does_not_exist_is_its_authors_mistake(
    *, output: str, wrong: bool
) -> None:
    reason = uv.reason(output)
    assert uv.is_wrong_pin(reason) is wrong
    assert uv.is_wrong_pin(f"a (hidden): infrastructure: no environment for b: {reason}") is wrong


@pytest.mark.parametrize(
    ("code", "said", "momentary"),
    [
        (-9, "", True),
        (2, UNREACHABLE, True),
        (2, "error: failed to open file `/x`: Too many open files (os error 24)", True),
        (2, "error: No space left on device (os error 28)", True),
        (1, NO_VERSION, False),
        (1, BUILD, False),
        (2, "error: failed to open file `/x`: No such file or directory (os error 2)", False),
    ],
)
def test_what_another_time_may_not_fail(*, code: int, said: str, momentary: bool) -> None:
    log = uv.failure(subprocess.CompletedProcess([], code, "", said))
    assert log
    assert uv.is_momentary(log) is momentary
    if code < 0:
        assert uv.reason(log) == "uv was killed (SIGKILL): run the same command again"
    assert uv.failure(subprocess.CompletedProcess([], 0, "", said)) == ""


def test_modules_of_ours_are_kept_from_the_interpreters_that_uv_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are of other versions: each would crash as it starts, and uv starts another, for ever."""
    seen: dict[str, str] = {}

    def started(*_: object, env: dict[str, str], **__: object) -> None:
        seen.update(env)

    for name in ("PYTHONPATH", "PYTHONHOME", "UV_INDEX_URL"):
        monkeypatch.setenv(name, "of the caller")
    monkeypatch.setattr(uv.subprocess, "run", started)
    uv.run(["--version"], variables={"MORE": "1"})
    assert "PYTHONPATH" not in seen
    assert "PYTHONHOME" not in seen
    assert (seen["UV_INDEX_URL"], seen["MORE"]) == ("of the caller", "1")
