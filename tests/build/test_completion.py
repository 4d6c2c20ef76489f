from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.build.completion import FILL, complete
from libdrift.build.lifecycles import Lifecycle
from libdrift.build.results import Built, veiled
from libdrift.errors import UserError
from libdrift.languages.python.usage import parsed
from libdrift.records import (
    Binding,
    ChangeKind,
    Name,
    Parameter,
    ParameterKind,
    Provenance,
    Signature,
    Suite,
    Surface,
    Symbol,
    SymbolKind,
    Task,
    TaskKind,
)
from libdrift.suites import prompt_for, task_files
from libdrift.suites.benchmarks import Asking
from tests.history.small import function, klass, signature, stored, surface

DOC = "Give the sum of all numbers."


def built(*surfaces: Surface, **options: int) -> Built:
    with stored(*surfaces) as store:
        return complete(store, "pkg", [item.release.version for item in surfaces], **options)


def one(*symbols: Symbol, version: str = "1.0") -> Task:
    found = built(surface(version, *symbols))
    assert len(found.tasks) == 1, found.left_out
    return found.tasks[0]


def visible(task: Task) -> str:
    """All that a model may be shown, without imports."""
    lines = f"{task.title}\n{task.problem}\n{task.starter}".splitlines()
    return "\n".join(line for line in lines if not line.startswith(("import ", "from ")))


def test_a_task_as_it_is_written() -> None:
    doc = "Adding up numbers, as `pkg.calc.add` always does.\n\nMore on add.\n"
    found = built(surface("1.0", function("pkg.calc:add", "left", "right", "base=0", doc=doc)))
    (task,) = found.tasks
    assert task.starter == (
        """\
import logging

import pkg


def calc_service(left, right):
    \"\"\"
    [API_NAME] up numbers, as `pkg.calc.[API_NAME]` always does.
    \"\"\"
    logger = logging.getLogger(__name__)

    # Nothing that is mandatory may be missing.
    if left is None or right is None:
        logger.error("A mandatory argument is None.")
        return None

    try:
        response = pkg<fill>
        logger.info("The service was called.")
    except Exception:
        logger.exception("The service failed.")
        raise

    return response
"""
    )
    assert task.reference == ".calc.add(left, right)"
    assert (task.id, task.suite, task.kind) == (
        f"pkg-1.0-{veiled('pkg.calc.add')}",
        "completion",
        TaskKind.COMPLETE,
    )
    assert task.environment.requirements == ("pkg==1.0",)
    assert task.gap is not None
    assert (task.gap.token, task.gap.mask, task.gap.hint) == ("add", FILL, "pkg")
    assert task.gap.aliases == ("pkg",)
    assert task.starter.endswith(FILL + task.gap.near)
    assert (task.facts.symbol, task.facts.scenario) == ("pkg.calc.add", "controlled")
    assert (task.facts.granularity, task.facts.access) == ("middle", "direct")
    assert task.facts.lifecycle is None  # no other release
    assert dict(found.counts) == {"1.0": 1}


def _symbol(
    where: str, kind: SymbolKind, *parameters: Parameter, traits: tuple[str, ...] = ()
) -> Symbol:
    return Symbol(where, kind, Signature(parameters), DOC, traits=traits)


_ARGS = Parameter("args", ParameterKind.VARIADIC)
_KWARGS = Parameter("kwargs", ParameterKind.KEYWORDS)
_KEY = Parameter("key", ParameterKind.KEYWORD_ONLY)
_X = Parameter("x", ParameterKind.POSITIONAL_ONLY)
_OPTION = Parameter("option", ParameterKind.POSITIONAL, "1")
_FUNCTION, _METHOD, _CLASS = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS


