"""Completion in shells, as their scripts ask for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from libdrift.cli.completing import suite_names


def run(*arguments: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "libdrift", *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("shell", "words"),
    [
        ("bash", "complete -o default -F _libdrift_completion libdrift"),
        ("zsh", "compdef _libdrift_completion libdrift"),
        ("fish", "complete --command libdrift"),
    ],
)
def test_the_script_of_a_shell_is_shown_and_installed(
    shell: str, words: str, tmp_path: Path
) -> None:
    script = run("--show-completion", shell)
    assert words in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)
    told = run("--install-completion", shell, HOME=str(tmp_path))
    assert f"{shell} completion installed" in told
    assert any(words in path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("libdrift score gitch", ["gitchameleon"]),
        ("libdrift data get rust", ["rustevo"]),
        ("libdrift score starter --stri", ["--strict"]),
    ],
)
def test_words_are_completed(line: str, found: list[str]) -> None:
    words = line.split(" ")
    shown = run(COMP_WORDS=line, COMP_CWORD=str(len(words) - 1), _LIBDRIFT_COMPLETE="complete_bash")
    assert shown.split() == found


def test_suites_are_known_without_loading_them() -> None:
    from libdrift import suites

    assert suite_names("") == suites.names()


def test_completion_in_a_real_bash() -> None:
    if not shutil.which("bash"):
        pytest.skip("no bash here")
    program = (
        f'libdrift() {{ {sys.executable} -m libdrift "$@"; }}; export -f libdrift\n'
        + run("--show-completion", "bash").replace("$1 )", f"{sys.executable} -m libdrift )")
        + "COMP_WORDS=(libdrift env pr); COMP_CWORD=2; _libdrift_completion libdrift pr env\n"
        + 'echo "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "prune"
