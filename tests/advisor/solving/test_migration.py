"""Code moved between two small releases, and between Pythons."""

from __future__ import annotations

import builtins
import contextlib
import io
import itertools
import math
import random
from collections.abc import Mapping, Sequence

import pytest

from libdrift.advisor.solving import (
    MovedLibrary,
    StandardLibrary,
    equivalents,
    moved,
    moved_python,
)
from libdrift.advisor.solving.old_syntax import for_python_2
from libdrift.languages.python.static import of_sources
from tests.advisor.small import Sources, surface

MIRROR: Sources = {
    "pkg/__init__.py": "from pkg import compat\ndef new(a): ...\n",
    "pkg/compat/__init__.py": "from pkg.compat import v1\n",
    "pkg/compat/v1.py": "def run(a): ...\ndef off():\n    '''Disables pkg 2.x behaviors.'''\n",
}


def nothing(paths: Sequence[str]) -> Mapping[str, str]:
    del paths
    return {}


def test_what_is_not_lost_stays() -> None:
    library = MovedLibrary(surface("def f(a): ...", "1.0"), surface("def f(a): ...", "2.0"))
    assert moved("import pkg\npkg.f(1)\n", library, nothing).text == "import pkg\npkg.f(1)\n"


def test_a_mirror_takes_the_place_of_all() -> None:
    library = MovedLibrary(surface("def run(a): ...", "1.5"), surface(MIRROR, "2.0"))
    done = moved("import pkg as p\ndef f(x):\n    return p.run(x)\n", library, nothing)
    assert done.text == (
        "import pkg.compat.v1 as p\np.off()\nimport pkg.compat.v1 as p\n"
        "def f(x):\n    return p.run(x)\n"
    )
    assert "pkg.compat.v1" in done.how


def test_a_definition_is_copied_where_no_name_is_there() -> None:
    def copied(paths: Sequence[str]) -> Mapping[str, str]:
        return dict.fromkeys(paths, "def _pkg_new(a):\n    return a\n")

    library = MovedLibrary(surface("def new(a): ...", "2.0"), surface("", "1.0"))
    done = moved("from pkg import new\ndef f(x):\n    return new(x)\n", library, copied)
    scope: dict[str, object] = {}
    exec(done.text, scope)
    assert scope["f"](3) == 3  # type: ignore[operator]


def test_an_older_name_is_used_where_there_is_one() -> None:
    new = "import warnings\ndef wide(a): ...\ndef broad(a):\n    warnings.warn('use `wide`', DeprecationWarning)\n"
    library = MovedLibrary(surface(new, "2.0"), surface("def broad(a): ...", "1.0"))
    done = moved("import pkg\ndef f(x):\n    return pkg.wide(x)\n", library, nothing)
    assert "return pkg.broad(x)" in done.text


def test_python_without_a_function_gets_its_equivalent() -> None:
    here = of_sources({"math.py": "def gcd(*numbers): ...\n"}, "3.10", "python")
    before = of_sources({"math.py": ""}, "3.4", "python")
    library = StandardLibrary("3.10", "3.4", {"3.10": here, "3.4": before})
    assert [one.path for one in library.suspects("import math\nmath.gcd(4, 6)\n")] == ["math.gcd"]
    code = "from math import gcd\ndef f(a, b):\n    return gcd(a, b)\n"
    done = moved_python(code, library, nothing)
    scope: dict[str, object] = {}
    exec(done.text, scope)
    assert scope["f"](12, 18) == 6  # type: ignore[operator]
    assert "import gcd" not in done.text


CALLS = {
    "math.gcd": [(12, 18), (0, 5), (-4, 6)],
    "math.isfinite": [(1.0,), (float("inf"),), (float("nan"),)],
    "math.log2": [(8,), (0.25,), (10.0,)],
    "math.comb": [(5, 2), (2, 5), (40, 20)],
    "math.perm": [(5, 2), (5,), (2, 3)],
    "math.prod": [([1, 2, 3],), ([],)],
    "math.isqrt": [(0,), (15,), (16,), (10**30,)],
    "math.dist": [((0, 0), (3, 4))],
    "math.nextafter": [(1.0, 2.0), (0.0, -1.0), (-1.0, 5.0)],
    "math.ulp": [(1.0,), (0.0,), (-3.5,)],
    "math.remainder": [(7.5, 2.0), (-5.0, 3.0), (5.0, 2.0)],
    "math.lcm": [(4, 6), (0, 3)],
    "itertools.pairwise": [([1, 2, 3],), ([],)],
    "itertools.accumulate": [([1, 2, 3],), ([],)],
    "itertools.compress": [("abc", [1, 0, 1])],
    "itertools.combinations_with_replacement": [("abc", 2)],
}