@pytest.mark.parametrize(
    ("symbol", "parameters", "answer"),
    [
        (_symbol("pkg:total", _FUNCTION), "", ".total()"),
        (_symbol("pkg:total", _FUNCTION, _X, _OPTION), "x", ".total(x)"),
        (_symbol("pkg:total", _FUNCTION, _X, _ARGS, _KEY), "x, key", ".total(x, key=key)"),
        # Where nothing is mandatory, what may be given is passed on.
        (
            _symbol("pkg:total", _FUNCTION, _ARGS, _KWARGS),
            "*args, **kwargs",
            ".total(*args, **kwargs)",
        ),
        (_symbol("pkg:total", _FUNCTION, _ARGS, _OPTION, _KWARGS), "*args", ".total(*args)"),
        (_symbol("pkg:total", _FUNCTION, _OPTION, _KWARGS), "", ".total()"),
        # A class by its constructor; a method on an instance, unless it needs none.
        (_symbol("pkg.sums:Total", _CLASS, _X), "x", ".sums.Total(x)"),
        (_symbol("pkg:Sums.total", _METHOD, _X), "instance, x", ".Sums.total(instance, x)"),
        (_symbol("pkg:Sums.total", _METHOD, _X, traits=("classmethod",)), "x", ".Sums.total(x)"),
        (_symbol("pkg:Sums.total", _METHOD, _X, traits=("staticmethod",)), "x", ".Sums.total(x)"),
        (
            _symbol("pkg:Sums.total", _METHOD, Parameter("instance", ParameterKind.POSITIONAL)),
            "receiver, instance",
            ".Sums.total(receiver, instance)",
        ),
    ],
)
def test_arguments(symbol: Symbol, parameters: str, answer: str) -> None:
    owners = [klass("pkg:Sums")] if symbol.kind is _METHOD else []
    task = one(symbol, *owners)
    assert task.reference == answer
    assert f"_service({parameters}):" in task.starter
    assert ("is None" in task.starter) is (parameters not in {"", "*args", "*args, **kwargs"})
    assert parsed(task.starter.replace(FILL, answer)) is not None


@pytest.mark.parametrize(
    ("where", "service"),
    [
        ("pkg:total", "pkg"),
        ("pkg.some_sums:total", "some_sums"),
        ("pkg.sums:HTTPPage3D.total", "http_page3d"),
        ("pkg.total.sums:total", "sums"),
        ("pkg.sums:Totals.total", "sums"),  # the nearest owner would give it away
    ],
)
def test_the_service_is_named_after_the_owner(where: str, service: str) -> None:
    holder = where.rpartition(".")[0]
    owners = [klass(holder)] if ":" in holder else []
    task = one(function(where, "x", doc=DOC), *owners)
    assert f"def {service}_service(" in task.starter


@pytest.mark.parametrize(
    ("symbol", "reason"),
    [
        (function("pkg:total"), "no documentation"),
        (function("pkg:total", doc="Parameters\n----------\nx : int\n"), "no description"),
        (function("pkg:total", doc="Total of it."), "its description says little beside its name"),
        (
            function("pkg:total", doc="total of a total"),
            "its description says little beside its name",
        ),
        (Symbol("pkg:total", SymbolKind.FUNCTION, None, DOC), "unknown signature"),
        (function("pkg:total", "subtotal", doc=DOC), "its name is in an argument's"),
        (function("pkg:Total", "subtotal", doc=DOC), "its name is in an argument's"),
        (function("pkg:total", "pkg", doc=DOC), "an argument has the package's name"),
        (function("pkg:pk", "x", doc=DOC), "its name is in the package's"),
        (function("pkg:fill", "x", doc=DOC), "its name is in the mask"),
        (function("pkg:name", "x", doc="Give the file its new name."), "its name is in the mask"),
        (function("pkg:none", "x", doc=DOC), "its name is in the template's words"),
        (function("pkg:total", "a b", doc=DOC), "its signature is no Python"),
        (function("pkg:total", "class", doc=DOC), "its signature is no Python"),
        (function("pkg.tests:total", "x", doc=DOC), "not meant for users"),
        (
            Symbol(  # only import saw it; what a file of the release defines is its own
                "other:total",
                SymbolKind.FUNCTION,
                signature(),
                DOC,
                provenance=(Provenance.RUNTIME,),
            ),
            "another package's",
        ),
    ],
)
def test_what_is_left_out_is_counted(symbol: Symbol, reason: str) -> None:
    names = {"pkg.total": symbol.id} if symbol.id.startswith("other") else None
    found = built(surface("1.0", symbol, names=names))
    assert found.tasks == ()
    assert dict(found.left_out) == {reason: 1}


@pytest.mark.parametrize(
    "name", ["logger", "response", "info", "error", "exp", "all", "service", "call"]
)
def test_other_words_are_found_for_names_of_the_usual_ones(name: str) -> None:
    task = one(function(f"pkg:{name}", "x", doc="Do what has to be done."))
    assert name not in visible(task).lower()
    assert parsed(task.starter.replace(FILL, task.reference)) is not None


@pytest.mark.parametrize("taken", ["logger", "logging", "response", "output", "x_"])
def test_other_words_are_found_for_arguments_of_the_usual_ones(taken: str) -> None:
    task = one(function("pkg:total", taken, doc=DOC))
    assert f"{taken} = " not in task.starter
    assert task.reference == f".total({taken})"


