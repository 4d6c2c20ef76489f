"""Files that are one JSON value: lists of answers, and the authors' files of model outputs.

Of the latter, an item carries a list of answers, written as a text.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from libdrift.reading import json_items
from libdrift.records import LeftOut

logger = logging.getLogger(__name__)


_ANSWERS = ("answer", "answers", "solution", "completion")
_NAMES = {"task_id", "example_id"}
# Published tasks have an `id` and an `answer` as well, which is the reference: beside much else.
_PLAIN = {"id", "sample", *_ANSWERS}


def is_answer(item: dict[str, Any]) -> bool:
    """Whether an item is like a line of an answer file."""
    named = not _NAMES.isdisjoint(item) or item.keys() <= _PLAIN
    return named and any(item.get(name) is not None for name in _ANSWERS)


def read_outputs(path: Path) -> Iterator[tuple[str, list[str]] | dict[str, Any] | LeftOut]:
    """Each item's id and raw outputs, or why they cannot be used; one item in memory at a time.

    An item that is like a line of an answer file is given as it is.
    Items without outputs were never asked: they are passed over, and counted when the file ends.
    """
    unasked = 0
    for where, item in json_items(path):
        if not isinstance(item, dict):
            yield LeftOut(where, "not an object")
        elif item.get("model_output") is None and is_answer(item):
            yield item
        elif item.get("model_output") is None:
            unasked += 1
        elif type(item.get("id")) not in (str, int):
            yield LeftOut(where, "no `id`")
        else:
            found = _listed(item["model_output"])
            yield (str(item["id"]), found) if isinstance(found, list) else LeftOut(where, found)
    if unasked:
        logger.warning("%s: %d items have no model_output", path.name, unasked)


def _listed(output: object) -> list[str] | str:
    """The outputs, or why there are none."""
    from libdrift.metrics.cleaning import listed

    if isinstance(output, str):
        try:
            return listed(output)
        except ValueError as error:
            return str(error)
    if isinstance(output, list) and all(isinstance(one, str) for one in output):
        return output
    return "`model_output` is not a list of texts"
