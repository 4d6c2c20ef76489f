from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.suites.libevolutioneval.documents import (
    described,
    documents,
    released_augmented,
    released_key,
)
from tests.published import published
from tests.suites.libevolutioneval.small import DOCUMENT, archives, folders


@pytest.mark.parametrize("layout", ["archives", "folders"])
def test_documents_of_one_version(layout: str, tmp_path: Path, empty_settings: Settings) -> None:
    packed = layout == "archives"
    place = archives(tmp_path / "a", tmp_path / "b") if packed else folders(tmp_path / "a")
    settings = replace(empty_settings, data=place)
    first, bare = documents(settings, "attrs", "21.3.0")
    assert first.call == "attrs.setters.frozen"
    assert first.signature == "attrs.setters.frozen(instance,attribute) -> None"
    assert first.description == "Forbid changes.\nSince 20.1."
    assert first.parameters == ("instance", "attribute")
    assert first.record == DOCUMENT
    assert described(first) == (
        "attrs.setters.frozen(instance,attribute) -> None\n"
        "Forbid changes.\n"
        "Parameters: instance, attribute\n"
        "Example:\n"
        "    frozen(a, b)"
    )
    assert described(bare) == "attrs.x"
    assert documents(settings, "attrs", "22.1.0") == []
    with pytest.raises(UserError, match=r"no documentation of attrs 9\.9") as caught:
        documents(settings, "attrs", "9.9")
    assert "attrs 21.3.0, attrs 22.1.0" in caught.value.fix


def test_a_malformed_document_is_named(
    tmp_path: Path, empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    rows = ["{torn", "[]", {"API_Call": 3}, {"API_Call": "a.b", "Signature": 3, "Parameters": []}]
    folders(tmp_path, {"package_apis/attrs/1_0.jsonl": rows, "eval_examples/a/1_0.jsonl": []})
    (one,) = documents(replace(empty_settings, data=tmp_path), "attrs", "1.0")
    assert (one.signature, one.parameters) == ("a.b", ())
    assert "3 documents left out (attrs/1_0:1: " in caplog.text
    assert "attrs/1_0:2: not an object, attrs/1_0:3: no API named" in caplog.text


@pytest.mark.parametrize(
    ("published_signature", "expected"),
    [
        ("classtorch.nn.ReLU6(inplace=False)[source]¶", "a.ReLU6(inplace=False)"),
        ("ReLU6(x)→ Tensor¶", "a.ReLU6(x) -> Tensor"),
        ("class methodReLU6()#", "a.ReLU6()"),
        ("propertyReLU6", "a.ReLU6"),
        ("", "a.ReLU6"),
    ],
)
def test_signatures_are_as_one_calls_it(
    published_signature: str, expected: str, tmp_path: Path, empty_settings: Settings
) -> None:
    row = {"API_Call": "a.ReLU6", "Signature": published_signature}
    folders(tmp_path, {"package_apis/a/1_0.jsonl": [row], "eval_examples/a/1_0.jsonl": []})
    (one,) = documents(replace(empty_settings, data=tmp_path), "a", "1.0")
    assert one.signature == expected


@pytest.mark.parametrize(
    ("record", "key", "comment"),
    [
        (
            DOCUMENT,
            "attrs.setters.frozen : classattrs.setters.frozen(instance,attribute)-> None\n"
            "Inputs: instance, attribute\n# Forbid changes.\n# Since 20.1.",
            "# attrs.setters.frozen : classattrs.setters.frozen(instance,attribute)→ None\n"
            "# Input Parameters : instance, attribute\n# Description : Forbid changes.\n",
        ),
        (
            {"API_Name": "a.b"},
            "a.b : No signature available.\nInputs:\n# No description available.",
            "# Unknown API : \n",
        ),
        (
            {},
            "Unknown API Call : No signature available.\nInputs:\n# No description available.",
            "# Unknown API : \n",
        ),
        (
            {"API_Call": None, "Signature": None, "Detailed_Description": None, "Parameters": "x"},
            "Unknown API Call : No signature available.\nInputs:\n# None",
            "# None : \n",
        ),
        (
            {"API_Call": "a", "Signature": " f()#: int", "Detailed_Description": "\n\n", "Parameters": {}},
            "a : f(): int\nInputs:\n# \n# \n# ",
            "# a :  f()#: int\n",
        ),
    ],
)  # fmt: skip
def test_the_authors_forms(record: dict[str, Any], key: str, comment: str) -> None:
    assert released_key(record) == key
    head, rule = "\n# Use the following API information as reference:\n", f"# \n# {'=' * 20}\n"
    assert released_augmented([record], "x = 1") == f"{head}{comment}{rule}\n\nx = 1"
    assert released_augmented([record, record], "") == f"{head}{(comment + rule) * 2}\n\n"


@pytest.mark.published
@pytest.mark.parametrize(
    ("metric", "computed"),
    [
        ("doc_key", lambda inputs: released_key(inputs["doc"])),
        ("augment_prompt", lambda inputs: released_augmented([inputs["doc"]], inputs["prompt"])),
    ],
)
def test_golden_pairs(metric: str, computed: Callable[[Any], str]) -> None:
    cases = json.loads(published("golden", "libevo.json").read_text("utf-8"))["cases"]
    chosen = [case for case in cases if case["metric"] == metric]
    assert chosen
    for case in chosen:
        assert computed(case["inputs"]) == case["expected"], case["id"]


@pytest.mark.published
@pytest.mark.parametrize(
    ("library", "version", "number"), [("torch", "1.10.0", 3324), ("matplotlib", "3.8.3", 6813)]
)
def test_published_documents(
    library: str,
    version: str,
    number: int,
    empty_settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = replace(empty_settings, data=published("libevolutioneval").parent)
    found = documents(settings, library, version)
    assert len(found) == number
    assert not caplog.records
    assert all(one.signature.startswith(one.call) for one in found)
    assert not any(mark in one.signature for one in found for mark in ("¶", "[source]"))
