"""The server: only for this machine's browsers, only reading, and live while a run goes on."""

from __future__ import annotations

import gzip
import http.client
import json
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from libdrift.errors import UserError
from libdrift.jobs.exploring import open_explorer
from libdrift.reports.explorer import ExplorerServer
from tests.reports.explorer.conftest import Open


@pytest.fixture
def folder(runs: list[Path], tmp_path: Path) -> Path:
    """A run that somebody may write to."""
    return Path(shutil.copytree(runs[0], tmp_path / "alpha"))


@pytest.fixture
def server(folder: Path) -> Iterator[ExplorerServer]:
    with open_explorer([folder]) as opened:
        thread = threading.Thread(target=opened.serve_forever)
        thread.start()
        yield opened
        opened.shutdown()
        thread.join()


def ask(
    server: ExplorerServer, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=30)
    try:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=given)
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), answer.read()
    finally:
        connection.close()


def first(folder: Path, name: str = "answers.jsonl") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / name).read_text().splitlines()[0])
    return found


def test_it_listens_on_this_machine_only(server: ExplorerServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    with pytest.raises(UserError, match="cannot listen on port"):
        open_explorer([], server.server_address[1])


def test_headers_forbid_what_the_page_does_not_need(server: ExplorerServer) -> None:
    status, headers, body = ask(server, "/")
    assert (status, headers["X-Content-Type-Options"]) == (200, "nosniff")
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert b"data-served" in body
    for path in ("/api/state", "/api/numbers", "/nowhere"):
        _, headers, _ = ask(server, path)
        assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:{port}"}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Host": "elsewhere.invalid"}, 403),  # a name that was made to mean this machine
        ({"Host": "127.0.0.1"}, 403),  # another port
        ({"Origin": "http://elsewhere.invalid"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
    ],
)
def test_other_sites_get_nothing(
    server: ExplorerServer, headers: dict[str, str], status: int
) -> None:
    port = server.server_address[1]
    filled = {name: value.format(port=port) for name, value in headers.items()}
    assert ask(server, "/api/state", **filled)[0] == status


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "//etc/passwd",
        "/run.json",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api/detail?run=0&task=../../etc/passwd&sample=0",
        "/api/detail?run=9&task=x&sample=0",
        "/api/detail?run=-1&task=x&sample=0",
        "/api/detail?run=0",
        "/api/detail?run=0&task=x&sample=%C2%B2",
    ],
)
def test_only_answers_are_given_never_files(server: ExplorerServer, path: str) -> None:
    status, _, body = ask(server, path)
    assert status == 404
    assert b"root:" not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_it_only_reads(server: ExplorerServer, method: str) -> None:
    assert ask(server, "/api/state", method)[0] == 501


def test_an_answer_is_whole(server: ExplorerServer, folder: Path) -> None:
    wanted = first(folder)
    path = f"/api/detail?run=0&task={wanted['task_id']}&sample={wanted['sample']}"
    status, _, body = ask(server, path)
    found = json.loads(body)
    assert status == 200
    assert found["answer"]["answer"] == wanted["answer"]
    assert found["answer"]["prompt"][0]["role"] == "user"
    assert [one["split"] for one in found["answer"]["verdicts"]] == ["hidden", "visible"]
    assert found["task"]["reference"].startswith("def solve")


def test_words_are_found_in_any_text(server: ExplorerServer, folder: Path) -> None:
    answer = first(folder)
    verdicts = map(json.loads, (folder / "verdicts.jsonl").read_text().splitlines())
    failed = next(one for one in verdicts if one["log"])
    line = answer["answer"].splitlines()[1].strip().replace(" ", "+")
    for words, place in (
        (line, answer),
        (failed["reason"].replace(" ", "+"), failed),
        (answer["task_id"].partition("-")[0], answer),  # in the prompt
    ):
        found = json.loads(ask(server, f"/api/search?q={words}")[2])["places"]
        assert [0, place["task_id"], place["sample"]] in found
    assert json.loads(ask(server, "/api/search?q=no-such-word")[2]) == {"places": []}
    assert json.loads(ask(server, "/api/search?q=")[2]) == {"places": []}


