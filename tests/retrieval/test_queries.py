from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift import records
from libdrift.records import Task
from libdrift.retrieval.queries import query, query_for
from tests.retrieval.tasks import gapped, task


@pytest.mark.parametrize("shown", [task(), gapped()])
def test_a_query_is_made_only_of_what_a_candidate_sees(shown: Task) -> None:
    told = replace(
        shown,
        reference="pkg.secret()",
        tests=(records.Tests(records.Split.HIDDEN, records.TestStyle.PYTEST, "secret"),),
        wrong=task(wrong="pkg==2").wrong,
        facts=replace(
            shown.facts, symbol="pkg.secret", api_calls=("pkg.secret",), changed_in="secret"
        ),
        source={"secret": "secret"},
    )
    if shown.gap is not None:
        told = replace(told, gap=replace(shown.gap, token="secret", line="secret"))
    assert query_for(told) == query_for(shown)


def test_the_parts_of_a_problem() -> None:
    found = query_for(task())
    assert (found.package, found.version) == ("pkg", "1")
    assert "appending method" in found.focus
    assert "installed" in found.prose
    assert "path" not in found.prose  # the code's own name for a value
    assert "Give the rows" in found.prose
    assert "pkg" not in found.prose.split()
    assert (found.inside, found.parameters) == (
        "rows_of ",
        "frame path",
    ) or found.inside == "rows_of"
    assert found.given == ("pkg.Frame",)
    assert found.returned == ("pkg.Table",)


def test_a_gap_is_searched_for_by_the_code_around_it() -> None:
    found = query_for(gapped())
    assert "between the points" in found.prose
    assert found.inside == "axes_service"
    assert found.parameters == "x y"
    assert found.scope == "pkg.plot"
    assert found.near.endswith("result = plt")
    assert "return result" in found.text


@pytest.mark.parametrize("text", ["", "  ", "pkg", "`" * 7, "(", "pkg.read_csv fails: \ud800"])
def test_any_text_is_a_query(text: str) -> None:
    assert query(text, "pkg", "").text == text


def test_the_version_is_left_out_as_a_whole_only() -> None:
    assert query("pkg 2, pkg's 2. 2D, 1.2 and 2.5", "pkg", "2").prose.split() == [
        *(",", ".", "2D,", "1.2", "and", "2.5")
    ]


def test_a_query_for_rust() -> None:
    code = "use std::fs::File;\npub fn first_line<R: Read>(reader: R, limit: usize) -> String {\n"
    found = query_for(task("1.70.0", language="rust", library="std", starter=code, problem="Read."))
    assert (found.package, found.version) == ("rust", "1.70.0")  # as the history has it
    assert found.text.startswith("std 1.70.0\n")  # as people say it
    assert found.inside == "first_line"
    assert "reader" in found.parameters
    assert "limit" in found.parameters


def test_a_query_for_java() -> None:
    code = "import java.util.Date;\nclass A {\n  // Tells the year.\n  int f(Date d) { d.getYear(); }\n}"
    found = query_for(task("21", language="java", library="jdk", starter=code, problem="Move it."))
    assert found.package == "jdk"
    assert {"java.util.Date", "java.util.Date.getYear"} <= set(found.named)
    assert "Tells the year." in found.prose


def test_a_call_that_is_open_is_told() -> None:
    code = "from pkg import send\n\ndef f(data):\n    return send(data, as_file=True,\n"
    assert query_for(task(starter=code)).opened == "pkg.send"


def test_imports_that_no_line_uses_are_told() -> None:
    code = "import pkg\nfrom pkg.linalg import det, inv\n\ndef f(a: pkg.A):\n    return inv(a)\n"
    found = query_for(task(starter=code))
    assert found.imported == ("pkg", "pkg.linalg.det", "pkg.linalg.inv")
    assert found.unused == ("pkg.linalg.det",)


@pytest.mark.parametrize(
    ("code", "scope"),
    [
        ("import pkg.web\n\nclass H(pkg.web.Handler):\n    def get(self):\n        self.", "pkg.web.Handler"),
        ("class H:\n    def get(self):\n        self.", ""),
    ],
)  # fmt: skip
def test_self_is_of_the_class_that_its_own_is_made_from(code: str, scope: str) -> None:
    assert query_for(task(starter=code)).scope == scope
