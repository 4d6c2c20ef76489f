from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.history.questions.tracing import Tracer, bits, positions, runs
from libdrift.records import Binding, Name, Origin, Release, Surface, Symbol, SymbolKind
from tests.history.small import function, klass, stored, surface


@pytest.mark.parametrize(
    ("mask", "expected"),
    [(0, []), (0b1, [(0, 0)]), (0b1110, [(1, 3)]), (0b101101, [(0, 0), (2, 3), (5, 5)])],
)
def test_runs(mask: int, expected: list[tuple[int, int]]) -> None:
    assert runs(mask) == expected
    assert sum(bits(*run) for run in expected) == mask
    assert list(positions(mask)) == [at for at in range(8) if mask >> at & 1]


SOME = st.sampled_from
MODULES = ["pkg", "pkg.a", "other"]
CLASSES = ["pkg:A", "pkg:B", "pkg:C", "pkg.a:D"]
LABELS = ["a", "m", "A", "B"]
scopes = st.dictionaries(
    SOME(MODULES + CLASSES),
    st.dictionaries(
        SOME(LABELS),
        st.builds(Name, SOME([*MODULES, *CLASSES, "pkg:f", "os:x"]), st.just(Binding.DEFINED)),
        max_size=3,
    ),
    max_size=6,
)
symbols = st.dictionaries(
    SOME(CLASSES), st.lists(SOME([*CLASSES, "foreign.Base"]), unique=True, max_size=2), max_size=4
)
surfaces = st.builds(
    lambda found, inside, roots, outside: Surface(
        Release("pypi", "pkg", ""),
        roots,
        {"pkg:f": function("pkg:f")}
        | {name: Symbol(name, SymbolKind.MODULE) for name in MODULES}
        | {name: klass(name, *bases) for name, bases in found.items()},
        inside,
        outside,
    ),
    symbols,
    scopes,
    SOME([("pkg",), ("pkg", "other"), ("pkg", "pkg.a")]),
    SOME([{}, {"foreign.Base": ("m",)}]),
)


@given(few=st.lists(surfaces, min_size=2, max_size=4))
@settings(max_examples=40, deadline=None)
def test_paths_lead_where_each_surface_says(few: list[Surface]) -> None:
    releases = [
        replace(item, release=replace(item.release, version=str(at))) for at, item in enumerate(few)
    ]
    with stored(*releases) as store:
        tracer = Tracer(store, 1)
        for path in [
            f"pkg{one}{two}"
            for one in ["", *("." + x for x in LABELS)]
            for two in ["", ".m", ".A", ".A.m"]
        ]:
            reached = tracer.reach(path)
            for at, item in enumerate(releases):
                targets = [
                    tracer.text(key) for key, mask in reached.targets.items() if mask >> at & 1
                ]
                assert len(targets) <= 1
                there = [target for target in targets if target in item.symbols]
                symbol = item.resolve(path)
                assert there == ([symbol.id] if symbol else []), (path, at)
                above, _, last = path.rpartition(".")
                owner = item.resolve(above)
                given_by = (
                    owner and ":" in owner.id and item.inherited_from_outside(owner.id).get(last)
                )
                told = [base for base, mask in reached.foreign.items() if mask >> at & 1]
                assert told == ([given_by] if given_by and not targets else []), (path, at)


def test_a_path_that_is_an_error_now_is_not_there() -> None:
    old = surface("1", function("pkg:f"))
    new = surface("2", function("pkg:f"), tombstones={"pkg.f": "use pkg.g"})
    with stored(old, new) as store:
        tracer = Tracer(store, 1)
        assert tracer.reach("pkg.f").mask == 0b1
        assert tracer.tombstones == {"pkg.f": {1: "use pkg.g"}}


def test_a_thing_that_is_an_error_now_is_under_no_path() -> None:
    base, child = klass("pkg:A"), klass("pkg:B", "pkg:A")
    old = surface("1", base, function("pkg:A.m"), child)
    new = surface("2", base, function("pkg:A.m"), child, tombstones={"pkg:A.m": "m was removed"})
    gone = surface("3", base, function("pkg:A.m"), child, tombstones={"pkg:A": "A was removed"})
    with stored(old, new, gone) as store:
        tracer = Tracer(store, 1)
        masks = {path: tracer.reach(path).mask for path in ("pkg.A", "pkg.A.m", "pkg.B.m")}
    assert masks == {"pkg.A": 0b11, "pkg.A.m": 0b1, "pkg.B.m": 0b101}


def test_a_name_that_a_module_only_imports_now_is_there() -> None:
    other = function("pkg.web:x")
    old = surface("1", function("pkg.web:guess"), other)
    new = surface("2", other, outside={"pkg.web": ("guess", "never")})
    with stored(old, new) as store:
        assert Tracer(store, 1).reach("pkg.web.guess").mask == 0b11
        assert Tracer(store, 1).reach("pkg.web.never").mask == 0


def test_names_that_a_class_ever_had() -> None:
    with stored(
        surface("1", klass("pkg:Base"), function("pkg:Base.a"), klass("pkg:C", "pkg:Base")),
        surface("2", klass("pkg:C"), function("pkg:C.b"), function("pkg:C._c")),
    ) as store:
        assert Tracer(store, 1).labels("pkg.C") == {"a", "b"}
        assert Tracer(store, 1).labels("pkg") == {"Base", "C"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pkg.plain.x", False),
        ("pkg.hazy.x", True),
        ("pkg.Unknown.x", True),
        ("pkg.Foreign.x", True),  # inherits from what nobody has looked at
        ("pkg.Known.x", False),
        ("pkg.plain.x.y", False),
        ("pkg.hazy.x.y", True),
    ],
)
def test_what_a_release_may_have_unseen(path: str, *, expected: bool) -> None:
    read = surface(
        "1",
        Symbol("pkg.plain", SymbolKind.MODULE),
        Symbol("pkg.hazy", SymbolKind.MODULE),
        Symbol("pkg:Unknown", SymbolKind.UNKNOWN),
        klass("pkg:Foreign", "other.Base"),
        klass("pkg:Known", "builtins.dict"),
        outside={"builtins.dict": ("keys",)},
    )
    origin = Origin(gaps=("pkg.hazy: names made at import", "pkg.plain: inherits from x.Y"))
    imported = replace(origin, runtime="1")
    with stored(replace(read, origin=origin)) as store:
        assert Tracer(store, 1).may_have(path, 0) is expected
    with stored(replace(read, origin=imported)) as store:
        assert Tracer(store, 1).may_have(path, 0) is (expected and "hazy" not in path)
