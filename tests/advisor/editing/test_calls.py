"""Calls whose parameters changed: each argument must reach what it reached."""

from __future__ import annotations

import pytest

from libdrift.advisor.editing import edit
from libdrift.records import Replacement, ReplacementShape
from tests.advisor.editing.small import Known, finding

# old signature, new signature, the call, kind, parameter (which is a keyword in the call or not),
# and the call as it must be; None where it must stay.
GONE, RENAMED, ORDER = "parameter-gone", "parameter-renamed", "reordered"
ONLY, MANY, FEW, DEFAULT = (
    "keyword-only",
    "too-many-arguments",
    "too-few-arguments",
    "default-changed",
)
ROWS = [
    # gone, and given as what it is anyway
    ("a, b=None", "a", "f(1, b=None)", GONE, "b", "f(1)"),
    ("a, b=None", "a", "f(1, None)", GONE, "b", "f(1)"),
    ("a=1", "", "f(a=1)", GONE, "a", "f()"),
    ("a, b=2, c=3", "a, c=3", "f(1, 2, 5)", GONE, "b", "f(1, c=5)"),
    ("a, b=2, c=3", "a, *, c=3", "f(1, 2, 5)", GONE, "b", "f(1, c=5)"),
    ("a, b='x'", "a", 'f(1, b="x")', GONE, "b", "f(1)"),
    ("a, b=1.0", "a", "f(1, b=1e0)", GONE, "b", "f(1)"),
    ("a, b=1", "a", "f(1, b=1.0)", GONE, "b", "f(1)"),
    ("a, b=nan", "a", "f(1, b=np.nan)", GONE, "b", "f(1)"),
    ("a, b=lib.no_default", "a", "f(1, b=None)", GONE, "b", "f(1)"),
    ("a, b=_no_input", "a", "f(1, b=None)", GONE, "b", "f(1)"),
    ("a, b=LOWEST", "a", "f(1, b=None)", GONE, "b", None),
    # given as nothing, which is refused now
    ("a, b=0, c: 'X | None' = None", "a, c: 'X' = 'x'", "f(1, b=0, c=None)", GONE, "b", "f(1)"),
    (
        "a, b=0, c: 'X | None' = None",
        "a, c: 'X | None' = 'x'",
        "f(1, b=0, c=None)",
        GONE,
        "b",
        "f(1, c=None)",
    ),
    ("a, b=0, c=None", "a, c='x'", "f(1, b=0, c=None)", GONE, "b", "f(1, c=None)"),
    # must be given, and was nothing
    ("a, b=None", "a, b", "f(1)", FEW, "b", None),
    ("a, b=0", "a, b", "f(1)", FEW, "b", "f(1, b=0)"),
    ("a, b=None", "a, b: 'X | None'", "f(1)", FEW, "b", "f(1, b=None)"),
    ("a, b=None", "a, b: 'Optional[X]'", "f(1)", FEW, "b", "f(1, b=None)"),
    ("a, b=None", "a, b: 'X'", "f(1)", FEW, "b", None),
    # gone, and given as something else
    ("a, b=None", "a", "f(1, b=True)", GONE, "b", None),
    ("a, b=1", "a", "f(1, b=True)", GONE, "b", None),
    ("a, b=None, c=0", "a, c=0", "f(1, x, 2)", GONE, "b", None),
    ("a, b", "a", "f(1, b=2)", GONE, "b", None),
    # renamed
    ("a, b=None", "a, other=None", "f(1, b=2)", RENAMED, "b", "f(1, other=2)"),
    ("a, b=None", "a, other=None", "f(1, b = 2)", RENAMED, "b", "f(1, other = 2)"),
    ("a, b=None", "*, a, other=None", "f(1, 2)", RENAMED, "b", "f(a=1, other=2)"),
    ("a, b=0, other=0", "a, other=0", "f(1, b=0, other=3)", RENAMED, "b", "f(1, other=3)"),
    ("a, b=0, other=0", "a, other=0", "f(1, other=3, b=4)", RENAMED, "b", None),
    # renamed, and of another type
    ("b: 'X | dict' = None", "other: 'X' = None", "f(b={'k': 1})", RENAMED, "b", None),
    ("b: 'X | dict' = None", "other: 'X' = None", "f(b=1)", RENAMED, "b", "f(other=1)"),
    ("b: 'Dict' = None", "other: 'Mapping' = None", "f(b={})", RENAMED, "b", "f(other={})"),
    ("b: 'Xs' = None", "other: 'Xs' = None", "f(b=[1])", RENAMED, "b", "f(other=[1])"),
    # another order, and others in between
    ("a, b, c=0", "a, c=0, b=0", "f(1, 2, 3)", ORDER, "b", "f(1, b=2, c=3)"),
    ("a, b=0", "b=0, a=1", "f(1, 2)", ORDER, "a", "f(a=1, b=2)"),
    ("a, b=0", "a, new=0, b=0", "f(1, 2)", ORDER, "b", "f(1, b=2)"),
    ("a, b=0, c=0", "a, new=0, b=0, c=0", "f(1, 2, c=3)", ORDER, "b", "f(1, b=2, c=3)"),
    ("a, b=0", "new=0, b=0, **more", "f(1, 2)", ORDER, "a", None),
    # by name alone
    ("a, b=0, c=0", "a, *, b=0, c=0", "f(1, 2, 3)", ONLY, "b", "f(1, b=2, c=3)"),
    ("a, b=0, c=0", "a, *, b=0, c=0", "f(1, 2, *more)", ONLY, "b", None),
    ("a, b=0", "a, b=0", "f(1, 2)", ONLY, "b", "f(1, b=2)"),
    ("a, b=0", "*, a, b=0", "f(x for x in y)", ONLY, "a", "f(a=(x for x in y))"),
    ("a, b=0, c=0", "a, *, b=0, c=0", "f(1, 2, **more)", ONLY, "b", "f(1, b=2, **more)"),
    ("a, b=0", "a, *, b=0", "f(1, 2)", MANY, "", "f(1, b=2)"),
    ("a, *more", "a", "f(1, 2)", MANY, "", None),
    ("a, *more", "a, *more", "f(1, 2)", MANY, "", None),
    ("a, b=0", "a, b=0, /", "f(a=1, b=2)", GONE, "a", "f(1, 2)"),
    ("a, b=0", "a, b=0, /", "f(b=2, a=1)", GONE, "a", "f(1, 2)"),
    # not given
    ("a, b=3", "a, b", "f(1)", FEW, "b", "f(1, b=3)"),
    ("a, b=3", "a, b", "f()", FEW, "b", "f(b=3)"),
    ("a", "a, b", "f(1)", FEW, "b", None),
    ("a, b=10", "a, b=100", "f(1)", DEFAULT, "b", "f(1, b=10)"),
    ("a, b=10", "a, b=100", "f(1,)", DEFAULT, "b", "f(1, b=10,)"),
    ("a, b='warn'", "a, b='x'", "f(1)", DEFAULT, "b", None),
    ("a, b=None", "a, b=5", "f(1)", DEFAULT, "b", None),
    ("a, b=_missing", "a, b=5", "f(1)", DEFAULT, "b", None),
    # layout
    ("a, b=0", "a", "f(\n    1,\n    b=0,\n)", GONE, "b", "f(\n    1,\n)"),
    ("a, b=0", "a", "f(\n    1,\n    b=0\n)", GONE, "b", "f(\n    1\n)"),
    ("a, b=0", "a", "f(1,  # one\n  b=0)", GONE, "b", "f(1,  # one\n  )"),
    ("a, b=0, c=0", "a, c=0", "f(1, b=0,  # zero\n  c=2)", GONE, "b", "f(1, c=2)"),
    ("a=0, b=0", "b=0", "f(a=0, b = 5)", GONE, "a", "f(b = 5)"),
    ("a, b=0", "a, *, b=0", "f(1,  2 )", ONLY, "b", "f(1,  b=2 )"),
    ("a=0", "", "f(\n    a=0,\n)", GONE, "a", "f()"),
]


