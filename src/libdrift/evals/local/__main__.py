"""The process that serves a model: llama.cpp's own HTTP server, until its parent is gone.

    python -m libdrift.evals.local '{"path": …, "name": …, "threads": …, …}'

writes its address to stdout once it answers, and everything else to stderr. It ends when its
stdin, a pipe that the parent holds, is closed.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import sys
import time
from pathlib import Path
from typing import Any

_HEAD = 64 << 20  # bytes that a file's description of its model fits in
_LOGGING = 1.0  # seconds for the last lines of a log


def main(options: dict[str, Any]) -> None:
    _end_with_parent()
    os.environ["GGML_NO_BACKTRACE"] = "1"  # else an abort starts a debugger, which may hang
    import xllamacpp  # type: ignore[import-untyped]

    params = xllamacpp.CommonParams()
    params.model.path = options["path"]
    params.model_alias = {options["name"]}
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options["threads"]
    # A share for every slot: where they outgrow a common pool, all requests fail.
    params.n_ctx = options["context"] * options["slots"]
    params.n_parallel = options["slots"]
    if options["embeddings"]:
        params.embedding = True
        # A text's vector comes from one batch: it must fit in, and separate shares would cut
        # texts that come together to the length of the shortest.
        params.n_batch = params.n_ubatch = options["context"]
        params.kv_unified = True
        params.kv_unified_per_slot = options["context"]
        if not _pooled(Path(options["path"])):
            params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    params.fit_params = False  # it loads everything twice, and may give less than asked for
    params.cache_ram_mib = 0  # else prompts of the past take up to 8 GB
    params.cors_origins = ""  # no web page has any business here
    params.ui = False
    params.verbosity = 1  # errors only: some lines a request would fill the disk
    try:
        server = xllamacpp.Server(params)
    except RuntimeError:
        # Its reason is written by a thread that ends with the process, perhaps before its turn.
        time.sleep(_LOGGING)
        raise
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    os._exit(0)  # there is nothing to save, and nobody waits for requests under way


def _end_with_parent() -> None:
    """Let the kernel end this process (by SIGIO) when the parent's end of stdin is closed.

    That works while a model loads too, when no Python code gets a turn. And it is not bound to
    the thread that started this process, as a signal on the parent's death would be.
    """
    stdin = sys.stdin.fileno()
    fcntl.fcntl(stdin, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(stdin, fcntl.F_SETFL, fcntl.fcntl(stdin, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([stdin], [], [], 0)[0]:  # closed before the kernel was told
        os._exit(0)


def _pooled(path: Path) -> bool:
    """Whether a model says itself how one vector is made of those of all tokens."""
    with path.open("rb") as file:
        return b".pooling_type" in file.read(_HEAD)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
