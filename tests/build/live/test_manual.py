from __future__ import annotations

import pytest

from libdrift.build.live.manual import Manual
from libdrift.history.views import View
from libdrift.languages.python.static import of_sources

SOURCES = {
    "pkg/__init__.py": "from pkg.texts import lent, shorten\n",
    "pkg/texts.py": """
def shorten(text): ...
def cut(text): ...
def lent(text): ...
class Writer:
    def write(self, text): ...
class Inner:
    def turn(self): ...
""",
    "pkg/utils.py": "def helper(text): ...\n",
    "pkg/dates.py": "def parse(text): ...\n",
}
PAGES = {
    "docs/api.rst": ".. autofunction:: shorten\n\n.. autoclass:: Writer\n",
    "docs/dates.rst": "Dates\n=====\n\n.. automodule:: pkg.dates\n   :members:\n",
}


@pytest.fixture(scope="module")
def view() -> View:
    return View(of_sources(SOURCES, "1.0", "pkg"))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pkg.shorten", True),
        ("pkg.texts.shorten", True),
        ("pkg.texts.Writer.write", True),
        ("pkg.dates.parse", True),
        ("pkg.texts.lent", True),
        ("pkg.texts.cut", False),
        ("pkg.texts.Inner.turn", False),
        ("pkg.utils.helper", False),
        ("elsewhere.helper", True),
    ],
)
def test_what_a_manual_offers(view: View, path: str, *, expected: bool) -> None:
    assert Manual.of(PAGES).offers(view, path) is expected


@pytest.mark.parametrize("pages", [{}, {"docs/index.rst": "Call `shorten` with a text."}])
def test_a_manual_that_lists_nothing_hides_nothing(view: View, pages: dict[str, str]) -> None:
    assert Manual.of(pages).offers(view, "pkg.utils.helper")


def test_a_module_that_is_offered_further_out(view: View) -> None:
    manual = Manual.of({"api.md": "::: pkg\n"})
    assert manual.offers(view, "pkg.texts.shorten"), "the package has that name, too"
    assert not manual.offers(view, "pkg.texts.cut")