def rows(server: ExplorerServer) -> int:
    content = json.loads(gzip.decompress(ask(server, "/api/numbers")[2]))
    return len(content["rows"]["run"])


def test_numbers_follow_a_run_that_goes_on(
    server: ExplorerServer, folder: Path, opened: Open
) -> None:
    known = json.loads(ask(server, "/api/state")[2])
    assert known == {"revision": 1, "live": False}
    before = rows(server)
    page = opened(server.address)
    added = {**first(folder), "sample": 7, "answer": "added later"}
    verdict = {**first(folder, "verdicts.jsonl"), "sample": 7, "split": "hidden"}
    with (folder / "answers.jsonl").open("a") as file:
        print(json.dumps(added), file=file)
    with (folder / "verdicts.jsonl").open("a") as file:
        print(json.dumps(verdict), file=file)
        file.write('{"task_id": "half a li')  # is being written
    deadline = time.monotonic() + 30
    while json.loads(ask(server, "/api/state")[2])["revision"] == 1:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert rows(server) == before + 1
    path = f"/api/detail?run=0&task={added['task_id']}&sample=7"
    assert json.loads(ask(server, path)[2])["answer"]["answer"] == "added later"
    told = f"[data-figure=hidden][data-answers='{before + 1}']"
    page.wait_for_selector(f"#overview {told}", timeout=20_000)


def test_the_page_of_the_server_asks_it_for_texts(
    server: ExplorerServer, folder: Path, opened: Open
) -> None:
    answer = first(folder)
    place = f"run=0&task={answer['task_id']}&sample={answer['sample']}"
    page = opened(f"{server.address}#view=task&{place}")
    page.wait_for_selector("#detail[aria-busy=false]")
    assert page.inner_text("#answer code") == answer["answer"]
    page.fill("#search", answer["answer"].splitlines()[1].split()[0])
    page.wait_for_selector("#answers tbody a")


def test_the_command_serves_until_it_is_interrupted(folder: Path) -> None:
    command = [sys.executable, "-m", "libdrift", "view", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip() if process.stdout else ""
        with urllib.request.urlopen(f"{address}api/state") as answer:
            assert json.load(answer) == {"revision": 1, "live": False}
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_a_run_that_has_just_begun(folder: Path, opened: Open) -> None:
    """No answer, no measure, no date: every view says so, and none errs."""
    for path in folder.glob("*s.jsonl"):
        path.unlink()
    about = json.loads((folder / "run.json").read_text())
    del about["summary"]
    (folder / "run.json").write_text(json.dumps(about))
    with open_explorer([folder.parent]) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            assert json.loads(ask(server, "/api/state")[2])["live"] is True
            page = opened(server.address)
            for view in ("breakdown", "compare", "costs", "answers", "overview"):
                page.click(f"#tabs a[data-view={view}]")
            page.wait_for_selector("main >> text=No answer is left", timeout=20_000)
            assert "not finished" in page.inner_text("#provenance")
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    "path", [f"/api/detail?run={'9' * 5000}&sample=0&task=x", "//[", "/?" + "&a" * 9000]
)
def test_addresses_of_any_kind_are_answered(
    path: str, server: ExplorerServer, capfd: pytest.CaptureFixture[str]
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    connection.request("GET", path)
    assert connection.getresponse().status in {200, 400, 404}
    connection.close()
    assert "Traceback" not in capfd.readouterr().err


def test_a_browser_that_goes_away_is_not_told_on_the_terminal(
    server: ExplorerServer, capfd: pytest.CaptureFixture[str]
) -> None:
    server.handle_error(None, ("127.0.0.1", 1))
    assert not capfd.readouterr().err
    assert server.RequestHandlerClass.timeout  # whoever sends half a request is not waited for
