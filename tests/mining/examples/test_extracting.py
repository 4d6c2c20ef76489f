"""Examples of docstrings: what is behind prompts, and the imports that they take for granted."""

from __future__ import annotations

import pytest

from libdrift.languages.python.static import of_sources
from libdrift.mining.examples.extracting import DocStatement, of_surface, statements


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        (">>> f(1)\n2", [DocStatement("f(1)", "2")]),
        ("Text.\n\n    >>> a = 1\n    >>> a\n    1\n\n    More text.", ["a = 1", "a"]),
        (">>> for x in y:\n...     f(x)\n...\n>>> g()", ["for x in y:\n    f(x)", "g()"]),
        (">>> f()  # doctest: +SKIP\n>>> g()  # doctest: +ELLIPSIS\nab...", ["g()"]),
        (">>> # only a comment\n>>> f()", ["f()"]),
        (">>>\n>>> f()", ["f()"]),
        ("... no prompt before", []),
        (">>> f(\n", ["f("]),  # what is no Python fails in both releases, and is counted
    ],
)
def test_what_is_behind_prompts(doc: str, expected: list[DocStatement | str]) -> None:
    found = statements(doc)
    if expected and isinstance(expected[0], DocStatement):
        assert found == expected
    else:
        assert [item.code for item in found] == expected


def test_an_error_that_is_shown_is_expected() -> None:
    shown = ">>> f()\nTraceback (most recent call last):\n  ...\nValueError: no\n>>> g()\n1"
    assert [item.may_raise for item in statements(shown)] == [True, False]


@pytest.mark.parametrize("code", ["help(f)", "print(f.__doc__)", "pkg.__version__", "dir(f)"])
def test_what_tells_of_the_release_itself(code: str) -> None:
    assert statements(f">>> {code}")[0].tells_of_itself


SOURCES = {
    "pkg/__init__.py": "from pkg._inner import f, g, Thing\nimport math",
    "pkg/_inner.py": '''
def f(x):
    """
    >>> import pkg as p
    >>> p.f(1)
    """
def g(x):
    """
    >>> g(1) + p.f(2) + np.x
    """
class Thing:
    """
    >>> import numpy as np
    >>> Thing().size
    """
    def size(self):
        """
        >>> [Thing() for Thing in ()]
        >>> pkg.f(unknown)
        """
def _hidden():
    """
    >>> 1
    """
''',
}


def test_names_that_an_example_never_binds_are_imported_by_public_paths() -> None:
    found = of_surface(of_sources(SOURCES))
    preambles = {
        example.path: [item.code for item in example.statements if item.is_preamble]
        for example in found.found.values()
    }
    assert preambles == {
        "pkg.f": [],
        "pkg.g": ["import numpy as np", "from pkg import g", "import pkg as p"],
        "pkg.Thing": ["from pkg import Thing"],
        "pkg.Thing.size": ["import pkg"],
    }
    assert found.unknown == {"unknown"}
    assert found.imports == ("numpy", "pkg")


def test_names_of_the_packages_own_code_are_known_too() -> None:
    found = of_surface(of_sources(SOURCES), {"unknown": "else_.where", "np": "not.taken"})
    lines = [item.code for example in found.found.values() for item in example.statements]
    assert "import else_.where as unknown" in lines
    assert "import numpy as np" in lines
    assert not found.unknown


def test_the_same_code_is_one_example() -> None:
    sources = {"pkg.py": 'def f():\n    ">>> 1 + 1"\ndef g():\n    ">>> 1 + 1"\n'}
    assert [example.path for example in of_surface(of_sources(sources)).found.values()] == ["pkg.f"]
