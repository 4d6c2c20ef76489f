from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.build import pins
from libdrift.build.pins import Libraries
from tests.build.repos import history, write


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("numpy==1.26.4", ("numpy", "1.26.4")),
        ("Scikit_Learn == 1.3", ("scikit-learn", "1.3")),
        ("requests[security,socks]==2.31.0", ("requests", "2.31.0")),
        ("six===1.16.0", ("six", "1.16.0")),
        ("torch==2.1.0+cu118", ("torch", "2.1.0")),
        ("pandas>=2,==2.1.4", ("pandas", "2.1.4")),
        ("numpy==1.26.*", None),
        ("numpy>=1.26", None),
        ("numpy==1.25,==1.26", None),
        ("numpy", None),
        ('numpy==1.24.4; python_version < "3.9"', None),
        ('numpy==1.26.4; python_version >= "3.9" and sys_platform == "linux"', ("numpy", "1.26.4")),
        ('pywin32==306; platform_system == "Windows"', None),
        ("pip @ https://example.org/pip.zip", None),
        ("git+https://example.org/x@v1#egg=x", None),
        ("./local", None),
    ],
)
def test_exact_pins(line: str, expected: tuple[str, str] | None) -> None:
    assert pins.exact(line, "3.11") == expected


REQUIREMENTS = """\
# comment
-r more/base.txt
--index-url https://example.org
-e .
numpy==1.26.4 \\
    --hash=sha256:aaaa \\
    --hash=sha256:bbbb
requests==2.31.0  # why
this is no requirement
"""
LOCK = """\
[[package]]
name = "numpy"
version = "1.25.0"

[[package]]
name = "Two"
version = "1.0"

[[package]]
name = "two"
version = "2.0"

[[package]]
name = "project"
version = "0.1"
source = { editable = "." }
"""
PYPROJECT = """\
[project]
dependencies = ["a==1.0", "b>=2"]
[project.optional-dependencies]
x = ["c==3.0"]
[dependency-groups]
dev = ["d==4.0", {include-group = "x"}]
[tool.poetry.dependencies]
python = "^3.11"
e = "5.0"
f = "^6.0"
g = {version = "==7.0", extras = ["y"]}
[tool.poetry.group.test.dependencies]
h = "8.0"
"""


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"requirements.txt": REQUIREMENTS, "more/base.txt": "-r ../requirements.txt\nsix==1.0"},
            {"six": "1.0", "numpy": "1.26.4", "requests": "2.31.0"},
        ),
        ({"requirements/prod.txt": "a==1", "constraints.txt": "b==2"}, {"a": "1", "b": "2"}),
        ({"requirements.txt": "a==1".encode("utf-16")}, {"a": "1"}),
        ({"uv.lock": LOCK}, {"numpy": "1.25.0"}),
        (
            {"Pipfile.lock": '{"default": {"a": {"version": "==1"}, "b": {"git": "x"}}}'},
            {"a": "1"},
        ),
        (
            {"pyproject.toml": PYPROJECT},
            {"a": "1.0", "c": "3.0", "d": "4.0", "e": "5.0", "g": "7.0", "h": "8.0"},
        ),
        (
            {
                "setup.cfg": "[options]\ninstall_requires =\n    a==1\n    b>2\n"
                "[options.extras_require]\nx = c==%3\n d==4\n"
            },
            {"a": "1", "d": "4"},
        ),
        ({"setup.py": "setup(install_requires=['a==1', read(), 'b'])"}, {"a": "1"}),
        ({"setup.py": "NEED = ['a==1']\nif x:\n    setup(install_requires=NEED)"}, {"a": "1"}),
        (
            {
                "environment.yml": "dependencies:\n  - pytorch=2.1.0=py311\n  - b=1.0\n"
                "  - pip:\n    - c==3\n"
            },
            {"torch": "2.1.0", "c": "3"},
        ),
        ({"README.md": "numpy==1"}, {}),
    ],
)
def test_every_kind_of_requirement_file(
    tmp_path: Path, files: dict[str, str | bytes], expected: dict[str, str]
) -> None:
    assert pins.read(write(tmp_path, files), "3.11").versions == expected


@pytest.mark.parametrize(
    ("files", "version", "problem"),
    [
        ({"poetry.lock": LOCK, "requirements.txt": "numpy==1.26"}, "1.25.0", pins.CONFLICT),
        ({"uv.lock": LOCK}, "1.25.0", pins.SEVERAL),
        ({"requirements.txt": "numpy==1\nnumpy==2"}, "1", pins.CONFLICT),
        ({"requirements.txt": "numpy==1\n-r ../up.txt"}, "1", pins.OUTSIDE),
        ({"requirements.txt": "numpy==1\n-r none.txt"}, "1", pins.OUTSIDE),
        ({"requirements.txt": "numpy==1\n${X}==2"}, "1", pins.BROKEN_LINE),
        ({"requirements.txt": "numpy==1\nx===foo"}, "1", pins.BROKEN_LINE),
        ({"requirements.txt": "numpy==1", "uv.lock": "[[package"}, "1", pins.BROKEN_FILE),
        ({"requirements.txt": "numpy==1", "uv.lock": "package = 3"}, "1", pins.BROKEN_FILE),
        ({"requirements.txt": "numpy==1", "Pipfile.lock": "[]"}, "1", pins.BROKEN_FILE),
        ({"requirements.txt": "numpy==1", "setup.py": "print 1"}, "1", pins.BROKEN_FILE),
        ({"requirements.txt": "numpy==1", "setup.cfg": "x"}, "1", pins.BROKEN_FILE),
        ({"requirements.txt": "numpy==1", "constraints.txt": b"\xff\xff"}, "1", pins.BROKEN_FILE),
    ],
)
def test_trouble_is_counted_and_the_rest_read(
    tmp_path: Path, files: dict[str, str | bytes], version: str, problem: str
) -> None:
    found = pins.read(write(tmp_path / "repo", files), "3.11")
    assert found.versions == {"numpy": version}
    assert found.problems[problem] == 1


def test_equal_pins_are_no_conflict(tmp_path: Path) -> None:
    files = {"requirements.txt": "numpy==1.0", "constraints.txt": "NumPy==1.0.0"}
    assert pins.read(write(tmp_path, files), "3.11").problems == {}


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("sklearn.svm", "scikit-learn"),
        ("PIL", "pillow"),
        ("yaml", "pyyaml"),
        ("cv2", "opencv-python-headless"),
        ("google.cloud.storage.Client", "google-cloud-storage"),
        ("google.auth", None),
        ("flask.login", "flask"),
        ("numpy", None),
        ("os.path", None),
    ],
)
def test_the_library_of_a_module(module: str, expected: str | None) -> None:
    names = "scikit-learn pillow pyyaml opencv-python-headless google-cloud-storage flask"
    pinned = dict.fromkeys([*names.split(), "flask-login"], "1.0")
    assert Libraries(pinned).of(module) == expected


def test_the_history_knows_its_roots() -> None:
    with history() as store:
        assert Libraries({"pkg": "2.0"}, store).of("pkg.core") == "pkg"
        assert Libraries({"other": "1"}, store).of("pkg.core") is None
