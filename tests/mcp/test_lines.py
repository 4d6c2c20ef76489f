"""Lines that the SDK cannot read, and arguments that no tool takes, over pipes as clients use them."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from libdrift.mcp.lines import mended

HALF = "\\ud800"  # of a surrogate pair, as JSON writes it
SECONDS = 120
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "c", "version": "1"},
}


class Pipes:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def call(self, number: int, name: str, arguments: str) -> Any:
        """``name`` and ``arguments`` are JSON."""
        params = f'{{"name": {name}, "arguments": {arguments}}}'
        head = f'"jsonrpc": "2.0", "id": {number}, "method": "tools/call"'
        self.write(f'{{{head}, "params": {params}}}')
        found = self.answer()
        assert found["id"] == number
        return found["result"]


@contextmanager
def pipes(store: Path, project: Path) -> Iterator[Pipes]:
    command = [sys.executable, "-m", "libdrift", "mcp", "--no-mine", "--store", str(store)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=project
    ) as process:
        found = Pipes(process)
        end = threading.Timer(SECONDS, process.kill)  # a server that is silent would be waited for
        end.start()
        try:
            hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
            found.write(json.dumps(hello))
            assert found.answer()["id"] == 1
            found.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}')
            yield found
        finally:
            end.cancel()
            process.kill()


def test_lines_that_the_sdk_cannot_read_are_answered(store: Path, project: Path) -> None:
    with pipes(store, project) as server:
        for number, (name, arguments) in enumerate(
            [
                ('"symbol_at"', f'{{"symbol": "{HALF}"}}'),
                ('"symbol_at"', f'{{"symbol": "pkg.h", "version": "{HALF}"}}'),
                ('"check_code"', f'{{"code": "import pkg", "requirements": ["{HALF}"]}}'),
                (f'"{HALF}"', "{}"),
            ],
            start=2,
        ):
            found = server.call(number, name, arguments)
            assert found["isError"]
            (content,) = found["content"]
            assert "\n" not in content["text"]
        deep = "[" * 5000 + "]" * 5000
        for line in ('{"jsonrpc": ', f'{{"jsonrpc": "2.0", "id": 7, "method": {deep}}}', "7", "[]"):
            server.write(line)
            found = server.answer()
            assert (found["id"], found["error"]["code"]) == (None, -32700)
        server.write("")  # is no message, and asks nothing
        found = server.call(9, '"symbol_at"', '{"symbol": "pkg.h", "version": "1.0"}')
        assert found["structuredContent"]["signature"] == "pkg.h(x, y=1)"


@pytest.mark.parametrize(
    ("written", "text"),
    [("\\ud800", "?"), ("a\\udfffb", "a?b"), ("\\ud83d\\ude00", "😀"), ("\\u00e9", "é")],
)
def test_only_halves_of_pairs_are_replaced(written: str, text: str) -> None:
    message: Any = mended(f'{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"a":"{written}"}}}}')
    assert message.params == {"a": text}


@pytest.mark.parametrize("line", ["", "{", "7", "null", "{}", "[" * 100_000])
def test_what_is_no_message_is_none(line: str) -> None:
    assert mended(line) is None
