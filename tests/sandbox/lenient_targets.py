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
            "_found = inverted(Image.new('L', (3, 3), 0))\n"
            "assert ImageChops.difference(_found, _white).getbbox() is None\n"
            "assert all(value == 255 for value in _found.getdata())\n"
        ),
    },
    "pillow-white-disc",
)

PRODUCT = Target(
    "product",
    "import numpy as np\n\n\ndef product(values):\n    return float(np.prod(values))\n",
    {
        TestStyle.PYTEST: """
import pytest
from answer import product


@pytest.mark.parametrize("values, expected", [([100, 200, 300], 6e6), ([1000.5, 1000], 1000500)])
def test_near(values, expected):
    assert product(values) == pytest.approx(expected)


def test_same():
    assert product([300, 300]) == 90000
""",
        TestStyle.SCRIPT: (
            "assert product([300, 300]) == 90000\nassert product([1000.5, 1000]) == 1000500.0\n"
        ),
    },
    "numpy-batched-solve",
)

DIVISORS = Target(
    "divisors",
    "def divisors(number):\n    return [n for n in range(1, number + 1) if number % n == 0]\n",
    {
        TestStyle.PYTEST: """
from answer import divisors


def test_some():
    found = divisors(360)
    assert 45 in found
    assert 7 not in found
""",
        TestStyle.SCRIPT: "assert 6 in divisors(12)\nassert 5 not in divisors(12)\n",
    },
)

WORDS = Target(
    "words",
    "def words(text):\n    return text.upper().split()\n",
    {
        TestStyle.PYTEST: """
from answer import words


def test_number():
    assert len(words("the quick brown fox")) == 4
""",
        TestStyle.SCRIPT: 'assert len(words("the quick brown")) == 3\n',
    },
)

SQUARE_ROOT = Target(
    "square_root",
    """def square_root(number):
    if number < 0:
        raise ValueError("negative")
    return number**0.5
""",
    {
        TestStyle.PYTEST: """
import pytest
from answer import square_root


def test_negative():
    with pytest.raises(ValueError):
        square_root(-1)


def test_between():
    assert square_root(7.3) > 2
    assert square_root(7.3) < 3
""",
        TestStyle.SCRIPT: (
            "import pytest\nwith pytest.raises(ValueError):\n    square_root(-1)\n"
            "assert square_root(7.3) > 2\nassert square_root(7.3) < 3\n"
        ),
    },
)

BOUNDS = Target(
    "bounds",
    """import numpy as np
from types import SimpleNamespace


def bounds(values):
    values = np.asarray(values, dtype=float)
    return SimpleNamespace(low=values - 1.5, high=values * 2.5)
""",
    {
        TestStyle.PYTEST: """
import numpy as np
from answer import bounds


def test_bounds():
    found = bounds([1, 2, 4])
    assert np.allclose(found.low, [-0.5, 0.5, 2.5])
    assert np.allclose(found.high, [2.5, 5, 10])
""",
        TestStyle.SCRIPT: (
            "import numpy as np\nassert np.allclose(bounds([7, 9]).low, [5.5, 7.5])\n"
            "assert np.allclose(bounds([7.5]).high, [18.75])\n"
        ),
    },
    "numpy-batched-solve",
)

EACH = Target(
    "each",
    """import numpy as np


def each(function, values):
    for value in values:
        function(np.array([value**2, value**3], dtype=float))
""",
    {
        TestStyle.PYTEST: """
import numpy as np
from answer import each


def test_each():
    seen = []

    def look(value):
        seen.append(value)
        assert np.allclose(value, [len(seen) ** 2, len(seen) ** 3])

    each(look, [1, 2, 3])
    assert len(seen) == 3
""",
        TestStyle.SCRIPT: (
            "import numpy as np\n_seen = []\neach(_seen.append, [5, 7])\n"
            "assert np.allclose(_seen[0], [25, 125])\nassert np.allclose(_seen[1], [49, 343])\n"
        ),
    },
    "numpy-batched-solve",
)

SPREAD = Target(
    "spread",
    """def spread(table):
    found = table.copy()
    found["z"] = (found["x"] - found["x"].mean()) / found["x"].std()
    return found
""",
    {
        TestStyle.PYTEST: """
import numpy as np
import pandas as pd
from answer import spread


def test_spread():
    found = spread(pd.DataFrame({"x": [1.0, 2.0, 6.0]}))
    assert np.allclose(found["z"].iloc[0], -0.755928946)
    assert np.allclose(found.loc[2, "z"], 1.1338934190)
""",
        TestStyle.SCRIPT: (
            "import numpy as np\nimport pandas as pd\n"
            "_found = spread(pd.DataFrame({'x': [1.0, 2.0, 6.0]}))\n"
            "assert np.allclose(_found['z'].iloc[0], -0.755928946)\n"
        ),
    },
    "pandas-tally-column",
)

