from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from libdrift.build.migration import migrations
from libdrift.build.results import Built, veiled
from libdrift.errors import UserError
from libdrift.records import ChangeKind, Symbol, TaskKind
from libdrift.suites import task_files
from tests.history.small import function, stored, surface


def doc(*code: str, text: str = "Add up all numbers of a list.") -> str:
    prompts = "\n".join(f">>> {line}" for line in code)
    return f"{text}\n\n{prompts}\n3\n"


def built(
    old: Symbol | list[Symbol], new: Symbol | list[Symbol], versions: str = "1.4 2.0"
) -> Built:
    before, after = (item if isinstance(item, list) else [item] for item in (old, new))
    first, last = versions.split()
    with stored(
        surface(first, *before, day=date(2023, 1, 1)), surface(last, *after, day=date(2024, 1, 1))
    ) as store:
        return migrations(store, "pkg", first, last)


RENAMED = (
    replace(function("pkg:trapz", "y", doc=doc("import pkg", "pkg.trapz([1, 2])")), body="same"),
    replace(
        function(
            "pkg:trapezoid",
            "y",
            doc=doc("import pkg", "pkg.trapezoid([1, 2])", text="Add up by the trapezoidal rule."),
        ),
        body="same",
    ),
)


def test_a_rename_is_a_task_there_and_one_back() -> None:
    found = built(*RENAMED)
    there, back = found.tasks
    assert there.id == f"pkg-1.4-2.0-pkg.trapz-{veiled('pkg.trapezoid')}"
    assert back.id == f"pkg-2.0-1.4-pkg.trapezoid-{veiled('pkg.trapz')}"
    assert there.kind is back.kind is TaskKind.MIGRATE
    assert there.starter == back.reference == "import pkg\npkg.trapz([1, 2])"
    assert there.reference == back.starter == "import pkg\npkg.trapezoid([1, 2])"
    assert there.environment.requirements == ("pkg==2.0",)
    facts = there.facts
    assert (facts.version, facts.from_version, facts.symbol) == ("2.0", "1.4", "pkg.trapezoid")
    assert (facts.release_date, facts.from_date) == (date(2024, 1, 1), date(2023, 1, 1))
    assert (facts.direction, facts.step) == ("old-to-new", "minor-to-major")
    assert (back.facts.direction, back.facts.step) == ("new-to-old", "major-to-minor")
    assert (facts.category, facts.change) == ("name change", ChangeKind.RENAMED)
    assert there.gap is not None
    assert (there.gap.token, there.gap.line) == ("trapezoid", "pkg.trapezoid([1, 2])")
    assert there.gap.old_line == "pkg.trapz([1, 2])"
    # The description is the target's, and does not tell the new name.
    assert there.problem == "Add up by the [API_NAME] rule."
    assert back.problem == "Add up all numbers of a list."
    assert dict(found.counts) == {"2.0": 1, "1.4": 1}
    assert dict(found.left_out) == {}


def _deprecated(old: str, new: str, *, gone: bool) -> tuple[list[Symbol], list[Symbol]]:
    """``pkg.trapz``, which says to use ``pkg.total`` and may be gone later."""
    trapz = function("pkg:trapz", "y", doc=old, gone="Use pkg.total instead.", use="pkg.total")
    total = function("pkg:total", "y", "x=None", doc=new)
    before = [function("pkg:trapz", "y", doc=old)] if not gone else [trapz]
    return [*before, total], [total] if gone else [trapz, total]


@pytest.mark.parametrize(
    ("gone", "kind"), [(True, ChangeKind.REMOVED), (False, ChangeKind.DEPRECATED)]
)
def test_what_is_to_be_replaced_is_a_change_of_name(gone: bool, kind: ChangeKind) -> None:  # noqa: FBT001
    old, new = doc("x = [1, 2]", "trapz(x)"), doc("x = [1, 2]", "total(x)")
    found = built(*_deprecated(old, new, gone=gone))
    assert [(task.facts.category, task.facts.change) for task in found.tasks] == [
        ("name change", kind)
    ] * 2
    assert found.tasks[0].reference == "x = [1, 2]\ntotal(x)"


