import pytest
from answer import render_groups


def entries(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"tag": tag, "name": name} for tag, name in pairs]


def test_one_case_only():
    given = entries(("red", "rose"), ("blue", "sky"), ("red", "brick"))
    assert render_groups(given) == "blue: sky\nred: rose, brick"


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("a", "1"), ("A", "2")], "A: 2\na: 1"),
        ([("X", "p"), ("x", "q"), ("X", "r"), ("b", "s")], "X: p, r\nb: s\nx: q"),
        ([("id", "1"), ("ID", "2"), ("Id", "3")], "ID: 2\nId: 3\nid: 1"),
    ],
)
def test_case_makes_a_difference(pairs, expected):
    assert render_groups(entries(*pairs)) == expected


def test_nothing_to_render():
    assert render_groups([]) == ""
