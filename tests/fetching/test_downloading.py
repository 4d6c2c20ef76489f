from __future__ import annotations

import hashlib
import io
import socket
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError
from libdrift.fetching.downloading import DownloadPatience, FileDownloader
from libdrift.fetching.sources import PinnedFile
from tests.fetching.server import Faults, FaultyServer

CONTENT = bytes(range(256)) * 40  # 10,240 bytes
PIN = PinnedFile("f", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
QUICK = DownloadPatience(connect=2, read=0.4, pauses=(0.01, 0.01))


def get(server: FaultyServer, target: Path, pin: PinnedFile = PIN, path: str = "/f") -> None:
    downloader = FileDownloader(QUICK)
    try:
        downloader.get(f"{server.url}{path}", target, pin)
    finally:
        downloader.close()


@pytest.mark.parametrize(
    ("faults", "ranges"),
    [
        (Faults(), [""]),
        (Faults(etag=""), [""]),
        (Faults(length=None), [""]),
        (Faults(cut=[3000]), ["", "bytes=3000-"]),
        (Faults(cut=[3000, 100], chunked=True), ["", "bytes=3000-", "bytes=3100-"]),
        (Faults(cut=[3000], etag=""), ["", "bytes=3000-"]),
        (Faults(cut=[3000], etag='W/"weak"'), ["", "bytes=3000-"]),
        (Faults(cut=[3000, 2000]), ["", "bytes=3000-", "bytes=5000-"]),
        # An answer without a length that ends early.
        (Faults(cut=[3000], length=None), ["", "bytes=3000-"]),
        # Without ranges it starts anew.
        (Faults(cut=[3000], ranges=False), ["", "bytes=3000-"]),
        (Faults(cut=[3000], wrong_range=True), ["", "bytes=3000-", ""]),
        (Faults(statuses=[503, 429]), ["", "", ""]),
        # Nothing at all comes, twice.
        (Faults(cut=[0, 0]), ["", "", ""]),
    ],
)
def test_a_file_comes_whole_in_the_end(
    server: FaultyServer, tmp_path: Path, faults: Faults, ranges: list[str]
) -> None:
    server.files["/f"] = CONTENT
    server.faults["/f"] = faults
    get(server, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CONTENT
    assert [one for _, one in server.asked] == ranges
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


@pytest.mark.parametrize(
    ("faults", "content", "words"),
    [
        (Faults(), CONTENT[:-1] + b"x", "is not the file that is pinned (its sha256 is another)"),
        (Faults(), CONTENT + b"x", "is not the file that is pinned (10,241 bytes, not 10,240)"),
        (Faults(), CONTENT[:-9], "is not the file that is pinned (10,231 bytes, not 10,240)"),
        (Faults(length=99), CONTENT, "is not the file that is pinned (99 bytes, not 10,240)"),
        (Faults(length=None), CONTENT + b"x", "sends more than 10,240 bytes"),
        (Faults(statuses=[404]), CONTENT, "/f is gone (HTTP 404). Get http"),
        (Faults(statuses=[403]), CONTENT, "/f is refused (HTTP 403). Get http"),
        (Faults(statuses=[500] * 9), CONTENT, "127.0.0.1 answers with HTTP 500. Get http"),
        (Faults(redirect="/f"), CONTENT, "127.0.0.1 cannot be asked (TooManyRedirects). Get http"),
        (Faults(cut=[0] * 9), CONTENT, "127.0.0.1 broke off an answer. Get http"),
        (Faults(drip=0.6), CONTENT, "127.0.0.1 does not answer in time. Get http"),
        # A drop at a time, but never silent: what has come is gone on from, and it stays slow.
        (
            Faults(drip=0.1, piece=1, cut=[9] * 9),
            CONTENT,
            "127.0.0.1 sends less than 1 kB a second",
        ),
    ],
)
def test_what_cannot_be_had_is_one_line_with_the_way_out(
    server: FaultyServer, tmp_path: Path, faults: Faults, content: bytes, words: str
) -> None:
    server.files["/f"] = content
    server.faults["/f"] = faults
    with pytest.raises(InfrastructureError) as caught:
        get(server, tmp_path / "f")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "f").exists()


def test_a_redirect_is_followed(server: FaultyServer, tmp_path: Path) -> None:
    server.files["/there"] = CONTENT
    server.faults["/f"] = Faults(redirect="/there")
    get(server, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CONTENT


def test_a_beginning_of_another_file_is_thrown_away(server: FaultyServer, tmp_path: Path) -> None:
    server.files["/f"] = CONTENT
    (tmp_path / "f.part").write_bytes(b"x" * 100)
    get(server, tmp_path / "f")
    assert [one for _, one in server.asked] == ["bytes=100-", ""]
    assert (tmp_path / "f").read_bytes() == CONTENT


def test_a_beginning_that_nothing_ties_to_the_rest_is_not_gone_on_from(
    server: FaultyServer, tmp_path: Path
) -> None:
    server.files["/f"] = CONTENT
    (tmp_path / "f.part").write_bytes(b"x" * 100)
    get(server, tmp_path / "f", PinnedFile("f"))
    assert [one for _, one in server.asked] == [""]
    assert (tmp_path / "f").read_bytes() == CONTENT


def test_a_file_that_changed_on_the_server_starts_anew(
    server: FaultyServer, tmp_path: Path
) -> None:
    server.files["/f"] = CONTENT
    (tmp_path / "f.part").write_bytes(b"x" * 100)
    (tmp_path / "f.part.etag").write_text('"old"', "utf-8")
    get(server, tmp_path / "f", PinnedFile("f"))
    assert [one for _, one in server.asked] == ["bytes=100-"]
    assert (tmp_path / "f").read_bytes() == CONTENT


def test_what_is_whole_already_is_not_asked_for(server: FaultyServer, tmp_path: Path) -> None:
    (tmp_path / "f.part").write_bytes(CONTENT)
    get(server, tmp_path / "f")
    assert not server.asked


def test_offline_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    downloader = FileDownloader(QUICK)
    with pytest.raises(InfrastructureError) as caught:
        downloader.get(f"http://127.0.0.1:{port}/f", tmp_path / "f", PIN)
    downloader.close()
    assert str(caught.value) == (
        f"127.0.0.1 cannot be reached. Get http://127.0.0.1:{port}/f by other means, "
        f"put it at {tmp_path / 'f'} and run the same command"
    )


def test_a_proxy_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free.getsockname()[1]}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    downloader = FileDownloader(QUICK)
    with pytest.raises(
        InfrastructureError, match=r"cannot be reached through the proxy\. Get http"
    ):
        downloader.get("http://data.invalid/f", tmp_path / "f", PIN)
    downloader.close()


def test_no_way_without_encryption_from_one_with_it(
    server: FaultyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import requests

    server.files["/f"] = CONTENT
    plain = requests.Session.get

    def led(self: requests.Session, url: str, **options: object) -> requests.Response:
        return plain(self, url.replace("https:", "http:"), **options)  # type: ignore[arg-type]

    monkeypatch.setattr(requests.Session, "get", led)
    downloader = FileDownloader(QUICK)
    with pytest.raises(InfrastructureError, match="leads to an address without encryption"):
        downloader.get(f"{server.url}/f".replace("http:", "https:"), tmp_path / "f", PIN)
    downloader.close()
    assert not list(tmp_path.iterdir())


def test_nor_on_the_way_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import requests

    def led(self: requests.Session, url: str, **options: object) -> requests.Response:
        del self, options
        between, found = requests.Response(), requests.Response()
        between.url, found.url = "http://between.invalid/f", url
        found.status_code, found.history, found.raw = 200, [between], io.BytesIO()
        return found

    monkeypatch.setattr(requests.Session, "get", led)
    downloader = FileDownloader(QUICK)
    with pytest.raises(InfrastructureError, match="leads to an address without encryption"):
        downloader.get("https://data.invalid/f", tmp_path / "f", PIN)
    downloader.close()
