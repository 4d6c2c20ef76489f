from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.execution import Job, Options, labels
from libdrift.execution.labels import LabelQuestion
from libdrift.metrics.accuracies import ChangeExplanation
from libdrift.records import Case, Environment, Outcome, TaskKind, TestStyle
from libdrift.sandbox import Program
from libdrift.sandbox.backends import choose
from tests.evals.judged import EXPLAIN, label_task

CODE = "import numpy as np\nfrom numpy import trapz\nnp.in1d(trapz(x), np.max(x))\n"
ONE = LabelQuestion({"numpy.in1d": ChangeExplanation("")}, explain=False, code=CODE)
TOLD = LabelQuestion(
    {"numpy.in1d": ChangeExplanation("deprecated", "numpy.isin", "2.0")}, explain=True
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('["np.in1d"]', True),
        ('```json\n["numpy.in1d(ar1, ar2)"]\n```', True),
        ('The list is ["np.in1d"], and no more.', True),
        ('{"np.in1d": {"kind": "gone"}}', True),
        ('["np.in1d", "numpy.in1d"]', True),  # twice the same
        ('First ["np.max"], but then: ["np.in1d"]', True),  # the last word counts
        ('["np.in1d"], as in rows["key"]', True),  # which is no list
        ('["np.in1d"] and nothing else: []', True),  # nothing is no word against something
        ('Of ["np.max"]:\n```json\n["np.in1d"]\n```\nnot ["np.max"]', True),
        ('```json\n["np.max"]\n```\nor\n```json\n["np.in1d"]', True),
        ('```json\nsee below\n```\n["np.in1d"]', True),
        ('{"apis": ["np.in1d"]}', True),
        ('{"apis": {"np.in1d": {}}}', True),
        ('{"np.in1d": ["removed"]}', True),
        ('{"apis": {"np.in1d": {}}, "more": {}}', False),
        ('["np.in1d", "np.trapz"]', False),
        ("[]", False),
        ("`np.in1d(a, b)` is gone in `2.0`; `x = 3` stays", True),
        ("`np.in1d`: use `np.isin`", True),
        ("`np.in1d` and `np.isin`", False),
        ("['np.in1d']", True),
        ('["np.in1d",]', True),
        ("('np.in1d',)", True),
        ("{'np.in1d'}", True),
        ("[np.in1d]", True),
        ('[{"api": "np.in1d", "line": 3}]', True),
        ('{"Function": "np.in1d"}', True),
        ('{"why": "gone", "apis": ["np.in1d"]}', True),
        ('{"np.in1d": "use np.isin"}', True),
        ('["np.in1d (use np.isin)"]', True),
        ("np.in1d was removed; use `np.isin`", True),
        ("- np.in1d -> np.isin", True),
        ("| `np.in1d` | `np.isin` |", True),
        ("`np.in1d` is gone; `np.max` works.", True),
        ("None: `np.in1d` works", False),
        ("np.in1d is not deprecated", False),
        ('{"np.in1d": false}', False),
        ("['np.bogus.in1d']", False),
        ("['in1d']", False),
        ("numpy.in1d is gone in version 2.0", True),
        ("It is numpy.in1d [see 1].", True),
        ("It is numpy.in1d [1].", True),
        ("in1d", False),
        ("", False),
        ("\ud800 [\ud800]", False),
        ("[" * 10_000 + "]" * 10_000, False),
        ('["' * 10_000, False),
    ],
)
def test_names_are_read_from_json_or_words(text: str, right: bool) -> None:  # noqa: FBT001
    assert labels.compare(text, ONE).right is right


