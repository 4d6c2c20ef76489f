"""What is written beside a set of compiled crates."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from libdrift.kept import NewerFileError

RECORD = "crates.json"
FORMAT = 1


class CratesRecord(BaseModel):
    """What is written beside crates: of their compilation, what an answer's needs."""

    model_config = ConfigDict(frozen=True)

    format: int = FORMAT
    externs: dict[str, str]
    native: list[str]


def read_record(data: bytes) -> CratesRecord:
    """A record, or a ``ValueError``: it is damaged, or of a newer libdrift."""
    found = CratesRecord.model_validate_json(data)
    if found.format != FORMAT:
        raise NewerFileError(f"format {found.format}, and this libdrift knows {FORMAT}")
    return found