def test_another_way_to_call_is_general() -> None:
    found = built(
        function("pkg:total", "y", "numeric=None", doc=doc("total(x, numeric=True)")),
        function("pkg:total", "y", doc=doc("total(x)")),
    )
    there, back = found.tasks
    assert (there.id, back.id) == ("pkg-1.4-2.0-pkg.total", "pkg-2.0-1.4-pkg.total")
    assert (there.facts.category, there.facts.change) == ("general", ChangeKind.SIGNATURE)
    assert (there.starter, there.reference) == ("total(x, numeric=True)", "total(x)")
    assert there.problem == "Add up all numbers of a list."


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (["total(x, b=1)"], [], "no example"),
        (["total(x, b=1)"], ["print(x)"], "an example without the name"),
        (["total(x)"], ["total(x)"], "called alike in both examples"),
        (
            ["total(1)"],
            ["total([1, 2])"],
            "called alike in both examples",
        ),  # edited, for other reasons
        (["total(x)"], ["total(x)", "total(x, b=1)"], "examples of different things"),
        (
            ["total(x)"],
            ["from x import y", "y(total(z, b=1), 'of', 'much', 'more')"],
            "examples of different things",
        ),
    ],
)
def test_examples_that_are_no_pair_are_counted(old: list[str], new: list[str], reason: str) -> None:
    found = built(
        function("pkg:total", "y", doc=doc(*old)), function("pkg:total", "y", "b=0", doc=doc(*new))
    )
    assert (found.tasks, dict(found.left_out)) == ((), {reason: 1})


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            doc("x = [1, 2]", "trapz(x)"),
            doc("x = [1, trapz]", "total(x)"),
            "the older name in the newer example",
        ),
        (doc("total(x)"), doc("total(x)"), "an example without the name"),  # a copied docstring
        (">>> trapz(x)\n", ">>> total(x)\n", "no description"),
    ],
)
def test_names_that_are_no_pair_are_counted(old: str, new: str, reason: str) -> None:
    found = built(*_deprecated(old, new, gone=True))
    assert (found.tasks, dict(found.left_out)) == ((), {reason: 1})


def test_a_move_whose_examples_do_not_show_it_is_none() -> None:
    moved = [
        replace(function(f"pkg.{home}:total", "y", doc=doc(code)), body="same")
        for home, code in (("old", "total(x,  y)"), ("new", "total(x, y)"))
    ]
    rest = [function("pkg.old:other"), function("pkg.new:other")]
    assert dict(built([moved[0], *rest], [moved[1], *rest]).left_out) == {
        "the same code in both examples": 1
    }


def test_of_several_examples_those_most_alike_are_paired() -> None:
    block = "\n\nOr::\n\n    with total({0}) as t:\n        print(t)\n\nand so on."
    found = built(
        function("pkg:total", "y", doc="Add up numbers." + block.format("x")),
        function("pkg:total", "y", "b=0", doc=doc("total(1)") + block.format("x, b=2")),
    )
    assert found.tasks[0].reference == "with total(x, b=2) as t:\n    print(t)"


def test_hints_of_releases_in_between_count() -> None:
    between = function("pkg:trapz", "y", gone="Use pkg.total instead.", use="pkg.total")
    total = function("pkg:total", "y", doc=doc("x = [1, 2]", "total(x)"))
    with stored(
        surface("1.0", function("pkg:trapz", "y", doc=doc("x = [1, 2]", "trapz(x)"))),
        surface("1.5", between, total),
        surface("2.0", total),
    ) as store:
        found = migrations(store, "pkg", "1.0", "2.0.0")
    assert [task.gap.token for task in found.tasks if task.gap] == ["total", "trapz"]


def test_versions_are_asked_for_in_their_order() -> None:
    with stored(surface("1.0"), surface("2.0")) as store:
        for old, new in (("2.0", "1.0"), ("2.0", "2.0")):
            with pytest.raises(UserError, match="not later"):
                migrations(store, "pkg", old, new)
        with pytest.raises(UserError, match=r"pkg 3\.0 is not mined"):
            migrations(store, "pkg", "1.0", "3.0")


def test_what_is_written_is_read_back_the_same(tmp_path: Path) -> None:
    found = built(*RENAMED)
    place = tmp_path / "tasks.jsonl"
    task_files.write(place, "migration", "Migration", found.tasks, {})
    assert tuple(task_files.read(place).tasks.values()) == found.tasks
