"""A small data set of our own: examples and documents, as folders and as archives."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

from libdrift.records import Task
from libdrift.suites.libevolutioneval.examples import task_of

BEFORE = "import attrs\n\n\ndef flat(point):\n    return "
BEHIND = "\n\n\nprint(flat(1))\n\nprint(flat(2))\n"
REAL: dict[str, Any] = {
    "left_context": BEFORE,
    "prompt": BEFORE,
    "target": "attrs.astuple(point)",
    "right_context": BEHIND,
    "right_context_few_lines": "\n\n\nprint(flat(1))",
    "api": "attrs.astuple",
    "imports": ["attrs"],
    "meta_data": {"line": 5},
    "code_str": "attrs",
}
SYNTHETIC: dict[str, Any] = {
    "API_Call": "attrs.setters.frozen",
    "Type": "function",
    "Signature": "attrs.setters.frozen(instance)¶",
    "left_context": "import attrs\n\nresponse = attrs",
    "prompt": "import attrs\n\nresponse = attrs",
    "target": ".setters.frozen(instance)",
    "right_context": "\nprint(response)\n",
    "right_context_few_lines": "\nprint(response)\n",
    "code_str": "attrs",
    "comment_str": "",
}
NAMED = {**{k: v for k, v in SYNTHETIC.items() if k != "API_Call"}, "API_Name": "attrs.x"}
DOCUMENT: dict[str, Any] = {
    "API_Call": "attrs.setters.frozen",
    "Type": "function",
    "Signature": "classattrs.setters.frozen(instance,attribute)→ None[source]¶",
    "Detailed_Description": "Forbid changes.\nSince 20.1.",
    "Parameters": {"instance": "the object", "attribute": "the name"},
    "Example": "frozen(a, b)\n",
    "href": None,
}
SHEETS: dict[str, list[Any]] = {
    "eval_examples/attrs_direct_api/v_21_3_0.jsonl": [REAL, {**REAL, "target": "attrs.asdict()"}],
    "eval_examples/attrs_indirect_api/22_1_0.jsonl": [REAL],
    "eval_examples/attrs_synth_1000/v_21_3_0.jsonl": [SYNTHETIC],
    "eval_examples/attrs_synth_deprecated/v_21_3_0.jsonl": [],
    "eval_examples/attrs_synth_introduced/v_21_3_0.jsonl": [NAMED],
    "package_apis/attrs/v_21_3_0.jsonl": [DOCUMENT, {"API_Name": "attrs.x"}],
    "package_apis/attrs/22_1_0.jsonl": [],
}


def text(rows: list[Any]) -> str:
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


def folders(place: Path, sheets: dict[str, list[Any]] | None = None) -> Path:
    for name, rows in (SHEETS if sheets is None else sheets).items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(rows), encoding="utf-8")
    return place


def archives(place: Path, scratch: Path, ending: str = "tar.xz") -> Path:
    folders(scratch)
    place.mkdir(parents=True, exist_ok=True)
    for kind in ("eval_examples", "package_apis"):
        with tarfile.open(place / f"{kind}.{ending}", f"w:{ending.rpartition('.')[2]}") as archive:
            archive.add(scratch / kind, kind)
    return place


def task(example: dict[str, Any], group: str = "attrs_direct_api") -> Task:
    found = task_of(json.dumps(example).encode(), group, "v_21_3_0", 1)
    assert isinstance(found, Task)
    return found
