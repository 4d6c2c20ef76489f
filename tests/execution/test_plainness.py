from __future__ import annotations

import pytest

from libdrift.execution.plainness import is_plain
from libdrift.sandbox.hostile import Hostile, corpus

REFERENCE = """
import numpy as np
from numpy.linalg import norm


def total(values, mode='L2'):
    if mode == 'max':
        raise ValueError('not "max" (yet)')
    return float(np.sum(values)) + norm(values, ord=2)
"""


@pytest.mark.parametrize(
    "code",
    [
        REFERENCE,
        f"{REFERENCE}# candidate 3\n",
        "import numpy\n\n\ndef total(values):\n    return 1\n".replace("numpy", "numpy as xp"),
        "from numpy.linalg import norm as n\n\n\ndef total(values):\n    'Says (this).'\n    found = []\n    for v in values:\n        found.append(n(v, ord=3))\n    return sum(found)\n",
        "import numpy as np\n\ntotal = lambda values: {'dtype': [np.sum(v) for v in values]}\n",
    ],
)
def test_what_is_made_of_the_references_parts_is_plain(code: str) -> None:
    assert is_plain(code, REFERENCE)


@pytest.mark.parametrize(
    "code",
    [
        "import os\n",
        "import numpy as np\nnp.load('x')\n",
        "import numpy as np\nnp.sum = 1\n",
        "import numpy as np\nnp.sum(1, where=2)\n",
        "import numpy as np\nnp.sum(**{})\n",
        "from numpy import *\n",
        "from numpy.linalg import norm as __eq__\n",
        "class A:\n    pass\n",
        "def __eq__(self, other):\n    return True\n",
        "match 1:\n    case object(gi_frame=x):\n        pass\n",
        "x = type('A', (int,), {})\n",
        "getattr(1, 'x')\n",
        "eval('1')\n",
        "x = 'exec(1)'\n",
        "x = '_' * 2 + f'{1}'\n",
        "x = '__class__'\n",
        "x = b'abc'\n",
        "try:\n    pass\nexcept ValueError as __eq__:\n    pass\n",
        "def total(f):\n    return f.f_back\n",
        "def total(values):\n    yield 1\n",
        "async def total():\n    pass\n",
        "x: 'exec(SRC)' = 1\n",
        "def total(:\n",
        "-" * 900_000 + "1",
    ],
)
def test_everything_else_is_not(code: str) -> None:
    assert not is_plain(code, REFERENCE)


@pytest.mark.parametrize("program", corpus(), ids=lambda program: program.name)
def test_no_forgery_of_the_corpus_is_plain(program: Hostile) -> None:
    harmful_without_forging = {"endless_loop", "colliding_keys", "cyclic_values", "deep_values"}
    plain = is_plain(program.against("total"), REFERENCE)
    assert not plain or program.name in harmful_without_forging
