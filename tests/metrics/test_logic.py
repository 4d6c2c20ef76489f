from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.metrics.logic import logic_nodes


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # The shapes of the two problems whose number is known.
        ("import a\ndef f(x: a.T) -> a.T:\n    y = a.b(c.d(x.e()))\n    return y", 3),
        ("import a\n\ndef f() -> None:\n    a.style.use('b')", 0),
        ("    import a\n    y = a.b(x)\n    return y", 1),
        ("a.b(c.d())", 1),
        ("await a.b()", 0),
        ("x = await a.b()", 1),
        ("if x:\n    pass\nelif y:\n    pass", 2),
        ("for i in x:\n    while y:\n        pass", 2),
        ("try:\n    pass\nexcept E:\n    pass", 1),
        ("with a as b:\n    pass", 1),
        ("match x:\n    case 1:\n        pass", 1),
        ("[i for i in x if i if j for k in i]", 4),
        ("x = a if b else c", 1),
        ("x = a + b * c", 2),
        ("x = a and b and c or not d", 3),
        ("x += -1", 1),
        ("x = a < b < c", 1),
        ("@app.route('/')\ndef f(x: int | None = g()): pass", 2),
        ("x: list[int] | None = None", 0),
        ("x = '\\d'", 0),
        ("", 0),
        ("def f(:", None),
        ("a\0b", None),
        ("(" * 5000, None),
    ],
)
def test_what_counts(code: str, expected: int | None) -> None:
    assert logic_nodes(code) == expected


@given(st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=50, deadline=None)
def test_counts_add_up(first: str, second: str) -> None:
    parts = [logic_nodes(first), logic_nodes(second)]
    if None not in parts and logic_nodes(f"{first}\n{second}") is not None:
        assert logic_nodes(f"{first}\npass\n{second}") in {None, sum(filter(None, parts))}
