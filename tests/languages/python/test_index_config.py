from __future__ import annotations

from pathlib import Path

import pytest
from pypi_simple import PYPI_SIMPLE_ENDPOINT

from libdrift.errors import UserError
from libdrift.languages.python.index_config import Credential, IndexSources, read

A, B, C = "https://a.example/simple", "https://b.example/simple", "https://c.example/simple"


def configured(
    root: Path, environ: dict[str, str], files: dict[str, str] | None = None
) -> IndexSources:
    for name, text in (files or {}).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    placed = {name: value.replace("ROOT", str(root)) for name, value in environ.items()}
    return read({"HOME": str(root / "home"), **placed}, system=root / "etc", prefix=root / "venv")


PIP = "home/.config/pip/pip.conf"
UV = "home/.config/uv/uv.toml"


@pytest.mark.parametrize(
    ("environ", "files", "indexes"),
    [
        ({}, {}, (PYPI_SIMPLE_ENDPOINT,)),
        ({"PIP_INDEX_URL": A}, {}, (A,)),
        ({"PIP_EXTRA_INDEX_URL": f"{A} {B}"}, {}, (PYPI_SIMPLE_ENDPOINT, A, B)),
        ({"PIP_INDEX_URL": A, "PIP_NO_INDEX": "1"}, {}, ()),
        ({"PIP_NO_INDEX": "0"}, {}, (PYPI_SIMPLE_ENDPOINT,)),
        ({}, {PIP: f"[global]\nindex-url = {A}\n"}, (A,)),
        ({}, {"home/.pip/pip.conf": f"[global]\nindex-url = {A}\n"}, (A,)),
        ({}, {"etc/pip.conf": f"[global]\nindex_url = {A}\n"}, (A,)),
        ({}, {"etc/xdg/pip/pip.conf": f"[global]\nindex-url = {A}\n"}, (A,)),
        ({}, {"venv/pip.conf": f"[global]\nindex-url = {A}\n", PIP: f"[global]\nindex-url = {B}\n"}, (A,)),
        ({}, {PIP: f"[global]\nindex-url = {A}\n[install]\nindex-url = {B}\n"}, (B,)),
        ({}, {PIP: f"[download]\nextra-index-url =\n  {A}\n  {B}\n"}, (PYPI_SIMPLE_ENDPOINT, A, B)),
        ({"PIP_INDEX_URL": B}, {PIP: f"[global]\nindex-url = {A}\n"}, (B,)),
        ({"PIP_CONFIG_FILE": "ROOT/own"}, {"own": f"[global]\nindex-url = {A}\n", PIP: f"[global]\nindex-url = {B}\n"}, (A,)),
        ({"PIP_CONFIG_FILE": "/dev/null"}, {PIP: f"[global]\nindex-url = {B}\n"}, (PYPI_SIMPLE_ENDPOINT,)),
        ({"UV_INDEX_URL": A, "PIP_INDEX_URL": B}, {}, (A,)),
        ({"UV_INDEX_URL": A, "UV_DEFAULT_INDEX": f"main={B}"}, {}, (B,)),
        ({"UV_INDEX": f"own={A} {B}", "UV_EXTRA_INDEX_URL": C}, {}, (PYPI_SIMPLE_ENDPOINT, A, B, C)),
        ({"UV_NO_INDEX": "true", "PIP_INDEX_URL": B}, {}, ()),
        ({}, {UV: f'index-url = "{A}"\nextra-index-url = ["{B}"]\n'}, (A, B)),
        ({}, {UV: f'[pip]\nindex-url = "{A}"\n', PIP: f"[global]\nindex-url = {B}\n"}, (A,)),
        ({}, {"etc/uv/uv.toml": f'index-url = "{A}"\n', UV: f'index-url = "{B}"\n'}, (B,)),
        ({}, {UV: f'[[index]]\nname = "x"\nurl = "{A}"\ndefault = true\n[[index]]\nurl = "{B}"\n'}, (A, B)),
        ({}, {UV: f'[[index]]\nname = "x"\nurl = "{A}"\nexplicit = true\n'}, (PYPI_SIMPLE_ENDPOINT,)),
        ({"UV_NO_CONFIG": "1"}, {UV: f'index-url = "{A}"\n'}, (PYPI_SIMPLE_ENDPOINT,)),
        ({"UV_CONFIG_FILE": "ROOT/own"}, {"own": f'index-url = "{A}"\n', UV: f'index-url = "{B}"\n'}, (A,)),
        ({"UV_INDEX_URL": "file:///srv/my%20index"}, {}, ("/srv/my index",)),
    ],
)  # fmt: skip
def test_the_indexes_are_those_of_pip_and_uv(
    tmp_path: Path, environ: dict[str, str], files: dict[str, str], indexes: tuple[str, ...]
) -> None:
    assert configured(tmp_path, environ, files).indexes == indexes


