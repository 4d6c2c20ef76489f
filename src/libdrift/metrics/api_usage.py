"""API usage accuracy (RustEvo², its AUA): does an answer use the API that it was asked to use?

The accuracy is the share of answers that do. ``fixed`` (the default of libdrift) looks for the
name among the code's identifiers: one that stands only in a comment or a string is not used.
``released`` takes the name anywhere in the text, comments included.
"""

from __future__ import annotations

import re

from libdrift.metrics import trees
from libdrift.metrics.modes import Mode


def uses(code: str, name: str, *, language: str = "rust", mode: Mode = Mode.FIXED) -> bool:
    """Whether the code uses an API, known by its last name (``then_some``, ``BufWriter``).

    Of a path (``Vec::leak``, ``np.sum``) all parts must occur.
    """
    if mode is Mode.RELEASED:
        return re.search(rf"\b{re.escape(name)}\b", code) is not None
    parts = {part for part in re.split(r"::|\.", name) if part}
    return bool(parts) and parts <= set(trees.identifiers(code, language))
