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


BOTH = """
import pandas as pd
import numpy.random as draw
from queue import Queue
from re import compile

def work(frame, queue):
    queue.put(frame.groupby("a").ffill())
    return pandas.api.types.is_integer_dtype(frame), numpy.in1d(frame, frame), xrange(3)
"""


@pytest.mark.parametrize(
    ("name", "label", "right"),
    [
        # `import pandas as pd`, and the code says `pandas.…` all the same.
        ("pandas.api.types.is_integer_dtype", "pandas.api.types.is_integer_dtype", True),
        ("pd.api.types.is_integer_dtype", "pandas.api.types.is_integer_dtype", True),
        ("pandas.is_integer_dtype", "pandas.api.types.is_integer_dtype", False),
        ("pandas.bogus.is_integer_dtype", "pandas.api.types.is_integer_dtype", False),
        ("is_integer_dtype", "pandas.api.types.is_integer_dtype", False),
        ("numpy.bogus.in1d", "numpy.in1d", False),
        ("numpy.in1d", "numpy.in1d", True),
        # A value that is called as a package is one.
        ("queue.put", "queue.Queue.put", True),
        ("queue.bogus.put", "queue.Queue.put", False),
        # Between a value and its method stands what the code has there.
        ("frame.groupby('a').ffill()", "pandas.DataFrame.ffill", True),
        ("frame.ffill", "pandas.DataFrame.ffill", True),
        ("frame.bogus.ffill", "pandas.DataFrame.ffill", False),
        # Labels without a module.
        ("xrange", "xrange", True),
        ("__builtin__.xrange", "xrange", True),
        ("bogus.xrange", "xrange", False),
        ("np.xrange", "xrange", False),
        ("re.Pattern.fullmatch", "Pattern.fullmatch", True),
        ("Pattern.fullmatch", "Pattern.fullmatch", True),
        ("bogus.Pattern.fullmatch", "Pattern.fullmatch", False),
        ("threading.Lock.release", "release", True),
        ("bogus.release", "release", False),
        ("threading.bogus.release", "release", False),
    ],
)
def test_packages_are_no_values_and_paths_are_not_made_up(
    name: str,
    label: str,
    right: bool,  # noqa: FBT001
) -> None:
    assert means(name, label, BOTH, "python") is right


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
