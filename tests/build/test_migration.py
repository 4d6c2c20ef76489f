from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from libdrift.build.migration import migrations
from libdrift.build.results import Built, veiled
from libdrift.errors import UserError
from libdrift.metrics.completions import CompletionReference, Scorer, Scores
from libdrift.records import ChangeKind, Origin, Provenance, Symbol, Task, TaskKind, VersionNote
from libdrift.suites import task_files
from tests.history.small import function, klass, stored, surface


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
    assert (facts.direction, facts.step) == ("old-to-new", "major-to-major")
    assert (back.facts.direction, back.facts.step) == ("new-to-old", "major-to-major")
    assert (facts.category, facts.change) == ("name change", ChangeKind.RENAMED)
    assert there.gap is not None
    assert (there.gap.token, there.gap.line) == ("trapezoid", "pkg.trapezoid([1, 2])")
    assert there.gap.old_line == "pkg.trapz([1, 2])"
    # The description is the target's, and does not tell the new name.
    assert there.problem == "Add up by the [API_NAME] rule."
    assert back.problem == "Add up all numbers of a list."
    assert dict(found.counts) == {"2.0": 1, "1.4": 1}
    assert dict(found.left_out) == {}


def _replaced(old: str, new: str) -> tuple[list[Symbol], list[Symbol]]:
    """``pkg.trapz``, which says to use ``pkg.total``, and is gone later; the other is there."""
    trapz = function("pkg:trapz", "y", doc=old, gone="Use pkg.total instead.", use="pkg.total")
    total = function("pkg:total", "y", "x=None", doc=new)
    return [trapz, total], [total]


def moved(*homes: str) -> tuple[list[Symbol], list[Symbol]]:
    """``total`` of one module and then of another; each of the two has more."""
    rest = [function("pkg.old:other"), function("pkg.new:other")]
    code = ("import pkg", "pkg.{}.total([1, 2])")
    one, other = (
        replace(
            function(f"pkg.{home}:total", "y", doc=doc(code[0], code[1].format(home))), body="same"
        )
        for home in homes
    )
    return [one, *rest], [other, *rest]


def unchanged(task: Task) -> Scores:
    """What the code that a task starts from is worth as an answer."""
    assert task.gap is not None
    reference = CompletionReference("block", task.gap.token, task.gap.line, task.reference)
    assert Scorer(reference).score_answer(task.reference).cdc
    return Scorer(reference).score_answer(task.starter)


@pytest.mark.parametrize(
    ("old", "new", "tokens"),
    [
        (*RENAMED, ["trapezoid", "trapz"]),
        (*moved("old", "new"), ["new", "old"]),
    ],
)
def test_no_name_change_is_right_without_one(
    old: Symbol | list[Symbol], new: Symbol | list[Symbol], tokens: list[str]
) -> None:
    tasks = built(old, new).tasks
    assert [task.gap.token for task in tasks if task.gap] == tokens
    for task in tasks:
        assert task.gap is not None
        assert task.gap.token in task.gap.line
        assert task.gap.old_line == task.starter.splitlines()[1]
        assert not unchanged(task).em


def test_a_new_place_without_a_name_of_its_own_is_asked_for_one_way_only() -> None:
    total = [
        replace(function(where, "y", doc=doc("import pkg", code)), body="same")
        for where, code in (("pkg:total", "pkg.total(x)"), ("pkg.sums:total", "pkg.sums.total(x)"))
    ]
    rest = [function("pkg.sums:other")]
    found = built([total[0], *rest], [total[1], *rest])
    assert [task.gap.token for task in found.tasks if task.gap] == ["sums"]
    assert dict(found.left_out) == {"no name that is in the other example only": 1}


def test_a_place_is_not_given_away_but_words_with_its_name_stay() -> None:
    text = "Add what is new to a newer total."
    old, new = (
        [
            replace(item, doc=item.doc.replace("Add up all numbers of a list.", text))
            for item in side
        ]
        for side in moved("old", "new")
    )
    assert built(old, new).tasks[0].problem == "Add what is [API_NAME] to a newer total."


