"""The fork server: the same verdicts as a fresh process, and nothing from one answer to the next."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from libdrift.config import Settings
from libdrift.environments import Ready, build
from libdrift.records import Environment, Outcome, TestStyle
from libdrift.sandbox import (
    Backend,
    Limits,
    Names,
    Program,
    Unprotected,
    Warm,
    judge,
    judge_warm,
    judge_warm_apart,
)
from libdrift.sandbox.conformance import strangers
from libdrift.sandbox.forks import Node
from tests.conftest import AS_OF

LIMITS = Limits(wall_seconds=10, cpu_seconds=10)
JSON = frozenset({("json", "")})


@pytest.fixture
def warm(bubblewrap: Backend) -> Iterator[Warm]:
    servers = Warm(bubblewrap)
    yield servers
    servers.close()
    assert strangers() == []


def script(answer: str, tests: str) -> Program:
    return Program(answer, tests, TestStyle.SCRIPT)


PROGRAMS = {
    "passes": script("def f():\n    return 3\n", "assert f() == 3"),
    "fails": script("def f():\n    return 3\n", "assert f() == 4"),
    "does not load": script("import nothing_of_that_name\n", "assert True"),
    "exits": script("import os\nos._exit(0)\n", "assert True"),
    "dies": script("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "assert True"),
    "crashes": script("import ctypes\nctypes.string_at(0)\n", "assert True"),
    "prints": script("print('hello')\n", "assert False"),
    "forks": script("import os\npid = os.fork()\nif not pid:\n    os._exit(3)\n", "assert os.waitpid(pid, 0)[1] == 3 << 8"),
    "starts programs": script("import subprocess, sys\n", "assert subprocess.check_output([sys.executable, '-c', 'print(1)']) == b'1\\n'"),
    "writes": script("open('a', 'w').write('x')\n", "assert open('a').read() == 'x'"),
    "runs threads": script("import threading\nx = []\nt = threading.Thread(target=x.append, args=(1,))\nt.start()\nt.join()\n", "assert x == [1]"),
    "is the main program": script("main = __name__ == '__main__'\n", "assert main"),
    "signals itself": script("import signal, time\nsignal.alarm(1)\ntime.sleep(5)\n", "assert True"),
    "aborts": script("import os\nos.abort()\n", "assert True"),
    "runs unittest": script("import unittest\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)\n", "unittest.main()\n"),
    "fails unittest": script("import unittest\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 2)\n", "unittest.main()\n"),
    "has no unittest": script("import unittest\n", "unittest.main()\n"),
    "sees what nobody imported": script("import importlib\nimport xml\nimport urllib\n\n\ndef f():\n    return importlib.metadata, xml.etree, urllib.parse\n", "assert f()"),
    "sees modules": script("import sys\n", "assert not {'pytest', '_pytest', 'pluggy'} & set(sys.modules)"),
    "seeks its output": script("import sys\n", "assert not sys.stdout.seekable() and not sys.stderr.seekable()"),
    "reads its memory": script("import io\nmemory = io.FileIO(b'/proc/self/mem')\n", "assert True"),
    "looks at its path": script("import sys\n", "assert sys.path.count('/tmp/work') == 1"),
    "listens": script("import socket\nserver = socket.create_server(('127.0.0.1', 0))\nclient = socket.create_connection(server.getsockname())\n", "assert client"),
    "pytest": Program("def f(x):\n    return x + 1\n", "import pytest\nfrom answer import f\n\n\n@pytest.mark.parametrize('x', [1, 2])\ndef test_f(x, tmp_path, capsys):\n    assert f(x) == x + 1\n", TestStyle.PYTEST),
    "pytest fails": Program("def f(x):\n    return x\n", "from answer import f\n\n\ndef test_f():\n    assert f(1) == 2\n\n\ndef test_g():\n    assert f(2) == 2\n", TestStyle.PYTEST),
    "pytest, another module": Program("x = 1\n", "import other\n\n\ndef test_x():\n    assert other.x == 1\n", TestStyle.PYTEST, "other"),
}  # fmt: skip


@pytest.mark.parametrize("runtime", ["3.7", "3.9", "3.11", "3.13"])
def test_a_fork_gives_the_verdicts_of_a_fresh_process(
    runtime: str, place_for: Callable[..., Ready], warm: Warm, bubblewrap: Backend
) -> None:
    place = place_for(runtime)
    for name, program in PROGRAMS.items():
        fresh = judge(program, place, bubblewrap, LIMITS)
        for _ in range(2):
            forked = judge_warm(program, place, warm, LIMITS, [JSON])
            assert forked is not None, name
            assert (forked.outcome, forked.reason, forked.cases) == (
                fresh.outcome,
                fresh.reason,
                fresh.cases,
            ), name


LEAKS = {
    "a file": ("open('/tmp/mark', 'w').write('x')\n", "import os\nassert not os.path.exists('/tmp/mark')"),
    "a file in shared memory": ("open('/dev/shm/mark', 'w').write('x')\n", "import os\nassert not os.path.exists('/dev/shm/mark')"),
    "a file in the home folder": ("import os\nopen(os.path.expanduser('~/mark'), 'w').write('x')\n", "import os\nassert not os.path.exists(os.path.expanduser('~/mark'))"),
    "a module": ("import sys, json\nsys.modules['mark'] = json\n", "import sys\nassert 'mark' not in sys.modules"),
    "a patched module": ("import json\njson.mark = 1\n", "import json\nassert not hasattr(json, 'mark')"),
    "a variable": ("import os\nos.environ['MARK'] = '1'\n", "import os\nassert 'MARK' not in os.environ"),
    "a process": ("import os, time\nif not os.fork():\n    os.setsid()\n    time.sleep(60)\n", "import os\nassert len([n for n in os.listdir('/proc') if n.isdigit()]) <= 3"),
    "a signal handler": ("import signal\nsignal.signal(signal.SIGUSR1, signal.SIG_IGN)\n", "import signal\nassert signal.getsignal(signal.SIGUSR1) == signal.SIG_DFL"),
    "a listening socket": ("import socket\ns = socket.create_server(('127.0.0.1', 5555))\n", "import socket\ns = socket.create_server(('127.0.0.1', 5555))"),
    "a port that waits": ("import socket\ns = socket.socket()\ns.bind(('127.0.0.1', 5000))\ns.listen()\nc = socket.create_connection(('127.0.0.1', 5000))\np, _ = s.accept()\np.close()\nc.close()\ns.close()\n", "import socket\ns = socket.socket()\ns.bind(('127.0.0.1', 5000))"),
    "flags of a descriptor": ("import fcntl, os\nfcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK)\n", "import fcntl, os\nassert not fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK"),
    "the time of a device": ("import os\ntry:\n    os.utime('/dev/full', (1, 1))\nexcept OSError:\n    pass\n", "import os\nassert os.stat('/dev/full').st_mtime > 1000"),
    "the answer's text": ("mark = 'x' * 3\n", "import os\nassert os.listdir('.') == ['answer.py']"),
}  # fmt: skip


@pytest.mark.parametrize("leak", LEAKS)
def test_nothing_is_left_to_the_next_answer(leak: str, place: Ready, warm: Warm) -> None:
    leaves, looks = LEAKS[leak]
    tests = f"try:\n    trial\nexcept NameError:\n    pass\nelse:\n{_indented(looks)}\n"
    for answer in (leaves, "trial = True\n", leaves, "trial = True\n"):
        judgement = judge_warm(script(answer, tests), place, warm, LIMITS, [JSON])
        assert judgement is not None
        assert judgement.outcome is Outcome.PASSED, judgement.reason


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def test_random_numbers_differ_from_answer_to_answer(
    place_for: Callable[..., Ready], warm: Warm
) -> None:
    place = place_for("3.11", "numpy==2.2.6")
    names = frozenset({("numpy", ""), ("random", "")})
    answer = "import random\nimport numpy\nprint(random.random(), numpy.random.rand())\n"
    seen = []
    for _ in range(3):
        judgement = judge_warm(script(answer, "assert True"), place, warm, LIMITS, [names])
        assert judgement is not None
        seen += judgement.log.split()
    assert len(set(seen)) == 6


def test_what_starts_threads_when_imported_is_not_forked(
    empty_settings: Settings, bubblewrap: Backend, warm: Warm
) -> None:
    place = build(Environment("python", "3.11", ("six==1.17.0",), AS_OF), empty_settings)
    assert isinstance(place, Ready), place
    (package,) = place.folder.glob("venv/lib/python3*/site-packages")
    (package / "threaded_at_import.py").write_text(
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
    )
    program = script("import threaded_at_import\n", "assert True")
    threaded = frozenset({("threaded_at_import", "")})
    for _ in range(2):
        assert judge_warm(program, place, warm, LIMITS, [threaded]) is None
    assert judge(program, place, bubblewrap, LIMITS).outcome is Outcome.PASSED
    again = judge_warm(program, place, warm, LIMITS, [])
    assert again is not None
    assert again.outcome is Outcome.PASSED, "the environment's other answers still are"


def test_a_library_that_says_much_does_not_block_its_server(
    empty_settings: Settings, warm: Warm
) -> None:
    place = build(Environment("python", "3.11", ("six==1.17.0",), AS_OF), empty_settings)
    assert isinstance(place, Ready), place
    (package,) = place.folder.glob("venv/lib/python3*/site-packages")
    (package / "loud_at_import.py").write_text("print('x' * 1_000_000, flush=True)\n")
    names = frozenset({("loud_at_import", "")})
    program = script("import loud_at_import\n", "assert True")
    judgement = judge_warm(program, place, warm, LIMITS, [names])
    assert judgement is not None
    assert (judgement.outcome, judgement.log) == (Outcome.PASSED, "")


@pytest.mark.parametrize(
    ("code", "forked"),
    [
        (
            "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n",
            False,
        ),
        ("import subprocess\nchild = subprocess.Popen(['sleep', '9'])\n", False),
        ("file = open('/tmp/written', 'w+')\n", False),
        ("open('/tmp/other', 'w').close()\nfile = open('/tmp/other')\n", False),
        ("import socket\nends = socket.socketpair()\n", False),
        ("file = open(__file__)\nfile.readline()\n", True),
        ("import os\nfile = open(os.devnull)\n", True),
        (
            "import os\nos.makedirs(os.path.expanduser('~/.config/made'))\nopen('/tmp/note', 'w').write('x')\n",
            True,
        ),
    ],
)
def test_what_an_import_leaves_behind(
    code: str,
    forked: bool,  # noqa: FBT001
    empty_settings: Settings,
    bubblewrap: Backend,
    warm: Warm,
) -> None:
    place = build(Environment("python", "3.11", ("six==1.17.0",), AS_OF), empty_settings)
    assert isinstance(place, Ready), place
    (package,) = place.folder.glob("venv/lib/python3*/site-packages")
    (package / "leaves_something.py").write_text(code)
    tests = "import os\nif os.path.exists('/tmp/note'):\n    open(os.path.expanduser('~/.config/made/x'), 'w').close()"
    program = script("import leaves_something\n", tests)
    for _ in range(2):
        judgement = judge_warm(
            program, place, warm, LIMITS, [frozenset({("leaves_something", "")})]
        )
        assert (judgement is not None) == forked
        assert judgement is None or judgement.outcome is Outcome.PASSED, judgement
    assert judge(program, place, bubblewrap, LIMITS).outcome is Outcome.PASSED


def test_a_file_that_an_import_reads_has_a_position_for_each_answer(
    empty_settings: Settings, warm: Warm
) -> None:
    """As the data bases have that some libraries open when they are imported."""
    place = build(Environment("python", "3.11", ("six==1.17.0",), AS_OF), empty_settings)
    assert isinstance(place, Ready), place
    (package,) = place.folder.glob("venv/lib/python3*/site-packages")
    (package / "reads_at_import.py").write_text(
        "import os\nfile = os.open(__file__, os.O_RDONLY)\nos.lseek(file, 7, os.SEEK_SET)\n"
    )
    answer = "import os, reads_at_import\nwhere = os.lseek(reads_at_import.file, 0, os.SEEK_CUR)\nos.lseek(reads_at_import.file, 70, os.SEEK_SET)\n"
    names = [frozenset({("os", ""), ("reads_at_import", "")})]
    for _ in range(3):
        judgement = judge_warm(script(answer, "assert where == 7"), place, warm, LIMITS, names)
        assert judgement is not None
        assert judgement.outcome is Outcome.PASSED, judgement.reason


def test_an_answer_and_its_tests_share_what_both_import(
    place: Ready, warm: Warm, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported: list[Names] = []
    spawn = Node.spawn

    def spawned(self: Node, names: Names, *given: Any, **named: Any) -> Node:
        imported.append(names - self.names)
        return spawn(self, names, *given, **named)

    monkeypatch.setattr(Node, "spawn", spawned)
    tests = "import json\nimport string\nfrom answer import f\n\n\ndef test_f():\n    assert f() == '[]'\n"
    answer = "import json\n\n\ndef f():\n    return json.dumps([])\n"
    theirs = JSON | {("string", "")}
    ahead = ([JSON], theirs)
    told = judge_warm_apart(
        Program(answer, tests, TestStyle.PYTEST), place, warm, LIMITS, ahead, None
    )
    assert told is not None
    assert told[0].outcome is Outcome.PASSED, told[0].reason
    assert imported.count(JSON) == 1
    assert frozenset({("string", "")}) in imported


def test_a_dead_server_is_replaced(place: Ready, warm: Warm) -> None:
    program = PROGRAMS["passes"]
    assert judge_warm(program, place, warm, LIMITS)
    for pid in strangers():  # no other process of this one, such as multiprocessing's
        with contextlib.suppress(ProcessLookupError):  # it went with its parent
            os.kill(pid, signal.SIGKILL)
    assert judge_warm(program, place, warm, LIMITS) is None, "this once, it is run fresh"
    again = judge_warm(program, place, warm, LIMITS)
    assert again is not None
    assert again.outcome is Outcome.PASSED


def test_limits_are_those_of_the_call(place: Ready, warm: Warm) -> None:
    program = script("import time\ntime.sleep(1)\n", "assert True")
    short = judge_warm(program, place, warm, replace(LIMITS, wall_seconds=0.3))
    assert short is not None
    assert short.outcome is Outcome.TIMEOUT
    enough = judge_warm(program, place, warm, LIMITS)
    assert enough is not None
    assert enough.outcome is Outcome.PASSED


def test_without_a_sandbox_nothing_is_forked(place: Ready) -> None:
    assert judge_warm(PROGRAMS["passes"], place, Warm(Unprotected()), LIMITS) is None


def test_an_answer_cannot_tell_whether_its_tests_were_asked_for_before(
    place: Ready, warm: Warm
) -> None:
    """Real tests are run more often than decoys: a second run must look like a first one."""
    answer = "import gc\n\nprint('frozen', gc.get_freeze_count())\n\n\ndef one():\n    return 1\n"
    seen = set()
    for _ in range(3):
        program = Program(answer, "assert one() == 1\n", TestStyle.SCRIPT)
        judgement = judge_warm(program, place, warm, Limits())
        assert judgement is not None
        seen.add(judgement.log.partition("frozen ")[2].split()[0])
    assert len(seen) == 1
