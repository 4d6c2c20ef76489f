"""The explorer behind a server on this machine: for folders too large for a page, and runs that go
on. It reads, and never writes; it is asked for answers, never for files.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from libdrift.analysis.observing import ObservedRun
from libdrift.reports.explorer.columns import AnswerPlace, numbers_of
from libdrift.reports.explorer.page import PageShell, packed_json, shell
from libdrift.reports.explorer.texts import RunTexts, TextSources, bits

HOST = "127.0.0.1"
_WATCHED = "run.json verdicts.jsonl scores.jsonl answers.jsonl calls.jsonl measures.jsonl".split()
_PAUSE = 4.0  # times as long as reading took, before all is read again
_WORDS, _LONGEST = 8, 200  # of a search
_DIGITS = 18  # of a number in an address
_PATIENCE = 30.0  # seconds for a request to arrive, or an answer to be taken
logger = logging.getLogger(__name__)
Observe = Callable[[], Sequence[ObservedRun]]


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """What is known at a moment."""

    revision: int
    packed: bytes
    places: dict[AnswerPlace, None]  # in the order of rows
    texts: tuple[RunTexts, ...]
    live: bool
    signature: object


class RunWatcher:
    """Runs as they are now: read again, aside, when their files have changed."""

    def __init__(self, observe: Observe, sources: TextSources) -> None:
        self._observe = observe
        self._sources = sources
        self._texts: dict[Path, RunTexts] = {}
        self._lock = threading.Lock()
        self._next = 0.0
        self._now = self._read(1)

    @property
    def now(self) -> _Snapshot:
        return self._now

    def state(self) -> dict[str, Any]:
        """The number of what is known; where files have changed, they are read meanwhile."""
        now = self._now
        if time.monotonic() >= self._next and self._lock.acquire(blocking=False):
            if _signature(now.texts) == now.signature:
                self._lock.release()
            else:
                threading.Thread(target=self._again, daemon=True).start()
        return {"revision": now.revision, "live": now.live}

    def _again(self) -> None:
        try:
            self._now = self._read(self._now.revision + 1)
        except Exception:  # a file is being written: the next question tries again
            logger.exception("cannot read the runs again")
        finally:
            self._lock.release()

    def _read(self, revision: int) -> _Snapshot:
        start = time.monotonic()
        runs = self._observe()
        texts = []
        for run in runs:
            known = self._texts.get(run.path)
            if known is None:
                known = self._texts[run.path] = RunTexts(run, self._sources)
            texts.append(known)
        # Before reading: what is written meanwhile is another change.
        signature = _signature(texts)
        for one in texts:
            one.refresh()
        numbers = numbers_of(runs)
        live = any(not run["finished"] for run in numbers.content["runs"])
        packed = packed_json({**numbers.content, "revision": revision})
        self._next = time.monotonic() + _PAUSE * (time.monotonic() - start)
        places = dict.fromkeys(numbers.places)
        return _Snapshot(revision, packed, places, tuple(texts), live, signature)


def _signature(texts: Sequence[RunTexts]) -> object:
    found = []
    for one in texts:
        for name in _WATCHED:
            try:
                state = (one.run.path / name).stat()
            except FileNotFoundError:
                continue
            found.append((one.run.path, name, state.st_size, state.st_mtime_ns))
    return found


class ExplorerServer(ThreadingHTTPServer):
    """Serves runs to browsers of this machine. A port of 0 is any that is free."""

    daemon_threads = True

    def __init__(self, title: str, watcher: RunWatcher, port: int = 0) -> None:
        self.shell: PageShell = shell(title)
        self.watcher = watcher
        super().__init__((HOST, port), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that went away, or whatever it is: for the log, not for the terminal."""
        del request
        logger.info("%s: the request failed: %r", client_address, sys.exception())

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_address[1]}/"

    def server_close(self) -> None:
        super().server_close()
        for one in self.watcher.now.texts:
            one.close()

    def detail(self, run: int, task_id: str, sample: int) -> dict[str, Any] | None:
        """All texts of an answer, whole; ``None`` where there is no such answer."""
        now = self.watcher.now
        if not 0 <= run < len(now.texts):
            return None
        if AnswerPlace(run, task_id, sample) not in now.places:
            return None
        texts = now.texts[run]
        return {"task": texts.task(task_id), "answer": texts.answer((task_id, sample))}

    def search(self, words: tuple[str, ...]) -> list[tuple[int, str, int]]:
        """Answers that have all words in their texts, or in their task's."""
        now = self.watcher.now
        every = (1 << len(words)) - 1
        found: dict[AnswerPlace, int] = {}
        about: dict[tuple[int, str], int] = {}
        for number, texts in enumerate(now.texts):
            for (task_id, sample), has in texts.mentions(words):
                place = AnswerPlace(number, task_id, sample)
                found[place] = found.get(place, 0) | has
            suite = texts.suite
            for task in () if isinstance(suite, str) else suite.tasks.values():
                told = f"{task.title}\n{task.problem}\n{task.starter}".lower()
                about[number, task.id] = bits(told, words)
        return [
            (one.run, one.task_id, one.sample)
            for one in now.places
            if found.get(one, 0) | about.get((one.run, one.task_id), 0) == every
        ]


