from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.errors import UserError
from libdrift.history.questions.documents import document
from libdrift.records import Origin, Surface
from tests.history.small import function, klass, stored, surface

ONE = surface("1.0", function("pkg:f", "a", doc="Of one."), function("pkg:old", doc="Old."))
TWO = surface("1.2.0", function("pkg:f", "a", "b", doc="Of two."), function("pkg:new"))
THREE = surface("2.0", function("pkg:f", "b", doc="Of three."), function("pkg:new"))


@pytest.mark.parametrize(
    ("version", "doc", "signature", "newest"),
    [
        ("1.0", "Of one.", "(a)", False),
        ("1.2", "Of two.", "(a, b)", False),  # the same version, written shorter
        ("2.0", "Of three.", "(b)", True),
        (None, "Of three.", "(b)", True),
    ],
)
def test_exactly_as_of_a_release(
    version: str | None, doc: str, signature: str, *, newest: bool
) -> None:
    with stored(ONE, TWO, THREE) as store:
        found = document(store, "pkg.f", version)
    assert (found.symbol.doc, str(found.symbol.signature)) == (doc, signature)
    assert found.version == {"1.2": "1.2.0", None: "2.0"}.get(version, version)
    assert (found.package, found.public_path, found.newest) == ("pkg", "pkg.f", newest)


@pytest.mark.parametrize(
    ("path", "version", "message"),
    [
        (
            "pkg.f",
            "1.1",
            r"^pkg 1\.1 is not mined; nearest mined: 1\.0 and 1\.2\.0\. Run: libdrift mine pkg --versions 1\.1$",
        ),
        ("pkg.f", "3", r"nearest mined: 2\.0\."),
        ("pkg.f", "0.1", r"nearest mined: 1\.0\."),
        ("pkg.f", "1.2rc1", r"nearest mined: 1\.0 and 1\.2\.0\."),
        ("pkg.f", "nonsense", r"^pkg nonsense is not mined; nearest mined: 1\.0\."),
        (
            "pkg.old",
            "1.2",
            r"^pkg\.old is not in pkg 1\.2\.0; of the mined releases it is in 1\.0\. Run: libdrift docs pkg\.old --at 1\.0$",
        ),
        ("pkg.new", "1.0", r"is in 1\.2\.0 to 2\.0\. Run: libdrift docs pkg\.new --at 1\.2\.0$"),
        ("pkg.old", None, r"^pkg\.old is not in pkg 2\.0; "),
        ("pkg.nix", "1.0", r"^no mined release of pkg \(1\.0 to 2\.0\) has pkg\.nix"),
    ],
)
def test_never_another_releases_text(path: str, version: str | None, message: str) -> None:
    with stored(ONE, TWO, THREE) as store, pytest.raises(UserError, match=message) as caught:
        document(store, path, version)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("later", "message"),
    [
        (surface("2", tombstones={"pkg.f": "use\n g"}), "not in pkg 2, which says: use g; of the"),
        (
            replace(surface("2"), origin=Origin(gaps=("pkg: names made at import",))),
            "was not seen in pkg 2, which could not be read completely; of the",
        ),
    ],
)
def test_what_a_release_says_of_an_absent_name_is_passed_on(later: Surface, message: str) -> None:
    with (
        stored(surface("1", function("pkg:f")), later) as store,
        pytest.raises(UserError, match=message),
    ):
        document(store, "pkg.f", "2")


def test_an_inherited_member_is_found_and_a_foreign_one_named() -> None:
    base = [klass("pkg:B"), function("pkg:B.m", doc="Of B.")]
    derived = klass("pkg:C", "pkg:B", "lib.Base")
    with stored(surface("1", *base, derived, outside={"lib.Base": ("run",)})) as store:
        found = document(store, "pkg.C.m")
        assert (found.symbol.doc, found.public_path) == ("Of B.", "pkg.B.m")
        with pytest.raises(UserError, match=r"inherited from lib\.Base"):
            document(store, "pkg.C.run")
