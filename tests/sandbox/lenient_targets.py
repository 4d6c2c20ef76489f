"""Small tasks whose tests leave room, as tests of real benchmarks do: for what lives in such room.

Bounds, tolerances, order alone, truth values of libraries, loops over what comes back, and values
that can be told from the arguments. Most need a library: that of a task of the starter suite.
"""

from __future__ import annotations

from libdrift.records import TestStyle
from tests.sandbox.targets import Target

MEAN = Target(
    "mean",
    "def mean(values):\n    return sum(values) / len(values)\n",
    {
        TestStyle.PYTEST: """
import statistics

from answer import mean


def test_within():
    assert -8 <= mean([-9, -5]) <= -6
    assert 3 <= mean([statistics.mean([1, 3]), 6]) <= 5


def test_far():
    assert 999 <= mean([900, 1100]) <= 1001
""",
        TestStyle.SCRIPT: (
            "import statistics\nassert -8 <= mean([-9, -5]) <= -6\nassert 3 <= mean([2, 6]) <= 5\n"
        ),
    },
)

SQUARES = Target(
    "squares",
    "def squares(values):\n    return [value * value for value in values]\n",
    {
        TestStyle.PYTEST: """
import pytest
from answer import squares


@pytest.mark.parametrize("values, expected", [([1, 2, 3], [1, 4, 9]), ([7, 8], [49, 64])])
def test_each(values, expected):
    found = squares(values)
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert one == other


def test_all_are_there():
    found = squares([5, 6])
    assert found
    for value in found:
        assert value in (25, 36)
""",
        TestStyle.SCRIPT: (
            "_found = squares([3, 4, 5])\nassert len(_found) == 3\n"
            "assert all(a == b for a, b in zip(_found, [9, 16, 25]))\n"
        ),
    },
)

EVENS = Target(
    "evens",
    "def evens(values):\n    for value in values:\n        if not value % 2:\n            yield value\n",
    {
        TestStyle.PYTEST: """
from answer import evens


def test_evens():
    found = evens([1, 2, 4])
    assert found is not None
    for one, other in zip(found, [2, 4]):
        assert one == other


def test_none_is_odd():
    found = evens(range(100))
    assert found
    assert all(value % 2 == 0 and value < 100 for value in found)
""",
        TestStyle.SCRIPT: (
            "_found = list(evens([5, 6, 8]))\nassert len(_found) == 2\n"
            "assert all(a == b for a, b in zip(_found, [6, 8]))\n"
        ),
    },
)

TREND = Target(
    "trend",
    "def trend(values):\n    return float(values[-1] - values[0])\n",
    {
        TestStyle.PYTEST: """
from answer import trend


def test_up():
    assert trend([1.5, 2, 9]) > 0
    assert trend([7, 3, 8]) > 0


def test_down():
    assert trend([9, 8, 1]) < 0
""",
        TestStyle.SCRIPT: "assert trend([1, 5]) > 0\nassert trend([2, 7]) > 0\nassert trend([8, 1]) < 0\n",
    },
)

LONGEST = Target(
    "longest",
    "def longest(words):\n    return max(words, key=len)\n",
    {
        TestStyle.PYTEST: """
from answer import longest


def test_words():
    assert longest(["apple", "elephant", "kiwi"]) == "elephant"


def test_names():
    assert longest(["Bartholomew", "Christopher J."]) == "Christopher J."
""",
        TestStyle.SCRIPT: 'assert longest(["apple", "elephant"]) == "elephant"\n',
    },
)

SORTED = Target(
    "in_order",
    "def in_order(values):\n    return sorted(values)\n",
    {
        TestStyle.PYTEST: """
from answer import in_order


def test_numbers():
    assert in_order([30, 10.5, 20]) == [10.5, 20, 30]


def test_letters():
    assert in_order(["beta", "alpha"]) == ["alpha", "beta"]
""",
        TestStyle.SCRIPT: "assert in_order([300, 100, 200]) == [100, 200, 300]\n",
    },
)

KIND = Target(
    "kind",
    "def kind(value):\n    return type(value).__name__\n",
    {
        TestStyle.PYTEST: """
from answer import kind


def test_number():
    assert kind(2.5) == "float"


def test_text():
    assert kind("2.5") == "str"
""",
        TestStyle.SCRIPT: 'import math\nassert kind(math.pi) == "float"\n',
    },
)

INVERTIBLE = Target(
    "invertible",
    """import numpy as np


def invertible(matrices):
    return np.all(np.abs(np.linalg.det(matrices)) > 1e-9)
""",
    {
        TestStyle.PYTEST: """
import numpy as np
from answer import invertible


def test_yes():
    assert invertible(np.array([[[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]]))


def test_no():
    assert not invertible(np.array([[[1.0, 2.0], [2.0, 4.0]]]))
""",
        TestStyle.SCRIPT: (
            "import numpy as np\nassert invertible(np.eye(2)[None])\n"
            "assert not invertible(np.zeros((1, 2, 2)))\n"
        ),
    },
    "numpy-batched-solve",
)

