from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from libdrift.errors import UserError
from libdrift.history.questions.lives import Absence, Life, VersionSpan, life
from libdrift.records import (
    Binding,
    Deprecation,
    Name,
    Origin,
    Provenance,
    Surface,
    Symbol,
    SymbolKind,
)
from tests.history.small import function, klass, signature, stored, surface


def of(path: str, *surfaces: Surface) -> Life:
    with stored(*surfaces) as store:
        return life(store, path)


def test_the_whole_life_of_a_method() -> None:
    frame = klass("pkg.core:Frame")
    names = {"pkg.Frame": "pkg.core:Frame"}
    concat = function("pkg:concat")
    found = of(
        "pkg.Frame.append",
        surface("1.0", frame, names=names),
        surface("1.1", frame, function("pkg.core:Frame.append", "other"), names=names),
        surface("1.2", frame, function("pkg.core:Frame.append", "other", "sort=0"), names=names),
        surface(
            "1.3",
            frame,
            function("pkg.core:Frame.append", "other", "sort=0", gone="Use concat.", use="concat"),
            concat,
            names=names,
            day=date(2022, 1, 22),
        ),
        surface("2.0", frame, concat, names=names),
        surface("2.1", frame, concat, names=names),
    )
    assert (found.package, found.kind) == ("pkg", "method")
    assert (found.introduced, found.introduced_before) == ("1.1", False)
    assert found.deprecated is not None
    assert (found.deprecated.first, found.deprecated.message) == ("1.3", "Use concat.")
    assert found.removed == "2.0"
    assert found.replacement == "pkg.concat"
    assert found.signatures == (
        VersionSpan("1.1", "1.1", "(other)"),
        VersionSpan("1.2", "1.3", "(other, sort=0)"),
    )
    assert found.definitions == (VersionSpan("1.1", "1.3", "pkg.core:Frame.append"),)
    assert found.public_path == "pkg.Frame.append"
    assert found.mined == ("1.0", "2.1")
    assert found.dates["1.3"] == "2022-01-22"
    assert found.gaps == found.unsure == ()


def test_what_the_first_mined_release_has_was_there_at_or_before_it() -> None:
    found = of("pkg.f", surface("1.0", function("pkg:f")), surface("1.1", function("pkg:f")))
    assert (found.introduced, found.introduced_before, found.removed) == ("1.0", True, None)
    assert found.signatures == (VersionSpan("1.0", "1.1", "()"),)


def test_removed_and_back_again() -> None:
    there, gone = function("pkg:f", "a"), function("pkg:g")
    found = of(
        "pkg.f",
        surface("1", there),
        surface("2", gone),
        surface("3", gone),
        surface("4", there),
        surface("5", gone),
    )
    assert found.gaps == (Absence("2", "4"),)
    assert found.removed == "5"
    assert found.signatures == (VersionSpan("1", "1", "(a)"), VersionSpan("4", "4", "(a)"))


def test_a_member_that_moves_to_a_base_and_on_to_a_foreign_one_stays() -> None:
    found = of(
        "pkg.C.m",
        surface("1", klass("pkg:C"), function("pkg:C.m", "a")),
        surface("2", klass("pkg:C", "pkg:B"), klass("pkg:B"), function("pkg:B.m", "a")),
        surface("3", klass("pkg:C", "lib.Base"), outside={"lib.Base": ("m",)}),
        surface("4", klass("pkg:C", "lib.Base"), outside={"lib.Base": ()}),
    )
    assert found.removed == "4"
    assert found.signatures == (VersionSpan("1", "2", "(a)"),)
    assert [item.text for item in found.definitions] == ["pkg:C.m", "pkg:B.m", "lib.Base"]


def test_a_name_for_another_packages_thing_has_a_life_too() -> None:
    base = surface("1", function("pkg:f"))
    scopes = {"pkg": {**base.scopes["pkg"], "path": Name("os.path", Binding.IMPORTED)}}
    found = of("pkg.path", replace(base, scopes=scopes), surface("2", function("pkg:f")))
    assert (found.kind, found.removed, found.signatures) == ("unknown", "2", ())


def evidence(**fields: object) -> Symbol:
    return Symbol(
        "pkg:f",
        SymbolKind.FUNCTION,
        signature("a"),
        deprecations=(Deprecation("warning", **fields),),  # type: ignore[arg-type]
    )


PLAIN = function("pkg:f", "a")
SEEN = replace(PLAIN, provenance=(Provenance.RUNTIME,))
CERTAIN = evidence(message="gone soon")