@pytest.mark.parametrize(("old", "new", "call", "kind", "parameter", "expected"), ROWS)
def test_calls(
    old: str, new: str, call: str, kind: str, parameter: str, expected: str | None
) -> None:
    renames = {"b": "other"} if kind == RENAMED else {}
    found = finding(call, "f", kind, "lib.f", parameter=parameter)
    result = edit(call, [found], Known(old, new, renames))
    assert result.source == (call if expected is None else expected)
    assert bool(result.left) == (expected is None)
    assert bool(result.applied) != bool(result.left)
    assert all(item.reason for item in result.left)


def test_what_may_change_the_result_is_edited_at_risk_alone() -> None:
    call = "f(1, b=True)"
    found = finding(call, "f", GONE, "lib.f", parameter="b")
    known = Known("a, b=None", "a")
    (left,) = edit(call, [found], known).left
    assert left.is_risky
    assert edit(call, [found], known, risky=True).source == "f(1)"


def test_what_takes_other_values_is_for_a_person() -> None:
    call = "f(1, b=True)"
    how = Replacement(ReplacementShape.TEMPLATE, "c", "b")
    found = finding(call, "b=True", GONE, "lib.f", how, "b")
    (left,) = edit(call, [found], Known("a, b=None", "a, c=None"), risky=True).left
    assert "c takes the place of b" in left.reason
    same = "f(1, b=None)"
    found = finding(same, "b=None", GONE, "lib.f", how, "b")
    assert edit(same, [found], Known("a, b=None", "a, c=None")).source == "f(1)"