GIVEN = '{"np.in1d": {"kind": "removed", "replacement": "np.isin", "version": "2.0"}}'


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"np.in1d": {"kind": "Deprecated", "replacement": "np.isin", "version": "2.0"}}', True),
        ('So: {"np.in1d": {"kind": "removed", "replacement": "np.isin", "version": 2.0}}', True),
        ('{"np.in1d": {"kind": "removed", "replacement": "np.isin", "version": 1.26}}', False),
        ('{"np.in1d": {"kind": "removal", "replacement": ["np.isin"], "version": ["2.0"]}}', True),
        ('{"np.in1d": {"kind": "removal", "replacement": ["np.isin", "np.a"]}}', False),
        ('{"c": {"np.in1d": {"kind": "gone", "replacement": "np.isin", "version": "2.0"}}}', False),
        ('{"c": {"np.in1d": {"kind": "add", "replacement": "np.isin", "version": "2.0"}}}', False),
        (f'{{"changes": {GIVEN}}}', True),
        (f"[{GIVEN}]", True),
        (f"[{GIVEN}, {GIVEN}]", True),
        (f"{GIVEN} {{}} []", True),
        (f'{GIVEN} ["np.in1d"]', True),
        (f'```json\n{GIVEN}\n``` and not {{"np.in1d": {{"kind": "added"}}}}', True),
        (f'{GIVEN[:-1]}, "np.max": {{"kind": "deprecated"}}}}', False),  # which did not change
        ('{"np.in1d": {"kind": "added", "replacement": "np.isin", "version": "2.0"}}', False),
        ('{"np.in1d": {"kind": "removed", "replacement": null, "version": "2.0"}}', False),
        ('{"np.in1d": {"kind": "deprecated", "replacement": "np.isin"}}', False),
        ('{"np.in1d": {"kind": ["removed"], "replacement": {}, "version": true}}', False),
        ('["np.in1d"]', False),
        ("np.in1d is deprecated, use np.isin", False),  # and since when?
        ("np.in1d is deprecated since 2.0, use np.isin", True),
        ("np.in1d still works in 2.0", False),
        (GIVEN.replace('"', "'"), True),
        (GIVEN.replace("}}", ",},}"), True),
        (GIVEN.replace("kind", "Kind").replace("version", "VERSION"), True),
        (f"np.in1d: {GIVEN[12:-1]}", True),
        ('[{"api": "np.in1d", "kind": "removed", "since": 2.0, "use": "`np.isin`"}]', True),
        ('{"np.in1d": "removed in 2.0, use np.isin"}', True),
        ('{"np.in1d": ["removed", "2.0", "np.isin"]}', True),
        ("", False),
    ],
)
def test_explanations_are_read_from_json(text: str, right: bool) -> None:  # noqa: FBT001
    assert labels.compare(text, TOLD).right is right


@pytest.mark.parametrize(
    ("replacement", "right"),
    [
        *((text, True) for text in ('"none"', '"N/A"', '" null "', '"-"', '""', "null", "[]")),
        ('["None"]', True),
        ('"numpy.none"', False),
    ],
)
def test_there_may_be_no_replacement(replacement: str, right: bool) -> None:  # noqa: FBT001
    wanted = LabelQuestion({"a.b": ChangeExplanation("removed", "")}, explain=True)
    text = f'{{"a.b": {{"kind": "removed", "replacement": {replacement}}}}}'
    assert labels.compare(text, wanted).right is right


def test_a_version_is_no_number() -> None:
    wanted = LabelQuestion({"a.b": ChangeExplanation("added", None, "3.10")}, explain=True)
    assert labels.compare('{"a.b": {"kind": "added", "version": 3.10}}', wanted).right
    assert not labels.compare('{"a.b": {"kind": "added", "version": 3.1}}', wanted).right


@pytest.mark.parametrize(
    ("question", "text", "reason"),
    [
        (ONE, '["trapz", "np.in1d"]', "names trapz, which did not change"),
        (ONE, '["np.max"]', "numpy.in1d: not named; names np.max, which did not change"),
        (
            ONE,
            json.dumps(["np.in1d", *(f"np.n{n}" for n in range(9))]),
            "names np.n0, np.n1, np.n2, np.n3, np.n4 and 4 more, which did not change",
        ),
        (ONE, "none", "names no API"),
        (TOLD, "{}", "numpy.in1d: not explained"),
        (
            TOLD,
            '{"np.max": {}}',
            "numpy.in1d: not explained; names np.max, which did not change",
        ),
        (TOLD, "prose", "no JSON object from APIs to what happened to them"),
        (
            TOLD,
            '{"np.in1d": {"kind": "addition", "version": "2.1"}}',
            "numpy.in1d: kind addition, not deprecation, replacement none, not numpy.isin",
        ),
    ],
)
def test_a_reason_names_what_is_missing_or_too_much(
    question: LabelQuestion, text: str, reason: str
) -> None:
    assert labels.compare(text, question).reason == reason


