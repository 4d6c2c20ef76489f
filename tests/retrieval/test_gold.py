from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from libdrift.history.store import Store
from libdrift.records import Deprecation, Release, Symbol, SymbolKind
from libdrift.retrieval.gold import gold
from tests.history.small import function, klass, signature, stored, surface
from tests.retrieval.tasks import gapped, task

SOMETIMES = Symbol(
    "pkg:sometimes",
    SymbolKind.FUNCTION,
    signature(),
    "",
    (Deprecation("warning", "Not so.", conditional=True),),
)
ONE = (
    klass("pkg.core:Frame"),
    function("pkg.core:Frame.append"),
    function("pkg.core:Frame.apply"),
    function("pkg.core:Frame.grow"),
    klass("pkg:Other"),
    function("pkg:Other.apply"),
    function("pkg:read"),
    function("pkg:old", gone="Use read.", use="read"),
    SOMETIMES,
)


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    names = {"pkg.Frame": "pkg.core:Frame"}
    with stored(surface("1", *ONE, names=names), surface("2", function("pkg:fresh"))) as found:
        yield found


@pytest.mark.parametrize(
    ("symbol", "reference", "expected"),
    [
        ("pkg.core.Frame.append", "", {"pkg.Frame.append"}),  # under its public path
        (" pkg.read(path)\n", "", {"pkg.read"}),
        ("pkg.sometimes", "import pkg\npkg.sometimes(pkg.read())", {"pkg.sometimes"}),
        # Without the symbol's name, what the reference uses is as right.
        ("pkg.sometimes", "import pkg\npkg.read()", {"pkg.sometimes", "pkg.read"}),
        ("pkg.old", "import pkg\npkg.read()", {"pkg.read"}),
        ("pkg.old", "", {"pkg.old"}),
        ("pkg.fresh", "import pkg\npkg.read()\npkg.Frame", {"pkg.read", "pkg.Frame"}),
        ("pkg.fresh", "x.grow(1)\ny.apply(2)", {"pkg.Frame.grow"}),  # two have `apply`
        ("pkg.fresh", "x.append(1)", set()),  # lists have it, too
        ("pkg.fresh", "import other\nx.grow(1)", set()),  # perhaps of another library
        ("pkg.fresh", "import typing\nx.grow(1)", {"pkg.Frame.grow"}),
        ("pkg.fresh", "import pkg\npkg.read.x.y", {"pkg.read"}),
        ("pkg.fresh", "import os\nos.path", set()),
        ("Frame.append", "", {"pkg.Frame.append"}),  # told by its end
        ("apply", "import pkg\npkg.read()", {"pkg.read"}),  # two have such an end
        ("pkg.core", "import pkg\npkg.read()", {"pkg.read"}),  # a module is where to look
        ("pkg.fresh", "import pkg\npkg.core.unseen()", set()),
        # Through a value of the library's: nothing else tells whose `apply` it is.
        ("pkg.fresh", "import pkg\nf = pkg.Other()\nf.apply()", {"pkg.Other", "pkg.Other.apply"}),
        ("os.path", "", set()),
        (None, "import pkg\npkg.read()", {"pkg.read"}),
        (None, "", set()),
    ],
)
def test_the_right_symbols_of_the_own_release(
    store: Store, symbol: str | None, reference: str, expected: set[str]
) -> None:
    assert gold(task(symbol=symbol, reference=reference, starter=""), store) == expected


def test_what_the_starting_code_uses_is_no_find(store: Store) -> None:
    reference = "import pkg\npkg.read()\npkg.Frame()"
    some = task(reference=reference, starter="import pkg\ndef f(x: pkg.Frame):\n    pkg.read()")
    assert gold(some, store) == {"pkg.Frame"}
    assert not gold(task(reference=reference, starter=reference), store)
    # What it only imports is still to be used; beside the task's own symbol it is no find.
    imported = "from pkg import read"
    code = f"{imported}\nread()"
    assert gold(task(reference=code, starter=imported), store) == {"pkg.read"}
    other = task(symbol="pkg.sometimes", reference=code, starter=imported)
    assert gold(other, store) == {"pkg.sometimes"}


def test_a_gap_is_about_its_own_symbol(store: Store) -> None:
    assert gold(gapped(symbol="pkg.read", reference=".read()"), store) == {"pkg.read"}


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        ("core::mem::swap", {"std.mem.swap"}),
        ("std::mem::swap", {"std.mem.swap"}),
        ("std::x", set()),
    ],
)
def test_the_right_symbol_of_rust(symbol: str, expected: set[str]) -> None:
    plain = surface("1.70.0", function("std.mem:swap"))
    rust = replace(plain, release=Release("rust", "rust", "1.70.0"), roots=("std",))
    with stored(rust) as found:
        asked = task("1.70.0", language="rust", library="std", symbol=symbol, reference="fn f() {}")
        assert gold(asked, found) == expected
