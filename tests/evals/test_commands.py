from __future__ import annotations

import shlex
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import libdrift
from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.evals.commands import AssistantRun, CommandEnding, check_command, run_command
from libdrift.execution.confined import Confined, Unconfined, confine
from libdrift.records import Suite, Task
from libdrift.sandbox import backends
from libdrift.scoring.assistant import program
from tests.processes import alive, wait_until

Run = Callable[..., AssistantRun]


@pytest.fixture
def task(small_suite: Suite) -> Task:
    return small_suite.tasks["t1"]


@pytest.fixture
def held(tmp_path: Path, settings: Settings) -> Confined | Unconfined:
    """A sandbox that shows the folder ``shown`` and hides ``data`` and ``run`` below it."""
    shown = tmp_path / "shown"
    for name in ("data/suite", "run"):
        (shown / name).mkdir(parents=True)
        (shown / name / "solution.py").write_text("the solution")
    theirs = replace(settings, data=shown / "data")
    return confine("bubblewrap", theirs, hide=[shown / "run"], allow=[shown])


@pytest.fixture(params=["bubblewrap", "none"])
def either(request: pytest.FixtureRequest, held: Confined) -> Confined | Unconfined:
    return held if request.param == "bubblewrap" else Unconfined()


def run(script: str, task: Task, hold: Confined | Unconfined, **options: object) -> AssistantRun:
    """Run a shell script as the assistant: its ``$1`` is the file."""
    command = options.pop("command", f"sh -c {shlex.quote(script)} assistant {{path}}")
    return run_command(
        str(command),
        task,
        hold=hold,
        **{"stem": "sample_1", "with_problem": True, "seconds": 20.0, **options},  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("sh -c 'a b' {path}", ["-c", "a b", "{path}"]),
        ("sh --json '{\"a\": 1}' {} ${name} {problem}", ["--json", '{"a": 1}', "{}", "${name}", "{problem}"]),
        (f"sh {'long ' * 300}", ["long"] * 300),
        (f"sh {'x' * 5000}", ["x" * 5000]),
    ],
)  # fmt: skip
def test_a_command_is_split_without_a_shell(command: str, words: list[str]) -> None:
    path, *rest = check_command(command)
    assert (Path(path).name, rest) == ("sh", words)
    assert Path(path).is_absolute()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "-S command is empty"),
        (" ", "-S command is empty"),
        ("'' {path}", "-S command is empty"),
        ("sh 'open", "no closing quotation. Balance the quotes"),
        ("sh {file}", "unknown placeholder {file} in -S command. Use {path}, {folder}, {problem}"),
        ("nosuch-tool {path}", "'nosuch-tool', the program of -S command, is not on PATH"),
        ("{path}", "is not on PATH"),
        ("/etc/passwd", "is not on PATH or is not executable"),
        ("sh a\0b", "NUL"),
        ("sh agent.py {path}", "agent.py in -S command cannot be found"),
    ],
)
def test_a_bad_command_is_said_before_anything_runs(
    command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("agent.py").touch()
    with pytest.raises(UserError) as caught:
        check_command(command)
    assert message in str(caught.value)
    assert caught.value.fix


def test_a_problem_that_is_withheld_cannot_be_in_the_command() -> None:
    with pytest.raises(UserError, match="hides the problem"):
        check_command("sh {problem}", with_problem=False)


def test_a_program_that_the_sandbox_hides_is_said_with_the_fix(
    tmp_path: Path, held: Confined
) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    assert check_command(str(tool)), "without a sandbox it is there"
    with pytest.raises(UserError, match=f"-S allow={tmp_path}"):
        check_command(str(tool), hold=held)
    assert check_command(str(tool), hold=replace(held, allow=(tmp_path,)))
    hidden = tmp_path / "shown" / "data" / "tool"
    tool.rename(hidden)
    with pytest.raises(UserError, match="hides from assistants"):
        check_command(str(hidden), hold=held)


def test_an_assistant_that_solves_the_task(task: Task, either: Confined | Unconfined) -> None:
    script = f"printf %s {shlex.quote(task.reference)} > $1; echo one; echo '\033[1mtwo\033[0m' >&2"
    ran = run(script, task, either)
    assert (ran.ending, ran.text, ran.changed) == (CommandEnding.DONE, task.reference, True)
    assert (ran.exit_code, ran.reason, ran.tail) == (0, "", "one\ntwo")


def test_an_assistant_finds_the_file_alone_with_its_words_filled_in(
    task: Task, either: Confined | Unconfined, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Say '{path}' and $HOME\nonce."
    task, told = replace(task, problem=f"\0{text}"), replace(task, problem=text)
    monkeypatch.setenv("SOME_KEY", "secret")
    script = 'cat; ls -A; pwd; printf "%s\n" "$@" $SOME_KEY'
    command = f"sh -c {shlex.quote(script)} . {{path}} {{folder}} --say={{problem}} {{path}}"
    ran = run(script, task, either, command=command)
    listed, folder, path, *rest = ran.tail.splitlines()
    assert listed == "sample_1.py"
    assert path == f"{folder}/sample_1.py"
    assert rest == [folder, "--say=Say '{path}' and $HOME", "once.", path, "secret"]
    assert (ran.ending, ran.text) == (CommandEnding.UNCHANGED, program(told, with_problem=True))
    without = run("true", task, either, with_problem=False)
    assert without.text == program(task, with_problem=False)


@pytest.mark.parametrize(
    ("script", "ending", "code", "reason"),
    [
        ("echo 'x = 1' > $1; exit 3", CommandEnding.FAILED, 3, "exit code 3"),
        ("kill -9 $$", CommandEnding.FAILED, 137, "exit code 137"),
        ("rm $1", CommandEnding.REFUSED, 0, "the file was deleted"),
        ("ln -sf /etc/passwd $1", CommandEnding.REFUSED, 0, "the file is a link now"),
        ("rm $1; mkdir $1", CommandEnding.REFUSED, 0, "not a plain file"),
        ("rm $1; mkfifo $1", CommandEnding.REFUSED, 0, "not a plain file"),
        (": > $1", CommandEnding.REFUSED, 0, "the answer is empty"),
        ("printf 'x\\377' > $1", CommandEnding.REFUSED, 0, "not UTF-8"),
        ("printf 'x\\000' > $1", CommandEnding.REFUSED, 0, "binary"),
        ("truncate -s 1T $1", CommandEnding.REFUSED, 0, "1,099,511,627,776 bytes"),
        ("head -c 1100000 /dev/zero | tr '\\0' x > $1", CommandEnding.REFUSED, 0, "over the limit"),
        ("rm $1; exit 2", CommandEnding.REFUSED, 2, "the file was deleted"),
    ],
)
def test_what_an_assistant_leaves_behind(
    script: str, ending: CommandEnding, code: int, reason: str, task: Task, held: Confined
) -> None:
    ran = run(script, task, held)
    assert (ran.ending, ran.exit_code) == (ending, code)
    assert reason in ran.reason
    assert (ran.text is None) == (ending is CommandEnding.REFUSED)
    assert ran.changed or script.startswith("kill")


def test_solutions_are_hidden_and_nothing_outside_is_written(task: Task, held: Confined) -> None:
    tasks = Path(libdrift.__file__).parent / "suites" / "starter" / "tasks"
    assert any(tasks.rglob("reference.py"))
    shown, (home, system) = held.allow[0], (Path.home(), Path(sys.executable).parent)
    script = f"""
    find {tasks} {shown} -type f 2>/dev/null
    for place in {tasks} {shown}/data {shown}/run {system} /etc /usr; do
        [ -w $place ] && echo can write $place
    done
    [ -w /proc/sys/kernel/core_pattern ] && echo can set up the kernel
    umount {shown}/data 2>/dev/null && echo unmounted
    find /run ! -type d
    for place in {shown} {home} /tmp /var/tmp .; do echo x > $place/assistant-was-here || echo not $place; done
    ls -d {home}/.??* >/dev/null && echo configured
    echo 'x = 1' > $1
    """
    ran = run(script, task, held)
    assert (ran.tail, ran.ending) == ("configured", CommandEnding.DONE)
    assert (shown / "assistant-was-here").exists(), "what is allowed stays"
    assert not (home / "assistant-was-here").exists()
    assert not Path("/tmp/assistant-was-here").exists()
    assert (shown / "data" / "suite" / "solution.py").read_text() == "the solution"


def test_a_linked_suite_is_hidden_where_it_really_is(
    tmp_path: Path, settings: Settings, task: Task
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "solution.py").touch()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "suite").symlink_to(tmp_path / "real")
    hold = confine("bubblewrap", replace(settings, data=tmp_path / "data"), allow=[tmp_path])
    assert run(f"find {tmp_path} -type f", task, hold).tail == ""


def test_a_home_that_cannot_be_copied_is_read_only(
    task: Task, held: Confined, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # As an older bubblewrap, which has no overlays.
    old = tmp_path / "bwrap"
    old.write_text(f'#!/bin/sh\ncase "$*" in *overlay*) exit 1;; esac\nexec {held.binary} "$@"\n')
    old.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    (home / "configuration").write_text("mine\n")
    monkeypatch.setenv("HOME", str(home))
    script = "cat ~/configuration; echo x 2>/dev/null > ~/x && echo wrote"
    assert run(script, task, replace(held, binary=str(old))).tail == "mine"
    assert run(script, task, held).tail == "mine\nwrote"
    assert [path.name for path in home.iterdir()] == ["configuration"]


def test_an_assistant_out_of_time_ends_with_all_that_it_started(
    task: Task, either: Confined | Unconfined, mark: str
) -> None:
    script = f"echo 'x = 1' > $1; (setsid sleep {mark} &) ; sleep {mark}"
    ran = run(script, task, either, seconds=0.7)
    assert (ran.ending, ran.exit_code) == (CommandEnding.TIMEOUT, None)
    assert ran.reason == "no end after 0.7 seconds"
    assert ran.text == "x = 1\n"
    assert alive(mark) == []


def test_children_do_not_outlive_the_assistant(
    task: Task, either: Confined | Unconfined, mark: str
) -> None:
    ran = run(f"(setsid sleep {mark} &) ; echo 'x = 1' > $1", task, either)
    assert (ran.ending, ran.exit_code) == (CommandEnding.DONE, 0)
    assert alive(mark) == []


def test_a_caller_can_stop_early(task: Task, either: Confined | Unconfined, mark: str) -> None:
    stop = threading.Event()
    timer = threading.Timer(0.5, stop.set)
    timer.start()
    ran = run(f"sleep {mark}", task, either, stop=stop, seconds=60)
    timer.join()
    assert (ran.ending, ran.exit_code, ran.changed) == (CommandEnding.STOPPED, None, False)
    assert ran.seconds < 30
    assert alive(mark) == []


@pytest.mark.parametrize("name", ["bubblewrap", "none"])
def test_a_killed_libdrift_leaves_no_process(name: str, mark: str) -> None:
    code = f"""
from libdrift import config
from libdrift.evals.commands import run_command
from libdrift.execution.confined import confine
from tests.conftest import make_task
run_command("sh -c '(setsid sleep {mark} &) ; sleep {mark}'", make_task("t", 1), stem="t",
            with_problem=True, seconds=60, hold=confine("{name}", config.load()))
"""
    with subprocess.Popen([sys.executable, "-c", code]) as ours:
        wait_until(lambda: len(alive(mark)) == 2)
        ours.kill()
    wait_until(lambda: alive(mark) == [])


def test_endless_output_is_read_and_dropped(task: Task, held: Confined) -> None:
    ran = run("yes 'a line'", task, held, seconds=0.5)
    assert ran.ending is CommandEnding.TIMEOUT
    assert ran.tail.splitlines()[-1] in ("a line", "a lin", "a li", "a l", "a")
    assert len(ran.tail) <= 4000
    # One line without an end, and an assistant that goes on after it closed its output.
    ran = run("head -c 300000 /dev/zero | tr '\\0' x; exec >&- 2>&-; echo 'x = 1' > $1", task, held)
    assert (ran.ending, ran.tail) == (CommandEnding.DONE, "x" * 4000)


def test_what_does_not_start_is_no_failure_of_the_assistant(
    task: Task, held: Confined, tmp_path: Path
) -> None:
    script = held.allow[0] / "tool"
    script.write_text("#!/nowhere/interpreter\n")
    script.chmod(0o755)
    for hold in (held, Unconfined()):
        ran = run("", task, hold, command=str(script))
        assert (ran.ending, ran.exit_code, ran.changed) == (CommandEnding.MISSING, None, False)
        assert "No such file or directory" in ran.reason
    ran = run("", replace(task, problem="x" * 200_000), held, command="echo {problem}")
    assert (ran.ending, ran.exit_code) == (CommandEnding.MISSING, None)
    assert "Argument list too long" in ran.reason


@pytest.mark.parametrize(
    ("hide", "allow", "message"),
    [
        ([Path("/")], [], "/ must be hidden"),
        ([Path.home()], [], "Keep data and runs in a separate folder"),
        ([Path("runs")], [Path("runs/1")], "cannot be allowed"),
        ([], [Path("absent")], "no folder"),
    ],
)
def test_a_sandbox_that_cannot_be(
    hide: list[Path],
    allow: list[Path],
    message: str,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs/1").mkdir(parents=True)
    with pytest.raises(UserError, match=message):
        confine("bubblewrap", settings, hide=hide, allow=allow)


def test_no_sandbox_only_by_explicit_choice(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(confine("none", settings), Unconfined)
    with pytest.raises(UserError, match="unknown sandbox 'jail'"):
        confine("jail", settings)
    monkeypatch.setattr(backends.shutil, "which", lambda _: None)
    monkeypatch.setattr(backends, "_bundled", lambda: None)
    backends.find_bwrap.cache_clear()
    try:
        with pytest.raises(InfrastructureError, match="apt-get install bubblewrap"):
            confine("bubblewrap", settings)
    finally:
        backends.find_bwrap.cache_clear()
