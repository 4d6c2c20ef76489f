from __future__ import annotations

import json

import pytest

from libdrift.metrics import accuracies
from libdrift.metrics.accuracies import ChangeExplanation
from tests.published import published


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("np.in1d(ar1, ar2, *, kind=None)->(M,) numpy.ndarray", "numpy.in1d"),
        ("pd.Series.pad()", "pandas.Series.pad"),
        ("tf.math.abs", "tensorflow.math.abs"),
        ("numpy.trapz (y)", "numpy.trapz"),
        ("`torch.nn.softmax`", "torch.nn.softmax"),
        ("tf", "tf"),
        ("npy.load(x)", "npy.load"),
        ("range(start, stop[, step])", "range"),
        ("", ""),
        ("(x)", ""),
    ],
)
def test_a_name_is_the_text_before_the_arguments(label: str, expected: str) -> None:
    assert accuracies.api_name(label) == expected


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("Removal", "deprecation"),
        ("remove", "deprecation"),
        (" deprecate\n", "deprecation"),
        ("deprecation", "deprecation"),
        ("introduce", "addition"),
        ("New", "addition"),
        ("addition", "addition"),
        ("move", "replacement"),
        ("rename", "replacement"),
        ("replace", "replacement"),
        ("location_change", "replacement"),
        ("Location  Change", "replacement"),
        ("removed / deprecated", "deprecation"),
        ("deprecation (and removal)", "deprecation"),
        ("removed or renamed", "removed or renamed"),
        ("deprecated for removal", "deprecation"),
        ("new in version 3.8", "addition"),
        ("moved to tf.math", "replacement"),
        ("LocationChange", "replacement"),
        ("no longer available", "deprecation"),
        ("deprecated, no replacement", "deprecation"),
        ("superseded", "superseded"),  # which is two at once
        ("not deprecated", "not deprecated"),
        ("removed parameter", "removed parameter"),
        ("newer", "newer"),
        ("()", "()"),
        ("", ""),
    ],
)
def test_kinds_have_many_spellings(kind: str, word: str) -> None:
    assert accuracies.kind_of(kind) == word


@pytest.mark.parametrize(
    ("version", "wanted", "near"),
    [
        ("3.10", "3.10", True),
        ("3.1", "3.10", False),  # no decimals
        ("3.10", "3.1", False),
        ("3.5", "3.10", True),
        ("3.4", "3.10", False),
        ("2.0", "2.0.0", True),
        ("2", "2.5", True),
        ("numpy 2.0", "2.0", True),
        (">=2.0,<3", "2.0", True),
        ("1.26", "2.0", False),
        ("1.5", "2.0", False),  # another major series is not near
        ("next", "2.0", False),
        ("", "2.0", False),
        ("9" * 5000, "2.0", False),
    ],
)
def test_versions_are_near_as_versions(version: str, wanted: str, near: bool) -> None:  # noqa: FBT001
    assert accuracies.near(version, wanted) is near


@pytest.mark.parametrize(
    ("name", "label", "same"),
    [
        ("numpy.in1d", "numpy.in1d", True),
        ("Series.ffill", "pandas.Series.ffill", True),
        ("re.Pattern.fullmatch", "Pattern.fullmatch", True),
        ("math.erf", "tensorflow.math.erf", False),  # a module of its own
        ("DataFrame.ffill", "pandas.Series.ffill", False),
        ("ffill", "pandas.Series.ffill", False),
        ("threading.Lock.release", "release", True),
        ("", "", True),
        ("a.b", "", False),
        ("", "a.b", False),
    ],
)
def test_members_may_be_named_from_their_class_on(name: str, label: str, same: bool) -> None:  # noqa: FBT001
    assert accuracies.same_api(name, label) is same


@pytest.mark.parametrize(
    ("answer", "label", "wrong"),
    [
        (ChangeExplanation("added", "", "3.9"), ChangeExplanation("Add", "", "3.8"), []),
        (ChangeExplanation("moved"), ChangeExplanation("Location Change"), []),
        (
            ChangeExplanation("x", "y.z", "9"),
            ChangeExplanation(""),
            [],
        ),  # a label that says nothing
        (
            ChangeExplanation("added", "np.c"),
            ChangeExplanation("Deprecated", "np.b", "2.0"),
            [
                "kind added, not deprecation",
                "version not said, not 2.0",
            ],
        ),
    ],
)
def test_what_is_wrong_is_said(
    answer: ChangeExplanation, label: ChangeExplanation, wrong: list[str]
) -> None:
    assert list(accuracies.kind_and_version(answer, label).values()) == wrong


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("2.0", ["2.0"]),
        ("numpy2.0 and v1", ["2.0", "1"]),
        ("deprecated in 1.25, removed in 2.0", ["1.25", "2.0"]),
        (">=2.0,<3", ["2.0"]),
        ("<3", ["3"]),
        ("2.x", ["2"]),
        ("JDK 11 (JEP 335), 2018", ["11"]),
        ("in1d has 2 arguments", ["2"]),
        ("not 2.0", []),
        ("none", []),
    ],
)
def test_versions_in_a_text(text: str, versions: list[str]) -> None:
    assert accuracies.versions_in(text) == versions


@pytest.mark.parametrize(
    ("version", "inside"),
    [
        *((version, True) for version in ("1.26", "2.0", "1.21", "2.5")),
        *((version, False) for version in ("1.20", "2.6", "0.1", "3.0", "x")),
    ],
)
def test_a_version_lies_between_two_or_near_them(version: str, inside: bool) -> None:  # noqa: FBT001
    assert accuracies.within(version, "1.26", "2.0") is inside


@pytest.mark.published
def test_published_labels_are_names() -> None:
    lines = published("codemenv", "python_easy.jsonl").read_text("utf-8").splitlines()
    for sample in map(json.loads, lines):
        label = ChangeExplanation(sample["update_type"], sample.get("compare_signature"))
        name = accuracies.api_name(sample["signature"])
        assert all(part.isidentifier() for part in name.split("."))
        assert accuracies.kind_and_version(label, label) == {}
