"""Replacements tried by examples: what counts as the same, and what speaks against one."""

from __future__ import annotations

import pytest

from libdrift.advisor.proving import rewriter
from libdrift.history.differences import compare
from libdrift.history.questions.executed import with_findings, with_trials
from libdrift.languages.python.static import of_sources
from libdrift.mining.examples import replacing
from libdrift.mining.examples.comparing import ExampleRun, StatementRun
from libdrift.mining.examples.extracting import DocExample, DocStatement
from libdrift.records import Change, ExampleFinding, ExampleOutcome, Surface

OLD = of_sources(
    {
        "pkg.py": 'import warnings\n\ndef old(a):\n    warnings.warn("use new", DeprecationWarning)'
        "\n    return new(a)\n\ndef new(a): ...\ndef other(a): ..."
    },
    "1.0",
)
NEW = of_sources({"pkg.py": "def new(a): ...\ndef other(a): ..."}, "2.0")


def example(*codes: str) -> DocExample:
    return DocExample("pkg.old", tuple(map(DocStatement, codes)))


def run(*outputs: str) -> ExampleRun:
    """What statements print; after ``!`` the name of an error."""
    return ExampleRun(
        tuple(
            StatementRun("", "", (), (text[1:],) if text.startswith("!") else ())
            if text.startswith("!")
            else StatementRun(text, "", (), ())
            for text in outputs
        )
    )


def tried(surfaces: tuple[Surface, Surface], codes: list[str], before: ExampleRun, after: ExampleRun) -> list[ExampleFinding]:  # fmt: skip
    given = example(*codes)
    runs = {given.key: before}
    found = replacing.trials([given], runs, compare(*surfaces), rewriter(*surfaces))
    return replacing.findings(found, runs, {item.edited.key: after for item in found})


USE = ["import pkg", "x = pkg.old(1)", "x"]


@pytest.mark.parametrize(
    ("codes", "before", "after", "expected"),
    [
        (USE, ["", "", "3\n"], ["", "", "3\n"], [ExampleOutcome.REPLACED]),
        (["import pkg", "pkg.old(1)"], ["", "3\n"], ["", "3\n"], [ExampleOutcome.REPLACED]),
        # Another output may have another cause: it neither proves nor refutes.
        (USE, ["", "", "3\n"], ["", "", "4\n"], []),
        # Nothing that it gives is shown.
        (["import pkg", "x = pkg.old(1)"], ["", ""], ["", ""], []),
        # What is shown has nothing to do with it.
        (["import pkg", "x = pkg.old(1)", "2"], ["", "", "2\n"], ["", "", "2\n"], []),
        (USE, ["", "", "3\n"], ["", "!TypeError"], [ExampleOutcome.REFUSED]),
        # Errors of other kinds, or elsewhere, are not the replacement's.
        (USE, ["", "", "3\n"], ["", "!ValueError"], []),
        (USE, ["", "", "3\n"], ["", "", "!TypeError"], []),
        # It must have run before.
        (USE, ["", "!TypeError"], ["", "", "3\n"], []),
        # An example that does not use it.
        (["import pkg", "pkg.other(1)"], ["", "3\n"], ["", "3\n"], []),
    ],
)  # fmt: skip
def test_what_an_example_says_of_a_replacement(
    codes: list[str], before: list[str], after: list[str], expected: list[ExampleOutcome]
) -> None:
    found = tried((OLD, NEW), codes, run(*before), run(*after))
    assert [item.outcome for item in found] == expected


def test_a_proof_is_of_the_change_that_has_the_replacement() -> None:
    findings = tried((OLD, NEW), USE, run("", "", "3\n"), run("", "", "3\n"))
    assert [(item.path, item.message, item.statement) for item in findings] == [
        ("pkg.old", "pkg.new", "x = pkg.new(1)")
    ]
    changes = with_findings(compare(OLD, NEW), findings, (OLD, NEW))
    proven = {change.path: change.how.is_proven for change in changes if change.how}
    assert proven == {"pkg.old": True}
    assert not [change for change in changes if change.kind == "behaviour"]


def test_an_error_with_it_leaves_little_of_a_replacement() -> None:
    findings = tried((OLD, NEW), USE, run("", "", "3\n"), run("", "!TypeError"))
    (change,) = (item for item in with_trials(compare(OLD, NEW), findings) if item.how)
    assert change.how is not None
    assert (change.how.is_proven, change.how.confidence) == (False, 0.3)
    assert "written with pkg.new, raises TypeError" in change.how.evidence[-1]


def test_without_trials_changes_stay_as_they_are() -> None:
    changes: list[Change] = compare(OLD, NEW)
    assert with_trials(changes, []) == changes
