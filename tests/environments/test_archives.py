"""Environments travel as archives: whole, checked, and never out of their folder."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import subprocess
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift.cli import app
from libdrift.config import Settings
from libdrift.environments import Ready, archives, build, recipe_for, store
from libdrift.errors import UserError
from libdrift.records import Environment

BARE = Environment("python", "3.11", ())


@pytest.fixture(scope="module")
def here(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return replace(settings, cache=tmp_path_factory.mktemp("this-machine"))


@pytest.fixture(scope="module")
def built(here: Settings) -> Ready:
    found = build(BARE, here)
    assert isinstance(found, Ready)
    site = found.folder / "venv" / "lib" / "python3.11" / "site-packages"
    (site / "own.py").write_text("WHERE = __file__\n")
    (site / "same.py").hardlink_to(site / "own.py")
    subprocess.run([found.python, "-m", "compileall", "-q", str(site)], check=True)
    return found


@pytest.fixture
def elsewhere(settings: Settings, tmp_path: Path) -> Settings:
    return replace(settings, cache=tmp_path / "other-machine")


def key_of(found: Ready) -> str:
    return found.folder.name


def test_what_is_unpacked_runs_on_another_machine(
    built: Ready, here: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    key = key_of(built)
    manifest = archives.export(key, tmp_path / "out", here)
    assert manifest.bytes == (tmp_path / "out" / f"{key}.tar.gz").stat().st_size
    assert list(archives.import_folder(tmp_path / "out", elsewhere)) == [
        archives.ImportedArchive(key, fresh=True)
    ]
    found = build(BARE, elsewhere)
    assert isinstance(found, Ready)
    assert not found.fresh
    program = "import own, same, sys; print(own.WHERE, own.__cached__)"
    told = subprocess.run([found.python, "-c", program], capture_output=True, text=True, check=True)
    assert str(found.folder) in told.stdout
    compiled = Path(told.stdout.split()[1])
    before = compiled.stat().st_mtime_ns
    subprocess.run([found.python, "-c", program], check=True, capture_output=True)
    assert compiled.stat().st_mtime_ns == before, "what was compiled is still valid"
    assert (tmp_path / "out" / f"{key}.json").is_file()
    assert list(archives.import_folder(tmp_path / "out", elsewhere)) == [
        archives.ImportedArchive(key, fresh=False)
    ]


def test_a_build_unpacks_where_there_is_an_archive(
    built: Ready, here: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    archives.export(key_of(built), tmp_path / "out", here)
    found = build(BARE, replace(elsewhere, archives=tmp_path / "out"))
    assert isinstance(found, Ready)
    assert found.fresh
    assert (found.folder / "venv/lib/python3.11/site-packages/own.py").is_file()


def test_a_bad_archive_does_not_keep_it_from_being_built(
    built: Ready,
    here: Settings,
    elsewhere: Settings,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    archives.export(key_of(built), tmp_path / "out", here)
    (tmp_path / "out" / f"{key_of(built)}.tar.gz").write_bytes(b"torn")
    found = build(BARE, replace(elsewhere, archives=tmp_path / "out"))
    assert isinstance(found, Ready)
    assert not (found.folder / "venv/lib/python3.11/site-packages/own.py").exists()
    assert "sha256" in caplog.text


Change = Callable[[tarfile.TarFile, "Ready"], None]


def _file(tar: tarfile.TarFile, name: str, content: bytes = b"x") -> None:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    tar.addfile(info, io.BytesIO(content))


def _link(tar: tarfile.TarFile, name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> None:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    tar.addfile(info)


def _record(tar: tarfile.TarFile, built: Ready, **changes: object) -> None:
    content = json.loads((built.folder / store.RECORD).read_text())
    _file(tar, store.RECORD, json.dumps({**content, **changes}).encode())


def _twice(tar: tarfile.TarFile, _: Ready) -> None:
    _file(tar, "a")
    _file(tar, "a")


def _behind(tar: tarfile.TarFile, _: Ready) -> None:
    _link(tar, "venv/into", "..")
    _file(tar, "venv/into/evil")


def _up_behind(tar: tarfile.TarFile, _: Ready) -> None:
    _link(tar, "a/b/up", "../..")
    _link(tar, "a/b/out", "up/../../evil")


def _interpreter_behind(tar: tarfile.TarFile, _: Ready) -> None:
    _link(tar, "venv", "other")
    _file(tar, "other/bin/python")


def _config_that_is_the_interpreter(tar: tarfile.TarFile, built: Ready) -> None:
    _record(tar, built)
    _link(tar, "venv/pyvenv.cfg", "bin/python")


def _config_in_no_letters(tar: tarfile.TarFile, built: Ready) -> None:
    _record(tar, built)
    _file(tar, "venv/pyvenv.cfg", b"home = \xff")


def _of_another_age(tar: tarfile.TarFile, _: Ready) -> None:
    info = tarfile.TarInfo("a")
    info.pax_headers = {"mtime": "inf"}
    tar.addfile(info)


def _long_header(tar: tarfile.TarFile, _: Ready) -> None:
    info = tarfile.TarInfo("a")
    info.pax_headers = {"comment": "x" * (2 << 20)}
    tar.addfile(info)


def _many(tar: tarfile.TarFile, _: Ready) -> None:
    for number in range(30):
        _link(tar, f"many/{number}", "", tarfile.DIRTYPE)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_interpreter_behind, "venv is a link"),
        (_config_that_is_the_interpreter, "venv/pyvenv.cfg is a link"),
        (_config_in_no_letters, "it cannot be read"),
        (lambda tar, _: _link(tar, "environment.json", "a"), "environment.json is a link"),
        (lambda tar, _: _link(tar, "venv/l", "", tarfile.GNUTYPE_SPARSE), "it cannot be read"),
        (_of_another_age, "it cannot be read"),
        (_long_header, "a header of 2,09"),
        (_many, "more than 20 files"),
        (lambda tar, _: _file(tar, "../evil"), "leads out of it"),
        (lambda tar, _: _file(tar, "/evil"), "leads out of it"),
        (lambda tar, _: _file(tar, "venv/../../evil"), "leads out of it"),
        (lambda tar, _: _link(tar, "venv/l", "/etc"), "leads out of it"),
        (lambda tar, _: _link(tar, "venv/l", "../../evil"), "leads out of it"),
        (_up_behind, "leads out of it"),
        (_behind, "is behind a link"),
        (lambda tar, _: _link(tar, "venv/l", "environment.json", tarfile.LNKTYPE), "neither"),
        (lambda tar, _: _link(tar, "venv/l", "", tarfile.CHRTYPE), "neither"),
        (lambda tar, _: _link(tar, "venv/l", "", tarfile.FIFOTYPE), "neither"),
        (lambda tar, _: _file(tar, "venv/bin/python"), "brings an interpreter"),
        (_twice, "twice"),
        (lambda tar, _: _file(tar, "big", b"x" * 2_000_000), "more than its manifest lists"),
        (lambda tar, built: _record(tar, built, key="f" * 20), "does not say"),
        (lambda tar, built: _record(tar, built, requirements=["numpy==1.26.4"]), "another recipe"),
        (lambda tar, built: _record(tar, built, status="failed"), "does not say"),
        (lambda tar, _: _file(tar, "a"), "does not say"),
    ],
)
def test_archives_that_lie_are_refused(
    change: Change,
    why: str,
    built: Ready,
    elsewhere: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archives, "_MOST", 20)
    out = tmp_path / "deep" / "out"
    out.mkdir(parents=True)
    key = key_of(built)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        change(tar, built)
    (out / f"{key}.tar.gz").write_bytes(packed.getvalue())
    manifest = {
        "key": key,
        "sha256": hashlib.sha256(packed.getvalue()).hexdigest(),
        "bytes": len(packed.getvalue()),
        "unpacked": 100_000,
    }
    (out / f"{key}.json").write_text(json.dumps(manifest))
    (found,) = archives.import_folder(out, elsewhere)
    assert why in found.trouble
    assert not (elsewhere.environments / key).exists()
    assert not list(tmp_path.rglob("evil"))
    assert not list((elsewhere.environments / store.BUILDING).glob("*"))


@pytest.mark.parametrize(
    ("manifest", "archive", "why"),
    [
        ("{}", b"", "its manifest cannot be read"),
        ('{"key": "../../../../../../x", "sha256": "", "bytes": 1, "unpacked": 1}', b"", "cannot"),
        ("", b"no gzip at all", "it cannot be read"),
        ("", gzip.compress(b"no tar at all" * 100), "it cannot be read"),
        ("", None, "a file is missing"),
    ],
)
def test_what_is_no_archive_is_refused(
    manifest: str, archive: bytes | None, why: str, elsewhere: Settings, tmp_path: Path
) -> None:
    key = recipe_for(BARE).key
    sha256 = hashlib.sha256(archive or b"").hexdigest()
    usual = {"key": key, "sha256": sha256, "bytes": 1, "unpacked": 1}
    (tmp_path / f"{key}.json").write_text(manifest or json.dumps(usual))
    if archive is not None:
        (tmp_path / f"{key}.tar.gz").write_bytes(archive)
    (found,) = archives.import_folder(tmp_path, elsewhere)
    assert why in found.trouble


def test_what_is_no_file_or_has_no_room_is_refused(elsewhere: Settings, tmp_path: Path) -> None:
    key = recipe_for(BARE).key
    manifest, archive = tmp_path / f"{key}.json", tmp_path / f"{key}.tar.gz"
    told = {"key": key, "sha256": "0" * 64, "bytes": 1, "unpacked": 1}
    for change, why in (({}, "it is not a file"), ({"unpacked": 1 << 62}, "are free")):
        manifest.write_text(json.dumps({**told, **change}))
        if not change:
            os.mkfifo(archive)
        (found,) = archives.import_folder(tmp_path, elsewhere)
        assert why in found.trouble
        archive.unlink()
        archive.write_bytes(b"")
    manifest.unlink()
    os.mkfifo(manifest)
    (found,) = archives.import_folder(tmp_path, elsewhere)
    assert "it is not a file" in found.trouble


def test_keys_are_named_by_their_beginnings(built: Ready, here: Settings) -> None:
    key = key_of(built)
    assert archives.find_keys(here, [key[:6], key]) == [key]
    with pytest.raises(UserError, match="matches no environment"):
        archives.find_keys(here, ["nothing"])
    with pytest.raises(UserError, match="environments"):
        archives.find_keys(here, [""])


def test_the_command_packs_and_unpacks(
    built: Ready, here: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = key_of(built)
    out = str(tmp_path / "out")
    monkeypatch.setenv("LIBDRIFT_CACHE", str(here.cache))
    done = CliRunner().invoke(app.app, ["env", "export", key[:8], "--out", out, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["archives"][0]["key"] == key
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path / "other"))
    done = CliRunner().invoke(app.app, ["env", "import", out, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["environments"] == [{"key": key, "fresh": True, "trouble": ""}]
    (tmp_path / "out" / f"{key}.tar.gz").write_bytes(b"")
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path / "third"))
    assert CliRunner().invoke(app.app, ["env", "import", out]).exit_code == 3
