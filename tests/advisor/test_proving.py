"""Examples edited for another release, and what a trial of them lets the advisor do."""

from __future__ import annotations

import pytest

from libdrift.advisor.migrating import CodeMigrator
from libdrift.advisor.proving import rewriter
from libdrift.advisor.releases import ReleasePair
from libdrift.languages.python.static import of_sources
from libdrift.mining.examples.replacing import FollowedReplacement
from libdrift.records import ExampleFinding, ExampleOutcome

# Nothing says so but the name and the parameters: only likely.
OLD = of_sources({"pkg.py": "def turn_image(image, angle): ..."}, "1.0")
NEW = of_sources({"pkg.py": "def turn_images(image, angle): ..."}, "2.0")
CODE = "import pkg\n\nx = pkg.turn_image(1, 2)\n"


def tried(outcome: ExampleOutcome) -> ExampleFinding:
    return ExampleFinding(
        outcome, "pkg.turn_image", CODE, "3", "3", "x", message="pkg.turn_images"
    )  # fmt: skip


def test_an_example_is_edited_though_the_replacement_is_only_likely() -> None:
    made = rewriter(OLD, NEW)(CODE)
    assert made is not None
    assert made.code == CODE.replace("image(", "images(")
    assert made.followed == (FollowedReplacement("pkg.turn_image", "", "pkg.turn_images"),)
    assert made.is_whole


def test_code_that_stays_as_it_is_is_no_trial() -> None:
    assert rewriter(OLD, NEW)("import pkg\n") is None


@pytest.mark.parametrize(
    ("findings", "is_edited"),
    [
        ([], False),
        ([tried(ExampleOutcome.REPLACED)], True),
        ([tried(ExampleOutcome.REFUSED)], False),
    ],
)
def test_a_proof_is_followed_by_default(findings: list[ExampleFinding], *, is_edited: bool) -> None:
    pair = ReleasePair(OLD, NEW, tried=lambda: findings)
    assert CodeMigrator([pair]).migrated(CODE).is_changed == is_edited