@pytest.mark.parametrize(
    ("kind", "reference", "names"),
    [
        (TaskKind.LOCATE, '["a.b", "a.c"]', ["a.b", "a.c"]),
        (TaskKind.LOCATE, '{"a.b": {}}', ["a.b"]),
        (TaskKind.EXPLAIN, json.dumps(EXPLAIN), ["shapes.ring"]),
        (TaskKind.EXPLAIN, '["a.b"]', None),
        (TaskKind.LOCATE, "[]", None),
        (TaskKind.LOCATE, "prose", None),
        (TaskKind.LOCATE, "[1]", None),
    ],
)
def test_a_task_without_tests_has_its_labels_in_its_reference(
    kind: TaskKind, reference: str, names: list[str] | None
) -> None:
    found = labels.of_task(label_task("one", kind, reference))
    assert (None if found is None else list(found.labels)) == names


MANY = LabelQuestion(
    {"pkg.Zoned.instant": ChangeExplanation("removed", "pkg.Zoned.moment")},
    explain=True,
    code="import pkg\n\npkg.Zoned(1).instant()\n",
    also={"pkg.Zoned.instant": ("pkg.Offset.instant", "pkg.inner.zones.Zoned.instant")},
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pkg.Zoned.instant", True),
        ("pkg.Offset.instant", True),
        ("pkg.inner.zones.Zoned.instant", True),
        ("pkg.Other.instant", False),
        ("pkg.inner.instant", False),
    ],
)
def test_an_api_may_have_more_than_one_name(name: str, *, expected: bool) -> None:
    answer = {name: {"kind": "removed", "version": "2.0", "replacement": "pkg.Zoned.moment"}}
    assert labels.compare(json.dumps(answer), MANY).right is expected


@pytest.mark.parametrize("also", ['{"a.b": 3}', "3", '{"a.b": [3]}'])
def test_names_of_another_shape_are_none(also: str) -> None:
    found = labels.of_tests(f'{{"labels": ["a.b"], "code": "", "language": "x", "also": {also}}}')
    assert found is not None
    assert not any(found.also.values())


@pytest.mark.parametrize("question", [ONE, TOLD, MANY])
def test_a_question_survives_being_written(question: LabelQuestion) -> None:
    assert labels.of_tests(question.to_tests()) == question


@pytest.mark.parametrize("text", ["", "x", "[]", "{}", '{"labels": 3, "code": "", "language": ""}'])
def test_what_is_no_question_is_none(text: str) -> None:
    assert labels.of_tests(text) is None


def test_the_court_judges_at_once_and_label_by_label(tmp_path: Path) -> None:
    two = LabelQuestion(
        {"numpy.in1d": ChangeExplanation(""), "numpy.trapz": ChangeExplanation("")},
        explain=False,
        code=CODE,
    )

    def job(name: str, answer: str, tests: str) -> Job:
        program = Program(answer, tests, TestStyle.LABELS)
        return Job((name, "0", "hidden"), Environment("python", "3.9", ()), program)

    jobs = [
        job("right", '["in1d", "np.in1d", "trapz"]', two.to_tests()),
        job("half", '["trapz"]', two.to_tests()),
        job("all", '["np.in1d", "trapz"]', two.to_tests()),
        job("broken", "x", "no question"),
    ]
    settings = Settings(tmp_path, None, None, (), tmp_path)
    options = Options(settings, choose("none", settings))
    found = {job.key[0]: judgement for job, judgement in labels.run_jobs(jobs, options)}
    assert found["all"].outcome is Outcome.PASSED
    assert found["all"].cases == (Case("numpy.in1d", "passed"), Case("numpy.trapz", "passed"))
    assert found["right"].reason == "names in1d, which did not change"
    assert found["half"].outcome is Outcome.FAILED
    assert found["half"].cases == (Case("numpy.in1d", "failed"), Case("numpy.trapz", "passed"))
    assert found["broken"].outcome is Outcome.INFRASTRUCTURE


def test_a_builtin_may_be_named_in_a_sentence() -> None:
    question = LabelQuestion(
        {"xrange": ChangeExplanation("")}, explain=False, code="for i in xrange(3): pass"
    )
    for text in ("xrange", "['xrange']", "- xrange", "The code uses xrange, which was removed."):
        assert labels.compare(text, question).right, text
    for text in ("range", "Use xrange, not range, it works.", "x", "bogus.xrange"):
        assert not labels.compare(text, question).right, text


@pytest.mark.parametrize("unit", ["`np.a` is gone. ", "a.b. ", "{'a': 'b'} ", "[a.b, ", " ", "no "])
def test_a_long_text_is_read_or_given_up_soon(unit: str) -> None:
    started = time.monotonic()
    for question in (ONE, TOLD):
        assert not labels.compare(unit * (200_000 // len(unit)), question).right
    assert time.monotonic() - started < 30
