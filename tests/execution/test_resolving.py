from __future__ import annotations

import pytest

from libdrift.execution.resolving import means

CODE = """
import numpy as np
import torch.nn.functional as F
import os.path
import tensorflow.compat.v1 as tf
from numpy import trapz, char as letters
from pandas.api.types import *

def work(frame, rows):
    index = pd.Index(frame[rows]).is_boolean()
    lock.release()
    frame.ffill(inplace=True)
    return np.in1d(rows, rows), F.sigmoid(rows)
"""
JAVA = """
import com.sun.javadoc.RootDoc;
import com.sun.javadoc.AnnotationDesc;
import java.rmi.server.*;

class Example { void run() { jdk.nashorn.api.tree.IfTree tree = null; Thread.stop(); } }
"""


@pytest.mark.parametrize(
    ("name", "label", "right"),
    [
        ("np.in1d", "numpy.in1d", True),
        ("numpy.in1d(a, b)", "numpy.in1d", True),
        ("in1d", "numpy.in1d", False),  # the code does not know it by that name
        ("trapz", "numpy.trapz", True),
        ("letters.upper", "numpy.char.upper", True),
        ("F.sigmoid", "torch.nn.functional.sigmoid", True),
        ("torch.sigmoid", "torch.nn.functional.sigmoid", False),
        ("sigmoid", "torch.nn.functional.sigmoid", False),
        ("tf.abs", "tensorflow.abs", True),  # by its usual meaning
        ("tf.abs", "tensorflow.compat.v1.abs", True),  # by the code's
        ("is_bool_dtype", "pandas.api.types.is_bool_dtype", True),
        # methods of values
        ("frame.ffill", "pandas.DataFrame.ffill", True),
        ("frame[rows].ffill()", "pandas.DataFrame.ffill", True),
        (".ffill()", "pandas.DataFrame.ffill", True),
        ("ffill", "pandas.DataFrame.ffill", True),
        ("DataFrame.ffill", "pandas.DataFrame.ffill", True),
        ("pd.Series.ffill", "pandas.DataFrame.ffill", False),
        ("pd.Index(frame[rows]).is_boolean()", "pandas.Index.is_boolean", True),
        ("lock.release", "release", True),
        ("other.ffill", "pandas.DataFrame.ffill", False),
        ("frame.bfill", "pandas.DataFrame.bfill", False),  # not in the code
        ("", "numpy.in1d", False),
        ("()" * 5000, "numpy.in1d", False),
    ],
)
def test_python_names_are_resolved_by_the_code(name: str, label: str, right: bool) -> None:  # noqa: FBT001
    assert means(name, label, CODE, "python") is right


def test_code_of_another_python_is_read_by_its_lines() -> None:
    code = "from numpy import in1d\nimport numpy as n\nprint in1d(a), rows.ffill()\n"
    assert means("in1d", "numpy.in1d", code, "python")
    assert means("n.trapz", "numpy.trapz", code, "python")
    assert means("rows.ffill", "pandas.Series.ffill", code, "python")
    assert not means("trapz", "numpy.trapz", code, "python")


@pytest.mark.parametrize(
    ("name", "label", "right"),
    [
        ("com.sun.javadoc.RootDoc", "com.sun.javadoc.RootDoc", True),
        ("RootDoc", "com.sun.javadoc.RootDoc", True),
        ("ServerRef", "java.rmi.server.ServerRef", True),
        ("IfTree", "jdk.nashorn.api.tree.IfTree", True),
        (
            "AnnotationDesc$ElementValuePair",
            "com.sun.javadoc.AnnotationDesc.ElementValuePair",
            True,
        ),
        ("Thread.stop()", "java.lang.Thread.stop", True),
        ("RootDoc.classes", "com.sun.javadoc.RootDoc", False),
        ("Doc", "com.sun.javadoc.Doc", False),
    ],
)
def test_java_names_are_resolved_by_imports(name: str, label: str, right: bool) -> None:  # noqa: FBT001
    assert means(name, label, JAVA, "java") is right
