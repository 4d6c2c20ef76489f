from __future__ import annotations

import pytest

from libdrift.execution import known


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("math.exp", True),
        ("math.foo", False),
        ("range", True),
        ("zip", True),
        ("foo", False),
        ("str.join", True),
        ("str.foo", False),
        ("os.path.join", True),
        ("itertools.tee", True),
        ("re.Pattern.match", True),
        ("re.Pattern.foo", False),
        ("numpy.issubdtype", True),
        ("numpy.linalg.norm", True),
        ("numpy.foobar", False),
        ("numpy.foo.bar", False),
        ("pandas.api.types.is_numeric_dtype", True),
        ("pandas.DataFrame.pad", True),
        ("pandas.DataFrame.foo", False),
        ("xml.etree", True),
        ("foo.bar", None),
        ("tensorflow.foo", None),
    ],
)
def test_python_names(name: str, there: bool | None) -> None:  # noqa: FBT001
    assert known.in_python(name) is there


@pytest.mark.parametrize(
    ("name", "there", "since"),
    [
        ("java.util.List", True, None),
        ("java.util.List.of", True, None),
        ("java.util.Map.Entry", True, None),
        ("jdk.javadoc.doclet", True, None),
        ("jdk.javadoc.doclet.DocletEnvironment", True, None),
        ("java.util.Observer", True, "9"),
        ("com.sun.javadoc.RootDoc", True, "9"),
        ("java.security.Certificate", True, "1.2"),
        ("java.rmi.server.Skeleton", True, ""),
        ("java.util.Foo", False, None),
        ("foo.bar", False, None),
        ("foo.List", False, None),
        ("", False, None),
    ],
)
def test_java_names(name: str, there: bool, since: str | None) -> None:  # noqa: FBT001
    assert known.in_jdk(name) is there
    assert known.deprecated_in_jdk(name) == since
