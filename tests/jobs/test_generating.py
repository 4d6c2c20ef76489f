"""Recipes with scripted models, from the command to the file: ledger, resume, budget, table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from libdrift.build.recipes import executing
from libdrift.build.recipes.steps import MachineTrouble
from libdrift.cli.app import app
from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.evals.local import weights
from libdrift.execution import Job, Options
from libdrift.history.store import Store
from libdrift.jobs import recipe_starts
from libdrift.sandbox import Judgement
from libdrift.suites import task_files
from tests.build.recipes import test_codemenv as codemenv
from tests.build.recipes import test_gitchameleon as gitchameleon
from tests.build.recipes import test_rustevo as rustevo
from tests.build.recipes import test_versicode as versicode
from tests.build.recipes.local import LocalExecutor, places, surfaces
from tests.build.test_posts import answer, dump

# A stage's replies, one after the other; what is not here gets no sense.
MODEL = """
import json
from pathlib import Path

REPLIES = json.loads(Path({replies!r}).read_text())


def reply(messages, task_id, sample):
    with open({asked!r}, "a") as file:
        file.write(task_id + chr(10))
    start, _, stage = task_id.rpartition(":")
    texts = REPLIES.get(stage, ["no sense"])
    if stage == {dies!r} and not Path({alive!r}).exists():
        raise KeyboardInterrupt if {interrupt!r} else RuntimeError("the server is down")
    return texts[min(sample, len(texts) - 1)]