def test_neither_constants_nor_private_nor_unlisted_names_are_asked_for() -> None:
    some = surface(
        "1.0",
        Symbol("pkg:LIMIT", SymbolKind.CONSTANT, doc=DOC),
        Symbol("pkg:Sums.count", SymbolKind.PROPERTY, signature(), DOC),
        klass("pkg:Sums"),
        function("pkg:Sums.__add__", "other", doc=DOC),
        function("pkg:_hidden", "x", doc=DOC),
        function("pkg:unlisted", "x", doc=DOC),
        function("pkg.core:shown", "x", doc=DOC),
        names={"pkg.shown": "pkg.core:shown"},
    )
    scope = dict(some.scopes["pkg"])
    scope["unlisted"] = Name("pkg:unlisted", Binding.UNLISTED)
    changed = Surface(some.release, some.roots, some.symbols, {**some.scopes, "pkg": scope})
    assert [task.facts.symbol for task in built(changed).tasks] == ["pkg.shown"]


def test_a_member_is_asked_for_once_at_the_class_for_users() -> None:
    found = built(
        surface(
            "1.0",
            klass("pkg:_Base"),
            function("pkg:_Base.total", "x", doc=DOC),
            klass("pkg:Sums", "pkg:_Base"),
            klass("pkg:More", "pkg:Sums"),
        )
    )
    assert [task.facts.symbol for task in found.tasks] == ["pkg.Sums.total"]


def test_prompts_that_fit_several_apis_are_left_out() -> None:
    found = built(
        surface(
            "1.0",
            function("pkg:enable", "x", doc="Enable the tool at once."),
            function("pkg:disable", "x", doc="Disable the tool at once."),
            function("pkg:remove", "x", doc="Remove the tool at once, for good."),
        )
    )
    assert [task.facts.symbol for task in found.tasks] == ["pkg.remove"]
    assert dict(found.left_out) == {"its prompt is another's too": 2}


def test_labels_come_from_the_history() -> None:
    found = built(
        surface(
            "2.0",
            function("pkg:fresh", "x", doc=DOC),
            function("pkg:other", "x", "y", doc="Give yet one more."),
            function("pkg:stable", "x", doc="Give the same one."),
            day=date(2024, 5, 1),
        ),
        surface(
            "1.0",
            function("pkg:other", "x", doc="Give yet one more."),
            function("pkg:stable", "x", doc="Give the same one."),
            function("pkg:stale", "x", doc=DOC),
        ),
    )
    facts = [
        (task.facts.version, task.facts.symbol, task.facts.lifecycle, task.facts.change)
        for task in found.tasks
    ]
    assert facts == [
        ("1.0", "pkg.other", "unchanged", None),
        ("1.0", "pkg.stable", "unchanged", None),
        ("1.0", "pkg.stale", "deprecated", ChangeKind.REMOVED),
        ("2.0", "pkg.fresh", "introduced", ChangeKind.INTRODUCED),
        ("2.0", "pkg.other", "modified", ChangeKind.SIGNATURE),
        ("2.0", "pkg.stable", "unchanged", None),
    ]
    assert found.tasks[-1].facts.release_date == date(2024, 5, 1)
    assert dict(found.counts) == {"1.0": 3, "2.0": 3}


def _many(version: str) -> Surface:
    texts = [f"Give number {at} of the list." for at in range(40)]
    return surface(
        version, *(function(f"pkg:item{at}x", "x", doc=text) for at, text in enumerate(texts))
    )


def test_a_limit_takes_a_sample_that_the_seed_decides_on() -> None:
    releases = _many("1.0"), _many("2.0")
    found = built(*releases, limit=5)
    assert dict(found.counts) == {"1.0": 5, "2.0": 5}
    assert dict(found.left_out) == {"over the limit": 70}
    symbols = [task.facts.symbol for task in found.tasks]
    assert symbols[:5] == sorted(symbols[:5], key=str) != symbols[5:]
    assert found == built(*releases, limit=5)
    assert found.tasks != built(*releases, limit=5, seed=1).tasks
    assert len(built(*releases, limit=100).tasks) == 80


def test_versions_are_those_of_the_store() -> None:
    with stored(_many("1.0"), _many("2.0")) as store:
        assert dict(complete(store, "pkg", ["2.0.0", "2.0"]).counts) == {"2.0": 40}
        assert complete(store, "pkg", []) == Built(())
        with pytest.raises(UserError, match=r"pkg 3\.0 is not mined"):
            complete(store, "pkg", ["3.0"])
        with pytest.raises(UserError, match="none is not mined"):
            complete(store, "none", ["3.0"])


