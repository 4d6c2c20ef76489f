from __future__ import annotations

import pytest

from libdrift.languages.python.usage import mentions
from libdrift.retrieval.endings import scope_of, thing_of

HEAD = "import pkg\nimport pkg.web as web\nfrom pkg import send\n\ndef f(r: web.Reply):\n    "


@pytest.mark.parametrize(
    ("code", "scope"),
    [
        (HEAD + "r.", "pkg.web.Reply"),
        (HEAD + "return web.tools.", "pkg.web.tools"),
        (HEAD + "from pkg.web import ", "pkg.web"),
        (HEAD + "import pkg.", "pkg"),
        (HEAD + "from pkg.web.", "pkg.web"),
        ("import pkg", ""),
        (HEAD + "x.", ""),
        (HEAD + "return 1", ""),
    ],
)
def test_what_the_next_name_is_of(code: str, scope: str) -> None:
    assert scope_of(code, mentions(code)) == scope


@pytest.mark.parametrize(
    ("code", "thing"),
    [
        (HEAD + "return send(r, name=(1, 2),\n", "pkg.send"),
        (HEAD + "x = web.get(\n    [", "pkg.web.get"),
        (HEAD + "return list(web.get(r)", ""),  # what is open is not the library's
        (HEAD + "return send(list(", "pkg.send"),
        (HEAD + "s = ')' # (\n    send(')',", "pkg.send"),
        (HEAD + "view = web.View", "pkg.web.View"),
        (HEAD + "return pkg", "pkg"),
        (HEAD + "r", "pkg.web.Reply"),
        (HEAD + "def send(", ""),
        (HEAD + "class send(", ""),
        (HEAD + "send(r)", ""),
        (HEAD + "return x", ""),
        ("", ""),
        ("(((", ""),
    ],
)
def test_what_code_breaks_off_at(code: str, thing: str) -> None:
    assert thing_of(code, mentions(code)) == thing
