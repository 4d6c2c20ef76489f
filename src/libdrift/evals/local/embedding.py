"""Texts to vectors, by any server that speaks OpenAI's embeddings."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import requests

from libdrift.errors import InfrastructureError, UserError
from libdrift.languages.python.web import host

Embedder = Callable[[Sequence[str]], list[list[float]]]

# About what models for this take (512 tokens). What a document is about stands at its beginning.
CHARACTERS = 2000
_BATCH = 16  # a small machine needs a minute for these
_TIMEOUT = (10.0, 600.0)  # to connect, and between two pieces of an answer
_PAUSES = (1.0, 4.0, 16.0)  # before the second attempt, the third…
_LONGEST = 60.0  # that a server may make us wait
_BUSY = 429
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_LINE = 200


def embedder(
    base_url: str, model: str, api_key: str = "", *, pauses: Sequence[float] = _PAUSES
) -> Embedder:
    """A function that gives each text's vector; texts are cut to ``CHARACTERS``."""
    place = urlsplit(base_url)
    if place.scheme not in {"http", "https"} or not place.hostname:
        raise UserError(
            f"{base_url!r} is not the address of a server", "Write it as http://127.0.0.1:8080/v1"
        )
    url = f"{base_url.rstrip('/')}/embeddings"

    def login(request: requests.PreparedRequest) -> requests.PreparedRequest:
        # As a login and not as a header: else requests prefers what netrc has for that host.
        if api_key:
            request.headers["Authorization"] = f"Bearer {api_key}"
        return request

    def embed(texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = []
        with requests.Session() as session:
            session.trust_env = place.hostname not in _HERE  # no proxy leads back here
            session.auth = login
            for start in range(0, len(texts), _BATCH):
                batch = [_sendable(text) for text in texts[start : start + _BATCH]]
                answer = _asked(session, url, {"model": model, "input": batch}, pauses)
                vectors += _vectors(answer, len(batch), url)
        return vectors

    return embed


def _sendable(text: str) -> str:
    """Servers refuse a whole batch for a text that is empty, or that has half a character."""
    return text[:CHARACTERS].encode("utf-8", "replace").decode() or " "


def _asked(
    session: requests.Session, url: str, question: dict[str, Any], pauses: Sequence[float]
) -> Any:  # noqa: ANN401  (whatever a server says)
    for pause in (*pauses, None):
        wait = pause
        try:
            response = session.post(url, json=question, timeout=_TIMEOUT)
        except requests.RequestException as error:
            slow = isinstance(error, requests.Timeout)
            reason = "does not answer in time" if slow else "cannot be reached"
        else:
            if response.ok:
                return _json(response)
            reason = f"answers with HTTP {response.status_code}{_words(response)}"
            if response.status_code != _BUSY and response.status_code < requests.codes.server_error:
                raise InfrastructureError(f"{host(url)} {reason}", "Check the address, model, key")
            wait = _asked_to_wait(response, pause)
        if wait is None:
            break
        time.sleep(wait)
    raise InfrastructureError(
        f"{host(url)} {reason}, {len(pauses) + 1} times", "Try again later, or check the address"
    )


def _asked_to_wait(response: requests.Response, pause: float | None) -> float | None:
    said = response.headers.get("Retry-After", "")
    if pause is None or not said.isdecimal():
        return pause
    return min(max(pause, float(said)), _LONGEST)


def _words(response: requests.Response) -> str:
    """What the server says about an error, in a line."""
    found = _json(response)
    error = found.get("error", found.get("message")) if isinstance(found, dict) else None
    text = error.get("message") if isinstance(error, dict) else error
    return f": {' '.join(text.split())[:_LINE]}" if isinstance(text, str) and text.strip() else ""


def _json(response: requests.Response) -> Any:  # noqa: ANN401
    try:
        return response.json()
    except requests.JSONDecodeError:
        return None


def _vectors(answer: Any, count: int, url: str) -> list[list[float]]:  # noqa: ANN401
    try:
        items = sorted(answer["data"], key=lambda item: item["index"])
        found = [[float(number) for number in item["embedding"]] for item in items]
        whole = [item["index"] for item in items] == list(range(count)) and all(found)
    except (KeyError, TypeError, ValueError):
        whole = False
    if not whole or len({len(vector) for vector in found}) > 1:
        raise InfrastructureError(
            f"{host(url)} does not answer with embeddings",
            "Check the address: it must end before /embeddings, often with /v1",
        )
    return found
