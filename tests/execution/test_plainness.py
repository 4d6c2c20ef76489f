from __future__ import annotations

import pytest

from libdrift.execution.plainness import is_plain
from libdrift.sandbox.hostile import Hostile, corpus

REFERENCE = "import numpy as np\n\n\ndef total(values):\n    return np.sum(values)\n"
TESTS = "import os\nimport pytest\nfrom answer import total\n"


@pytest.mark.parametrize(
    "code",
    [
        REFERENCE,
        "import math\nfrom numpy.linalg import norm\n\n\ndef total(values):\n    x = {'a': 1}\n    x['b'] = 2\n    return norm(values) + math.pi\n",
        "class A:\n    def __init__(self, x):\n        print(x)\n\n\ndef total(values):\n    '''Frames, no harm.'''\n    return [A(v) for v in values]\n\n\nif __name__ == '__main__':\n    total([1])\n",
    ],
)
def test_ordinary_answers_are_plain(code: str) -> None:
    assert is_plain(code, REFERENCE, TESTS)


@pytest.mark.parametrize(
    "code",
    [
        "import os\n",
        "import pytest\n",
        "import torch\n",
        "from . import x\n",
        "import numpy as np\nnp.allclose = lambda *a: True\n",
        "import numpy as np\nnp.testing.assert_allclose\n",
        "import numpy as np\nnp.sys.modules\n",
        "class A:\n    def __eq__(self, other):\n        return True\n",
        "total = type('A', (), {'__eq__': lambda s, o: True})\n",
        "getattr(1, 'x')\n",
        "eval('1')\n",
        "def total(f):\n    return f.f_back\n",
        "async def total():\n    pass\n",
        "import numpy as np\nnp.load(b'x')\n",
        "x = b'" + "y" * 100 + "'\n",
        "def total(:\n",
        "-" * 900_000 + "1",
    ],
)
def test_what_could_lead_to_a_forgery_is_not(code: str) -> None:
    assert not is_plain(code, REFERENCE, TESTS)


@pytest.mark.parametrize("program", corpus(), ids=lambda program: program.name)
def test_no_forgery_of_the_corpus_is_plain(program: Hostile) -> None:
    harmful_without_forging = {"endless_loop", "endless_sleep", "keyboard_interrupt", "memory_bomb"}
    plain = is_plain(program.against("total"), REFERENCE, TESTS)
    assert not plain or program.name in harmful_without_forging
