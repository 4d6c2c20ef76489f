"""Findings as lines, JSON, SARIF and GitHub's commands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from libdrift.records import FindingKind, FindingLevel
from libdrift.reports import findings as report
from tests.advisor.small import findings

CODE = "import pkg\npkg.f(1)\npkg.g(1, 2)\npkg.h(b=1)\n"
FOUND = findings(
    "def f(a): ...\ndef g(a, b): ...\ndef h(a=1, b=1): ...\n",
    "def g(a, *, b): ...\ndef h(a=1): ...\n",
    CODE,
)

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
POSITIVE = {"type": "integer", "minimum": 1}
# Of the standard's schema (2.1.0) all that concerns what is written here.
SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"enum": ["2.1.0"]},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "additionalProperties": False,
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "additionalProperties": False,
                                            "properties": {
                                                "id": {"type": "string"},
                                                "shortDescription": TEXT,
                                            },
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": TEXT,
                                "properties": {"type": "object"},
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "additionalProperties": False,
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "additionalProperties": False,
                                                "properties": {
                                                    "artifactLocation": {
                                                        "type": "object",
                                                        "properties": {
                                                            "uri": {
                                                                "type": "string",
                                                                "format": "uri-reference",
                                                                "pattern": "^[^ ]*$",
                                                            }
                                                        },
                                                    },
                                                    "region": {
                                                        "type": "object",
                                                        "additionalProperties": False,
                                                        "properties": {
                                                            "startLine": POSITIVE,
                                                            "startColumn": POSITIVE,
                                                            "endLine": POSITIVE,
                                                            "endColumn": POSITIVE,
                                                        },
                                                    },
                                                },
                                            }
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def test_lines() -> None:
    assert list(report.lines(FOUND)) == [
        "code.py:2:1: error gone: pkg.f is gone",
        "code.py:3:1: error keyword-only: pkg.g: parameter b must be given by name",
        "code.py:4:7: error parameter-gone: pkg.h: parameter b is gone",
    ]
    (line,) = report.lines([replace(FOUND[0], cell=3, since="1.5")])
    assert line == "code.py:cell 3:2:1: error gone: pkg.f is gone (since 1.5)"
    between = replace(FOUND[0], since="1.5", last_fine="1.0")
    (line,) = report.lines([between])
    assert line == "code.py:2:1: error gone: pkg.f is gone (by 1.5)"
    (line,) = report.lines([replace(between, last_fine="1.3")])
    assert line == "code.py:2:1: error gone: pkg.f is gone (by 1.5; 1.3 is fine)"
    assert report.summary(FOUND, 1) == "3 errors, 0 warnings, 0 notes in 1 file"


def test_json_has_the_keys_that_are_promised() -> None:
    (row, *_) = report.to_json(FOUND)
    promised = "path line column symbol kind package since message replacement fixable"
    assert set(promised.split()) <= row.keys()
    assert (row["path"], row["from"], row["to"], row["kind"]) == ("code.py", "1.0", "2.0", "gone")


def test_sarif_is_valid() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    odd = replace(FOUND[1], file="a folder/ü.py", level=FindingLevel.INFO)
    notebook = replace(FOUND[2], file="n.ipynb", cell=2, level=FindingLevel.WARNING)
    log = report.sarif([*FOUND, odd, notebook])
    jsonschema.validate(log, SARIF, format_checker=jsonschema.FormatChecker())
    (run,) = log["runs"]
    levels = [item["level"] for item in run["results"]]
    assert levels == ["error", "error", "error", "note", "warning"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[item["ruleIndex"]] == item["ruleId"] for item in run["results"])
    jsonschema.validate(report.sarif([]), SARIF)


def test_every_kind_has_a_rule() -> None:
    log = report.sarif([replace(FOUND[0], kind=kind) for kind in FindingKind])
    assert len(log["runs"][0]["tool"]["driver"]["rules"]) == len(FindingKind)


def test_github() -> None:
    odd = replace(FOUND[0], file="a,b.py", message="100 %\nso", level=FindingLevel.INFO)
    assert list(report.github([FOUND[2], odd])) == [
        "::error file=code.py,line=4,endLine=4,col=7,title=libdrift%3A parameter-gone"
        "::pkg.h: parameter b is gone",
        "::notice file=a%2Cb.py,line=2,endLine=2,col=1,title=libdrift%3A gone::100 %25%0Aso",
    ]


def test_names_of_files_are_anybodys() -> None:
    """A line break in a name must not give a log's reader a line to obey; bytes may be no text."""
    broken = replace(FOUND[0], file="a\n::error::x.py")
    assert [line.count("\n") for line in report.lines([broken])] == [0]
    assert [line.count("\n") for line in report.github([broken])] == [0]
    place = report.sarif([replace(broken, file="\udcff.py")])["runs"][0]["results"][0]["locations"]
    assert place[0]["physicalLocation"]["artifactLocation"]["uri"] == "%FF.py"
