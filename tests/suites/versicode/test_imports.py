from __future__ import annotations

import pytest

from libdrift.suites.versicode.imports import statements, without


@pytest.mark.parametrize(
    ("language", "code", "found"),
    [
        ("python", "import a\nfrom b import c\nx = 1\nimport d", ["import a\n", "from b import c\n", "import d"]),
        ("python", "from a import (\n    b,\n    c,\n)\nx\n", ["from a import (\n    b,\n    c,\n)\n"]),
        ("python", "from a import b, \\\n    c\nx\n", ["from a import b, \\\n    c\n"]),
        ("python", "import a\r\nx\r\n", ["import a\n"]),
        ("python", "def f():\n    import a\nimportant = from_here\n", []),
        ("java", "import java.util.List;\nimport static a.B.c;\nimporter.run();\n", ["import java.util.List;\n", "import static a.B.c;\n"]),
        ("csharp", "using System;\nusing J = A.B;\nusing (var x = y())\n{\n}\n", ["using System;\n", "using J = A.B;\n"]),
        (
            "javascript",
            "import x from 'x'\nimport {\n  a,\n} from 'b';\nconst f = require('fs');\nlet {\n g } = require('g')\nlet a\nimport('x')\n",
            ["import x from 'x'\n", "import {\n  a,\n} from 'b';\n", "const f = require('fs');\n", "let {\n g } = require('g')\n"],
        ),
    ],
)  # fmt: skip
def test_statements(language: str, code: str, found: list[str]) -> None:
    assert statements(code, language) == found
    rest = without(code, language, "")
    assert all(statement not in rest for statement in found)
    assert len(rest) <= len(code)


def test_the_gap_stays() -> None:
    code = "import a\nfrom <line_mask> import b\n\nx = 1\n"
    assert without(code, "python", "<line_mask>") == "from <line_mask> import b\n\nx = 1\n"
