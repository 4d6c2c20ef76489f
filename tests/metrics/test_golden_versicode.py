"""VersiCode's metrics against values that the authors' own programs gave."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from libdrift.metrics import at_k, core_lines, critical_diff, likeness
from libdrift.metrics.cleaning import cleaned
from libdrift.metrics.modes import Mode
from libdrift.metrics.names import compiles, released_occurs
from tests.published import published

NEW_TOKENISER = sys.version_info >= (3, 12)
CALL = "foo.get_rows(a)"
BLOCK = "import m\nfrom m import get_rows\n\nx = get_rows(m.all, n=1)\n"


def case(metric: str, expected: Any, k: int | None = None, **inputs: Any) -> dict[str, Any]:
    later = inputs.pop("later", expected)  # with Python 3.12 and up
    return {
        "id": json.dumps([metric, inputs]),
        "metric": metric,
        "inputs": inputs,
        "k": k,
        "expected": later if NEW_TOKENISER else expected,
    }


def scored(metric: str, reference: str, output: str, token: str, *expected: float) -> Any:
    """A case of one output; a second value is that with Python 3.12 and up."""
    values = [{"per_sample_sorted": [value], "score": value} for value in expected]
    more = {"reference": reference, "outputs": [output], "core_token": token}
    return case(metric, values[0], 1, later=values[-1], **more)


def ruled(line: str, output: str, rules: str, token: str = "foo", masked: str = "<mask>") -> Any:
    """A line that keeps the rules that are named; every other letter is one that it does not."""
    kept = {f"r{i}": mark != "-" for i, mark in enumerate(rules, start=1)}
    expected = {"score": float(all(kept.values())), "rules": [kept]}
    inputs = {"core_token": token, "core_line": line, "outputs": [output], "masked_code": masked}
    return case("cdc_line", expected, 1, **inputs)


# The released programs' own ways, in pairs of our own.
PAIRS = [
    case("clean", " x ", output="so: <start> x <end> <end>"),
    case("clean", "no_answer", output="x"),
    case("clean", "", output="<end> <start>x<end>"),
    case("clean", "py\nx\n", output="<start>```py\nx\n```<end>"),
    case("token_em", 0.5, 1, answer="a", outputs=["a", " a"]),
    case("token_em", 1.0, 2, answer="a", outputs=["b"]),
    case("token_em", 0.19999999999999996, 1, answer="a", outputs=["a", "b", "b", "b", "b"]),
    case("score_at_k", 0.5, 2, sorted_scores=[1, 0, 0, 0]),
    case("score_at_k", 0.0, 2, sorted_scores=[0, 1]),
    case("score_at_k", {"raises": "ZeroDivisionError"}, 2, sorted_scores=[0.5]),
    case("em_line_block", 0.5, 1, core_token="rows", outputs=["rows.x", "my_rows"]),
    case("em_line_block", 0.0, 1, core_token="rows[", outputs=["rows[ 1]"]),
    case("em_line_block", 1.0, 1, core_token="rows[", outputs=["rows[i]"]),
    scored("ism_line", CALL, CALL, "get_rows", 1.0),
    scored("ism_line", CALL, "x.my_get_rows_y(a)", "get_rows", 1.0),
    scored("ism_line", CALL, "x.forget_rows()", "get_rows", 2 / 11),
    scored("ism_line", "abx + ab", "aby", "ab", 2 / 3),  # the first of two equal prefixes
    scored("ism_line", "ab + abx", "aby", "ab", 2 / 3),
    scored("ism_line", "f(", "f(", "f", 0.0),
    scored("pm_line", "f(", "f(", "f", 1.0),
    scored("pm_line", "  f(", "  g(f", "f", 2 / 3),  # of a split line even the blanks count
    scored("ism_line", "a\n    b\n  c", "c", "c", 0.0),  # a dedent to nowhere
    scored("pm_line", "a\n    b c\n  d", "b c", "c", 1.0),
    scored("ism_line", "f'{rows}'", "rows", "rows", 0.0, 1.0),
    scored("ism_line", "rows", "rows = 'x", "rows", 1.0, 0.0),
    # What cannot be read at all is taken by lines, of which each is a name; PM has no such way.
    scored("ism_line", "rows", "rows \udc80", "rows", 4 / 6),
    case("pm_line", {"raises": "UnicodeEncodeError"}, 1, reference="rows", outputs=["rows \udc80"], core_token="rows"),
    scored("ism_line", "rows", "rows # coding: x", "rows", 1.0),
    scored("ism_line", "rows", "# coding: x\nrows", "rows", 1.0, 0.0),
    scored("ism_block", BLOCK, "get_rows(", "get_rows", 0.0),
    scored("ism_block", BLOCK, "  get_rows()", "get_rows", 0.0),
    scored("pm_block", BLOCK, "x = get_rows()", "get_rows", 2 / 5),
    scored("ism_block_noverify", BLOCK, "  get_rows()", "get_rows", 1.0),
    scored("pm_block_noverify", BLOCK, "return get_rows", "get_rows", 0.0),
    scored("ism_block_openhands", CALL, "foo.my_get_rows(a)", "get_rows", 0.0),
    scored("pm_block_openhands", CALL, "```python\nfoo.get_rows(b)\n```", "get_rows", 2 / 3),
    scored("ism_block_openhands", CALL, "```\nfoo.get_rows(b)\n```", "get_rows", 0.0),
    ruled("x = foo(1, k=2)", "x = foo(a, my_k=b)", "+++++"),
    ruled("x = foo(1, k=2)", "x = foo(a, b)", "++++-"),
    ruled("x = foo(bar(1), k=2)", "x = foo(b)", "+++++"),
    ruled("x = foo(1)", "x = foo\n", "++-+-"),
    ruled("x = foo", "x = foo", "++++-"),
    ruled("x = foo", "x = foolish", "-+++-"),
    ruled("x = foo(a\n", "x = foo(a, b)", "++-+-"),
    ruled("without = foo()", "x = foo()", "+++-+"),
    ruled("wit = foo()", "x = foo()", "+++++"),
    ruled("with foo():", "with foo(): pass", "+-+++", masked="<mask>\n  pass"),
    ruled("with foo():", "with foo():", "+++++", masked="<mask>\n  pass"),
    ruled("x = a.b(1)", "x = aXb(1)", "-++++", token="a.b"),
    ruled("x = foo(1)", "foo(1", "++-+-", masked="y = 1"),
    case(
        "cdc_line",
        {"raises": "AttributeError"},
        1,
        core_token="a|b",
        core_line="a(1)",
        outputs=["x"],
        masked_code="<mask>",
    ),
    case(
        "cdc_line",
        {"raises": "error"},
        1,
        core_token="f(",
        core_line="f((1)",
        outputs=["x"],
        masked_code="<mask>",
    ),
    case("core_line_candidates", ["from m import get_rows", "x = get_rows(m.all, n=1)"], code=BLOCK, core_token="get_rows"),
    case("core_line_candidates", ["N/A"], code="'''\nx = foo\n'''\ny = '''foo'''\n# foo\nfoo = 1", core_token="foo"),
    case("core_line_candidates", ["foo"], code="# '''\nfoo\n\"\"\" '''\nfoo(1)", core_token="foo"),
    case("core_line_candidates", ["N/A"], code="def task_function(a): foo()", core_token="foo"),
    case(
        "cdc_block",
        1.0,
        1,
        core_token="foo",
        core_line="foo(a)",
        outputs=["def f():\n    return foo(x)"],
        core_line_in_outputs=["return foo(x)"],
    ),
]  # fmt: skip


def value(metric: str, inputs: dict[str, Any], k: int | None) -> Any:
    """What libdrift gives for a case, in the shape of the golden file."""
    token = inputs.get("core_token", "")
    if metric == "clean":
        return cleaned(inputs["output"], Mode.RELEASED)
    if metric == "core_line_candidates":
        return sorted(set(core_lines.candidates(inputs["code"], token)))
    assert k is not None
    if metric == "score_at_k":
        return at_k.released_best_at_k(inputs["sorted_scores"], k)
    outputs = inputs["outputs"]
    if metric == "token_em":
        return share([output == inputs["answer"] for output in outputs], k)
    if metric == "em_line_block":
        return share([released_occurs(token, x) for x in outputs], k)
    if metric in ("cdc_line", "cdc_block"):
        return difference(metric, inputs, k)
    name, _, gate = metric.partition("_")
    score = getattr(likeness.ReleasedLikeness(inputs["reference"]), name)
    if gate == "block_openhands":  # as of 2025: fences go first
        outputs = [
            x.replace("```python", "").replace("```", "") if "```python" in x else x
            for x in outputs
        ]
    found = [score(x) if passes(gate, token, x) else 0.0 for x in outputs]
    scores = sorted(found, reverse=True)
    return {"per_sample_sorted": scores, "score": at_k.released_best_at_k(scores, k)}


def passes(gate: str, token: str, output: str) -> bool:
    """What a released program demands of an answer before it compares names."""
    if gate == "block_openhands":
        return released_occurs(token, output) and compiles(output)
    return token in output and (gate != "block" or compiles(output))


def difference(metric: str, inputs: dict[str, Any], k: int) -> Any:
    place = critical_diff.Surroundings(inputs.get("masked_code"), "<mask>")
    judge = critical_diff.ReleasedRules(inputs["core_token"], inputs["core_line"], place)
    if metric == "cdc_block":
        pairs = zip(inputs["outputs"], inputs["core_line_in_outputs"], strict=True)
        return share([all(judge.rules(output, line)) for output, line in pairs], k)
    rules = [judge.rules(output, output) for output in inputs["outputs"]]
    return {
        "score": share([critical_diff.together(item) for item in rules], k),
        "rules": [{f"r{i}": held for i, held in enumerate(item, start=1)} for item in rules],
    }


def share(right: list[bool], k: int) -> float:
    return at_k.released_pass_at_k(len(right), sum(right), k)


def outcome(item: dict[str, Any]) -> Any:
    try:
        return value(item["metric"], item["inputs"], item["k"])
    except Exception as error:  # noqa: BLE001
        name = type(error).__name__
        return {"raises": {"PatternError": "error"}.get(name, name)}  # as named up to 3.12


@pytest.mark.parametrize("item", PAIRS, ids=lambda item: item["id"][:60])
def test_released_mode(item: dict[str, Any]) -> None:
    assert outcome(item) == item["expected"]


@pytest.mark.published
def test_released_mode_gives_every_golden_value() -> None:
    cases = json.loads(published("golden", "versicode.json").read_text("utf-8"))["cases"]
    assert len(cases) == 70
    wrong = {}
    for item in cases:
        expected = item["expected"]
        if NEW_TOKENISER:
            expected = item.get("expected_py312_plus", expected)
        if outcome(item) != expected:
            wrong[item["id"]] = (outcome(item), expected)
    assert wrong == {}
