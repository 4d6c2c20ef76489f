"""The explorer: runs as a page that opens anywhere, or served for as many answers as there are."""

from libdrift.reports.explorer.columns import numbers_of
from libdrift.reports.explorer.page import WrittenPage, page_of
from libdrift.reports.explorer.serving import ExplorerServer, RunWatcher
from libdrift.reports.explorer.texts import RunTexts, TextSources

__all__ = [
    "ExplorerServer",
    "RunTexts",
    "RunWatcher",
    "TextSources",
    "WrittenPage",
    "numbers_of",
    "page_of",
]
