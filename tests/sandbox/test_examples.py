"""The server of examples: each in a fork, and none that harms the next."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from libdrift.environments import Ready, discover
from libdrift.errors import InfrastructureError
from libdrift.sandbox import Backend
from libdrift.sandbox.examples import LIMITS, ExampleServer
from tests.sandbox.test_probes import installed

PACKAGE = {
    "pkg/__init__.py": """
        import warnings
        import json as js
        state = []
        def old():
            warnings.warn("old() is deprecated", DeprecationWarning, stacklevel=2)
            warnings.warn("of no interest", UserWarning)
            return 1
    """
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Ready:
    folder: Path = tmp_path_factory.mktemp("place")
    return installed(folder, discover()[0], PACKAGE)


@pytest.fixture(scope="module")
def server(place: Ready, bubblewrap: Backend) -> Iterator[ExampleServer]:
    limits = replace(LIMITS, wall_seconds=0.5)
    with ExampleServer(place, bubblewrap, ["pkg"], ["nosuch"], limits=limits) as made:
        yield made


def outputs(server: ExampleServer, *code: str) -> list[Any]:
    told = server.run([(line, False) for line in code])
    assert told["end"] == ""
    return [row[0] for row in told["statements"]]


def test_outputs_types_and_warnings(server: ExampleServer) -> None:
    told = server.run([("import pkg", False), ("pkg.old()", False), ("print('x'); 2.5", False)])
    assert told == {
        "statements": [
            ["", "", [], None, None],
            ["1\n", "builtins.int", [["DeprecationWarning", "old() is deprecated"]], None, None],
            ["x\n2.5\n", "builtins.float", [], None, None],
        ],
        "end": "",
    }
    assert list(server.failed) == ["nosuch"]
    assert server.aliases == {"js": "json", "warnings": "warnings"}


def test_nothing_is_left_to_the_next(server: ExampleServer) -> None:
    assert outputs(server, "import pkg", "pkg.state.append(1)", "pkg.state")[2] == "[1]\n"
    assert outputs(server, "import pkg", "pkg.state")[1] == "[]\n"
    assert outputs(server, "open('file', 'w').write('x')", "import os; os.listdir()")[1]
    assert outputs(server, "import os; os.listdir()") == ["[]\n"]


def test_errors_are_told_and_the_rest_is_tried(server: ExampleServer) -> None:
    told = server.run([("import pkg", False), ("pkg.gone", False), ("1", False)])["statements"]
    bases, message, _ = told[1][3]
    assert bases[0] == "AttributeError"
    assert "gone" in message
    assert told[2][0] == "1\n"
    after = server.run([("1/0", False)] * 9)["statements"]
    assert len(after) == 4  # no more of an example that does not work
    assert len(server.run([("1/0", True)] * 9)["statements"]) == 9  # as its documentation shows


@pytest.mark.parametrize(
    ("code", "end"),
    [
        ("while True: pass", "time"),
        ("import time; time.sleep(60)", "time"),
        ("import os; os.abort()", "died of signal 6"),
        ("import os; os._exit(0)", "died"),
        ("import os; os.kill(os.getppid(), 9)", "died: it ended"),
    ],
)
def test_what_does_not_come_to_its_end(server: ExampleServer, code: str, end: str) -> None:
    assert server.run([(code, False)])["end"] == end
    assert outputs(server, "import pkg", "1 + 1")[1] == "2\n"


def test_random_numbers_are_the_same_and_hashes_are_not(
    server: ExampleServer, place: Ready, bubblewrap: Backend
) -> None:
    code = ("import random", "random.random()", "hash('text')")
    first = outputs(server, *code)
    assert outputs(server, *code) == first
    with ExampleServer(place, bubblewrap, ["pkg"], seed=1) as other:
        second = outputs(other, *code)
    assert second[1] == first[1]
    assert second[2] != first[2]


def test_no_network_and_no_files_of_the_host(server: ExampleServer) -> None:
    code = "import socket; socket.create_connection(('1.1.1.1', 80), 0.5)"
    told = server.run([(code, False)])["statements"][0]
    assert "OSError" in told[3][0]
    told = server.run([("open('/etc/shadow')", False)])["statements"][0]
    assert "OSError" in told[3][0]


def test_a_server_that_cannot_start_is_told(place: Ready, bubblewrap: Backend) -> None:
    broken = replace(place, folder=place.folder / "nowhere")
    server = ExampleServer(broken, bubblewrap, ["pkg"])
    with pytest.raises((InfrastructureError, OSError)):
        server.start()
    server.close()


@pytest.mark.parametrize(
    "said",
    [
        "{",
        "[" * 100000,
        "1",
        '{"end": 1}',
        '{"statements": [[]], "end": ""}',
        '{"statements": [["", "", [], 1, null]], "end": ""}',
    ],
)
def test_a_library_that_speaks_for_the_server(place: Ready, bubblewrap: Backend, said: str) -> None:
    """It shares a process with the server: what it tells is no run, and the next one is."""
    with ExampleServer(place, bubblewrap, ["pkg"]) as server:
        server.start()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            server._channel = ours  # as if the server had said it
            theirs.sendall(struct.pack(">I", len(said)) + said.encode())
            told = server.run([("1", False)])
        assert told == {"statements": [], "end": "died: it tells nonsense"}
        assert server.run([("1", False)])["statements"][0][0] == "1\n"
