"""Samples of ours in the shape of the published ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FUNCTION = "def joined(rows):\n    return np.row_stack(rows)"


def python(code_id: str, **changed: Any) -> dict[str, Any]:
    return {
        "code_id": code_id,
        "solution_function": FUNCTION,
        "solution_signature": "joined(rows: list) -> np.ndarray",
        "problem": "Join rows.",
        "package": "numpy",
        "import": "import numpy as np",
        "origin_version": "1.26",
        "compare_version": "2.0",
        "case": "case1: prose",
        "solution_function_script": f"```python\nimport numpy as np\n{FUNCTION}\nprint(joined([]))\n```",
        "message": "[]\n",
        **changed,
    }


def easy(code_id: str, **changed: Any) -> dict[str, Any]:
    told = {
        "signature": "np.row_stack(tup)->numpy.ndarray",
        "update": "np.row_stack has been deprecated to encourage direct usage of np.vstack.",
        "update_type": "Deprecated",
        "compare_signature": "np.vstack(tup)->numpy.ndarray",
        "doc_string": "Stacks.",
        "api_id": "a",
    }
    return {**python(code_id), **told, **changed}


def hard(code_id: str, **changed: Any) -> dict[str, Any]:
    told = {
        "signature_list": ["tf.erf(x)", "tf.sparse_add(a, b)"],
        "update_list": [
            "Move the original function to the tf.math subpackage.",
            "tf.sparse_add has been removed since 2.0, use tf.sparse.add instead.",
        ],
        "doc_list": ["", ""],
        "api_num": 2,
        "combine_id": "c",
        "version_type": "low",
    }
    versions = {
        "package": "tensorflow",
        "import": "import tensorflow as tf",
        "origin_version": "tensorflow1.15",
        "compare_version": "2.0.0",
        "solution_function": "def total(x):\n    return tf.sparse_add(tf.erf(x), x)",
    }
    return {**python(code_id), **told, **versions, **changed}


def java(code_id: str, **changed: Any) -> dict[str, Any]:
    return {
        "code_id": code_id,
        "java_code": "import java.applet.AudioClip;\n\nclass Sound { AudioClip clip; }\n",
        "class_name": "Sound",
        "function_description": "Has a clip.",
        "signature": "java.applet.AudioClip",
        "update": "The Applet API is deprecated, no replacement.",
        "update_type": "Deprecated",
        "api_id": "b",
        **changed,
    }


def write(path: Path, *rows: dict[str, Any] | str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
