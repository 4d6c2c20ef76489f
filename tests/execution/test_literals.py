from __future__ import annotations

import time

import pytest

from libdrift.execution.literals import values


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('["a.b"]', [["a.b"]]),
        ("['a.b', \"c\"]", [["a.b", "c"]]),
        ('["a.b",]', [["a.b"]]),
        ("{'a': {'b': None, 'c': true, }, }", [{"a": {"b": None, "c": True}}]),
        ('{"a": 3.10, \'b\': 3.10, "c": 1}', [{"a": "3.10", "b": "3.10", "c": "1"}]),
        ("{'a.b'}", [["a.b"]]),
        ("('a.b', 'c.d')", [["a.b", "c.d"]]),
        ("```python\n('a.b',)\n```", [["a.b"]]),
        ("[a.b, c.d]", [["a.b", "c.d"]]),
        ("[range]", [["range"]]),
        ("[np.in1d(a, b)]", [["np.in1d"]]),
        ("So [range] it is", []),  # a word in brackets
        ("So [a.b] it is", [["a.b"]]),
        ('{"a": 1 // one\n, "b": 2}', [{"a": "1", "b": "2"}]),
        ('["a",  # not "b"\n "c"]', [["a", "c"]]),
        ('{"url": "http://x.y/z",}', [{"url": "http://x.y/z"}]),
        ("It's ['a.b'], isn't it? ['c.d']", [["a.b"], ["c.d"]]),
        ("frame['key'] and rows[0]", []),
        ("[see 1] and [1]", [["1"]]),
        ("So {'a': f(x)}", []),
        ("{**x}", []),
        ("['a' 'b'", []),
        ("(a remark)", []),
        ("", []),
        ("\ud800 [\ud800]", []),
    ],
)
def test_what_is_read(text: str, found: list[object]) -> None:
    assert [value for _, value in values(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        *(one * 50_000 for one in ("[", '["', "['", "{'a': ", "[#")),
        "[" * 50_000 + "]" * 50_000,
        "['a', " * 30_000 + "x y",
        "[" + "-" * 100_000 + "1]",
        "[1, " * 200 + "]",
    ],
)
def test_nothing_takes_long(text: str) -> None:
    started = time.monotonic()
    list(values(text))
    assert time.monotonic() - started < 20
