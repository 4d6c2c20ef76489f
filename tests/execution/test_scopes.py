from __future__ import annotations

import pytest

from libdrift.execution import scopes
from libdrift.metrics import trees


@pytest.mark.parametrize(
    ("code", "read", "bound"),
    [
        ("a = b", "b", "a"),
        ("a, (b, *c) = d = e.f", "e", "a b c d"),
        ("a.b[c] = d", "a c d", ""),
        ("a += 1", "a", "a"),
        ("a: b = c", "b c", "a"),
        ("f(a, key=b).c", "f a b", ""),
        ("(a := b)", "b", "a"),
        ("[a for a in b if c]", "b c", ""),
        ("{a: d for a, b in c}", "c d", ""),
        ("f = lambda x, *y, z=d: x + y + z + g", "d g", "f"),
        ("for a in b:\n    c = a\nelse:\n    d\n", "b a d", "a c"),
        ("with f(a) as b:\n    b\n", "f a b", "b"),
        ("try:\n    a\nexcept E as e:\n    e\n", "a E e", "e"),
        ("import a.b, c.d as e", "", "a e"),
        ("from a import b, c as d", "", "b d"),
        ("def f(x, y: T = d) -> R:\n    z = x + y + g\n    return z\n", "T d R g", "f"),
        ("def f():\n    global g\n    g = 1\n    h = g\n", "g", "f"),
        ("def f(x):\n    def g(y):\n        return x + y + z\n    return g\n", "z", "f"),
        ("def f():\n    import a\n    return a.b\n", "", "f"),
        ("@d(e)\ndef f(): pass\n", "d e", "f"),
        ("class A(B):\n    c = d\n    def f(self):\n        return g\n", "B d g", "A"),
        ("print >>a, b", "a b", ""),  # of Python 2
    ],
)
def test_names(code: str, read: str, bound: str) -> None:
    (node,) = trees.root(trees.encoded(code), "python").named_children
    assert scopes.names_read(node) - {"print"} == set(read.split())
    assert scopes.names_bound(node) == set(bound.split())


def test_what_is_read_comes_before_what_it_is_bound_to() -> None:
    (node,) = trees.root(trees.encoded("for a in a:\n    b = b"), "python").named_children
    assert list(scopes.mentions(node)) == [("a", False), ("a", True), ("b", False), ("b", True)]