def test_what_is_written_is_read_back_the_same(tmp_path: Path) -> None:
    odd = 'A \\alpha test """quoted""" with {braces}, é, \ud800 and so on\\'
    found = built(
        surface("1.0", function("pkg:total", "x", doc=odd), day=date(2024, 1, 2)), _many("2.0")
    )
    assert len(found.tasks) == 41
    assert parsed(found.tasks[0].starter.replace(FILL, found.tasks[0].reference)) is not None
    place = tmp_path / "tasks.jsonl"
    task_files.write(place, "completion", "Completion", found.tasks, {})
    assert tuple(task_files.read(place).tasks.values()) == found.tasks


# Words of templates, of descriptions and of arguments, parts of them, and what is none of them.
_NAMES = st.sampled_from(
    "log Logger response res out put fill il api name missing except ion none e x total Tot sum "
    "get_sum SUM left _l class service serv used pr finally pass retur values plot ünit İx straße".split()
) | st.from_regex(r"[a-zA-Z][a-z_0-9]{0,4}", fullmatch=True)


@given(
    names=st.lists(_NAMES, min_size=1, max_size=6, unique=True),
    arguments=st.lists(_NAMES, max_size=3, unique=True),
    words=st.lists(_NAMES, max_size=8),
)
@settings(max_examples=50, deadline=None)
def test_no_prompt_has_the_name_that_it_asks_for(
    names: list[str], arguments: list[str], words: list[str]
) -> None:
    text = " ".join((*words, "gives", "of", "it", "all"))
    owner = klass("pkg.total:Owner")  # without documentation
    symbols = [owner]
    for name in names:
        symbols.append(function(f"pkg.sums:{name}", *arguments, doc=text))
        symbols.append(function(f"pkg.total:Owner.{name}", *arguments, doc=f"Some {text}"))
    found = built(surface("1.0", *symbols))
    public = sum(not name.startswith("_") for name in names)
    assert len(found.tasks) + sum(found.left_out.values()) == 1 + 2 * public
    for task in found.tasks:
        name = (task.facts.symbol or "").rpartition(".")[2]
        for fold in (str.lower, str.casefold):
            assert fold(name) not in fold(visible(task))
        assert task.reference.partition("(")[0].endswith(f".{name}")
        assert parsed(task.starter.replace(FILL, task.reference)) is not None


LIVES = (
    surface(
        "1.0", function("pkg.calc:kept", doc=DOC), function("pkg.calc:grown", "a", doc="A b c")
    ),
    surface(
        "2.0",
        function("pkg.calc:kept", doc=DOC),
        function("pkg.calc:grown", "a", "b", doc="A b c."),
        function("pkg.calc:fresh", doc="Tell what is new here."),
    ),
)


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ((), ["fresh introduced", "grown modified", "kept unchanged"]),
        (("introduced",), ["fresh introduced"]),
        (("introduced", "modified"), ["fresh introduced", "grown modified"]),
        (("deprecated",), []),
    ],
)
def test_only_some_lifecycles(only: tuple[str, ...], expected: list[str]) -> None:
    with stored(*LIVES) as store:
        found = complete(store, "pkg", ["2.0"], only=[Lifecycle(name) for name in only])
    told = [f"{task.gap.token} {task.facts.lifecycle}" for task in found.tasks if task.gap]
    assert told == expected
    wanted = {"fresh": ChangeKind.INTRODUCED, "grown": ChangeKind.SIGNATURE, "kept": None}
    for task in found.tasks:
        assert task.gap is not None
        assert task.facts.change is wanted[task.gap.token]
    assert sum(found.left_out.values()) == 3 - len(expected)


def test_what_the_sent_prompt_tells_is_left_out() -> None:
    doc = "Turn something into something else."
    found = built(surface("1.0", function("pkg.calc:answer", "one", doc=doc)))
    assert not found.tasks, "`Answer:` ends the prompt"
    assert found.left_out == {"its name is in the prompt as it is sent": 1}


def test_no_prompt_has_an_example_with_its_answer() -> None:
    doc = "Turn something into something else."
    task = one(function("pkg.calc:astuple", "one", doc=doc))
    sent = prompt_for(Suite("completion", "", ""), task, Asking())
    assert "astuple" not in sent.user
