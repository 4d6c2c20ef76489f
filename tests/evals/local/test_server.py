"""A real server with the embedded model, which is fetched once into libdrift's own cache."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.evals.local import server, weights
from libdrift.evals.local.embedding import embedder
from libdrift.evals.local.server import Served, serve

CODE = "def add(a, b):\n    return"


@pytest.fixture(scope="module")
def model(settings: Settings) -> Path:
    return weights.smollm2(settings)


@pytest.fixture(scope="module")
def served(model: Path) -> Iterator[Served]:
    with serve(model, context=256, slots=2, embeddings=True) as found:
        yield found


def post(served: Served, path: str, **question: Any) -> tuple[int, Any]:
    response = requests.post(f"{served.base_url}/{path}", json=question, timeout=60)
    return response.status_code, response.json()


def test_a_chat_gives_as_many_answers_as_asked_for(served: Served) -> None:
    messages = [{"role": "user", "content": "Say hello."}]
    asked = {"messages": messages, "model": served.model, "max_tokens": 8, "temperature": 0.8}
    status, found = post(served, "chat/completions", n=2, seed=1, **asked)
    assert status == 200
    assert found["model"] == served.model == "SmolLM2-135M-Instruct.Q4_1"
    texts = [choice["message"]["content"] for choice in found["choices"]]
    assert len(texts) == 2
    assert all(texts)
    # The second choice is what the next seed gives.
    _, next_one = post(served, "chat/completions", seed=2, **asked)
    assert next_one["choices"][0]["message"]["content"] == texts[1]


def test_a_raw_completion_goes_on_from_the_text(served: Served) -> None:
    status, found = post(served, "completions", prompt=CODE, max_tokens=4, temperature=0, n=2)
    assert status == 200
    first, second = (choice["text"] for choice in found["choices"])
    assert first == second
    assert first.startswith(" a")


def test_an_answer_keeps_to_a_schema(served: Served) -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"enum": [1, 2]}},
        "required": ["n"],
        "additionalProperties": False,
    }
    status, found = post(
        served,
        "chat/completions",
        messages=[{"role": "user", "content": "One or two?"}],
        max_tokens=24,
        temperature=0,
        response_format={"type": "json_schema", "json_schema": {"name": "n", "schema": schema}},
    )
    assert status == 200
    assert json.loads(found["choices"][0]["message"]["content"])["n"] in {1, 2}


def test_infill_is_there_for_models_that_were_taught_it(served: Served) -> None:
    url = served.base_url.removesuffix("/v1")
    response = requests.post(
        f"{url}/infill", json={"input_prefix": CODE, "input_suffix": "\n"}, timeout=60
    )
    assert response.status_code == 501
    assert "Infill is not supported by this model" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("question", "status", "message"),
    [
        ({"prompt": "word " * 300}, 400, "exceeds the available context size (256 tokens)"),
        ({"prompt": CODE, "n": 3}, 400, "1 <= value <= 2"),
    ],
)
def test_what_is_too_much(
    served: Served, question: dict[str, Any], status: int, message: str
) -> None:
    found = post(served, "completions", max_tokens=1, **question)
    assert found[0] == status
    assert message in found[1]["error"]["message"]


def test_embeddings_are_the_same_alone_and_together(served: Served) -> None:
    embed = embedder(served.base_url, served.model)
    texts = ["numpy arrays", "a recipe for soup", "", "def add(a, b): return a + b"]
    together = embed(texts)
    assert {len(vector) for vector in together} == {576}
    alone = [embed([text])[0] for text in texts]
    near = [sum(map(float.__mul__, *pair)) for pair in zip(together, alone, strict=True)]
    assert near == pytest.approx([1] * 4, abs=1e-3)
    assert sum(map(float.__mul__, together[0], together[1])) < 0.95


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        (Path.mkdir, "is a folder, not a model"),
        (os.mkfifo, "is not a GGUF file"),
        (b"", "is not a GGUF file"),
        (b"PK\3\4 weights", "is not a GGUF file"),
    ],
)
def test_what_is_no_model(tmp_path: Path, content: Any, message: str) -> None:
    path = tmp_path / "model.gguf"
    if callable(content):
        content(path)
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError) as error, serve(path):
        pass
    assert error.value.message == f"{path} {message}"


@pytest.mark.parametrize("option", ["threads", "context", "slots"])
def test_numbers_that_make_no_sense(model: Path, option: str) -> None:
    with pytest.raises(UserError, match=f"{option} = 0"), serve(model, **{option: 0}):
        pass


def test_without_the_extra(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(UserError, match=r"needs xllamacpp.*libdrift\[local\]"), serve(model):
        pass


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (lambda whole: whole[: len(whole) // 2], "model is corrupted or incomplete"),
        (lambda whole: whole[:2000], "failed to read key-value pairs"),
        (lambda _whole: b"GGUF" + b"?" * 100, "this GGUF file is version"),
    ],
)
def test_a_broken_model_is_told_by_the_first_error_of_the_log(
    tmp_path: Path,
    model: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: Callable[[bytes], bytes],
    message: str,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = tmp_path / "broken.gguf"
    path.write_bytes(broken(model.read_bytes()))
    with pytest.raises(InfrastructureError) as error, serve(path):
        pass
    assert error.value.message.startswith("the server of broken.gguf did not start: ")
    assert message in error.value.message
    assert "\n" not in str(error.value)
    log = Path(error.value.fix.rpartition(" ")[2])
    assert message in log.read_text()


def test_a_server_that_dies_is_told_and_one_that_does_not_leaves_nothing(
    tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    started = []
    start = server._Child.start
    monkeypatch.setattr(
        server._Child, "start", lambda *options: started.append(start(*options)) or started[-1]
    )
    with serve(model, context=64, slots=1) as found:
        assert post(found, "embeddings", input=["text"])[0] == 501
    assert started[0].process.returncode is not None
    assert not list(tmp_path.iterdir())

    with (  # noqa: PT012  (the block must end by itself)
        pytest.raises(InfrastructureError, match="stopped: it was killed, as when memory") as error,
        serve(model, context=64, slots=1) as found,
    ):
        started[1].process.kill()
        post(found, "completions", prompt=CODE)
    assert isinstance(error.value.__cause__, requests.ConnectionError)


SERVING = """
import sys, time, requests
from pathlib import Path
from libdrift.evals.local.server import serve

