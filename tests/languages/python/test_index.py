from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.languages.python.index import Listing, PackageIndex
from libdrift.languages.python.index_config import Credential, IndexSources
from libdrift.records import Release
from tests.languages.python.registry import HASTY, Registry, serve


@pytest.fixture
def registry() -> Iterator[Registry]:
    with serve() as found:
        yield found


FILES = {
    "pkg-1.0.tar.gz": b"a",
    "pkg-1.10-py3-none-any.whl": b"bb",
    "pkg-1.9-py3-none-any.whl": b"c",
    "pkg-2.0rc1-py3-none-any.whl": b"d",
}
DATES = {
    "pkg-1.0.tar.gz": "2020-01-01",
    "pkg-1.9-py3-none-any.whl": "2021-02-03",
    "pkg-1.10-py3-none-any.whl": "2022-01-01",
    "pkg-2.0rc1-py3-none-any.whl": "2023-01-01",
}


def versions(listings: tuple[Listing, ...]) -> list[str]:
    return [item.release.version for item in listings]


def test_releases_come_in_the_order_of_versions_with_their_dates(registry: Registry) -> None:
    registry.publish("my-pkg", {f"my_{name}": data for name, data in FILES.items()})
    registry.publish("pkg", FILES, dates=DATES, yanked=frozenset({"pkg-1.9-py3-none-any.whl"}))
    found = registry.index().releases("Pkg")
    assert versions(found) == ["1.0", "1.9", "1.10", "2.0rc1"]
    assert found[1].release == Release("pypi", "pkg", "1.9", date(2021, 2, 3))
    assert [item.yanked for item in found] == [False, True, False, False]
    assert [item.prerelease for item in found] == [False, False, False, True]
    assert found[2].files[0].size == 2
    assert registry.index().releases("My.Pkg")[0].release.package == "my-pkg"


def test_an_index_of_plain_pages_is_dated_by_its_project_json(registry: Registry) -> None:
    registry.publish("pkg", FILES, html=True)
    assert registry.index().releases("pkg")[0].release.date is None
    rows = [
        {"filename": name, "upload_time_iso_8601": f"{day}T01:02:03.5Z", "size": 7}
        for name, day in DATES.items()
    ]
    registry.files["/pypi/pkg/json"] = json.dumps({"releases": {"any": rows}}).encode()
    found = registry.index().releases("pkg")
    assert [str(item.release.date) for item in found] == [
        DATES[item.files[0].name] for item in found
    ]
    assert found[0].files[0].size == 7
    for bad in (b"no json", b"[]", b'{"releases": {"any": [{"filename": 1}, 2]}}'):
        registry.files["/pypi/pkg/json"] = bad
        assert registry.index().releases("pkg")[0].release.date is None


def test_several_sources_are_one_and_the_first_file_of_a_name_counts(
    registry: Registry, tmp_path: Path
) -> None:
    registry.publish("pkg", {"pkg-1.0.tar.gz": b"a", "pkg-2.0.tar.gz": b"b"})
    flat, simple = tmp_path / "flat", tmp_path / "simple"
    (simple / "pkg").mkdir(parents=True)
    flat.mkdir()
    (flat / "pkg-1.0.tar.gz").write_bytes(b"mine")
    (flat / "pkg-extra-9.0.tar.gz").write_bytes(b"of another package")
    (simple / "pkg" / "Pkg-3.0-py3-none-any.whl").write_bytes(b"c")
    sources = IndexSources(
        (f"{registry.url}/simple/", str(simple), str(tmp_path / "nowhere")), (str(flat),)
    )
    found = PackageIndex(sources, HASTY).releases("pkg")
    assert versions(found) == ["1.0", "2.0", "3.0"]
    assert [item.files[0].local for item in found] == [True, False, True]
    assert found[0].files[0].location == str(flat / "pkg-1.0.tar.gz")
    (simple / "pkg" / "index.html").write_text('<a href="../x/pkg-4.0.zip">pkg-4.0.zip</a>')
    found = PackageIndex(sources, HASTY).releases("pkg")
    assert found[-1].files[0].location == str(simple / "x" / "pkg-4.0.zip")


def test_names_without_a_version_are_told_and_other_formats_are_no_files(
    registry: Registry,
) -> None:
    names = ["pkg-1.0.tar.gz", "pkg-1.0-py2.7.egg", "pkg-final.tar.gz", "notes.txt", "pkg-2.0.rpm"]
    registry.publish("pkg", dict.fromkeys([*names, "pkg-3.0.win32.exe"], b""))
    found = registry.index().project("pkg")
    assert versions(found.listings) == ["1.0", "3.0"]
    assert [len(item.files) for item in found.listings] == [1, 0]
    assert set(found.skipped) == {"pkg-final.tar.gz", "notes.txt", "pkg-2.0.rpm"}


