"""Findings as changes, and as evidence for those that are known."""

from __future__ import annotations

import pytest

from libdrift.history.questions.executed import describe, findings_between, with_findings
from libdrift.history.store import trials
from libdrift.records import Change, ChangeKind, ExampleFinding, ExampleOutcome, ExampleTrial
from tests.history.small import function, stored, surface

SURFACES = (surface("1.0", function("pkg:f")), surface("2.0", function("pkg:f")))


def finding(outcome: str, path: str = "pkg.f", **more: object) -> ExampleFinding:
    given = {"code": "pkg.f(x=1)", "statement": "pkg.f(x=1)", "before": "1", "after": "2"}
    return ExampleFinding(ExampleOutcome(outcome), path, **{**given, **more})  # type: ignore[arg-type]


def change(kind: str, path: str = "pkg.f", **more: object) -> Change:
    return Change("pkg", "1.0", "2.0", ChangeKind(kind), path, "function", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("known", "shown", "proven"),
    [
        (change("removed"), finding("fails"), True),
        (change("removed", "pkg"), finding("fails"), True),  # with all of its module
        (change("removed", "pkg.other"), finding("fails"), False),
        (change("removed", "pkg.g"), finding("fails", uses=("pkg.g",)), True),
        (change("removed"), finding("differs"), False),
        (change("introduced"), finding("runs"), True),
        (change("introduced"), finding("fails"), False),
        (change("deprecated"), finding("warns", message="old"), True),
        (change("deprecated", parameter="x"), finding("warns", message="old"), False),
        (
            change("deprecated", parameter="x"),
            finding("warns", message="old", keywords=("pkg.f(x)",)),
            True,
        ),
        (
            change("signature", parameter="x", breaking=True),
            finding("fails", keywords=("pkg.f(x)",)),
            True,
        ),
        (change("signature", parameter="y", breaking=True), finding("fails"), False),
        (change("signature", parameter="x"), finding("runs", keywords=("pkg.f(x)",)), True),
    ],
)
def test_what_proves_a_change_is_not_told_again(
    known: Change,
    shown: ExampleFinding,
    proven: bool,  # noqa: FBT001
) -> None:
    found = with_findings([known], [shown], SURFACES)
    assert len(found) == (1 if proven else 2)
    assert any("by running" in text for text in found[0].evidence) is proven


def test_running_makes_sure_that_a_name_is_gone_but_not_who_succeeds_it() -> None:
    known = [change("removed", confidence=0.7), change("renamed", confidence=0.7)]
    found = with_findings(known, [finding("fails")], SURFACES)
    assert [item.confidence for item in found] == [1.0, 0.7]


@pytest.mark.parametrize(
    ("outcome", "kind", "aspect", "breaking"),
    [
        ("differs", "behaviour", "output", False),
        ("spelled", "behaviour", "repr", False),
        ("fails", "behaviour", "raises", True),
        ("runs", "behaviour", "accepts", False),
        ("warns", "deprecated", "", False),
    ],
)
def test_what_only_running_shows(
    outcome: str,
    kind: str,
    aspect: str,
    breaking: bool,  # noqa: FBT001
) -> None:
    (found,) = with_findings([], [finding(outcome, message="use g")], SURFACES)
    assert (found.kind.value, found.aspect, found.breaking) == (kind, aspect, breaking)
    assert (found.package, found.old, found.new) == ("pkg", "1.0", "2.0")
    assert found.symbol == "function"
    assert found.evidence == ("example: pkg.f(x=1)", "before: 1", "after: 2")


@pytest.mark.parametrize(
    ("outcome", "error", "kind"),
    [
        ("fails", "AttributeError: module 'pkg' has no attribute 'f'", "removed"),
        ("fails", "ImportError: cannot import name 'f' from 'pkg'", "removed"),
        ("fails", "AttributeError: 'int' object has no attribute 'size'", "behaviour"),
        ("fails", "TypeError: f() got an unexpected keyword", "behaviour"),
        ("runs", "AttributeError: module 'pkg' has no attribute 'f'", "introduced"),
        ("runs", "ValueError: f", "behaviour"),
    ],
)
def test_a_name_that_is_missed_is_gone_or_new(outcome: str, error: str, kind: str) -> None:
    shown = finding(outcome, before=error, after=error)
    assert [item.kind.value for item in with_findings([], [shown], SURFACES)] == [kind]


def test_what_a_name_was_renamed_to_runs() -> None:
    known = change("renamed", "pkg.old", replacement="pkg.f")
    assert len(with_findings([known], [finding("runs")], SURFACES)) == 1


def test_lines_are_short() -> None:
    text = describe(finding("differs", before="x\n" * 500, after=""))
    assert text.startswith("`pkg.f(x=1)` gives nothing, gave x x")
    assert len(text) < 150


def test_a_chain_of_trials_covers_a_longer_way() -> None:
    def trial(old: str, new: str) -> ExampleTrial:
        return ExampleTrial("pkg", old, new, "3.11", 1, 1, 1, 0, 0.1, 2)

    with stored() as store:
        versions = ["1.0", "2.0", "3.0", "4.0"]
        for version in versions:
            store.add(surface(version, function("pkg:f")))
        trials.keep(store, trial("1.0", "2.0"), [finding("differs", "pkg.one")])
        trials.keep(store, trial("2.0", "3.0"), [finding("differs", "pkg.two")])
        found, whole = findings_between(store, "pkg", versions[:3])
        assert ([item.path for item in found], whole) == (["pkg.one", "pkg.two"], True)
        assert findings_between(store, "pkg", versions)[1] is False
        assert findings_between(store, "pkg", versions[2:]) == ([], False)
        trials.keep(store, trial("1.0", "3.0"), [finding("differs", "pkg.all")])
        found, whole = findings_between(store, "pkg", versions[:3])
        assert ([item.path for item in found], whole) == (["pkg.all"], True)
