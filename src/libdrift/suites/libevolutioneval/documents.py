"""The documentation of a library's version, and its two written forms: the authors' and ours."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.suites.finding import Oddities
from libdrift.suites.libevolutioneval import files, sets

logger = logging.getLogger(__name__)

Record = Mapping[str, Any]  # a document as it is published
# Marks of the web page that the signature was taken from.
_MARKS = ("[source]¶", "[source]", "¶")
_RULE = "=" * 20


@dataclass(frozen=True, slots=True)
class PublishedDocument:
    """What is documented of one API."""

    call: str  # torch.nn.ReLU6
    signature: str  # torch.nn.ReLU6(inplace=False)
    description: str = ""
    parameters: tuple[str, ...] = ()  # their names
    example: str = ""
    record: Record = field(default_factory=dict, hash=False, repr=False)


def documents(settings: Settings, library: str, version: str) -> list[PublishedDocument]:
    """All documents of one version, in the order of its file."""
    folder = files.find(settings)
    odd = Oddities()
    found: list[PublishedDocument] = []
    known: set[str] = set()

    def wanted(group: str, stem: str) -> bool:
        known.add(f"{group} {sets.version_of(stem)}")
        return (group, sets.version_of(stem)) == (library, version)

    sheets = list(files.sheets(folder, files.DOCUMENTS, wanted))
    if not sheets:
        raise UserError(
            f"no documentation of {library} {version} in {folder}",
            f"There is some of {', '.join(sorted(known))}" if known else "Get package_apis as well",
        )
    for sheet in sheets:
        for number, line in enumerate(sheet.lines, start=1):
            if line.strip():
                document = _document(line)
                if isinstance(document, str):
                    odd.add("documents left out", f"{sheet.place}:{number}: {document}")
                else:
                    found.append(document)
    odd.warn(logger, files.TITLE)
    return found


def described(document: PublishedDocument) -> str:
    """Our form: the call as one writes it, what it does, its parameters, an example."""
    lines = [document.signature]
    lines += document.description.splitlines()[:1]
    if document.parameters:
        lines.append(f"Parameters: {', '.join(document.parameters)}")
    if document.example:
        lines += ["Example:", *(f"    {line}" for line in document.example.splitlines())]
    return "\n".join(lines)


def released_key(record: Record) -> str:
    """The text by which the authors' program finds a document, as that program writes it."""
    call = record.get("API_Call") or record.get("API_Name") or "Unknown API Call"
    published = record.get("Signature")
    signature = "No signature available."
    if isinstance(published, str):
        signature = _unmarked(published).replace("→", "->").replace(")#:", "):").strip()
    description = str(record.get("Detailed_Description", "No description available."))
    names = _names(record)
    inputs = f"Inputs: {', '.join(names)}" if names else "Inputs:"
    comment = "\n".join(f"# {line}" for line in description.split("\n"))
    return f"{call} : {signature}\n{inputs}\n{comment}"


def released_augmented(records: Iterable[Record], prompt: str) -> str:
    """A prompt with documents in front of it, as the authors' program writes it."""
    lines = ["# Use the following API information as reference:"]
    for record in records:
        lines += [f"# {line}" for line in _released_block(record).splitlines()]
    return "\n" + "\n".join(lines) + f"\n\n\n{prompt}"


def _released_block(record: Record) -> str:
    signature = record.get("Signature", "")
    signature = _unmarked(signature) if isinstance(signature, str) else ""
    lines = [f"{record.get('API_Call', 'Unknown API')} : {signature}"]
    if names := _names(record):
        lines.append(f"Input Parameters : {', '.join(names)}")
    description = record.get("Detailed_Description", "")
    if isinstance(description, str) and description.strip():
        first = description.strip().split("\n", 1)[0].strip()
        lines.append(f"Description : {first}")
    return "\n".join([*lines, "", _RULE])


def _document(line: bytes) -> PublishedDocument | str:
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return str(error)
    if not isinstance(record, dict):
        return "not an object"
    call = record.get("API_Call") or record.get("API_Name")
    if not isinstance(call, str):
        return "no API named"
    return PublishedDocument(
        call=call,
        signature=_signature(_text(record, "Signature"), call),
        description=_text(record, "Detailed_Description"),
        parameters=tuple(_names(record)),
        example=_text(record, "Example"),
        record=record,
    )


def _signature(published: str, call: str) -> str:
    """As one calls it, by its whole path: the page has marks and keywords around a short one."""
    _, bracket, rest = _unmarked(published).replace("→", " -> ").partition("(")
    return " ".join(f"{call}{bracket}{rest}".strip().removesuffix("#").split())


def _unmarked(signature: str) -> str:
    for mark in _MARKS:
        signature = signature.replace(mark, "")
    return signature


def _text(record: Record, key: str) -> str:
    value = record.get(key)
    return value.strip() if isinstance(value, str) else ""


def _names(record: Record) -> Sequence[str]:
    parameters = record.get("Parameters")
    return list(parameters) if isinstance(parameters, dict) else []
