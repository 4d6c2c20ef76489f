"""CITATION.cff follows the Citation File Format 1.2.0, as far as it uses it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from libdrift.version import __version__

FILE = Path(__file__).parent.parent / "CITATION.cff"
TEXT = {"type": "string", "minLength": 1}
PERSON = {
    "type": "object",
    "properties": dict.fromkeys("family-names given-names affiliation orcid email".split(), TEXT),
    "additionalProperties": False,
    "minProperties": 1,
}
ENTITY = {
    "type": "object",
    "properties": dict.fromkeys("name website email".split(), TEXT),
    "required": ["name"],
    "additionalProperties": False,
}
# The keys of the format that a file of ours may use; others are mistakes until they are needed.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "cff-version": {"const": "1.2.0"},
        "message": TEXT,
        "title": TEXT,
        "abstract": TEXT,
        "type": {"enum": ["software", "dataset"]},
        "version": TEXT,
        "license": {"const": "Apache-2.0"},
        "date-released": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
        "doi": {"type": "string", "pattern": "^10\\."},
        "repository-code": {"type": "string", "pattern": "^https://"},
        "url": {"type": "string", "pattern": "^https://"},
        "keywords": {"type": "array", "items": TEXT, "minItems": 1, "uniqueItems": True},
        "authors": {
            "type": "array",
            "items": {"anyOf": [PERSON, ENTITY]},
            "minItems": 1,
            "uniqueItems": True,
        },
    },
    "required": ["authors", "cff-version", "message", "title"],
    "additionalProperties": False,
}


def test_the_file_follows_the_format() -> None:
    content = yaml.safe_load(FILE.read_text("utf-8"))
    jsonschema.validate(content, SCHEMA)
    assert content["version"] == __version__


@pytest.mark.parametrize(
    "wrong",
    [
        {"authors": []},
        {"cff-version": "1.1.0"},
        {"licence": "Apache-2.0"},
        {"title": None},
        {"date-released": "16.11.2026"},
    ],
)
def test_mistakes_are_found(wrong: dict[str, Any]) -> None:
    content = yaml.safe_load(FILE.read_text("utf-8")) | wrong
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(content, SCHEMA)