with serve(Path(sys.argv[1]), context=64, slots=1) as served:
    try:
        print(served.base_url, flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        print(requests.get(f"{served.base_url}/models", timeout=9).status_code, flush=True)
        time.sleep(60)
"""


def test_ctrl_c_leaves_the_server_and_the_death_of_its_parent_ends_it(
    tmp_path: Path, model: Path
) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", SERVING, str(model)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    with parent:
        assert parent.stdout is not None
        url = parent.stdout.readline().strip()
        os.killpg(parent.pid, signal.SIGINT)
        assert parent.stdout.readline() == "200\n"
        parent.kill()
    deadline = time.monotonic() + 20
    with pytest.raises(requests.ConnectionError):  # noqa: PT012
        while time.monotonic() < deadline:
            requests.get(f"{url}/models", timeout=9)


def test_the_death_of_its_parent_ends_a_server_that_still_loads(tmp_path: Path) -> None:
    pipe = tmp_path / "slow.gguf"
    os.mkfifo(pipe)
    options = {"path": str(pipe), "name": "slow", "threads": 1, "context": 64, "slots": 1}
    child = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "libdrift.evals.local",
            json.dumps({**options, "embeddings": False}),
        ],
        stdin=subprocess.PIPE,
    )
    with child:
        # To open the other end waits until the model's file is being opened.
        writer = os.open(pipe, os.O_WRONLY)
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(20) == -signal.SIGIO
        with contextlib.suppress(OSError):
            os.close(writer)
