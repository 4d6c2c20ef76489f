from __future__ import annotations

import pytest

from libdrift.languages.python.places import hint, kept, sdist_paths, wheel_path


@pytest.mark.parametrize(
    ("package", "names", "hints", "expected"),
    [
        ("pkg", "setup.py conftest.py pkg/__init__.py pkg/a.py tests/__init__.py docs/conf.py", {}, "pkg/__init__.py pkg/a.py"),
        ("pkg", "src/pkg/__init__.py setup.py", {}, "pkg/__init__.py"),
        ("matplotlib", "lib/matplotlib/__init__.py lib/pylab.py setup.py examples/a.py", {}, "matplotlib/__init__.py pylab.py"),
        ("six", "six.py setup.py test_six.py", {}, "six.py"),
        ("Pillow", "PIL/__init__.py PIL/_imaging.so Scripts/a.py setup.py selftest.py", {}, "PIL/__init__.py PIL/_imaging.so"),
        ("PyYAML", "lib/yaml/__init__.py lib3/yaml/__init__.py lib3/PyYAML.egg-info/x", {"lib3/PyYAML.egg-info/top_level.txt": "_yaml\nyaml\n"}, "yaml/__init__.py"),
        ("scikit-learn", "sklearn/__init__.py benchmarks/__init__.py odd/__init__.py", {"scikit_learn.egg-info/top_level.txt": "sklearn\n"}, "sklearn/__init__.py"),
        ("pkg", "code/pkg/__init__.py setup.py", {"setup.py": 'setup(package_dir={"": "code"})'}, "pkg/__init__.py"),
        ("pkg", "code/other/__init__.py setup.py", {"setup.py": "packages=find_packages(where='code')"}, "other/__init__.py"),
        ("pkg", "code/other/__init__.py setup.py", {"setup.cfg": "[options]\npackage_dir =\n    = code\n"}, "other/__init__.py"),
        ("pkg", "code/other/__init__.py setup.py", {"setup.cfg": "[options.packages.find]\nwhere = code\n"}, "other/__init__.py"),
        ("pkg", "code/other/__init__.py", {"pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["code"]\n'}, "other/__init__.py"),
        ("pkg", "code/other/__init__.py", {"pyproject.toml": '[tool.poetry]\npackages = [{include = "other", from = "code"}]\n'}, "other/__init__.py"),
        ("pkg", "pkg/__init__.py", {"pyproject.toml": "no toml", "setup.cfg": "no section"}, "pkg/__init__.py"),
        ("google-cloud-x", "google/cloud/x/__init__.py setup.py", {}, "google/cloud/x/__init__.py"),
        ("pkg", "setup.py docs/conf.py", {}, ""),
        ("pkg", "pkg/__init__.py pkg/a.pyx pkg/b.pyi pkg/py.typed pkg/c.c", {}, "pkg/__init__.py pkg/a.pyx pkg/b.pyi pkg/py.typed"),
    ],
)  # fmt: skip
def test_an_sdists_packages(package: str, names: str, hints: dict[str, str], expected: str) -> None:
    members = [f"top-1.0/{name}" for name in [*names.split(), *hints]]
    texts = {f"top-1.0/{name}": text.encode() for name, text in hints.items()}
    assert all(hint(name) for name in texts)
    found = sdist_paths(members, texts, package)
    assert " ".join(sorted(found.values())) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pkg/a.py", "pkg/a.py"),
        ("pkg/a.txt", None),
        ("pkg-1.data/platlib/pkg/a.py", "pkg/a.py"),
        ("pkg-1.data/headers/a.py", None),
        ("pkg-1.dist-info/a.py", None),
    ],
)
def test_a_wheels_members(name: str, expected: str | None) -> None:
    assert wheel_path(name) == expected


def test_only_files_near_the_root_tell_where_packages_are() -> None:
    assert hint("pkg-1.0/setup.py")
    assert not hint("pkg-1.0/vendored/setup.py")
    assert not hint("pkg-1.0/top_level.txt")
    assert not kept("pkg/setup.cfg")
