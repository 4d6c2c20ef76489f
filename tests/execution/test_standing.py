"""What an explanation must say of a label, and what it may."""

from __future__ import annotations

import pytest

from libdrift.execution.explaining import StatedChange
from libdrift.execution.standing import Subject, faults
from libdrift.metrics.accuracies import ChangeExplanation

CODE = "import pandas as pd\nimport torch.nn.functional as F\n\ndef work(rows):\n    rows.ffill()\n"
NUMPY = ("1.26", "2.0")
GONE = Subject("lib.old", ChangeExplanation("deprecation", "lib.new", None, NUMPY), "", "python")
TWO = Subject(
    "lib.old", ChangeExplanation("deprecation", "lib.a or lib.b", "2.0", NUMPY), "", "python"
)
MOVED = Subject(
    "lib.old", ChangeExplanation("replacement", "lib.sub.old", "2.0", NUMPY), "", "python"
)
NEW = Subject(
    "math.cube", ChangeExplanation("addition", None, "3.8", ("3.1", "3.10")), "", "python"
)
AFTER = Subject(
    "range", ChangeExplanation("addition", "xrange", "2.7", ("2.7", "3.9")), "", "python"
)
METHOD = Subject(
    "pandas.Series.ffill", ChangeExplanation("addition", "pandas.Series.pad"), CODE, "python"
)
WORD = Subject(
    "dict.has_key", ChangeExplanation("deprecation", "in", "3.0", ("2.7", "3.9")), "", "python"
)
JAVA = ("8", "11")
OBSERVER = Subject(
    "java.util.Observer", ChangeExplanation("deprecation", None, None, JAVA), "", "java"
)
NONE = Subject("java.applet.Applet", ChangeExplanation("deprecation", "", None, JAVA), "", "java")
CERTIFICATE = Subject(
    "java.security.Certificate",
    ChangeExplanation("deprecation or replacement", "java.security.cert.Certificate", None, JAVA),
    "",
    "java",
)
PACKAGE = Subject(
    "com.sun.javadoc.Doc",
    ChangeExplanation("deprecation", "jdk.javadoc.doclet.*", None, JAVA),
    "",
    "java",
)
SHORT = Subject(
    "org.xml.sax.Parser", ChangeExplanation("deprecation", "XMLReader", None, JAVA), "", "java"
)
SKELETON = Subject(
    "java.rmi.server.Skeleton", ChangeExplanation("deprecation", "", None, JAVA), "", "java"
)
TREE = Subject(
    "jdk.nashorn.api.tree.IfTree", ChangeExplanation("deprecation", None, None, JAVA), "", "java"
)


@pytest.mark.parametrize(
    ("subject", "kind", "right"),
    [
        *((GONE, kind, True) for kind in ("deprecated", "Removed", "deprecated for removal")),
        *((GONE, kind, True) for kind in ("superseded by lib.new", "deprecated and replaced")),
        *((GONE, kind, True) for kind in ("no longer available", "marked as deprecated in 2.0")),
        *(
            (GONE, kind, False)
            for kind in ("moved", "added", "not deprecated", "gone", "", "change")
        ),
        *((GONE, kind, False) for kind in ("never removed", "removed parameter", "undeprecated")),
        (GONE, "added, deprecated, replaced", False),
        *((MOVED, kind, True) for kind in ("moved to lib.sub", "Location Change", "renamed")),
        *(
            (MOVED, kind, True)
            for kind in ("LocationChange", "location_change", "removed and moved")
        ),
        *((MOVED, kind, False) for kind in ("removed", "added", "not moved")),
        *(
            (NEW, kind, True)
            for kind in ("new in version 3.8", "added", "newly added", "Introduced")
        ),
        *((NEW, kind, True) for kind in ("not yet available (added in 3.8)", "addition")),
        *((NEW, kind, False) for kind in ("deprecated", "not added", "moved")),
        *((CERTIFICATE, kind, True) for kind in ("replaced", "deprecated", "superseded")),
        (NONE, "deprecated (no replacement)", True),
        (NONE, "deprecated and replaced", False),
    ],
)
def test_kinds(subject: Subject, kind: str, right: bool) -> None:  # noqa: FBT001
    version = "9" if subject.language == "java" else subject.wanted.version or "2.0"
    replacement = (subject.wanted.replacement or "none").partition(" or ")[0]
    found = [*faults(StatedChange(kind, version, replacement), subject).values()]
    assert (not found) is right, found


