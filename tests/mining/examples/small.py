"""Two releases of a small package as wheels, with examples of every outcome."""

from __future__ import annotations

from pathlib import Path

from tests.languages.python.registry import record_sum, zipped

_OLD = '''
import random
import time

def same(x):
    """
    >>> same(2)
    4
    >>> {"b", "a"}
    {'a', 'b'}
    """
    return 2 * x

def other(x):
    """
    >>> import pkg
    >>> value = pkg.other(2)
    >>> value
    [1, 2]
    """
    return [1, 2]

def gone(x):
    """
    >>> gone(3)
    3
    """
    return x

def named(x, *, old=1):
    """
    >>> named(1, old=2)
    3
    """
    return x + old

def refused(x):
    """
    >>> refused(-1)
    1
    """
    return abs(x)

def warned():
    """
    >>> warned()
    1
    """
    return 1

def unsteady():
    """
    >>> unsteady() > 0
    True
    >>> unsteady()
    0.123
    """
    return time.perf_counter()

def seeded():
    """
    >>> seeded()
    0.8
    """
    return random.random()

def printed():
    """
    >>> printed()
    5
    """
    return Number(5)

def neither():
    """
    >>> open("data.csv")
    >>> neither()
    """

def plotted():
    """
    >>> import matplotlib.pyplot as plt
    """

class Number(int):
    """A number.

    >>> Number(7)
    7
    """
    def __repr__(self):
        return f"{int(self)}"
'''
_CHANGES = (
    ("return [1, 2]", "return (1, 2)"),
    ("    [1, 2]\n", "    (1, 2)\n"),
    ('def gone(x):\n    """\n    >>> gone(3)\n    3\n    """\n    return x\n', ""),
    ("old=1", "new=1"),
    (">>> named(1, old=2)", ">>> named(1, new=2)"),
    ("return x + old", "return x + new"),
    ("return abs(x)", "if x < 0:\n        raise ValueError('negative')\n    return x"),
    (">>> refused(-1)", ">>> refused(1)"),
    (
        "    return 1\n",
        '    import warnings\n    warnings.warn("warned() is deprecated. Use same()",'
        " DeprecationWarning, stacklevel=2)\n    return 1\n",
    ),
    ('return f"{int(self)}"', 'return f"pkg.Number({int(self)})"'),
    (
        "import random\n",
        'import random\n\ndef fresh():\n    """\n    >>> fresh()\n    1\n    """\n    return 1\n',
    ),
)


def sources(version: str) -> str:
    if version == "1.0":
        return _OLD
    text = _OLD
    for before, after in _CHANGES:
        assert before in text, before
        text = text.replace(before, after)
    return text


def write_wheel(folder: Path, version: str, content: str) -> None:
    info = f"pkg-{version}.dist-info"
    members = {
        "pkg/__init__.py": content,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: pkg\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = [f"{name},{record_sum(text.encode())},{len(text)}" for name, text in members.items()]
    record = "\n".join([*lines, f"{info}/RECORD,,", ""])
    path = folder / f"pkg-{version}-py3-none-any.whl"
    path.write_bytes(zipped({**members, f"{info}/RECORD": record}))
