from __future__ import annotations

from libdrift.history.paths import public_paths
from libdrift.records import Symbol, SymbolKind
from tests.history.small import function, klass, surface


def test_the_most_public_path_of_each_symbol() -> None:
    offered = {f"pkg.f{at}": f"pkg.core:f{at}" for at in range(5)}
    found = public_paths(
        surface(
            "1",
            *map(function, offered.values()),
            klass("pkg.core:Frame", "pkg.core:Base"),
            function("pkg.core:Frame.own"),
            klass("pkg.core:Frame.Inner"),
            function("pkg.core:Frame.Inner.m"),
            klass("pkg.core:Base"),
            function("pkg.core:Base.shared"),
            function("pkg.core:Base._hidden"),
            klass("pkg:Special", "pkg.core:Frame"),
            function("pkg.core:helper"),
            Symbol("pkg._private:x", SymbolKind.CONSTANT),
            names={**offered, "pkg.Frame": "pkg.core:Frame"},
        )
    )
    assert found == {
        "pkg": ("pkg", False),
        "pkg.core": ("pkg.core", True),
        **{target: (path, False) for path, target in offered.items()},
        "pkg.core:Frame": ("pkg.Frame", False),
        "pkg.core:Frame.own": ("pkg.Frame.own", False),
        "pkg.core:Frame.Inner": ("pkg.Frame.Inner", False),
        "pkg.core:Frame.Inner.m": ("pkg.Frame.Inner.m", False),
        "pkg.core:Base": ("pkg.core.Base", True),
        "pkg.core:Base.shared": ("pkg.Frame.shared", False),  # not Special's, further down
        "pkg:Special": ("pkg.Special", False),
        "pkg.core:helper": ("pkg.core.helper", True),
    }
