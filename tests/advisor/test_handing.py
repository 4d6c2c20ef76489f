"""Keywords that a signature does not name any more, and that work still."""

from __future__ import annotations

import pytest

from tests.advisor.small import findings, told

OLD = "def put(name, path='/'): ...\ndef clear(name, path='/'): 'Clear a name.'\n"
NEW = "def put(name, path='/'): ...\ndef clear(name, **kwargs): '''{doc}'''\n"
DEAD = ["2 info parameter-gone pkg.clear(path)"]


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("Clear a name.", DEAD),
        ("Clear a name. It takes what `put` takes.", []),
        ("Clear a name. It takes what `get` takes.", DEAD),
        ("Clear a name; clear it wholly.", DEAD),
        ("Clear a name.\n\n:param path: Where it is.", []),
    ],
)
def test_documentation_tells_what_keywords_are_for(doc: str, expected: list[str]) -> None:
    found = findings(OLD, NEW.format(doc=doc), "import pkg\npkg.clear('a', path='/b')\n")
    assert [told(item) for item in found] == expected