@pytest.mark.parametrize("path", CALLS)
def test_an_equivalent_does_what_python_does(path: str) -> None:
    module, name = path.split(".")
    real = getattr({"math": math, "itertools": itertools}[module], name)
    scope: dict[str, object] = {"math": math, "itertools": itertools, "random": random}
    exec(equivalents.known()[path], scope)
    own = scope[equivalents.local_name(path)]
    for given in CALLS[path]:
        wanted, made = real(*given), own(*given)  # type: ignore[operator]
        if module == "itertools":
            assert list(made) == list(wanted), given
        else:
            assert made == pytest.approx(wanted, nan_ok=True), given


def test_every_equivalent_is_a_program() -> None:
    assert len(equivalents.known()) > 20
    for path, text in equivalents.known().items():
        root = path.partition(".")[0]
        scope: dict[str, object] = {}
        exec(("" if hasattr(builtins, root) else f"import {root}\n") + text, scope)
        assert equivalents.local_name(path) in scope


def test_python_2_reads_what_was_written_for_3() -> None:
    code = "def f(a: int, b: str = 'x') -> str:\n    c: int = a\n    return f'{c:03d}{b!r}{{}}'\nprint(f(1))\n"
    done = for_python_2(code)
    assert done.startswith("from __future__ import division, print_function\n")
    assert ": int" not in done
    assert "f'" not in done
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(done, {})
    assert printed.getvalue() == "001'x'{}\n"


PATTERN = "class Pattern:\n    def fullmatch(self, string): ...\n    def match(self, string): ...\ndef compile(pattern) -> Pattern: ...\n"
BUILTINS = (
    "class str:\n    def removeprefix(self, prefix): ...\n    def removesuffix(self, suffix): ...\n"
)
# what, of Python 3.10, the target, what is asked of the code, its answer
OLDER = [
    ("a method", "3.1", "import re\ndef f(text):\n    p = re.compile('a+')\n    return bool(p.fullmatch(text))\n", "aab", False),
    ("a method of some value", "3.1", "def f(text):\n    return text.removeprefix('a').removesuffix('b').upper()\n", "axb", "X"),
    ("a dictionary", "2.7", "def f(x):\n    return str({k: x for k in 'cab'})\n", 1.5, "{'c': 1.5, 'a': 1.5, 'b': 1.5}"),
    ("an error that is newer", "2.7", "def f(x):\n    try:\n        open(x)\n    except FileNotFoundError:\n        return 'none'\n", "/none", "none"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("target", "code", "given", "expected"), [row[1:] for row in OLDER], ids=[r[0] for r in OLDER]
)
def test_code_for_older_pythons(target: str, code: str, given: object, expected: object) -> None:
    here = of_sources({"re.py": PATTERN, "builtins.py": BUILTINS}, "3.10", "python")
    library = StandardLibrary("3.10", target, {"3.10": here})
    done = moved_python(code, library, nothing)
    for newer in ("p.fullmatch(", ".removeprefix(", "FileNotFoundError", "str({"):
        assert newer not in done.text
    scope: dict[str, object] = {}
    exec(done.text, scope)
    assert scope["f"](given) == expected  # type: ignore[operator]


def test_code_of_python_2() -> None:
    code = "def f(d, k):\n    return d.has_key(k) and k.__nonzero__() and sorted(d.iteritems())\n"
    here = of_sources(
        {"builtins.py": "class dict: ...\nclass object: ...\ndef sorted(a): ...\n"},
        "3.10",
        "python",
    )
    library = StandardLibrary("2.7", "3.10", {"3.10": here})
    assert {one.path for one in library.suspects(code)} == {
        "dict.has_key",
        "object.__nonzero__",
        "dict.iteritems",
    }
    scope: dict[str, object] = {}
    exec(moved_python(code, library, nothing).text, scope)
    assert scope["f"]({1: 2}, 1) == [(1, 2)]  # type: ignore[operator]


def test_a_class_that_had_another_name_keeps_its_members() -> None:
    here = of_sources({"re.py": PATTERN}, "3.10", "python")
    before = of_sources({"re.py": "def compile(pattern): ...\n"}, "3.6", "python")
    library = StandardLibrary("3.10", "3.1", {"3.10": here, "3.6": before})
    code = "import re\np = re.compile('a')\np.match('a')\np.fullmatch('a')\n"
    assert [one.path for one in library.suspects(code)] == ["re.Pattern.fullmatch"]