"""


@pytest.fixture(autouse=True)
def executor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalExecutor:
    """Two releases mined, an empty folder to be in, and programs run beside the releases."""
    file = tmp_path / "history.sqlite"
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(file))
    with Store.open(file) as store:
        for one in surfaces():
            store.add(one)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    local = LocalExecutor(tmp_path / "releases")
    monkeypatch.setattr(executing, "SandboxExecutor", lambda _options: local)
    monkeypatch.setattr(recipe_starts, "python_places", lambda *_: places())
    return local


def model(
    tmp_path: Path, replies: Mapping[str, list[str]], dies: str = "", *, interrupt: bool = False
) -> str:
    (tmp_path / "replies.json").write_text(json.dumps(replies))
    code = MODEL.format(
        replies=str(tmp_path / "replies.json"),
        asked=str(tmp_path / "asked"),
        dies=dies,
        alive=str(tmp_path / "alive"),
        interrupt=interrupt,
    )
    (tmp_path / "model.py").write_text(code)
    return f"scripted/{tmp_path / 'model.py'}"


def asked(tmp_path: Path) -> list[str]:
    return (tmp_path / "asked").read_text().split("\n")[:-1]


def run(recipe: str, name: str, *more: str, code: int = 0) -> Result:
    arguments = ["--recipe", recipe, "--package", "pkg", "--versions", "1.0,2.0", "--model", name]
    done = CliRunner().invoke(app, ["build", "generate", *arguments, *more])
    assert done.exit_code == code, (done.stdout, done.stderr, done.exception)
    return done


def read(recipe: str, name: str, *more: str, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(recipe, name, *more, "--json", code=code).stdout)
    return found


def test_a_recipe_from_the_command_to_the_file(tmp_path: Path) -> None:
    name = model(tmp_path, {**codemenv.GOOD, "program": ["no", codemenv.PROGRAM]})
    done = run("codemenv", name, "--attempts", "1")
    assert "│ proven tasks        │       3 │" in done.stdout
    assert "3 tasks in codemenv-pkg.jsonl" in done.stdout
    assert "program: the code does not use pkg.disc" in done.stderr
    suite = task_files.read(Path("codemenv-pkg.jsonl"))
    assert {task.kind.value for task in suite.tasks.values()} == {"migrate", "locate", "explain"}
    found = read("codemenv", name, "--attempts", "1")
    assert (found["starts"], found["made"], found["repaired"], found["proven"]) == (2, 1, 1, 3)
    assert found["rejected"] == {"program": 1}
    assert found["usage"]["calls"] == 2 + 4
    ledger = Path("codemenv-pkg.ledger/stages.jsonl").read_text()
    lines = [json.loads(line) for line in ledger.splitlines()]
    told = {(line["stage"], line.get("attempt", 0)): line.get("reason", "") for line in lines}
    assert told["program", 1] == "the code has no function at its top level"
    assert told["labels", 0] == "runs; runs"
    assert len(asked(tmp_path)) == 6, "the second command asks nothing"


@pytest.mark.parametrize(
    ("recipe", "replies", "more", "proven"),
    [
        ("gitchameleon", gitchameleon.GOOD, [], 1),
        ("versicode", {"description": [versicode.DESCRIBED]}, ["--level", "token"], 4),
        (
            "versicode",
            {
                "refactoring": [json.dumps(versicode.REFACTORED)],
                "tests": [json.dumps(versicode.TESTS)],
            },
            ["--form", "executable"],
            2,
        ),
        (
            "versicode",
            {"description": ['{"description": "Prints how long a closed line of size two is."}']},
            ["--form", "migration"],
            2,
        ),
        (
            "libevolutioneval",
            {"instruction": ['{"instruction": "Give a number for a size that is told."}']},
            [],
            7,
        ),
    ],
)
def test_every_recipe_for_python_makes_a_file(
    tmp_path: Path, recipe: str, replies: dict[str, list[str]], more: list[str], proven: int
) -> None:
    found = read(recipe, model(tmp_path, replies), *more)
    assert found["proven"] == proven
    tasks = task_files.read(Path(found["path"])).tasks.values()
    assert {task.suite for task in tasks} == {f"{recipe}-pkg"}


def test_rust_from_the_command_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(tmp_path / "history.sqlite") as store:
        for one in rustevo.releases():
            store.add(one)
    monkeypatch.setattr(executing, "SandboxExecutor", lambda _options: rustevo.Compiler())
    monkeypatch.setattr(recipe_starts, "uses_of", lambda *_, **__: [])
    broken = rustevo.CODE.replace("is_none_or", "map_or")
    replies = {**rustevo.GOOD, "solution": [broken, rustevo.CODE], "tests": [rustevo.ONE]}
    name = model(tmp_path, {**replies, "more tests 1": [rustevo.BOTH]})
    found = read("rustevo", name, "--package", "rust", "--versions", "1.81.0,1.84.0")
    assert (found["proven"], found["repaired"]) == (1, 1)
    (task,) = task_files.read(Path("rustevo-rust.jsonl")).tasks.values()
    assert task.language == "rust"
    assert task.source["coverage"] == 1.0


def test_an_interruption_loses_nothing(tmp_path: Path) -> None:
    name = model(tmp_path, gitchameleon.GOOD, "hidden tests")
    found = read("gitchameleon", name, "--attempts", "0", code=3)
    assert (found["proven"], found["open"]) == (0, 1)
    assert "the server is down" in found["troubles"][0]
    before = asked(tmp_path)
    (tmp_path / "alive").touch()
    found = read("gitchameleon", name, "--attempts", "0")
    assert (found["proven"], found["open"]) == (1, 0)
    more = asked(tmp_path)[len(before) :]
    stages = [line.rpartition(":")[2] for line in more]
    assert stages == ["hidden tests", "wrong-version answer"], "no stage is asked for twice"


def test_a_key_that_interrupts_leaves_a_ledger_to_go_on_from(tmp_path: Path) -> None:
    name = model(tmp_path, gitchameleon.GOOD, "wrong-version answer", interrupt=True)
    arguments = ["--package", "pkg", "--versions", "1.0,2.0", "--model", name, "--attempts", "0"]
    done = CliRunner().invoke(app, ["build", "generate", "--recipe", "gitchameleon", *arguments])
    assert done.exit_code != 0
    (tmp_path / "alive").touch()
    before = len(asked(tmp_path))
    assert read("gitchameleon", name, "--attempts", "0")["proven"] == 1
    again = [line.rpartition(":")[2] for line in asked(tmp_path)[before:]]
    assert "hidden tests" not in again


def test_the_budget_ends_it_and_more_of_it_goes_on(tmp_path: Path) -> None:
    name = model(tmp_path, codemenv.GOOD)
    priced = ["--price", "1000,1000", "--at-once", "1"]
    found = read("codemenv", name, *priced, "--max-cost", "0.000001", code=3)
    assert found["usage"]["calls"] == 1
    assert "--max-cost 1e-06 is reached" in found["ended_by"]
    found = read("codemenv", name, *priced, "--max-cost", "1000")
    assert found["open"] == 0
    assert found["proven"] == 3


def test_the_machines_trouble_is_no_reason_to_reject(
    tmp_path: Path, executor: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(jobs: tuple[Job, ...], *, fresh: bool = False) -> Mapping[Any, Judgement]:
        raise MachineTrouble("no space left")

    monkeypatch.setattr(executor, "judge", broken)
    found = read("gitchameleon", model(tmp_path, gitchameleon.GOOD), "--attempts", "0", code=3)
    assert (found["open"], found["proven"]) == (1, 0)
    assert "not run: no space left" in found["troubles"][0]


def test_a_gate_refuses_by_its_name(tmp_path: Path) -> None:
    """A solution that only mentions what is new works in the release before, too."""
    text = json.dumps(gitchameleon.PROBLEM).replace(
        "pkg.circle(size)", "size * 6 + 0 * len('cube')"
    )
    found = read("gitchameleon", model(tmp_path, {**gitchameleon.GOOD, "problem": [text]}))
    assert (found["made"], found["proven"]) == (1, 0)
    assert found["refused"] == {"other release": 1}
    told = {one["by"]: one["reason"] for one in found["reasons"]}
    assert told["other release"] == "the reference passes at 1.0 too"
    assert not Path(found["path"]).exists()


def test_a_higher_limit_goes_on_from_a_lower_one(tmp_path: Path) -> None:
    name = model(tmp_path, {"description": [versicode.DESCRIBED]})
    assert read("versicode", name, "--limit", "1")["over_limit"] == 3
    before = len(asked(tmp_path))
    assert read("versicode", name, "--limit", "3")["starts"] == 3
    assert len(asked(tmp_path)) == before + 2


def test_the_embedded_model_goes_the_same_way(settings: Settings) -> None:
    """It writes nothing that could be used; what it wrote is kept, and told."""
    weights.smollm2(settings)
    few = ["--limit", "1", "--attempts", "0", "--max-tokens", "24"]
    found = read("libevolutioneval", "smollm2", *few)
    assert (found["starts"], found["open"]) == (1, 0)
    assert found["usage"]["calls"] == 1
    assert found["usage"]["tokens_out"] > 0
    assert found["made"] + sum(found["rejected"].values()) == 1
    assert (Path(found["ledger"]) / "calls.jsonl").stat().st_size


def test_code_of_repositories_and_of_posts(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "pkg==2.0\n",
        "LICENSE": "Permission is hereby granted, free of charge, to any person obtaining a copy\n",
        "app.py": "import pkg\n\n\ndef area(side):\n    return pkg.square(side)\n",
    }
    for folder, licence in (("free", files["LICENSE"]), ("closed", "All rights reserved.")):
        place = tmp_path / "repos" / folder
        place.mkdir(parents=True)
        for file, text in {**files, "LICENSE": licence}.items():
            (place / file).write_text(text)
    name = model(tmp_path, {"description": [versicode.DESCRIBED]})
    where = ["--repositories", str(tmp_path / "repos"), "--licence", "MIT", "--level", "line"]
    found = read("versicode", name, *where)
    assert found["proven"] == 1
    assert found["left_out"]["repository: under none of the licences asked for"] == 1
    (task,) = task_files.read(Path(found["path"])).tasks.values()
    assert task.facts.source == "downstream_application_code"
    assert task.source["place"] == "free/app.py:5:line"
    posts = dump(tmp_path / "Posts.xml", answer(7, "import pkg\nprint(pkg.square(2))"))
    found = read("versicode", name, "--posts", str(posts), "--level", "token", "--out", "so.jsonl")
    tasks = task_files.read(Path("so.jsonl")).tasks.values()
    assert [task.facts.version for task in tasks] == ["1.0", "2.0"]
    assert {task.source["post"] for task in tasks} == {7}
    assert {task.facts.source for task in tasks} == {"stackoverflow"}


@pytest.mark.parametrize(
    ("recipe", "more", "told"),
    [
        ("codemen", [], "no recipe 'codemen'"),
        ("codemenv", ["--difficulty", "harder"], "no difficulty 'harder'"),
        ("versicode", ["--form", "exec"], "no form 'exec'"),
        ("versicode", ["--level", "middle"], "no level 'middle'"),
        ("versicode", ["--min-stars", "3"], "--min-stars without --stars"),
        ("versicode", ["--licence", "MIT"], "need --repositories"),
        ("codemenv", ["--posts", "Posts.xml"], "are for versicode, and not for codemenv"),
        ("codemenv", ["--out", "tasks.json"], "does not end in .jsonl"),
        ("codemenv", ["--versions", "2.0"], "needs two releases"),
        ("codemenv", ["--package", "nobody"], "nobody"),
        ("rustevo", [], "pkg is not a Rust package"),
        ("codemenv", ["--model", "nobody/x", "--max-cost", "1"], "the price of"),
    ],
)
def test_mistakes_are_told_in_a_line(
    tmp_path: Path, recipe: str, more: list[str], told: str
) -> None:
    arguments = ["--package", "pkg", "--versions", "1.0,2.0", "--model", model(tmp_path, {})]
    whole = ["build", "generate", "--recipe", recipe, *arguments, *more]
    with pytest.raises(UserError, match=told):
        CliRunner().invoke(app, whole, catch_exceptions=False)


def test_a_file_or_a_ledger_of_something_else_is_kept(tmp_path: Path) -> None:
    name = model(tmp_path, codemenv.GOOD)
    run("codemenv", name, "--out", "a.jsonl")
    other = ["build", "generate", "--recipe", "gitchameleon", "--package", "pkg"]
    other += ["--versions", "1.0,2.0", "--model", name, "--out", "a.jsonl"]
    with pytest.raises(UserError, match=r"a\.ledger contains another run"):
        CliRunner().invoke(app, other, catch_exceptions=False)
    Path("b.jsonl").write_text("mine")
    with pytest.raises(UserError, match=r"b\.jsonl already exists"):
        CliRunner().invoke(app, [*other[:-1], "b.jsonl"], catch_exceptions=False)
    assert Path("b.jsonl").read_text() == "mine"


def test_what_executes_is_the_sandbox(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name that tests put another executor for is what jobs take."""
    from libdrift.sandbox import choose

    monkeypatch.undo()
    options = Options(settings, choose("none", settings))
    assert executing.SandboxExecutor(options).options is options
