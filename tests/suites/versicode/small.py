"""A small data set of our own: items of every kind, in files of any name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

COMMON: dict[str, Any] = {
    "dependency": "attrs",
    "version": "==21.3.0",
    "time": "2021-12-28",
    "description": "It makes a class of points and one of them. ",
    "language": "python",
    "task": "code_completion",
    "source": "library_source_code",
    "type": "add",
}
CODE = "import attrs\n\n\n@attrs.define\nclass Point:\n    x: int\n\n\npoint = Point(1)\n"
TOKEN: dict[str, Any] = {
    **COMMON,
    "id": "token_1",
    "granularity": "token",
    "code": CODE,
    "masked_code": CODE.replace("define", "<token_mask>"),
    "answer": "define",
}
LINE: dict[str, Any] = {
    **COMMON,
    "id": "line_1",
    "granularity": "line",
    "code": CODE,
    "masked_code": CODE.replace("@attrs.define", "<line_mask>"),
    "masked_line": "@attrs.define",
    "answer": "define",
    "type": "general",
}
BLOCK: dict[str, Any] = {
    **LINE,
    "id": "block_1",
    "granularity": "block",
    "type": "delete",
    "source": "stackoverflow",
}
MIGRATION: dict[str, Any] = {
    **COMMON,
    "id": "old_to_new_1",
    "task": "code_editing",
    "old_version": "==20.3.0",
    "new_version": "==22.0.0",
    "old_time": "2020-11-05",
    "new_time": "2022-07-28",
    "old_code": "import attr\n\n\n@attr.s\nclass Point:\n    x = attr.ib()\n",
    "new_code": "import attrs\n\n\n@attrs.define\nclass Point:\n    x = attrs.field()\n",
    "old_name": "ib",
    "new_name": "field",
    "type": "name_change",
    "edit_order": "old_to_new",
}
BACK: dict[str, Any] = {**MIGRATION, "id": "new_to_old_1", "edit_order": "new_to_old"}
ALL = (TOKEN, LINE, BLOCK, MIGRATION, BACK)


def write(path: Path, *items: object, listed: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = list(items) if listed else {"count": len(items), "data": list(items)}
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path