def test_a_replacement_that_was_there_before_is_asked_for_one_way_only() -> None:
    old, new = doc("x = [1, 2]", "trapz(x)"), doc("x = [1, 2]", "total(x)")
    found = built(*_replaced(old, new))
    (task,) = found.tasks
    assert (task.facts.category, task.facts.change) == ("name change", ChangeKind.REMOVED)
    assert (task.facts.direction, task.reference) == ("old-to-new", "x = [1, 2]\ntotal(x)")
    assert dict(found.left_out) == {"not needed: the other release has the name too": 1}


def test_what_is_deprecated_works_still() -> None:
    code = doc("x = [1, 2]", "trapz(x)")
    trapz = function("pkg:trapz", "y", doc=code, gone="Use pkg.total instead.", use="pkg.total")
    total = function("pkg:total", "y", doc=doc("x = [1, 2]", "total(x)"))
    found = built(function("pkg:trapz", "y", doc=code), [trapz, total])
    (task,) = found.tasks
    assert (task.facts.direction, task.facts.change) == ("new-to-old", ChangeKind.DEPRECATED)
    assert dict(found.left_out) == {"not needed: the other release has the name too": 1}


@pytest.mark.parametrize(
    ("details", "directions"),
    [
        ({}, ["new-to-old"]),
        ({"outside": {"other.Base": ("total",)}}, []),  # inherited
        ({"origin": Origin(unread=("pkg.py: no Python",))}, []),
        ({"origin": Origin(gaps=("pkg.sums: compiled",))}, []),  # seen by import, in the other
    ],
)
def test_what_a_release_may_have_unseen_is_not_gone(
    details: dict[str, Any], directions: list[str]
) -> None:
    box = klass("pkg:Box", "other.Base")
    code = doc("x = Box()", "x.trapz(1)")
    trapz = function("pkg:Box.trapz", "y", doc=code)
    told = function("pkg:Box.trapz", "y", doc=code, gone="Use `total` instead.", use="total")
    total = replace(
        function("pkg:Box.total", "y", doc=doc("x = Box()", "x.total(1)")),
        provenance=(Provenance.RUNTIME,),
    )
    before = replace(surface("1.4", box, trapz), **details)
    with stored(before, surface("2.0", box, told, total)) as store:
        found = migrations(store, "pkg", "1.4", "2.0")
    assert [task.facts.direction for task in found.tasks] == directions


def test_what_only_says_that_it_is_gone_is_gone() -> None:
    old, new = doc("x = [1, 2]", "trapz(x)"), doc("x = [1, 2]", "total(x)")
    before, after = _replaced(old, new)
    dead = replace(before[0], notes=(VersionNote("removed", "2.0", "Use `pkg.total` instead."),))
    found = built(before, [dead, *after])
    assert [task.facts.direction for task in found.tasks] == ["old-to-new"]


def test_another_way_to_call_is_general() -> None:
    found = built(
        function("pkg:total", "y", "numeric=None", doc=doc("total(x, numeric=True)")),
        function("pkg:total", "y", doc=doc("total(x)")),
    )
    (there,) = found.tasks
    assert there.id == "pkg-1.4-2.0-pkg.total"
    assert (there.facts.category, there.facts.change) == ("general", ChangeKind.SIGNATURE)
    assert (there.starter, there.reference) == ("total(x, numeric=True)", "total(x)")
    assert there.problem == "Add up all numbers of a list."
    assert not unchanged(there).cdc
    # Without the argument the call is right in the older release as well.
    assert dict(found.left_out) == {"not needed: the other release takes the call too": 1}