BELOW = Target(
    "below",
    "def below(values, limit):\n    return values < limit\n",
    {
        TestStyle.PYTEST: """
import numpy as np
from answer import below


def test_three():
    assert np.array_equal(below(np.array([3, 5, 1]), 4), [True, False, True])
""",
        TestStyle.SCRIPT: (
            "import numpy as np\nassert below(np.array([7, 1]), 4).tolist() == [False, True]\n"
        ),
    },
    "numpy-batched-solve",
)

HALVES = Target(
    "halves",
    """import numpy as np


def halves(values):
    low, high = np.split(np.asarray(values, dtype=float), 2)
    return {"low": low, "high": high}
""",
    {
        TestStyle.PYTEST: """
import numpy as np
from answer import halves


def test_halves():
    found = halves([1, 2, 4, 8])
    assert np.allclose(found["low"], [1, 2])
    assert np.allclose(found["high"], [4, 8])


def test_two():
    assert np.allclose(halves([3, 5])["high"], 5)
""",
        TestStyle.SCRIPT: (
            'import numpy as np\nassert np.allclose(halves([3.5, 5.5])["low"], 3.5)\n'
            'assert np.allclose(halves([1.5, 7.5])["high"], 7.5)\n'
        ),
    },
    "numpy-batched-solve",
)

CUT = Target(
    "cut",
    """import numpy as np


def cut(values, places):
    return np.array_split(np.asarray(values, dtype=float), places)
""",
    {
        TestStyle.PYTEST: """
import numpy as np
from answer import cut


def test_parts():
    found = cut([1.5, 2.5, 3.5, 4.5], 2)
    assert np.allclose(found[0], [1.5, 2.5])
    assert np.allclose(found[1], [3.5, 4.5])
""",
        TestStyle.SCRIPT: (
            "import numpy as np\n_found = cut([1.5, 2.5], 2)\nassert np.allclose(_found[0], 1.5)\n"
            "assert np.allclose(_found[1], 2.5)\n"
        ),
    },
    "numpy-batched-solve",
)

ROOT = Target(
    "root",
    "import sympy\n\n\ndef root(number):\n    return sympy.sqrt(number).evalf()\n",
    {
        TestStyle.PYTEST: """
import sympy
from answer import root


def test_irrational():
    assert abs(root(sympy.Integer(2)) - 1.41421356) < 1e-6


def test_square():
    assert abs(root(9) - sympy.Integer(3)) < sympy.Rational(1, 10**6)
    assert abs(root(16) - 4) < 1e-6
""",
        TestStyle.SCRIPT: (
            "import sympy\nassert abs(root(9) - 3) < 1e-6\n"
            "assert abs(root(sympy.Integer(4)) - 2) < 1e-6\n"
        ),
    },
    "sympy-count-equal",
)

POSITIVE = Target(
    "positive",
    "import sympy\n\n\ndef positive(number):\n    return sympy.sympify(number) > 0\n",
    {
        TestStyle.PYTEST: """
import sympy
from answer import positive


def test_yes():
    assert positive(sympy.Integer(2)) == True


def test_no():
    assert positive(sympy.Rational(-1, 3)) == False
""",
        TestStyle.SCRIPT: (
            "import sympy\nassert positive(sympy.pi) == sympy.true\n"
            "assert positive(-sympy.pi) == sympy.false\n"
        ),
    },
    "sympy-count-equal",
)

RING = Target(
    "ring",
    "import networkx as nx\n\n\ndef ring(size):\n    return nx.cycle_graph(size)\n",
    {
        TestStyle.PYTEST: """
import networkx as nx
from answer import ring


def test_size():
    assert len(ring(5)) == 5


def test_degrees():
    graph = ring(6)
    assert len(graph) == 6
    assert all(degree == 2 for _, degree in graph.degree)
    assert all(nx.has_path(graph, 0, node) for node in graph.nodes)
""",
        TestStyle.SCRIPT: (
            "import networkx as nx\n_graph = ring(4)\nassert len(_graph) == 4\n"
            "assert all(_graph.has_edge(n, (n + 1) % 4) for n in _graph.nodes)\n"
        ),
    },
    "networkx-visit-order",
)

INVERTED = Target(
    "inverted",
    "from PIL import ImageOps\n\n\ndef inverted(image):\n    return ImageOps.invert(image)\n",
    {
        TestStyle.PYTEST: """
from PIL import Image, ImageChops
from answer import inverted


def test_inverted():
    image = Image.new("L", (4, 4), 55)
    assert ImageChops.difference(inverted(image), Image.new("L", (4, 4), 200)).getbbox() is None
    assert all(value == 200 for value in inverted(image).getdata())
""",
        TestStyle.SCRIPT: (
            "from PIL import Image, ImageChops\n_white = Image.new('L', (3, 3), 255)\n"
            "assert ImageChops.difference(inverted(Image.new('L', (3, 3), 0)), _white).getbbox() is None\n"
        ),
    },
    "pillow-white-disc",
)

LENIENT = (
    MEAN, SQUARES, EVENS, TREND, LONGEST, SORTED, KIND, INVERTIBLE, BELOW, HALVES, CUT, ROOT,
    POSITIVE, RING, INVERTED,
)  # fmt: skip
