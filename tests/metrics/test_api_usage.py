from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.metrics.api_usage import uses
from libdrift.metrics.modes import Mode
from tests.published import published


@pytest.mark.parametrize(
    ("code", "name", "fixed", "released"),
    [
        ("x.then_some(1)", "then_some", True, True),
        ("// then_some\nx.then(|| 1)", "then_some", False, True),
        ('println!("then_some")', "then_some", False, True),
        ("/* a then_some b */", "then_some", False, True),
        ("x.then_some_more(1)", "then_some", False, False),
        ('assert!(x.then_some(1), "y")', "then_some", True, True),
        ("let v: Vec<u8> = Default::default();", "default", True, True),
        ("fn f( { x.leak(", "leak", True, True),
        ("x.leak(); Vec::new()", "Vec::leak", True, False),
        ("String::leak(x)", "Vec::leak", False, False),
        ("", "leak", False, False),
        ("x", "::", False, False),
    ],
)
def test_use_is_in_code(code: str, name: str, fixed: bool, released: bool) -> None:  # noqa: FBT001
    assert uses(code, name) is fixed
    assert uses(code, name, mode=Mode.RELEASED) is released


def test_other_languages() -> None:
    assert uses("np.sum(x)  # y", "np.sum", language="python")
    assert not uses("np.dot(x)  # np.sum", "np.sum", language="python")
    assert uses("list.getFirst();", "getFirst", language="java")


@given(st.text(max_size=40), st.sampled_from(["a", "ab", "é", "_x"]))
@settings(max_examples=50, deadline=None)
def test_what_is_used_is_in_the_text(code: str, name: str) -> None:
    for mode in Mode:
        assert not uses(code, name, mode=mode) or name in code
        assert uses(f"fn f() {{ {name}(); }}", name, mode=mode)


@pytest.mark.published
def test_every_published_reference_uses_its_api() -> None:
    tasks, apis = (
        json.loads(published("rustevo", f"{name}.json").read_text("utf-8"))
        for name in ("tasks", "api_docs")
    )
    for mode in Mode:
        used = [
            uses(task["code"], api["name"], mode=mode)
            for task, api in zip(tasks, apis, strict=True)
        ]
        assert (used.count(True), len(used)) == (308, 308)