def test_a_call_may_be_wrong_both_ways() -> None:
    found = built(
        function("pkg:total", "y", "axis", doc=doc("total(x, axis=1)")),
        function("pkg:total", "y", "dim", doc=doc("total(x, dim=1)")),
    )
    assert [task.facts.direction for task in found.tasks] == ["old-to-new", "new-to-old"]
    assert not any(unchanged(task).cdc for task in found.tasks)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (["total(x, 1)"], [], "no example"),
        (["total(x, 1)"], ["print(x)"], "an example without the name"),
        (["total(x, 1)"], ["total(x, 1)"], "called alike in both examples"),
        # edited, for other reasons
        (["total([1], 1)"], ["total([1, 2], 1)"], "called alike in both examples"),
        (["total(x, 1)"], ["total(x, 1)", "total(x)"], "examples of different things"),
        (
            ["total(x, 1)"],
            ["from x import y", "y(total(z), 'of', 'much', 'more')"],
            "examples of different things",
        ),
        (["x = 1", "total(x, 1)"], ["x = 2", "total(x)"], "examples of different things"),
        (
            ["total(x, 1, z=3)"],
            ["total(x)"],
            "an example that its own signature does not take",
        ),
        (
            ["total(x)", "total(x, 1)"],
            ["total(x)", "total(x)"],
            "the same first call in both examples",
        ),
        (
            ["total(x, 1)", "total(x)"],
            ["total(x)", "total(y=x)"],
            "calls that differ without need",
        ),
    ],
)
def test_examples_that_are_no_pair_are_counted(old: list[str], new: list[str], reason: str) -> None:
    found = built(
        function("pkg:total", "y", "b=0", doc=doc(*old)), function("pkg:total", "y", doc=doc(*new))
    )
    assert found.tasks == ()
    back = {"not needed: the other release takes the call too": 1}
    alone = reason in {"the same first call in both examples", "calls that differ without need"}
    assert dict(found.left_out) == ({reason: 1, **back} if alone else {reason: 2})


OTHERS = [f"x{number} = {number}" for number in range(10)]


@pytest.mark.parametrize(("changed", "tasks"), [(1, 1), (2, 0)])
def test_lines_beside_the_call_have_to_be_alike(changed: int, tasks: int) -> None:
    edited = [f"y{number} = 0" for number in range(changed)]
    # The call's own line is long, and another one: it does not count.
    found = built(
        function(
            "pkg:total", "y", "b=0", doc=doc(*OTHERS, "print('of many numbers', total(x, 1))")
        ),
        function("pkg:total", "y", doc=doc(*edited, *OTHERS[changed:], "total(x)")),
    )
    assert len(found.tasks) == tasks


def test_prompts_that_two_have_are_none() -> None:
    """Two variants are one later: there is no telling which of them is asked for back."""
    old = [
        function(
            f"pkg:{name}",
            "y",
            doc=doc(f"{name}(x)"),
            gone="Use pkg.total instead.",
            use="pkg.total",
        )
        for name in ("total_a", "total_b")
    ]
    found = built(old, function("pkg:total", "y", doc=doc("total(x)")))
    assert [task.facts.direction for task in found.tasks] == ["old-to-new"] * 2
    assert dict(found.left_out) == {"its prompt is another's too": 2}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            doc(*OTHERS, "trapz(x)"),
            doc("x0 = trapz", *OTHERS[1:], "total(x)"),
            "an example that still has the name that is gone",
        ),
        (doc("total(x)"), doc("total(x)"), "an example without the name"),  # a copied docstring
        (doc("trapz(x, 1)"), doc("total(3)"), "examples of different things"),
        (">>> trapz(x)\n", ">>> total(x)\n", "no description"),
    ],
)
def test_names_that_are_no_pair_are_counted(old: str, new: str, reason: str) -> None:
    found = built(*_replaced(old, new))
    assert found.tasks == ()
    assert found.left_out[reason]


def test_a_move_whose_examples_do_not_show_it_is_none() -> None:
    total = [
        replace(function(f"pkg.{home}:total", "y", doc=doc(code)), body="same")
        for home, code in (("old", "total(x,  y)"), ("new", "total(x, y)"))
    ]
    rest = [function("pkg.old:other"), function("pkg.new:other")]
    assert dict(built([total[0], *rest], [total[1], *rest]).left_out) == {
        "the same code in both examples": 2
    }


def test_of_several_examples_those_most_alike_are_paired() -> None:
    block = "\n\nOr::\n\n    with total({0}) as t:\n        print(t)\n\nand so on."
    found = built(
        function("pkg:total", "y", "b=0", doc=doc("total(1)") + block.format("x, b=2")),
        function("pkg:total", "y", doc="Add up numbers." + block.format("x")),
    )
    assert found.tasks[0].starter == "with total(x, b=2) as t:\n    print(t)"


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
