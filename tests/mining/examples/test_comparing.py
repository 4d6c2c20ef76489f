"""One example in two releases: what counts as going another way."""

from __future__ import annotations

import pytest

from libdrift.mining.examples.comparing import (
    ExampleRun,
    StatementRun,
    Versions,
    compare,
    read_run,
    reason_of,
)
from libdrift.mining.examples.extracting import DocExample, DocStatement
from libdrift.records import ExampleOutcome

VERSIONS = Versions("1.0", "2.0")


def ran(output: str = "", kind: str = "int", *warnings: str) -> StatementRun:
    return StatementRun(output, kind, tuple(("FutureWarning", text) for text in warnings), ())


def failed(*error: str, message: str = "", missing: str = "") -> StatementRun:
    return StatementRun("", "", (), error, message, missing)


def outcomes(
    old: StatementRun, new: StatementRun, code: str = "f()", shown: str = "", *, newer: bool = False
) -> list[ExampleOutcome]:
    example = DocExample("pkg.f", (DocStatement(code, shown),))
    runs = [ExampleRun((old,))], [ExampleRun((new,))]
    found = compare(example, *runs, VERSIONS, is_newer=newer)
    return [item.outcome for item in found.divergences]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (ran("1"), ran("1"), []),
        (ran("1"), ran("2"), ["differs"]),
        (ran("0.1"), ran("0.10000000001"), []),
        (ran("at 1.0"), ran("at 2.0"), []),  # each its own version
        (ran("1.5", "a.F"), ran("p.F(1.5)", "b.F"), ["spelled"]),
        (ran("1.5", "float"), ran("p.F(1.5)", "b.F"), ["differs"]),  # of another class now
        (ran("1"), ran("1", "int", "f is deprecated"), ["warns"]),
        (ran("1", "int", "f is deprecated"), ran("1", "int", "f is deprecated, use g"), []),
        (ran("1"), ran("2", "int", "will change"), ["warns", "differs"]),
        (ran("1"), failed("TypeError"), ["fails"]),
        (failed("AttributeError"), ran("1"), ["runs"]),
        (failed("TypeError"), failed("TypeError", message="reworded"), []),
        (failed("TypeError"), failed("ValueError"), ["differs"]),
        (failed("ValueError"), failed("PackageError", "ValueError"), []),
        # Where it runs, and not what it does.
        (ran("1"), failed("ModuleNotFoundError", "ImportError", missing="other"), []),
        (ran("1"), failed("FileNotFoundError", "OSError"), []),
        (ran("1"), failed("URLError", "OSError"), []),
    ],
)
def test_outcomes(old: StatementRun, new: StatementRun, expected: list[str]) -> None:
    assert outcomes(old, new) == expected


def test_an_error_that_only_newer_documentation_shows_is_new() -> None:
    old, new = failed("TypeError"), failed("ValueError")
    shown = "Traceback (most recent call last):"
    assert outcomes(old, new, shown=shown) == ["differs"]
    assert outcomes(old, new, shown=shown, newer=True) == ["runs"]


def test_what_tells_of_the_release_itself_is_no_behaviour() -> None:
    assert outcomes(ran("one text"), ran("another"), "print(f.__doc__)") == []


def test_what_is_not_steady_is_left_out_and_the_rest_is_compared() -> None:
    example = DocExample("pkg.f", tuple(DocStatement(code) for code in ("f()", "g()", "h()")))

    def run(first: str, second: str) -> ExampleRun:
        return ExampleRun((ran(first), ran(second), ran("x")))

    old = [run("1", "a"), run("2", "a")]
    new = [run("3", "b"), run("3", "b")]
    found = compare(example, old, new, VERSIONS)
    assert [(item.at, item.outcome) for item in found.divergences] == [(1, "differs")]
    assert (found.statements, found.unsteady) == (2, 1)


def test_nothing_is_compared_after_one_release_has_failed() -> None:
    example = DocExample("pkg.f", (DocStatement("f()"), DocStatement("g()")))
    old = ExampleRun((ran("1"), ran("2")))
    new = ExampleRun((failed("KeyError"), ran("3")))
    found = compare(example, [old], [new], VERSIONS)
    assert [item.outcome for item in found.divergences] == ["fails"]


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (failed("ModuleNotFoundError", message="No module named 'x'"), "missing dependency"),
        (failed("ModuleNotFoundError", message="No module named 'matplotlib'"), "plotting"),
        (failed("ImportError", message="pyarrow is required: install it"), "missing dependency"),
        (failed("ImportError", message="cannot import name 'x' from 'pkg'"), "raises"),
        (failed("FileNotFoundError", "OSError"), "needs a file"),
        (failed("URLError", "OSError"), "needs the network"),
        (failed("NameError"), "undefined name"),
        (failed("SyntaxError"), "is not Python"),
        (failed("MemoryError"), "needs more memory"),
        (failed("ValueError"), "raises"),
    ],
)
def test_reasons(run: StatementRun, reason: str) -> None:
    assert reason_of(run) == reason


def test_where_an_example_ends() -> None:
    example = DocExample("pkg.f", (DocStatement("f()", "Traceback (most"), DocStatement("g()")))
    told = {"statements": [["", "", [], [["E", "Exception"], "no", ""], "pkg"]], "end": "time"}
    assert read_run(told).trouble(example) == (1, "takes too long")
    assert read_run(told | {"end": "died"}).trouble(example) == (1, "ends the process")
    assert ExampleRun((ran("1"), ran("2"))).trouble(example) == (-1, "")
    assert ExampleRun((ran("1"), failed("E"))).trouble(example) == (1, "raises")


def test_what_a_guest_tells_is_kept_so_far() -> None:
    long = "x" * 10**6
    row = [long, long, [[long, long]] * 999, [[long] * 999, long, long], long]
    (found,) = read_run({"statements": [row], "end": ""}).statements
    assert len(repr(found)) < 10**6