def test_a_proven_drop_is_no_risk() -> None:
    call = "f(1, b=True)"
    how = Replacement(ReplacementShape.DROP, parameter="b", is_proven=True)
    found = finding(call, "b=True", GONE, "lib.f", how, "b")
    assert edit(call, [found], Known("a, b=None", "a")).source == "f(1)"


@pytest.mark.parametrize(
    ("before", "is_dropped"),
    [
        ("b = None\n", True),
        ("b = 1\n", False),
        ("b = None\nb = 1\n", False),
        ("b = None\nfor b in x: pass\n", False),
        ("b = None\ndef g():\n    global b\n    b = 1\n", False),
        ("from x import b\n", False),
    ],
)
def test_a_name_with_one_value_is_that_value(before: str, is_dropped: bool) -> None:  # noqa: FBT001
    code = before + "f(1, b=b)\n"
    found = finding(code, "b=b", GONE, "lib.f", parameter="b")
    result = edit(code, [found], Known("a, b=None", "a"))
    assert result.source == (before + "f(1)\n" if is_dropped else code)


def test_one_keyword_stays_and_others_are_edited() -> None:
    call = "f(1, b=True, c=None)"
    found = [
        finding(call, "b=True", GONE, "lib.f", parameter="b"),
        finding(call, "c=None", GONE, "lib.f", parameter="c"),
    ]
    result = edit(call, found, Known("a, b=None, c=None", "a"))
    assert result.source == "f(1, b=True)"
    assert [item.parameter for item in result.applied] == ["c"]
    assert [item.finding.parameter for item in result.left] == ["b"]


def test_calls_inside_of_calls() -> None:
    code = "x = f(f(1, None), None)\n"
    outer = finding(code, "f", GONE, "lib.f", parameter="b")
    inner = finding("x = 0;f(1, None)\n", "f", GONE, "lib.f", parameter="b")
    result = edit(code, [outer, inner], Known("a, b=None", "a"))
    assert (inner.line, inner.column) == (1, 6)
    assert result.source == "x = f(f(1))\n"


def test_positions_are_bytes() -> None:
    code = "é = 'ü'; x = f('ä', b=None)  # ö\n"
    found = finding(code, "b=None", GONE, "lib.f", parameter="b")
    result = edit(code, [found], Known("a, b=None", "a"))
    assert result.source == "é = 'ü'; x = f('ä')  # ö\n"


def test_an_unknown_signature_leaves_the_call() -> None:
    call = "f(1, None)"
    found = finding(call, "f", GONE, "lib.f", parameter="b")
    (left,) = edit(call, [found]).left
    assert "not known" in left.reason
