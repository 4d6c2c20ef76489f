"""An agent that asks `libdrift mcp` some questions, and asks a new server where one is gone.

python benchmarks/soak/agent.py WORLD      what was said is printed as JSON
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from typing import Any

CODE = "import soakling\n\nprint(soakling.total([1, 2]))\nprint(soakling.label('x', True))\n"
QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("symbol_at", {"symbol": "soakling.label", "version": "1.0"}),
    ("changes", {"package": "soakling", "from": "1.0", "to": "2.0"}),
    ("search_docs", {"query": "add numbers", "package": "soakling", "version": "2.0"}),
    ("check_code", {"code": CODE, "requirements": ["soakling==2.0"], "from": ["soakling==1.0"]}),
    ("symbol_at", {"symbol": "soakling.total", "version": "1.1"}),
)
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "soak", "version": "1"},
}
_SERVERS = 4  # that may be lost before the agent gives up


class LostError(Exception):
    """The server is gone."""


class Client:
    """One server and the pipes to it."""

    def __init__(self) -> None:
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "libdrift", "mcp"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        except OSError as error:  # no descriptors for this one, either
            raise LostError from error
        self._number = 0
        self.ask("initialize", _HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": arguments})
        assert self.process.stdout is not None  # noqa: S101  (a pipe)
        while line := self.process.stdout.readline():
            told: dict[str, Any] = json.loads(line)
            if told.get("id") == self._number:
                return told
        raise LostError

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None  # noqa: S101  (a pipe)
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise LostError from error

    def close(self) -> None:
        assert self.process.stdin is not None  # noqa: S101  (a pipe)
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        # Without a limit: a server that does not leave is told as a command that hangs.
        self.process.wait()


def main() -> int:
    said: dict[str, str] = {}
    for _ in range(_SERVERS):
        try:
            client = Client()
        except LostError:
            continue
        try:
            for number, (tool, arguments) in enumerate(QUESTIONS):
                key = f"{number} {tool}"
                if key not in said:
                    asked = {"name": tool, "arguments": arguments}
                    result = client.ask("tools/call", asked).get("result", {})
                    if result.get("isError"):  # said so; another server may do better
                        raise LostError  # noqa: TRY301
                    said[key] = json.dumps(result, sort_keys=True)
        except LostError:
            continue
        finally:
            client.close()
        print(json.dumps(said))  # not into a file: what is tested is the server, not this
        return 0
    print("agent: server after server was lost", file=sys.stderr)
    return 3


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    sys.exit(main())
