"""Embedding models by the names that options have for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.evals.local import server, weights
from libdrift.evals.local.embedding import embedder
from libdrift.retrieval.dense import Embedder


@contextmanager
def embedding_model(name: str, settings: Settings) -> Iterator[Embedder]:
    """``smollm2``, ``gguf/FILE``, or ``URL#MODEL`` of a server; a local one is served meanwhile."""
    provider, _, rest = name.partition("/")
    if name.startswith(("http://", "https://")):
        url, _, model = name.partition("#")
        yield Embedder(name, embedder(url, model or "default", settings.api_key))
        return
    if name == "smollm2":
        path = weights.smollm2(settings)
    elif provider == "gguf":
        path = Path(rest).expanduser()
    else:
        raise UserError(
            f"unknown embedder {name!r}", "Write smollm2, gguf/FILE, or URL#MODEL of a server"
        )
    with server.serve(path, embeddings=True) as served:
        yield Embedder(name, embedder(served.base_url, served.model))