@pytest.mark.parametrize(
    ("environ", "files", "links"),
    [
        ({"PIP_FIND_LINKS": "/wheels https://a.example/all"}, {}, ("/wheels", "https://a.example/all")),
        ({"PIP_FIND_LINKS": "~/wheels"}, {}, ("ROOT/home/wheels",)),
        ({"UV_FIND_LINKS": "/a, /b c", "PIP_FIND_LINKS": "/d"}, {}, ("/a", "/b c")),
        ({}, {PIP: "[global]\nfind-links = file:///wheels\n"}, ("/wheels",)),
        ({}, {"etc/uv/uv.toml": 'find-links = ["wheels"]\n'}, ("ROOT/etc/uv/wheels",)),
        ({}, {UV: '[[index]]\nurl = "/wheels"\nformat = "flat"\n'}, ("/wheels",)),
    ],
)  # fmt: skip
def test_local_folders_and_pages_of_links(
    tmp_path: Path, environ: dict[str, str], files: dict[str, str], links: tuple[str, ...]
) -> None:
    found = configured(tmp_path, environ, files).links
    assert found == tuple(link.replace("ROOT", str(tmp_path)) for link in links)


@pytest.mark.parametrize(
    "environ",
    [
        {"PIP_INDEX_URL": "https://me:s%40cret@a.example/simple"},
        {
            "UV_DEFAULT_INDEX": "my-own=https://a.example/simple",
            "UV_INDEX_MY_OWN_USERNAME": "me",
            "UV_INDEX_MY_OWN_PASSWORD": "s@cret",
        },
    ],
)
def test_credentials_are_kept_apart_and_never_shown(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    found = configured(tmp_path, environ)
    assert found.indexes == (A,)
    assert found.credentials == (Credential(A, "me", "s@cret"),)
    assert "cret" not in repr(found) + repr(found.credentials)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"SSL_CERT_FILE": "ROOT/a"}, "a"),
        ({"SSL_CERT_FILE": "ROOT/a", "REQUESTS_CA_BUNDLE": "ROOT/b"}, "b"),
        ({"REQUESTS_CA_BUNDLE": "ROOT/b", "PIP_CERT": "ROOT/a"}, "a"),
    ],
)
def test_certificates(tmp_path: Path, environ: dict[str, str], expected: str) -> None:
    found = configured(tmp_path, environ, {"a": "", "b": ""})
    assert found.certificates == str(tmp_path / expected)


@pytest.mark.parametrize(
    ("environ", "files", "message"),
    [
        ({"PIP_CERT": "/not/there"}, {}, "/not/there"),
        ({}, {PIP: "no section"}, "pip.conf cannot be read"),
        ({}, {UV: "no = = toml"}, "uv.toml cannot be read"),
    ],
)
def test_settings_that_cannot_be_read_are_named(
    tmp_path: Path, environ: dict[str, str], files: dict[str, str], message: str
) -> None:
    with pytest.raises(UserError, match=message) as caught:
        configured(tmp_path, environ, files)
    assert "\n" not in str(caught.value)
