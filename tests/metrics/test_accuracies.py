from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.metrics import accuracies
from libdrift.metrics.accuracies import Explanation
from tests.published import published

NAMES = st.sets(st.sampled_from(["np.a", "numpy.a", "numpy.b", "tf.c", "d"]), max_size=4)


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
    ("names", "labels", "strict", "released"),
    [
        (["numpy.in1d"], ["np.in1d(a, b)"], True, True),
        (["np.b()", "np.a()"], ["np.a(x)", "np.b(x)"], True, True),
        (["np.a", "np.b"], ["np.a(x)"], False, True),
        (["np.a"], ["np.a(x)", "np.b(x)"], False, False),
        ([], ["np.a(x)"], False, False),
        ([""], ["np.a(x)"], False, False),
        ([], [], True, True),
    ],
)
def test_located(names: list[str], labels: list[str], strict: bool, released: bool) -> None:  # noqa: FBT001
    assert accuracies.located(names, labels) is strict
    assert accuracies.released_located(names, labels) is released


@given(NAMES, NAMES)
@settings(max_examples=50, deadline=None)
def test_strict_is_released_both_ways(names: set[str], labels: set[str]) -> None:
    both = [
        accuracies.released_located(names, labels),
        accuracies.released_located(labels, names),
    ]
    assert accuracies.located(names, labels) is all(both)
    assert accuracies.located(names, names)
    assert accuracies.released_located(names | labels, labels)


LABELS = {
    "np.in1d(a, b)": Explanation("Deprecated", "np.isin(a, b)"),
    "np.c()": Explanation("Add", ""),
}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, True),
        ({"numpy.in1d": Explanation("deprecation", "numpy.isin")}, True),
        ({"other.name": Explanation("Added")}, True),  # more than was asked for
        ({"numpy.in1d": Explanation("Location Change", "numpy.isin")}, False),
        ({"numpy.in1d": Explanation("Deprecated", "numpy.contains")}, False),
        ({"numpy.in1d": Explanation("Deprecated")}, False),
        ({"numpy.c": Explanation("Added", "numpy.d")}, False),
    ],
)
def test_explained(changed: dict[str, Explanation], expected: bool) -> None:  # noqa: FBT001
    given = {
        "numpy.in1d": Explanation(" deprecated ", "np.isin"),
        "numpy.c": Explanation("Added"),
    }
    assert accuracies.explained(given | changed, LABELS) is expected


def test_every_label_must_be_explained() -> None:
    assert accuracies.explained({"np.c": Explanation("Add")}, LABELS) is False
    assert accuracies.explained({}, {}) is True
    # A label that does not say what stands in for the API asks for the kind alone.
    unsaid = {"a.b": Explanation("removed")}
    assert accuracies.explained({"a.b": Explanation("Deprecated", "a.c")}, unsaid) is True


def test_accuracy() -> None:
    assert accuracies.accuracy([True, False, True, True]) == 0.75
    assert accuracies.accuracy([]) is None


@pytest.mark.published
def test_published_labels_are_names() -> None:
    lines = published("codemenv", "python_easy.jsonl").read_text("utf-8").splitlines()
    for sample in map(json.loads, lines):
        label = Explanation(sample["update_type"], sample.get("compare_signature"))
        name = accuracies.api_name(sample["signature"])
        assert all(part.isidentifier() for part in name.split("."))
        assert accuracies.located([name], [sample["signature"]])
        assert accuracies.explained({name: label}, {sample["signature"]: label})
