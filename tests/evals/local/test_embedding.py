from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from libdrift.errors import InfrastructureError, UserError
from libdrift.evals.local.embedding import CHARACTERS, embedder


@dataclass
class Site:
    """A server of vectors: of each text its length and its number in the batch."""

    url: str = ""
    replies: list[tuple[int, Any]] = field(default_factory=list)  # before it behaves
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    def reply(self, question: dict[str, Any]) -> tuple[int, Any]:
        self.asked.append(question)
        if self.replies:
            return self.replies.pop(0)
        rows = [
            {"index": number, "embedding": [len(text), number]}
            for number, text in enumerate(question["input"])
        ]
        return 200, {"data": rows[::-1]}


@pytest.fixture
def site() -> Iterator[Site]:
    found = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.keys.append(self.headers["Authorization"])
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, body = found.reply(question) if self.path == "/v1/embeddings" else (404, "")
            content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}/v1/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


def test_texts_go_in_batches_and_vectors_come_in_order(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")  # nothing is there
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    texts = ["x" * number for number in range(1, 41)]
    vectors = embedder(site.url, "small")(texts)
    assert [int(length) for length, _ in vectors] == list(range(1, 41))
    assert {question["model"] for question in site.asked} == {"small"}
    assert max(len(question["input"]) for question in site.asked) < 40
    assert site.keys == [None] * len(site.asked)


def test_every_text_can_be_sent(site: Site) -> None:
    embed = embedder(site.url, "small")
    assert embed([]) == []
    embed(["", "y" * 10 * CHARACTERS, "half \ud83d a character"])
    assert site.asked[0]["input"] == [" ", "y" * CHARACTERS, "half ? a character"]


def test_the_key_goes_along_and_into_no_message(site: Site) -> None:
    embed = embedder(site.url, "small", "secret")
    embed(["text"])
    assert site.keys == ["Bearer secret"]
    site.replies = [(401, {"error": {"message": "bad key"}})]
    with pytest.raises(InfrastructureError, match="HTTP 401: bad key") as error:
        embed(["text"])
    assert "secret" not in str(error.value)


def test_passing_troubles_are_passed_over(site: Site) -> None:
    site.replies = [(429, ""), (503, {"error": "busy"})]
    assert embedder(site.url, "small", pauses=(0, 0))(["text"]) == [[4, 0]]
    assert len(site.asked) == 3


ONE = {"index": 0, "embedding": [1.0]}


@pytest.mark.parametrize(
    ("replies", "message"),
    [
        (
            [(500, {"error": {"message": "too\nlong"}})] * 2,
            "answers with HTTP 500: too long, 2 times",
        ),
        ([(429, "<html>")] * 2, "answers with HTTP 429, 2 times"),
        ([(400, {"error": "no such\nmodel"})], "answers with HTTP 400: no such model"),
        ([(404, {"message": 5})], "answers with HTTP 404"),
        ([(200, "<html>")], "does not answer with embeddings"),
        ([(200, [])], "does not answer with embeddings"),
        ([(200, {"data": [ONE]})], "does not answer with embeddings"),
        ([(200, {"data": [ONE, ONE]})], "does not answer with embeddings"),
        (
            [(200, {"data": [ONE, {"index": 1, "embedding": [None]}]})],
            "does not answer with embeddings",
        ),
        (
            [(200, {"data": [ONE, {"index": 1, "embedding": []}]})],
            "does not answer with embeddings",
        ),
        (
            [(200, {"data": [ONE, {"index": 1, "embedding": [1.0, 2.0]}]})],
            "does not answer with embeddings",
        ),
        (
            [(200, {"data": [ONE, {"index": 1, "embedding": "AAAA"}]})],
            "does not answer with embeddings",
        ),
    ],
)
def test_troubles_that_stay(site: Site, replies: list[tuple[int, Any]], message: str) -> None:
    asked = len(replies)
    site.replies = list(replies)
    with pytest.raises(InfrastructureError) as error:
        embedder(site.url, "small", pauses=(0,))(["one", "two"])
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(site.asked) == asked


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(InfrastructureError, match=r"127\.0\.0\.1:9 cannot be reached, 2 times"):
        embedder("http://user:secret@127.0.0.1:9/v1", "small", pauses=(0,))(["text"])


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://here/v1", "http://"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(UserError, match="is not the address of a server"):
        embedder(url, "small")
