"""An OpenAI-compatible server that errs as real ones do: errors, limits of rate, hangs, cuts.

What it says depends only on what it is asked, so that a run that was disturbed can be compared
with one that was not.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import threading
import time
from collections import Counter
from typing import Any, Literal

from benchmarks.soak.index import QuietHandler, Server

Mode = Literal["well", "errs", "limits", "hangs", "cuts", "empty"]
_EVERY = 5  # requests: one of so many fails at first, whatever the mode
_HANG = 4.0  # seconds; longer than a request is waited for


class ScriptedProvider:
    """``answers`` are what it may say to a task; which one, the seed of the request decides."""

    def __init__(self, answers: dict[str, list[str]]) -> None:
        self.mode: Mode = "well"
        self._answers = answers
        self._asked = 0
        self._guard = threading.Lock()
        self.answered: Counter[str] = Counter()  # by question: what was answered more than once
        provider = self

        class Handler(QuietHandler):
            def do_POST(self) -> None:  # noqa: N802  (its own name)
                provider.answer(self)

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        asked = json.loads(request.rfile.read(int(request.headers.get("Content-Length") or 0)))
        with self._guard:
            self._asked += 1
            odd = self._asked % _EVERY == 0
        if self.mode == "errs" or (self.mode == "well" and odd):
            _send(request, 500, {"error": {"message": "scripted trouble"}})
        elif self.mode == "limits":
            _send(request, 429, {"error": {"message": "scripted limit of rate"}})
        elif self.mode == "empty":
            _send(request, 200, {"choices": []})
        else:
            if self.mode == "hangs":
                time.sleep(_HANG)
            _send(request, 200, self._reply(asked), cut=self.mode == "cuts")

    def _reply(self, asked: dict[str, Any]) -> dict[str, Any]:
        text = json.dumps(asked["messages"])
        task = next((name for name in self._answers if f"[{name}]" in text), "")
        count = int(asked.get("n") or 1)
        seed = int(asked.get("seed") or 0)
        known = self._answers.get(task) or ["pass"]
        key = hashlib.sha256(f"{text} {seed} {count}".encode()).hexdigest()
        with self._guard:
            self.answered[key] += 1
        choices = [
            {
                "index": at,
                "finish_reason": "stop",
                "message": {
                    "role": "assistant",
                    "content": f"```python\n{known[(seed + at) % len(known)]}\n```",
                },
            }
            for at in range(count)
        ]
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        return {
            "id": key[:12],
            "object": "chat.completion",
            "created": 0,
            "model": "soak",
            "choices": choices,
            "usage": usage,
        }


def _send(
    request: http.server.BaseHTTPRequestHandler,
    code: int,
    told: dict[str, Any],
    *,
    cut: bool = False,
) -> None:
    body = json.dumps(told).encode()
    request.send_response(code)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(body)))
    if code == 429:  # noqa: PLR2004  (too many requests)
        request.send_header("Retry-After", "0")
    request.end_headers()
    request.wfile.write(body[: len(body) // 2] if cut else body)
    if cut:
        request.close_connection = True
