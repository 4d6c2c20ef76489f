"""Prompts with documents, for every language that is mined."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.evals.options import EvalOptions
from libdrift.history.store import Store
from libdrift.jobs.prompting import PromptOptions, write_prompts
from libdrift.records import Environment, Facts, Release, Suite, Surface, Symbol, Task, TaskKind
from tests.conftest import make_task
from tests.history.small import function, klass, surface

STD = (
    klass("std.option:Option"),
    function("std.option:Option.get_or_insert_with", doc="Inserts a value, and gives it back."),
    klass("std.rc:Rc"),
    function("std.rc:Rc.insert", doc="Inserts a value lazily, and gives it back."),
)
CRATE = (
    klass("hyper.body:Frame"),
    function("hyper.body:Frame.is_data", doc="Whether this is a DATA frame."),
    function("hyper.body:open", doc="Whether a body is open."),
)
JDK = (
    klass("java.util:Date", doc="An instant."),
    function("java.util:Date.getYear", doc="The year.", gone="As of JDK 1.1.", use="Calendar"),
    klass("java.util:Calendar", doc="Fields of time."),
    klass("java.util:List", doc="Code that works."),
)
YEAR = "import java.util.Date;\nclass A { int f(Date d) { return d.getYear(); } }\n"


def of(ecosystem: str, package: str, version: str, root: str, *symbols: Symbol) -> Surface:
    found = surface(version, *symbols)
    return replace(found, release=Release(ecosystem, package, version), roots=(root,))


def asked(name: str, language: str, facts: Facts, problem: str, starter: str) -> Task:
    environment = Environment(language, facts.version, ())
    plain = make_task(name, 1, environment)
    return replace(
        plain, language=language, facts=facts, problem=problem, starter=starter, wrong=None
    )


TASKS = [
    asked(
        "std",
        "rust",
        Facts(library="std", version="1.70.0"),
        "Initialise a value lazily, and give it back.",
        "fn lazy<T, F>(option: &mut Option<T>, init: F) -> &mut T\nwhere\n    F: FnOnce() -> T;",
    ),
    asked(
        "crate",
        "rust",
        Facts(library="hyper", version="1.4.0"),
        "Tell whether it is of data.",
        "use hyper::body::Frame;\nfn of_data<T>(frame: &Frame<T>) -> bool {",
    ),
    asked(
        "jdk",
        "java",
        Facts(library="jdk", version="21"),
        "Change this code so that it works with the installed version of Java.",
        YEAR,
    ),
]
TASKS[-1] = replace(TASKS[-1], kind=TaskKind.MIGRATE)


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "history.sqlite"
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(path))
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path / "cache"))
    with Store.open(path) as store:
        store.add(of("rust", "rust", "1.70.0", "std", *STD))
        store.add(of("crates", "crate:hyper", "1.4.0", "hyper", *CRATE))
        store.add(of("jdk", "jdk", "21", "java", *JDK))
    return path


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("std", "rust 1.70.0: std::option::Option::get_or_insert_with"),
        ("crate", "crate:hyper 1.4.0: hyper::body::Frame::is_data"),
        ("jdk", "jdk 21: java.util.Date.getYear"),
    ],
)
def test_documents_of_a_language_with_types(history: Path, name: str, first: str) -> None:
    (task,) = (task for task in TASKS if task.id == name)
    suite = Suite("typed", "Typed", "here", {task.id: task})
    file = history.parent / "prompts.jsonl"
    lost: dict[str, str] = {}
    ways = EvalOptions(strategy="rag", documents=2)
    count = write_prompts(suite, file, PromptOptions(documents=ways), lost=lost.__setitem__)
    assert (count, lost) == (1, {})
    told = json.loads(file.read_text())["messages"][-1]["content"]
    headers = re.findall(r"^--- (.*?)(?:[(:]? ?\(|$)", told, re.MULTILINE)
    assert headers[0].startswith(first), headers