class _Handler(BaseHTTPRequestHandler):
    server: ExplorerServer
    protocol_version = "HTTP/1.1"
    server_version = "libdrift"
    sys_version = ""
    timeout = _PATIENCE

    def do_GET(self) -> None:
        if not self._is_ours():
            self._send(HTTPStatus.FORBIDDEN, b"asked from elsewhere", "text/plain")
            return
        try:
            asked = urlsplit(self.path)
        except ValueError:  # half an address of IPv6
            self._send(HTTPStatus.BAD_REQUEST, b"this is no address", "text/plain")
            return
        routes: Mapping[str, Callable[[dict[str, str]], None]] = {
            "/": self._page,
            "/api/state": self._state,
            "/api/numbers": self._numbers,
            "/api/detail": self._detail,
            "/api/search": self._search,
        }
        route = routes.get(asked.path)
        if route is None:
            self._send(HTTPStatus.NOT_FOUND, b"there is no such page", "text/plain")
            return
        route({name: values[-1] for name, values in parse_qs(asked.query).items()})

    def _is_ours(self) -> bool:
        """Whether a page of this server asks, or nobody's: no other site, by whatever name."""
        port = self.server.server_address[1]
        hosts = {f"{HOST}:{port}", f"localhost:{port}"}
        if self.headers.get("Host", "") not in hosts:
            return False
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            return False
        # A link from elsewhere may open the page; nothing else may ask for anything.
        site = self.headers.get("Sec-Fetch-Site", "none")
        opened = self.path == "/" and self.headers.get("Sec-Fetch-Mode") == "navigate"
        return site in {"none", "same-origin"} or opened

    def _page(self, _: dict[str, str]) -> None:
        page = self.server.shell
        self._send(HTTPStatus.OK, page.html.encode(), "text/html; charset=utf-8", page.policy)

    def _state(self, _: dict[str, str]) -> None:
        self._json(self.server.watcher.state())

    def _numbers(self, _: dict[str, str]) -> None:
        self._send(HTTPStatus.OK, self.server.watcher.now.packed, "application/json", packed=True)

    def _detail(self, asked: dict[str, str]) -> None:
        run, sample = asked.get("run", ""), asked.get("sample", "")
        known = all(one.isdecimal() and len(one) <= _DIGITS for one in (run, sample))
        found = known and self.server.detail(int(run), asked.get("task", ""), int(sample))
        if not found:
            self._send(HTTPStatus.NOT_FOUND, b"there is no such answer", "text/plain")
        else:
            self._json(found)

    def _search(self, asked: dict[str, str]) -> None:
        words = tuple(asked.get("q", "")[:_LONGEST].lower().split()[:_WORDS])
        self._json({"places": self.server.search(words) if words else []})

    def _json(self, content: Mapping[str, Any]) -> None:
        self._send(HTTPStatus.OK, json.dumps(content).encode("ascii"), "application/json")

    def _send(
        self,
        status: HTTPStatus,
        body: bytes,
        kind: str,
        policy: str = "default-src 'none'",
        *,
        packed: bool = False,
    ) -> None:
        self.send_response(status)
        headers = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Content-Security-Policy": f"{policy}; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-store",
            **({"Content-Encoding": "gzip"} if packed else {}),
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401  (the base's own)
        logger.info(format, *args)