@pytest.mark.parametrize(
    ("subject", "version", "right"),
    [
        *((GONE, version, True) for version in ("2.0", "2", "numpy 2.0", "1.26", "1.25", "2.x")),
        *((GONE, version, True) for version in ("1.25 (deprecated), removed in 2.0", ">=2.0,<3")),
        *(
            (GONE, version, True)
            for version in ("deprecated in 2.0, removed in 3.0", "1.26 -> 2.0")
        ),
        *(
            (GONE, version, False)
            for version in ("0.1", "1.0", "99", "3.0", "", "unknown", "not 2.0")
        ),
        (GONE, "0.1, 1.0, 2.0, 3.0", False),
        *((TWO, version, True) for version in ("2.0", "2.0.0 (June 2024)", "since 2.1")),
        *((TWO, version, False) for version in ("1.26", "0.1")),
        # The older of the two, by the label: then it came after that.
        *((AFTER, version, True) for version in ("2.7", "3.0", "Python 3")),
        *((AFTER, version, False) for version in ("1.0", "4.0")),
        *(
            (OBSERVER, version, True)
            for version in ("9", "Java SE 9", "1.9", "JDK 11 (JEP 1)", "10")
        ),
        *((OBSERVER, version, True) for version in ("9, removed in 13",)),
        *((OBSERVER, version, False) for version in ("0.1", "8", "1.8", "12", "7", "none")),
        # Deprecated long before, and said to be.
        *((CERTIFICATE, version, True) for version in ("1.2", "9", "1.2, for removal in 9")),
        *((CERTIFICATE, version, False) for version in ("1.3", "0.1")),
        *((SKELETON, version, True) for version in ("1.2", "9")),
        *((SKELETON, version, False) for version in ("0.1", "17")),
    ],
)
def test_versions(subject: Subject, version: str, right: bool) -> None:  # noqa: FBT001
    kind = subject.wanted.kind.partition(" or ")[0]
    replacement = (subject.wanted.replacement or "none").partition(" or ")[0]
    found = [*faults(StatedChange(kind, version, replacement), subject).values()]
    assert (not found) is right, found


