"""Which source a package is of: its name says it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.mining import MiningOptions, Runtime, sources
from libdrift.mining.sources import Source, sources_of

READ_ONLY = MiningOptions(runtime=Runtime.NEVER)


def kinds(packages: list[str], settings: Settings) -> list[tuple[str, tuple[str, ...]]]:
    found = sources_of(packages, READ_ONLY, settings)
    return [(type(source).__name__, source.packages) for source in found]


def test_the_index_is_one_source_for_all_of_its_packages(empty_settings: Settings) -> None:
    named = ["python", "numpy", "jdk", "rust", "crate:itoa", "crate", "maven:a:b", "numpy"]
    assert kinds(named, empty_settings) == [
        ("IndexSource", ("numpy", "crate")),
        ("PythonSource", ("python",)),
        ("JdkSource", ("jdk",)),
        ("RustSource", ("rust",)),
        ("CrateSource", ("crate:itoa",)),
        ("MavenSource", ("maven:a:b",)),
    ]


def test_every_source_is_reached_by_a_name(empty_settings: Settings) -> None:
    """One that is written and has no case in ``sources_of`` would never be asked."""
    written = {
        name
        for module in pkgutil.iter_modules(sources.__path__)
        for name, found in inspect.getmembers(
            importlib.import_module(f"{sources.__name__}.{module.name}"), inspect.isclass
        )
        if issubclass(found, Source) and not inspect.isabstract(found)
    }
    named = ["python", "numpy", "jdk", "rust", "crate:itoa", "maven:a:b"]
    assert {name for name, _ in kinds(named, empty_settings)} == written


@pytest.mark.parametrize(
    ("package", "message"),
    [
        ("npm:left-pad", "'npm' is not a known registry. Write left-pad"),
        ("cargo:itoa", "Write crate:itoa"),
        ("pkg==1.0", "Run: libdrift mine pkg --versions 1.0"),
        ("https://example.org/pkg.whl", "packages are mined by name"),
        ("../pkg", "not the name of a package"),
        ("", "not the name of a package"),
    ],
)
def test_names_of_no_source_are_refused(
    empty_settings: Settings, package: str, message: str
) -> None:
    with pytest.raises(UserError) as caught:
        sources_of(["fine", package], READ_ONLY, empty_settings)
    assert message in str(caught.value)