TWICE = Target(
    "twice",
    "def twice(values):\n    return [2 * value for value in values]\n",
    {
        TestStyle.PYTEST: """
import numpy as np
from answer import twice


def test_none():
    assert twice([]) == []


def test_some():
    assert np.allclose(twice([1.5, 7]), [3, 14])
""",
        TestStyle.SCRIPT: (
            "import numpy as np\nassert twice([]) == []\n"
            "assert np.allclose(twice([1.5, 7]), [3.0, 14.0])\n"
        ),
    },
    "numpy-batched-solve",
)

SCALE = Target(
    "Scale",
    """class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def apply(self, value):
        return self.factor * value + 17
""",
    {
        TestStyle.PYTEST: """
from answer import Scale


def test_scale():
    with Scale(3) as scale:
        assert scale.apply(4) == 29
    with Scale(2.5) as scale:
        assert scale.apply(20) == 67
""",
        TestStyle.SCRIPT: (
            "with Scale(3) as _scale:\n    assert _scale.apply(4) == 29\n"
            "with Scale(2.5) as _scale:\n    assert _scale.apply(20) == 67\n"
        ),
    },
)

REPORT = Target(
    "report",
    """def report(values):
    low = [value for value in values if value < 0]
    if low:
        raise ValueError(f"{len(low)} negative, the least is {min(low)}")
    print(f"Total: {sum(values)}, mean {sum(values) / len(values):.2f}")
""",
    {
        TestStyle.PYTEST: """
import pytest
from answer import report


def test_out(capsys):
    report([3, 5, 9])
    said = capsys.readouterr().out
    assert "Total: 17" in said
    assert "mean 5.67" in said


def test_negative():
    with pytest.raises(ValueError, match="2 negative"):
        report([1, -4, -9])
""",
        TestStyle.SCRIPT: """
import contextlib, io

_said = io.StringIO()
with contextlib.redirect_stdout(_said):
    report([3, 5, 9])
assert "Total: 17" in _said.getvalue()
""",
    },
)

RUNNING = Target(
    "running",
    "import itertools\n\n\ndef running(values):\n    return list(itertools.accumulate(values))\n",
    {
        TestStyle.PYTEST: """
from answer import running


def test_running():
    for one, other in zip(running([4, 9, 16, 2]), [4, 13, 29, 31]):
        assert one == other
""",
        TestStyle.SCRIPT: (
            "for one, other in zip(running([40, 9, 16]), [40, 49, 65]):\n    assert one == other\n"
        ),
    },
)

TALLY = Target(
    "tally",
    "def tally(table):\n    return table['a'].astype('Int64') * 3\n",
    {
        TestStyle.PYTEST: """
import pandas as pd
from answer import tally


def test_tally():
    found = tally(pd.DataFrame({"a": [10, 20, 51]}))
    assert (found == [30, 60, 153]).all()
    assert not (found != [30, 60, 153]).any()
""",
        TestStyle.SCRIPT: (
            "import pandas as pd\n"
            "assert (tally(pd.DataFrame({'a': [70, 90]})) == [210, 270]).all()\n"
        ),
    },
    "pandas-tally-column",
)

GAUGE = Target(
    "Gauge",
    """class Gauge:
    def __init__(self, values):
        self.values = list(values)

    @property
    def mean(self):
        return sum(self.values) / len(self.values)

    def __getitem__(self, number):
        return 2 * self.values[number]

    def __str__(self):
        return f"mean {self.mean:.2f}"
""",
    {
        TestStyle.PYTEST: """
from answer import Gauge


def test_mean():
    gauge = Gauge([1, 2, 6])
    assert gauge.mean > 2
    assert gauge.mean < 4
    assert gauge[1] > 3.5
    assert gauge[1] < 4.5


def test_text():
    gauge = Gauge([1, 2, 6])
    assert "mean 3.00" in str(gauge)
    assert "mean 4" not in str(gauge)
""",
        TestStyle.SCRIPT: (
            "_gauge = Gauge([1, 2, 6])\nassert _gauge.mean > 2\nassert _gauge.mean < 4\n"
        ),
    },
)

LENIENT = (
    MEAN, SQUARES, EVENS, TREND, LONGEST, SORTED, KIND, INVERTIBLE, BELOW, HALVES, CUT, ROOT,
    POSITIVE, RING, INVERTED, PRODUCT, DIVISORS, WORDS, SQUARE_ROOT, BOUNDS, EACH, SPREAD, TWICE,
    SCALE, REPORT, RUNNING, TALLY, GAUGE,
)  # fmt: skip