@pytest.mark.parametrize(
    ("subject", "replacement", "right"),
    [
        *(
            (GONE, text, True)
            for text in ("lib.new", "`lib.new`", "use `lib.new`", "lib.new(x, y)")
        ),
        *(
            (GONE, text, True)
            for text in ("Use lib.new(f(x)) instead", "Replace lib.old with lib.new")
        ),
        *(
            (GONE, text, True)
            for text in ("lib.new with dtype=lib.float64", "lib.new or other.new")
        ),
        *(
            (GONE, text, False)
            for text in ("foo.bar", "use", "use foo.bar", "lib.old", "new", "none")
        ),
        *(
            (GONE, text, False)
            for text in ("not lib.new", "lib.new or lib.c", "anything", "", None)
        ),
        *((TWO, text, True) for text in ("lib.a", "lib.b", "lib.a or lib.b", "lib.b, lib.a")),
        *((TWO, text, False) for text in ("lib.c", "lib.a or lib.c")),
        # Where it is not said: nothing, or something that is there.
        *((NEW, text, True) for text in (None, "none", "N/A", "", "-", "no direct replacement")),
        *((NEW, text, True) for text in ("math.pow", "pow", "use `math.pow`", "functools.reduce")),
        *((NEW, text, True) for text in ("a custom implementation", "None (use math.pow)")),
        *((NEW, text, False) for text in ("foo.bar", "math.foo", "math.cube", "xyzzy", "my.cube")),
        *((METHOD, text, True) for text in ("Series.pad", "rows.pad()", "pad", "pd.Series.pad()")),
        *((METHOD, text, False) for text in ("pandas.DataFrame.pad", "foo.pad", "Series.bfill")),
        *((WORD, text, True) for text in ("in", "the `in` operator", "key in dict")),
        *((WORD, text, False) for text in ("none", "dict.get", "contains")),
        *((OBSERVER, text, True) for text in (None, "none", "java.beans.PropertyChangeListener")),
        *(
            (OBSERVER, text, True)
            for text in ("java.util.concurrent.Flow", "PropertyChangeListener")
        ),
        *((OBSERVER, text, False) for text in ("foo.bar", "java.util.Observable", "java.util.Foo")),
        (OBSERVER, "java.util.Observer", False),
        *(
            (NONE, text, True)
            for text in (None, "none", "No replacement", "no replacement; go away")
        ),
        *((NONE, text, False) for text in ("javax.swing.JApplet", "foo.bar")),
        *((PACKAGE, text, True) for text in ("jdk.javadoc.doclet", "jdk.javadoc.doclet.Doclet")),
        *((PACKAGE, text, True) for text in ("javax.lang.model.element.Element",)),
        *((PACKAGE, text, False) for text in (None, "foo.bar", "com.sun.javadoc.RootDoc")),
        *((SHORT, text, True) for text in ("XMLReader", "org.xml.sax.XMLReader")),
        *((SHORT, text, False) for text in ("foo.XMLReader", "org.xml.sax.ContentHandler", None)),
        *((TREE, text, True) for text in ("GraalVM JavaScript", "none")),
        *((TREE, text, False) for text in ("foo.bar", "jdk.nashorn.api.tree.Tree")),
    ],
)
def test_replacements(subject: Subject, replacement: str | None, right: bool) -> None:  # noqa: FBT001
    kind = subject.wanted.kind.partition(" or ")[0]
    version = "9" if subject.language == "java" else subject.wanted.version or "2.0"
    found = [*faults(StatedChange(kind, version, replacement), subject).values()]
    assert (not found) is right, found


@pytest.mark.parametrize(
    ("subject", "prose", "right"),
    [
        (GONE, "lib.old was deprecated in 2.0; use lib.new instead.", True),
        (GONE, "Deprecated since 2.0 in favour of `lib.new`", True),
        (GONE, "| lib.old | removed | 2.0 | lib.new |", True),
        (GONE, "lib.old was added in 2.0; use lib.new", False),
        (GONE, "lib.old was deprecated; use lib.new", False),
        (GONE, "lib.old was deprecated in 0.1; use lib.new", False),
        (GONE, "lib.old was deprecated in 2.0; use foo.bar", False),
        (GONE, "lib.old was deprecated in 2.0.", False),
        (NEW, "math.cube was added in Python 3.8; there is no replacement.", True),
        (NEW, "math.cube was added in Python 3.8, compute it by hand", True),
        (MOVED, "lib.old has been moved to lib.sub.old in 2.0", True),
        (WORD, "dict.has_key was removed in 3.0, use the `in` operator", True),
        (OBSERVER, "Deprecated in Java 9", True),
        (OBSERVER, "Deprecated", False),
    ],
)
def test_words(subject: Subject, prose: str, right: bool) -> None:  # noqa: FBT001
    found = [*faults(StatedChange(prose=prose), subject).values()]
    assert (not found) is right, found


def test_what_a_label_does_not_ask_is_not_graded() -> None:
    subject = Subject("a.b", ChangeExplanation("removed"), "", "python")
    assert faults(StatedChange("deleted", "0.1", "foo.bar"), subject) == {}


def test_reasons() -> None:
    assert [*faults(StatedChange("added", "0.1", "foo.bar"), GONE).values()] == [
        "kind added, not deprecation",
        "version 0.1, not between 1.26 and 2.0",
        "replacement foo.bar, not lib.new",
    ]
    assert [*faults(StatedChange("deprecated", None, "foo.bar"), OBSERVER).values()] == [
        "version not said, not after 8 and up to 11",
        "replacement foo.bar, which is not there",
    ]
