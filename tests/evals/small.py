"""A small suite, models made of a few lines of Python, and a server that speaks OpenAI's way."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from libdrift.cli.app import app
from libdrift.records import Task
from libdrift.suites import task_files
from tests.conftest import make_task

RIGHT = """
def reply(messages, task_id, sample):
    number = task_id.removeprefix("t")
    return f"```python\\ndef number():\\n    return {number}\\n```"
"""


def write_tasks(folder: Path, tasks: list[Task] | None = None) -> Path:
    path = folder / "small.jsonl"
    found = tasks or [make_task(f"t{number}", number) for number in range(3)]
    task_files.write(path, "small", "Small", found, {})
    return path


def script(folder: Path, code: str = RIGHT) -> str:
    """The name of a model that is this program."""
    path = folder / "model.py"
    path.write_text(code, encoding="utf-8")
    return f"scripted/{path}"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)


def evaluated(*arguments: str | Path, code: int = 0) -> dict[str, Any]:
    """What `libdrift eval … --json` says."""
    done = run("eval", *arguments, "--json")
    assert done.exit_code == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def rate(summary: dict[str, Any], split: str = "hidden", metric: str = "success_rate") -> float:
    wanted = (metric, split, "all")
    for score in summary["scores"]:
        if (score["metric"], score["split"], score["group"]) == wanted:
            return float(score["value"])
    raise AssertionError(f"no {wanted} in {summary['scores']}")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


Reply = Callable[[str, dict[str, Any]], tuple[int, dict[str, Any]]]


@contextmanager
def server(reply: Reply) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server at an address; ``reply(path, body)`` gives status and body. It keeps requests."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, **body})
            status, said = reply(self.path, body)
            content = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: object) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}/v1", asked
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


def chat(*texts: str) -> dict[str, Any]:
    """The body of a chat completion."""
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {
                "index": number,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
            }
            for number, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }
