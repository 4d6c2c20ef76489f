"""What can only raise is gone, with the error as evidence; and what only looks like it is not."""

from __future__ import annotations

import pytest

from libdrift.history.differences import compare
from libdrift.languages.python.static import of_sources
from libdrift.records import Change

G = "def good(): ...\n"
F = "def f(a): return a\n"
B = "class B:\n    def m(self): return 1\n    def nice(self): return 2\n"
WARNS = "import warnings\ndef f(a):\n    warnings.warn('f is deprecated', DeprecationWarning)\n    return a\n"


def changes(old: str, new: str) -> list[Change]:
    return compare(*(of_sources({"pkg/__init__.py": text}, version, "pkg")
                     for text, version in ((old, "1"), (new, "2"))))  # fmt: skip


def told(old: str, new: str) -> list[tuple[str, str, str]]:
    return [(c.kind.value, c.path, c.replacement) for c in changes(old, new)]


def f(body: str, before: str = "") -> str:
    return f"{before}\n{G}def f(a):\n    {body}\n"


def b(body: str, decorator: str = "") -> str:
    mark = f"    @{decorator}\n" if decorator else ""
    return f"class B:\n{mark}    def m(self):\n        {body}\n    def nice(self): return 2\n"


def getattr_(body: str, before: str = "") -> str:
    return f"{before}\n{G}def __getattr__(name):\n    {body}\n    raise AttributeError(name)\n"


GONE = [("removed", "pkg.f", "")]
USE_G = [("removed", "pkg.f", "pkg.good")]
M_GONE = [("removed", "pkg.B.m", "")]
M_USE_N = [("removed", "pkg.B.m", "pkg.B.nice")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # Functions: whatever is said, imported or assigned before.
        (F + G, f("raise RuntimeError('f was removed, use `good`')"), USE_G),
        (WARNS + G, f("raise RuntimeError('f was removed, use `good`')"), USE_G),
        (F + G, f("'Doc.'\n    raise ImportError('`f` has been removed; use `good` instead')"), USE_G),
        (F + G, f("msg = 'f is gone: removed'\n    raise RuntimeError(msg)"), GONE),
        (F + G, f("import os\n    warnings.warn('x')\n    raise NameError('f was dropped')"), GONE),
        (F + G, f("raise NotImplementedError('f has been removed in favor of `good`')"), USE_G),
        (F + G, f("raise RuntimeError('f is no longer available')"), GONE),
        (F + G, f("raise DeprecationWarning('Deprecated. Use `good` instead.')"), USE_G),
        (F + G, f("if a:\n        raise TypeError('f is gone')\n    raise ValueError('removed')"), GONE),
        (F + G, f("if a:\n        raise TypeError('removed')\n    else:\n        raise TypeError('x')"), GONE),
        # The words, however they are put together.
        (F + G, f("raise RuntimeError(f'{__name__}.f was removed, use `good`')"), USE_G),
        (F + G, f("raise RuntimeError('%s was removed, use `%s`' % ('f', 'good'))"), USE_G),
        (F + G, f("raise RuntimeError('{} was removed, use `{}`'.format('f', 'good'))"), USE_G),
        (F + G, f("raise RuntimeError('{old} was removed, use `{new}`'.format(old='f', new='good'))"), USE_G),
        (F + G, f("raise RuntimeError('f was removed, '\n        'use `good`')"), USE_G),
        (F + G, f("raise RuntimeError(_MSG)", "_MSG = 'f was removed, use `good`'"), USE_G),
        (F + G, f("raise RuntimeError(_MSG % 'f')", "_MSG = '%s was removed, use `good`'"), USE_G),
        (F + G, f("error = RuntimeError('f was removed')\n    raise error"), GONE),
        (F + G, f("msg = 'f was '\n    msg += 'removed'\n    raise RuntimeError(msg)"), GONE),
        # Methods, properties and what classes answer to.
        (B, b("raise AttributeError('m was removed. Use `nice` instead')"), M_USE_N),
        (b("return 1", "property"), b("raise AttributeError('m was removed. Use `nice`')", "property"), M_USE_N),
        (b("return 1", "classmethod"), b("raise TypeError('m was removed')", "classmethod"), M_GONE),
        (B, "class B:\n    def nice(self): return 2\n    def __getattr__(self, name):\n        if name == 'm':\n            raise AttributeError('m was removed')\n        raise AttributeError(name)\n", M_GONE),
        # Classes, by their constructor, also an inherited one.
        (B, "class B:\n    def __init__(self): raise NotImplementedError('B has been removed')\n", [("removed", "pkg.B", "")]),
        (B, "class B:\n    def __new__(cls): raise RuntimeError('B is no longer supported')\n", [("removed", "pkg.B", "")]),
        ("class A: ...\nclass B(A): ...", "class A:\n    def __init__(self): raise TypeError('A was removed')\nclass B(A): ...", [("removed", "pkg.A", ""), ("removed", "pkg.B", "")]),
        ("class A: ...\nclass B(A): ...", "class A:\n    def __init__(self, x): raise TypeError('A was removed')\nclass B(A):\n    def __init__(self, x): super().__init__(x)", [("removed", "pkg.A", ""), ("removed", "pkg.B", "")]),
        # Branches of a module's __getattr__.
        (F + G, getattr_("if name == 'f':\n        raise AttributeError('f was removed, use `good`')"), USE_G),
        (F + G, getattr_("if name == 'f':\n        msg = dedent('''`f` has been removed, use `good`''')\n        raise ImportError(msg)"), USE_G),
        (F + G, getattr_("if name in {'f', 'h'}:\n        raise AttributeError(f'{name} was removed, use `good`')"), USE_G),
        (F + G, getattr_("if name in _OLD:\n        raise AttributeError(f'{name} is gone. {_OLD[name]}')", "_OLD = {'f': 'Use `good`'}"), USE_G),
        (F + G, getattr_("if name in _OLD:\n        raise AttributeError(_OLD[name])", "_OLD = {'f': 'Use `good`'}"), USE_G),
        # Without a telling word, but it worked before.
        (F, "def f(a): raise TypeError('cannot be done')", GONE),
    ],
)  # fmt: skip
def test_gone(old: str, new: str, expected: list[tuple[str, str, str]]) -> None:
    assert told(old, new) == expected
    assert told(new, new) == [], "in both releases: no change"
    back = [(kind, path) for kind, path, _ in told(new, old)]
    assert ("introduced", expected[0][1]) in back


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (F, "def f(a): raise NotImplementedError"),
        (F, "def f(a): raise NotImplementedError('f')"),
        (F, "def f(a):\n    if a:\n        raise TypeError('removed')\n    return a"),
        (F, "def f(a):\n    for x in a:\n        print(x)\n    raise StopIteration('removed')"),
        (F, "def f(a): raise ValueError(a)"),
        (F, "def f(a): raise ValueError(f'{a} was removed')"),
        (F, "def f(a): raise SystemExit('bye')"),
        (F, "def f(a):\n    try:\n        return good()\n    except TypeError:\n        raise TypeError('removed')"),
        (F, "try:\n    from fast import f\nexcept ImportError:\n    def f(a): raise ImportError('no longer without fast')"),
        (B, b("raise NotImplementedError('m was removed')", "abstractmethod")),
        (B, b("raise TypeError('must be overridden in a subclass')")),
        (B, "class B:\n    def __init__(self): raise TypeError('use make() instead')\n    def m(self): return 1\n    def nice(self): return 2\n"),
        (B, "class A:\n    def m(self): return 1\nclass B(A):\n    def nice(self): return 2\n    def __getattr__(self, name):\n        if name == 'm':\n            raise AttributeError('m was removed')\n        raise AttributeError(name)\n"),
        (F, "def f(a): return a\ndef __getattr__(name):\n    if name == 'f':\n        raise AttributeError('f was removed')\n    raise AttributeError(name)\n"),
    ],
)  # fmt: skip
def test_still_there(old: str, new: str) -> None:
    kinds = {(change.kind.value, change.path) for change in changes(old, new)}
    assert not {("removed", "pkg.f"), ("removed", "pkg.B"), ("removed", "pkg.B.m")} & kinds


def test_the_error_is_evidence() -> None:
    (change,) = changes(WARNS, f("raise RuntimeError('f was removed in 2')").replace(G, ""))
    assert change.evidence == ("it only raises: f was removed in 2",)
    assert (change.breaking, change.confidence) == (True, 1.0)


def test_a_guard_lets_one_name_through() -> None:
    guard = "import warnings\ndef __getattr__(name):\n    if name != 'utc':\n        raise AttributeError(name)\n    warnings.warn('The utc alias is deprecated', DeprecationWarning)\n    return 1\n"
    assert told("utc = 1", guard) == [("deprecated", "pkg.utc", "")]
    assert told(guard, "") == [("removed", "pkg.utc", "")]


def test_a_member_that_a_subclass_has_of_its_own_lives_on() -> None:
    old = B + "class C(B):\n    def m(self): return 3\nclass D(B): ...\n"
    new = b("raise AttributeError('m was removed')") + "class C(B):\n    def m(self): return 3\nclass D(B): ...\n"  # fmt: skip
    (change,) = changes(old, new)
    assert (change.kind, change.path) == ("removed", "pkg.B.m")
    assert "pkg.C.m" not in change.aliases
