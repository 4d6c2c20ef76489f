from __future__ import annotations

import pytest

from libdrift.history.questions.lives import life
from libdrift.history.spelling import alternatives, dotted, mined_as, spelled
from libdrift.records import Binding, Name, Release, Surface, Symbol, SymbolKind
from tests.history.small import stored


@pytest.mark.parametrize(
    ("written", "package", "kept"),
    [
        ("std::vec::Vec::push", "rust", "std.vec.Vec.push"),
        ("bitflags::Flags", "crate:bitflags", "bitflags.Flags"),
        ("java.lang.Thread", "jdk", "java.lang.Thread"),
        ("numpy.in1d", "numpy", "numpy.in1d"),
    ],
)
def test_there_and_back(written: str, package: str, kept: str) -> None:
    assert dotted(written) == kept
    assert spelled(kept, package) == written


@pytest.mark.parametrize(
    ("library", "language", "package"),
    [
        ("std", "rust", "rust"),
        ("core", "rust", "rust"),
        ("rust", "rust", "rust"),
        ("str", "rust", "rust"),
        ("bitflags", "rust", "crate:bitflags"),
        ("java", "java", "jdk"),
        ("std", "python", "std"),
        ("java", "python", "java"),
        ("numpy", "python", "numpy"),
    ],
)
def test_what_the_history_calls_a_library(library: str, language: str, package: str) -> None:
    assert mined_as(library, language) == package


@pytest.mark.parametrize(
    ("path", "others"),
    [
        ("core::mem::swap", ("std::mem::swap",)),
        ("alloc::vec::Vec", ("std::vec::Vec",)),
        ("str::trim", ("std::primitive::str::trim",)),
        ("std::mem::swap", ()),
        ("bitflags::Flags", ()),
        ("core.mem", ()),  # Python's
        ("str", ()),
    ],
)
def test_how_else_a_path_may_be_known(path: str, others: tuple[str, ...]) -> None:
    assert alternatives(path) == (path, *others)


def _surface(ecosystem: str, package: str) -> Surface:
    """A module `time` with one function, whoever's it is."""
    symbols = {
        "time": Symbol("time", SymbolKind.MODULE),
        "time:now": Symbol("time:now", SymbolKind.FUNCTION),
    }
    scopes = {"time": {"now": Name("time:now", Binding.DEFINED)}}
    return Surface(Release(ecosystem, package, "1.0.0"), ("time",), symbols, scopes)


def test_the_spelling_tells_whose_time_is_meant() -> None:
    with stored() as store:
        store.add(_surface("python", "python"))
        store.add(_surface("crates", "crate:time"))
        assert store.package_of("time.now") == "python"
        assert store.package_of("time::now") == "crate:time"
        found = life(store, "time::now")
        assert (found.path, found.package) == ("time::now", "crate:time")


def test_a_package_that_only_one_language_has_is_found_in_either_spelling() -> None:
    with stored() as store:
        store.add(_surface("crates", "crate:time"))
        assert store.package_of("time.now") == "crate:time"
