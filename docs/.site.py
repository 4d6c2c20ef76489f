"""What differs between pages as files and pages of the site (mkdocs calls this for every page).

As files, a block may be named behind its language (```python shop.py), and pages may link to files
beside the folder of pages. The site has titles for the first, and has not the second.
"""

from __future__ import annotations

import re
from typing import Any

_NAMED = re.compile(r"^```(\w+) ([^\s=]+)$", re.MULTILINE)
_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]*\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:  # noqa: ANN401  (mkdocs' own)
    """A page's text for the site; below the top, what is one folder up is a page as well."""
    named = _NAMED.sub(r'```\1 title="\2"', markdown)
    return named if "/" in page.file.src_uri else _OUTSIDE.sub(r"\1", named)
