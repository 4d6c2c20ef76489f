from __future__ import annotations

import json

import pytest

from libdrift.metrics.accuracies import ChangeExplanation, api_name
from libdrift.records import ChangeKind
from libdrift.suites.codemenv.changes import change_of, from_fields, from_prose
from tests.published import published


@pytest.mark.parametrize(
    ("label", "text", "told"),
    [
        ("math.erf", "New in version 3.2.", ("addition", None, "3.2")),
        ("numpy.isdtype", "New in numpy 2.0.", ("addition", None, "2.0")),
        (
            "numpy.asmatrix",
            "Before numpy 2.0, np.bmat was the standard way to apply it; however, after numpy 2.0, "
            "it is recommended to use np.asmatrix instead.",
            ("addition", "numpy.bmat", "2.0"),
        ),
        (
            "pandas.Series.ffill",
            "Before pandas 2.0, pd.Series.pad() was the standard way to fill.",
            None,  # of another API, for all that it says
        ),
        (
            "numpy.trapz",
            "numpy.trapz has been removed since numpy 2.0 version, use numpy.trapezoid instead.",
            ("deprecation", "numpy.trapezoid", "2.0"),
        ),
        (
            "numpy.find_common_type",
            "np.find_common_type was removed in favor of functions such as numpy.promote_types and "
            "numpy.result_type.",
            ("deprecation", "numpy.promote_types or numpy.result_type", None),
        ),
        (
            "tensorflow.substr",
            "Move the original function to the tf.strings subpackage",
            ("replacement", "tensorflow.strings.substr", None),
        ),
        (
            "tensorflow.math.erf",
            "Prior to tensorflow 2.0.0, the erf function had not been transferred to the "
            "tensorflow.math package, and the correct way to call it was tensorflow.erf.",
            ("replacement", "tensorflow.erf", "2.0.0"),
        ),
        (
            "torch.softmax",
            "Before torch 1.0, torch.softmax was not the preferred method; instead, "
            "torch.nn.functional.softmax was commonly used.",
            ("addition or replacement", "torch.nn.functional.softmax", "1.0"),
        ),
        (
            "itertools.pairwise",
            "The introduction of itertools.pairwise(iterable) in version 3.10 is handy.",
            ("addition", None, "3.10"),
        ),
        (
            "math.factorial",
            "Deprecated since version 3.9: Accepting floats (like 5.0) is deprecated.",
            ("deprecation", None, "3.9"),
        ),
        (
            "org.xml.sax.Parser",
            "This interface has been replaced by the SAX2 XMLReader interface.",
            ("deprecation or replacement", "XMLReader", None),
        ),
        (
            "numpy.format_parser",
            "np.format_parser has been moved to np.rec for better organization.",
            ("replacement or deprecation", "numpy.rec.format_parser", None),
        ),
        (
            "com.sun.javadoc.Doc",
            "The declarations in this package have been superseded by those in the package "
            "jdk.javadoc.doclet. For more, see the guide in the documentation for that package.",
            ("deprecation or replacement", "jdk.javadoc.doclet.*", None),
        ),
        (
            "java.util.logging.LoggingMXBean",
            "LoggingMXBean is replaced with PlatformLoggingMXBean. Use "
            "ManagementFactory.getPlatformMXBean(PlatformLoggingMXBean.class) instead.",
            (
                "deprecation or replacement",
                "ManagementFactory.getPlatformMXBean or PlatformLoggingMXBean",
                None,
            ),
        ),
        ("java.rmi.server.RemoteCall", "no replacement", ("", "", None)),
        ("a.b", "", ("", None, None)),
        ("numpy.bmat", "np.mat was deprecated in favor of np.asmatrix.", None),
    ],
)
def test_prose_is_read_by_a_few_patterns(
    label: str, text: str, told: tuple[str, str | None, str | None] | None
) -> None:
    assert from_prose(label, text) == (ChangeExplanation(*told) if told else ChangeExplanation(""))


@pytest.mark.parametrize(
    ("update_type", "signature", "told"),
    [
        ("Add", "np.bmat(obj)", ("addition", "numpy.bmat")),
        ("Added", "", ("addition", "a.c")),  # empty is not said
        ("Location Change", None, ("replacement", "a.c")),
        ("Deprecated", "[key] in [dict]->bool", ("deprecation", "in")),
        ("Deprecated", "[key] of [dict]", ("deprecation", None)),
        ("Whatever", None, ("deprecation", "a.c")),
    ],
)
def test_fields_go_before_prose(
    update_type: str, signature: str | None, told: tuple[str, str | None]
) -> None:
    prose = ChangeExplanation("deprecation", "a.c", "1.0")
    assert from_fields(prose, update_type, signature) == ChangeExplanation(*told, "1.0")


@pytest.mark.parametrize(
    ("kind", "text", "change"),
    [
        ("addition", "", ChangeKind.INTRODUCED),
        ("deprecation", "is deprecated", ChangeKind.DEPRECATED),
        ("deprecation", "was removed", ChangeKind.REMOVED),
        ("replacement", "", ChangeKind.MOVED),
        ("", "", None),
    ],
)
def test_kinds_have_our_words(kind: str, text: str, change: ChangeKind | None) -> None:
    assert change_of(kind, text) is change


@pytest.mark.published
def test_prose_says_what_the_fields_of_easy_samples_say() -> None:
    """Hard samples have prose alone; where there are fields too, it can be told how good it is."""
    lines = published("codemenv", "python_easy.jsonl").read_text("utf-8").splitlines()
    kinds = replacements = wrong = 0
    for sample in map(json.loads, lines):
        prose = from_prose(api_name(sample["signature"]), sample["update"])
        told = from_fields(prose, sample["update_type"], sample.get("compare_signature"))
        kinds += prose.kind == told.kind
        replacements += prose.replacement == told.replacement
        wrong += prose.replacement not in {None, told.replacement}
    assert kinds >= 0.95 * len(lines)
    assert replacements >= 0.95 * len(lines)
    assert wrong == 0
