"""What the manual of a package offers: the names on its pages, and modules that they list whole."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libdrift.history.views import View

_WORD = re.compile(r"[^\W\d]\w*")
# Directives that list an API, as Sphinx and mkdocstrings have them.
_LISTING = re.compile(
    r"^\s*(?:\.\. (?:(?:py:)?(?:auto)?(?:class|function|method|data|attribute|exception)"
    r"|autosummary|automodule)::|:::)\s*(\S*)",
    re.MULTILINE,
)
_WHOLE = re.compile(r"^\s*(?:\.\. automodule::|:::)\s*([\w.]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Manual:
    """A release's pages of documentation. One that lists no API says nothing of what is offered."""

    words: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()  # modules
    lists: bool = False

    @classmethod
    def of(cls, pages: Mapping[str, str]) -> Manual:
        text = "\n".join(pages.values())
        lists = _LISTING.search(text) is not None
        return cls(frozenset(_WORD.findall(text)), frozenset(_WHOLE.findall(text)), lists)

    def offers(self, view: View, path: str) -> bool:
        """Whether a user is meant to find it: itself, its class or all of its module.

        What the package itself takes from its modules needs no page.
        """
        name = view.find(path)
        if not self.lists or name is None:
            return True
        module, _, own = name.target.partition(":")
        names = own.split(".") if own else [path.rpartition(".")[2]]
        ways = {_module_of(one, own) for one in (path, *view.paths.get(name.target, ()))}
        is_lent = any("." not in way and way != module for way in ways)
        listed = not self.words.isdisjoint(names) or not self.whole.isdisjoint({module, *ways})
        return is_lent or listed


def _module_of(path: str, own: str) -> str:
    """The module that a path goes through, without the names that are its symbol's own."""
    return ".".join(path.split(".")[: -(own.count(".") + 1)])