@pytest.mark.parametrize(
    ("releases", "deprecated", "told"),
    [
        ([PLAIN, PLAIN], None, []),
        ([PLAIN, CERTAIN], "2", [("", "2", "2")]),
        ([CERTAIN, PLAIN], None, [("", "1", "1")]),  # taken back
        ([CERTAIN, PLAIN, CERTAIN], "3", [("", "1", "1"), ("", "3", "3")]),
        ([CERTAIN, SEEN, SEEN], "1", [("", "1", "3")]),  # import does not show it
        ([PLAIN, SEEN, CERTAIN], "3", [("", "3", "3")]),
        ([PLAIN, evidence(message="x", conditional=True)], None, [("", "2", "2")]),
        ([PLAIN, evidence(parameter="a"), PLAIN], None, [("a", "2", "2")]),
        ([evidence(), CERTAIN], "1", [("", "1", "2")]),
    ],
)
def test_since_when_something_is_deprecated(
    releases: list[Symbol], deprecated: str | None, told: list[tuple[str, str, str]]
) -> None:
    found = of("pkg.f", *[surface(str(at), item) for at, item in enumerate(releases, 1)])
    assert (found.deprecated and found.deprecated.first) == deprecated
    assert [(item.parameter, item.first, item.last) for item in found.told] == told


def test_the_first_message_that_says_something_is_told() -> None:
    found = of("pkg.f", surface("1", evidence()), surface("2", CERTAIN))
    assert found.deprecated is not None
    assert found.deprecated.message == "gone soon"


G = function("pkg:g")
SUB = function("pkg.sub:h")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (function("pkg:f", gone="Use g instead.", use="g"), surface("2", G), "pkg.g"),
        (function("pkg:f", gone="Use `pkg.sub.h`."), surface("2", SUB), "pkg.sub.h"),
        # A word that is no name of the release is none.
        (function("pkg:f", gone="Use nothing.", use="nothing"), surface("2", G), ""),
        # But a full name may be another package's.
        (
            function("pkg:f", gone="Use `other.x` instead.", use="other.x"),
            surface("2", G),
            "other.x",
        ),
        (
            PLAIN,
            surface("2", SUB, tombstones={"pkg.f": "`f` is gone, see `pkg.sub.h`"}),
            "pkg.sub.h",
        ),
        (PLAIN, surface("2", G), ""),
        # Still there, and not deprecated any more: nothing to replace.
        (function("pkg:f", gone="Use g.", use="g"), surface("2", PLAIN, G), ""),
        (
            evidence(message="With a list, use g", replacement="g", conditional=True),
            surface("2", PLAIN, G),
            "",
        ),
    ],
)
def test_what_to_use_instead(old: Symbol, new: Surface, expected: str) -> None:
    assert of("pkg.f", surface("1", old), new).replacement == expected


def test_another_finder_of_replacements_is_asked_last() -> None:
    asked: list[tuple[str, ...]] = []

    def finder(*question: str) -> str:
        asked.append(question)
        return "pkg.found"

    told = function("pkg:f", gone="Use g.", use="g")
    with stored(surface("1", PLAIN), surface("2", G)) as store:
        assert life(store, "pkg.f", finder).replacement == "pkg.found"
    with stored(surface("1", told), surface("2", G)) as store:
        assert life(store, "pkg.f", finder).replacement == "pkg.g"
    with stored(surface("1", PLAIN)) as store:
        assert life(store, "pkg.f", finder).replacement == ""
    assert asked == [("pkg.f", "1", "2")]


def test_a_release_that_may_have_it_unseen_is_named() -> None:
    unclear = replace(surface("1", G), origin=Origin(gaps=("pkg: names made at import",)))
    found = of("pkg.f", unclear, surface("2", PLAIN), surface("3", G))
    assert found.unsure == ("1",)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("other.fetch", r"^no mined package has other\.fetch\. Did you mean: pkg\.fetch\?$"),
        ("other.xyzzy", r"^no mined package has other\.xyzzy\. Run: libdrift mine other$"),
        (
            "pkg.ftech",
            r"^no mined release of pkg \(1 to 2\) has pkg\.ftech\. Did you mean: pkg\.fetch\?$",
        ),
        ("pkg.xyzzy", r"has pkg\.xyzzy\. Run: libdrift history search pkg WORDS$"),
        (
            "pkg.old",
            r"^pkg\.old was already gone in pkg 1, where it says: use f now\. Mine an older",
        ),
        ("", r"^the symbol's name is empty\."),
        ("..", r"^the symbol's name is empty\."),
    ],
)
def test_what_is_not_there_is_refused_in_one_line(path: str, message: str) -> None:
    buried = surface("1", function("pkg:fetch"), tombstones={"pkg.old": "use f\nnow."})
    with (
        stored(buried, surface("2", function("pkg:fetch"))) as store,
        pytest.raises(UserError, match=message) as caught,
    ):
        life(store, path)
    assert "\n" not in str(caught.value)


def test_what_can_only_raise_has_ended() -> None:
    dying = function("pkg:f", gone="f is deprecated, use g", use="g")
    stub = replace(function("pkg:f"), traits=("raises",))
    with stored(surface("1", dying, G), surface("2", stub, G)) as store:
        found = life(store, "pkg.f")
    assert (found.removed, found.replacement) == ("2", "pkg.g")
    buried = surface("2", function("pkg:f"), G, tombstones={"pkg:f": "x", "pkg.f": "use `pkg.g`"})
    with stored(surface("1", PLAIN, G), buried) as store:
        found = life(store, "pkg.f")
    assert (found.removed, found.replacement) == ("2", "pkg.g")
    with stored(surface("1", stub, G), surface("2", stub, G)) as store:
        assert life(store, "pkg.f").removed is None, "it never did anything else"