def test_a_server_cannot_name_files_of_this_machine(registry: Registry) -> None:
    registry.publish("pkg", {"pkg-1.0.tar.gz": b"a"}, html=True)
    registry.files["/simple/pkg/"] += b'<a href="file:///etc/pkg-2.0.zip">pkg-2.0.zip</a>'
    assert versions(registry.index().releases("pkg")) == ["1.0"]


@pytest.mark.parametrize(
    "name", ["pkg#x", "pkg?x", "../simple/pkg", "", "-r", "http://127.0.0.1/pkg", "pkg\x1b[31m"]
)
def test_what_is_no_name_is_asked_of_nobody(registry: Registry, name: str) -> None:
    with pytest.raises(UserError, match="no name"):
        registry.index().releases(name)
    assert not registry.asked


def test_an_unknown_package_is_the_callers_mistake(registry: Registry) -> None:
    with pytest.raises(UserError, match=r"no package 'nope' in http://127.*Check the spelling"):
        registry.index().releases("nope")


@pytest.mark.parametrize(
    ("troubles", "message", "kind"),
    [
        ([503, 503], "answers with HTTP 503, 2 times", InfrastructureError),
        ([429, 502], "answers with HTTP 502", InfrastructureError),
        ([400], "answers with HTTP 400", InfrastructureError),
        ([403], r"refuses access \(HTTP 403\)", UserError),
    ],
)
def test_an_index_that_answers_with_errors(
    registry: Registry, troubles: list[int], message: str, kind: type[LibdriftError]
) -> None:
    registry.publish("pkg", FILES)
    registry.troubles["/simple/pkg/"] = troubles
    with pytest.raises(kind, match=message):
        registry.index().releases("pkg")


def test_a_passing_error_is_passed_over(registry: Registry) -> None:
    registry.publish("pkg", FILES, dates=DATES)
    registry.troubles["/simple/pkg/"] = [503]
    assert len(registry.index().releases("pkg")) == 4
    assert len(registry.asked) == 2


def test_an_index_that_hangs_or_is_not_there(registry: Registry) -> None:
    registry.publish("pkg", FILES)
    registry.stall = True
    with pytest.raises(InfrastructureError, match="does not answer in time"):
        registry.index().releases("pkg")
    gone = PackageIndex(IndexSources(("http://127.0.0.1:9/simple/",)), HASTY)
    with pytest.raises(InfrastructureError, match=r"http://127\.0\.0\.1:9 cannot be reached"):
        gone.releases("pkg")


@pytest.mark.parametrize("kind", ["application/json", "application/vnd.pypi.simple.v1+json"])
def test_what_is_no_index_is_said_to_be_none(registry: Registry, kind: str) -> None:
    registry.files["/simple/pkg/"] = b"<p>hello"
    registry.kinds["/simple/pkg/"] = kind
    with pytest.raises(InfrastructureError, match="as a package index does"):
        registry.index().releases("pkg")


def test_credentials_go_to_their_own_host_only_and_into_no_message(registry: Registry) -> None:
    registry.publish("pkg", FILES, dates=DATES)
    registry.login = "me:s@cret"
    own = Credential(f"{registry.url}/simple/", "me", "s@cret")
    sources = IndexSources((f"{registry.url}/simple/",), credentials=(own,))
    assert PackageIndex(sources, HASTY).releases("pkg")
    elsewhere = replace(own, url="http://other.example/simple/")
    with pytest.raises(UserError) as caught:
        PackageIndex(replace(sources, credentials=(elsewhere,)), HASTY).releases("pkg")
    assert "cret" not in str(caught.value)


def test_the_nearest_credentials_of_a_host(registry: Registry) -> None:
    registry.publish("pkg", FILES, dates=DATES)
    registry.login = "me:right"
    wrong = Credential(f"{registry.url}/other/", "me", "wrong")
    right = Credential(f"{registry.url}/simple/", "me", "right")
    sources = IndexSources((f"{registry.url}/simple/",), credentials=(wrong, right))
    assert PackageIndex(sources, HASTY).releases("pkg")


def test_credentials_of_netrc(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry.publish("pkg", FILES, dates=DATES)
    registry.login = "me:secret"
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    assert registry.index().releases("pkg")
