"""The documentation that was published with the tasks: an entry for every API of every version."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import msgspec

from libdrift.config import Settings
from libdrift.errors import MissingDataError
from libdrift.retrieval.published import SuiteDocument
from libdrift.suites.finding import Oddities
from libdrift.suites.libevolutioneval import files, sets
from libdrift.suites.libevolutioneval.files import TITLE

logger = logging.getLogger(__name__)
APIS = "package_apis"


class ApiEntry(msgspec.Struct):
    """The fields that are searched; a few entries have a text where others have a table."""

    API_Call: str = ""
    API_Name: str = ""
    Signature: str = ""
    Detailed_Description: str = ""
    Parameters: Any = None
    Keyword_Arguments: Any = None
    Returns: Any = None
    Example: str = ""


_DECODER = msgspec.json.Decoder(ApiEntry)


def documents(settings: Settings) -> Iterator[SuiteDocument]:
    folder = files.find(settings)
    odd = Oddities()
    count = 0
    for sheet in files.sheets(folder, APIS):
        version = sets.version_of(sheet.version)
        for number, line in enumerate(sheet.lines, start=1):
            if not line.strip():
                continue
            entry = _read(line)
            if isinstance(entry, str):
                odd.add("documents left out", f"{sheet.place}:{number}: {entry}")
                continue
            count += 1
            yield _document(entry, sheet.group, version)
    odd.warn(logger, TITLE)
    if not count:
        raise MissingDataError(
            f"no {APIS} of {TITLE} in {folder}",
            f"Put the authors' {APIS}, as a folder or an archive, into it",
        )


def _read(line: bytes) -> ApiEntry | str:
    """The entry that a line is, or why it is none."""
    try:
        found = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return str(error)
    return found if found.API_Call or found.API_Name else "no API named"


def _document(entry: ApiEntry, package: str, version: str) -> SuiteDocument:
    named = {**_table(entry.Parameters), **_table(entry.Keyword_Arguments)}
    told = [f"{name}: {said}" if said else name for name, said in named.items()]
    parts = [entry.Detailed_Description, "\n".join(told), entry.Example]
    return SuiteDocument(
        package,
        version,
        entry.API_Call or entry.API_Name,
        "\n\n".join(part.strip() for part in parts if part.strip()),
        signature=entry.Signature.strip("#¶ "),
        parameters=tuple(named),
    )


def _table(value: object) -> dict[str, str]:
    """Names and what is said of each; nothing where there is no table."""
    if not isinstance(value, dict):
        return {}
    return {str(name): said if isinstance(said, str) else "" for name, said in value.items()}
